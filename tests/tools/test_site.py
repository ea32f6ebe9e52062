"""The site shows the linked files of the repository, and its check finds faults."""

import base64
import subprocess
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools.site.check import problems
from tools.site.leaderboard import PLACE, add_leaderboard
from tools.site.notebooks import to_markdown
from tools.site.pages import ROOT, Repository, gather

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
    pages = tmp_path / "pages"
    gathered = gather(repository, ["README.md"], pages)
    assert gathered == {"README.md", "docs/guide.md", "docs/p.png", "code", "code/a.py"}
    expected = README.replace("(code/a.py)", "(code/a.py.md)").replace("(code)", "(code/index.md)")
    assert (pages / "README.md").read_text() == expected
    assert FILES["code/a.py"].strip() in (pages / "code/a.py.md").read_text()
    assert (pages / "code/index.md").read_text().endswith("# `code`\n\n- [`a.py`](a.py.md)\n")
    assert (pages / "docs/p.png").read_text() == "pixels"


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
<h1 id="a">A</h1><a href="b.html#{anchor}">b</a> <a href="https://a.example">far</a>
<div class="doc doc-object doc-class">
  <h2 id="m.C" class="doc doc-heading">C</h2>
  <div class="doc doc-contents first"><p>{class_text}</p><br>
    <div class="doc doc-children">
      <div class="doc doc-object doc-function">
        <h3 id="m.C.f" class="doc doc-heading">f</h3><pre>f()</pre>
        <div class="doc doc-contents"> <p>{method_text}</p></div>
      </div>
    </div>
  </div>
</div>
<link rel="canonical" href="https://b.example/">
{addition}
"""
SOUND = {"anchor": "b", "class_text": "A class.", "method_text": "A method.", "addition": ""}


FAR = "https://b.example/f"
LOADS_FAR = f"loads {FAR} from another host"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"anchor": "c"}, "broken link b.html#c"),
        ({"addition": '<a href="c.html">'}, "broken link c.html"),
        ({"addition": '<img src="c.png">'}, "broken link c.png"),
        ({"class_text": " "}, "m.C has no docstring"),
        ({"method_text": ""}, "m.C.f has no docstring"),
        ({"addition": '<script src="//c.example/s">'}, "loads //c.example/s from another host"),
        ({"addition": f'<link rel="preload stylesheet" href="{FAR}">'}, LOADS_FAR),
    ],
)
def test_the_check_finds_what_is_wrong_with_a_page(
    change: dict[str, str], problem: str, tmp_path: Path
) -> None:
    (tmp_path / "b.html").write_text('<p id="b"><a href="a.html#m.C.f"></a></p>')
    page = tmp_path / "a.html"
    page.write_text(API.format(**SOUND))
    assert problems(tmp_path) == []
    page.write_text(API.format(**SOUND | change))
    assert problems(tmp_path) == [f"a.html: {problem}"]


@pytest.mark.parametrize("style", [f"@import '{FAR}';", f"a{{background:url({FAR})}}"])
def test_the_check_finds_what_a_style_loads_from_another_host(style: str, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>")
    (tmp_path / "s.css").write_text(style)
    assert problems(tmp_path) == [f"s.css: {LOADS_FAR}"]


def test_a_site_without_pages_is_a_problem(tmp_path: Path) -> None:
    assert problems(tmp_path) == [f"{tmp_path}: no pages"]


def test_the_leaderboard_is_beside_the_page_of_the_benchmark(tmp_path: Path) -> None:
    page = tmp_path / "docs" / "benchmark.md"
    page.parent.mkdir()
    page.write_text((ROOT / "docs" / "benchmark.md").read_text(encoding="utf-8"))
    add_leaderboard(page)
    assert PLACE not in page.read_text() and "(leaderboard/board.html)" in page.read_text()
    found = problems(tmp_path)
    assert found == [], found
    games = list((tmp_path / "docs" / "leaderboard" / "board-games").glob("*.html"))
    assert len(games) >= 8
    page.write_text("# Without the place")
    with pytest.raises(ValueError, match="must have the line"):
        add_leaderboard(page)
