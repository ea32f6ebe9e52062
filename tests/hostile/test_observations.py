"""Bots, encoders and ``belief.sample`` refuse any bytes in words, or do what they say."""

from functools import partial
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.random import Generator

from mindup_agents.features import ENCODERS, FeatureEncoder, make_encoder
from mindup_env import BatchEnv, GameConfig
from mindup_env.batch_env import BatchState
from mindup_env.belief import sample
from mindup_env.observation import layout_of
from tests.agents.bots import make_quick, playable
from tests.agents.positions import ActArguments
from tests.game_origins import ORIGINS, play_randomly
from tests.hostile.strategies import attack, configs, odd_values, randoms, result_or_refusal

ROWS = 3
INPUTS = 10
"""Of each example, which takes time to make a bot or an encoder."""
SEARCHES = (
    "search:simulations=4",
    "search:simulations=4,horizon=game",
    "search:simulations=4,horizon=game,simultaneous=true",
)
HAND_READERS = ("random", "lowest", "highest")
"""Bots that read the mask and not the observation."""
UNTOUCHED = -1234.5
PLAYABLE = st.builds(GameConfig, st.integers(3, 6), st.integers(0, 5)) | configs
"""Half of them can be played by every bot."""


@attack(config=PLAYABLE, random=randoms)
def test_bots_refuse_an_observation_or_choose_a_legal_card(
    config: GameConfig, random: Generator
) -> None:
    name = str(random.choice([*(each for each in playable(config) if each != "search"), *SEARCHES]))
    agent = make_quick(name, config)
    seen = np.array([observation(config, random) for _ in range(ROWS)])
    for _ in range(INPUTS):
        arguments = any_arguments(seen, config, random)
        actions = result_or_refusal(partial(agent.act, *arguments))
        if actions is None:
            assert name not in HAND_READERS and not all_fit(arguments, config), name
        else:
            check_actions(actions, arguments, config)


@attack(config=PLAYABLE, name=st.sampled_from(list(ENCODERS)), random=randoms)
def test_encoders_refuse_an_observation_or_fill_the_rows(
    config: GameConfig, name: str, random: Generator
) -> None:
    encoder = make_encoder(name, config)
    seen = np.array([observation(config, random) for _ in range(ROWS)])
    for _ in range(INPUTS):
        arguments = any_arguments(seen, config, random)
        memory = np.full((ROWS + 2, encoder.shape.size), UNTOUCHED, np.float32)
        rows = memory[1:-1]
        filled = result_or_refusal(partial(filled_rows, encoder, arguments, rows))
        assert (memory[[0, -1]] == UNTOUCHED).all()
        if filled is None:
            assert not all_fit(arguments, config), name
        else:
            assert np.isfinite(rows).all() and (rows != UNTOUCHED).all()


@attack(
    config=configs,
    random=randoms,
    name=st.sampled_from(["observation", "config", "n", "rng"]),
    odd=odd_values,
)
def test_what_is_sampled_has_the_observation(
    config: GameConfig, random: Generator, name: str, odd: Any
) -> None:
    """Of damaged observations, and of odd arguments but for games that do not fit into memory."""
    intact = observation(config, random)
    damaged = [damaged_observation(intact, config, random) for _ in range(INPUTS)]
    for seen in (intact, *damaged):
        given = {"observation": seen, "config": config, "n": 2, "rng": random}
        too_many = name == "n" and isinstance(odd, int) and odd > 10**6
        if seen is intact and not too_many:
            given[name] = odd
        state = result_or_refusal(partial(sample, **given))
        if state is not None:
            check_sampled(state, config, seen, random)


# Observations of games at any point, and damage to them


def observation(config: GameConfig, random: Generator) -> Any:
    game = ORIGINS[str(random.choice(list(ORIGINS)))](config, random)
    seat = int(random.integers(config.num_players))
    env = BatchEnv(config)
    env.reset(seed=0)
    return env.set_game(0, game)["observation"][0, seat].copy()


def damaged_observation(seen: Any, config: GameConfig, random: Generator) -> Any:
    """Entries changed, moved, swapped with others, or replaced by any number."""
    damaged = seen.copy()
    if random.random() < 0.3:
        # Two cards trade places wherever they are: their colours and scores may still fit.
        pair = random.integers(0, config.num_cards, size=2)
        for part in layout_of(config).views(damaged).values():
            if part.ndim and part.shape[-1] == config.num_cards:
                part[..., pair] = part[..., pair[::-1]]
        return damaged
    for _ in range(random.integers(1, 4)):
        places = random.integers(0, len(seen), size=2)
        marked = random.choice(np.append(np.flatnonzero(damaged), places), size=2)
        kind = random.integers(0, 4)
        if kind == 0:
            damaged[places[0]] = random.integers(-128, 128)
        elif kind == 1:
            damaged[places] = damaged[places[::-1]]
        elif kind == 2:
            damaged[marked[0]] += random.choice([-1, 1])
        else:
            damaged[marked] = 0
            damaged[(marked + random.choice([-1, 1])) % len(seen)] = 1
    return damaged


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


# What is right


def filled_rows(encoder: FeatureEncoder, arguments: ActArguments, rows: Any) -> Any:
    encoder.fill(*arguments, rows)
    return rows


def hands(arguments: ActArguments, config: GameConfig) -> Any:
    return layout_of(config).views(arguments.observation)["hand"]


def all_fit(arguments: ActArguments, config: GameConfig) -> bool:
    """Whether all observations are possible, and no mask has a card that is not in the hand."""
    outside = (arguments.action_mask != 0) & (hands(arguments, config) == 0)
    return not outside.any() and all_possible(arguments, config)


def all_possible(arguments: ActArguments, config: GameConfig) -> bool:
    """Whether games agree with each observation, as ``belief.sample`` finds."""
    rng = np.random.default_rng(0)
    return all(
        result_or_refusal(partial(sample, seen, config, 1, rng)) is not None
        for seen in arguments.observation
    )


def check_actions(actions: Any, arguments: ActArguments, config: GameConfig) -> None:
    assert actions.shape == (ROWS,) and np.issubdtype(actions.dtype, np.integer)
    assert ((actions >= 0) & (actions < config.num_cards)).all()
    for action, hand, mask in zip(
        actions, hands(arguments, config), arguments.action_mask, strict=True
    ):
        legal = hand[action] != 0 or mask[action] != 0
        assert legal or not hand.any() or not mask.any()


def check_sampled(state: BatchState, config: GameConfig, seen: Any, random: Generator) -> None:
    number = len(state.keys)
    env = BatchEnv(config, number, autoreset=False)
    env.reset(seed=0)
    shown = env.set_state(range(number), state)["observation"]
    for index in range(min(number, 3)):
        assert shown[index, 0].tobytes() == seen.tobytes()
        assert play_randomly(env.game(index), config.num_turns, random).over
