"""How settings are declared, read and refused.

- ``options``: the fields of a dataclass as options of a command
- ``checks``: checks of arguments, with errors that say what is accepted
- ``extras``: optional libraries
"""
