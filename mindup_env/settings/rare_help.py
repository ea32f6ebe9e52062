"""The help of options that are rarely used."""


class RareHelp(str):
    """A help text that only ``--help-all`` shows."""

    __slots__ = ()
