"""The API reference shows every public name; the build of the site checks their docstrings."""

import re
from importlib import import_module

import pytest

from tools.site.pages import ROOT

SHOWN = {
    name
    for page in (ROOT / "docs" / "api").glob("*.md")
    for name in re.findall(r"^::: (\S+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
}


@pytest.mark.parametrize(
    "package", ["mindup_env", "mindup_env.belief", "mindup_agents.policy", "mindup_arena"]
)
def test_every_public_name_has_an_entry(package: str) -> None:
    public = import_module(package).__all__
    assert {f"{package}.{name}" for name in public} <= SHOWN
