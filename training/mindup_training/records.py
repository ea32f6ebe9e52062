"""Tables of figures that grow while a run goes on, as CSV."""

import csv
import io
from pathlib import Path

from mindup_env.files import write_text

TIMESTEPS = "timesteps"


class Records:
    """Rows of figures by the timesteps they were taken at."""

    def __init__(self, path: Path, timesteps: int) -> None:
        """Keeps what was recorded up to ``timesteps``; a resumed run records the rest anew."""
        self._path = path
        self._rows = [row for row in read_records(path) if float(row[TIMESTEPS]) <= timesteps]
        if path.exists():
            write_text(path, _text(self._rows, header=True))

    def add(self, timesteps: int, figures: dict[str, str | float]) -> None:
        row = {TIMESTEPS: str(timesteps)}
        row |= {
            name: f"{value:.6g}" if isinstance(value, float) else str(value)
            for name, value in figures.items()
        }
        with self._path.open("a", encoding="utf-8", newline="") as file:
            file.write(_text([row], header=not self._rows))
        self._rows.append(row)


def read_records(path: Path) -> list[dict[str, str]]:
    """All whole rows; a killed process may have left half of one."""
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    return list(csv.DictReader(io.StringIO(whole)))


def _text(rows: list[dict[str, str]], *, header: bool) -> str:
    if not rows:
        return ""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    if header:
        writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()
