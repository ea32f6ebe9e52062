"""Writes the tables of all documents: ``make docs``."""

from mindup_env.files import write_text
from tools.tables.pages import PAGES, with_current_tables

for path in PAGES:
    write_text(path, with_current_tables(path.read_text(encoding="utf-8")))
