"""The files of a page, as they lie in a package."""

from importlib.resources import files


def read_page_file(package: str, name: str) -> str:
    return (files(package) / name).read_text(encoding="utf-8")
