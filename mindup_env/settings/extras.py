"""Optional libraries: which extra installs them, and what to say where they are missing."""

from importlib.util import find_spec


def require(purpose: str, extra: str, *libraries: str) -> None:
    """Raises a ValueError that names the missing ones of ``libraries`` and how to install them."""
    missing = [name for name in libraries if find_spec(name) is None]
    if missing:
        raise ValueError(f"{purpose} needs {', '.join(missing)}: pip install 'mindup-env[{extra}]'")
