"""The heuristics: observed games, prize probabilities, determinizations and opponent models."""

from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from mindup_agents.heuristics.card_values import Workspace, fill_objective_gains, make_workspace
from mindup_agents.heuristics.formulas import (
    HAND_WEIGHT,
    NEXT_HAND_WEIGHT,
    OPENING_WEIGHT,
    OPPONENT_PRIZE_WEIGHT,
    OWN_PRIZE_WEIGHT,
)
from mindup_agents.heuristics.observed_games import KnownGames, make_known_games, read_games
from mindup_agents.heuristics.predictions import add_played_cards
from mindup_agents.heuristics.worlds import sample_determinization
from mindup_env import BatchEnv, GameConfig, make_agent
from mindup_env.cards import COLOURS
from mindup_env.engine.compiler import kernel
from mindup_env.engine.conditions import shown_objectives_met, total_points
from mindup_env.engine.state import Games, Int8Array, Int64Array, Rules
from mindup_env.engine.turns import take
from mindup_env.observation import layout_of
from tests.envs.playing import random_legal

CONFIGS = [GameConfig(3, 2), GameConfig(4), GameConfig(6, 5)]
of_all_kinds = pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.num_players)


def played(config: GameConfig, turns: int, num_games: int = 4) -> BatchEnv:
    env, rng = BatchEnv(config, num_games, autoreset=False), np.random.default_rng(turns)
    env.reset(seed=3)
    for _ in range(turns):
        env.step(random_legal(env.seen, rng))
    return env


def observed_by(env: BatchEnv, seat: int = 0) -> KnownGames:
    observed = make_known_games(env.config, env.num_envs)
    read_games(env.config, env.seen["observation"][:, seat].copy(), observed)
    return observed


def games_of(env: BatchEnv) -> Games:
    return env.get_state(range(env.num_envs)).games


@of_all_kinds
def test_what_is_read_is_what_a_seat_may_know(config: GameConfig) -> None:
    players = config.num_players
    for turns in range(config.num_turns):
        env = played(config, turns)
        true, round_ = games_of(env), env.game(0).round - 1
        for seat in range(players):
            known = observed_by(env, seat)
            games = known.games
            order = [(seat + i) % players for i in range(players)]
            assert (games.clock == turns).all()
            shown, real = (np.sort(each.objectives[:, round_], axis=1) for each in (games, true))
            total, points = (each.points.sum(axis=(1, 3), dtype=int) for each in (games, true))
            for found, expected in (
                (games.hands[:, 0], true.hands[:, seat]),
                (games.row, true.row),
                (games.tableaux, true.tableaux[:, order]),
                (games.columns, true.columns[:, order]),
                (games.score_cards[:, round_], true.score_cards[:, round_]),
                (shown, real),
                (total, points[:, order]),
            ):
                assert np.array_equal(found, expected)
            if turns > 0:
                last = true.played[:, turns - 1][:, order]
                assert np.array_equal(games.played[:, turns - 1], last)
            for game, row in enumerate(known.cards.tolist()):
                cards = [env.game(game).known(player) for player in order]
                assert row == [sum(1 << card - 1 for card in hand) for hand in cards]


def planner_values(config: GameConfig, observation: Int8Array) -> dict[int, float]:
    """What planner counts for each card, from 0, in a game without objectives."""
    seen = layout_of(config).views(observation)
    hand, row, columns = np.flatnonzero(seen["hand"]), np.flatnonzero(seen["row"]), seen["columns"]
    visible = seen["hand"] + (seen["row"] > 0) + (seen["tableaux"] + seen["known"]).sum(axis=0)
    unseen, scores, opponents = np.flatnonzero(visible == 0), seen["score_cards"], range(1, 4)

    def placed(player: int, card: int) -> float:
        own = columns[player, COLOURS.index(config.deck[card].colour)]
        column = own - 1 if own > 0 else columns[player].max()
        return int(scores[column]) + config.deck[card].points

    def opened(card: int) -> float:
        free = scores[columns[0].max() :]
        is_open = columns[0, COLOURS.index(config.deck[card].colour)] > 0
        return 0 if is_open else free[0] - free.mean()

    def strength(card: int) -> float:
        return abs(2 * card / (config.num_cards - 1) - 1)

    def kept(card: int) -> float:
        weight = NEXT_HAND_WEIGHT if seen["round"] < 3 else 0.0
        return placed(0, card) + weight * strength(card)

    values = {}
    for card in hand.tolist():
        places = np.ones(1)
        for player in opponents:
            known, unknown = seen["known"][player], int(seen["unknown"][player])
            lower = known[:card].sum() + unknown * (unseen < card).mean()
            places = np.convolve(places, [1 - lower / len(hand), lower / len(hand)])
        opening = OPENING_WEIGHT * (len(hand) - 2)
        prizes = [kept(prize) + opening * opened(prize) for prize in row.tolist()]
        values[card] = float(places @ prizes) + max(map(kept, hand[hand != card].tolist()))
        if len(hand) > 2:
            mean = sum(placed(each, card) for each in opponents) / 3
            values[card] += OPPONENT_PRIZE_WEIGHT * mean + OWN_PRIZE_WEIGHT * placed(0, card)
            values[card] -= HAND_WEIGHT * strength(card)
    return values


def test_planner_counts_what_its_formula_says() -> None:
    config = GameConfig(4)
    planner: Any = make_agent("planner", config)
    for turns in range(config.num_turns):
        env = played(config, turns)
        observation, mask = (env.seen[key][:, 0] for key in ("observation", "action_mask"))
        chosen = planner.act(observation, mask, np.ones(4, bool), np.zeros(4, np.uint64))
        for game, values in enumerate(planner.evaluate_cards()[1]):
            expected = planner_values(config, observation[game])
            assert {card: values[card] for card in expected} == pytest.approx(expected)
            assert expected[int(chosen[game])] == pytest.approx(max(expected.values()))


@kernel
def unexpected_gain(
    rules: Rules, games: Games, workspace: Workspace, g: int, seat: int, card: int
) -> bool:
    """Whether the objectives give other points for a card, which the seat takes, than expected."""
    fill_objective_gains(rules, games, g, seat, workspace.seats)
    before = total_points(shown_objectives_met(rules, games, g, seat))
    take(rules, games, g, seat, card, rules.round_at[games.clock[g]], 0)
    gained = total_points(shown_objectives_met(rules, games, g, seat)) - before
    return bool(gained != workspace.seats.objective_gains[seat, rules.card_colours[card]])


def test_the_objectives_gained_are_those_of_the_tableau_with_the_card() -> None:
    config, gains = GameConfig(4, 5), set()
    workspace = make_workspace(config)
    for turns in (3, 9, 12):
        batch = played(config, turns, num_games=8).get_state(range(8))
        for g, seat, place in product(range(8), range(4), range(4)):
            card, copy = int(batch.games.row[g, place]), batch.pick([g])
            assert not unexpected_gain(copy.rules, copy.games, workspace, 0, seat, card)
            gains.add(workspace.seats.objective_gains[seat, batch.rules.card_colours[card]])
    assert len(gains) > 3


@kernel
def sample_all(
    known: KnownGames, row_bits: np.uint64, hands: Int64Array, shuffled: Int8Array
) -> None:
    """Fills ``hands`` (samples, num_players)."""
    for sample in range(len(hands)):
        sample_determinization(known, 0, row_bits, sample, shuffled)
        for player in range(known.rules.num_players):
            hands[sample, player] = known.games.hands[0, player]


@pytest.mark.parametrize("turns", [0, 7])
def test_every_unseen_card_is_as_likely_in_every_hidden_place(turns: int) -> None:
    samples, env = 1500, played(GameConfig(4), turns)
    known, hands = observed_by(env), np.zeros((samples, 4), np.int64)
    sample_all(known, np.uint64(9), hands, np.zeros(60, np.int8))
    bits = (hands[:, :, None] >> np.arange(60)) & 1
    assert (bits[:, 1:].sum(axis=1) <= 1).all(), "no card is in two hands"
    expected = [hand.bit_count() for hand in games_of(env).hands[0].tolist()]
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
def add_all_played_cards(
    now: KnownGames, before: KnownGames, sampled: KnownGames, are_next: npt.NDArray[np.bool_]
) -> None:
    for g in range(len(are_next)):
        are_next[g] = add_played_cards(now.games, before, g, sampled)


@of_all_kinds
def test_a_card_that_was_played_was_in_the_hand_before(config: GameConfig) -> None:
    """It is one of the cards of the hand, whether all players knew it or not."""
    for turns in (0, config.num_turns // 2):
        env, rng = played(config, turns), np.random.default_rng(1)
        before, sampled = observed_by(env), make_known_games(config, env.num_envs)
        size, are_next = len(env.game(0).hand(1)), np.zeros(env.num_envs, bool)
        env.step(random_legal(env.seen, rng))
        now = observed_by(env)
        add_all_played_cards(now, before, sampled, are_next)
        assert are_next.all()
        sizes = np.bitwise_count(sampled.cards) + sampled.num_hidden
        assert (sizes[:, 1:] == size).all() and (sampled.num_hidden >= 0).all()
        cards = now.games.played[:, turns, 1:]
        assert (sampled.cards[:, 1:] >> cards & 1).all()
        add_all_played_cards(before, before, sampled, are_next)
        assert not are_next.any(), "no turn was played"
