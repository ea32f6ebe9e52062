"""The code of the pages that needs TorchRL prints what they show, and its keys exist."""

import re
from pathlib import Path

import pytest

from tests.envs.test_other_libraries import library
from tests.pages import PAGES, blocks, needs_library, run_code
from tools import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]

WITH_LIBRARIES = [
    page
    for page in PAGES
    if any(language == "python" and needs_library(text) for language, text in blocks(page))
]


@pytest.mark.parametrize("page", WITH_LIBRARIES, ids=lambda page: page.stem)
def test_the_code_prints_the_output_below_it(page: Path) -> None:
    library("torchrl.envs")
    assert run_code(page, with_libraries=True)


def test_the_keys_of_the_page_are_those_of_the_environment() -> None:
    library("torchrl.envs")
    from mindup_env.torchrl import TorchRLMindUp  # noqa: PLC0415  # only here is it installed

    env = TorchRLMindUp(2, return_state=True)
    step = env.rand_step(env.reset())
    leaves = step.keys(include_nested=True, leaves_only=True)
    paths = [key if isinstance(key, tuple) else (key,) for key in leaves]
    keys = {tuple(name for name in path if name != "next") for path in paths}
    page = (ROOT / "docs" / "beyond.md").read_text(encoding="utf-8")
    named = "".join(re.findall(r"^\| (`[(\"].*?) \|", page, re.MULTILINE))
    listed = [tuple(re.findall(r"\w+", key)) for key in re.findall("`(.*?)`", named)]
    assert {*listed} == keys and len(listed) == len(keys)
