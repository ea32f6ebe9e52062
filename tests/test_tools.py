"""The tools: the site shows the linked files and its check finds faults; archives; speed tables."""

import base64
import re
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from mindup_env import GameConfig
from mindup_env.variants import VARIANTS
from tools import ROOT, charts, tracked_files
from tools.package import faults
from tools.site import pages
from tools.site.check import problems
from tools.site.notebooks import to_markdown
from tools.site.pages import LEADERBOARD, Repository, add_leaderboard, gather
from tools.tables import commands, reports, results, win_shares

README = """# Start

[guide](docs/guide.md#part) [source](code/a.py) [code](code) [top](#start) [far](https://a.example)

```markdown
[no link](nowhere.md)
```

![picture](docs/p.png)
"""
FILES = {
    "README.md": README,
    "docs/guide.md": "# Guide\n\n## Part\n\n[back](../README.md)\n",
    "docs/p.png": "pixels",
    "docs/alone.md": "# Alone\n",
    "code/a.py": 'TEXT = """[no link](b.md)"""\n',
    "code/untracked.py": "",
}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    root = tmp_path / "root"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    tracked = [name for name in FILES if "untracked" not in name]
    for words in (["init", "--quiet"], ["add", *tracked]):
        subprocess.run(["git", *words], cwd=root, check=True)  # noqa: S607  # git by its name
    return Repository(root)


def test_links_lead_to_pages_that_show_the_files(repository: Repository, tmp_path: Path) -> None:
    target = tmp_path / "pages"
    gathered = gather(repository, ["README.md"], target)
    assert gathered == {"README.md", "docs/guide.md", "docs/p.png", "code", "code/a.py"}
    expected = README.replace("(code/a.py)", "(code/a.py.md)").replace("(code)", "(code/index.md)")
    assert (target / "README.md").read_text() == expected
    assert FILES["code/a.py"].strip() in (target / "code/a.py.md").read_text()
    assert (target / "code/index.md").read_text().endswith("# `code`\n\n- [`a.py`](a.py.md)\n")
    assert (target / "docs/p.png").read_text() == "pixels"


@pytest.mark.parametrize("link", ["docs/missing.md", "code/untracked.py", "../outside.md"])
def test_a_link_to_a_file_that_is_not_tracked_is_refused(
    link: str, repository: Repository, tmp_path: Path
) -> None:
    (repository.root / "docs/guide.md").write_text(f"[link](../{link})")
    with pytest.raises(ValueError, match=r"docs/guide.md: broken link .* is not a tracked file"):
        gather(repository, ["README.md"], tmp_path / "pages")


def test_a_notebook_becomes_a_page_with_its_outputs() -> None:
    picture = {"image/png": base64.b64encode(b"pixels").decode(), "text/plain": "<Figure>"}
    cells = [
        new_markdown_cell("# Title\n\nText"),  # type: ignore[no-untyped-call]
        new_code_cell(  # type: ignore[no-untyped-call]
            "draw()",
            outputs=[
                new_output("stream", text="\x1b[1mbold\x1b[0m\n"),  # type: ignore[no-untyped-call]
                new_output("stream", text="plain\n"),  # type: ignore[no-untyped-call]
                new_output("display_data", data=picture),  # type: ignore[no-untyped-call]
                new_output("execute_result", data={"text/plain": "7"}),  # type: ignore[no-untyped-call]
            ],
        ),
    ]
    page, pictures = to_markdown(new_notebook(cells=cells), "n")  # type: ignore[no-untyped-call]
    assert page == (
        "# Title\n\nText\n\n```python\ndraw()\n```\n\n```text\nbold\nplain\n```\n\n"
        "![Title](n-1.png)\n\n```text\n7\n```\n"
    )
    assert pictures == {"n-1.png": b"pixels"}


API = """
<h1 id="a">A</h1> <a href="https://a.example">far</a>
<div class="doc doc-object doc-class">
  <h2 id="m.C" class="doc doc-heading">C</h2>
  <div class="doc doc-contents first">{class_text}
    <div class="doc doc-children">
      <div class="doc doc-object doc-function">
        <h3 id="m.C.f" class="doc doc-heading">f</h3><pre>f()</pre>
        <div class="doc doc-contents"> {method_text}</div>
      </div>
    </div>
  </div>
</div>
<link rel="canonical" href="https://b.example/">
{addition}
"""
SOUND = {"class_text": "<p>A class.</p>", "method_text": "<p>A method.</p>", "addition": ""}
FAR = "https://b.example/f"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"class_text": " "}, "m.C has no docstring"),
        ({"method_text": ""}, "m.C.f has no docstring"),
        ({"addition": '<script async src="//c.example/s">'}, "loads //c.example/s"),
        ({"addition": f'<link rel="preload stylesheet" href="{FAR}">'}, f"loads {FAR}"),
        ({"addition": f"<style>@import '{FAR}';</style>"}, f"loads {FAR}"),
        ({"addition": f'<p style="background:url({FAR})">'}, f"loads {FAR}"),
    ],
)
def test_the_check_finds_what_is_wrong_with_a_page(
    change: dict[str, str], problem: str, tmp_path: Path
) -> None:
    assert problems(tmp_path) == [f"{tmp_path}: no pages"]
    page = tmp_path / "a.html"
    page.write_text(API.format(**SOUND))
    assert problems(tmp_path) == []
    page.write_text(API.format(**SOUND | change))
    (found,) = problems(tmp_path)
    assert found.removesuffix(" from another host") == f"a.html: {problem}"


def test_the_leaderboard_is_beside_the_page_of_the_benchmark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "benchmark_results", lambda: reports.benchmark_results()[-1:])
    page = tmp_path / "benchmark.md"
    shutil.copy(ROOT / "docs" / "benchmark.md", page)
    add_leaderboard(page)
    assert LEADERBOARD not in page.read_text() and "(leaderboard/board.html)" in page.read_text()
    board = tmp_path / "leaderboard" / "board.html"
    links = re.findall('<a href="([^"#]+)"', board.read_text())
    assert links and all((board.parent / link).is_file() for link in links)
    assert problems(tmp_path) == []
    page.write_text("# Without the place")
    with pytest.raises(ValueError, match="must have the line"):
        add_leaderboard(page)


@pytest.mark.parametrize(
    "package", ["mindup_env", "mindup_env.belief", "mindup_agents.policy", "mindup_arena"]
)
def test_the_reference_shows_every_public_name(package: str) -> None:
    text = "".join(path.read_text("utf-8") for path in (ROOT / "docs" / "api").glob("*.md"))
    shown = set(re.findall(r"^::: (\S+)$", text, re.MULTILINE))
    assert {f"{package}.{name}" for name in import_module(package).__all__} <= shown


OPTIONS = '''
from mindup_env.settings.declaration import option, settings

@settings
class Base:
    """Text."""

    speed: int = option("how fast", default=1)
    plain: int = 2
    """A field."""

    def act(self):
        """Acts."""

@settings(kw_only=True)
class Sub(Base):
    """Text."""

    speed: int = 3
    more: float = option("how much")

    def act(self): ...
'''


def test_the_reference_shows_the_help_of_settings_and_their_defaults(tmp_path: Path) -> None:
    (tmp_path / "made.py").write_text(OPTIONS)
    griffe = pytest.importorskip("griffe")
    extensions = griffe.load_extensions("dataclasses", str(ROOT / "tools/site/fields.py"))
    made = griffe.load("made", search_paths=[str(tmp_path)], extensions=extensions)
    assert made["Base"].docstring.value == "Text.\n\nAttributes:\n    speed (int): how fast"
    assert made["Base"].members.keys() == {"plain", "act", "__init__"}
    sub = made["Sub"]
    assert sub.docstring.value == "Text.\n\nAttributes:\n    more (float): how much"
    assert sub.members.keys() == {"__init__"}, "a base describes the others"
    defaults = {each.name: each.default for each in sub.parameters if each.name != "self"}
    assert defaults == {"speed": "3", "plain": "2", "more": None}


# Archives

METADATA = f"mindup_env-{version('mindup-env')}.dist-info"
SHIPPED = {  # one of each kind
    "mindup_env/py.typed",
    "mindup_env/official_deck.csv",
    "mindup_agents/champion_1/4_players.safetensors",
    "mindup_agents/champion_2/4_players/models/search.safetensors",
    "mindup_agents/self_play_1/policy.safetensors",
    "mindup_play/languages/it.json",
    "mindup_play/web/play/play.html",
    "mindup_training/presets/quick.toml",
    f"{METADATA}/licenses/LICENSE",
    f"{METADATA}/entry_points.txt",
}


def faults_of(folder: Path, source: Iterable[str], wheel: Iterable[str]) -> list[str]:
    """Those of archives with these files."""
    paths = folder / "s.tar.gz", folder / "w.whl"
    with tarfile.open(paths[0], "w:gz") as archive:
        for name in source:
            archive.addfile(tarfile.TarInfo(f"mindup_env-0.1.0/{name}"), BytesIO())
    with zipfile.ZipFile(paths[1], "w") as archive_of_wheel:
        for name in wheel:
            archive_of_wheel.writestr(name, "")
    return faults(*paths)


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="tracked files are known in a clone alone")
def test_archives_hold_the_tracked_files_and_nothing_else(tmp_path: Path) -> None:
    source, prefix = tracked_files() | {"PKG-INFO"}, "w.whl lacks "
    missing = faults_of(tmp_path, source, [])
    assert all(fault.startswith(prefix) for fault in missing)
    wheel = {fault.removeprefix(prefix) for fault in missing}
    assert wheel >= SHIPPED
    assert not {name for name in wheel if name.startswith(("tests/", "docs/", "agents/"))}
    assert faults_of(tmp_path, source, wheel) == []
    assert faults_of(tmp_path, source - {"LICENSE"} | {"runs/a"}, wheel | {"tests/a.py"}) == [
        "s.tar.gz lacks LICENSE",
        "s.tar.gz must not contain runs/a",
        "w.whl must not contain tests/a.py",
    ]


# Charts and tables of results


def test_the_chart_of_the_readme_has_the_win_shares_of_the_reports(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[Any] = []
    monkeypatch.setattr(charts, "save_figure", lambda _, figure: drawn.append(figure))
    charts.draw_make_train(Path("chart.png"))
    (axes,) = drawn[0].axes
    points = {(float(x), round(y)) for line in axes.lines for x, y in line.get_xydata()}
    cells = reports.report("bidding/quick-seed2")["cross_table"]
    for row, rival in enumerate(charts.RIVALS):
        assert (reports.only(cells, field=rival)["win_share"], row) in points


def test_the_strongest_known_response_to_a_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of other games, and of policies that are not kept, nothing counts."""

    def games(players: int, *duels: tuple[str, str, int]) -> dict[str, Any]:
        config = GameConfig(players).to_dict()
        ends = {"win_share_low": 0.0, "win_share_high": 100.0}
        cells = [{"one": one, "field": field, "win_share": n, **ends} for one, field, n in duels]
        return {"settings": {"config": config}, "cross_table": cells}

    def trained(bot: str, share: float) -> dict[str, Any]:
        return {"bot": bot, "win_share": {"value": share, "low": 0.0, "high": 1.0}}

    mine = ("planner", "greedy", 45), ("search", "greedy", 93), ("policy:runs/a", "greedy", 99)
    found = {
        "a": games(4, *mine, ("greedy", "search", 5)),
        "b": games(3, ("champion-1", "greedy", 97)),
        "exploit/greedy": trained("greedy", 0.7),
        "exploit/search": trained("search", 0.1),
        "speeds": [],
    }
    for module in (reports, win_shares):
        monkeypatch.setattr(module, "report", found.__getitem__)
    monkeypatch.setattr(win_shares, "names", lambda start="": [n for n in found if start in n])
    monkeypatch.setattr(win_shares, "EXPLOITED", ["search", "greedy"])
    *_, search, greedy = win_shares.exploits().splitlines()
    own = "10.0 (0.0 to 100.0)"
    assert search == f"| `search` | the trained policy | {own} | {own} |"
    assert greedy == "| `greedy` | `search` | 93.0 (0.0 to 100.0) | 70.0 (0.0 to 100.0) |"


def test_the_chart_of_small_games_has_the_values_of_the_report(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[Any] = []
    monkeypatch.setattr(charts, "save_figure", lambda _, figure: drawn.append(figure))
    charts.draw_exact(Path("chart.png"))
    over_time, *_ = axes = drawn[0].axes
    assert [each.get_title() for each in axes[: len(axes) // 2]] == list(VARIANTS)
    measured = reports.report("why/exact")["2p-1t, CFR+"]["points"]
    expected = [[each["iterations"], 100 * each["exploitability"]] for each in measured]
    (line,) = (each for each in over_time.lines if each.get_label() == "CFR+")
    assert line.get_xydata().tolist() == expected


SPEEDS = {1: 1000.0, 2: 1900.0, 8: 4000.0}


def test_a_report_with_several_numbers_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if each row had been measured with each number of threads."""

    def report(name: str) -> Any:
        rows = reports.report(name)
        if not name.endswith("-threads"):
            return rows
        return [
            {**row, "threads": number, "decisions_per_second": speed}
            for row in rows
            if row["threads"] == 1
            for number, speed in SPEEDS.items()
        ]

    monkeypatch.setattr(results, "report", report)
    head, _, *lines = results.thread_speed().splitlines()
    assert head == "| threads | 1 | 2 | 8 |"
    assert len(lines) == 3 * 2 + len(results.LEARNERS)
    assert all(line.endswith("| 1,000 | 1,900 | 4,000 |") for line in lines)
    monkeypatch.setattr(commands, "report", report)
    text = commands.commands()
    for name, threads in (("env", ""), ("env-threads", " --threads 1 2 8"), ("engine", "")):
        command = f"mindup doctor speed {name.split('-')[0]}{threads} --json FILE"
        assert f"bench-{name}.json: {command}\n" in text
