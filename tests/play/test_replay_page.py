"""The pages of recorded, reviewed and watched games in a real browser."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from mindup_agents.review import GameReview
from mindup_env import Game, GameConfig
from mindup_play.records import replay_data
from mindup_play.server import Server
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from mindup_play.watched import BotsGames, RecordedGame
from tests.play.bots import Slow
from tests.play.page import cards, fits, press, there, violations
from tests.play.tables import play_to_the_end, served, state_of
from tests.play.test_accessibility import problems
from tests.review.games import finished_session
from tools.browser import DESKTOP, PHONE, READY, Size, serving, tab

both_sizes = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
HAND_CARDS = ".hand-cards [data-card]"


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    """A game of four with the evaluations of greedy and planner."""
    settings = PlaySettings(5, objectives=2, opponents=("greedy", "lowest", "planner"))
    plain: dict[str, Any] = json.loads(json.dumps(play_to_the_end(Session(settings)).record()))
    return plain


@contextmanager
def recorded(
    browser: Browser, size: Size, data: dict[str, Any], review: GameReview | None = None
) -> Iterator[Page]:
    with Server(RecordedGame(data, review)) as server, serving(server), tab(browser, size) as page:
        page.goto(server.url)
        there(page, "#graph svg")
        yield page


@pytest.fixture
def page(chromium: Browser, size: Size, record: dict[str, Any]) -> Iterator[Page]:
    """The page of the record."""
    with recorded(chromium, size, replay_data(record)) as page:
        yield page


def go_to(page: Page, turn: int) -> None:
    page.evaluate(f"location.hash = '#{turn}'")
    expect(page.locator("#turn")).to_have_value(str(turn))


def known_to(game: Game, seat: int) -> set[int]:
    known = {card for player in range(game.config.num_players) for card in game.known(player)}
    return known | set(game.hand(seat))


# Replays


@both_sizes
def test_keys_step_through_the_turns(page: Page, record: dict[str, Any]) -> None:
    progress = page.locator("#progress")
    expect(progress).to_have_text("Round 1 of 3 \u00b7 turn 1 of 6 \u00b7 0 played")
    press(page, *["ArrowRight"] * 7, "ArrowLeft")
    expect(progress).to_have_text("Round 2 of 3 \u00b7 turn 1 of 7 \u00b7 6 played")
    assert page.url.endswith("#6")
    press(page, "End")
    expect(progress).to_contain_text("The game is over")
    scores = [str(score) for score in record["result"]["scores"]]
    expect(page.locator(".score b")).to_have_text(scores)


def test_the_view_of_a_player_hides_what_it_did_not_know(
    page: Page, record: dict[str, Any]
) -> None:
    go_to(page, 6)
    game = Game.replay(record, turns=6)
    assert {*cards(page, HAND_CARDS)} == {card for seat in range(4) for card in game.hand(seat)}
    page.select_option("#viewer", "2")
    assert {*cards(page, HAND_CARDS)} == known_to(game, 2)
    page.select_option("#viewer", "public")
    known = {card for seat in range(4) for card in game.known(seat)}
    assert {*cards(page, HAND_CARDS)} == known


def test_rings_mark_cards_and_the_legend_explains_them(page: Page, record: dict[str, Any]) -> None:
    go_to(page, 8)
    assert {*cards(page, "#table .mark-played")} == set(record["plays"][8])
    assert {*cards(page, "#table .mark-taken")} == set(Game.replay(record, turns=7).row)
    game = Game.replay(record, turns=8)
    hidden = {card for seat in range(4) for card in set(game.hand(seat)) - set(game.known(seat))}
    assert {*cards(page, "#table .mark-hidden")} == hidden
    expect(page.locator("#legend li")).to_have_count(3)
    go_to(page, 0)
    expect(page.locator("#legend li")).to_have_count(2)


def test_a_replay_plays_on_by_itself(page: Page) -> None:
    go_to(page, 19)
    page.select_option("#speed", "900")
    page.click("#play")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#play")).to_have_attribute("aria-pressed", "false")
    assert page.url.endswith("#21")


@both_sizes
def test_a_replay_passes_axe_with_legible_texts(page: Page) -> None:
    press(page, *["ArrowRight"] * 7)
    assert problems(page) == []
    press(page, "End")
    assert problems(page) == []


def test_names_are_texts_and_long_ones_stay_apart(
    chromium: Browser, record: dict[str, Any]
) -> None:
    names = [f"</script><b>a-long-name-of-a-run at {each}M" for each in range(4)]
    data = replay_data({**record, "names": names})
    with recorded(chromium, DESKTOP, data) as page:
        expect(page.locator(".panel h2")).to_have_text(names)
        labels = page.locator("#graph .name").all_text_contents()
        assert [label[-6:] for label in labels] == [f" at {each}M" for each in range(4)]


# Reviews


@pytest.fixture
def review_page(chromium: Browser, size: Size, reviewed: GameReview) -> Iterator[Page]:
    record = json.loads(json.dumps(finished_session().record()))
    with recorded(chromium, size, replay_data(record), reviewed) as page:
        yield page


@both_sizes
def test_a_review_opens_at_the_worst_mistake(review_page: Page, reviewed: GameReview) -> None:
    choices = reviewed.to_dict()["choices"]
    worst = max(choices, key=lambda each: each["cost"] * each["mistake"])
    expect(review_page.locator("#turn")).to_have_value(str(worst["turn"]))
    first = review_page.locator(".jump").first
    expect(first).to_contain_text(f"{worst['played']} instead of {worst['best']}")
    expect(review_page.locator("#why")).to_contain_text(f"{worst['best']} would have taken")
    game, seat = finished_session().games[worst["turn"]], worst["seat"]
    assert {*cards(review_page, HAND_CARDS)} == known_to(game, seat), "as that player saw it"
    expect(review_page.locator(".card-value")).to_have_count(len(game.hand(seat)))


def test_a_mistake_leads_to_its_turn(review_page: Page) -> None:
    press(review_page, "End")
    expect(review_page.locator("#why")).to_be_hidden()
    review_page.locator(".jump").nth(1).click()
    expect(review_page.locator("#why")).to_be_visible()


@both_sizes
def test_a_review_passes_axe_with_legible_texts(review_page: Page) -> None:
    expect(review_page.locator("#luck-table tbody tr")).to_have_count(3)
    expect(review_page.locator("#chances-graph polyline")).to_have_count(3)
    assert problems(review_page) == []


@pytest.mark.parametrize("size", [PHONE, (640, 400)])
def test_on_small_screens_mistakes_come_first(review_page: Page) -> None:
    there(review_page, ".jump")
    boxes = [review_page.locator(each).bounding_box() for each in ("#mistakes", "#position")]
    mistakes, position = (box["y"] for box in boxes if box)
    assert mistakes < position


def test_a_finished_game_is_reviewed_and_tried_again(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reviewed: GameReview
) -> None:
    monkeypatch.setattr("mindup_play.session_manager.review_game", lambda *_, **__: reviewed)
    with served(finished_session(), tmp_path) as server, tab(chromium, DESKTOP) as page:
        game = server.session.game
        page.goto(f"{server.url}review.html?game={state_of(server)['game_id']}")
        expect(page.locator("#whose")).to_have_value("0")
        page.locator(".jump").first.click()
        turn = int(page.locator("#turn").input_value())
        page.click("#play-on")
        there(page, READY)
        assert server.session.game == Game.replay(game.record(), turns=turn)
        assert server.exceptions == []


# Watching


@contextmanager
def watched(browser: Browser, size: Size, *specs: str) -> Iterator[tuple[BotsGames, Page]]:
    games = BotsGames(specs, GameConfig(num_players=3), 7)
    with Server(games) as server, serving(server), tab(browser, size) as page:
        page.clock.install()
        page.goto(server.url)
        yield games, page


@both_sizes
def test_a_game_is_watched_while_it_is_played(chromium: Browser, size: Size) -> None:
    with watched(chromium, size, "greedy", "tests.play.bots:Slow", "planner") as (_, page):
        status = page.locator("#watch-status")
        expect(status).to_have_text("Seed 7 \u00b7 Slow is choosing \u00b7 turn 1 of 21")
        page.select_option("#viewer", "1")  # the page stays usable
        expect(page.locator(HAND_CARDS)).to_have_count(7)
        page.clock.fast_forward(5000)
        expect(page.locator("#play")).to_have_attribute("aria-pressed", "true")
        Slow.go_on.set()
        expect(page.locator("#turn")).to_have_attribute("max", "21")
        expect(page.locator("#turn")).not_to_have_value("0")
        page.click("#play")
        assert fits(page) and violations(page) == []


def test_the_page_deals_again(chromium: Browser) -> None:
    with watched(chromium, PHONE, "greedy", "lowest", "lowest") as (games, page):
        page.click("#new-game")
        expect(page.locator("#watch-status")).to_contain_text("Seed 8")
        assert games.game.seed == "8"
