"""A table on a web page: what is told to it, and the files that draw it."""
