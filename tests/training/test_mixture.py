"""One policy for games with different numbers of players: it trains, resumes and plays."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindup_agents.policy import PolicyAgent, load_policy
from mindup_env import BatchEnv, GameConfig, cli, make_agent
from mindup_training.launch import rank_policy
from mindup_training.learners.sb3.vec_env import MindUpVecEnv
from mindup_training.loggers.csv_files import read_csv_log
from mindup_training.run_folder import RunFolder
from mindup_training.settings import TrainSettings
from mindup_training.train.evaluation import at_players
from tests.envs.bots import choose_all
from tests.training.runs import assert_same

PLAYERS, OBJECTIVES = (3, 2), (0, 2)
PRESET = """
players = [3, 2]
objectives = [0, 2]
threads = 1
opponents = ["2:random", "lowest"]
features = "position-1"
widths = [16, 16, 8]
timesteps = 800
checkpoint_every = 200
evaluate_against = ["lowest", "random"]
evaluation_deals = 8

[game]
num_rounds = 2
hand_size = 3

[ppo]
num_envs = 20
batch_size = 64

[self_play]
pool_size = 2
"""


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mixture")
    (folder / "preset.toml").write_text(PRESET)
    run = folder / "run"
    assert cli.main(["train", "--preset", str(folder / "preset.toml"), "--out", str(run)]) == 0
    return run


def tables(num_players: int | None = None) -> list[GameConfig]:
    return [
        GameConfig(players, objectives, num_rounds=2, hand_size=3)
        for players in PLAYERS
        for objectives in OBJECTIVES
        if num_players in (None, players)
    ]


def test_the_policy_plays_all_tables_and_no_other(trained: Path) -> None:
    policy = load_policy(trained / "policy.safetensors")
    assert {*policy.description.configs} == {*tables()}
    assert policy.description.pad_to_players == 3
    for config in tables():
        env, chance = BatchEnv(config, 5, illegal_action="raise"), np.random.default_rng(1)
        env.reset(seed=1)
        agent = make_agent(f"policy:{trained / 'policy.safetensors'}", config)
        for turn in range(config.num_turns):
            seen = {name: array.reshape(len(array[0]) * 5, -1) for name, array in env.seen.items()}
            rows = len(seen["action_mask"])
            actions = agent.act(
                seen["observation"],
                seen["action_mask"],
                np.full(rows, turn == 0),
                chance.integers(0, 2**63, rows).astype(np.uint64),
            )
            chosen = policy.probabilities(seen["observation"], seen["action_mask"]).argmax(axis=1)
            assert np.array_equal(actions, chosen)
            env.step(actions.reshape(5, -1))
    with pytest.raises(ValueError, match="trained for num_players=2 or 3, not for num_players=4"):
        PolicyAgent.of(policy, GameConfig(4, num_rounds=2, hand_size=3))


def test_each_number_of_players_is_evaluated_and_ranked(trained: Path) -> None:
    rows = read_csv_log(trained / "evaluations.csv")
    end = rows[-1]["timesteps"]
    last = {row["opponent"]: float(row["value"]) for row in rows if row["timesteps"] == end}
    for bot in ("lowest", "random"):
        parts = [last[at_players(bot, players)] for players in PLAYERS]
        assert last[bot] == pytest.approx(np.mean(parts), abs=1e-5)
    assert set(last) == {
        *(at_players(bot, players) for bot in ("lowest", "random") for players in PLAYERS),
        "lowest",
        "random",
        "oldest_snapshot",
        "newest_snapshot",
    }
    assert rank_policy(RunFolder.open(trained)) == 0
    assert not (trained / "arena.json").exists()
    for players in PLAYERS:
        report = json.loads((trained / f"arena-{players}p.json").read_text())
        assert report["settings"]["config"]["num_players"] == players


@pytest.mark.parametrize("kept", [1, 2])
def test_a_resumed_run_ends_alike(trained: Path, tmp_path: Path, kept: int) -> None:
    run = Path(shutil.copytree(trained, tmp_path / "run"))
    checkpoints = sorted((run / "checkpoints").glob("*.json"))
    for each in checkpoints[kept:]:
        each.unlink()
    assert cli.main(["train", "--resume", str(run)]) == 0
    assert_same(run, trained)


def test_the_rows_of_each_game_say_who_is_at_the_table() -> None:
    settings = TrainSettings(
        players=PLAYERS, objectives=OBJECTIVES, game={"num_rounds": 2, "hand_size": 3}
    )
    told = []
    for threads in (1, 3):
        env = MindUpVecEnv(settings.env_config, 5, num_threads=threads)
        games = env.num_envs // 4
        steps: list[Any] = [env.reset()]
        for _ in range(2 * env.num_turns):
            seats = steps[-1][:, env.shape.table - 3 : env.shape.table]
            assert (seats[: 2 * games] == 1).all()
            assert (seats[2 * games :] == [1, 1, 0]).all()
            steps.append(env.step(choose_all(env.action_masks().astype(np.int8)))[0])
        told.append(np.array(steps))
    assert np.array_equal(told[0], told[1])


def test_a_best_response_starts_from_the_policy_at_one_table(
    trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy = str(trained / "policy.safetensors")
    words = ["exploit", "lowest", "--preset", str(trained.parent / "preset.toml"), "--init", policy]
    words += ["--timesteps", "200", "--deals", "2", "--out", str(tmp_path / "run")]
    assert cli.main([*words, "--players", "3", "2"]) == 2
    assert "exploit takes one number of players, not 2: 3 2" in capsys.readouterr().err
    assert cli.main([*words, "--players", "2"]) == 2
    assert "it has pad_to_players 3, not None" in capsys.readouterr().err
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
