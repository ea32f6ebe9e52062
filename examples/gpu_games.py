"""Games on an NVIDIA GPU, whose actions another library computes there, without copies.

``python gpu_games.py --library torch``; ``cupy`` and ``jax`` take the same tensors.
"""

import argparse
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from mindup_env import GameConfig
from mindup_env.cuda import CudaBatchEnv, find_problem

Choose = Callable[[Any], Any]
"""Maps masks (N, P, cards) to actions (N, P), both on the device."""


def with_torch() -> Choose:
    torch = import_module("torch")

    def choose(masks: Any) -> Any:
        return (torch.rand(masks.shape, device=masks.device) * masks).argmax(dim=-1)

    return choose


def with_cupy() -> Choose:
    cupy = import_module("cupy")

    def choose(masks: Any) -> Any:
        given = cupy.asarray(masks)  # by __cuda_array_interface__: the same memory
        return (cupy.random.random(given.shape) * given).argmax(axis=-1)

    return choose


def with_jax() -> Choose:
    jax = import_module("jax")
    keys = iter(jax.random.split(jax.random.key(0), 1000))

    choose_legal = jax.jit(
        lambda key, masks: (jax.random.uniform(key, masks.shape) * masks).argmax(axis=-1)
    )

    def choose(masks: Any) -> Any:
        given = jax.dlpack.from_dlpack(masks)  # the same memory
        # JAX has streams of its own: the actions must be there before the games read them.
        return choose_legal(next(keys), given).block_until_ready()

    return choose


LIBRARIES = {"torch": with_torch, "cupy": with_cupy, "jax": with_jax}


def play(num_envs: int, choose: Choose) -> None:
    env = CudaBatchEnv(GameConfig(), num_envs)
    seen, _ = env.reset(seed=0)
    turns = env.config.num_turns
    start = time.monotonic()
    illegal: Any = 0
    for _ in range(turns):
        seen, _rewards, _over, _truncated, info = env.step(choose(seen["action_mask"]))
        illegal += info["illegal_actions"].sum()
    print(f"illegal actions: {int(illegal)}")  # waits for all that was launched
    decisions = num_envs * env.config.num_players * turns
    print(f"{decisions / (time.monotonic() - start):,.0f} decisions/s with observations")


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Play games on a GPU at random.")
    parser.add_argument("--library", choices=LIBRARIES, default="torch")
    parser.add_argument("--num-envs", type=int, default=65536, help="games at once")
    arguments = parser.parse_args(words)
    if find_spec(arguments.library) is None:
        print(f"skipped: {arguments.library} is not installed")
        return
    if problem := find_problem():
        print(f"skipped: {problem}")
        return
    play(arguments.num_envs, LIBRARIES[arguments.library]())


if __name__ == "__main__":
    main()
