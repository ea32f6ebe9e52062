"""The table as text, from one observation: what one seat sees, and nothing else."""

import numpy as np
import numpy.typing as npt

from mindup_env.cards import COLOURS, OBJECTIVES, card_of
from mindup_env.checks import InputError, check_array
from mindup_env.config import GameConfig, check_config
from mindup_env.game.table import PlayerView, TableView, draw_table
from mindup_env.observation.layout import layout_of


def observation_text(observation: npt.NDArray[np.int8], config: GameConfig) -> str:
    """An observation as text, for a person or a language model that plays the seat.

    Cards are printed numbers (action ``a`` plays card number ``a + 1``), and the players are you,
    you+1, you+2, ... in seat order.

    The text has the round and the turn, the objectives and who meets them, the prizes and who
    played them, every tableau with its scores, and every hand, with ``(?)`` for a card that the
    viewer does not know. After the end there are no hands; the winners are not named.
    """
    return draw_table(observation_table(observation, config))


def observation_table(observation: npt.NDArray[np.int8], config: GameConfig) -> TableView:
    """The table that ``observation_text`` draws."""
    layout = layout_of(check_config(config))
    given = check_array("observation", observation, (layout.size,))
    seen = layout.views(given)
    if not layout.admits(given) or np.count_nonzero(seen["row"]) != config.num_players:
        raise InputError("no game shows this observation")
    hand = _cards_of(seen["hand"])
    round_ = int(seen["round"])
    finished = round_ - 1 if hand else round_
    players = []
    for player in range(config.num_players):
        columns: list[list[int]] = [[] for _ in seen["score_cards"]]
        for card in _cards_of(seen["tableaux"][player]):  # ascending: their order is not observed
            colour = COLOURS.index(card_of(card).colour)
            columns[seen["columns"][player, colour] - 1].append(card)
        known = _cards_of(seen["known"][player])
        hidden: list[int | None] = [None] * int(seen["unknown"][player])
        players.append(
            PlayerView(
                f"you+{player}" if player else "you",
                columns,
                int(seen["running_scores"][player]),
                seen["round_scores"][player, :finished].tolist(),
                known,
                hidden if player else [card for card in hand if card not in known],
            )
        )
    objectives = [
        (OBJECTIVES[index].id, np.flatnonzero(seen["objectives_met"][:, index]).tolist())
        for index in np.flatnonzero(seen["objectives"])
    ]
    played_by = [player - 1 if player else None for player in seen["row_players"].tolist()]
    return TableView(
        config,
        round_,
        int(seen["turn"]),
        (),
        objectives,
        [*zip(_cards_of(seen["row"]), played_by, strict=True)],
        seen["score_cards"].tolist(),
        players,
    )


def _cards_of(marks: npt.NDArray[np.int8]) -> list[int]:
    """The numbers, ascending, of the cards that a part of an observation marks."""
    numbers: list[int] = (np.flatnonzero(marks) + 1).tolist()
    return numbers
