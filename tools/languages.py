"""Sorts the files of texts by their keys, with an entry on each line.

``python -m tools.languages`` writes them; a test of the texts compares them with this form.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from mindup_play.languages import LANGUAGES, Entry, read_texts

FOLDER = Path(__file__).parent.parent / "agents" / "mindup_play" / "languages"


def file_text(entries: Mapping[str, Entry]) -> str:
    lines = (
        f"  {json.dumps(key)}: {json.dumps(entry, ensure_ascii=False)}"
        for key, entry in sorted(entries.items())
    )
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> None:
    for language in LANGUAGES:
        path = FOLDER / f"{language}.json"
        path.write_text(file_text(read_texts(language)), encoding="utf-8")


if __name__ == "__main__":
    main()
