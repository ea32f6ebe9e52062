"""`mindup train`: its folder, its ranking, where it starts from, and its errors."""

import csv
import json
import shlex
import shutil
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

from mindup_arena.failures import Forfeit
from mindup_env import cli, make_agent
from mindup_training import TrainSettings, launch
from mindup_training.launch import rank_policy
from mindup_training.run_folder import RunFolder
from tests.arena.reports import tiny_report
from tests.training.runs import TIMED, policy

QUICK = ["--timesteps", "1", "--evaluation-deals", "2"]


@pytest.fixture(scope="module")
def quick(preset: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("quick") / "run"
    words = ["--preset", preset, *QUICK, "--opponents", "3:lowest", "random", "--out", str(run)]
    assert cli.main(["train", *words]) == 0
    return run


def test_a_run_folder_describes_the_run(quick: Path, tmp_path: Path) -> None:
    described = json.loads((quick / "run.json").read_text())
    settings = TrainSettings.from_dict(described["settings"])
    assert settings.opponents == ("3:lowest", "random") and settings.timesteps == 1
    assert described["kind"] == "train"
    assert described["fingerprints"][0]["versions"]["torch"] == version("torch")
    with (quick / "metrics.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert float(row["timesteps"]) == 150 and float(row[TIMED]) > 0
    assert {"games/return", "games/win_share", "train/value_loss"} <= row.keys()
    make_agent(f"policy:{quick / 'policy.safetensors'}", settings.configs[1])
    words = shlex.split(described["command"])
    assert words[:3] == ["mindup", "train", "--preset"]
    assert cli.main([*words[1:], "--out", str(tmp_path / "again")]) == 0
    assert policy(tmp_path / "again") == policy(quick), "the command repeats the run"


def test_the_policy_is_ranked_in_the_game_it_was_trained_for(
    quick: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = RunFolder.open(quick)
    rank_policy(folder)
    assert "lowest" in capsys.readouterr().out
    report = json.loads((quick / "arena.json").read_text())
    assert report["settings"]["bots"] == [f"policy:{quick / 'policy.safetensors'}", "lowest"]
    assert report["settings"]["config"] == folder.settings.configs[0].to_dict()
    assert (quick / "arena.png").read_bytes().startswith(b"\x89PNG")


def test_a_forfeit_in_the_ranking_shows_in_the_exit_status(
    quick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = tiny_report(Forfeit(1, 4, "ValueError: no", (0,)))
    monkeypatch.setattr(launch, "rank_policy", rank_policy)
    monkeypatch.setattr(launch, "run_arena", lambda *_, **__: report)
    assert cli.main(["train", "--resume", str(quick)]) == 3


def test_a_run_of_an_earlier_format_is_refused(
    quick: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Path(shutil.copytree(quick, tmp_path / "run"))
    plain = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps({"settings": plain["settings"], "versions": {}}))
    assert cli.main(["train", "--resume", str(run)]) == 2
    assert "does not describe a run" in capsys.readouterr().err


def test_the_rules_of_the_game_are_options(tmp_path: Path, preset: str) -> None:
    deck = tmp_path / "deck.csv"
    cards = [f"{number},{colour},0" for number, colour in enumerate(15 * ["blue", "pink"], 1)]
    deck.write_text("\n".join(["number,colour,points", *cards]))
    words = ["--preset", preset, *QUICK, "--rounds", "1", "--deck", str(deck)]
    assert cli.main(["train", *words, "--out", str(tmp_path / "run")]) == 0
    folder = RunFolder.open(tmp_path / "run")
    (config, *_) = folder.settings.configs
    assert (config.num_cards, config.num_rounds, config.hand_size) == (30, 1, 3)
    assert f"--rounds 1 --deck {deck}" in folder.command
    deck.unlink()
    assert RunFolder.open(folder.path).settings == folder.settings, "the run has the cards"


STAGE = {"stages": [{"after": 500, "opponents": ["highst"]}]}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--players", "7"], "players must be 2 to 6, not 7"),
        (["--opponents", "randon"], "unknown agent 'randon'"),
        (["--evaluate-against", "randon"], "unknown agent 'randon'"),
        (["--env-runners", "2"], "--env-runners can only be combined with --rllib: add --rllib"),
        (["--address", "auto"], "--address can only be combined with --rllib: add --rllib"),
        (["--init", "none"], "policy file none does not exist"),
        (["--preset", "fast"], "unknown preset 'fast'; available: 3_players, 4_players"),
        (["--resume", "nowhere"], "no run of mindup train in nowhere"),
        (["--preset", "STAGED"], "unknown agent 'highst'; did you mean highest"),
        (["--lr", "0.1"], "use --learning-rate"),
        (["--total-timesteps", "9"], "use --timesteps"),
    ],
)
def test_an_error_leaves_nothing_behind(
    words: list[str],
    said: str,
    tmp_path: Path,
    preset: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = json.loads(Path(preset).read_text())
    staged = tmp_path / "staged.json"
    staged.write_text(json.dumps({"settings": {**plain["settings"], **STAGE}}))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    words = [str(staged) if word == "STAGED" else word for word in words]
    given = words if {"--preset", "--resume"} & {*words} else ["--preset", preset, *words]
    try:
        status: object = cli.main(["train", *given])
    except SystemExit as end:  # of argparse
        status = end.code
    assert status == 2 and said in capsys.readouterr().err
    assert not [*Path.cwd().iterdir()]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--widths", "8", "8", "8"], "it has widths 16 16 8, not 8 8 8"),
        (["--features", "forecast-1"], "it has features plain-1, not forecast-1; rows Feature"),
        (["--objectives", "0", "2", "3"], "it has rows|trained for num_objectives=0 or 2, not"),
        (["--rounds", "1"], "it has rows|trained for num_rounds=2, not for num_rounds=1"),
        (["--network", "tests.training.own_parts:Net"], "it has network of the package, not"),
    ],
)
def test_a_policy_to_start_from_must_fit(
    words: list[str],
    said: str,
    preset: str,
    finished: Callable[[str], Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run, start = tmp_path / "run", finished("sb3") / "policy.safetensors"
    given = ["--preset", preset, "--init", str(start), "--out", str(run), *words]
    assert cli.main(["train", *given]) == 2
    message = capsys.readouterr().err
    assert any(each in message for each in said.split("|")), message
    assert not run.exists()
