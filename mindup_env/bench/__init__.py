"""Measures speed: ``mindup bench``.

- ``command``: the command, whose benchmarks are modules that entry points register
- ``engine``, ``env``: the bare engine; the environments
- ``others``: environments of other projects, to compare with
- ``measurement``: a measured speed, and how it is measured
- ``options``: the command-line options and the report of a benchmark
"""
