"""``mindup watch``: games of bots alone, recorded games and training runs."""

import argparse
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mindup_agents.champion_1 import policy_file
from mindup_env import Game, GameConfig
from mindup_play.session_manager import StaleRequestError
from mindup_play.watch import command
from mindup_play.watch.command import seat_names, seated_specs
from mindup_play.watch.insights import PrizeForecast
from mindup_play.watch.tables import BotsGames, BotsTable, WatchedGame
from tests.play.bots import Slow

CONFIG = GameConfig(num_players=3)
SLOW = "tests.play.bots:Slow"


def started(specs: list[str], warnings: list[str] | None = None) -> BotsTable:
    warn = print if warnings is None else warnings.append
    table = BotsTable(specs, seat_names(specs), CONFIG, 7, warn)
    table.start()
    return table


def games_of(specs: list[str], seed: int) -> BotsGames:
    return BotsGames(partial(BotsTable, specs, seat_names(specs), CONFIG, warn=print), seed)


def finished(table: BotsTable) -> dict[str, Any]:
    while not (state := table.table(0))["tables"][-1]["over"] and state["failed"] is None:
        pass
    return state


# The table


def test_bots_play_a_whole_game_and_say_what_they_make_of_it() -> None:
    state = finished(started(["planner", "champion-1", "lowest"]))
    assert len(state["tables"]) == 22 and state["num_turns"] == 21
    assert state["names"] == ["planner", "champion-1", "lowest"]
    assert len(state["evaluations"]) == len(state["details"]) == 21
    for turn in range(21):
        points, policy, nothing = state["evaluations"][turn]
        hand = state["tables"][turn]["players"][0]
        assert set(points["values"]) == {str(card) for card in hand["known"] + hand["hidden"]}
        assert sum(policy["values"].values()) == pytest.approx(1, abs=0.01) and nothing is None
        features = [each["features"] for each in state["details"][turn]]
        assert [len(each) for each in features] == [0, 5, 0]
        moved = [each["moved"] for each in features[1]]
        assert moved == sorted(moved, reverse=True) and 0 <= moved[0] <= 1


def test_a_game_is_asked_for_turn_by_turn() -> None:
    table = started(["greedy", "lowest", "greedy"])
    whole = finished(table)
    assert whole["names"] == ["greedy 1", "lowest", "greedy 2"]
    later = table.table(5)
    assert later["tables"] == whole["tables"][5:]
    assert later["evaluations"] == whole["evaluations"][4:], "those of the turn before each table"
    assert finished(started(["greedy", "lowest", "greedy"]))["tables"] == whole["tables"]


def test_a_slow_bot_is_named_while_it_chooses() -> None:
    Slow.go_on.clear()
    table = started(["lowest", SLOW, "greedy"])
    try:
        while (thinking := table.table(0)["thinking"]) is None or thinking["seat"] != 1:
            pass
        assert thinking["seconds"] >= 0 and len(table.table(0)["tables"]) == 1
    finally:
        Slow.go_on.set()
    assert finished(table)["thinking"] is None


def test_a_bot_that_fails_is_named_and_the_reason_stays_at_the_terminal() -> None:
    warnings: list[str] = []
    state = finished(started(["lowest", "tests.play.bots:Failing", "greedy"], warnings))
    assert state["failed"] == "Failing" and len(state["tables"]) == 2
    assert "out of ideas" in warnings[0] and "out of ideas" not in str(state)


# The next game


def test_the_next_game_has_the_next_seed() -> None:
    specs = ["greedy", "lowest", "greedy"]
    games = games_of(specs, 7)
    first = games._table
    assert finished(first)["seed"] == "7"
    assert games.deal("7") == games.deal("7") == {"seed": "8"}, "two clicks deal one game"
    other = BotsTable(specs, seat_names(specs), CONFIG, 8, print)
    other.start()
    assert finished(games._table)["tables"] == finished(other)["tables"]
    assert finished(first)["tables"] != games.table(0)["tables"]


def test_a_game_that_is_left_ends_after_its_turn() -> None:
    Slow.go_on.clear()
    specs = ["lowest", SLOW, "greedy"]
    games = games_of(specs, 2**64 - 1)
    left = games._table
    assert games.deal(str(2**64 - 1)) == {"seed": "0"}
    Slow.go_on.set()
    assert finished(games._table)["tables"][-1]["over"]
    assert len(left.table(0)["tables"]) <= 2


# The forecast


def test_the_forecast_of_a_turn_remembers_the_turns_before() -> None:
    game = Game(CONFIG, 7)
    games = [game.copy()]
    while not game.over:
        game.play([game.hand(seat)[0] for seat in range(3)])
        games.append(game.copy())
    forecast, in_order = PrizeForecast(CONFIG), PrizeForecast(CONFIG)
    turns = [in_order.at(games, turn) for turn in range(22)]
    assert [forecast.at(games, turn) for turn in (20, 3)] == [turns[20], turns[3]]
    for before, seats in zip(games, turns, strict=True):
        for seat, cards in enumerate(seats):
            assert list(cards) == [str(card) for card in before.hand(seat)]
            for places in cards.values():
                assert len(places) == 3 and min(places) >= 0
                assert sum(places) == pytest.approx(1, abs=1e-5)
            means = [sum(at * each for at, each in enumerate(places)) for places in cards.values()]
            assert means == sorted(means), "a higher card takes a higher prize"
    recorded = WatchedGame.of_record(game.record())
    assert recorded.forecast("", 9) == turns[9]
    with pytest.raises(StaleRequestError):
        recorded.forecast("7", 9)
    with pytest.raises(ValueError, match="turn must be 0 to 21, not 22"):
        recorded.forecast("", 22)


def test_the_forecast_is_never_that_of_another_game() -> None:
    games = games_of(["greedy", "lowest", "greedy"], 7)
    finished(games._table)
    assert games.forecast("7", 9) == games._table.forecast("7", 9)
    games.deal("7")
    with pytest.raises(StaleRequestError, match="has continued"):
        games.forecast("7", 9)
    finished(games._table)
    assert games.forecast("8", 9)


# The seats


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The folder of a training run with policies of three checkpoints."""
    folder = tmp_path / "my-run"
    (folder / "policies").mkdir(parents=True)
    shutil.copy(policy_file(3), folder / "policy.safetensors")
    for timesteps in (100, 200, 300):
        shutil.copy(policy_file(3), folder / "policies" / f"{timesteps:012d}.safetensors")
    return folder


def test_a_training_run_is_its_latest_policy_and_an_earlier_one(run: Path) -> None:
    latest, earlier = (
        f"policy:{run / name}"
        for name in ("policy.safetensors", "policies/000000000200.safetensors")
    )
    assert seated_specs([str(run), "greedy"], 3, with_earlier=False) == [latest, "greedy", latest]
    specs = seated_specs([str(run)], 4, with_earlier=True)
    assert specs == [latest, earlier] * 2
    assert seat_names(specs) == ["my-run 1", "my-run at 200 1", "my-run 2", "my-run at 200 2"]
    assert finished(started(specs[:3]))["failed"] is None
    with pytest.raises(ValueError, match="needs folders of training runs, not 'greedy'"):
        seated_specs(["greedy"], 3, with_earlier=True)
    shutil.rmtree(run / "policies")
    with pytest.raises(ValueError, match="keeps no policy of an earlier checkpoint"):
        seated_specs([str(run)], 3, with_earlier=True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["greedy", "--players", "7"], "--players must be 2 to 6, not 7"),
        (["greedy", "lowest", "random", "planner", "--players", "3"], "3 players cannot be 4 bots"),
        (["nobody"], "unknown agent 'nobody'"),
        (["none.json"], "none.json"),
    ],
)
def test_what_cannot_be_watched_is_refused(words: list[str], message: str) -> None:
    parser = argparse.ArgumentParser()
    command.configure(parser)
    arguments = parser.parse_args([*words, "--no-browser"])
    with pytest.raises(ValueError, match=message):
        arguments.run(arguments)
