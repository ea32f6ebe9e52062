"""The tables of the documents that come from the code or from docs/results: ``make docs``."""
