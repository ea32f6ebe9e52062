"""One game to play, read, copy, save and replay."""

import secrets
from collections.abc import Iterable, Mapping
from typing import Any, Self

import numpy as np

from mindup_env.checks import (
    InputError,
    as_list,
    check_entries,
    check_int,
    check_type,
    illegal_card,
)
from mindup_env.config import GameConfig, check_config
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch
from mindup_env.engine.keys import make_keys
from mindup_env.game.deal import Deal
from mindup_env.game.table import table_text
from mindup_env.game.view import GameView

FORMAT = "mindup-record-1"


class Game(GameView):
    """A game of Mind Up! Cards are printed numbers, players 0, 1, 2, ...

    The cards depend on seed, slot and episode alone. ``str(game)`` is the table with all hands
    open. Only one thread may use a game at a time.

    Args:
        config: the rules; the published game for four players if None.
        seed: 0 to 2**64 - 1; a random seed if None.
        slot: the index that the game would have in a batch.
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
        config = check_config(GameConfig() if config is None else config)
        super().__init__(Batch.dealt(config, make_keys(seed, 1, slot, episode)))

    @classmethod
    def from_deal(cls, config: GameConfig, deal: Deal | Mapping[str, Any]) -> Self:
        """The game of a deal, or of its ``to_dict()``; one against the rules is refused."""
        check_config(config)
        deal = Deal.from_dict(vars(deal) if isinstance(deal, Deal) else deal)
        deal.check(config)
        batch = Batch.empty(config, 1)
        deal.write(batch.games, 0)
        kernels.set_up_all(batch.rules, batch.games)
        return cls.holding(batch)

    @classmethod
    def from_batch(cls, batch: Batch, index: int = 0) -> Self:
        """A copy of one game of a batch, as ``BatchEnv.get_state`` returns it."""
        checked = check_type("batch", batch, Batch).checked()
        return cls.holding(checked.pick([check_int("index", index, 0, len(checked) - 1)]))

    @classmethod
    def holding(cls, batch: Batch) -> Self:
        """The game of a batch of one, which is neither checked nor copied."""
        game = cls.__new__(cls)
        GameView.__init__(game, batch)
        return game

    def to_batch(self) -> Batch:
        """A batch with a copy of the game."""
        return self._batch.pick([0])

    def play(self, cards: Iterable[int]) -> None:
        """Plays one turn: the card numbers of player 0, of player 1, ...

        A card that is not in the hand is refused, and nothing changes.
        """
        cards = as_list("the cards of a turn", cards)
        if self.over:
            raise InputError("the game is over: no more cards can be played")
        players = self.config.num_players
        if len(cards) != players:
            raise InputError(
                f"a turn takes {players} cards, one of each player in seat order, not {len(cards)}"
            )
        for player, card in enumerate(cards):
            hand = self.hand(player)
            if check_int(f"the card of player {player}", card) not in hand:
                raise illegal_card(f"player {player}", card, hand)
        batch = self._batch
        kernels.play_all(batch.rules, batch.games, np.array([cards], np.int8) - 1)

    def copy(self) -> Self:
        """An independent copy."""
        return self.holding(self.to_batch())

    __copy__ = copy

    def record(self) -> dict[str, Any]:
        """Plain data for JSON: ``format``, ``config``, ``deal``, ``plays`` and ``result``."""
        if not self.past_is_known:
            raise InputError("the past of a game from belief.sample is unknown: it has no record")
        return {
            "format": FORMAT,
            "config": self.config.to_dict(),
            "deal": self.deal.to_dict(),
            "plays": [list(turn) for turn in self.plays],
            "result": {"scores": list(self.scores), "winners": list(self.winners)},
        }

    @classmethod
    def replay(cls, record: Mapping[str, Any], turns: int | None = None) -> Self:
        """Plays a recorded game again and checks it against the rules and its result.

        The game that is returned has ``turns`` turns; all of them if None.
        """
        if not isinstance(record, Mapping) or record.get("format") != FORMAT:
            raise InputError(f"not a record of a game: 'format' must be {FORMAT!r}")
        # Other entries belong to other programs.
        entries = "format", "config", "deal", "plays", "result"
        plain = {name: record[name] for name in entries if name in record}
        check_entries("a record", plain, entries)
        plays = as_list("plays", plain["plays"])
        turns = len(plays) if turns is None else check_int("turns", turns, 0, len(plays))
        game = cls.from_deal(GameConfig.from_dict(plain["config"]), plain["deal"])
        wanted = game.copy()
        for turn, cards in enumerate(plays, start=1):
            try:
                game.play(cards)
            except InputError as error:
                raise InputError(f"turn {turn} of {len(plays)}: {error}") from None
            if turn == turns:
                wanted = game.copy()
        result = game.record()["result"]
        if plain["result"] != result:
            told = f"the record has the result {plain['result']!s:.200}, but its plays lead to"
            raise InputError(f"{told} {result}")
        return wanted

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        _, *own = self._batch.fields  # games of different keys can be equal
        _, *others = other._batch.fields
        return self.config == other.config and all(map(np.array_equal, own, others))

    __hash__ = None  # type: ignore[assignment]  # a game changes as it is played

    def __str__(self) -> str:
        return table_text(self)
