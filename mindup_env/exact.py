"""Exact values of small games: best responses, CFR+ and win shares, over all deals and plays.

Chance deals the whole game first, and all hands of a turn have equally many cards. So the N nodes
of a turn are a regular array (deals, plays of turn 1, plays of turn 2, ...), where the cards that
all P seats play together are one axis of J plays, and all of them are played at once.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb, prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.agent import Agent, as_agent
from mindup_env.batch_env.state import observe_batch
from mindup_env.checks import check_int
from mindup_env.config import GameConfig, check_config
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch
from mindup_env.engine.state import Int8Array, Int64Array

FloatArray = npt.NDArray[np.float64]
UInt64Array = npt.NDArray[np.uint64]
Strategy = list[FloatArray]
"""For each turn, the probability of each card of the hand (I, hand) in every information state."""
Player = str | Agent | Strategy
Choose = Callable[[int, FloatArray], FloatArray]
Seen = dict[str, Int8Array]
"""The observation (..., size) and the action_mask (..., num_cards)."""

_MOST_ENDS = 2**20
"""They are all in memory."""


class Turn(NamedTuple):
    """The N nodes of a turn, and the I information states of all seats in them."""

    states: Int64Array  # (N, P) the information state of each seat
    seats: Int64Array  # (I,) whose each is
    before: Int64Array  # (I,) the information state of the turn before that it follows
    slots: Int64Array  # (I,) with the card in this slot of the hand
    seen: Seen  # of each (I, ...)
    actions: Int64Array  # (I, hand) the cards of the hand, ascending


class ExactGame:
    """A small game with its whole tree in memory; the reward is ``win``.

    Args:
        config: the rules, with a ``score_order`` and without objectives.

    Attributes:
        turns: the turns of the game; a seat recalls everything that it has seen.
        returns (ndarray): the win share of each seat minus 1/P at each end of the game (N, P).
    """

    def __init__(self, config: GameConfig) -> None:
        if check_config(config).num_objectives or config.score_order is None:
            raise ValueError("exact values need a game with a score_order and without objectives")
        self.config, self._players = config, range(config.num_players)
        rounds = range(1, config.num_rounds + 1)
        hands = [hand for each in rounds for hand in range(config.turns_of(each) + 1, 1, -1)]
        self._num_deals = _count_deals(config)
        if self._num_deals * prod(hands) ** config.num_players > _MOST_ENDS:
            raise ValueError(f"exact values need at most {_MOST_ENDS:,} ends: see the VARIANTS")
        batch = Batch(config, self._num_deals)
        batch.games.deck[:], batch.games.score_cards[:] = _all_decks(config), config.score_order
        kernels.set_up_all(batch.arrays)
        # A key stands for an information state: a hash of all observations and the seat.
        keys = np.tile(np.arange(config.num_players, dtype=np.uint64), (self._num_deals, 1))
        self.turns: list[Turn] = []
        for hand in hands:
            seen = observe_batch(batch)
            keys = _next_keys(keys, seen["observation"])
            self.turns.append(_turn(self.turns[-1:], hand, keys, seen))
            batch, keys = _play(batch, keys, seen["action_mask"])
        known, met, ranks = np.zeros((3, len(keys), config.num_players), np.int64)
        kernels.read_seats(batch.arrays, known, met, ranks)
        self.returns = _normalised(1.0 * (ranks == 0)) - 1 / config.num_players

    def strategy(self, bot: str | Agent, *, samples: int = 1) -> Strategy:
        """What a bot plays in every information state.

        Args:
            bot: the name of a bot, or a bot.
            samples: how many random bits to try at each decision; 1 is exact for a deterministic
                bot, and for one that says its probabilities, as ``random`` and policies do.
        """
        agent, strategy = as_agent(bot, self.config), Strategy()
        for number, turn in enumerate(self.turns):
            rows, seen = np.arange(len(turn.seats)), list[Seen]()
            for earlier in reversed(self.turns[: number + 1]):
                seen.insert(0, {name: each[rows] for name, each in earlier.seen.items()})
                rows = earlier.before[rows]
            odds = play_probabilities(agent, seen, samples)  # (I, num_cards)
            strategy.append(np.take_along_axis(odds, turn.actions, 1))
        return strategy

    def exploitability(self, player: Player) -> float:
        """What the best response wins against copies of a player, above an equal share.

        It is the mean over the seats of the best response: NashConv, divided by the players.

        Args:
            player: a bot, its name, or a strategy.
        """
        field = self._read(player)
        return self._mean(field, lambda _, values: np.eye(values.shape[1])[values.argmax(1)])

    def win_share(self, one: Player, field: Player) -> float:
        """The win share of one player against copies of another, over all seats."""
        own = self._read(one)
        gained = self._mean(self._read(field), lambda turn, _: own[turn])
        return gained + 1 / self.config.num_players

    def solve(self) -> Iterator[Strategy]:
        """The average strategies of CFR+ after each iteration, as OpenSpiel's CFRPlusSolver."""
        current = self.strategy("random")
        regrets, totals = ([np.zeros(each.shape) for each in current] for _ in range(2))

        def choose(turn: int, values: FloatArray) -> FloatArray:
            played = current[turn]  # (I, hand), as the values
            gained = values - (values * played).sum(1, keepdims=True)  # 0 for other seats
            regrets[turn] = np.maximum(regrets[turn] + gained, 0)
            return played

        weight = 0
        while True:
            weight += 1
            for seat in self._players:
                self._value(current, seat, choose)
                reach, earlier = np.ones(1), np.ones((1, 1))  # one state before the first turn
                for number, turn in enumerate(self.turns):
                    reach = reach[turn.before] * earlier[turn.before, turn.slots]  # (I,)
                    earlier = current[number]
                    totals[number] += (weight * (turn.seats == seat) * reach)[:, None] * earlier
                current = [*map(_normalised, regrets)]
            yield [*map(_normalised, totals)]

    def _read(self, player: Player) -> Strategy:
        return player if isinstance(player, list) else self.strategy(player)

    def _mean(self, field: Strategy, choose: Choose) -> float:
        return float(np.mean([self._value(field, seat, choose) for seat in self._players]))

    def _value(self, field: Strategy, seat: int, choose: Choose) -> float:
        """The mean return of a seat against a strategy in the others.

        ``choose`` maps the number of a turn, and the value of each card in the information states
        of the seat (I, hand), weighted by how often the others let it come there, to its choices.
        """
        reach, reaches, joints = np.ones(self._num_deals), [], []  # (N,) the others' probability
        for turn, odds in zip(self.turns, field, strict=True):
            joint = np.ones([len(reach), *[1] * len(self._players)])
            for other in self._players:
                if other != seat:  # its cards are the axis 1 + other
                    axes = [1 + each for each in self._players if each != other]
                    joint = joint * np.expand_dims(odds[turn.states[:, other]], axes)
            shape = len(reach), *[odds.shape[1]] * len(self._players)  # (N, hand, hand, ...)
            joint = np.broadcast_to(joint, shape)
            reaches.append(reach)
            joints.append(joint)
            reach = (
                np.expand_dims(reach, [1 + each for each in self._players]) * joint
            ).ravel()  # (N * J,)
        values = self.returns[:, seat]  # (N * J,)
        others = tuple(1 + each for each in self._players if each != seat)
        for number in reversed(range(len(self.turns))):
            turn = self.turns[number]
            of_cards = (values.reshape(joints[number].shape) * joints[number]).sum(others)
            own = turn.states[:, seat]  # (N,), and of_cards (N, hand)
            weighted = (reaches[number][:, None] * of_cards).T
            sums = [np.bincount(own, each, len(turn.seats)) for each in weighted]
            values = (of_cards * choose(number, np.stack(sums, 1))[own]).sum(1)  # (N,)
        return float(values.mean())


# The tree


def cards_drawn(config: GameConfig) -> list[int]:
    """How many cards are drawn each time: the hands, the row, and a card per later hand."""
    players = config.num_players
    return [config.hand_size] * players + [players] + [1] * players * (config.num_rounds - 1)


def _count_deals(config: GameConfig) -> int:
    left, deals = config.num_cards, 1
    for size in cards_drawn(config):
        deals *= comb(left, size)
        left -= size
    return deals


def _all_decks(config: GameConfig) -> Int64Array:
    """The decks (deals, num_cards) of all deals, which are equally likely."""
    decks, drawn = np.arange(config.num_cards)[None], 0
    for size in cards_drawn(config):
        left = config.num_cards - drawn
        orders = np.array(  # (ways to draw, left) the cards drawn and then the others
            [
                [*chosen, *(each for each in range(left) if each not in chosen)]
                for chosen in combinations(range(left), size)
            ]
        )
        rest = decks[:, drawn:][:, orders].reshape(-1, left)
        decks = np.concatenate([decks[:, :drawn].repeat(len(orders), axis=0), rest], 1)
        drawn += size
    return decks


def _next_keys(keys: UInt64Array, observation: Int8Array) -> UInt64Array:
    """The keys (N, P) after observations (N, P, size)."""
    factors = np.random.default_rng(0).integers(
        2**64, size=observation.shape[2] + 1, dtype=np.uint64
    )
    keys = keys * factors[-1]
    for entry, factor in enumerate(factors[:-1]):
        keys += observation[:, :, entry].astype(np.uint64) * factor
    return keys


def _turn(earlier: list[Turn], hand: int, keys: UInt64Array, seen: Seen) -> Turn:
    """The turn after the last of ``earlier``, by the keys (N, P) of its information states."""
    players = keys.shape[1]
    known, first, states = np.unique(keys, return_index=True, return_inverse=True)
    nodes, seats = np.divmod(first, players)  # (I,) where each is found first
    before, slots = np.zeros((2, len(known)), np.int64)
    for turn in earlier:
        shape = (turn.actions.shape[1],) * players
        parents, plays = np.divmod(nodes, prod(shape))
        before = turn.states[parents, seats]
        slots = np.array(np.unravel_index(plays, shape))[seats, np.arange(len(seats))]
    seen = {name: each[nodes, seats] for name, each in seen.items()}
    actions = seen["action_mask"].nonzero()[1].reshape(len(known), hand)
    return Turn(states.reshape(keys.shape), seats, before, slots, seen, actions)


def _play(batch: Batch, keys: UInt64Array, action_mask: Int8Array) -> tuple[Batch, UInt64Array]:
    """All plays (N * J) of the games and their keys, by the hands as masks (N, P, num_cards)."""
    nodes, players = keys.shape
    hands = action_mask.nonzero()[2].reshape(nodes, players, -1)  # (N, P, hand)
    slots = np.indices((hands.shape[2],) * players).reshape(players, -1)  # (P, J)
    cards = hands[:, np.arange(players)[:, None], slots].swapaxes(1, 2)  # (N, J, P)
    parents = np.arange(nodes).repeat(slots.shape[1])
    batch = batch.pick(parents)
    kernels.play_all(batch.arrays, cards.reshape(-1, players).astype(np.int8))
    return batch, keys[parents]


def _normalised(weights: FloatArray) -> FloatArray:
    """Probabilities (..., hand) by weights; uniform where all are 0."""
    sums = weights.sum(1, keepdims=True)
    odds: FloatArray = np.where(sums > 0, weights, 1) / np.where(sums > 0, sums, weights.shape[1])
    return odds


# What bots play


def play_probabilities(agent: Agent, seen: Sequence[Seen], samples: int) -> FloatArray:
    """The probability that a bot plays each card now (B, num_cards).

    A bot with a method ``play_probabilities``, which takes what ``act`` takes, says it itself.

    Args:
        agent: the bot.
        seen: what B seats saw in each turn until now.
        samples: how many random bits to try in each turn, the same ones for all seats and calls.
    """
    mask, size = seen[-1]["action_mask"], (len(seen), check_int("samples", samples, 1))
    random_bits = np.random.default_rng(0).integers(2**64, size=size, dtype=np.uint64)
    exact = getattr(agent, "play_probabilities", None)
    for turn, each in enumerate(seen):
        arguments = (
            each["observation"].repeat(samples, axis=0),  # (B * samples, size)
            each["action_mask"].repeat(samples, axis=0),
            np.full(len(mask) * samples, turn == 0),
            np.tile(random_bits[turn], len(mask)),
        )
        if exact is None or turn < len(seen) - 1:
            chosen = agent.act(*arguments)
    odds = np.zeros(mask.shape)
    if exact is not None:
        odds[:] = exact(*arguments)[::samples]
    else:
        np.add.at(odds, (np.arange(len(mask)).repeat(samples), chosen), 1 / samples)
    if (wrong := (odds > 0) & (mask == 0)).any():
        row = wrong.any(1).argmax()
        raise ValueError(
            f"the bot chose actions {wrong[row].nonzero()[0].tolist()}; legal are "
            f"{mask[row].nonzero()[0].tolist()}"
        )
    return odds
