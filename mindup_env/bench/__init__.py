"""Measures speed: ``mindup bench``; and checks the installation: ``mindup doctor``.

- ``command``: the command, whose benchmarks are modules that entry points register
- ``benchmark``: what a benchmark is, its options, how it is measured, and the report
- ``engine``, ``env``, ``bots``: the bare engine; the environments; bots
- ``device``, ``others``: environments on a device such as a GPU; those of other projects
- ``doctor``: versions, speed and problems
"""
