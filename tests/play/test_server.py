"""The server: its answers, and what it keeps to itself. test_refused_requests.py has the others."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from mindup_play.saved import SavedGames
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.play import bots
from tests.play.conftest import FULL
from tests.play.tables import DRAWN, SETTINGS, Table
from tests.review.games import with_other_hidden_cards

# Saved games


@pytest.mark.parametrize(
    "changes", [{"opponents": ["os:system"]}, {"opponents": ["gredy"]}, {"hints": "policy:x"}]
)
def test_a_file_starts_no_code(table: Table, changes: dict[str, Any]) -> None:
    game_id = table.play()[1]["game_id"]
    path = table.games.path(game_id)
    plain = json.loads(path.read_text())
    path.write_text(json.dumps({**plain, "play": {**plain["play"], **changes}}))
    bot = changes.get("hints") or changes["opponents"][0]
    status, answer = table.change("/resume", saved_game=game_id)
    assert status == 422 and f"names the bot {bot!r}, which is code" in answer["error"]


def test_a_finished_game_is_shown_after_another_was_dealt(table: Table) -> None:
    end = table.play_to_the_end()
    paths = [f"/{name}?game={end['game_id']}" for name in ("record", "log", "replay")]
    answers = [table.get(path) for path in paths]
    assert answers[2]["tables"][-1]["players"] == end["table"]["players"]
    table.deal()
    assert [table.get(path) for path in paths] == answers
    for turns in (-1, 21):
        assert table.change("/try-again", saved_game=end["game_id"], turns=turns)[0] == 422
    table.change("/delete", saved_game=end["game_id"])
    assert table.ask(paths[0])[0] == 422


def test_a_damaged_game_is_named_and_in_the_way_of_no_other(table: Table) -> None:
    table.games.save(damaged := table.games.new_id(), Session(SETTINGS))
    (path := table.games.path(damaged)).write_text("{}")
    (entry,) = table.get("/games")["games"]
    assert entry.keys() == {"game_id", "saved_at", "readable"} and not entry["readable"]
    status, answer = table.change("/resume", saved_game=damaged)
    assert status == 422 and str(path) in answer["error"]


def test_games_that_cannot_be_saved_go_on_and_are_saved_later(
    table: Table, tmp_path: Path, full_disk: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    left = table.play()[1]
    assert left["unsaved"].endswith(FULL)
    table.deal()
    (entry,) = table.get("/games")["games"]
    assert entry["game_id"] == left["game_id"]
    assert table.change("/resume", saved_game=left["game_id"]) == (200, left)
    assert table.play()[1]["unsaved"]
    assert capfd.readouterr().err.count(FULL) == 1, "not once more for each turn"
    with pytest.raises(OSError, match=f"not all turns are saved: .*{FULL}"), table.games.locked():
        pass
    full_disk.undo()
    with table.games.locked():
        assert table.get("/state")["unsaved"]
    assert table.get("/state")["unsaved"] is None
    assert SavedGames(tmp_path).read(left["game_id"]).turns_played == 2
    table.games.path(left["game_id"]).unlink()
    with pytest.raises(ValueError, match="not among"):
        table.games.read(left["game_id"])  # it is not kept twice


# Slow and failing bots

SLOW = PlaySettings(7, opponents=(bots.SLOW,), hints=bots.SLOW)


@pytest.mark.parametrize("settings", [SLOW])
def test_while_a_bot_chooses_other_requests_are_answered(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots_chose = Session.bots_chose

    async def count_request(session: Session) -> None:
        bots.waiting.release()
        await bots_chose(session)

    monkeypatch.setattr(Session, "bots_chose", count_request)
    with ThreadPoolExecutor(2) as clients:
        first = table.turn()
        played, hinted = clients.submit(table.play), clients.submit(table.get, "/hint")
        for _ in range(3):  # the request to play, an opponent, and the hint bot
            assert bots.waiting.acquire(timeout=bots.PATIENCE)
        status, dealt = table.deal(opponents=[bots.SLOW])
        assert status == 200 and dealt["game_id"] != first["game"]
        assert not played.done() and not hinted.done()
        bots.go_on.set()
        assert played.result()[0] == 409, "another game is dealt"
        assert hinted.result()["game_id"] == first["game"]


@pytest.mark.parametrize("settings", [PlaySettings(1, opponents=(bots.FAILING_ONCE,))])
@pytest.mark.parametrize("turns", [1])
def test_a_bot_that_fails_is_named_and_only_missing_choices_are_made_again(
    table: Table, capfd: pytest.CaptureFixture[str]
) -> None:
    """Asked again, a bot would learn twice from the same turn."""
    status, answer = table.play()
    assert status == 500 and "FailingOnce at seat " in answer["error"]
    assert answer["error"].endswith(" failed: RuntimeError: out of ideas")
    assert table.session.turns_played == 1
    table.play_to_the_end()
    assert [vars(bot.agent)["asked"] for bot in table.session._bots.values()] == [22] * 3
    assert "raise RuntimeError" in capfd.readouterr().err, "the terminal says where"


# Secrets: hidden cards, and the seed, from which all hands follow


@pytest.mark.parametrize("turns", [0, 5, 6, 13])
def test_no_answer_depends_on_a_hidden_card(table: Table) -> None:
    """Two games in which a person sees the same, but other cards are in hands and in the deck."""
    session, game_id = table.session, table.turn()["game"]
    paths = "/state", f"/log?game={game_id}"
    answers = [table.get(path) for path in paths]
    hands = [session.game.hand(seat) for seat in range(4)]
    session.games[:] = with_other_hidden_cards(session.games)
    assert [session.game.hand(seat) for seat in range(4)] != hands
    assert [table.get(path) for path in paths] == answers


@pytest.mark.parametrize("settings", [DRAWN])
def test_a_drawn_seed_is_sent_only_when_the_game_is_over(table: Table) -> None:
    while (state := table.play()[1])["turns_played"] < 21:
        assert (state["seed"], state["command"]) == (None, None)
        assert str(DRAWN.seed) not in json.dumps(state)
    assert (state["seed"], state["command"]) == (str(DRAWN.seed), DRAWN.command)
    assert table.deal(seed="12")[1]["seed"] == "12", "a typed one is sent"
    assert table.deal(seed="")[1]["seed"] is None


@pytest.mark.parametrize("settings", [DRAWN])
def test_saved_games_keep_their_secrets(table: Table) -> None:
    """Neither the list nor the page of a finished game shows an unfinished game's seed or hands."""
    unfinished = table.play()[1]["game_id"]
    table.deal()
    assert str(DRAWN.seed) not in json.dumps(table.get("/games"))
    refused = [
        *(table.ask(f"/{path}?game={unfinished}") for path in ("record", "replay", "log")),
        table.ask(f"/ask?game={unfinished}&bot=lowest&turn=0"),
        table.ask("/review", {"game": unfinished}),
        table.change("/try-again", saved_game=unfinished, turns=0),
    ]
    for status, answer in refused:
        assert status == 409 and answer.keys() == {"error"} and "All hands" in answer["error"]
    again = table.change("/resume", saved_game=unfinished)[1]
    assert (again["seed"], again["turns_played"]) == (None, 1)
