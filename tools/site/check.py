"""Check the built site: python -m tools.site.check FOLDER.

Zensical refuses broken links itself. This fails on a name of the API reference without a docstring,
and on anything that a browser would load from another host.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

_LOADED = re.compile(
    r'<(?!a\s|link rel="(?:alternate|canonical|next|prev)")\w+\s(?:[^>]*?\s)?'
    r'(?:src|href|data)="(?P<page>[^"]*)"|(?:url\(|@import\s)\s*["\']?(?P<style>[^"\')\s]+)'
)
_UNDOCUMENTED = re.compile(  # mkdocstrings puts the text, then the members, below a heading
    r'id="([^"]+)" class="doc doc-heading"(?:(?!class="doc doc-heading").)*?'
    r'class="doc doc-contents[^"]*">\s*<(?:/div|div class="doc doc-children)',
    re.DOTALL,
)


def problems(site: Path) -> list[str]:
    """Each fault of a site, as the page and what is wrong there."""
    found = [
        f"{path.relative_to(site)}: {problem}"
        for kind in ("*.html", "*.css")
        for path in sorted(site.rglob(kind))
        for problem in _problems_of(path.read_text(encoding="utf-8"))
    ]
    return found if any(site.rglob("*.html")) else [f"{site}: no pages"]


def _problems_of(text: str) -> Iterator[str]:
    for name in _UNDOCUMENTED.findall(text):
        yield f"{name} has no docstring"
    for address in loaded(text):
        parts = urlsplit(address)
        if parts.netloc or parts.scheme not in {"", "data"}:
            yield f"loads {address} from another host"


def loaded(text: str) -> list[str]:
    """The addresses that a browser loads by itself for a page or a style sheet."""
    return [match["page"] or match["style"] for match in _LOADED.finditer(text)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", type=Path, help="the folder of the built site")
    found = problems(parser.parse_args().site.resolve())
    print("\n".join(found) or "no missing docstrings, and nothing from other hosts")
    sys.exit(bool(found))
