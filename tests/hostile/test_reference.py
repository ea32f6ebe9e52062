"""The engine against the game written literally from the rules, in many games at once."""

from collections.abc import Iterable

import numpy as np
import pytest
from numpy.random import Generator

from mindup_env import Game, GameConfig
from mindup_env.cards import numbers_of
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, make_keys
from mindup_env.objectives import OBJECTIVE_INDEX
from tests.hostile.strategies import attack, configs, randoms
from tests.reference_game import ReferenceGame
from tests.rules.test_against_reference import assert_same_past, assert_same_table, reference_of

GAMES = 50


@pytest.mark.slow
@attack(60, config=configs, random=randoms)
def test_the_engine_plays_as_the_rules_say(config: GameConfig, random: Generator) -> None:
    batch = Batch(config, GAMES)
    kernels.deal_all(batch.arrays, make_keys(int(random.integers(2**63)), GAMES))
    references = [reference_of(Game._of(batch.pick([g]))) for g in range(GAMES)]
    compare(batch, references)
    while not references[0].over:
        cards = [choose(reference, random) for reference in references]
        kernels.play_all(batch.arrays, np.array(cards, np.int8) - 1)
        for reference, turn in zip(references, cards, strict=True):
            reference.play(turn)
        compare(batch, references)
    for g, reference in enumerate(references):
        game = Game._of(batch.pick([g]))
        assert_same_table(game, reference)
        assert_same_past(game, reference)


def choose(reference: ReferenceGame, random: Generator) -> list[int]:
    return [sorted(hand)[int(random.random() * len(hand))] for hand in reference.hands]


def compare(batch: Batch, references: list[ReferenceGame]) -> None:
    """The same hands, known cards, prizes, tableaux and points; at times also the objectives."""
    games, players = batch.games, batch.config.num_players
    known, met, ranks = np.zeros((3, GAMES, players), np.int64)
    kernels.read_seats(batch.arrays, known, met, ranks)
    points = games.points.sum(axis=1).sum(axis=2, dtype=int).tolist()
    hands, known_sets, rows = games.hands.tolist(), known.tolist(), (games.row + 1).tolist()
    tableaux = games.tableaux.tolist()
    for g, reference in enumerate(references):
        seats = reference.seats
        assert [set(numbers_of(hands[g][seat])) for seat in seats] == reference.hands
        assert [set(numbers_of(known_sets[g][seat])) for seat in seats] == reference.known
        assert rows[g] == reference.row
        placed = [{card for column in tableau for card in column} for tableau in reference.tableaux]
        assert [set(numbers_of(tableaux[g][seat])) for seat in seats] == placed
        running = [0] * players if reference.over else reference.running_scores
        totals = [sum(pair) for pair in zip(reference.scores, running, strict=True)]
        assert points[g] == totals
    for g in range(0, GAMES, 10):
        shown = set_of(references[g].shown_objectives)
        for seat, ids in enumerate(references[g].objectives_met):
            assert int(met[g, seat]) & shown == set_of(ids)


def set_of(ids: Iterable[str]) -> int:
    return sum(1 << OBJECTIVE_INDEX[id_] for id_ in ids)
