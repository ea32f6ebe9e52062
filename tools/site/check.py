"""Check the built site: python -m tools.site.check FOLDER.

Fails on a broken link or anchor, on a name of the API reference without a docstring, and on
anything that a browser would load from another host.
"""

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

from tools.site.built_page import BuiltPage

_STYLE_ADDRESS = re.compile(r"(?:url\(|@import\s)\s*[\"']?(?P<address>[^\"')\s]+)")


def problems(site: Path) -> list[str]:
    """Each fault of a site, as the page and what is wrong there."""
    pages = {path: BuiltPage(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    if not pages:
        return [f"{site}: no pages"]
    found = {path: _problems_of_page(path, site, pages) for path in sorted(pages)}
    found |= {path: _problems_of_style(path) for path in sorted(site.rglob("*.css"))}
    return [f"{path.relative_to(site)}: {each}" for path in found for each in found[path]]


def _problems_of_page(path: Path, site: Path, pages: dict[Path, BuiltPage]) -> Iterator[str]:
    page = pages[path]
    for name in page.undocumented:
        yield f"{name} has no docstring"
    yield from _loads_from_elsewhere(page.resources)
    for address in sorted({*page.links, *page.resources}):
        if not _is_elsewhere(address) and not _leads_somewhere(address, path, site, pages):
            yield f"broken link {address}"


def _problems_of_style(path: Path) -> Iterator[str]:
    found = _STYLE_ADDRESS.finditer(path.read_text(encoding="utf-8"))
    return _loads_from_elsewhere(match["address"] for match in found)


def _loads_from_elsewhere(addresses: Iterable[str]) -> Iterator[str]:
    return (f"loads {each} from another host" for each in addresses if _is_elsewhere(each))


def _is_elsewhere(address: str) -> bool:
    parts = urlsplit(address)
    return bool(parts.netloc) or parts.scheme not in {"", "data"}


def _leads_somewhere(address: str, path: Path, site: Path, pages: dict[Path, BuiltPage]) -> bool:
    parts = urlsplit(address)
    if parts.scheme == "data":
        return True
    if not parts.path:
        target = path
    elif parts.path.startswith("/"):
        target = (site / parts.path[1:]).resolve()
    else:
        target = (path.parent / parts.path).resolve()
    if target.is_dir():
        target /= "index.html"
    if target not in pages:
        return target.is_file()
    return not parts.fragment or parts.fragment in pages[target].anchors


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", type=Path, help="the folder of the built site")
    found = problems(parser.parse_args().site.resolve())
    print("\n".join(found) or "no broken links, no missing docstrings, nothing from other hosts")
    sys.exit(bool(found))
