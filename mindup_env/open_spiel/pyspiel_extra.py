"""Imports OpenSpiel, an optional dependency, or says how to install it."""

try:
    import pyspiel
    from open_spiel.python import policy
except ImportError as error:
    raise ImportError(
        "mindup_env.open_spiel needs OpenSpiel: pip install 'mindup-env[open-spiel]'"
    ) from error

__all__ = ["policy", "pyspiel"]
