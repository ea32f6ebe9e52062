"""Measures speed: ``mindup bench``; and checks the installation: ``mindup doctor``.

- ``benchmark``: the command; the options of a benchmark, how it is measured, and the report
- ``engine``, ``env``, ``bots``: the bare engine; the environments, also on a GPU; bots
- ``doctor``: versions, speed and problems
"""
