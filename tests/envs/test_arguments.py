"""The arguments of the environments and of their resets, and their names in other libraries."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import pettingzoo
import pytest

from mindup_env import Game, GameConfig, mindup_v0
from tests.envs.apis import OF_PETTINGZOO, choices, play_turn
from tests.envs.bots import choose

MAKERS: dict[str, Callable[..., Any]] = {
    "parallel": mindup_v0.parallel_env,
    "aec": mindup_v0.env,
    "pettingzoo": lambda **given: pettingzoo.make("parallel", "mindup/MindUp-v0", **given),
    "gymnasium": lambda **given: gymnasium.make("MindUp-v0", **given),
    "vector": lambda **given: gymnasium.make_vec("MindUp-v0", num_envs=2, **given),
}
CONFIG_FIELDS = "num_players, num_objectives, num_rounds, hand_size, num_cards, score_order"
OF_ONE_GAME = "reward, render_mode"
OWN = {
    **dict.fromkeys(("parallel", "aec", "pettingzoo"), OF_ONE_GAME),
    "gymnasium": f"opponents, seat, {OF_ONE_GAME}",
    "vector": "num_envs, opponents, seat, reward, autoreset",
}


@pytest.mark.parametrize("api", MAKERS)
def test_an_unknown_argument_is_named_with_those_accepted(api: str) -> None:
    for wrong, meant in (("players", "did you mean num_players? "), ("xyz", "")):
        accepted = f"{meant}accepted: {OWN[api]}, {CONFIG_FIELDS}"
        text = f"got an unexpected keyword argument {wrong!r}; {accepted}"
        with pytest.raises(TypeError, match=re.escape(text)):
            MAKERS[api](**{wrong: 4})
    MAKERS[api](num_players=2, num_rounds=1, hand_size=3).reset(seed=1)
    for given, said in (
        ({"num_players": 7}, "num_players must be 2 to 6, not 7"),
        ({"reward": "wins"}, "reward must be a sum of score, margin and win"),
    ):
        with pytest.raises(ValueError, match=said):
            MAKERS[api](**given)


def test_a_name_with_its_module_needs_no_import() -> None:
    script = (
        "import gymnasium, sys; assert 'mindup_env' not in sys.modules\n"
        "for make in (gymnasium.make, gymnasium.make_vec):\n"
        "    env = make('mindup_env:MindUp-v0', num_players=3, opponents=['random'])\n"
        "    assert 'seat' in env.reset(seed=7)[1]\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", script], check=True)


# Resets with given cards, or in the middle of a recorded game

TABLE: dict[str, Any] = {"num_players": 3, "num_objectives": 2}
CONFIG = GameConfig(**TABLE)
forms = pytest.mark.parametrize("make", OF_PETTINGZOO)


def played(turns: int, config: GameConfig = CONFIG) -> Game:
    game = Game(config, 11)
    for _ in range(turns):
        advance(game)
    return game


def advance(game: Game) -> None:
    hands = [game.hand(player) for player in range(game.config.num_players)]
    game.play([choose([card - 1 for card in hand]) + 1 for hand in hands])


@forms
@pytest.mark.parametrize("kind", ["deal", "deal without objectives", "Deal", 0, 20])
def test_a_reset_begins_with_given_cards_or_after_the_plays_of_a_record(
    make: Any, kind: str | int
) -> None:
    objectives = 0 if kind == "deal without objectives" else 2
    env = make(**{**TABLE, "num_objectives": objectives})
    game = played(kind if isinstance(kind, int) else 0, env.unwrapped.config)
    env.reset(seed=5)
    play_turn(env, choices(env))
    options: Any = {"record": game.record()}
    if isinstance(kind, str):
        options = {"deal": game.deal.to_dict()}
    if not objectives:
        del options["deal"]["objectives"]
    saved = json.loads(json.dumps(options))
    env.reset(options={"deal": game.deal} if kind == "Deal" else saved)
    while not game.over:
        assert env.unwrapped.game == game
        play_turn(env, choices(env))
        advance(game)
    assert env.unwrapped.game == game
    env.reset()
    assert env.unwrapped.game == Game(env.unwrapped.config, 5, episode=2)


DEAL = played(0).deal.to_dict()


@forms
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"deal": DEAL, "record": played(2).record()}, "a deal or a record, not both"),
        ({"record": played(CONFIG.num_turns).record()}, "the game of the record is over"),
        (
            {"record": played(2, GameConfig(3)).record()},
            "the game of the record has another config: num_objectives is 0, not 2",
        ),
        ({"deal": {**DEAL, "deck": [1, *DEAL["deck"][1:]]}}, "each card from 1 to 60"),
        ({"record": {"plays": []}}, "not a record of a game"),
        (7, "reset options must be a dict, not 7"),
        (
            {"recrd": {}},
            "unknown reset option 'recrd'; did you mean record. accepted: deal, record",
        ),
    ],
    ids=["both", "finished", "other objectives", "a card twice", "no record", "no dict", "unknown"],
)
def test_a_refused_reset_leaves_the_game_and_the_seed_alone(
    make: Any, options: Any, said: str
) -> None:
    env = make(**TABLE)
    env.reset(seed=5, options={})
    play_turn(env, choices(env))
    before = env.unwrapped.game
    with pytest.raises(ValueError, match=said):
        env.reset(options=options)
    assert env.unwrapped.game == before
    play_turn(env, choices(env))
    env.reset(options={})
    assert env.unwrapped.game == Game(CONFIG, 5, episode=1)


def test_the_environments_of_gymnasium_deal_by_seed_only() -> None:
    for env in (MAKERS["gymnasium"](), MAKERS["vector"]()):
        with pytest.raises(ValueError, match="unknown reset option 'deal'; accepted: none"):
            env.reset(options={"deal": {}})
        env.reset(options={})
