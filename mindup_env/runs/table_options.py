"""The options of a command that make up a game."""

from argparse import ArgumentTypeError
from typing import Self

from mindup_env.cards import MAX_CARDS, OFFICIAL_DECK, Deck
from mindup_env.config import MAX_PLAYERS, MIN_PLAYERS, GameConfig
from mindup_env.objectives import MAX_OBJECTIVES
from mindup_env.settings.declaration import option, settings

_MAX_ROUNDS = MAX_CARDS // MIN_PLAYERS  # each round deals a card to every player
_MAX_HAND = MAX_CARDS // MIN_PLAYERS


def read_deck(path: str) -> Deck:
    """Reads a deck from the file that a command line names."""
    try:
        return Deck.from_csv(path)
    except OSError as error:
        raise ArgumentTypeError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None


@settings
class TableOptions:
    """The options of a command that make up the game's config."""

    players: int = option(
        "players at each table",
        default=GameConfig.num_players,
        low=MIN_PLAYERS,
        high=MAX_PLAYERS,
        metavar="P",
    )
    objectives: int = option(
        "objectives shown together",
        default=GameConfig.num_objectives,
        low=0,
        high=MAX_OBJECTIVES,
        metavar="N",
    )
    rounds: int = option(
        "rounds of each game", default=GameConfig.num_rounds, low=1, high=_MAX_ROUNDS, metavar="N"
    )
    hand_size: int = option(
        "cards in a hand of the first round",
        default=GameConfig.hand_size,
        low=2,
        high=_MAX_HAND,
        metavar="N",
    )
    deck: Deck = option(
        "CSV file of the number cards, with the columns number, colour, points",
        default=OFFICIAL_DECK,
        metavar="FILE",
        reader=read_deck,
    )

    @property
    def config(self) -> GameConfig:
        return GameConfig(self.players, self.objectives, self.rounds, self.hand_size, self.deck)

    @classmethod
    def of(cls, config: GameConfig) -> Self:
        """The options that make up a config."""
        players, objectives, rounds = config.num_players, config.num_objectives, config.num_rounds
        return cls(players, objectives, rounds, config.hand_size, config.deck)
