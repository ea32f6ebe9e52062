"""Takes the pictures."""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

import tools.pictures
from mindup_env.render.picture import save
from mindup_play.session import Session
from tools.browser import DESKTOP, SIZES, started, tab
from tools.pictures import IMAGES
from tools.pictures.scenes import MOVING, SCENES, game_of_the_docs, served

LAPTOP, _, _, _ = SIZES
OF_THE_DOCS = {"leaderboard": DESKTOP, "play": DESKTOP, "review": LAPTOP, "watch": LAPTOP}


def main() -> None:
    parser = argparse.ArgumentParser(description=tools.pictures.__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="default: those of the documents")
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help=f"of {', '.join(SCENES)}")
    parser.add_argument("--dark", action="store_true")
    given = parser.parse_args()
    if unknown := set(given.scenes) - set(SCENES):
        parser.error(f"unknown scenes {', '.join(unknown)}; there are {', '.join(SCENES)}")
    if given.folder is None:
        pictures = {IMAGES / f"{name}.png": (name, size) for name, size in OF_THE_DOCS.items()}
        save(game_of_the_docs(), IMAGES / "table.png")
    else:
        pictures = {
            given.folder / f"{name}-{width}x{height}.png": (name, (width, height))
            for name in given.scenes or SCENES
            for width, height in SIZES
        }
    with started() as chrome:
        for path, (name, size) in pictures.items():
            scene, settings = SCENES[name]
            with (
                TemporaryDirectory() as data,
                served(Session(settings), Path(data)) as server,
                tab(chrome, size, calm=scene not in MOVING, dark=given.dark) as page,
            ):
                scene(server, page)
                page.save_picture(path)


if __name__ == "__main__":
    main()
