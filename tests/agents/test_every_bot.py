"""Every bot: its choices are legal, and depend only on what its seat observes."""

import inspect
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from mindup_env import BatchEnv, GameConfig, make_agent
from mindup_env.belief import sample
from tests.agents.bots import choices, choose, choose_in_turn, make_quick, parameters, playable
from tests.agents.positions import CONFIGS, ActArguments, Choices, joined, stages, whole_games
from tests.envs.playing import SHORT

of_every_bot_for_short_games = pytest.mark.parametrize("name", playable(SHORT))


def in_configs(configs: list[GameConfig]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        ("name", "config"),
        [
            pytest.param(name, config, id=f"{name}-{config.num_players}-{config.num_objectives}")
            for config in configs
            for name in playable(config)
        ],
    )


ENDS = {"lowest": 0, "highest": -1}
"""The ends of the hand that the simple bots play."""


@in_configs(CONFIGS)
def test_choices_are_legal_and_each_depends_on_its_row_alone(name: str, config: GameConfig) -> None:
    arguments = stages(config)
    chosen = choose(name, config, arguments)
    rows = np.arange(len(arguments.random_bits))
    assert chosen.shape == rows.shape and np.issubdtype(chosen.dtype, np.integer)
    assert arguments.action_mask[rows, chosen].all()
    if name in ENDS:
        hands = [np.flatnonzero(mask) for mask in arguments.action_mask]
        assert chosen.tolist() == [hand[ENDS[name]] for hand in hands]
    order = np.random.default_rng(2).permutation(len(chosen))
    assert np.array_equal(choose(name, config, arguments.pick(order)), chosen[order])
    parts = np.split(np.arange(len(chosen)), [1, 4])
    split = [choose(name, config, arguments.pick(rows)) for rows in parts]
    assert np.array_equal(np.concatenate(split), chosen)


@in_configs(CONFIGS[1::2])
def test_hidden_cards_change_no_choice(name: str, config: GameConfig) -> None:
    """Games that differ only in hidden cards give a seat the same bytes."""
    arguments, games, hands = stages(config), 3, set()
    for stage in range(0, config.num_turns, 4):
        one = arguments.pick([stage])
        rng, env = np.random.default_rng(stage), BatchEnv(config, games, autoreset=False)
        env.reset(seed=0)
        seen = env.set_state(range(games), sample(one.observation[0], config, games, rng))
        hands |= {(stage, env.game(index).hand(1)) for index in range(games)}
        views = {key: array[:, 0].copy() for key, array in seen.items()}
        alike = one.repeat(games)._replace(**views)
        assert np.array_equal(alike.observation, one.observation.repeat(games, axis=0))
        assert np.array_equal(alike.action_mask, one.action_mask.repeat(games, axis=0))
        chosen = choose(name, config, alike)
        assert set(chosen.tolist()) == set(choose(name, config, one).tolist())
    assert len(hands) > config.num_turns / 4 + 1, "the games differ in hidden cards"


@pytest.mark.parametrize("name", playable(GameConfig()))
def test_a_bot_gets_no_game_and_no_environment(name: str) -> None:
    """Only a config and plain options, then the arguments of ``act``."""
    config, *options = parameters(name)
    assert config.annotation is GameConfig
    options = [option for option in options if option.kind is option.KEYWORD_ONLY]
    assert {option.annotation for option in options} <= {int, float, str, bool}
    assert list(inspect.signature(make_agent(name).act).parameters) == list(ActArguments._fields)


@of_every_bot_for_short_games
def test_act_does_not_change_its_arguments(name: str) -> None:
    arguments = ActArguments._make(array.copy() for array in stages(SHORT))
    choose(name, SHORT, arguments)
    before = stages(SHORT)
    assert [array.tobytes() for array in arguments] == [array.tobytes() for array in before]


def test_the_same_random_bits_are_the_same_choices_in_another_process() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "tests.agents.bots"],
        env={**os.environ, "PYTHONHASHSEED": "1234"},
        capture_output=True,
        check=True,
    ).stdout
    assert json.loads(printed) == choices()


# Whole games, in which a bot may keep memory.


def play(name: str, turns: list[ActArguments]) -> Choices:
    return choose_in_turn(make_quick(name, SHORT), turns)


@of_every_bot_for_short_games
def test_memory_is_kept_by_row(name: str) -> None:
    turns = whole_games(SHORT, 2)
    chosen = play(name, turns)
    rows = chosen.shape[1]
    order = np.random.default_rng(3).permutation(rows)
    assert np.array_equal(play(name, [turn.pick(order) for turn in turns]), chosen[:, order])
    for row in range(rows):
        alone = play(name, [turn.pick([row]) for turn in turns])
        assert np.array_equal(alone[:, 0], chosen[:, row])


@of_every_bot_for_short_games
def test_an_episode_starts_without_memory(name: str) -> None:
    first, second = whole_games(SHORT, 1, seed=4), whole_games(SHORT, 1, seed=5)
    expected = play(name, second)
    assert np.array_equal(play(name, first + second)[len(first) :], expected)
    # An episode can also begin at a later turn.
    joins = second[2]._replace(episode_start=np.ones_like(second[2].episode_start))
    late = [joins, *second[3:]]
    assert np.array_equal(play(name, first + late)[len(first) :], play(name, late))
    # The games of different rows start at different turns.
    streams = [first + second, first[:2] + second + first[:3]]
    beside = play(name, [joined(turns) for turns in zip(*streams, strict=True)])
    assert np.array_equal(beside, np.concatenate([play(name, s) for s in streams], axis=1))
