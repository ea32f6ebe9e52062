"""The rulebooks' worked example, played: score cards 2-4-1-5-3, 24 points, 25 with the bonuses."""

import pytest

from mindup_env import OFFICIAL_DECK, Deal, Game, GameConfig
from mindup_env.game import RoundScore
from mindup_env.game.view import Tableau

THREE_PLAYERS = GameConfig(num_players=3)
SCORE_ORDERS = ((2, 4, 1, 5, 3), (1, 2, 3, 4, 5), (5, 4, 3, 2, 1))

# Player 0 always plays the lowest card and so takes the lowest prize: the first of the row at
# first, and from then on the own card of the turn before. The card of the last turn of choice is
# therefore never taken back; a card kept in hand until the end is.
LOWEST_OF_ALL = 1
OTHERS_HANDS = (
    (45, 46, 47, 48, 49, 50, 51),
    (52, 53, 54, 55, 56, 57, 58),
)
OTHER_PRIZES = (59, 60)


def table_for(taken: tuple[int, ...], kept: int) -> Game:
    """A table at which player 0 can take these six cards in this order, and keep the last one."""
    first_prize, *played = taken
    dealt = [*played, LOWEST_OF_ALL, kept]
    for hand in OTHERS_HANDS:
        dealt.extend(hand)
    dealt.extend((first_prize, *OTHER_PRIZES))
    rest = [card.number for card in OFFICIAL_DECK if card.number not in dealt]
    return Game.from_deal(THREE_PLAYERS, Deal((*dealt, *rest), SCORE_ORDERS, ((), (), ())))


def play_round(game: Game, taken: tuple[int, ...]) -> list[int]:
    """Plays round 1; answers the running score of player 0 after each turn but the last."""
    running = []
    for turn, card in enumerate([*taken[1:], LOWEST_OF_ALL]):
        game.play([card, *(hand[turn] for hand in OTHERS_HANDS)])
        running.append(game.running_scores[0])
    return running[:-1]  # then a new round has begun


def test_worked_example() -> None:
    taken, kept = (7, 13, 17, 22, 8, 30), 31
    game = table_for(taken, kept)
    assert game.row == (7, 59, 60)
    assert game.score_cards == (2, 4, 1, 5, 3)

    assert play_round(game, taken) == [
        2 - 1,  # 7 purple -1, first column
        1 + 4 - 1,  # 13 blue -1, second
        4 + 1 + 1,  # 17 green +1, third
        6 + 2 + 2,  # 22 purple +2, first
        10 + 5 + 0,  # 8 orange, fourth
    ]

    assert game.round == 2
    assert game.round_tableaux[0][0] == ((7, 22), (13,), (17,), (8, 30, 31), ())
    score = game.round_scores[0][0]
    assert score == RoundScore(colour_points=24, bonus_points=1, objective_points=0)
    assert score.total == game.scores[0] == 25


def test_the_others_at_the_example_table() -> None:
    taken = (7, 13, 17, 22, 8, 30)
    game = table_for(taken, kept=31)
    play_round(game, taken)
    # They too take their own cards of the turn before, and leave 50 and 57 in the row.
    assert game.round_tableaux[0][1:] == (
        ((59, 51), (45, 46), (47, 49), (48,), ()),
        ((60, 53), (52, 54), (55,), (56,), (58,)),
    )
    assert game.round_scores[0][1:] == (
        RoundScore(2 * 2 + 2 * 4 + 2 * 1 + 5, (0 + 2) + (2 + 1) + (0 + 0) - 1, 0),
        RoundScore(2 * 2 + 2 * 4 + 1 + 5 + 3, (-1 + 0) + (1 - 1) + 0 + 1 + 1, 0),
    )


def test_tableau_and_first_draw_make_the_second_hand() -> None:
    taken = (7, 13, 17, 22, 8, 30)
    game = table_for(taken, kept=31)
    play_round(game, taken)
    assert game.known(0) == (7, 8, 13, 17, 22, 30, 31)
    assert set(game.hand(0)) == {*game.known(0), 2}  # 2 is the lowest card that was not dealt
    assert game.row == (LOWEST_OF_ALL, 50, 57)
    assert game.tableau(0) == ((), (), (), (), ())


@pytest.mark.parametrize(
    ("taken", "kept", "tableau", "colour_points", "bonus_points"),
    [
        pytest.param(
            (7, 13, 17, 22, 8, 30), 2, ((7, 22), (13,), (17,), (8, 30), (2,)), 22, 1,
            id="a fifth colour goes into the last column",
        ),
        pytest.param(
            (7, 13, 17, 22, 9, 20), 31, ((7, 22, 9, 20), (13,), (17,), (31,), ()), 18, 2,
            id="a fourth colour goes into the leftmost empty column, not the last",
        ),
        pytest.param(
            (7, 11, 20, 22, 26, 35), 13, ((7, 11, 20, 22, 26, 35), (13,), (), (), ()), 16, 1,
            id="a second colour goes beside the first",
        ),
        pytest.param(
            (7, 13, 17, 22, 8, 30), 9, ((7, 22, 9), (13,), (17,), (8, 30), ()), 21, 2,
            id="a known colour goes into its column, here the first",
        ),
        pytest.param(
            (7, 13, 17, 22, 8, 30), 12, ((7, 22), (13,), (17, 12), (8, 30), ()), 20, 1,
            id="a known colour goes into its column, here the third",
        ),
    ],
)  # fmt: skip
def test_card_kept_in_hand_is_placed_by_the_same_rule(
    taken: tuple[int, ...], kept: int, tableau: Tableau, colour_points: int, bonus_points: int
) -> None:
    game = table_for(taken, kept)
    play_round(game, taken)
    assert game.round_tableaux[0][0] == tableau
    assert game.round_scores[0][0] == RoundScore(colour_points, bonus_points, 0)
