"""The options of the bot ``search``."""

import numpy as np
import pytest

from mindup_env import BatchEnv, GameConfig, make_agent
from tests.agents.positions import ActArguments, stages
from tests.agents.test_plain_positions import chosen, last_turn, others, pink

CONFIG = GameConfig(3)


@pytest.mark.parametrize(
    "spec",
    [
        "search:simulations=1",
        "search:simulations=20,horizon=game",
        "search:simulations=20,models=planner,slip=0",
        "search:simulations=40,simultaneous=true",
    ],
)
def test_every_option_plays_legal_cards_and_finds_the_obvious_one(spec: str) -> None:
    arguments = stages(CONFIG).pick(slice(0, None, 3))
    actions = make_agent(spec, CONFIG).act(*arguments)
    assert arguments.action_mask[np.arange(len(actions)), actions].all()
    row = [*others(10, 27)[:3], pink(40, 52)[0]]
    game = last_turn([1, 60], pink(1, 9)[:1] + pink(52, 60)[:1], row)
    if spec != "search:simulations=1":  # one game can mislead
        assert chosen(spec, game) == 60


def choices(options: str, stages_: ActArguments) -> list[int]:
    actions: list[int] = make_agent(f"search:{options}", CONFIG).act(*stages_).tolist()
    return actions


def test_every_option_and_the_random_bits_change_choices() -> None:
    given = stages(CONFIG)
    few = choices("simulations=2", given)
    assert few == choices("simulations=2", given) != choices("simulations=30", given)
    assert few != choices("simulations=2", given._replace(random_bits=given.random_bits + 1))
    against = [choices(f"simulations=16,slip=0,models={m}", given) for m in ("random", "planner")]
    assert against[0] != against[1]


def test_a_time_limit_ends_the_search_early() -> None:
    """It then plays like a search with fewer simulations."""
    given = stages(CONFIG).pick(slice(0, None, 2))
    hurried = choices("simulations=100,time_limit=0.0000001", given)
    assert given.action_mask[np.arange(len(hurried)), hurried].all()
    assert hurried != choices("simulations=100", given)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("simulations=0", "simulations must be at least 1, not 0"),
        ("horizon=turn", "horizon must be 'round' or 'game', not 'turn'"),
        ("models=planner+wizard", "there is no 'wizard'; available: random, greedy, planner"),
        ("slip=2", "slip must be a probability from 0 to 1, not 2"),
        ("time_limit=-1", "time_limit must be at least 0 seconds .0 for no limit., not -1"),
    ],
)
def test_wrong_options_are_refused(option: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_agent(f"search:{option}", CONFIG)


def test_a_finished_game_gets_action_0() -> None:
    env = BatchEnv(CONFIG, 2, autoreset=False)
    seen, _ = env.reset(seed=1)
    for _ in range(CONFIG.num_turns):
        seen, *_ = env.step(seen["action_mask"].argmax(axis=2))
    for name in ("greedy", "planner", "predictor", "search"):
        actions = make_agent(name, CONFIG).act(
            seen["observation"][:, 0],
            seen["action_mask"][:, 0],
            np.zeros(2, np.bool_),
            np.zeros(2, np.uint64),
        )
        assert actions.tolist() == [0, 0]
