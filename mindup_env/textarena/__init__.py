"""The game for TextArena, a library of text games for language models (extra ``[textarena]``).

Importing it registers ``MindUp-v0``, for ``textarena.make``.
"""

from mindup_env.textarena.env import TextArenaEnv, register

__all__ = ["TextArenaEnv", "register"]

register()
