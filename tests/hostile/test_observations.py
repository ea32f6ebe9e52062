"""Bots and encoders that are called with any bytes refuse them in words, or choose legal cards."""

from functools import partial
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from mindup_agents.features import ENCODERS, FeatureEncoder, make_encoder
from mindup_env import GameConfig
from mindup_env.belief import sample
from mindup_env.observation import layout_of
from tests.agents.bots import make_quick, playable
from tests.agents.positions import ActArguments
from tests.hostile.conftest import Attempts
from tests.hostile.observations import damaged_observation, observation
from tests.hostile.random_games import random_config
from tests.hostile.refusal import result_or_refusal

pytestmark = pytest.mark.hostile

ROWS = 3
INPUTS = 40
SEARCHES = (
    "search:simulations=4",
    "search:simulations=4,horizon=game",
    "search:simulations=4,horizon=game,simultaneous=true",
)
HAND_READERS = ("random", "lowest", "highest")
"""Bots that read the mask and not the observation."""
UNTOUCHED = -1234.5


def test_bots_refuse_an_observation_or_choose_a_legal_card(attempts: Attempts) -> None:
    for random in attempts:
        config = any_config(random)
        names = [name for name in playable(config) if name != "search"]
        name = str(random.choice([*names, *SEARCHES]))
        agent = make_quick(name, config)
        seen = np.array([observation(config, random) for _ in range(ROWS)])
        for _ in range(INPUTS):
            attempts.inputs += 1
            arguments = any_arguments(seen, config, random)
            actions = result_or_refusal(partial(agent.act, *arguments))
            if actions is None:
                assert name not in HAND_READERS and not all_possible(arguments, config), name
            else:
                check_actions(actions, arguments, config)


def test_encoders_refuse_an_observation_or_fill_the_rows(attempts: Attempts) -> None:
    for random in attempts:
        config = any_config(random)
        name = str(random.choice(list(ENCODERS)))
        encoder = make_encoder(name, config)
        seen = np.array([observation(config, random) for _ in range(ROWS)])
        for _ in range(INPUTS):
            attempts.inputs += 1
            arguments = any_arguments(seen, config, random)
            memory = np.full((ROWS + 2, encoder.shape.size), UNTOUCHED, np.float32)
            rows = memory[1:-1]
            filled = result_or_refusal(partial(filled_rows, encoder, arguments, rows))
            assert (memory[[0, -1]] == UNTOUCHED).all()
            if filled is None:
                masks_fit = not (
                    (arguments.action_mask != 0) & (hands(arguments, config) == 0)
                ).any()
                assert not (masks_fit and all_possible(arguments, config)), name
            else:
                assert np.isfinite(rows).all() and (rows != UNTOUCHED).all()


def filled_rows(encoder: FeatureEncoder, arguments: ActArguments, rows: Any) -> Any:
    encoder.fill(*arguments, rows)
    return rows


def any_config(random: Generator) -> GameConfig:
    """Half of them can be played by every bot."""
    if random.random() < 0.5:
        return GameConfig(int(random.integers(3, 7)), int(random.integers(0, 6)))
    return random_config(random)


def any_arguments(possible: Any, config: GameConfig, random: Generator) -> ActArguments:
    """Arguments of ``act`` with damage to some rows of possible observations (ROWS, size)."""
    seen = possible.copy()
    masks = layout_of(config).views(seen)["hand"].copy()
    for row in range(ROWS):
        kind = random.random()
        if kind < 0.4:
            seen[row] = damaged_observation(seen[row], config, random)
        elif kind < 0.5:
            seen[row] = random.integers(-128, 128, seen.shape[1])
        elif kind < 0.6:  # every entry is possible, but no two agree
            low, high = layout_of(config).low, layout_of(config).high
            seen[row] = random.integers(low, high, endpoint=True)
        if random.random() < 0.1:
            masks[row] = random.integers(-128, 128, masks.shape[1])
        elif random.random() < 0.1:
            masks[row, random.integers(masks.shape[1])] = random.integers(-128, 128)
    random_bits = random.integers(0, 2**64, ROWS, np.uint64)
    random_bits[random.random(ROWS) < 0.2] = 2**64 - 1
    return ActArguments(seen, masks, random.random(ROWS) < 0.3, random_bits)


def hands(arguments: ActArguments, config: GameConfig) -> Any:
    return layout_of(config).views(arguments.observation)["hand"]


def all_possible(arguments: ActArguments, config: GameConfig) -> bool:
    """Whether games agree with each observation, as ``belief.sample`` finds."""
    rng = np.random.default_rng(0)
    for seen in arguments.observation:
        if result_or_refusal(partial(sample, seen, config, 1, rng)) is None:
            return False
    return True


def check_actions(actions: Any, arguments: ActArguments, config: GameConfig) -> None:
    assert actions.shape == (ROWS,) and np.issubdtype(actions.dtype, np.integer)
    assert ((actions >= 0) & (actions < config.num_cards)).all()
    for action, hand, mask in zip(
        actions, hands(arguments, config), arguments.action_mask, strict=True
    ):
        legal = hand[action] != 0 or mask[action] != 0
        assert legal or not hand.any() or not mask.any()
