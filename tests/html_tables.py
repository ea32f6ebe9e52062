"""The tables of a page, to compare them with what they show."""

from html.parser import HTMLParser


class Tables(HTMLParser):
    """The rows of all tables, by the label of the table; texts of a cell are joined by spaces."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: dict[str, list[list[str]]] = {}
        self.titles: list[str] = []
        self.tags: set[str] = set()
        self._label = ""
        self._in_cell = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.tags.add(tag)
        self.titles += [value for value in [attributes.get("title")] if value]
        if tag == "table":
            self._label = attributes["aria-label"] or ""
            self.rows[self._label] = []
        elif tag == "tr":
            self.rows[self._label].append([])
        elif tag in ("td", "th"):
            self.rows[self._label][-1].append("")
            self._in_cell = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._in_cell = False

    def handle_data(self, data: str) -> None:
        if self._in_cell:
            cells = self.rows[self._label][-1]
            cells[-1] = f"{cells[-1]} {data}".strip()
