"""Code that a text names, such as ``mybots:Bonus:depth=3``: one grammar for bots and all others.

- ``named_code``: from ``module:Class`` to what it names
- ``options``: the options after it, as the annotations of their parameters convert them
"""

from mindup_env.specs.named_code import (
    CodeKind,
    NamedCode,
    check_code_name,
    code_name,
    find_code,
    names_code,
)
from mindup_env.specs.options import OtherOption, RestOfSpec, takes_rest_of_spec

__all__ = [
    "CodeKind",
    "NamedCode",
    "OtherOption",
    "RestOfSpec",
    "check_code_name",
    "code_name",
    "find_code",
    "names_code",
    "takes_rest_of_spec",
]
