"""Builds the archives of a release and tries them: ``make package``.

- ``archives`` builds the source archive, and the wheel from it, and lists their contents
- ``trial`` is run by the Python of a new environment in which only the wheel is installed
"""
