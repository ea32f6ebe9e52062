"""The former place of ``mindup_env.runs.table_options``."""

from mindup_env.runs.table_options import TableOptions

__all__ = ["TableOptions"]
