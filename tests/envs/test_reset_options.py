"""A reset that begins with given cards, or in the middle of a recorded game."""

import json
from typing import Any

import pytest

from mindup_env import Game, GameConfig, mindup_v0
from tests.envs.bots import choose, choose_by

TABLE: dict[str, Any] = {"num_players": 3, "num_objectives": 2}
CONFIG = GameConfig(**TABLE)
forms = pytest.mark.parametrize("make", [mindup_v0.parallel_env, mindup_v0.env])


def played(turns: int, config: GameConfig = CONFIG, seed: int = 11) -> Game:
    game = Game(config, seed)
    for _ in range(turns):
        play_turn(game)
    return game


def play_turn(game: Game) -> None:
    hands = [game.hand(player) for player in range(game.config.num_players)]
    game.play([choose([card - 1 for card in hand]) + 1 for hand in hands])


def step_all(env: Any) -> dict[str, Any]:
    """Plays a turn of either form; returns the infos."""
    actions = {agent: choose_by(env.observe(agent)["action_mask"]) for agent in env.agents}
    if env.unwrapped is env:
        return env.step(actions)[4]  # type: ignore[no-any-return]
    for action in actions.values():
        env.step(action)
    return env.infos  # type: ignore[no-any-return]


def as_file(plain: Any) -> Any:
    """As it is after it was saved."""
    return json.loads(json.dumps(plain))


@forms
@pytest.mark.parametrize("objectives", [0, 2])
def test_a_deal_is_played(make: Any, objectives: int) -> None:
    game = played(0, GameConfig(num_players=3, num_objectives=objectives))
    env, deal = make(num_players=3, num_objectives=objectives), as_file(game.deal.to_dict())
    if not objectives:
        del deal["objectives"]
    env.reset(options={"deal": deal})
    while not game.over:
        assert env.unwrapped.game == game
        step_all(env)
        play_turn(game)
    assert env.unwrapped.game == game


@forms
@pytest.mark.parametrize("turns", [0, 6, 20])
def test_a_record_goes_on_where_its_plays_end(make: Any, turns: int) -> None:
    env, game = make(**TABLE), played(turns)
    env.reset(seed=5)
    step_all(env)
    options = {"record": as_file(game.record())}
    kept = as_file(options)
    env.reset(options=options)
    assert options == kept
    assert env.unwrapped.game == game
    assert env.agents == env.possible_agents
    while not game.over:
        infos = step_all(env)
        play_turn(game)
        assert env.unwrapped.game == game
    assert [info["score"] for info in infos.values()] == list(game.scores)


@forms
def test_the_next_episode_is_the_one_after_the_seed(make: Any) -> None:
    env = make(**TABLE)
    env.reset(seed=5, options={"record": played(4).record()})
    env.reset()
    assert env.unwrapped.game == Game(CONFIG, 5, episode=1)
    env.reset(options={"deal": played(0).deal.to_dict()})
    env.reset()
    assert env.unwrapped.game == Game(CONFIG, 5, episode=3)


@forms
@pytest.mark.parametrize("options", [None, {}, {"options": 1, "record_as": "x"}], ids=str)
def test_other_options_change_nothing(make: Any, options: dict[str, Any] | None) -> None:
    env = make(**TABLE)
    env.reset(seed=5, options=options)
    assert env.unwrapped.game == Game(CONFIG, 5)


DEAL = played(0).deal.to_dict()
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "both": (
        {"deal": DEAL, "record": played(2).record()},
        "a deal or a record, not both",
    ),
    "finished": (
        {"record": played(CONFIG.num_turns).record()},
        "the game of the record is over",
    ),
    "other players": (
        {"record": played(2, GameConfig(num_players=4, num_objectives=2)).record()},
        "the game of the record has another config: num_players is 4, not 3",
    ),
    "other objectives": (
        {"record": played(2, GameConfig(num_players=3)).record()},
        "the game of the record has another config: num_objectives is 0, not 2",
    ),
    "a card twice": ({"deal": {**DEAL, "deck": [1, *DEAL["deck"][1:]]}}, "each card from 1 to 60"),
    "no record": ({"record": {"plays": []}}, "not a record of a game"),
    "deal of too few": (
        {"deal": {**DEAL, "score_orders": DEAL["score_orders"][:2]}},
        "one score order for each of the 3 rounds, not 2",
    ),
}
refused = pytest.mark.parametrize(("options", "said"), REFUSED.values(), ids=REFUSED)


@forms
@refused
def test_a_refused_reset_leaves_the_game_and_the_seed_alone(
    make: Any, options: dict[str, Any], said: str
) -> None:
    env = make(**TABLE)
    env.reset(seed=5)
    step_all(env)
    before = env.unwrapped.game
    with pytest.raises(ValueError, match=said):
        env.reset(options=options)
    assert env.unwrapped.game == before
    step_all(env)
    env.reset()
    assert env.unwrapped.game == Game(CONFIG, 5, episode=1)
