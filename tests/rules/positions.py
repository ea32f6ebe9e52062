"""Tables laid out as a test wants them, without playing up to them."""

from collections.abc import Sequence

import numpy as np

from mindup_env import OBJECTIVES, OFFICIAL_DECK, GameConfig
from mindup_env.cards import COLOURS, card_of
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch
from mindup_env.engine.state import NOTHING, NUM_COLUMNS

Columns = Sequence[Sequence[int]]  # five columns of card numbers, left to right


def position(
    config: GameConfig,
    tableaux: Sequence[Columns],
    score_cards: Sequence[int] = (1, 2, 3, 4, 5),
    objectives: Sequence[str] = (),
) -> Batch:
    """One game in round 1 with these tableaux; its hands, points and log stay empty."""
    _check(config, tableaux, score_cards, objectives)
    batch = Batch(config, 1)
    games = batch.games
    games.score_cards[0, 0] = score_cards
    ids = [objective.id for objective in OBJECTIVES]
    games.objectives[0, 0] = [ids.index(shown) for shown in objectives]
    games.columns[0] = games.played[0] = games.taken[0] = NOTHING
    for seat, columns in enumerate(tableaux):
        for place, column in enumerate(columns):
            for number in column:
                colour = COLOURS.index(card_of(number).colour)
                games.columns[0, seat, colour] = place
                games.tableaux[0, seat] |= 1 << (number - 1)
    return batch


def laid_out(*tableaux: str) -> list[Columns]:
    """Tableaux of official cards from texts like "2 pink, 1 blue": their columns, left to right."""
    # From the highest number down: a set of high cards needs a word of more than 32 bits.
    left = {
        colour: [card.number for card in OFFICIAL_DECK if card.colour == colour]
        for colour in COLOURS
    }
    laid: list[Columns] = []
    for text in tableaux:
        columns: list[list[int]] = []
        for column in text.split(", ") if text else []:
            number, colour = column.split()
            columns.append([left[colour].pop() for _ in range(int(number))])
        laid.append(columns + [[]] * (NUM_COLUMNS - len(columns)))
    return laid


def objectives_met(batch: Batch, seat: int) -> set[str]:
    """Of all objectives there are, shown or not, those that ``seat`` meets."""
    known, met, ranks = np.zeros((3, 1, batch.config.num_players), np.int64)
    kernels.read_seats(batch.arrays, known, met, ranks)
    bits = int(met[0, seat])
    assert bits >> len(OBJECTIVES) == 0, "bits that stand for no objective are set"
    return {objective.id for index, objective in enumerate(OBJECTIVES) if (bits >> index) & 1}


def _check(
    config: GameConfig,
    tableaux: Sequence[Columns],
    score_cards: Sequence[int],
    objectives: Sequence[str],
) -> None:
    """A table that no play could reach would test nothing."""
    assert len(tableaux) == config.num_players
    assert sorted(score_cards) == [1, 2, 3, 4, 5]
    assert len(objectives) == config.num_objectives
    numbers = [number for columns in tableaux for column in columns for number in column]
    assert len(set(numbers)) == len(numbers), "a card lies twice"
    for columns in tableaux:
        assert len(columns) == NUM_COLUMNS
        used = [column for column in columns if column]
        assert list(columns[: len(used)]) == used, "columns fill from the left"
        colours = [{card_of(number).colour for number in column} for column in used]
        assert all(len(column) == 1 for column in colours), "a column holds one colour"
        assert len(set().union(*colours)) == len(used), "a colour lies in one column"
