"""Names of bots: those in the current folder, options by their annotations, lists of bots."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mindup_agents.baselines import Greedy
from mindup_agents.labels import labels
from mindup_agents.policy import POLICY_FILE, PolicyAgent, full_spec
from mindup_env import GameConfig, make_agent
from mindup_env.agent import find_agent
from tests.agents.policies import write_policy

BOT = """
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mindup_env import GameConfig

class Bot:
    def __init__(
        self, config: "GameConfig", depth: int = 1, greed: float = 0.5, bold: bool = False,
        style: str = "", any=None, *more, careful=True, **others
    ):
        import mypart
        self.options = depth, greed, bold, style, any, careful
        self.config = config

    def act(self, observation, action_mask, episode_start, random_bits):
        return action_mask.argmax(axis=1)

nothing = 3

class Program:
    def __init__(self, config, command: str):
        self.command = command

class World:
    pass
"""


@pytest.fixture(autouse=True)
def _own_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two bots in the current folder, which the path leaves out as it does for a command."""
    (tmp_path / "mybot.py").write_text(BOT)
    (tmp_path / "mybot_postponed.py").write_text(f"from __future__ import annotations\n{BOT}")
    (tmp_path / "mybroken.py").write_text("import no_such_library\n")
    (tmp_path / "mypart.py").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder])
    yield
    for name in ("mybot", "mybot_postponed", "mybroken", "mypart"):
        sys.modules.pop(name, None)


in_both_modules = pytest.mark.parametrize("module", ["mybot", "mybot_postponed"])


@in_both_modules
def test_options_are_read_as_they_are_annotated(module: str) -> None:
    for options, expected in {
        "": "(1, 0.5, False, '', None, True)",
        ":": "(1, 0.5, False, '', None, True)",
        ":depth=-7,greed=2,bold=true,style=12,any=3": "(-7, 2.0, True, '12', 3, True)",
        ":bold=false,any=x,careful=false": "(1, 0.5, False, '', 'x', False)",
    }.items():
        path = [*sys.path]
        assert find_agent(f"{module}:Bot").module == module
        agent: Any = make_agent(f"{module}:Bot{options}", GameConfig(3))
        assert type(agent).__module__ == module and agent.config == GameConfig(3)
        assert repr(agent.options) == expected
        assert sys.path == path


MINE = "agent 'mybot:Bot'"


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("mybot:Bot:depth=deep", f"option 'depth' of {MINE} must be a whole number, not 'deep'"),
        ("mybot:Bot:greed=much", f"option 'greed' of {MINE} must be a number, not 'much'"),
        ("mybot:Bot:bold=yep", f"option 'bold' of {MINE} must be true or false, not 'yep'"),
        ("mybot:Bot:stile=x", "has no option 'stile'; did you mean style? its options: depth, g"),
        ("mybot:Bot:others=1", f"{MINE} has no option 'others'; its options: depth, greed, bold"),
        ("mybot:Bit", "module 'mybot' has no class or function 'Bit'; did you mean Bot? available"),
        ("mybot:nothing", "module 'mybot' has no class or function 'nothing'; available: Bot"),
        ("builtins:type", "agent 'builtins:type' must be made with the config of the game, its fi"),
        ("mybat:Bot", "mybat:Bot cannot be imported: No module named 'mybat'; available: "),
        ("randon:Bot", "No module named 'randon'; did you mean random? available: champion, "),
        ("mybroken:Bot", "mybroken:Bot cannot be imported: No module named 'no_such_lib"),
        ("mybot", "; or module:Class, policy:FILE, or the folder of a training"),
        ("randon:depth=1", "unknown agent 'randon'; did you mean random? available: champion, "),
        ("../mybot:Bot", "unknown agent '../mybot'; available: "),
        ("/home/me/mybot.py", "unknown agent '/home/me/mybot.py'; available: "),
        (64, "the name of a bot must be a str, not 64"),
        ("greedy:2", "agent 'greedy' takes options as name=value, not '2'; its options: none"),
        ("runs/none", "unknown agent 'runs/none'; there is no such folder"),
        ("greedy,random", "unknown agent 'greedy,random'; bots are separated by spaces"),
        ("mybot:World", "'mybot:World' must be made with the config of the game, its f"),
        ("policy", "agent 'policy' needs path, as in policy:PATH"),
    ],
)
def test_a_wrong_name_is_refused_with_what_there_is(spec: Any, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        make_agent(spec)


def test_a_name_of_the_registry_comes_before_a_module() -> None:
    Path("lowest.py").write_text("raise AssertionError")
    assert type(make_agent("lowest")).__module__ == "mindup_agents.simple"
    config: Any = {}
    with pytest.raises(ValueError, match="config must be a GameConfig, such as"):
        make_agent("lowest", config)


def test_a_module_of_the_current_folder_comes_before_pythons_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delitem(sys.modules, "this", raising=False)
    Path("this.py").write_text(BOT)
    assert make_agent("this:Bot:depth=4").options[0] == 4  # type: ignore[attr-defined]
    monkeypatch.delitem(sys.modules, "this")


def test_the_folder_of_a_training_stands_for_its_latest_policy(tmp_path: Path) -> None:
    run = tmp_path / "rate=0.1,b"
    run.mkdir()
    write_policy(run / POLICY_FILE, GameConfig(3))
    assert full_spec(str(run)) == f"policy:{run / POLICY_FILE}"
    assert isinstance(make_agent(str(run), GameConfig(3)), PolicyAgent)


def test_a_folder_or_a_file_that_is_no_bot_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / POLICY_FILE, tmp_path / "none", "x" * 1000, "\0"):
        with pytest.raises(ValueError, match="module:Class, policy:FILE, or the folder of"):
            make_agent(str(path))
    with pytest.raises(ValueError, match=f"{POLICY_FILE}: No such file"):
        make_agent(str(tmp_path))


def test_a_name_stands_for_its_bot_where_a_folder_has_it_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("greedy").mkdir()
    write_policy(tmp_path / "greedy" / POLICY_FILE, GameConfig(3))
    assert full_spec("greedy") == "greedy" and isinstance(make_agent("greedy"), Greedy)
    assert full_spec("./greedy") == "policy:greedy/policy.onnx"


@in_both_modules
def test_a_bot_can_take_the_rest_of_its_spec(module: str) -> None:
    for rest in ("./bot --deep=2, 'a b'", "http://host:80/"):
        for named in ("", "command="):
            bot: Any = make_agent(f"{module}:Program:{named}{rest}")
            assert bot.command == rest
    with pytest.raises(ValueError, match=f"needs command, as in {module}:Program:COMMAND"):
        make_agent(f"{module}:Program: ")


# Short names


@pytest.mark.parametrize(
    ("bots", "short"),
    [
        (["search:worlds=8", "policy:runs/a/policy.onnx"], ["search:worlds=8", "a"]),
        (["policy:runs/best.onnx", "policy:policy.onnx"], ["best", "policy"]),
        (["policy:x/a/policy.onnx", "policy:y/a/policy.onnx", "policy:b.onnx"], [None, None, "b"]),
        (["greedy", "policy:runs/greedy/policy.onnx"], ["greedy", None]),
    ],
)
def test_a_policy_is_called_by_its_run_unless_another_bot_is(
    bots: list[str], short: list[str | None]
) -> None:
    assert labels(bots) == [name or bot for bot, name in zip(bots, short, strict=True)]
