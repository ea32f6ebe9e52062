"""Which games end is known without a device."""

import numpy as np
import pytest

from mindup_env import BatchEnv
from mindup_env.cuda.clocks import Clocks
from tests.envs.playing import SHORT


@pytest.mark.parametrize("autoreset", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_the_steps_in_which_games_end_are_those_of_the_cpu(autoreset: bool, seed: int) -> None:  # noqa: FBT001
    """Games at all turns, finished ones too, are put into random places again and again."""
    chance = np.random.default_rng(seed)
    env = BatchEnv(SHORT, 4, autoreset=autoreset)
    clocks = Clocks(4, SHORT.num_turns, autoreset=autoreset)
    other = BatchEnv(SHORT, 4, autoreset=False)
    for step in range(60):
        if step % 20 == 0:
            env.reset(seed=step)
            clocks.restart()
        if chance.random() < 0.3:
            places = chance.permutation(4)[: chance.integers(1, 4)].tolist()
            other.reset(seed=step)
            for _ in range(chance.integers(SHORT.num_turns + 1)):
                other.step(other.seen["action_mask"].argmax(axis=2))
            state = other.get_state(places)
            env.set_state(places, state)
            clocks.put(np.array(places), state.games.clock.astype(np.int64))
        *_, over, _, info = env.step(env.seen["action_mask"].argmax(axis=2))
        assert clocks.step() == over.any() == ("scores" in info)
