"""The documentation site, built by ``make site``.

- ``notebooks`` executes a notebook and writes it as a page with its outputs
- ``pages`` gathers the pages, so that the links between files of the repository work in the site,
  and writes the leaderboard of the project's bots
- ``fields`` shows fields and settings in the API reference
- ``check`` refuses names without a docstring and requests to other hosts

Zensical turns the gathered pages into HTML, and mkdocstrings writes the API reference; both are
set up in ``zensical.toml``.
"""
