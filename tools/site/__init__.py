"""The documentation site, built by ``make site``.

- ``notebooks`` executes a notebook and writes it as a page with its outputs
- ``pages`` gathers the pages, so that the links between files of the repository work in the site
- ``leaderboard`` writes the leaderboard of the project's bots
- ``built_page`` reads what the checks need from a built page
- ``check`` refuses broken links, names without a docstring and requests to other hosts

Zensical turns the gathered pages into HTML, and mkdocstrings writes the API reference; both are
set up in ``zensical.toml``.
"""
