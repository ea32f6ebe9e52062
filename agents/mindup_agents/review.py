"""The review of a game: what every choice cost, and what each seat was worth.

Every choice is valued by win probability, from what its seat could know at that moment, by the
evaluation of the bot ``champion`` (with two players ``search``). The cards of a hand are compared
in the same worlds. The bot itself drops the worse cards on the way. Here, the worlds of the first
part play all cards of the hand, and those of the second part only two: the card that was best in
the first part, and the card that was played. So the second part says how much better the one is
than the other without the bias of choosing the highest of several means. All worlds say how often
these two would take each prize.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import Any, NamedTuple, Self

import numpy as np

from mindup_agents.champion import Champion
from mindup_agents.search import Search
from mindup_env import Game
from mindup_env.agent import ActArguments
from mindup_env.checks import check_int
from mindup_env.engine.state import Float64Array, Int64Array
from mindup_env.observation.seen import observe_game

Chance = Callable[[float], float]
WORLDS = 1280
QUANTILE = 2.576  # of 99 % intervals: few choices among equal cards of a game are mistakes
LEAST_MISTAKE = 0.005  # a smaller difference would be shown as 0 %, and may come from rounding


class ComparedWorlds(NamedTuple):
    """One decision in sampled worlds. Cards count from 0."""

    cards: tuple[int, ...]  # of the hand, ascending
    all_cards: Float64Array  # (first worlds, cards) win probabilities
    best: int  # the card with the highest mean of these
    best_and_played: Float64Array  # (second worlds, 2) win probabilities
    opponents: Int64Array  # (worlds, opponents) the cards that they play

    def prize_probabilities(self, card: int) -> tuple[float, ...]:
        """How often a card takes each prize of the row, the lowest first."""
        places = (self.opponents < card).sum(axis=1)
        counts = np.bincount(places, minlength=self.opponents.shape[1] + 1)
        return tuple((counts / len(places)).tolist())


def compare_cards(
    search: Search, given: ActArguments, played: Sequence[int]
) -> list[ComparedWorlds]:
    """Compares the cards of each row (B), which has a choice, with the card played there.

    The observations are those of each turn in order. A quarter of the worlds play all cards.
    """
    found = []
    for world in search.decisions(search.read(given)):
        cards = world.cards
        end = search.worlds // 4
        values = np.zeros((search.worlds, given.action_mask.shape[1]))
        search.evaluate(world, (0, end), cards, values)
        first = values[:end].take(cards, axis=1)
        best = cards[int(first.mean(axis=0).argmax())]
        pair = [best, played[world.g]]
        search.evaluate(world, (end, search.worlds), pair, values)
        second = values[end:].take(pair, axis=1)
        opponents = world.first_cards[:, 1:]
        found.append(ComparedWorlds(tuple(cards), first, best, second, opponents))
    return found


class Choice(NamedTuple):
    """A decision of one seat. Win probabilities are those that it could estimate then."""

    turn: int  # turns played before
    seat: int
    played: int  # card numbers
    best: int
    win_probability: float  # with the best card
    cost: float  # how much more the best card wins than the card played, on average
    margin: float  # half the width of the 99 % interval of the cost
    values: dict[int, float]  # the win probability of each card of the hand
    prizes: dict[int, tuple[float, ...]]  # how often the two cards take each prize of the row

    @property
    def is_mistake(self) -> bool:
        """Whether the interval of the cost excludes 0."""
        return self.cost - self.margin > 0 and self.cost >= LEAST_MISTAKE

    @classmethod
    def of(
        cls, compared: ComparedWorlds, played: int, turn: int, seat: int, chance: Chance = float
    ) -> Self:
        """The choice of the card ``played`` (from 0) at a seat; see ``Search.chance``."""
        best = compared.best
        second = compared.best_and_played
        differences = second[:, 0] - second[:, 1]
        win_probability = float(second[:, 0].mean())
        # A card keeps the distance to the best one that it had where both were played.
        means = compared.all_cards.mean(axis=0)
        shifted = means - means[compared.cards.index(best)] + win_probability
        values = dict(zip(compared.cards, shifted.tolist(), strict=True))
        values[played] = float(second[:, 1].mean())
        cost = chance(win_probability) - chance(values[played])
        slope = cost / (differences.mean() or 1)  # of chances by values, here
        return cls(
            turn=turn,
            seat=seat,
            played=played + 1,
            best=best + 1,
            win_probability=chance(win_probability),
            cost=cost,
            margin=float(slope * QUANTILE * differences.std(ddof=1)) / sqrt(len(differences)),
            values={card + 1: chance(value) for card, value in values.items()},
            prizes={card + 1: compared.prize_probabilities(card) for card in (played, best)},
        )

    def to_dict(self) -> dict[str, Any]:
        """The choice as plain data for JSON."""
        return {**_rounded(self._asdict()), "mistake": self.is_mistake}


@dataclass(frozen=True)
class GameReview:
    """What every choice of a game cost, and what its seats were worth."""

    seed: int  # of the worlds
    worlds: int  # per decision
    unit: str  # of all values: a chance to win, or what the cards are compared by
    choices: tuple[Choice, ...]  # of all seats, turn by turn
    deal: tuple[float, ...]  # the win probability that each seat could estimate at first
    win_shares: tuple[float, ...] | None  # of the players; None if the game is not over

    @property
    def costs(self) -> list[float]:
        """What all choices of each player cost together, mistakes or not."""
        costs = [0.0] * len(self.deal)
        for choice in self.choices:
            costs[choice.seat] += choice.cost
        return costs

    def to_dict(self) -> dict[str, Any]:
        """The review as plain data for JSON."""
        choices = [choice.to_dict() for choice in self.choices]
        plain: dict[str, Any] = _rounded({**vars(self), "choices": choices, "costs": self.costs})
        return plain


def _rounded(value: Any) -> Any:
    """Plain data for JSON, where floats have four digits."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, (list, tuple)):
        return [*map(_rounded, value)]
    if isinstance(value, dict):
        return {str(name): _rounded(each) for name, each in value.items()}
    return value


def review_game(
    games: Sequence[Game],
    *,
    seed: int = 0,
    worlds: int = WORLDS,
    on_progress: Callable[[float], None] = lambda _: None,
) -> GameReview:
    """Reviews a game.

    Args:
        games: the game before its first turn, and after each turn.
        seed: random seed of the worlds; the review depends on nothing else but the game.
        worlds: worlds per decision.
        on_progress: called with the part that is done, from 0 to 1; it may raise an error to stop.
    """
    check_int("seed", seed, 0, 2**64 - 1)
    check_int("worlds", worlds, 8)
    config = games[0].config
    kind = Search if config.num_players == 2 else Champion
    bot = kind(config)
    search = kind(config, worlds=worlds)
    seen = _seen(games[0], seed, 0)
    bot.act(*seen)
    unit, values = bot.evaluate_cards()
    deal = values.max(axis=1, where=seen.action_mask != 0, initial=0)
    choices: list[Choice] = []
    for index, (before, after) in enumerate(pairwise(games)):
        on_progress(index / (len(games) - 1))
        played = [card - 1 for card in after.plays[-1]]
        compared = compare_cards(search, _seen(before, seed, index), played)
        choices += [
            Choice.of(found, played[seat], len(after.plays) - 1, seat, search.chance)
            for seat, found in enumerate(compared)
        ]
    on_progress(1.0)
    players = range(config.num_players)
    winners = games[-1].winners
    return GameReview(
        seed,
        worlds,
        unit,
        tuple(choices),
        tuple(deal.tolist()),
        tuple((seat in winners) / len(winners) for seat in players) if winners else None,
    )


def _seen(game: Game, seed: int, index: int) -> ActArguments:
    """What all seats see before a turn.

    The random bits are the same for all of them: a review does not depend on where a player sits.
    """
    bits = np.random.default_rng([seed, index]).integers(0, 2**64, dtype=np.uint64)
    rows = game.config.num_players
    return ActArguments(
        **observe_game(game),
        episode_start=np.full(rows, index == 0),
        random_bits=np.full(rows, bits),
    )
