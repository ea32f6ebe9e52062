"""Reports: tables of numbers with intervals, declared once and shown in every form.

- ``table``: rows and columns; as plain data for JSON and lines of CSV
- ``terminal``: tables in the width of a terminal; ``picture``: cross tables and intervals, drawn
- ``html``: pages that load nothing, and ``table.html``, a table in such a page
"""

from mindup_env.report.table import Cell, Column, Table, Value, csv_text

__all__ = ["Cell", "Column", "Table", "Value", "csv_text"]
