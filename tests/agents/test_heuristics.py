"""The heuristics: observed games, prize probabilities, determinizations and opponent models."""

from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from mindup_agents.heuristics.card_values import update_objective_values
from mindup_agents.heuristics.determinization import sample_determinization
from mindup_agents.heuristics.observed_games import (
    KnownCards,
    ObservedArrays,
    ObservedGames,
    make_known_cards,
    update_known_cards,
)
from mindup_agents.heuristics.opponent_model import (
    GREEDY,
    PLANNER,
    RANDOM,
    OpponentBeliefs,
    make_opponent_beliefs,
    predict_cards,
    update_beliefs,
)
from mindup_agents.heuristics.prize_probabilities import (
    expected_prize_value,
    update_uniform_probabilities,
)
from mindup_agents.heuristics.workspace import Workspace, make_workspace
from mindup_env import BatchEnv, GameConfig, make_agent
from mindup_env.engine import bitset
from mindup_env.engine.compiler import kernel
from mindup_env.engine.conditions import objective_points
from mindup_env.engine.state import Games, Int8Array, Int64Array, Rules
from mindup_env.engine.turns import take
from tests.envs.playing import random_legal

RandomBits = npt.NDArray[np.uint64]

CONFIGS = [GameConfig(3, 2), GameConfig(4), GameConfig(6, 5)]
of_all_kinds = pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.num_players)


def played(config: GameConfig, turns: int, num_games: int = 4) -> BatchEnv:
    env, rng = BatchEnv(config, num_games, autoreset=False), np.random.default_rng(turns)
    env.reset(seed=3)
    for _ in range(turns):
        env.step(random_legal(env.seen, rng))
    return env


@of_all_kinds
def test_what_is_read_is_what_a_seat_may_know(config: GameConfig) -> None:
    players = config.num_players
    for turns in range(config.num_turns):
        env = played(config, turns)
        observed = ObservedGames(config, env.num_envs)
        for seat in range(players):
            observed.read(env.seen["observation"][:, seat])
            games, known = Games(*observed.arrays[1]), KnownCards(*observed.arrays[2])
            true, order = env._batch.games, [(seat + i) % players for i in range(players)]
            round_ = env._batch.rules.round_at[turns]
            assert (games.clock == turns).all()
            assert np.array_equal(games.hands[:, 0], true.hands[:, seat])
            for name in ("row", "tableaux", "columns"):
                seen, real = getattr(games, name), getattr(true, name)
                assert np.array_equal(seen, real if name == "row" else real[:, order])
            assert np.array_equal(games.score_cards[:, round_], true.score_cards[:, round_])
            shown, real = (np.sort(each.objectives[:, round_], axis=1) for each in (games, true))
            assert np.array_equal(shown, real)
            total, real = (each.points.sum(axis=(1, 3), dtype=int) for each in (games, true))
            assert np.array_equal(total, real[:, order])
            if turns > 0:
                assert np.array_equal(
                    games.played[:, turns - 1], true.played[:, turns - 1][:, order]
                )
            for game, row in enumerate(known.cards.tolist()):
                cards = [env.game(game).known(player) for player in order]
                assert row == [sum(1 << card - 1 for card in hand) for hand in cards]


@kernel
def compute_expected_prize(
    arrays: ObservedArrays, workspace_: tuple[Any, ...], out: Int64Array
) -> None:
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), KnownCards(*arrays[2])
    workspace = Workspace(*workspace_)
    update_uniform_probabilities(rules, games, known, 0, 0, workspace)
    card = bitset.lowest(games.hands[0, 0])
    out[0] = 1000000 * expected_prize_value(card, workspace.prize_values, workspace)


def test_the_expected_prize_counts_all_cards_the_others_may_play() -> None:
    """From round 2 on two opponents' hands may be known; then all pairs of cards are as likely."""
    config = GameConfig(3, hand_size=3)
    env = played(config, 3, num_games=30)
    for game in range(30):
        observed, workspace = ObservedGames(config, 1), make_workspace(config)
        observed.read(env.seen["observation"][game : game + 1, 0])
        known = KnownCards(*observed.arrays[2])
        if known.num_hidden[0, 1:].any():
            continue
        workspace.prize_values[:] = 1, 10, 100
        out = np.zeros(1, np.int64)
        compute_expected_prize(observed.arrays, tuple(workspace), out)
        own, first, second = (env.game(game).hand(player) for player in range(3))
        prizes = [[1, 10, 100][(a < min(own)) + (b < min(own))] for a, b in product(first, second)]
        assert out[0] == pytest.approx(1000000 * np.mean(prizes), abs=1)
        break
    else:
        pytest.fail("no game with known hands")


@kernel
def update_gains(arrays: ObservedArrays, workspace_: tuple[Any, ...], g: int, seat: int) -> None:
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    update_objective_values(rules, games, g, seat, Workspace(*workspace_))


@kernel
def points_after_taking(arrays: ObservedArrays, g: int, seat: int, card: int) -> int:
    rules, games = Rules(*arrays[0]), Games(*arrays[1])
    round_ = rules.round_at[games.clock[g]]
    take(rules, games, g, seat, card, round_, 0)
    return objective_points(rules, games, g, seat)


def test_the_objectives_gained_are_those_of_the_tableau_with_the_card() -> None:
    config, gains = GameConfig(4, 5), set()
    workspace = make_workspace(config)
    for turns in (3, 9, 12):
        env = played(config, turns, num_games=8)
        arrays = (*env._batch.arrays, ())
        for g, seat, place in product(range(8), range(4), range(4)):
            card = int(env._batch.games.row[g, place])
            update_gains(arrays, tuple(workspace), g, seat)
            found = workspace.objective_gains[seat, env._batch.rules.card_colours[card]]
            copy = env._batch.pick([g])
            without = points_now((*copy.arrays, ()), 0, seat)
            assert found == points_after_taking((*copy.arrays, ()), 0, seat, card) - without
            gains.add(found)
    assert len(gains) > 3


@kernel
def points_now(arrays: ObservedArrays, g: int, seat: int) -> int:
    return objective_points(Rules(*arrays[0]), Games(*arrays[1]), g, seat)


@kernel
def sample_all(
    arrays: ObservedArrays, row_bits: np.uint64, hands: Int64Array, shuffled: Int8Array
) -> None:
    """Fills ``hands`` (samples, num_players)."""
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), KnownCards(*arrays[2])
    for sample in range(len(hands)):
        sample_determinization(rules, games, known, 0, row_bits, sample, shuffled)
        for player in range(rules.num_players):
            hands[sample, player] = games.hands[0, player]


@pytest.mark.parametrize("turns", [0, 7])
def test_every_unseen_card_is_as_likely_in_every_hidden_place(turns: int) -> None:
    config, samples = GameConfig(4), 1500
    env = played(config, turns)
    observed, hands = ObservedGames(config, 1), np.zeros((samples, 4), np.int64)
    observed.read(env.seen["observation"][:1, 0])
    known = KnownCards(*observed.arrays[2])
    sample_all(observed.arrays, np.uint64(9), hands, np.zeros(60, np.int8))
    bits = (hands[:, :, None] >> np.arange(60)) & 1
    assert (bits[:, 1:].sum(axis=1) <= 1).all(), "no card is in two hands"
    expected = [hand.bit_count() for hand in env._batch.games.hands[0].tolist()]
    assert (bits.sum(axis=2) == expected).all()
    for opponent in range(1, 4):
        times = bits[:, opponent].sum(axis=0)
        known_here = (known.cards[0, opponent] >> np.arange(60)) & 1 == 1
        assert (times[known_here] == samples).all()
        hidden = times[~known_here & (times > 0)]
        if known.num_hidden[0, opponent]:
            spread = np.sqrt(hidden.mean() * (1 - hidden.mean() / samples))
            assert len(hidden) > 20 and abs(hidden - hidden.mean()).max() < 4.5 * spread


@kernel
def update_all_known_cards(arrays: ObservedArrays) -> None:
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), KnownCards(*arrays[2])
    for g in range(len(games.clock)):
        update_known_cards(rules, games, known, g)


@of_all_kinds
def test_a_full_game_is_known_as_its_observation_says(config: GameConfig) -> None:
    env = played(config, config.num_turns // 2)
    observed, known = ObservedGames(config, env.num_envs), make_known_cards(config, env.num_envs)
    observed.read(env.seen["observation"][:, 0])
    update_all_known_cards((*env._batch.arrays, tuple(known)))
    assert all(map(np.array_equal, known, observed.arrays[2]))


@kernel
def follow(
    arrays: ObservedArrays,
    workspace_: tuple[Any, ...],
    beliefs_: tuple[Any, ...],
    random_bits: RandomBits,
) -> None:
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), KnownCards(*arrays[2])
    workspace, beliefs = Workspace(*workspace_), OpponentBeliefs(*beliefs_)
    for row in range(len(random_bits)):
        update_beliefs(games, row, beliefs)
        predict_cards(rules, games, known, row, random_bits[row], workspace, beliefs)


@pytest.mark.parametrize(
    ("name", "model"), [("random", RANDOM), ("greedy", GREEDY), ("planner", PLANNER)]
)
def test_beliefs_find_the_model_of_the_opponents(name: str, model: int) -> None:
    config, games = GameConfig(4), 5
    opponents, rng = make_agent(name, config), np.random.default_rng(2)
    env, observed = BatchEnv(config, games), ObservedGames(config, games)
    workspace = make_workspace(config)
    beliefs = make_opponent_beliefs(config, games, 8, (1 / 3, 1 / 3, 1 / 3))
    env.reset(seed=4)
    for turn in range(config.num_turns):
        seen = env.seen
        observed.read(seen["observation"][:, 0])
        follow(
            observed.arrays,
            tuple(workspace),
            tuple(beliefs),
            rng.integers(0, 2**64, games, np.uint64),
        )
        totals = beliefs.card_probabilities[:, 1:].sum(axis=3)
        assert totals == pytest.approx(1), "each model plays one card"
        rows = seen["observation"].reshape(games * 4, -1)
        masks = seen["action_mask"].reshape(games * 4, -1)
        random_bits = rng.integers(0, 2**64, games * 4, np.uint64)
        new = np.full(games * 4, turn == 0)
        actions = opponents.act(rows, masks, new, random_bits).reshape(games, 4)
        if turn < config.num_turns - 1:
            env.step(actions)
    probabilities = beliefs.model_probabilities[:, 1:].mean(axis=(0, 1))
    assert probabilities.argmax() == model and probabilities[model] > 0.6
