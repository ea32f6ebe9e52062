"""A person's game with bots: its settings, the state of its table, its bots."""

import json
import shlex
from itertools import pairwise
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_env import Game, GameConfig
from mindup_env.agent import split_specs
from mindup_play.bots import BotChoice, BotError, in_background, wait_for_background
from mindup_play.saved import SavedGames
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from mindup_play.table_state import table_state, turn_state
from tests.play.bots import FailingOnce
from tests.play.tables import SETTINGS, at_once, play_to, play_to_the_end, resumed
from tests.review.games import random_turns
from tools.browser import TIMEOUT

FAILING = "tests.play.bots:Failing"


def hint_of(session: Session) -> BotChoice:
    pending = session.hint()
    assert pending is not None
    return pending.result()


# Settings


def test_bots_sit_after_the_person_and_have_distinct_names() -> None:
    search = "search:worlds=8"
    settings = PlaySettings(1, players=5, seat=3, opponents=("greedy", search))
    assert settings.bots == {4: "greedy", 0: search, 1: "greedy", 2: search}
    assert settings.names == ["search 1", "greedy 2", "search 2", "You", "greedy 1"]


def test_the_command_deals_the_same_game() -> None:
    settings = PlaySettings(9, 5, 2, 1, ("search:models=random,time_limit=0", "mine:B b"))
    mindup, play, *words = shlex.split(settings.command)
    assert (mindup, play) == ("mindup", "play")
    given = dict(zip(words[::2], words[1::2], strict=True))
    opponents = split_specs(given.pop("--opponents"))
    numbers: dict[str, Any] = {name[2:]: int(value) for name, value in given.items()}
    assert PlaySettings(**numbers, opponents=opponents) == settings


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"seat": 4}, "seat must be 0 to 3, not 4"),
        ({"seed": 2**64}, "seed must be 0 to 18446744073709551615"),
        ({"opponents": ()}, "must be names of bots"),
        ({"opponents": ("greedy", 1)}, "must be names of bots"),
        ({"hints": ""}, "must be names of bots"),
    ],
)
def test_invalid_settings_are_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PlaySettings(**{"seed": 1, **values})


# The state of a table


def test_a_table_state_holds_the_table() -> None:
    session = play_to(Session(SETTINGS), 7)
    table, game = session.table_state(), session.game
    assert [place["prize"] for place in table["row"]] == list(game.row)
    for player, state in enumerate(table["players"]):
        assert [tuple(column) for column in state["tableau"]] == list(game.tableau(player))
        assert state["known"] == list(game.known(player))
        assert len(state["known"]) + len(state["hidden"]) == len(game.hand(player))
    assert {*table["players"][0]["known"], *table["players"][0]["hidden"]} == {*game.hand(0)}
    played = {each["player"]: each["card"] for each in table["last_turn"]["plays"]}
    assert [played[player] for player in range(4)] == list(game.plays[-1])


CONFIGS = st.builds(GameConfig, st.integers(3, 6), st.integers(0, 5))


@settings(max_examples=30)
@given(CONFIGS, st.integers(0, 2**32))
def test_the_points_of_all_turns_add_up_to_the_scores(config: GameConfig, seed: int) -> None:
    players = config.num_players
    games = random_turns(Game(config, seed=seed), config.num_turns, seed)
    brought = [[0] * players for _ in range(3)]
    for before, after in pairwise(games):
        turn = turn_state(before, after)
        for each in [*turn["plays"], *(turn["last_cards"] or [])]:
            assert each["points"] == each["score_card"] + each["bonus"]
            brought[before.round - 1][each["player"]] += each["points"]
        if turn["last_cards"] is None:
            assert brought[before.round - 1] == list(after.running_scores)
    table = table_state(games[-1], None)
    for round_, scores in enumerate(games[-1].round_scores):
        for player, score in enumerate(scores):
            assert brought[round_][player] == score.colour_points + score.bonus_points
            columns = table["round_columns"][round_]["players"][player]
            assert sum(column["points"] for column in columns) == score.colour_points
    assert [each["total"] for each in table["ranking"]] == sorted(games[-1].scores, reverse=True)
    assert {each["player"] for each in table["ranking"] if each["place"] == 1} == {
        *games[-1].winners
    }


@settings(max_examples=30)
@given(CONFIGS, st.integers(0, 2**32), st.integers(0, 20))
def test_a_score_as_it_stands_is_what_the_end_of_the_round_would_give(
    config: GameConfig, seed: int, turns: int
) -> None:
    game = random_turns(Game(config, seed=seed), turns, seed)[-1]
    state = table_state(game, None)
    for player, of_player in enumerate(state["players"]):
        now = of_player["round_score"]
        met = [each["points"] for each in state["objectives"] if player in each["met_by"]]
        assert now["objective_points"] == sum(met)
        assert now["colour_points"] == sum(of_player["column_points"])
        assert now["total"] == game.running_scores[player] + sum(met)
        assert of_player["total"] == game.scores[player] + now["total"]


# Bots


def test_hints_are_what_the_bot_plays_there() -> None:
    session = Session(PlaySettings(7, opponents=("greedy",), hints="greedy"))
    twin = play_to(Session(PlaySettings(7, seat=1, opponents=("greedy",))), 1)
    card, evaluation = hint_of(session)
    assert card == twin.game.plays[0][0] and evaluation is not None
    values = {int(card): value for card, value in evaluation["values"].items()}
    assert max(values, key=values.__getitem__) == card
    assert sorted(values) == list(session.game.hand(0))
    play_to_the_end(session)
    assert session.record()["evaluations"][0][0] == evaluation and session.hint() is None
    assert Session(SETTINGS).hint() is None


def test_a_failing_hint_bot_does_not_stop_the_game() -> None:
    session = play_to(Session(PlaySettings(7, opponents=("lowest",), hints=FAILING)), 1)
    with pytest.raises(BotError, match="out of ideas"):
        hint_of(session)
    assert play_to_the_end(session).game.over


def test_the_end_of_the_program_waits_for_bots() -> None:
    go_on = Event()
    chosen = in_background(go_on.wait)
    wait_for_background(0)
    assert not chosen.done()
    go_on.set()
    wait_for_background(TIMEOUT)
    assert chosen.done()


def test_after_a_failure_only_the_missing_choices_are_made_and_once() -> None:
    """Asked again, the predictor would learn twice from the same turn."""
    bots = [("predictor", bot, "lowest") for bot in ("tests.play.bots:FailingOnce", "lowest")]
    session, twin = (Session(PlaySettings(3, opponents=opponents)) for opponents in bots)
    with pytest.raises(BotError, match="out of ideas"):
        play_to(session, 2)
    assert at_once(session.bots_chose(), session.bots_chose()) == [None, None]
    failing = session._bots[2].agent
    assert isinstance(failing, FailingOnce) and failing.asked == 3, "once in the first turn"
    assert play_to_the_end(session).game == play_to_the_end(twin).game


def test_a_resumed_game_continues_exactly(tmp_path: Path) -> None:
    """The predictor learns from what was played."""
    opponents = ("predictor", "random", "search:worlds=8")
    whole = play_to(Session(PlaySettings(3, 4, 1, 2, opponents, "predictor")), 13)
    games = SavedGames(tmp_path)
    games.save(game_id := games.new_id(), whole)
    later = resumed(games, game_id)
    assert later.settings == whole.settings and later.game == whole.game
    assert play_to_the_end(later).record() == play_to_the_end(whole).record()


def test_a_record_holds_the_evaluations_of_the_bots() -> None:
    session = play_to_the_end(Session(PlaySettings(3, opponents=("greedy", "lowest"))))
    record = json.loads(json.dumps(session.record()))
    assert Game.replay(record) == session.game
    you, greedy, lowest, _ = record["evaluations"][9]
    assert you is None and lowest is None and greedy["unit"] == "expected points"
    assert sorted(map(int, greedy["values"])) == list(session.games[9].hand(1))


@pytest.mark.parametrize(
    ("bot", "turns", "message"),
    [
        (FAILING, 1, "Failing at seat 1 failed: RuntimeError: out of ideas"),
        # No hand is named.
        ("tests.play.bots:Cheating", 0, "seat 1 chose a card that is not in its hand: [0-9]+$"),
    ],
)
def test_a_bot_that_fails_is_named_and_changes_nothing(bot: str, turns: int, message: str) -> None:
    session = play_to(Session(PlaySettings(1, opponents=(bot,))), turns)
    with pytest.raises(BotError, match=message):
        play_to(session, turns + 1)
    assert session.turns_played == turns
