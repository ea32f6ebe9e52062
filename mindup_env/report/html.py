"""Web pages of a report: each is one file that loads nothing and runs no script."""

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mindup_env.settings.extras import require

if TYPE_CHECKING:  # an extra
    from jinja2 import Environment

_TEMPLATES = Path(__file__).parent
"""The folder of ``table.html``, whose macro ``table`` shows a ``Table``."""


def page(template: Path, style: str, **values: Any) -> str:
    """The page that a template of Jinja gives.

    All values are escaped, unless the template calls them safe. It also gets ``style``, for a style
    element in lines of its own, and ``policy``, which allows this style and nothing else.

    Args:
        template: The file of the template, which can import ``table.html`` and its neighbours.
        style: The style sheet.
        values: What the template shows.
    """
    made = _environment(template.parent).get_template(template.name)
    return made.render(style=style, policy=_content_policy(style), **values)


def macros(template: Path) -> Any:
    """The macros of a template as functions, whose results are not escaped again."""
    return _environment(template.parent).get_template(template.name).module


@cache
def _environment(folder: Path) -> "Environment":
    require("a web page", "arena", "jinja2")
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415

    return Environment(
        loader=FileSystemLoader([folder, _TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _content_policy(style: str) -> str:
    """That of a page that loads nothing and runs no script; its style is on lines of its own."""
    digest = base64.b64encode(hashlib.sha256(f"\n{style}\n".encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'"
