"""A built page: what it links to, what it loads, and which documented names it leaves empty."""

from html.parser import HTMLParser
from urllib.parse import unquote

_VOID_ELEMENTS = {"br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
_LOADING_ATTRIBUTES = {
    "audio": "src",
    "embed": "src",
    "iframe": "src",
    "img": "src",
    "link": "href",
    "object": "data",
    "script": "src",
    "source": "src",
    "video": "src",
}
_LINKS_THAT_LOAD_NOTHING = {"alternate", "canonical", "next", "prev"}
_ROLES = {"doc-object": "object", "doc-contents": "contents", "doc-children": "children"}
"""The parts of mkdocstrings' HTML: an object holds contents, which can hold children."""


class BuiltPage(HTMLParser):
    """Reads one page of HTML.

    Attributes:
        anchors: the targets that a link can name after ``#``.
        links: the addresses that a reader can follow.
        resources: the addresses that a browser loads by itself.
        undocumented: the names of the API reference that have no text of their own.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.resources: list[str] = []
        self.undocumented: list[str] = []
        self._open: list[tuple[str, str]] = []  # tag and role
        self._names: list[str] = []  # of the open objects
        self._has_text: list[bool] = []  # for the contents of each open object
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        classes = attributes.get("class", "").split()
        self.anchors.update(attributes[name] for name in ("id", "name") if name in attributes)
        if tag == "a" and "href" in attributes:
            self.links.append(unquote(attributes["href"]))
        relation = set(attributes.get("rel", "").split())
        if _LOADING_ATTRIBUTES.get(tag) in attributes and not relation & _LINKS_THAT_LOAD_NOTHING:
            self.resources.append(unquote(attributes[_LOADING_ATTRIBUTES[tag]]))
        if "doc-heading" in classes and self._names:
            self._names[-1] = self._names[-1] or attributes.get("id", "")
        if tag not in _VOID_ELEMENTS:
            self._enter(tag, next((_ROLES[name] for name in classes if name in _ROLES), ""))

    def _enter(self, tag: str, role: str) -> None:
        self._open.append((tag, role))
        if role == "object":
            self._names.append("")
        elif role == "contents":
            self._has_text.append(False)

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            opened, role = self._open.pop()
            if role == "object":
                self._names.pop()
            elif role == "contents" and not self._has_text.pop():
                self.undocumented.append(self._names[-1])
            if opened == tag:
                return

    def handle_data(self, data: str) -> None:
        inside = next((role for _, role in reversed(self._open) if role), "")
        if inside == "contents" and data.strip():
            self._has_text[-1] = True
