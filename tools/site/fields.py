"""An extension of Griffe: the fields of a class are a table in the text of the class.

- A class of mindup_env.settings.declaration is a dataclass for Griffe, and so has a signature.
- Its options, ``name: type = option("help", default=value)``, get an entry in the section
  ``Attributes:`` of the class from their help; the value in the signature is the default.
- A field with an entry in this section is not shown again as a member.
- Neither is a member without a text of its own that a base of the class describes.
"""

import ast
import re
from collections.abc import Iterator
from typing import Any

import griffe

_SETTINGS = "mindup_env.settings.declaration.settings"
_DATACLASS = griffe.ExprName("dataclasses.dataclass")
_SECTIONS = {griffe.DocstringSectionKind.attributes, griffe.DocstringSectionKind.parameters}


# Its types differ between versions, and are missing where it is not installed.
_Extension: Any = griffe.Extension


class Fields(_Extension):  # type: ignore[misc]
    """Must come after Griffe's own extension for dataclasses, which reads the fields."""

    def on_class_instance(self, *, cls: Any, **_: Any) -> None:
        """Lets Griffe's own extension make the signature of a class of settings."""
        for decorator in cls.decorators:
            if decorator.value.canonical_path == _SETTINGS:
                arguments = getattr(decorator.value, "arguments", [])
                decorator.value = griffe.ExprCall(_DATACLASS, arguments)

    def on_attribute_instance(self, *, node: ast.AST, attr: Any, **_: Any) -> None:
        """Gives an option its help as the text, and its default as the value."""
        call = getattr(node, "value", None)
        if not isinstance(call, ast.Call) or ast.unparse(call.func) != "option":
            return
        attr.docstring = griffe.Docstring(_text(call.args[0]), parent=attr)
        attr.extra["mindup"]["option"] = True
        keywords = {each.name: each.value for each in attr.value.arguments[1:]}
        factory = keywords.get("default_factory")
        attr.value = griffe.ExprCall(factory, []) if factory else keywords.get("default")

    def on_package(self, *, pkg: Any, **_: Any) -> None:
        """Moves the fields of each class into its text, and drops what a base describes."""
        for cls in _classes(pkg):
            _drop_inherited(cls)
            if cls.docstring:
                _move_fields(cls)


def _classes(owner: Any) -> Iterator[Any]:
    for member in owner.members.values():
        if not member.is_alias and (member.is_module or member.is_class):
            if member.is_class:
                yield member
            yield from _classes(member)


def _drop_inherited(cls: Any) -> None:
    described: set[str] = set().union(*map(_described, cls.mro()))
    for name, member in [*cls.members.items()]:
        if name in described and not member.has_docstring:
            del cls.members[name]


def _described(cls: Any) -> set[str]:
    return _listed(cls) | {name for name, each in cls.members.items() if each.has_docstring}


def _listed(cls: Any) -> set[str]:
    sections = cls.docstring.parse("google", warnings=False) if cls.docstring else ()
    return {entry.name for each in sections if each.kind in _SECTIONS for entry in each.value}


def _move_fields(cls: Any) -> None:
    fields = {name: each for name, each in cls.members.items() if each.is_attribute}
    listed = _listed(cls)
    options = {
        name: field.docstring.value
        for name, field in fields.items()
        if field.extra["mindup"].get("option") and name not in listed
    }
    if options:
        text = cls.docstring.value
        # A section that is there is the last one.
        heading = "" if re.search("^Attributes:$", text, re.MULTILINE) else "\n\nAttributes:"
        lines = [f"\n    {name}: {help_text}" for name, help_text in options.items()]
        cls.docstring.value = "".join([text, heading, *lines])
    for name in fields.keys() & (listed | options.keys()):
        entry = re.compile(rf"^( +){name}:", re.MULTILINE)
        if annotation := fields[name].annotation:
            typed = rf"\1{name} ({annotation}):"
            cls.docstring.value = entry.sub(typed, cls.docstring.value)
        del cls.members[name]


def _text(node: ast.expr) -> str:
    """The text of a string; an expression inside an f-string is shown by the names in it."""
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_text, node.values))
    if isinstance(node, ast.FormattedValue):
        return ", ".join(f"`{each.id}`" for each in ast.walk(node) if isinstance(each, ast.Name))
    if isinstance(node, ast.BinOp):
        return _text(node.left) + _text(node.right)
    if isinstance(node, ast.Name | ast.Attribute | ast.Call):
        return f"`{ast.unparse(node)}`"
    return str(ast.literal_eval(node))
