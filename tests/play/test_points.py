"""The parts of each score in the states of a table: they add up to what the rules score."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_env import GameConfig
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from mindup_play.table_state import table_state, turn_state
from tests.play.test_session import play, played_randomly


@settings(max_examples=30, deadline=None)
@given(st.integers(3, 6), st.integers(0, 5), st.integers(0, 2**32))
def test_the_points_of_all_turns_add_up_to_the_scores(
    players: int, objectives: int, seed: int
) -> None:
    config = GameConfig(players, objectives)
    games = played_randomly(config, seed, config.num_turns)
    points = [[0] * players for _ in range(3)]
    for before, after in pairwise(games):
        turn = turn_state(before, after)
        for each in [*turn["plays"], *(turn["last_cards"] or [])]:
            assert each["points"] == each["score_card"] + each["bonus"]
            assert each["score_card"] == before.score_cards[each["column"]]
            points[before.round - 1][each["player"]] += each["points"]
        if turn["last_cards"] is None:
            assert points[before.round - 1] == list(after.running_scores)
    end = games[-1]
    for round_, (scores, columns) in enumerate(
        zip(end.round_scores, table_state(end, None)["round_columns"], strict=True)
    ):
        for score, brought, by_column in zip(
            scores, points[round_], columns["players"], strict=True
        ):
            assert brought == score.colour_points + score.bonus_points
            assert sum(column["points"] for column in by_column) == score.colour_points


@settings(max_examples=30, deadline=None)
@given(st.integers(3, 6), st.integers(0, 5), st.integers(0, 2**32), st.integers(0, 21))
def test_a_score_as_it_stands_is_what_the_end_of_the_round_would_give(
    players: int, objectives: int, seed: int, turns: int
) -> None:
    game = played_randomly(GameConfig(players, objectives), seed, turns)[-1]
    state = table_state(game, None)
    for player, of_player in enumerate(state["players"]):
        now = of_player["round_score"]
        met = [each["points"] for each in state["objectives"] if player in each["met_by"]]
        assert now["objective_points"] == sum(met)
        assert now["colour_points"] == sum(of_player["column_points"])
        if game.over:
            assert now["total"] == game.round_scores[-1][player].total
            assert of_player["total"] == game.scores[player]
        else:
            assert now["total"] == game.running_scores[player] + sum(met)
            assert of_player["total"] == game.scores[player] + now["total"]


def test_the_ranking_follows_the_rules() -> None:
    game = played_randomly(GameConfig(5), 3, 21)[-1]
    ranking = table_state(game, None)["ranking"]
    assert [each["total"] for each in ranking] == sorted(game.scores, reverse=True)
    assert {each["player"] for each in ranking if each["place"] == 1} == set(game.winners)
    assert all(each["behind"] == max(game.scores) - each["total"] for each in ranking)
    assert table_state(played_randomly(GameConfig(5), 3, 20)[-1], None)["ranking"] == []


def test_the_log_has_every_turn() -> None:
    session = Session(PlaySettings(7, opponents=("lowest",)))
    play(session, 8)
    log = session.log()
    assert [(turn["round"], turn["turn"]) for turn in log] == [
        *((1, turn) for turn in range(1, 7)),
        *((2, turn) for turn in range(1, 3)),
    ]
    assert log[-1] == session.table_state()["last_turn"]
    assert [turn["last_cards"] is not None for turn in log] == [turn == 5 for turn in range(8)]
