"""Within a round the table lies still: room is kept for what will come."""

import pytest
from playwright.sync_api import Page, expect

from mindup_play.settings import PlaySettings
from tests.play.page import DIALOG, press, there
from tools.browser import DESKTOP, PHONE, READY

MOST_PIXELS = 2
WATCH = """
const { setFactor } = await import("/animations.js");
setFactor(0.01);
window.moved = {};
const places = {};
function look() {
  const found = [...document.querySelectorAll(".panel, .row > li")].map((each, index) => [
    each.dataset.player ? `panel ${each.dataset.player}` : `prize ${index}`, each]);
  for (const [name, each] of found) {
    const { left, top } = each.getBoundingClientRect();
    const [x, y] = places[name] ??= [left, top];
    moved[name] = Math.max(moved[name] ?? 0, Math.abs(left - x), Math.abs(top - y));
  }
}
for (const root of ["table", "narration", "cards"]) {
  new MutationObserver(look).observe(document.getElementById(root), { childList: true });
}
look();
"""


@pytest.mark.parametrize("size", [PHONE, (768, 1024), DESKTOP])
@pytest.mark.parametrize("look", [{"motion": True, "speed": "fast"}])
@pytest.mark.parametrize(
    ("settings", "turns"),
    [(PlaySettings(7, 4, 2, 0, ("greedy",)), 0), (PlaySettings(5, 6, 5, 0, ("greedy",)), 6)],
    ids=["first round of four", "second round of six"],
)
def test_no_panel_or_prize_moves_within_a_round(page: Page, turns: int) -> None:
    page.evaluate(f"async () => {{{WATCH}}}")
    for _ in range(6 if turns else 5):
        left = page.locator("#cards input").count()
        press(page, "1", "Enter")
        expect(page.locator("#cards input")).to_have_count(left - 1)
        there(page, READY)
    press(page, "1", "Enter")
    there(page, DIALOG)
    moved = page.evaluate("moved")
    assert {name: by for name, by in moved.items() if by > MOST_PIXELS} == {}
