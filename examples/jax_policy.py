"""JAX: a compiled function plays whole games, whose steps are calls of ``BatchEnv`` on the host.

    python jax_policy.py --games 1024

``io_callback`` lets compiled code call the environment in order. The policy is a linear function of
the observation with random weights: put a network of Flax, and its update, in its place.
"""

import argparse
from importlib.util import find_spec
from typing import Any

import numpy as np

from mindup_env import BatchEnv, GameConfig


def make_play(env: BatchEnv) -> Any:
    """A compiled function (weights, key) -> rewards (games, players) of whole games."""
    import jax  # noqa: PLC0415  # optional
    import jax.numpy as jnp  # noqa: PLC0415
    from jax.experimental import io_callback  # noqa: PLC0415

    seats, cards = (env.num_envs, env.config.num_players), env.config.num_cards
    observation = jax.ShapeDtypeStruct((*seats, env.layout.size), jnp.int8)
    mask = jax.ShapeDtypeStruct((*seats, cards), jnp.int8)
    rewards = jax.ShapeDtypeStruct(seats, jnp.float32)

    def look() -> tuple[Any, Any]:
        return env.seen["observation"].copy(), env.seen["action_mask"].copy()

    def step(actions: Any) -> Any:
        return env.step(np.asarray(actions))[1].copy()  # the next step overwrites the array

    def play(weights: Any, key: Any) -> Any:
        def turn(total: Any, own_key: Any) -> tuple[Any, None]:
            seen, legal = io_callback(look, (observation, mask), ordered=True)
            logits = jnp.where(legal > 0, seen.astype(jnp.float32) @ weights, -jnp.inf)
            actions = jax.random.categorical(own_key, logits)
            return total + io_callback(step, rewards, actions, ordered=True), None

        keys = jax.random.split(key, env.config.num_turns)
        return jax.lax.scan(turn, jnp.zeros(seats), keys)[0]

    return jax.jit(play)


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=1024)
    given = parser.parse_args(words)
    if find_spec("jax") is None:
        print("skipped: JAX is not installed")
        return
    import jax  # noqa: PLC0415

    env = BatchEnv(GameConfig(4), given.games, reward="win")
    env.reset(seed=0)
    play, key = make_play(env), jax.random.key(0)
    weights = 0.1 * jax.random.normal(key, (env.layout.size, env.config.num_cards))
    rewards = np.asarray(play(weights, key))
    print(f"{given.games} games; mean win share minus 1/4 of each seat: {rewards.mean(axis=0)}")


if __name__ == "__main__":
    main()
