"""The engine against a game written literally from the rules, compared after every turn."""

import random

import pytest

from mindup_env import Game, GameConfig
from tests.reference_game import ReferenceGame

OFFICIAL = [
    GameConfig(num_players=players, num_objectives=objectives)
    for players in range(2, 7)
    for objectives in range(6)
]
UNUSUAL = [
    GameConfig(num_players=2, num_rounds=1, hand_size=2),
    GameConfig(num_players=3, num_rounds=5, hand_size=3, num_objectives=2),
    GameConfig(num_players=2, num_rounds=6, hand_size=2, num_objectives=1),
    GameConfig(num_players=4, num_rounds=2, hand_size=9, num_objectives=5),
    GameConfig(num_players=6, num_rounds=4, hand_size=5, num_objectives=3),
]


def name(config: GameConfig) -> str:
    return "-".join(
        f"{value}{what}"
        for value, what in (
            (config.num_players, "players"),
            (config.num_objectives, "objectives"),
            (config.num_rounds, "rounds"),
            (config.hand_size, "cards"),
        )
    )


@pytest.mark.parametrize("config", OFFICIAL + UNUSUAL, ids=name)
def test_engine_and_reference_agree_after_every_turn(config: GameConfig) -> None:
    choices = random.Random(name(config))
    for seed in range(60):
        game = Game(config, seed)
        reference = reference_of(game)
        assert_same_table(game, reference)
        while not reference.over:
            cards = [choices.choice(sorted(hand)) for hand in reference.hands]
            game.play(cards)
            reference.play(cards)
            assert_same_table(game, reference)
        assert_same_past(game, reference)


def reference_of(game: Game) -> ReferenceGame:
    config, deal = game.config, game.deal
    return ReferenceGame(
        {card.number: (card.colour, card.points) for card in config.deck},
        config.num_players,
        config.hand_size,
        config.num_rounds,
        deal.deck,
        deal.score_orders,
        deal.objectives,
    )


def assert_same_table(game: Game, reference: ReferenceGame) -> None:
    assert game.over == reference.over
    assert (game.round, game.turn) == (reference.round, reference.turn)
    assert list(game.row) == reference.row
    assert game.score_cards == reference.score_cards
    assert set(game.objectives) == set(reference.shown_objectives)
    assert list(game.running_scores) == reference.running_scores
    assert list(game.scores) == reference.scores
    assert list(game.winners) == reference.winners
    known, objectives_met = reference.known, reference.objectives_met  # counted at each access
    for player in range(game.config.num_players):
        assert list(game.hand(player)) == sorted(reference.hands[player])
        assert list(game.known(player)) == sorted(known[player])
        assert [list(column) for column in game.tableau(player)] == reference.tableaux[player]
        assert set(game.objectives_met(player)) == objectives_met[player]


def assert_same_past(game: Game, reference: ReferenceGame) -> None:
    parts = [
        [{**score._asdict(), "total": score.total} for score in round_]
        for round_ in game.round_scores
    ]
    assert parts == reference.round_scores
    tableaux = [
        [[list(column) for column in tableau] for tableau in round_]
        for round_ in game.round_tableaux
    ]
    assert tableaux == reference.round_tableaux
    met = [
        {id_: set(players) for id_, players in round_.items()} for round_ in game.round_objectives
    ]
    assert met == reference.round_objectives
