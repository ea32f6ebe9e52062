"""What holds for every bot: its choices are legal, and follow from what its seat sees alone."""

import inspect
import json
import os
import subprocess
import sys
from functools import cache

import numpy as np
import pytest

from mindup_env import BatchEnv, GameConfig, make_agent
from mindup_env.belief import sample
from tests.agents.bots import choose, choose_in_turn, parameters, playable
from tests.agents.chosen import choices
from tests.agents.positions import CONFIGS, Asked, Choices, joined, stages, whole_games
from tests.envs.playing import SHORT

of_every_bot = pytest.mark.parametrize("name", playable(GameConfig()))
of_those_who_play_small_tables = pytest.mark.parametrize("name", playable(SHORT))
in_every_config = pytest.mark.parametrize(
    ("name", "config"),
    [
        pytest.param(name, config, id=f"{name}-{config.num_players}-{config.num_objectives}")
        for config in CONFIGS
        for name in playable(config)
    ],
)
OTHER_HASHES = {"PYTHONHASHSEED": "1234"}


@in_every_config
def test_choices_are_legal_at_all_stages(name: str, config: GameConfig) -> None:
    asked = stages(config)
    chosen = choose(name, config, asked)
    rows = np.arange(len(asked.random_bits))
    assert chosen.shape == rows.shape and np.issubdtype(chosen.dtype, np.integer)
    assert asked.action_mask[rows, chosen].all()


@in_every_config
def test_a_choice_follows_from_its_row_alone(name: str, config: GameConfig) -> None:
    asked = stages(config)
    chosen = choose(name, config, asked)
    order = np.random.default_rng(2).permutation(len(chosen))
    assert np.array_equal(choose(name, config, asked.pick(order)), chosen[order])
    parts = np.split(np.arange(len(chosen)), [1, 4])
    split = [choose(name, config, asked.pick(rows)) for rows in parts]
    assert np.array_equal(np.concatenate(split), chosen)


@in_every_config
def test_what_is_hidden_from_a_seat_changes_nothing(name: str, config: GameConfig) -> None:
    """Nor could it: games that look the same to a seat give it the same bytes."""
    asked, games, hands = stages(config), 3, set()
    for stage in range(0, config.num_turns, 4):
        one = asked.pick([stage])
        rng, env = np.random.default_rng(stage), BatchEnv(config, games, autoreset=False)
        seen = env.set_state(range(games), sample(one.observation[0], config, games, rng))
        hands |= {(stage, env.game(index).hand(1)) for index in range(games)}
        views = {key: array[:, 0].copy() for key, array in seen.items()}
        alike = one.repeat(games)._replace(**views)
        assert np.array_equal(alike.observation, one.observation.repeat(games, axis=0))
        assert np.array_equal(alike.action_mask, one.action_mask.repeat(games, axis=0))
        chosen = choose(name, config, alike)
        assert set(chosen.tolist()) == set(choose(name, config, one).tolist())
    assert len(hands) > config.num_turns / 4 + 1, "the neighbour may hold different cards"


@of_every_bot
def test_nothing_else_is_given_to_a_bot(name: str) -> None:
    """Plain options to make it, what a row is to play it: no game, no environment."""
    config, *options = parameters(name)
    assert config.annotation is GameConfig
    assert {option.annotation for option in options} <= {int, float, str, bool}
    assert list(inspect.signature(make_agent(name).act).parameters) == list(Asked._fields)


@of_those_who_play_small_tables
def test_arguments_stay_as_they_are(name: str) -> None:
    asked = Asked._make(array.copy() for array in stages(SHORT))
    choose(name, SHORT, asked)
    before = stages(SHORT)
    assert [array.tobytes() for array in asked] == [array.tobytes() for array in before]


@of_those_who_play_small_tables
def test_the_same_words_are_the_same_choice_in_another_process(name: str) -> None:
    assert choices_elsewhere()[name] == choices()[name]


@cache
def choices_elsewhere() -> dict[str, list[int]]:
    printed = subprocess.run(
        [sys.executable, "-m", "tests.agents.chosen"],
        env={**os.environ, **OTHER_HASHES},
        capture_output=True,
        check=True,
    ).stdout
    found: dict[str, list[int]] = json.loads(printed)
    return found


# Over whole games, where a bot may remember


def play(name: str, turns: list[Asked]) -> Choices:
    return choose_in_turn(make_agent(name, SHORT), turns)


@of_those_who_play_small_tables
def test_a_row_is_played_alike_in_any_company(name: str) -> None:
    turns = whole_games(SHORT, 2)
    chosen = play(name, turns)
    rows = chosen.shape[1]
    order = np.random.default_rng(3).permutation(rows)
    assert np.array_equal(play(name, [turn.pick(order) for turn in turns]), chosen[:, order])
    for row in range(rows):
        alone = play(name, [turn.pick([row]) for turn in turns])
        assert np.array_equal(alone[:, 0], chosen[:, row])


@of_those_who_play_small_tables
def test_a_new_game_begins_with_no_memory(name: str) -> None:
    first, second = whole_games(SHORT, 1, seed=4), whole_games(SHORT, 1, seed=5)
    expected = play(name, second)
    assert np.array_equal(play(name, first + second)[len(first) :], expected)
    # Games that begin at other turns than those of the rows beside them.
    streams = [first + second, first[:2] + second + first[:3]]
    beside = play(name, [joined(turns) for turns in zip(*streams, strict=True)])
    assert np.array_equal(beside, np.concatenate([play(name, s) for s in streams], axis=1))
