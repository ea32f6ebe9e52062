"""Several bots in one text: commas separate their specs, and quotes keep one together."""

import re
from collections.abc import Iterable, Iterator

_PIECE = re.compile(
    r"""\s*+(?:'(?P<single>(?:[^']|'')*+)'|"(?P<double>(?:[^"]|"")*+)"|(?!['"])(?P<plain>[^,]*))"""
    r"\s*(?P<end>,|\Z)"
)


def split_specs(text: str) -> tuple[str, ...]:
    """Reads ``greedy,search:slip=0,horizon=game,'process:./bot 1,2'``.

    A spec in quotes is taken as it is, but for a doubled quote in it, which stands for one.
    Without quotes, a comma may also separate two options of one bot.
    """
    specs: list[str] = []
    for piece, is_quoted in _pieces(text):
        is_option = not is_quoted and "=" in piece and ":" not in piece.partition("=")[0]
        if specs and is_option:
            specs[-1] += f",{piece}"
        else:
            specs.append(piece if is_quoted else piece.strip())
    return tuple(specs)


def join_specs(specs: Iterable[str]) -> str:
    """The text that ``split_specs`` reads as these specs."""
    return ",".join(spec if _is_plain(spec) else _quoted(spec) for spec in specs)


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """What is between the commas, and whether it was in quotes."""
    start = 0
    while True:
        found = _PIECE.match(text, start)
        if found is None:
            raise ValueError(
                "a bot in quotes must have a closing quote, and a comma or nothing after it: "
                + text[start:].strip()
            )
        if found["plain"] is None:
            quote = "'" if found["double"] is None else '"'
            yield (found["single"] or found["double"] or "").replace(quote * 2, quote), True
        else:
            yield found["plain"], False
        if not found["end"]:
            return
        start = found.end()


def _is_plain(spec: str) -> bool:
    """Whether the spec is read as it is, also after another one."""
    try:
        return split_specs(f"x,{spec}") == ("x", spec)
    except ValueError:
        return False


def _quoted(spec: str) -> str:
    doubled = spec.replace("'", "''")
    return f"'{doubled}'"
