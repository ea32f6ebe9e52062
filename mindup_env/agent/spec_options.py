"""The options of a spec: texts that pydantic converts as the annotated parameters say."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, NewType

from mindup_env.settings.checks import suggestion

RestOfSpec = NewType("RestOfSpec", str)
"""The type of a bot's parameter that takes all text after the colon as it is, such as a command."""

OtherOption = float | str
"""The type of ``**options`` of a bot that takes options which it does not name."""


def read_options(
    owner: str,
    name: str,
    make: Callable[..., Any],
    text: str,
    positional: int,
    supplied: Mapping[str, Any],
) -> dict[str, Any]:
    """The keyword arguments of ``make``: the options in ``text``, and those supplied.

    Args:
        owner: what errors call it, such as ``agent 'greedy'``.
        name: its name in a spec.
        make: a class or function.
        text: the options, as ``option=value,...``.
        positional: the number of its first parameters that are no options.
        supplied: arguments that no text can set; ``make`` gets those that it has parameters for.
    """
    parameters = list(inspect.signature(make).parameters.values())[positional:]
    types = {each.name: _type(make, each) for each in parameters if each.kind not in _UNNAMED}
    given = {key: value for key, value in supplied.items() if key in types}
    types = {key: kind for key, kind in types.items() if key not in given}
    whole = [key for key, kind in types.items() if kind is RestOfSpec]
    if whole and text.strip():
        return {whole[0]: text, **given}
    needed = [each.name for each in parameters if each.name in types and each.default is each.empty]
    takes_others = any(
        each.kind is each.VAR_KEYWORD and _type(make, each) == OtherOption for each in parameters
    )
    options = {}
    for index, pair in enumerate(filter(None, text.strip().split(","))):
        key, equals, value = map(str.strip, pair.partition("="))
        if not equals and index == 0 and needed:
            key, value = needed[0], key
        elif not types and not takes_others:
            again = f"; to use it {key} times, list it {key} times" if key.isdecimal() else ""
            raise ValueError(f"{owner} has no options, but was given {pair!r}{again}")
        elif not equals:
            available = suggestion(key, types)
            raise ValueError(f"an option of {owner} is name=value, not {pair!r}{available}")
        if key in types:
            options[key] = _convert(f"option {key!r} of {owner}", value, types[key])
        elif takes_others and key.isidentifier() and key not in supplied:
            options[key] = _convert(key, value, Any)
        else:
            raise ValueError(f"{owner} has no option {key!r}{suggestion(key, types)}")
    missing = [key for key in needed if key not in options]
    if missing:
        raise ValueError(f"{owner} needs {', '.join(missing)}, as in {name}:{missing[0].upper()}")
    return {**options, **given}


def takes_rest_of_spec(make: Callable[..., Any]) -> bool:
    """Whether all text after the colon is one option, such as a command."""
    parameters = inspect.signature(make).parameters.values()
    return any(_type(make, each) is RestOfSpec for each in parameters)


def _type(make: Any, parameter: inspect.Parameter) -> Any:
    """The annotation of a parameter, which is a text where its evaluation is postponed."""
    annotation = parameter.annotation
    if isinstance(annotation, str):
        scope = getattr(make.__init__ if inspect.isclass(make) else make, "__globals__", {})
        try:
            return eval(annotation, scope)  # noqa: S307  # as the interpreter would
        except (AttributeError, NameError):  # it is imported for type checkers alone
            return Any
    return Any if annotation is parameter.empty else annotation


def _convert(name: str, text: str, kind: Any) -> Any:
    """The value of a text; without a type, a number if it is one."""
    # Here, because `import mindup_env` would take longer.
    from pydantic import PydanticUserError, TypeAdapter, ValidationError  # noqa: PLC0415

    accepted: Any = int | float | str if kind is Any else kind
    try:
        return TypeAdapter(accepted).validate_strings(text)
    except PydanticUserError:
        raise ValueError(f"{name} cannot be given as text: its type is {kind}") from None
    except ValidationError as error:
        first = error.errors()[0]
        rule = _RULES.get(first["type"], first["msg"].removeprefix("Input should be "))
        raise ValueError(f"{name} must be {rule}, not {text!r}") from None


_UNNAMED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_RULES = {
    "int_parsing": "a whole number",
    "float_parsing": "a number",
    "bool_parsing": "true or false",
}
"""What an option must be, by pydantic's names of errors."""
