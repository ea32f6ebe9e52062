"""How much the rules' tests play: with the compiler off, a hundredth of the speed, much less."""

import numba

COMPILED: bool = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]  # set at import


def games(many: int) -> int:
    return many if COMPILED else max(1, many // 40)
