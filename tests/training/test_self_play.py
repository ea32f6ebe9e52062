"""`mindup train --self-play`: the snapshots of a run, their evaluation, and resuming with them."""

import json
import shlex
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

import pytest

from mindup_agents.policy import PolicyAgent, load_policy
from mindup_arena.match import win_share_against
from mindup_env import cli
from mindup_training.checkpoint import load_last_checkpoint
from mindup_training.evaluation import evaluate
from mindup_training.records import read_records
from mindup_training.self_play import RULE, SelfPlay
from mindup_training.settings import TrainSettings, read_preset
from tests.training.test_resume import PRESET, policy, recorded, resume, train

SELF_PLAY = (
    PRESET.replace("timesteps = 1000", "timesteps = 400").replace("= 250", "= 100")
    + "learning_rate = 2e-2\n"
)
SECTION = """
[self_play]
share = 0.6
pool_size = 2
"""
CHECKPOINTS = [100, 200, 300, 400]


@pytest.fixture(scope="module")
def preset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("presets") / "preset.toml"
    path.write_text(SELF_PLAY + SECTION)
    return path


@pytest.fixture(scope="module")
def unbroken(preset: Path) -> Path:
    return train(preset, preset.parent / "unbroken", "--seed", "1")


def snapshots(run: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (run / "snapshots").iterdir()}


def shares(run: Path) -> dict[int, dict[str, float]]:
    """Of each evaluation, by its timesteps."""
    found: dict[int, dict[str, float]] = defaultdict(dict)
    for row in read_records(run / "evaluations.csv"):
        found[int(row["timesteps"])][row["opponent"]] = float(row["value"])
    return found


def assert_equal(run: Path, unbroken: Path) -> None:
    assert policy(run) == policy(unbroken)
    assert recorded(run) == recorded(unbroken) and snapshots(run) == snapshots(unbroken)
    both = [load_last_checkpoint(each / "checkpoints") for each in (run, unbroken)]
    assert both[0] and both[1]
    assert both[0].plain["snapshots"] == both[1].plain["snapshots"]


def test_a_seed_decides_all(preset: Path, unbroken: Path, tmp_path: Path) -> None:
    assert_equal(train(preset, tmp_path / "again", "--seed", "1"), unbroken)
    other = train(preset, tmp_path / "other", "--seed", "2", "--timesteps", "100")
    names = snapshots(other).keys() & snapshots(unbroken).keys()
    assert names and all(snapshots(other)[name] != snapshots(unbroken)[name] for name in names)


def test_a_killed_run_goes_on_as_if_it_had_not_been(
    preset: Path, unbroken: Path, tmp_path: Path
) -> None:
    killed = tmp_path / "killed"
    words = ["train", "--preset", str(preset), "--seed", "1", "--out", str(killed)]
    script = f"from mindup_env import cli; cli.main({words})"
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.DEVNULL)
    folder = killed / "checkpoints"
    while not any(int(path.stem) >= 200 for path in folder.glob("*.json")):
        assert process.poll() is None
        time.sleep(0.001)
    process.kill()
    process.wait()
    begun = load_last_checkpoint(folder)
    assert begun is not None and begun.plain["timesteps"] < 400, "it was killed in time"
    assert begun.plain["snapshots"][0] == 100
    resume(killed)
    assert_equal(killed, unbroken)


def test_the_pool_is_that_of_the_checkpoint(unbroken: Path, tmp_path: Path) -> None:
    """Of snapshots that were written after it, there is nothing left but files."""
    run = Path(shutil.copytree(unbroken, tmp_path / "run"))
    (run / "checkpoints" / "000000000400.json").unlink()
    (run / "snapshots" / "000000000350.safetensors").write_bytes(b"of another run")
    resume(run)
    (run / "snapshots" / "000000000350.safetensors").unlink()
    assert_equal(run, unbroken)


def test_every_checkpoint_is_evaluated_against_bots_and_the_ends_of_the_pool(
    unbroken: Path,
) -> None:
    found = shares(unbroken)
    assert list(found) == [0, *CHECKPOINTS]
    assert [*found[0]] == [*found[100]] == ["lowest"]
    assert [*found[200]] == ["lowest", "newest_snapshot"]
    assert all({"lowest", "newest_snapshot"} <= {*found[step]} for step in CHECKPOINTS[1:])
    oldest = ["oldest_snapshot" in found[step] for step in CHECKPOINTS]
    assert oldest == sorted(oldest) and oldest[-1], "from the second that entered on"


def test_who_entered_is_who_won_an_equal_share(unbroken: Path) -> None:
    entered = [int(name.split(".")[0]) for name in sorted(snapshots(unbroken))]
    assert entered == [
        step
        for step in CHECKPOINTS
        if shares(unbroken)[step].get("newest_snapshot", 1) >= 1 / 3 - 1e-5
    ]
    last = load_last_checkpoint(unbroken / "checkpoints")
    assert last is not None and last.plain["snapshots"] == [entered[0], entered[-1]]


def test_a_win_share_is_against_copies_of_the_snapshot_that_draw_their_cards(
    unbroken: Path,
) -> None:
    final = load_policy(unbroken / "policy.safetensors")
    first = load_policy(unbroken / "snapshots" / "000000000100.safetensors")
    settings = TrainSettings.from_dict(json.loads((unbroken / "run.json").read_text())["settings"])
    settings = settings.changed({"evaluate_against": [], "evaluation_deals": 40})
    ((name, share),) = evaluate(final, settings, {"first": first})
    parts = [
        win_share_against(
            PolicyAgent.of(final, config, 1.0),
            PolicyAgent.of(first, config, 1.0),
            config,
            20,
            2**40,
        )
        for config in settings.configs
    ]
    assert name == "first" and share.value == sum(part.value for part in parts) / 2
    same = dict(evaluate(first, settings, {"itself": first}))["itself"]
    assert same.value == pytest.approx(1 / 3), "copies win an equal share"


def test_snapshots_change_what_is_learnt(preset: Path, tmp_path: Path) -> None:
    (tmp_path / "alone.toml").write_text(SELF_PLAY)
    words = ["--seed", "1", "--timesteps", "200"]
    alone = train(tmp_path / "alone.toml", tmp_path / "alone", *words)
    together = train(preset, tmp_path / "together", *words)
    assert "snapshots" not in {path.name for path in alone.iterdir()}
    before, after = (recorded(run)[:2] for run in (alone, together))
    assert before[0] == after[0], "until there is a snapshot, nothing is different"
    assert before[1] != after[1]


def test_the_switch_and_the_rule_are_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "plain.toml").write_text(SELF_PLAY)
    run = train(tmp_path / "plain.toml", tmp_path / "run", "--self-play", "--timesteps", "100")
    described = json.loads((run / "run.json").read_text())
    words = shlex.split(described["command"])
    assert words[-3:] == ["--timesteps", "100", "--self-play"]
    assert described["rule_of_self_play"] == RULE
    settings = TrainSettings.from_dict(described["settings"])
    assert settings.self_play == SelfPlay() and len(snapshots(run)) == 1
    about = load_policy(run / "policy.safetensors").description.about
    assert about["opponents"] == "2:random lowest, and snapshots in 50% of the seats"


def test_the_rule_is_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["train", "--help"])
    assert RULE in " ".join(capsys.readouterr().out.split())


def test_the_switch_leaves_what_the_preset_says(preset: Path) -> None:
    settings = read_preset(str(preset))
    assert settings.self_play == SelfPlay(share=0.6, pool_size=2)
    assert settings.changed({"self_play": {}}).self_play == settings.self_play
    assert TrainSettings().self_play is None
    assert TrainSettings().changed({"self_play": {"share": 1}}).self_play == SelfPlay(share=1.0)
    assert TrainSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ({"share": 0}, "share must be more than 0 and at most 1, not 0"),
        ({"share": 1.5}, "share must be more than 0 and at most 1, not 1.5"),
        ({"share": "half"}, "share must be of the kind float, not 'half'"),
        ({"pool_size": 1}, "pool_size must be at least 2, not 1"),
        ({"size": 3}, "unknown: 'size'"),
        (True, "self_play must be a dict"),
    ],
)
def test_a_wrong_section_is_refused(section: object, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        TrainSettings().changed({"self_play": section})
