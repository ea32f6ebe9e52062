"""The table of a report in each of its forms."""

import csv
import io
import math
from pathlib import Path

import pytest
from rich.console import Console

from mindup_env.report import Cell, Column, Table, csv_text
from mindup_env.report.html import page
from mindup_env.report.table import Value
from mindup_env.report.terminal import name_room, print_table
from tests.html_tables import Tables

NONE = math.nan
TABLE = Table(
    "Wins [of all]",
    [
        Column("bot", "bot"),
        Column("win_share", "win\nshare %", "{:.1f}", hint="of all games"),
        Column("speed", "cards\nper s", "{:,.0f}", missing="-"),
        Column("", "chart"),
    ],
    [
        [Cell("a|[b]", note="! 2 games", hint="<it>"), (50.04999, 1 / 3, 99), 12345.0, "x"],
        ["cy", (12, NONE, NONE), None, Cell("y", css="far", bold=True)],
    ],
)
DUELS = Table(
    "",
    [Column("one"), Column("field"), Column("p", form="{:.0f}")],
    [["a", "b", (25, 10, 50)], ["b", "a", (75, 50, 90)]],
)


def printed(table: Table, width: int = 80, *, cut: bool = False) -> tuple[str, set[str]]:
    text = io.StringIO()
    names = print_table(table, Console(file=text, width=width), cut=cut)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()), names


def test_records_have_three_entries_for_a_number_with_an_interval() -> None:
    first, second = TABLE.records()
    share = {"win_share": 50.05, "win_share_low": 0.3333, "win_share_high": 99}
    assert first == {"bot": "a|[b]", **share, "speed": 12345}
    assert second["win_share_low"] is None and second["speed"] is None
    assert DUELS.records()[0] == {"one": "a", "field": "b", "p": 25, "p_low": 10, "p_high": 50}
    shares = [TABLE.columns[1].with_interval(value) for value in ((50.04999, 1 / 3, 99), 12.0)]
    assert shares == ["50.0 (0.3 to 99.0)", "12.0"]


def test_csv_has_a_line_for_each_number_with_an_interval() -> None:
    head = ["bot", "against", "measure", "value", "low", "high"]
    text = csv_text([head, *TABLE.lines(), *DUELS.lines()])
    lines = list(csv.reader(text.splitlines()))
    assert lines[1:3] == [
        ["a|[b]", "", "win_share", "50.05", "0.3333", "99.0"],
        ["cy", "", "win_share", "12.0", "", ""],
    ]
    assert lines[3] == ["a", "b", "p", "25.0", "10.0", "50.0"] and len(lines) == 5


def test_a_cross_table_has_the_rows_and_columns_that_are_asked_for() -> None:
    table = DUELS.crossed("Duels", {"b": "2 b", "a": "1 a"}, {"a": "A", "b": "B"})
    assert [column.heading for column in table.columns] == ["", "A", "B"]
    assert table.rows == [["2 b", (75, 50, 90), None], ["1 a", None, (25, 10, 50)]]
    assert table.without_intervals().rows == [["2 b", 75, None], ["1 a", None, 25]]
    assert DUELS.crossed("", {"b": "b"}, {"a": "a"}).rows == [["b", (75, 50, 90)]]


def test_the_terminal_has_intervals_and_notes_in_lines_below() -> None:
    text, cut = printed(TABLE)
    assert text.splitlines() == [
        "Wins [of all]",
        "                win  cards",
        "bot         share %  per s chart",
        "a|[b]          50.0 12,345     x",
        "! 2 games 0.3..99.0",
        "cy             12.0      -     y",
    ]
    assert not cut


LONG: list[Value] = ["a name that is rather long", *[(10.0, 1.0, 100.0)] * 7]
WIDE = Table("", [Column("bot"), *(Column(f"c{at}", f"column {at}") for at in range(7))], [LONG])


def test_columns_without_room_follow_in_another_table() -> None:
    text, cut = printed(WIDE)
    assert not cut and max(map(len, text.splitlines())) <= 80
    assert text.count("1.0..100.0") == 7 and all(f"column {at}" in text for at in range(7))
    assert text.count("a name that is") == 2
    names, _ = printed(WIDE, width=30)
    assert names.count("1.0..100.0") == 7


def test_names_are_cut_before_columns_are_moved() -> None:
    table = Table("", WIDE.columns[:7], [LONG[:7]])
    text, cut = printed(table, cut=True)
    assert cut == {LONG[0]} and text.count("..") == 6 + 1 and "a name that.." in text
    assert name_room(table, 80) == 80 - 1 - 6 * 11
    assert max(map(len, text.splitlines())) <= 80


def test_long_titles_are_folded() -> None:
    columns = [Column("bot"), *(Column(f"c{at}", f"{at}{'x' * 24}") for at in range(5))]
    text, _ = printed(Table("", columns, [["a", 1, 2, 3, 4, 5]]))
    assert max(map(len, text.splitlines())) <= 80 and text.count("0xxxxxxxxxxx") == 1


@pytest.fixture
def html(tmp_path: Path) -> str:
    template = tmp_path / "a.html"
    template.write_text(
        '{% from "table.html" import table %}<meta content="{{ policy | safe }}">'
        '<style>\n{{ style | safe }}\n</style>{{ table(shown, "plain") }}'
    )
    return page(template, "a > b { color: red }", shown=TABLE)


def test_a_page_escapes_all_texts_and_names_its_rows(html: str) -> None:
    parsed = Tables(html)
    assert parsed.rows == {
        "Wins [of all]": [
            ["bot", "win share %", "cards per s", "chart"],
            ["a|[b] ! 2 games", "50.0 0.3 to 99.0", "12,345", "x"],
            ["cy", "12.0", "-", "y"],
        ]
    }
    assert parsed.titles == ["of all games", "<it>"] and "it" not in parsed.tags
    assert (html.count('scope="col"'), html.count('scope="row"')) == (3, 2)
    assert '<th aria-hidden="true">chart</th>' in html and '<td class="far">y</td>' in html


def test_a_page_loads_nothing_but_its_own_style(html: str) -> None:
    assert "a > b { color: red }" in html
    assert "default-src 'none'; style-src 'sha256-" in html
