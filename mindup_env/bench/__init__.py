"""Measure the speed of the engine, the environments, bots and learners.

Group: measure
Example: mindup bench env

- ``measuring``: the options of a benchmark, how it is measured, and the report
- ``engine``, ``env``, ``bots``: the bare engine; the environments, also on a GPU; bots
"""
