"""The pages of recorded, reviewed and watched games in a real browser."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from mindup_agents.review import GameReview
from mindup_env import Game, GameConfig
from mindup_play.finished import ShownGame, ShownGames
from mindup_play.records import Seats, games_of, seats_of
from mindup_play.server import Served
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from mindup_play.watched import WatchedGame
from tests.play import bots
from tests.play.page import cards, press, problems, there
from tests.play.tables import address_of, play_to, table_of
from tests.review.games import finished_session
from tools.browser import DESKTOP, PHONE, READY, Size, tab

both_sizes = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
HAND_CARDS = ".hand-cards [data-card]"


def shown(record: dict[str, Any], **changes: Any) -> ShownGames:
    game = ShownGame(games_of(record), seats_of(record, 4), reviewed=False)._replace(**changes)
    return ShownGames(lambda _: game)


@contextmanager
def opened(browser: Browser, size: Size, served: Served) -> Iterator[Page]:
    with address_of(served) as url, tab(browser, size) as page:
        page.goto(url)
        yield page


@pytest.fixture
def page(chromium: Browser, size: Size, record: dict[str, Any]) -> Iterator[Page]:
    """The page of the record."""
    with opened(chromium, size, shown(record)) as page:
        there(page, "#graph svg")
        yield page


def go_to(page: Page, turn: int) -> None:
    page.evaluate(f"location.hash = '#{turn}'")
    expect(page.locator("#turn")).to_have_value(str(turn))


def known_to(game: Game, *seats: int) -> set[int]:
    """The cards in hands that everybody knows, and those in the hands of some seats."""
    known = {card for player in range(game.config.num_players) for card in game.known(player)}
    return known.union(*map(game.hand, seats))


# Replays


@both_sizes
def test_keys_step_through_the_turns_and_axe_finds_nothing(
    page: Page, record: dict[str, Any]
) -> None:
    progress = page.locator("#progress")
    expect(progress).to_have_text("Round 1 of 3 \u00b7 turn 1 of 6 \u00b7 0 played")
    press(page, *["ArrowRight"] * 7, "ArrowLeft")
    expect(progress).to_have_text("Round 2 of 3 \u00b7 turn 1 of 7 \u00b7 6 played")
    assert page.url.endswith("#6") and problems(page) == []
    press(page, "End")
    expect(progress).to_contain_text("The game is over")
    scores = [str(score) for score in record["result"]["scores"]]
    expect(page.locator(".score b")).to_have_text(scores)
    assert problems(page) == []


def test_the_view_of_a_player_hides_what_it_did_not_know(
    page: Page, record: dict[str, Any]
) -> None:
    go_to(page, 6)
    game = Game.replay(record, turns=6)
    assert {*cards(page, HAND_CARDS)} == known_to(game, *range(4))
    names = "You", "Ada greedy", "Ben lowest", "Cleo planner"
    expect(page.locator(".panel h2")).to_have_text(names)
    line = page.locator("#graph polyline").first.get_attribute("points") or ""
    assert len(line.split()) == 7, "the graph has no turns to come"
    page.select_option("#viewer", "2")
    assert {*cards(page, HAND_CARDS)} == known_to(game, 2)
    page.select_option("#viewer", "public")
    assert {*cards(page, HAND_CARDS)} == known_to(game)


def test_a_replay_plays_on_by_itself(page: Page) -> None:
    go_to(page, 19)
    page.select_option("#speed", "900")
    page.click("#play")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    assert page.url.endswith("#21")


def test_names_are_texts_and_long_ones_stay_apart(
    chromium: Browser, record: dict[str, Any]
) -> None:
    names = [f"</script><b>a-long-name-of-a-run at {each}M" for each in range(4)]
    named = shown(record, seats=Seats(names, [""] * 4))
    with opened(chromium, DESKTOP, named) as page:
        expect(page.locator(".panel h2")).to_have_text(names)
        labels = page.locator("#graph .name").all_text_contents()
        assert [label[-6:] for label in labels] == [f" at {each}M" for each in range(4)]


# Reviews


@both_sizes
def test_a_review_opens_at_the_worst_mistake(
    chromium: Browser, size: Size, reviewed: GameReview, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mindup_play.finished.review_game", lambda *_, **__: reviewed)
    choices = reviewed.to_dict()["choices"]
    worst = max(choices, key=lambda each: each["cost"] * each["mistake"])
    session = finished_session()
    game = ShownGame(session.games, session.settings.seats)
    with opened(chromium, size, ShownGames(lambda _: game)) as page:
        expect(page.locator("#turn")).to_have_value(str(worst["turn"]))
        first = page.locator(".jump").first
        expect(first).to_contain_text(f"{worst['played']} instead of {worst['best']}")
        expect(page.locator("#why-text")).to_contain_text(f"{worst['best']} takes ")
        chances = [f"{share:.0%}" for share in worst["prizes"][str(worst["best"])]]
        cells = page.locator("#prizes-table tbody tr").first.locator("td")
        assert [cell.strip() for cell in cells.all_text_contents()[:-1]] == chances
        game, seat = finished_session().games[worst["turn"]], worst["seat"]
        assert {*cards(page, HAND_CARDS)} == known_to(game, seat), "as that player saw it"
        expect(page.locator(".card-value")).to_have_count(len(game.hand(seat)))
        expect(page.locator("#chances-graph polyline")).to_have_count(3)
        assert problems(page) == []
        for seat, line in enumerate(page.locator("#ledger tbody tr").all()[:3]):
            texts = line.locator("td").all_text_contents()
            deal, costs, rest, result = (int(each[:-1].replace("\u2212", "-")) for each in texts)
            assert deal == round(100 * reviewed.deal[seat]) and deal + costs + rest == result
            assert costs == pytest.approx(-100 * reviewed.costs[seat], abs=0.51)
        press(page, "End")
        expect(page.locator("#why")).to_be_hidden()
        page.locator(".jump").nth(1).click()
        expect(page.locator("#why")).to_be_visible()


def test_a_review_of_two_players_shows_differences_in_their_unit(chromium: Browser) -> None:
    session = play_to(Session(PlaySettings(7, 2, opponents=("greedy",))))
    game = ShownGame(session.games, session.settings.seats, person=0)
    with opened(chromium, PHONE, ShownGames(lambda _: game, worlds=16)) as page:
        expect(page.locator("#ledger td").first).to_have_text(re.compile(r"^.?\d\.\d{3}$"))
        expect(page.locator("#differences")).to_be_visible()
        expect(page.locator(".chances:visible")).to_have_count(0)
        expect(page.locator(".unit")).to_have_text("difference in value")


def test_a_finished_game_is_reviewed_and_tried_again(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reviewed: GameReview
) -> None:
    monkeypatch.setattr("mindup_play.finished.review_game", lambda *_, **__: reviewed)
    with table_of(finished_session(), tmp_path) as table, tab(chromium, PHONE) as page:
        game = table.session.game
        page.goto(f"{table.url}review.html?game={table.turn()['game']}")
        expect(page.locator("#viewer")).to_have_value("0")
        boxes = [page.locator(each).bounding_box() for each in ("#mistakes", "#position")]
        mistakes, position = (box["y"] for box in boxes if box)
        assert mistakes < position, "on small screens, mistakes come first"
        page.click("#to-table")
        expect(page.locator("#decided")).to_contain_text("Most expensive choice: ")
        page.go_back()
        page.locator(".jump").first.click()
        turn = int(page.locator("#turn").input_value())
        page.click("#play-on")
        there(page, READY)
        assert table.session.game == Game.replay(game.record(), turns=turn)


# Watching


@both_sizes
def test_a_game_is_watched_while_it_is_played(chromium: Browser, size: Size) -> None:
    games = WatchedGame(("greedy", bots.SLOW, "planner"), GameConfig(num_players=3), 7)
    with opened(chromium, size, games) as page:
        status = page.locator("#watch-status")
        expect(status).to_have_text("Seed 7 \u00b7 Slow is choosing \u00b7 turn 1 of 21")
        page.select_option("#viewer", "1")  # the page stays usable
        expect(page.locator(HAND_CARDS)).to_have_count(7)
        bots.go_on.set()
        expect(page.locator("#turn")).to_have_attribute("max", "21")
        expect(page.locator("#turn")).not_to_have_value("0")
        page.click("#play")
        assert problems(page) == []
        page.select_option("#asked", "predictor")
        expect(page.locator("#predicted-cards li")).to_have_count(2)
        asked = games.shown.games[int(page.locator("#turn").input_value())]
        expect(page.locator(".card-value")).not_to_have_count(0)
        assert {*cards(page, ".panel .mark-asked")} <= {*asked.hand(1)}
        assert problems(page) == []
        press(page, "End")
        page.click("#review-game")
        expect(page.locator("#turn")).to_have_attribute("max", "21")
