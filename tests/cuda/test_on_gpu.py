"""What only a GPU can show; each test says so where there is none."""

import time
import warnings
from itertools import product
from typing import Any

import numpy as np
import pytest

from mindup_env import BatchEnv, GameConfig
from mindup_env.batch_env.devices import find_device
from mindup_env.cuda.support import SIMULATED
from tests.cuda.playing import (
    CASES,
    Case,
    assert_same,
    choose,
    flat,
    on_device,
    on_host,
    play,
    play_features,
)

PROBLEM = find_device("cuda").find_problem()
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(bool(PROBLEM or SIMULATED), reason=f"no GPU: {PROBLEM or 'simulated'}"),
    pytest.mark.filterwarnings("ignore::mindup_env.IllegalActionWarning"),
]

CONFIGS = [GameConfig(*each) for each in product(range(2, 7), range(6))]
GAMES = 100_000
SOAK_SECONDS = 300


@pytest.mark.parametrize("case", CASES)
def test_games_are_those_of_the_cpu(case: str) -> None:
    assert_same(play(CASES[case], "cuda"), play(CASES[case], "cpu"))


@pytest.mark.parametrize("case", sorted(CASES.keys() - {"padded"}))
def test_features_are_those_of_the_cpu(case: str) -> None:
    assert_same(play_features(CASES[case], "cuda"), play_features(CASES[case], "cpu"))


@pytest.mark.parametrize(
    "config", CONFIGS, ids=lambda each: f"{each.num_players}-{each.num_objectives}"
)
def test_thousands_of_games_of_each_config_are_those_of_the_cpu(config: GameConfig) -> None:
    """With the same wild actions; GAMES of all configs together."""
    case = Case(config, "0.1*margin+win", num_envs=GAMES // len(CONFIGS) + 1)
    cpu, cuda = case.make("cpu"), case.make("cuda")
    seen, _ = cpu.reset(seed=21)
    cuda.reset(seed=21)
    chance = np.random.default_rng(1)
    for _ in range(config.num_turns):
        actions = choose(seen, chance)
        seen, *expected, info = cpu.step(actions)
        found = flat(cuda.step(on_device(cuda, actions)))
        assert_same(found, flat((seen, *expected, info)))


def test_random_play_goes_on_like_that_of_the_cpu_for_minutes() -> None:
    """Of many games, some are also played on the CPU."""
    config, followed = GameConfig(5, 2), 100
    cuda: Any = BatchEnv(config, 65_536, device="cuda")
    cpu = BatchEnv(config, followed)
    cuda.reset(seed=8)
    cpu.reset(seed=8)
    begin = time.monotonic()
    while time.monotonic() - begin < SOAK_SECONDS:
        for _ in range(10 * config.num_turns + 1):
            actions = cpu.random_actions()
            chosen = cuda.random_actions()
            np.testing.assert_array_equal(on_host(chosen[:followed]), actions)
            cpu.step(actions)
            cuda.step(chosen)
        found, expected = (each.get_state(range(followed)) for each in (cuda, cpu))
        for name, field in expected.games._asdict().items():
            np.testing.assert_array_equal(getattr(found.games, name), field, name)
        np.testing.assert_array_equal(found.keys, expected.keys)


def test_too_many_games_are_refused_and_others_go_on() -> None:
    case = CASES["two"]
    cuda: Any = case.make("cuda")
    cuda.reset(seed=3)
    for _ in range(2):
        with pytest.raises(MemoryError, match="games do not fit into the memory of the GPU"):
            BatchEnv(num_envs=25_000_000, device="cuda")
    cuda.step(cuda.random_actions())
    assert_same(play(case, "cuda"), play(case, "cpu"))


def test_tensors_share_the_memory_of_the_games_and_a_step_waits_for_nothing() -> None:
    torch = pytest.importorskip("torch")
    cuda: Any = BatchEnv(num_envs=64, device="cuda")
    seen, _ = cuda.reset(seed=3)
    before = seen["observation"].data_ptr()
    try:
        with warnings.catch_warnings(action="ignore"):  # of a prototype
            torch.cuda.set_sync_debug_mode("error")  # PyTorch's own waits alone
        for _ in range(30):
            seen, *_ = cuda.step(cuda.random_actions())
    finally:
        torch.cuda.set_sync_debug_mode("default")
    assert seen["observation"].is_cuda and seen["observation"].data_ptr() == before


def test_steps_are_launched_on_the_current_stream() -> None:
    """There the actions come late: a step on another stream would not wait for them."""
    torch = pytest.importorskip("torch")
    cpu, cuda = CASES["six"].make("cpu"), CASES["six"].make("cuda")
    seen, _ = cpu.reset(seed=3)
    cuda.reset(seed=3)
    highest = seen["action_mask"].shape[2] - 1 - seen["action_mask"][..., ::-1].argmax(axis=2)
    late = torch.from_numpy(highest).cuda()
    actions = torch.zeros_like(late)
    torch.cuda.synchronize()
    with torch.cuda.stream(torch.cuda.Stream()):
        torch.cuda._sleep(1_000_000_000)  # about half a second
        actions.copy_(late)
        found = flat(cuda.step(actions))
    assert_same(found, flat(cpu.step(highest)))
