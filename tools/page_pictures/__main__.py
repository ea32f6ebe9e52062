"""Takes the pictures."""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import tools.page_pictures
from mindup_play.session import Session
from tools.browser import SIZES, Size, started, tab
from tools.page_pictures.scenes import MOVING, SCENES
from tools.page_pictures.table import served

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def take_picture(chrome: "Chrome", name: str, size: Size, folder: Path, *, dark: bool) -> None:
    scene, settings = SCENES[name]
    with (
        TemporaryDirectory() as data,
        served(Session(settings), Path(data)) as server,
        tab(chrome, size, calm=scene not in MOVING, dark=dark) as page,
    ):
        scene(server, page)
        width, height = size
        page.save_picture(folder / f"{name}-{width}x{height}.png")


def main() -> None:
    parser = argparse.ArgumentParser(description=tools.page_pictures.__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help=f"of {', '.join(SCENES)}")
    parser.add_argument("--dark", action="store_true")
    arguments = parser.parse_args()
    if unknown := [each for each in arguments.scenes if each not in SCENES]:
        parser.error(f"unknown scenes {', '.join(unknown)}; there are {', '.join(SCENES)}")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with started() as chrome:
        for name in arguments.scenes or SCENES:
            for size in SIZES:
                take_picture(chrome, name, size, arguments.folder, dark=arguments.dark)


if __name__ == "__main__":
    main()
