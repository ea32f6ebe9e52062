"""HTML elements. Their texts and attributes are escaped when they are written."""

from typing import Any
from xml.etree.ElementTree import Element, tostring

__all__ = ["Element", "element", "percent", "to_html"]


def element(tag: str, *children: Element | str, **attributes: Any) -> Element:
    """An element; ``class_`` is the attribute class, and ``stroke_width`` is stroke-width.

    An attribute that is None is left out.
    """
    names = {name: name.rstrip("_").replace("_", "-") for name in attributes}
    given = {names[name]: str(value) for name, value in attributes.items() if value is not None}
    made = Element(tag, given)
    for child in children:
        if isinstance(child, Element):
            made.append(child)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + child
        else:
            made.text = (made.text or "") + child
    return made


def to_html(*elements: Element) -> str:
    """The text of some elements."""
    return "\n".join(tostring(each, encoding="unicode", method="html") for each in elements)


def percent(share: float) -> str:
    """A part of the width of a drawing, which so fits every screen without scaling its text."""
    return f"{100 * share:.2f}%"
