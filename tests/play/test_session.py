"""A person's game with bots: its settings, hidden cards, points, bots with memory."""

import asyncio
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
from mindup_env.cards import OBJECTIVE_INDEX, OBJECTIVES
from mindup_play.bots import BotChoice, BotError, in_background, wait_for_background
from mindup_play.saved import SavedGames
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from mindup_play.table_state import table_state, turn_state
from tests.play.tables import SETTINGS, resumed, run
from tests.review.games import random_turns
from tools.browser import TIMEOUT

OPPONENTS = ("predictor", "random", "search:worlds=8")


def play(session: Session, turns: int) -> Session:
    for _ in range(turns):
        run(session.bots_chose())
        session.play(session.game.hand(session.settings.seat)[-1])
    return session


def hint_of(session: Session) -> BotChoice:
    pending = session.hint()
    assert pending is not None
    return pending.result()


def played_randomly(config: GameConfig, seed: int, turns: int) -> list[Game]:
    """The games before each turn and after the last."""
    return random_turns(Game(config, seed=seed), turns, seed)


# Settings


def test_bots_sit_after_the_person_and_have_distinct_names() -> None:
    settings = PlaySettings(1, players=5, seat=3, opponents=("greedy", "search:worlds=8"))
    search = "search:worlds=8"
    assert settings.bots == {4: "greedy", 0: search, 1: "greedy", 2: search}
    assert settings.names == ["search 1", "greedy 2", "search 2", "You", "greedy 1"]
    names = PlaySettings(1, players=3, opponents=("greedy", "lowest")).names
    assert names == ["You", "greedy", "lowest"]


def test_the_command_deals_the_same_game() -> None:
    settings = PlaySettings(9, 5, 2, 1, ("search:models=random,time_limit=0", "mine:B b"))
    words = shlex.split(settings.command or "")
    assert words[:2] == ["mindup", "play"]
    given = dict(zip(words[2::2], words[3::2], strict=True))
    names = ("seed", "players", "objectives", "seat")
    seed, players, objectives, seat = (int(given[f"--{name}"]) for name in names)
    bots = split_specs(given["--opponents"])
    assert PlaySettings(seed, players, objectives, seat, bots) == settings


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"seat": 4}, "seat must be 0 to 3, not 4"),
        ({"seed": 2**64}, "seed must be 0 to 18446744073709551615"),
        ({"opponents": ()}, "opponents must be names of bots"),
        ({"opponents": ("greedy", 1)}, "opponents must be names of bots"),
        ({"hints": ""}, "hints must be the name of a bot"),
        ({"secret_seed": 1}, "secret_seed must be true or false"),
    ],
)
def test_invalid_settings_are_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PlaySettings(**{"seed": 1, **values})  # type: ignore[arg-type]


# The state of a table


def test_a_table_state_holds_the_table() -> None:
    session = play(Session(SETTINGS), 6)
    table, game = session.table_state(), session.game
    assert [part["total"] for part in table["round_scores"][0]] == list(game.scores)
    play(session, 1)
    table, game = session.table_state(), session.game
    assert [place["prize"] for place in table["row"]] == list(game.row)
    for player, state in enumerate(table["players"]):
        assert [tuple(column) for column in state["tableau"]] == list(game.tableau(player))
        assert state["known"] == list(game.known(player))
        assert len(state["known"]) + len(state["hidden"]) == len(game.hand(player))
        met = sum(OBJECTIVES[OBJECTIVE_INDEX[id_]].points for id_ in game.objectives_met(player))
        assert state["total"] == game.scores[player] + game.running_scores[player] + met
    assert {*table["players"][0]["known"], *table["players"][0]["hidden"]} == set(game.hand(0))
    plays = table["last_turn"]["plays"]
    assert [each["card"] for each in plays] == sorted(game.plays[-1])
    assert all(game.plays[-1][each["player"]] == each["card"] for each in plays)


# Points: the parts add up to what the rules score


@settings(max_examples=30)
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
    rounds = zip(games[-1].round_scores, table_state(games[-1], None)["round_columns"], strict=True)
    for brought_in_round, (scores, columns) in zip(points, rounds, strict=True):
        parts = zip(scores, brought_in_round, columns["players"], strict=True)
        for score, brought, by_column in parts:
            assert brought == score.colour_points + score.bonus_points
            assert sum(column["points"] for column in by_column) == score.colour_points


@settings(max_examples=30)
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
    *_, before, game = played_randomly(GameConfig(5), 3, 21)
    ranking = table_state(game, None)["ranking"]
    assert [each["total"] for each in ranking] == sorted(game.scores, reverse=True)
    assert {each["player"] for each in ranking if each["place"] == 1} == set(game.winners)
    assert all(each["behind"] == max(game.scores) - each["total"] for each in ranking)
    assert table_state(before, None)["ranking"] == []


# Bots


def test_hints_are_what_the_bot_plays_there() -> None:
    session = Session(PlaySettings(7, opponents=("greedy",), hints="greedy"))
    twin = Session(PlaySettings(7, seat=1, opponents=("greedy",)))
    twin.play(twin.game.hand(1)[0])
    hint = hint_of(session)
    assert hint.card == twin.game.plays[0][0] and hint.evaluation is not None
    values = hint.evaluation.values
    assert max(values, key=values.__getitem__) == hint.card
    assert sorted(values) == list(session.game.hand(0))
    assert Session(SETTINGS).hint() is None
    without = Session(PlaySettings(7, opponents=("greedy",), hints="highest"))
    assert hint_of(without).evaluation is None


def test_a_failing_hint_bot_does_not_stop_the_game() -> None:
    failing = "tests.play.bots:Failing"
    session = play(Session(PlaySettings(7, opponents=("lowest",), hints=failing)), 1)
    with pytest.raises(BotError, match="out of ideas"):
        hint_of(session)
    play(session, 20)
    assert session.hint() is None and not any(map(any, session.record()["evaluations"]))


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
    play(session, 1)

    async def twice() -> list[Any]:
        waiting = session.bots_chose(), session.bots_chose()
        return [*await asyncio.gather(*waiting, return_exceptions=True)]

    for error in run(twice()):
        assert isinstance(error, BotError) and "out of ideas" in str(error)
    assert run(twice()) == [None, None]
    failing: Any = session._bots[2].agent
    assert failing.asked == 3, "in the first turn, when it failed, and once again"
    records = play(session, 20).record(), play(twin, 21).record()
    assert [record.pop("names")[1] for record in records] == ["predictor", "predictor"]
    assert records[0] == records[1]


def test_a_resumed_game_continues_exactly(tmp_path: Path) -> None:
    """The predictor learns from what was played."""
    whole = play(Session(PlaySettings(3, 4, 1, 2, OPPONENTS, "predictor")), 13)
    games = SavedGames(tmp_path)
    games.save(game_id := games.new_id(), whole)
    later = resumed(games, game_id)
    assert later.settings == whole.settings and later.game == whole.game
    assert play(later, 8).record() == play(whole, 8).record()


def test_a_record_holds_the_evaluations_of_the_bots() -> None:
    session = play(Session(PlaySettings(3, opponents=("greedy", "lowest"))), 21)
    record = json.loads(json.dumps(session.record()))
    assert Game.replay(record) == session.game
    you, greedy, lowest, _ = record["evaluations"][9]
    assert you is None and lowest is None
    assert greedy["unit"] == "expected points"
    assert sorted(map(int, greedy["values"])) == list(Game.replay(record, turns=9).hand(1))


@pytest.mark.parametrize(
    ("bot", "turns", "message"),
    [
        ("tests.play.bots:Failing", 1, "Failing at seat 1 failed: RuntimeError: out of ideas"),
        # No hand is named.
        ("tests.play.bots:Cheating", 0, "seat 1 chose a card that is not in its hand: [0-9]+$"),
    ],
)
def test_a_bot_that_fails_is_named_and_changes_nothing(bot: str, turns: int, message: str) -> None:
    session = play(Session(PlaySettings(1, opponents=(bot,))), turns)
    for _ in range(2):
        with pytest.raises(BotError, match=message):
            play(session, 1)
    assert session.turns_played == turns
