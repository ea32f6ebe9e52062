"""A person's game with bots: its settings, the state of its table, its bots."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_env import Game, GameConfig
from mindup_play.bots import BotError
from mindup_play.saved import SavedGames
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from mindup_play.table_state import table_state, turn_state
from tests.play import bots
from tests.play.tables import play_to
from tests.review.games import random_turns

# The state of a table

CONFIGS = st.builds(GameConfig, st.integers(3, 6), st.integers(0, 5))


@settings(max_examples=30)
@given(CONFIGS, st.integers(0, 2**32))
def test_the_points_of_all_turns_add_up_to_the_scores(config: GameConfig, seed: int) -> None:
    players = config.num_players
    games = random_turns(Game(config, seed=seed), config.num_turns, seed)
    brought = [[0] * players for _ in range(3)]
    for before, after in pairwise(games):
        turn, table = turn_state(before, after), table_state(before, None)
        for place, play in enumerate(turn["plays"]):
            brings = table["row"][place]["brings"][play["player"]]
            assert play | brings == play, "what the prize would bring is what it brings"
        for each in [*turn["plays"], *(turn["last_cards"] or [])]:
            assert each["points"] == each["score_card"] + each["bonus"]
            brought[before.round - 1][each["player"]] += each["points"]
        if turn["last_cards"] is None:
            assert brought[before.round - 1] == list(after.running_scores)
        for player, of_player in enumerate(table["players"]):
            now = of_player["round_score"]
            met = [each["points"] for each in table["objectives"] if player in each["met_by"]]
            assert now["objective_points"] == sum(met)
            assert now["colour_points"] == sum(of_player["column_points"])
            assert now["total"] == before.running_scores[player] + sum(met)
            assert of_player["total"] == before.scores[player] + before.running_scores[player]
    table = table_state(games[-1], None)
    for round_, scores in enumerate(games[-1].round_scores):
        for player, score in enumerate(scores):
            assert brought[round_][player] == score.colour_points + score.bonus_points
            columns = table["round_columns"][round_]["players"][player]
            assert sum(column["points"] for column in columns) == score.colour_points
    assert [each["total"] for each in table["ranking"]] == sorted(games[-1].scores, reverse=True)
    first = [each["player"] for each in table["ranking"] if each["place"] == 1]
    assert sorted(first) == sorted(games[-1].winners)


# Bots


def test_hints_are_what_the_bot_plays_there() -> None:
    session = Session(PlaySettings(7, opponents=("greedy",), hints="greedy"))
    twin = play_to(Session(PlaySettings(7, seat=1, opponents=("greedy",))), 1)
    hint = session.hint()
    assert hint is not None
    card, evaluation, _ = hint.result()
    assert card == twin.game.plays[0][0] and evaluation is not None
    assert sorted(map(int, evaluation["values"])) == list(session.game.hand(0))
    play_to(session)
    assert session.hint() is None


def test_a_failing_hint_bot_does_not_stop_the_game() -> None:
    session = play_to(Session(PlaySettings(7, opponents=("lowest",), hints=bots.FAILING)), 1)
    hint = session.hint()
    assert hint is not None
    with pytest.raises(BotError, match="out of ideas"):
        hint.result()
    assert play_to(session).game.over


def test_a_resumed_game_continues_exactly(tmp_path: Path) -> None:
    """The predictor learns from what was played."""
    opponents = ("predictor", "random", "search:worlds=8")
    whole = play_to(Session(PlaySettings(3, 4, 1, 2, opponents, "predictor")), 13)
    games = SavedGames(tmp_path)
    games.save(game_id := games.new_id(), whole)
    found = games.read(game_id)
    later = Session(found.settings, found.game.plays)
    assert later.settings == whole.settings and later.game == whole.game
    assert play_to(later).record() == play_to(whole).record()
