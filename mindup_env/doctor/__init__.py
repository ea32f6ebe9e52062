"""Checks the installation and measures speed: ``mindup doctor``.

- ``installation``: versions, speed and problems
- ``speed``: the options of a benchmark of speed, how it is measured, and the report
- ``engine``, ``env``, ``bots``: the bare engine; the environments, also on a GPU; bots
"""
