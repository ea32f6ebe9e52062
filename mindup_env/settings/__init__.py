"""How settings are declared, read and refused.

- ``declaration``: the class of some settings, which checks them and reads and writes plain data
- ``command_line``: settings as options of a command
- ``plain_file``: JSON files of users
- ``checks``: checks of arguments, with errors that say what is accepted
- ``extras``: optional libraries
"""
