"""The rules of a game: the number of players, rounds, objectives and cards; and small games."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property, partial
from typing import Any

from mindup_env.cards import (
    COLOURS,
    MAX_OBJECTIVES,
    NUM_OBJECTIVES,
    OBJECTIVES,
    OFFICIAL_DECK,
    Card,
)
from mindup_env.checks import InputError, as_list, check_entries, check_int, shown, suggestion

MIN_PLAYERS = 2
MAX_PLAYERS = 6
SCORE_CARDS = (1, 2, 3, 4, 5)
"""Their number is part of compiled code."""
ScoreOrder = tuple[int, int, int, int, int]
OPTION_FIELDS = {
    "players": "num_players",
    "objectives": "num_objectives",
    "rounds": "num_rounds",
    "hand_size": "hand_size",
    "cards": "num_cards",
}
"""The fields of a config that are numbers, by the names of their options."""


@dataclass(frozen=True)
class GameConfig:
    """The rules of a game. The defaults are the published game for four players.

    The rulebook has 3 to 6 players, 3 rounds and first hands of 7; two players, other lengths
    and fewer cards are for study. A config that cannot be played raises a ValueError.

    Attributes:
        num_players: number of players, 2 to 6.
        num_objectives: number of objectives shown at a time, 0 to 5.
        num_rounds: number of rounds.
        hand_size: number of cards in a hand of the first round; each later round has one more.
        num_cards: number of cards in the deck, the first ones of ``OFFICIAL_DECK``, enough for all
            hands and rows; it is also the number of actions.
        score_order: the score cards above the columns, left to right, the same in every round, such
            as (2, 4, 1, 5, 3); drawn for each round if None.
    """

    num_players: int = 4
    num_objectives: int = 0
    num_rounds: int = 3
    hand_size: int = 7
    num_cards: int = len(OFFICIAL_DECK)
    score_order: ScoreOrder | None = None

    def __post_init__(self) -> None:
        for name, low, high in (
            ("num_players", MIN_PLAYERS, MAX_PLAYERS),
            ("num_objectives", 0, MAX_OBJECTIVES),
            ("num_rounds", 1, None),
            ("hand_size", 2, None),
            ("num_cards", 1, len(OFFICIAL_DECK)),
        ):
            value = check_int(name, getattr(self, name), low, high)
            object.__setattr__(self, name, value)
        if self.score_order is not None:
            order = as_list("score_order", self.score_order)
            order = [check_int("a value of score_order", value) for value in order]
            if sorted(order) != [*SCORE_CARDS]:
                raise InputError(f"score_order must have each of {SCORE_CARDS} once, not {order}")
            object.__setattr__(self, "score_order", tuple(order))
        self._check_enough_cards()
        self._check_scores_fit()

    @property
    def deck(self) -> tuple[Card, ...]:
        """The cards of the game, ascending."""
        return OFFICIAL_DECK[: self.num_cards]

    @cached_property
    def num_turns(self) -> int:
        """Number of turns in a game: a round ends when each hand has one card left."""
        return sum(map(self.turns_of, range(1, self.num_rounds + 1)))

    def turns_of(self, round_: int) -> int:
        """Number of turns in a round, from 1: one less than cards in a hand when it begins."""
        return self.hand_size + round_ - 2

    @property
    def largest_hand(self) -> int:
        """Number of cards in a hand of the last round, and in its tableau."""
        return self.hand_size + self.num_rounds - 1

    @property
    def objectives_renewed(self) -> bool:
        """Whether each round has new objectives: with one or two. Three to five stay."""
        return self.num_objectives in (1, 2)

    @cached_property
    def round_score_bounds(self) -> tuple[int, int]:
        """Bounds of every score of a round, at its end and before."""
        cards = self.largest_hand
        points = sorted(card.points for card in self.deck)
        low = sum(min(value, 0) for value in points[:cards])
        high = sum(max(value, 0) for value in points[-cards:])
        counts = sorted(sum(card.colour == colour for card in self.deck) for colour in COLOURS)
        for score_card, count in zip(reversed(SCORE_CARDS), reversed(counts), strict=True):
            high += score_card * min(count, cards)
            cards -= min(count, cards)
        largest_objective = max(abs(objective.points) for objective in OBJECTIVES)
        swing = self.num_objectives * largest_objective
        return low - swing, high + swing

    def to_dict(self) -> dict[str, Any]:
        """The config as plain data for JSON."""
        order = self.score_order
        return {**asdict(self), "score_order": None if order is None else list(order)}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> "GameConfig":
        """The config that ``to_dict`` saved, checked; missing fields have their defaults."""
        check_entries("a config", plain, (), (field.name for field in fields(cls)))
        return cls(**plain)

    def _check_enough_cards(self) -> None:
        players = self.num_players
        rounds = self.num_rounds
        total = players * (self.hand_size + rounds)  # also for the row, and for later hands
        if total > self.num_cards:
            raise InputError(
                f"{players} players with first hands of {self.hand_size} over {rounds} rounds need "
                f"{total} cards, but the deck has {self.num_cards}"
            )
        needed = self.num_objectives * rounds
        # With two per round, the last two that are left could have the same letter.
        available = NUM_OBJECTIVES - (self.num_objectives - 1)
        if self.objectives_renewed and needed > available:
            raise InputError(
                f"num_objectives={self.num_objectives} over {rounds} rounds needs {needed} "
                f"different objectives, but only {available} of {NUM_OBJECTIVES} are always usable"
            )

    def _check_scores_fit(self) -> None:
        low, high = self.round_score_bounds
        if low < -128 or high > 127:
            raise InputError(
                f"a round could score from {low} to {high} points, but a score must fit an int8 "
                "(-128 to 127): use smaller hands or fewer rounds"
            )


def check_config(config: Any) -> GameConfig:
    """Refuses everything but a GameConfig."""
    if not isinstance(config, GameConfig):
        raise InputError(f"config must be a GameConfig, such as GameConfig(4), not {shown(config)}")
    return config


def refuse_other_config(name: str, config: GameConfig, own: GameConfig) -> None:
    """Refuses ``config``, that of ``name``, unless it is the config here."""
    if config != own:
        differences = []
        for field, value in asdict(own).items():
            theirs = getattr(config, field)
            if theirs != value:
                differences.append(f"{field} is {theirs}, not {value}")
        raise InputError(f"{name} has another config: {', '.join(differences)}")


_small = partial(GameConfig, num_rounds=1, hand_size=2, score_order=(2, 4, 1, 5, 3))
VARIANTS = {
    "2p-1t": _small(2, num_cards=7),
    "3p-1t": _small(3, num_cards=10),
    "2p-2t": _small(2, hand_size=3, num_cards=9),
    "2p-2r": _small(2, num_rounds=2, num_cards=8),
}
"""Small games with names, in which best responses and equilibria can be computed exactly.

``2p-1t`` has two players and one turn. ``2p-2r`` has two rounds, of one turn and of two: the prizes
of the first are the hands of the second.
"""


def game_of(players: int, objectives: int, game: str | None) -> GameConfig:
    """The game of a command with the options ``--players``, ``--objectives`` and ``--game``."""
    if game is None:
        return GameConfig(players, objectives)
    if game not in VARIANTS:
        raise InputError(f"unknown game {shown(game)}{suggestion(game, VARIANTS)}")
    usual = GameConfig()
    if (players, objectives) != (usual.num_players, usual.num_objectives):
        raise InputError(f"the game {game} has its own players and objectives: leave these out")
    return VARIANTS[game]
