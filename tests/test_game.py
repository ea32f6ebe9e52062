"""A game as a person plays it and looks at it, also as text."""

import re
from typing import Any

import pytest

from mindup_env import Game, GameConfig
from mindup_env.game import RoundScore
from mindup_env.game.table import table_text
from tests.scripted_game import CONFIG, PLAYS, scripted

FIRST_TABLEAUX = (((50,), (12,), (1,), (), ()), ((10, 2), (40,), (), (), ()))
LAST_TABLEAUX = (((30,), (3,), (2,), (12,), ()), ((20,), (60, 1), (40,), (), ()))


def hands(game: Game) -> list[tuple[int, ...]]:
    return [game.hand(0), game.hand(1)]


def test_at_the_start() -> None:
    game = scripted()
    assert (game.config, game.round, game.turn, game.over) == (CONFIG, 1, 1, False)
    assert game.row == (10, 50) and game.score_cards == (2, 4, 1, 5, 3)
    assert hands(game) == [(1, 12, 30), (2, 20, 40)]
    assert game.known(0) == () and game.known(1) == ()
    assert game.tableau(0) == game.tableau(1) == ((), (), (), (), ())
    assert game.scores == game.running_scores == (0, 0)
    assert game.round_scores == () and game.plays == () and game.winners == () == game.ranks
    assert (game.objectives, game.objectives_met(0)) == (("three_colours",), ())


def test_within_a_round() -> None:
    game = scripted(1)
    assert (game.round, game.turn, game.row, game.plays) == (1, 2, (2, 12), PLAYS[:1])
    assert hands(game) == [(1, 30), (20, 40)]
    assert game.tableau(0) == ((50,), (), (), (), ()) and game.tableau(1)[0] == (10,)
    assert game.scores == (0, 0) and game.running_scores == (2 + 1, 2 + 2)


def test_when_the_second_round_begins() -> None:
    game = scripted(2)
    assert (game.round, game.turn, game.over) == (2, 1, False)
    assert (game.row, game.score_cards) == ((20, 30), (5, 4, 3, 2, 1))
    assert hands(game) == [(1, 12, 50, 60), (2, 3, 10, 40)]
    assert (game.known(0), game.known(1)) == ((1, 12, 50), (2, 10, 40))
    assert game.tableau(0) == ((), (), (), (), ()) and game.round_tableaux == (FIRST_TABLEAUX,)
    assert game.round_scores == ((RoundScore(7, 0, 2), RoundScore(8, 3, 0)),)
    assert game.round_objectives == ({"three_colours": (0,)},)
    assert game.scores == (9, 11) and game.running_scores == (0, 0)
    assert game.objectives == game.objectives_met(0) == ("purple_most",)
    assert scripted(3).known(0) == (1, 12, 50), "60, which was drawn, was never known"
    assert scripted(4).known(0) == (12, 50)


def test_when_it_is_over() -> None:
    game = scripted(5)
    assert (game.round, game.turn, game.over) == (2, 3, True)
    assert (hands(game), game.known(0), game.known(1)) == ([(), ()], (), ())
    assert (game.tableau(0), game.tableau(1)) == LAST_TABLEAUX
    assert game.round_tableaux == (FIRST_TABLEAUX, LAST_TABLEAUX)
    assert game.round_scores[1] == (RoundScore(14, 1, 0), RoundScore(16, -1, -2))
    assert [score.total for score in game.round_scores[1]] == [15, 13]
    assert game.round_objectives == ({"three_colours": (0,)}, {"purple_most": (1,)})
    assert game.running_scores == (15, 15) and game.scores == (24, 24)
    assert (game.winners, game.ranks) == ((0,), (0, 1)), "a tie goes to the better last round"
    assert (game.objectives_met(0), game.objectives_met(1)) == ((), ("purple_most",))
    assert game.row == (10, 50) and game.plays == PLAYS


def test_seed_slot_and_episode_decide_the_cards() -> None:
    assert Game().config == GameConfig()
    assert Game() != Game(), "without a seed every game is another"
    assert Game(CONFIG, 7) == Game(CONFIG, seed=7, slot=0, episode=0)
    places: list[dict[str, Any]] = [{}, {"slot": 1}, {"episode": 1}, {"slot": 1, "episode": 1}]
    decks = {Game(CONFIG, seed, **place).deal.deck for seed in (7, 8) for place in places}
    assert len(decks) == 8


@pytest.mark.parametrize(
    ("name", "last"), [("seed", 2**64 - 1), ("slot", 2**32 - 1), ("episode", 2**32 - 1)]
)
def test_the_range_of_seeds_slots_and_episodes(name: str, last: int) -> None:
    def game(value: Any) -> Game:
        return Game(CONFIG, **{"seed": 1, name: value})

    assert game(0) != game(last)
    for value in (-1, last + 1):
        with pytest.raises(ValueError, match=f"{name} must be 0 to {last}, not {value}"):
            game(value)


@pytest.mark.parametrize("config", [0, {"num_players": 3}, Game], ids=repr)
def test_a_game_is_made_from_a_config(config: Any) -> None:
    deal = Game(CONFIG, seed=1).deal
    for make in (Game, lambda config: Game.from_deal(config, deal)):
        message = f"such as GameConfig(4), not {config!r}"
        with pytest.raises(ValueError, match=re.escape(message)):
            make(config)


@pytest.mark.parametrize(
    ("turns", "cards", "message"),
    [
        (0, [12, 60], r"player 1 .*card 60\b.* hand has 2, 20, 40$"),
        (0, [1, 256 + 2], r"player 1 .*card 258\b.* hand has 2, 20, 40$"),
        (1, [12, 20], r"player 0 .*card 12\b.* hand has 1, 30$"),
        (0, [12], "2 cards, .*not 1"),
        (0, [12, "20"], "card of player 1 must be a whole number, not '20'"),
        (0, {12, 2}, "cards of a turn must be a list, not {"),
        (5, [50, 10], "game is over"),
    ],
)
def test_a_refused_play_changes_nothing(turns: int, cards: Any, message: str) -> None:
    game = scripted(turns)
    with pytest.raises(ValueError, match=message):
        game.play(cards)
    assert game == scripted(turns)


@pytest.mark.parametrize("ask", [Game.hand, Game.known, Game.tableau, Game.objectives_met])
def test_players_are_counted_from_0(ask: Any) -> None:
    for player in (-1, 2):
        with pytest.raises(ValueError, match=f"player must be 0 to 1, not {player}"):
            ask(scripted(), player)
    with pytest.raises(ValueError, match="viewer must be 0 to 1, not 2"):
        table_text(scripted(), viewer=2)


def test_games_compare_by_all_that_was_dealt_and_played_and_have_no_hash() -> None:
    assert Game(CONFIG, seed=1) != Game(CONFIG, seed=2)
    assert Game(GameConfig(2), seed=1) != Game(GameConfig(2, num_cards=59), seed=1)
    assert scripted() != "a game"
    with pytest.raises(TypeError, match="unhashable"):
        hash(scripted())


# As text


def test_a_game_in_one_line() -> None:
    assert repr(scripted(3)) == "<Game of 2 players: round 2, turn 2, scores (9, 11)>"
    assert repr(scripted(5)) == "<Game of 2 players: over, won by (0,), scores (24, 24)>"


STARTED = """\
Mind Up!  round 1 of 2, turn 2 of 2

objectives
+2   cards of three colours, no more, no fewer   met by nobody

prizes      2 pink     12 green
played by   player 1   player 0

score cards   [2]          [4]   [1]   [5]   [3]   in this tableau   finished rounds
player 0      purple 50+   .     .     .     .     3                 0
player 1      pink 10++    .     .     .     .     4                 0

hand of 0   (1-) (30)
hand of 1   (20) (40+)
( ) only its owner knows   + ++ - bonus or malus of a card"""

FINISHED = """\
Mind Up!  the game is over: player 0 won

objectives
-2   nobody has more purple cards than you   met by 1
"""


def test_a_game_as_text() -> None:
    assert str(scripted(1)) == STARTED
    assert "played by   from the deck   from the deck" in str(scripted())
    text = str(scripted(5))
    assert text.startswith(FINISHED) and "hand" not in text
    assert re.search(r"player 1 +purple 20 +orange 60- 1- +blue 40\+ +\. +\. +15 +24\n?", text)


def test_text_for_a_viewer_hides_what_the_viewer_does_not_know() -> None:
    for turns, viewer, hand_lines in (
        (0, 1, ["hand of 0   (?) (?) (?)", "hand of 1   (2) (20) (40+)"]),
        (2, 1, ["hand of 0   1- 12 50+ (?)", "hand of 1   2 10++ 40+ (3+)"]),
        (2, 0, ["hand of 0   1- 12 50+ (60-)", "hand of 1   2 10++ 40+ (?)"]),
    ):
        assert table_text(scripted(turns), viewer).splitlines()[-3:-1] == hand_lines
