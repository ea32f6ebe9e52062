"""Measure the speed of the engine, the environments, bots and learners.

Example: mindup doctor speed env

- ``benchmark``: the options of a benchmark, how it is measured, and the report
- ``engine``, ``env``, ``bots``: the bare engine; the environments, also on a GPU; bots
- ``doctor``: versions, speed and problems
"""
