"""Writes the tables of all documents, and the files of schemas: ``make docs``."""

from mindup_env.runs.files import write_text
from tools.tables.pages import FILES, PAGES, with_current_tables

for path in PAGES:
    write_text(path, with_current_tables(path.read_text(encoding="utf-8")))
for path, write in FILES.items():
    write_text(path, write())
