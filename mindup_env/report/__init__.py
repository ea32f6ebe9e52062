"""Numbers as CSV and as pictures: ``picture`` opens and saves figures."""

import csv
import io
from collections.abc import Iterable
from typing import Any


def csv_text(lines: Iterable[Iterable[Any]]) -> str:
    """Lines as CSV; the first has the names of the columns."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()
