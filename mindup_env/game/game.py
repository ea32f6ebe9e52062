"""One game to play, copy, save and replay."""

import secrets
from collections.abc import Iterable, Mapping
from typing import Any, Self

import numpy as np

from mindup_env.checks import as_list, check_entries, check_int, shown
from mindup_env.config import GameConfig, check_config
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, make_keys
from mindup_env.files import content_errors_name
from mindup_env.game.deal import Deal
from mindup_env.game.record import FORMAT, SAVED, VERSION, read_record
from mindup_env.game.table import table_text
from mindup_env.game.view import GameView


class Game(GameView):
    """A game of Mind Up! Cards are printed numbers, players 0, 1, 2, ...

    The cards depend on seed, slot and episode alone. ``str(game)`` is the table as text, with all
    hands open; ``GameView`` has what can be read. Only one thread may use a game at a time.

    Args:
        config: the rules; the published game for four players if None.
        seed: 0 to 2**64 - 1; a random seed if None.
        slot: the place that the game would have in a batch.
        episode: how many games the slot played before.
    """

    def __init__(
        self,
        config: GameConfig | None = None,
        seed: int | None = None,
        *,
        slot: int = 0,
        episode: int = 0,
    ) -> None:
        seed = secrets.randbits(64) if seed is None else seed
        super().__init__(Batch(check_config(GameConfig() if config is None else config), 1))
        kernels.deal_all(self._batch.arrays, make_keys(seed, 1, slot, episode))

    @classmethod
    def from_deal(
        cls,
        config: GameConfig,
        deck: Iterable[int],
        score_orders: Iterable[Iterable[int]],
        objectives: Iterable[Iterable[str]] | None = None,
    ) -> Self:
        """A game with the given cards.

        Args:
            config: the rules.
            deck: all card numbers in the order in which they are drawn; see ``Deal``.
            score_orders: for each round the values above the columns, left to right.
            objectives: for each round the ids of the objectives shown; none if None.
        """
        return cls._begin(config, Deal.of(check_config(config), deck, score_orders, objectives))

    @classmethod
    def _of(cls, batch: Batch) -> Self:
        """The game that is the only one of ``batch``, which is not copied."""
        game = cls.__new__(cls)
        GameView.__init__(game, batch)
        return game

    @classmethod
    def _begin(cls, config: GameConfig, deal: Deal) -> Self:
        """The game of a deal that was checked for ``config``."""
        game = cls._of(Batch(config, 1))
        deal.write(game._games, 0)
        kernels.set_up_all(game._batch.arrays)
        return game

    def play(self, cards: Iterable[int]) -> None:
        """Plays one turn. A card that is not in the hand is refused, and nothing changes.

        Args:
            cards: the card number of player 0, of player 1, ...
        """
        cards = as_list("the cards of a turn", cards)
        self._check_playable(cards)
        kernels.play_all(self._batch.arrays, np.array([cards], np.int8) - 1)

    def _check_playable(self, cards: list[Any]) -> None:
        if self.over:
            raise ValueError("the game is over: no more cards can be played")
        if len(cards) != self.config.num_players:
            raise ValueError(
                f"a turn takes {self.config.num_players} cards, one of each player in seat order, "
                f"not {len(cards)}"
            )
        for player, card in enumerate(cards):
            hand = self.hand(player)
            if check_int(f"the card of player {player}", card) not in hand:
                raise ValueError(
                    f"player {player} cannot play card {card}, which is not in the hand: {hand}"
                )

    def copy(self) -> Self:
        """An independent copy."""
        return self._of(self._batch.pick([0]))

    __copy__ = copy

    def __deepcopy__(self, _memo: dict[int, Any]) -> Self:
        return self.copy()

    def to_dict(self) -> dict[str, Any]:
        """The game as plain data for JSON: its config, its deal and the cards played.

        Raises:
            ValueError: if the game is from ``belief.sample``, so that its past is unknown.
        """
        plays = [list(turn) for turn in self.plays]
        if any(0 in turn for turn in plays):
            raise ValueError("the past of a game from belief.sample is unknown: it cannot be saved")
        return {"config": self.config.to_dict(), "deal": self.deal.to_dict(), "plays": plays}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """The game that ``to_dict`` saved; every turn is checked against the rules."""
        check_entries("a saved game", plain, SAVED)
        config = GameConfig.from_dict(plain["config"])
        game = cls._begin(config, Deal.from_dict(config, plain["deal"]))
        plays = as_list("plays", plain["plays"])
        for turn, cards in enumerate(plays, start=1):
            with content_errors_name(f"turn {turn} of {len(plays)}"):
                game.play(cards)
        return game

    def record(self) -> dict[str, Any]:
        """The game and its result so far, as versioned plain data to keep and to share."""
        saved, result = self.to_dict(), self._result()
        return {"format": FORMAT, "version": VERSION, **saved, "result": result}

    @classmethod
    def replay(cls, record: Mapping[str, Any], turns: int | None = None) -> Self:
        """Plays a recorded game again and checks it against the rules and its result.

        Args:
            record: what ``record`` returned.
            turns: how many turns to play; all of them if None.
        """
        saved, result = read_record(record)
        plays = as_list("plays", saved["plays"])
        game = cls.from_dict({**saved, "plays": plays})
        played = game._result()
        check_entries("the result of a record", result, played)
        for name, value in played.items():
            if result[name] != value:
                raise ValueError(
                    f"the record states {name} {shown(result[name])}, but its plays lead to "
                    f"{value!r}"
                )
        if turns is None:
            return game
        check_int("turns", turns, 0, len(plays))
        return cls.from_dict({**saved, "plays": plays[:turns]})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.config == other.config and all(
            map(np.array_equal, self._batch.arrays[1], other._batch.arrays[1])
        )

    __hash__ = None  # type: ignore[assignment]  # a game changes as it is played

    def __str__(self) -> str:
        return table_text(self)

    def _result(self) -> dict[str, Any]:
        return {
            "over": self.over,
            "round_scores": [[score.to_dict() for score in round_] for round_ in self.round_scores],
            "scores": list(self.scores),
            "winners": list(self.winners),
        }
