"""One policy for games with different numbers of players: it trains and plays."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindup_agents.policy import PolicyAgent, load_policy
from mindup_env import BatchEnv, GameConfig, cli, make_agent
from mindup_training import train
from mindup_training.learners.sb3 import MindUpVecEnv
from mindup_training.loggers.csv_files import read_csv_log
from mindup_training.settings import TrainSettings
from mindup_training.trainer.evaluation import at_players
from tests.envs.bots import choose_all
from tests.training.runs import plain_of

PLAYERS, OBJECTIVES = (3, 2), (0, 2)
BOTS = "lowest", "random"
SETTINGS = TrainSettings.from_dict(
    plain_of(
        "sb3",
        players=PLAYERS,
        objectives=OBJECTIVES,
        features="position-1",
        evaluate_against=BOTS,
        evaluation_deals=8,
        self_play={"pool_size": 2},
    )
)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(SETTINGS, out=tmp_path_factory.mktemp("mixture") / "run", quiet=True).folder


def tables(num_players: int | None = None) -> list[GameConfig]:
    return [each for each in SETTINGS.configs if num_players in (None, each.num_players)]


def test_the_policy_plays_all_tables_and_no_other(trained: Path) -> None:
    policy = load_policy(trained / "policy.safetensors")
    assert {*policy.description.configs} == {*tables()} and len(tables()) == 4
    assert policy.description.pad_to_players == 3
    for config in tables():
        env, chance = BatchEnv(config, 5, illegal_action="raise"), np.random.default_rng(1)
        env.reset(seed=1)
        agent = make_agent(f"policy:{trained / 'policy.safetensors'}", config)
        for turn in range(config.num_turns):
            observation, mask = (
                array.reshape(len(array[0]) * 5, -1) for array in env.seen.values()
            )
            rows = len(mask)
            bits = chance.integers(0, 2**63, rows).astype(np.uint64)
            actions = agent.act(observation, mask, np.full(rows, turn == 0), bits)
            chosen = policy.probabilities(observation, mask).argmax(axis=1)
            assert np.array_equal(actions, chosen)
            env.step(actions.reshape(5, -1))
    with pytest.raises(ValueError, match="trained for num_players=2 or 3, not for num_players=4"):
        PolicyAgent.of(policy, GameConfig(4, num_rounds=2, hand_size=3))


def test_each_number_of_players_is_evaluated(trained: Path) -> None:
    rows = read_csv_log(trained / "evaluations.csv")
    end = rows[-1]["timesteps"]
    last = {row["opponent"]: float(row["value"]) for row in rows if row["timesteps"] == end}
    for bot in BOTS:
        parts = [last[at_players(bot, players)] for players in PLAYERS]
        assert last[bot] == pytest.approx(np.mean(parts), abs=1e-5)
    each = {at_players(bot, players) for bot in BOTS for players in PLAYERS}
    assert {*last} - {"oldest_snapshot"} == {*each, *BOTS, "newest_snapshot"}


def test_the_rows_of_each_game_say_who_is_at_the_table() -> None:
    env = MindUpVecEnv(SETTINGS.changed({"ppo": {"num_envs": 16}}))
    rows: Any = env.reset()
    table = env.games.shape.table
    for _ in range(2 * env.games.num_turns):
        assert (rows[:8, table - 3 : table] == 1).all()
        assert (rows[8:, table - 3 : table] == [1, 1, 0]).all()
        rows = env.step(choose_all(env.action_masks().astype(np.int8)))[0]


def test_a_best_response_starts_from_the_policy_at_one_table(
    trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["train", "exploit", "lowest", "--preset", str(trained / "run.json")]
    words += ["--init", str(trained), "--timesteps", "200", "--deals", "2"]
    words += ["--out", str(tmp_path / "run")]
    for wrong, said in (
        ([], "exploit takes one number of players"),
        (["--players", "2"], "it has pad_to_players 3, not None"),
    ):
        assert cli.main([*words, *wrong]) == 2
        assert said in capsys.readouterr().err
    assert cli.main([*words, "--players", "2", "--pad-to-players", "3"]) == 0
    made = load_policy(tmp_path / "run" / "policy.safetensors").description
    assert made.configs == (tables(2)[0],) and made.pad_to_players == 3


def test_a_policy_file_says_whether_its_features_are_padded() -> None:
    described = TrainSettings(players=(2,)).describe_policy()
    assert described.from_dict(described.to_dict()) == described
    padded = TrainSettings(players=(2, 4)).describe_policy()
    assert padded.from_dict(padded.to_dict()) == padded
    for wrong in (3, 7, "4"):
        with pytest.raises(ValueError, match="pad_to_players must be"):
            padded.from_dict({**padded.to_dict(), "pad_to_players": wrong})
    plain = padded.to_dict()
    del plain["pad_to_players"]
    with pytest.raises(ValueError, match="one network cannot play all configs"):
        padded.from_dict(plain).shapes()
