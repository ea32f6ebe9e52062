"""Names of bots: those in the current folder, options by their annotations, lists of bots."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindup_env import GameConfig, list_agents, make_agent
from mindup_env.agent import join_specs, numbered_spec, split_specs
from tests.agents.bots import playable
from tests.agents.positions import CONFIGS, stages
from tests.pages import own_modules

BOT = """
from typing import TYPE_CHECKING, Literal

from mindup_env.agent import OtherOption, RestOfSpec

if TYPE_CHECKING:
    from mindup_env import GameConfig

class Bot:
    def __init__(
        self, config: "GameConfig", depth: int = 1, greed: float = 0.5, bold: bool = False,
        style: str = "", mood: Literal["calm", "wild"] = "calm", any=None,
        world: "World | None" = None, *more, **others
    ):
        self.options = depth, greed, bold, style, any
        self.config = config

    def act(self, observation, action_mask, episode_start, random_bits):
        return action_mask.argmax(axis=1)

nothing = 3

class Program:
    def __init__(self, config, command: RestOfSpec, run_folder=None):
        self.command = command
        self.run_folder = run_folder

class Open:
    def __init__(self, config, depth: int = 1, run_folder=None, **others: OtherOption):
        self.options = depth, run_folder, others

class Silent:
    def __init__(self, config, run_folder=None):
        pass

class World:
    pass
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
        ("depth=deep", "option 'depth' of agent 'mybot:Bot' must be a whole number, not 'deep'"),
        ("greed=much", "option 'greed' of agent 'mybot:Bot' must be a number, not 'much'"),
        ("bold=yep", "option 'bold' of agent 'mybot:Bot' must be true or false, not 'yep'"),
        ("world=1", "option 'world' of agent 'mybot:Bot' cannot be given as text: its type is "),
        ("mood=sad", "option 'mood' of agent 'mybot:Bot' must be 'calm' or 'wild', not 'sad'"),
        (
            "stile=x",
            "agent 'mybot:Bot' has no option 'stile'; did you mean style? available: depth, greed",
        ),
        ("others=1", "agent 'mybot:Bot' has no option 'others'; available: depth, "),
        ("depth", "an option of agent 'mybot:Bot' is name=value, not 'depth'; did you mean depth?"),
    ],
)
def test_a_wrong_option_is_refused_in_words(option: str, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        make_agent(f"mybot:Bot:{option}")


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (
            "mybot:Bit",
            "module 'mybot' has no class or function 'Bit'; did you mean Bot? available: Bot",
        ),
        ("mybot:nothing", "module 'mybot' has no class or function 'nothing'; available: Bot"),
        ("mybat:Bot", "agent mybat:Bot cannot be imported: No module named 'mybat'; available: "),
        ("randon:Bot", "No module named 'randon'; did you mean random? available: champion, "),
        (
            "mybroken:Bot",
            "agent mybroken:Bot cannot be imported: No module named 'no_such_library'",
        ),
        ("mybot", "; or module:Class, such as mybots:Bonus"),
        ("randon:depth=1", "unknown agent 'randon'; did you mean random? available: champion, "),
        ("mybot.py:Bot", "agents are named module:Class, such as mybot:Bot, not 'mybot.py:Bot'"),
        ("../mybot:Bot", "named module:Class, such as mybot:Bot, not '../mybot:Bot'"),
        ("/home/me/mybot.py", "named module:Class, such as mybot:Bonus, not '/home/me/mybot.py'"),
        (64, "an agent is named by a text such as 'greedy', not 64"),
        ("greedy:2", "agent 'greedy' has no options, but was given '2'; to use it 2 times, list"),
        ("greedy:bold", "agent 'greedy' has no options, but was given 'bold'"),
        ("policy", "agent 'policy' needs path, as in policy:PATH"),
    ],
)
def test_a_wrong_name_is_refused_with_what_there_is(spec: Any, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        make_agent(spec)


def test_a_name_of_the_registry_comes_before_a_module() -> None:
    Path("lowest.py").write_text("raise AssertionError")
    assert type(make_agent("lowest")).__module__ == "mindup_agents.simple"
    with pytest.raises(ValueError, match="agent 'lowest' has no options, but was given 'Bot'"):
        make_agent("lowest:Bot")


def test_every_bot_is_found_by_its_name() -> None:
    assert {"highest", "lowest", "random"} <= set(playable(GameConfig())) < set(list_agents())


def test_a_config_of_another_type_is_refused() -> None:
    config: Any = {}
    with pytest.raises(ValueError, match="config must be a GameConfig, not "):
        make_agent("lowest", config)


@pytest.mark.parametrize(
    ("spec", "numbered"),
    [
        ("champion", "champion-2"),
        ("champion:worlds=8", "champion-2:worlds=8"),
        ("champion-1", "champion-1"),
        ("greedy", "greedy"),
        ("champions", "champions"),
        ("./bots.py:Bot:depth=1", "./bots.py:Bot:depth=1"),
    ],
)
def test_an_alias_stands_for_a_numbered_bot(spec: str, numbered: str) -> None:
    assert numbered_spec(spec) == numbered


@pytest.mark.parametrize("module", ["mybot", "mybot_postponed"])
@pytest.mark.parametrize("command", ["./bot --deep=2, 'a b'", "http://host:80/"])
def test_a_bot_can_take_the_rest_of_its_spec(module: str, command: str) -> None:
    bot: Any = make_agent(f"{module}:Program:{command}")
    assert bot.command == command
    with pytest.raises(ValueError, match=f"needs command, as in {module}:Program:COMMAND"):
        make_agent(f"{module}:Program: ")


@pytest.mark.parametrize("module", ["mybot", "mybot_postponed"])
def test_a_bot_can_take_options_that_it_does_not_name(module: str) -> None:
    agent: Any = make_agent(f"{module}:Open:heat=0.5,seed=7,depth=2,style=bold")
    assert agent.options == (2, None, {"heat": 0.5, "seed": 7, "style": "bold"})
    for option in ("a b=1", "run_folder=x", "depth=x", "heat", "=1"):
        with pytest.raises(ValueError, match="option"):
            make_agent(f"{module}:Open:{option}")


def test_a_bot_gets_the_folder_of_the_run_which_no_spec_can_set() -> None:
    bot: Any = make_agent("mybot:Program:a", run_folder=Path("runs"))
    assert bot.run_folder == Path("runs")
    make_agent("mybot:Bot", run_folder=Path("runs"))
    with pytest.raises(ValueError, match="agent 'mybot:Silent' has no options"):
        make_agent("mybot:Silent:run_folder=here")


def test_the_bot_of_the_documents_plays_legal_cards(tmp_path: Path) -> None:
    """It is a file of the current folder, as docs/bots.md says."""
    with own_modules(tmp_path):
        for config in CONFIGS[::3]:
            arguments = stages(config)
            chosen = make_agent("mybot:Bot", config).act(*arguments)
            assert arguments.action_mask[np.arange(len(chosen)), chosen].all()


# Lists of bots in one text


@pytest.mark.parametrize(
    ("text", "bots"),
    [
        ("greedy", ("greedy",)),
        ("greedy, planner ,random", ("greedy", "planner", "random")),
        ("search:simulations=8,slip=0,greedy", ("search:simulations=8,slip=0", "greedy")),
        ("policy:a.safetensors,mybot:Bot:depth=3", ("policy:a.safetensors", "mybot:Bot:depth=3")),
        ("search:slip=0,search:slip=1", ("search:slip=0", "search:slip=1")),
        ("greedy,'process:./bot 1,2', random", ("greedy", "process:./bot 1,2", "random")),
        ("\"process:./bot 'a' b=1,c=2\",x", ("process:./bot 'a' b=1,c=2", "x")),
        ("'process:echo ''a'', b'", ("process:echo 'a', b",)),
        ("process:./bot 'a b'", ("process:./bot 'a b'",)),
        ("'search:slip=0','horizon=game'", ("search:slip=0", "horizon=game")),
    ],
)
def test_commas_separate_bots_and_quotes_keep_one_together(text: str, bots: tuple[str]) -> None:
    assert split_specs(text) == bots


@pytest.mark.parametrize("text", ["greedy,'process:./bot 1,2", "'a'b,greedy", '"'])
def test_wrong_quotes_are_refused_with_where_they_begin(text: str) -> None:
    with pytest.raises(ValueError, match="must have a closing quote, and a comma or nothing") as no:
        split_specs(text)
    assert str(no.value).endswith(text.removeprefix("greedy,"))


@given(st.lists(st.text("ab',\" =:\n"), min_size=1))
def test_joined_specs_are_split_again(specs: list[str]) -> None:
    assert split_specs(join_specs(specs)) == tuple(specs)


def test_only_what_needs_quotes_gets_them() -> None:
    joined = join_specs(["greedy", "search:slip=0,horizon=game", "process:./bot 1,2"])
    assert joined == "greedy,search:slip=0,horizon=game,'process:./bot 1,2'"
