"""Exact values of small games: best responses, CFR+ and win shares, over all deals and plays.

Chance deals the whole game first, and all hands of a turn have equally many cards. So the N nodes
of a turn are a regular array (deals, plays of turn 1, plays of turn 2, ...), where the cards that
all seats play together are one axis of J plays, and ``BatchEnv`` plays all of them at once.
"""

import math
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_env.agent import Agent, as_agent
from mindup_env.batch_env import BatchEnv
from mindup_env.batch_env.buffers import Arrays
from mindup_env.batch_env.state import BatchState
from mindup_env.config import SCORE_CARDS, GameConfig, check_config
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, make_keys
from mindup_env.engine.state import Int8Array, Int64Array
from mindup_env.observation import layout_of
from mindup_env.open_spiel.bots import play_probabilities, random_bits_of
from mindup_env.open_spiel.history import CARD, SCORE_CARD, Chance

FloatArray = npt.NDArray[np.floating]
Strategy = list[FloatArray]
"""For each turn, the probability of each card of the hand (I, hand) in every information state."""
Player = str | Agent | Strategy

_BLOCK = 2**19
"""About so many games are played at a time."""
_MOST_ENDS = 2**24
"""They are all in memory."""


class Turn(NamedTuple):
    """The N nodes of a turn, and the I information states of all seats in them."""

    states: Int64Array  # (N, P) the information state of each seat
    seats: Int64Array  # (I,) whose each is
    before: Int64Array  # (I,) the information state of the turn before that it follows
    slots: Int64Array  # (I,) with the card in this slot of the hand
    seen: dict[str, Int8Array]  # observation (I, size) and action_mask (I, num_cards)
    actions: Int64Array  # (I, hand) the cards of the hand, ascending


class ExactGame:
    """A small game with its whole tree in memory; the reward is ``win``.

    Args:
        config: the rules, without objectives.

    Attributes:
        turns: the turns of the game; a seat recalls everything that it has seen.
        returns (ndarray): the win share of each seat minus 1/P at each end of the game (N, P).
    """

    def __init__(self, config: GameConfig) -> None:
        if check_config(config).num_objectives:
            raise ValueError("exact values need a game without objectives")
        self.config, self._chance = config, Chance(config)
        size = layout_of(config).size
        self._hash = np.random.default_rng(0).integers(2**64, size=size + 1, dtype=np.uint64)
        rounds = range(1, config.num_rounds + 1)
        hands = [hand for each in rounds for hand in range(config.turns_of(each) + 1, 1, -1)]
        self._shapes = [(hand,) * config.num_players for hand in hands]  # of the J plays
        plays = math.prod(map(math.prod, self._shapes))  # of a deal
        deals = [*islice(_all_deals(self._chance), _MOST_ENDS // plays + 1)]
        if len(deals) * plays > _MOST_ENDS:
            raise ValueError(f"exact values need at most {_MOST_ENDS:,} ends: see the VARIANTS")
        self._num_deals = len(deals)
        blocks = np.array_split(np.array(deals), max(1, len(deals) * plays // _BLOCK))
        played = [self._play(deals) for deals in blocks]
        self.returns = np.concatenate([returns for _, returns in played])
        self.turns: list[Turn] = []
        for of_turn in zip(*(found for found, _ in played), strict=True):
            self.turns.append(self._turn(*map(np.concatenate, zip(*of_turn, strict=True))))

    def strategy(self, bot: str | Agent, *, samples: int = 1, seed: int = 0) -> Strategy:
        """What a bot plays in every information state.

        Args:
            bot: the name of a bot, or a bot.
            samples: how many random bits to try, as for ``BotPolicy``.
            seed: random seed of these bits.
        """
        agent = as_agent(bot, self.config)
        bits = random_bits_of(self.config, samples, seed)
        strategy: Strategy = []
        for number, turn in enumerate(self.turns):
            rows = np.arange(len(turn.seats))
            seen: list[Arrays] = []
            for earlier in reversed(self.turns[: number + 1]):
                seen.insert(0, {name: each[rows] for name, each in earlier.seen.items()})
                rows = earlier.before[rows]
            odds = play_probabilities(agent, seen, bits)
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
        return (
            self._mean(self._read(field), lambda turn, _: own[turn]) + 1 / self.config.num_players
        )

    def solve(self) -> Iterator[Strategy]:
        """The average strategies of CFR+ after each iteration, as OpenSpiel's CFRPlusSolver."""
        current = self.strategy("random")
        regrets, totals = ([np.zeros(each.shape) for each in current] for _ in range(2))

        def choose(turn: int, values: FloatArray) -> FloatArray:
            played = current[turn]
            gained = values - (values * played).sum(1, keepdims=True)  # 0 for other seats
            regrets[turn] = np.maximum(regrets[turn] + gained, 0)
            return played

        weight = 0
        while True:
            weight += 1
            for seat in range(self.config.num_players):
                self._value(current, seat, choose)
                reach = np.ones(1)
                for number, turn in enumerate(self.turns):
                    # Before the first turn, there is one information state with one slot.
                    earlier = current[number - 1] if number else np.ones((1, 1))
                    reach = reach[turn.before] * earlier[turn.before, turn.slots]
                    own = weight * (turn.seats == seat) * reach
                    totals[number] += own[:, None] * current[number]
                current = [*map(_normalised, regrets)]
            yield [*map(_normalised, totals)]

    def _read(self, player: Player) -> Strategy:
        return player if isinstance(player, list) else self.strategy(player)

    def _mean(self, field: Strategy, choose: Callable[[int, FloatArray], FloatArray]) -> float:
        seats = range(self.config.num_players)
        return float(np.mean([self._value(field, seat, choose) for seat in seats]))

    def _value(
        self, field: Strategy, seat: int, choose: Callable[[int, FloatArray], FloatArray]
    ) -> float:
        """The mean return of a seat against a strategy in the others.

        ``choose`` maps the number of a turn, and the value of each card in the information states
        of the seat (I, hand), weighted by how often the others let it come there, to its choices.
        """
        seats = range(self.config.num_players)
        reach, of_turns = np.ones(self._num_deals), []
        for turn, shape, odds in zip(self.turns, self._shapes, field, strict=True):
            joint = np.ones(1)  # the probability of the others' cards (N, hand, hand, ...)
            for other in seats:
                where = [len(reach), *(shape[0] if each == other else 1 for each in seats)]
                cards = odds[turn.states[:, other]] if other != seat else np.ones((1, shape[0]))
                joint = joint * cards.reshape([-1, *where[1:]])
            of_turns.append((turn, reach, joint))
            reach = (reach.reshape([-1] + [1] * len(shape)) * joint).ravel()
        values = self.returns[:, seat]
        for number, (turn, reach, joint) in reversed([*enumerate(of_turns)]):
            others = tuple(1 + each for each in seats if each != seat)
            of_cards = (values.reshape(joint.shape) * joint).sum(others)  # (N, hand)
            own = turn.states[:, seat]
            weighted = (reach[:, None] * of_cards).T
            sums = [np.bincount(own, each, len(turn.seats)) for each in weighted]
            values = (of_cards * choose(number, np.stack(sums, 1))[own]).sum(1)
        return float(values.mean())

    def _play(self, deals: Int64Array) -> tuple[list[Any], FloatArray]:
        """All plays of some deals: what ``_turn`` takes, turn by turn, and the returns (N, P).

        A key stands for an information state: a hash of all observations and the seat.
        """
        state, players = self._dealt(deals), self.config.num_players
        keys = np.tile(np.arange(players, dtype=np.uint64), (len(deals), 1))
        found = []
        for shape in self._shapes:
            env = self._env(state)
            seen = {name: each.reshape(-1, each.shape[-1]) for name, each in env.seen.items()}
            observed = seen["observation"].astype(np.uint64) @ self._hash[1:]
            keys = keys * self._hash[0] + observed.reshape(keys.shape)
            known, first = np.unique(keys, return_index=True)
            found.append((keys, known, *(each[first] for each in seen.values())))
            plays = np.indices(shape).reshape(players, -1)  # (P, J) slots
            hands = seen["action_mask"].nonzero()[1].reshape(len(keys), players, -1)
            cards = np.stack([hands[:, seat, slots] for seat, slots in enumerate(plays)], 2)
            again: Any = np.repeat(np.arange(len(keys)), cards.shape[1])
            env = self._env(env.get_state(again))
            _, returns, *_ = env.step(cards.reshape(-1, players))
            state, keys = env.get_state(range(env.num_envs)), keys[again]
        return found, returns

    def _env(self, state: BatchState) -> BatchEnv:
        env = BatchEnv(self.config, len(state.keys), autoreset=False)
        env.reset(seed=0)
        env.set_state(range(env.num_envs), state)
        return env

    def _dealt(self, deals: Int64Array) -> BatchState:
        """The games before their first turns."""
        batch = Batch(self.config, len(deals))
        of_card = [kind == CARD for kind, _ in self._chance.draws]
        batch.games.deck[:] = _completed(deals[:, of_card], self.config.num_cards)
        for round_ in range(self.config.num_rounds):
            drawn = deals[:, [draw == (SCORE_CARD, round_) for draw in self._chance.draws]]
            order = _completed(drawn, len(SCORE_CARDS)) + 1
            batch.games.score_cards[:, round_] = self.config.score_order or order
        kernels.set_up_all(batch.arrays)
        return BatchState(self.config, batch.games, make_keys(0, len(deals)))

    def _turn(self, keys: Any, known: Any, observation: Int8Array, action_mask: Int8Array) -> Turn:
        """The next turn, from the keys (N, P), and those (I,) of its information states."""
        known, first = np.unique(known, return_index=True)
        states, shape = np.searchsorted(known, keys), self._shapes[len(self.turns)]
        seats, nodes, before, slots = np.zeros((4, len(known)), np.int64)
        for seat in range(self.config.num_players):
            seats[states[:, seat]], nodes[states[:, seat]] = seat, np.arange(len(states))
        if self.turns:
            earlier, played = self.turns[-1], self._shapes[len(self.turns) - 1]
            parents, plays = np.divmod(nodes, int(np.prod(played)))
            before = earlier.states[parents, seats]
            slots = np.array(np.unravel_index(plays, played))[seats, np.arange(len(seats))]
        seen = {"observation": observation[first], "action_mask": action_mask[first]}
        actions = seen["action_mask"].nonzero()[1].reshape(len(known), shape[0])
        return Turn(states, seats, before, slots, seen, actions)


def _all_deals(chance: Chance, drawn: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every deal, as the outcomes of all draws; all are equally likely."""
    if len(drawn) == len(chance.draws):
        yield drawn
        return
    for outcome, _ in chance.outcomes(drawn):
        yield from _all_deals(chance, (*drawn, outcome))


def _completed(drawn: Int64Array, size: int) -> Int64Array:
    """The numbers drawn (D, n), and then the other ones below ``size``, ascending (D, size)."""
    is_drawn = np.zeros((len(drawn), size))
    np.put_along_axis(is_drawn, drawn, 1, 1)
    others = is_drawn.argsort(axis=1, kind="stable")[:, : size - drawn.shape[1]]
    return np.concatenate([drawn, others], 1)


def _normalised(weights: FloatArray) -> FloatArray:
    """Probabilities (I, hand) by weights; uniform where all are 0."""
    sums = weights.sum(1, keepdims=True)
    odds: FloatArray = np.where(sums > 0, weights, 1) / np.where(sums > 0, sums, weights.shape[1])
    return odds
