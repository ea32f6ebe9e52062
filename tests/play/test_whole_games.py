"""Whole games in a real browser; the page never receives a hidden card."""

from typing import TYPE_CHECKING

from tests.play.hidden import check_no_hidden_card_was_sent, hidden_cards, numbers
from tests.play.page import check_no_errors
from tests.play.tables import PAGE_SETTINGS, WatchedServer
from tools.browser import DESKTOP, HOLDING, PHONE, READY, REVEALED, Keys, Page, tab

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

TURNS = PAGE_SETTINGS.config.num_turns


def test_the_search_for_hidden_cards_can_find_one(table: WatchedServer) -> None:
    plain = {"table": {"players": [{"hidden": [None, 12]}], "turn": 13}, "last": {"new": 14}}
    assert set(numbers(plain)) == {12, 14}
    game = table.session.game
    assert set(game.hand(1)) <= hidden_cards(game, 0)
    assert not set(game.hand(0) + game.row) & hidden_cards(game, 0)


def test_a_whole_game_by_clicks(chromium: "Chrome", table: WatchedServer) -> None:
    with tab(chromium, DESKTOP) as page:
        page.open_table(table)
        for turn in range(TURNS):
            cards = page.all("#cards button")
            card = cards[turn % len(cards)]
            number = int(card.get_attribute("data-card") or 0)
            card.click()
            assert page.text("#play") == f"Play {number}"
            page.click("#play")
            if turn == 0:  # not skipped: face down before the players, face up, under the prizes
                page.until("document.querySelectorAll('.chosen .back').length === 3")
                page.until("document.querySelectorAll('.chosen [data-card]').length === 4")
                page.until("document.querySelectorAll('.played [data-card]').length === 4")
            else:
                page.skip_reveal(
                    lambda: page.script("document.querySelector('#table').click()"),
                )
            page.until(REVEALED)
            assert table.session.game.plays[-1][0] == number
            assert table.session.turns_played == turn + 1
            if table.session.game.round_scores and page.all("dialog[open]"):
                check_scores(page, table)
                page.click("#scores-close")
            page.until("!document.body.classList.contains('busy')")
            check_no_hidden_card_was_sent(table, page)
        assert table.session.game.over
        assert page.text("#progress") == "The game is over"
        assert page.count(".panel.winner") == len(table.session.game.winners)
        assert page.texts(".middle .met-by") == players_who_met(page, table)
        check_no_errors(table, page)


def term_value(text: str) -> int:
    count, _, points = text.rpartition("\u00d7")
    return int(count or 1) * int(points.strip(" ()"))


def check_scores(page: Page, server: WatchedServer) -> None:
    """The dialog shows the scores of the game, by parts."""
    game = server.session.game
    lines = [
        [cell.text.replace("\u2212", "-") for cell in line.find_elements("css selector", "td")]
        for line in page.all("#scores-tables .round-scores tbody tr")
    ]
    values = game.deal.score_orders[len(game.round_scores) - 1]
    for line in lines:
        for part in (5, 6):  # a sum, perhaps above its terms
            line[part], *terms = line[part].split("\n")
            assert not terms or sum(map(term_value, terms)) == int(line[part])
            assert terms or int(line[part]) in range(-2, 3), "a single term, or none"
    assert lines == [
        [
            *(
                f"{len(cards) * value}\n{len(cards)}\u00d7{value}" if cards else "\u2013"
                for cards, value in zip(tableau, values, strict=True)
            ),
            *(str(part) for part in (*score[1:], score.total)),
        ]
        for tableau, score in zip(game.round_tableaux[-1], game.round_scores[-1], strict=True)
    ]
    met_by = players_who_met(page, server)
    assert page.texts("#scores-tables .met-by") == met_by
    assert page.texts(".middle .met-by") == [f"now: {players}" for players in met_by]
    assert page.text("#scores-title").startswith("Round") != game.over


def players_who_met(page: Page, server: WatchedServer) -> list[str]:
    """A text for each objective of the last round."""
    names = server.session.settings.names
    return [
        "all players"
        if len(players) == len(names)
        else page.script("return Texts.list(arguments[0])", [names[player] for player in players])
        or "no player"
        for players in server.session.game.round_objectives[-1].values()
    ]


def test_a_whole_game_by_keys_at_the_width_of_a_phone(
    chromium: "Chrome", table: WatchedServer
) -> None:
    with tab(chromium, PHONE, calm=True, dark=True) as page:
        page.open_table(table)
        page.select("speed", "wait")
        first = table.session.table_state()
        for turn in range(TURNS):
            hand = table.session.game.hand(0)
            if turn % 2:
                place = turn % len(hand)
                page.keys(str(place + 1), Keys.ENTER)
            else:
                place = 1
                page.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ENTER)
            if turn == 0:
                page.until(HOLDING)
                assert page.count(".played [data-card]") == page.count(".landed") == 4
                page.select("speed", "none")  # the other turns do not wait
                page.keys(Keys.ENTER)
            page.until(REVEALED)
            assert table.session.game.plays[-1][0] == hand[place]
            if not table.session.game.over and page.count("dialog[open]"):
                page.keys(Keys.ENTER)
            if not table.session.game.over:
                page.until(READY)
            check_no_hidden_card_was_sent(table, page)
        page.keys(Keys.ENTER)
        assert table.session.game.over and page.count("dialog[open]"), (
            "one Enter too many deals no game"
        )
        page.keys(Keys.TAB)
        assert page.chrome.switch_to.active_element.text == "Same deal again"
        page.keys(Keys.ENTER)
        page.until(READY)
        assert table.session.turns_played == 0 and table.session.table_state() == first
        check_no_errors(table, page)
