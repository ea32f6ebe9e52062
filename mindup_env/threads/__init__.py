"""Threads.

- ``pool``: functions that run at the same time
- ``exclusive``: objects that one caller at a time can use
"""
