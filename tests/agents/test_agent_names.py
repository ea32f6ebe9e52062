"""Names of agents: bots in the current folder, and options by their annotations."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mindup_env import GameConfig, list_agents, make_agent
from tests.agents.bots import playable

BOT = """
class Bot:
    def __init__(
        self, config, depth: int = 1, greed: float = 0.5, bold: bool = False, style: str = "",
        any=None, *more, **others
    ):
        self.options = depth, greed, bold, style, any
        self.config = config

    def act(self, observation, action_mask, episode_start, random_bits):
        return action_mask.argmax(axis=1)

nothing = 3
"""


@pytest.fixture(autouse=True)
def _own_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two bots in the current folder, which the path leaves out as it does for a command."""
    (tmp_path / "mybot.py").write_text(BOT)
    (tmp_path / "mybot_postponed.py").write_text(f"from __future__ import annotations\n{BOT}")
    (tmp_path / "mybroken.py").write_text("import no_such_library\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder])
    yield
    for name in ("mybot", "mybot_postponed", "mybroken"):
        sys.modules.pop(name, None)


def options(spec: str) -> object:
    return vars(make_agent(spec))["options"]


def test_a_bot_in_the_current_folder() -> None:
    agent = make_agent("mybot:Bot", GameConfig(3))
    assert type(agent).__module__ == "mybot" and vars(agent)["config"] == GameConfig(3)
    assert type(make_agent("mybot:Bot:")) is type(agent)


@pytest.mark.parametrize("module", ["mybot", "mybot_postponed"])
def test_options_are_read_as_they_are_annotated(module: str) -> None:
    assert options(f"{module}:Bot") == (1, 0.5, False, "", None)
    given = options(f"{module}:Bot:depth=-7,greed=2,bold=true,style=12,any=3")
    assert repr(given) == "(-7, 2.0, True, '12', 3)"
    assert repr(options(f"{module}:Bot:bold=false,any=x")) == "(1, 0.5, False, '', 'x')"


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("depth=deep", "option 'depth' of agent 'mybot' must be a whole number, not 'deep'"),
        ("depth=1.5", "option 'depth' of agent 'mybot' must be a whole number, not '1.5'"),
        ("greed=much", "option 'greed' of agent 'mybot' must be a number, not 'much'"),
        ("bold=1", "option 'bold' of agent 'mybot' must be true or false, not '1'"),
        ("stile=x", "agent 'mybot' has no option 'stile'; there is style"),
        ("others=1", "agent 'mybot' has no option 'others'; there is "),
        ("depth", "an option is written name=value, not 'depth'"),
    ],
)
def test_a_wrong_option_is_refused_in_words(option: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        make_agent(f"mybot:Bot:{option}")


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("mybot:Bit", "there is no agent mybot:Bit: the module has no class 'Bit'; there is Bot"),
        ("mybot:nothing", "the module has no class 'nothing'; there is Bot"),
        ("mybat:Bot", "there is no agent mybat:Bot: No module named 'mybat'; there is "),
        ("randon:Bot", "there is no agent randon:Bot: No module named 'randon'; there is random"),
        ("mybroken:Bot", "there is no agent mybroken:Bot: No module named 'no_such_library'"),
        ("mybot.py:Bot", "there is no agent mybot.py:Bot: No module named 'mybot.py'"),
        ("mybot", "there is no agent 'mybot'; there is "),
        ("../mybot:Bot", "there is no agent '../mybot'; there is "),
        (":Bot", "there is no agent ''; there is "),
        ("randon:depth=1", "there is no agent 'randon'; there is random"),
    ],
)
def test_a_wrong_name_is_refused_with_what_there_is(spec: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        make_agent(spec)


def test_a_name_of_the_registry_comes_before_a_module() -> None:
    Path("lowest.py").write_text("raise AssertionError")
    assert type(make_agent("lowest")).__module__ == "mindup_agents.simple"
    with pytest.raises(ValueError, match="an option is written name=value, not 'Bot'"):
        make_agent("lowest:Bot")


def test_every_bot_is_found_by_its_name() -> None:
    assert {"highest", "lowest", "random"} <= set(playable(GameConfig())) < set(list_agents())
