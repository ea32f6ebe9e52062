"""How settings are declared, read and refused.

- ``declaration``: the class of some settings, which validates them and reads and writes plain data
- ``field_types``: its fields as pydantic validates them
- ``command_line``: settings as options of a command
- ``plain_file``: JSON files of users
- ``checks``: checks of arguments, with errors that say what is accepted
- ``extras``: optional libraries
"""
