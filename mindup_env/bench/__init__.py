"""Measures speed: ``mindup bench``.

- ``command``: the command, whose benchmarks are modules that entry points register
- ``engine``, ``env``, ``bots``: the bare engine; the environments; bots
- ``device``: the environments on a device such as a GPU
- ``others``: environments of other projects, to compare with
- ``measurement``: a measured speed, and how it is measured
- ``options``: the command-line options and the report of a benchmark
"""
