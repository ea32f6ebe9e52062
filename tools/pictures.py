"""Draws the pictures of the documents: ``make pictures``. The screenshots need Chromium."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
import numpy as np
from nbclient import NotebookClient
from PIL import Image
from playwright.sync_api import Page

from mindup_env import BatchEnv, Game, GameConfig, SeatedBots
from mindup_env.files import atomic_write, write_text
from mindup_env.render.picture import draw
from mindup_play.finished import ShownGame, ShownGames
from mindup_play.preparation import Preparation
from mindup_play.saved import SavedGames
from mindup_play.server import Server
from mindup_play.session import Session
from mindup_play.session_manager import SessionManager
from mindup_play.settings import PlaySettings
from mindup_play.watched import WatchedGame
from tools import ROOT
from tools.browser import DESKTOP, READY, SIZES, Size, serving, started, tab

IMAGES = ROOT / "docs" / "images"
WATCHED = "champion", "search", "planner", "greedy"


def game_of_the_docs() -> Game:
    """The game that ``mindup_env.render`` draws for the environment page."""
    game = Game(GameConfig(num_players=4), seed=7)
    for turn in range(8):
        game.play([game.hand(player)[turn % 2] for player in range(4)])
    return game


def round_of_the_docs() -> list[Image.Image]:
    """Bots play the second round of a game: the table before each of its turns."""
    env = BatchEnv(GameConfig(num_players=4), 1)
    names = "planner", "greedy", "predictor", "planner"
    bots = SeatedBots(env, dict(enumerate(names)))
    actions = np.zeros((1, 4), np.int64)
    env.reset(seed=7)
    pictures = []
    while (game := env.game(0)).round < 3:
        if game.round == 2:
            picture = Image.fromarray(draw(game))
            pictures.append(picture.resize((800, 500), Image.Resampling.BOX))
        bots.act(actions)
        env.step(actions)
    return pictures


def save_moving(pictures: list[Image.Image], path: Path) -> None:
    """Writes a GIF; without dither, its few colours make a small file."""
    images = [each.quantize(64, dither=Image.Dither.NONE) for each in pictures]
    with atomic_write(path) as file:
        images[0].save(file, "GIF", save_all=True, append_images=images[1:], duration=1800, loop=0)


def following_hints(settings: PlaySettings, turns: int) -> Session:
    """A game in which the person plays the cards of the hints."""
    session = Session(settings)
    for _ in range(turns):
        hint = session.hint()
        if hint is not None:
            session.play(hint.result().card)
    return session


@contextmanager
def served(session: Session, folder: Path) -> Iterator[Server]:
    games = SavedGames(folder)
    manager = SessionManager(session, games.new_id(), games, Preparation())
    with Server(manager) as server, serving(server):
        yield server


def play(page: Page, folder: Path) -> None:
    """The second round of a good game, with a hint."""
    opponents = "greedy", "planner", "predictor"
    settings = PlaySettings(7, 4, 2, opponents=opponents, hints="predictor")
    with served(following_hints(settings, 10), folder) as server:
        page.goto(server.url)
        page.wait_for_selector(READY)
        page.keyboard.press("h")
        page.wait_for_selector("#cards .hinted")
        page.screenshot(path=IMAGES / "play.png")


def review(page: Page, _: Path) -> None:
    """A game in which the person follows the hints of greedy, at the most expensive mistake."""
    opponents = "predictor", "greedy", "planner"
    session = following_hints(PlaySettings(5, opponents=opponents, hints="greedy"), turns=21)
    game = ShownGame(session.games, session.settings.seats)
    with Server(ShownGames(lambda _: game)) as server, serving(server):
        page.goto(server.url)
        page.wait_for_selector("#findings:not([hidden])")
        page.select_option("#viewer", "0")
        page.locator(".jump").first.click()
        page.screenshot(path=IMAGES / "review.png")


def watch(page: Page, _: Path) -> None:
    """A game of bots, as one of them sees it."""
    game = WatchedGame(WATCHED, GameConfig(num_objectives=1), 7)
    with Server(game) as bots, serving(bots):
        page.goto(bots.url)
        page.wait_for_selector("#turn[max='21']")
        page.evaluate("location.hash = '#9'")
        page.wait_for_selector("#progress:has-text('9 played')")
        page.select_option("#viewer", "0")
        page.screenshot(path=IMAGES / "watch.png")


def keep_figures(path: Path) -> None:
    """Runs a notebook, and keeps the pictures that it shows in it, and nothing else."""
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    with TemporaryDirectory() as folder:
        NotebookClient(notebook, resources={"metadata": {"path": folder}}).execute()
    for cell in (cell for cell in notebook.cells if cell.cell_type == "code"):
        found = (output.get("data", {}).get("image/png") for output in cell.outputs)
        data = [{"image/png": figure} for figure in found if figure]
        cell.outputs = [nbformat.v4.new_output("display_data", each) for each in data]  # type: ignore[no-untyped-call]
        cell.update(execution_count=None, metadata={})
    write_text(path, nbformat.writes(notebook) + "\n")  # type: ignore[no-untyped-call]


SCENES: dict[Callable[[Page, Path], None], Size] = {
    play: DESKTOP,
    review: SIZES[0],
    watch: SIZES[0],
}

if __name__ == "__main__":
    Image.fromarray(draw(game_of_the_docs())).save(IMAGES / "table.png")
    save_moving(round_of_the_docs(), IMAGES / "turns.gif")
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        keep_figures(path)
    with started() as browser:
        for scene, size in SCENES.items():
            with TemporaryDirectory() as data, tab(browser, size) as page:
                scene(page, Path(data))
