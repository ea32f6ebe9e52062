"""The help of options that are rarely used; apart, since reading it must not load the settings."""


class RareHelp(str):
    """A help text that only ``--help-all`` shows."""

    __slots__ = ()
