"""Exact values of small games: best responses, CFR+ and win shares, over all deals and plays.

Chance deals the whole game first, and all hands of a turn have equally many cards. So the N nodes
of a turn are a regular array (deals, plays of turn 1, plays of turn 2, ...). Each has J plays, the
cards that the P seats play together: a card of the first seat, of the second, ...
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import factorial, prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.agent import ActArguments, Agent, as_agent
from mindup_env.checks import InputError, check_int, illegal_card
from mindup_env.config import GameConfig, check_config
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch
from mindup_env.engine.state import Int64Array
from mindup_env.envs.seated_bots import check_choices
from mindup_env.game.deal import cards_drawn
from mindup_env.observation.seen import Arrays, observe

FloatArray = npt.NDArray[np.float64]
Strategy = list[FloatArray]
"""For each turn, the probability of each card of the hand (I, hand) in every information state."""
Player = str | Agent | Strategy
Choose = Callable[[int, FloatArray], FloatArray]
_MOST_ENDS = 2**20
"""They are all in memory."""


class Turn(NamedTuple):
    """The N nodes of a turn, and the I information states of all seats in them."""

    states: Int64Array  # (N, P) the information state of each seat
    seats: Int64Array  # (I,) whose each is
    before: Int64Array  # (I,) the information state of the turn before; in the first, the seat
    slots: Int64Array  # (I,) the index in that hand of the card that was played
    seen: list[Arrays]  # what each has seen in the turns so far, and now (I, ...)
    actions: Int64Array  # (I, hand) the cards of the hand, ascending


class ExactGame:
    """A small game with its whole tree in memory. The reward is ``win``.

    Args:
        config: the rules, with a ``score_order`` and without objectives.

    Attributes:
        turns: the turns of the game; a seat recalls everything that it has seen.
        returns (ndarray): the win share of each seat minus 1/P at each end of the game (N, P).
    """

    def __init__(self, config: GameConfig) -> None:
        if check_config(config).num_objectives or config.score_order is None:
            raise InputError("exact values need a game with a score_order and without objectives")
        self.config = config
        players = config.num_players
        hands = list[int]()
        for round_ in range(1, config.num_rounds + 1):
            hands += range(config.turns_of(round_) + 1, 1, -1)
        drawn = cards_drawn(config)
        never_drawn = config.num_cards - sum(drawn)
        num_deals = factorial(config.num_cards) // prod(map(factorial, [*drawn, never_drawn]))
        if num_deals * prod(hands) ** players > _MOST_ENDS:
            raise InputError(f"exact values need at most {_MOST_ENDS:,} ends, as VARIANTS have")
        batch = Batch.empty(config, num_deals)
        batch.games.deck[:] = _all_decks(config)
        batch.games.score_cards[:] = config.score_order
        kernels.set_up_all(batch.rules, batch.games)
        before = np.tile(np.arange(players), (num_deals, 1))  # (N, P)
        slots = np.zeros_like(before)  # (N, P)
        self.turns = list[Turn]()
        seen = list[Arrays]()
        for hand in hands:
            turn = _turn(batch, before, slots, seen)
            self.turns.append(turn)
            plays = np.indices((hand,) * players).reshape(players, -1).T  # (J, P)
            slots = np.tile(plays, (len(before), 1))  # (N * J, P)
            nodes = np.arange(len(before)).repeat(len(plays))  # (N * J,)
            before = turn.states[nodes]
            batch = batch.pick(nodes)
            cards = turn.actions[before, slots]
            kernels.play_all(batch.rules, batch.games, cards.astype(np.int8))
            seen = turn.seen
        is_winner = batch.seat_facts().ranks == 0
        self.returns = _normalised(1.0 * is_winner) - 1 / players

    def strategy(self, bot: str | Agent, *, samples: int = 1) -> Strategy:
        """What a bot plays in every information state.

        Args:
            bot: the name of a bot, or a bot.
            samples: how many random bits to try at each decision. One is exact for a bot without
                chance, and for one that says its probabilities, as ``random`` and policies do.
        """
        agent = as_agent(bot, self.config)
        strategy = Strategy()
        for turn in self.turns:
            odds = play_probabilities(agent, turn.seen, samples)  # (I, num_cards)
            strategy.append(np.take_along_axis(odds, turn.actions, 1))
        return strategy

    def exploitability(self, player: Player) -> float:
        """What the best response wins against copies of a player, above an equal share.

        It is the mean over the seats: NashConv, divided by the players.
        """

        def best(_: int, values: FloatArray) -> FloatArray:
            cards: FloatArray = np.eye(values.shape[1])[values.argmax(1)]
            return cards

        return self._mean(self._read(player), best)

    def win_share(self, one: Player, field: Player) -> float:
        """The mean win share of one player against copies of another."""
        own = self._read(one)
        gained = self._mean(self._read(field), lambda turn, _: own[turn])
        return gained + 1 / self.config.num_players

    def solve(self) -> Iterator[Strategy]:
        """The average strategies of CFR+ after each iteration, as OpenSpiel's CFRPlusSolver."""
        current = self.strategy("random")
        regrets = list(map(np.zeros_like, current))
        totals = list(map(np.zeros_like, current))
        players = self.config.num_players
        weight = 0

        def choose(turn: int, values: FloatArray) -> FloatArray:
            played = current[turn]  # (I, hand), as the values
            gained = values - (values * played).sum(1, keepdims=True)  # 0 for other seats
            regrets[turn] = np.maximum(regrets[turn] + gained, 0)
            return played

        while True:
            weight += 1
            for seat in range(players):
                self._value(current, seat, choose)
                reach = np.ones(players)  # before the first turn
                earlier = np.ones((players, 1))
                for number, turn in enumerate(self.turns):
                    reach = reach[turn.before] * earlier[turn.before, turn.slots]  # (I,)
                    earlier = current[number]
                    weights = weight * (turn.seats == seat) * reach
                    totals[number] += weights[:, None] * earlier
                current = [*map(_normalised, regrets)]
            yield [*map(_normalised, totals)]

    def _read(self, player: Player) -> Strategy:
        if not isinstance(player, list):
            return self.strategy(player)
        shapes = [getattr(odds, "shape", ()) for odds in player]
        if shapes != [turn.actions.shape for turn in self.turns]:
            raise InputError(f"a strategy must be arrays of the shapes of strategy(), not {shapes}")
        return player

    def _mean(self, field: Strategy, choose: Choose) -> float:
        seats = range(self.config.num_players)
        return float(np.mean([self._value(field, seat, choose) for seat in seats]))

    def _value(self, field: Strategy, seat: int, choose: Choose) -> float:
        """The mean return of a seat against a strategy in the others.

        ``choose`` gives what the seat plays in a turn, by its number and the values of the cards
        (I, hand), weighted by how often the others let the seat come there.
        """
        path = []
        reach = np.ones(len(self.turns[0].states))  # (N,) how often the others go there
        for turn, odds in zip(self.turns, field, strict=True):
            joint = np.ones((len(reach), 1))
            for player, states in enumerate(turn.states.T):
                of_player = np.ones((1, odds.shape[1])) if player == seat else odds[states]
                joint = (joint[:, :, None] * of_player[:, None]).reshape(len(joint), -1)
            path.append((reach, joint))  # (N,) and (N, J)
            reach = (reach[:, None] * joint).ravel()  # (N * J,)
        values = self.returns[:, seat]  # (N * J,)
        for number, (reach, joint) in reversed([*enumerate(path)]):
            turn = self.turns[number]
            hand = field[number].shape[1]
            weighted = values.reshape(joint.shape) * joint
            of_cards = weighted.reshape(len(joint), hand**seat, hand, -1).sum((1, 3))  # (N, hand)
            own = turn.states[:, seat]  # (N,)
            sums = [np.bincount(own, each, len(turn.seats)) for each in reach * of_cards.T]
            odds = choose(number, np.stack(sums, 1))  # (I, hand)
            values = (of_cards * odds[own]).sum(1)  # (N,)
        return float(values.mean())


def play_probabilities(agent: Agent, seen: Sequence[Arrays], samples: int) -> FloatArray:
    """The probability that a bot plays each card now (B, num_cards).

    A bot with a method ``play_probabilities``, which takes what ``act`` takes, says it itself. For
    others, ``samples`` random bits are tried in each turn, the same ones for all seats and calls.
    ``seen`` is what B seats saw in each turn until now.
    """
    check_int("samples", samples, 1)
    rng = np.random.default_rng(0)
    bits = rng.integers(2**64, size=(len(seen), samples), dtype=np.uint64)
    mask = seen[-1]["action_mask"]
    rows = np.arange(len(mask)).repeat(samples)  # (B * samples,)
    for turn, each in enumerate(seen):
        now = ActArguments(
            each["observation"].repeat(samples, axis=0),
            each["action_mask"].repeat(samples, axis=0),
            np.full(len(rows), turn == 0),
            np.tile(bits[turn], len(mask)),
        )
        if turn < len(seen) - 1:
            agent.act(*now)
    if hasattr(agent, "play_probabilities"):
        odds: FloatArray = agent.play_probabilities(*now)[::samples]
    else:
        odds = np.zeros(mask.shape)
        actions = check_choices(type(agent).__name__, agent.act(*now), now.action_mask)
        np.add.at(odds, (rows, actions), 1 / samples)
    is_illegal = (odds > 0) & (mask == 0)
    for row in np.flatnonzero(is_illegal.any(1))[:1]:
        chosen = int(is_illegal[row].argmax()) + 1
        raise illegal_card("the bot", chosen, np.flatnonzero(mask[row]) + 1)
    return odds


# The tree


def _all_decks(config: GameConfig) -> Int64Array:
    """The decks (deals, num_cards) of all deals, which are equally likely."""
    decks = np.arange(config.num_cards)[None]
    drawn = 0
    for size in cards_drawn(config):
        left = np.arange(config.num_cards - drawn)
        ways = map(list, combinations(left, size))
        orders = np.array([[*way, *np.delete(left, way)] for way in ways])  # (ways, left)
        rest = decks[:, drawn:][:, orders].reshape(-1, len(left))
        begun = decks[:, :drawn].repeat(len(orders), axis=0)
        decks = np.concatenate([begun, rest], 1)
        drawn += size
    return decks


def _turn(batch: Batch, before: Int64Array, slots: Int64Array, earlier: list[Arrays]) -> Turn:
    """The turn of these N games; ``before`` and ``slots`` (N, P) are those of each seat.

    ``earlier`` is what was seen in the information states of the turn before.
    """
    seen = observe(batch)
    # An information state is what a seat sees now, after the state before: a hash of both.
    size = seen["observation"].shape[2]
    *factors, factor = np.random.default_rng(0).integers(2**64, size=size + 1, dtype=np.uint64)
    keys = before.astype(np.uint64) * factor
    for entry, each in enumerate(factors):
        keys += seen["observation"][:, :, entry].astype(np.uint64) * each
    _, first, states = np.unique(keys, return_index=True, return_inverse=True)
    nodes, seats = np.divmod(first, before.shape[1])  # (I,) where each is found first
    before = before[nodes, seats]
    history = [{name: each[before] for name, each in turn.items()} for turn in earlier]
    now = {name: each[nodes, seats] for name, each in seen.items()}
    return Turn(
        states=states.reshape(keys.shape),
        seats=seats,
        before=before,
        slots=slots[nodes, seats],
        seen=[*history, now],
        actions=now["action_mask"].nonzero()[1].reshape(len(first), -1),
    )


def _normalised(weights: FloatArray) -> FloatArray:
    """Probabilities (..., hand) by weights; uniform where all are 0."""
    sums = weights.sum(1, keepdims=True)
    weights = np.where(sums > 0, weights, 1)
    odds: FloatArray = weights / weights.sum(1, keepdims=True)
    return odds
