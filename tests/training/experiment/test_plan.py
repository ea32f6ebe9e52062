"""What is compared: presets, sweeps and files, and what is refused before anything runs."""

import json
from pathlib import Path

import pytest

from mindup_training.experiment.plan import Experiment, folder_name, read_sweep
from mindup_training.settings import TrainSettings
from tests.training.experiment.experiments import COMPARISON, experiment
from tools.tables.reports import RESULTS

OUT = Path("out")


def read(*sources: str, sweep: tuple[str, ...] = (), **given: object) -> Experiment:
    return Experiment.read(sources, read_sweep(sweep), given)


@pytest.mark.usefixtures("here")
def test_a_preset_is_an_entry_with_one_thread() -> None:
    (entry,) = read("tiny.toml").entries
    words = "mindup train --preset tiny.toml --threads 1 --seed 7 --out out"
    assert entry.words(7, OUT) == words.split()
    assert entry.training and entry.training.threads == 1
    assert read("tiny.toml").settings.evaluate_against == ("lowest", "random")


def test_the_command_of_another_learner_names_it(here: Path) -> None:
    (here / "fit.toml").write_text('learner = "imitation"\nimitate = ["data"]\n')
    sweep = ("policy_target=card-values",)
    (entry,) = read("fit.toml", sweep=sweep, evaluate_against=["random"]).entries
    words = "mindup train --learner imitation --preset fit.toml --policy-target card-values"
    assert entry.words(7, OUT) == f"{words} --threads 1 --seed 7 --out out".split()


@pytest.mark.usefixtures("here")
def test_a_sweep_is_a_grid() -> None:
    plan = read("tiny.toml", sweep=("ppo.learning_rate=1e-4,3e-4", "widths=[8,8,8],[9,9,9]"))
    assert plan.names == [
        f"tiny,learning_rate={rate},widths={width}-{width}-{width}"
        for rate in (0.0001, 0.0003)
        for width in (8, 9)
    ]
    last = plan.entries[-1]
    assert last.settings == {"ppo": {"learning_rate": 3e-4}, "widths": [9, 9, 9]}
    assert isinstance(last.training, TrainSettings)
    assert (last.training.ppo.learning_rate, last.training.widths) == (3e-4, (9, 9, 9))
    words = "--preset tiny.toml --learning-rate 0.0003 --widths 9 9 9 --threads 1 --seed 0"
    assert words in " ".join(last.words(0, OUT))
    plan.check()
    assert len({folder_name(name) for name in plan.names}) == 4


def test_values_of_a_sweep_are_as_in_toml_and_texts_need_no_quotes() -> None:
    texts = ["timesteps=1_000,2000", "features=plain-1,forecast-1", "reward='win',margin"]
    assert read_sweep(texts) == {
        "timesteps": [1000, 2000],
        "features": ["plain-1", "forecast-1"],
        "reward": ["win", "margin"],
    }


def test_a_file_describes_a_whole_comparison(here: Path) -> None:
    (here / "comparison.toml").write_text(COMPARISON)
    plan = read("comparison.toml", seeds=3)
    assert plan.names == ["sb3,learning_rate=0.001", "own"]
    assert list(plan.settings.all_seeds) == [0, 1, 2], "the command line overrides the file"
    assert plan.entries[-1].words(2, OUT) == ["python", "learner.py", "2", "out"]
    assert Experiment.from_dict(plan.to_dict()) == plan
    plan.check()


ENTRY = "[entries.x]\n"
OWN = ENTRY + "preset = 'tiny.toml'\n"
REFUSED = [
    (["tiny.toml", "--sweep", "learning_rat=1"], "unknown setting 'learning_rat'"),
    (["tiny.toml", "--sweep", "seed=1,2"], "cannot set 'seed': --seeds sets it"),
    (["tiny.toml", "--sweep", "timesteps"], "a sweep is SETTING=VALUE,VALUE,..., not 'timesteps'"),
    (["tiny.toml", "--sweep", "timesteps=9", "timesteps=8"], "must name timesteps once"),
    (["tiny.toml", "--sweep", "timesteps=9,9"], "two entries would have the folder"),
    (["tiny.toml", "--sweep", "reward='win"], "reward must be"),
    (["tiny.toml", "--sweep", "opponents=['greedi']"], "unknown agent 'greedi'"),
    (["tiny.toml", "--first-seed", "4294967295"], "the last seed must be at most"),
    (["tiny.toml", "--evaluate-against", "randon"], "unknown agent 'randon'"),
    (["tiny.toml", "--evaluate-against", "random", "random"], "must name each bot once"),
    (["tiny.toml", "--workers", "2", "--ray"], "--ray uses all cores of the cluster"),
    (["tinny"], "unknown preset 'tinny'"),
    ([], "an experiment needs an entry"),
    (["tiny.toml", "--resume", "x", "--sweep", "a=1"], "--workers, --ray, not PRESET --sweep"),
]
FILES = [
    ("entries = 1", "entries must be tables [entries.NAME]"),
    (ENTRY + "timesteps = 1", "entry 'x': unknown setting 'timesteps'"),
    (ENTRY + "sweep.timesteps = [9]", "entry 'x': it must have a preset or a command"),
    (ENTRY + "preset = 'tiny.toml'\nsettings.ppo.gama = 9", "unknown setting 'ppo.gama'"),
    (ENTRY + "preset = 'tiny.toml'\nsweep.timesteps = 9", "must be a list of values"),
    (ENTRY + "command = 'mindup train --out {out}'", "its command must contain {seed}"),
    (ENTRY + "command = 'bash {seed} {out}'", "accepted: mindup COMMAND, python -m MODULE"),
    (ENTRY + "command = 'mindup train {seed} {out}'\nsweep.timesteps = [1]", "is a command"),
    (ENTRY + "command = 'mindup train {seed} {out}'\nsettings.seed = 1", "has no settings"),
    (ENTRY + "preset = 'tiny.toml'\nbot = 'lowest'", "only a command has a bot"),
    (ENTRY + "command = 'mindup x {seed} {out}'\nbot = 'lowst'", "unknown agent 'lowst'"),
    (OWN + "settings.features = 'tests.training.own_parts:Encodr'", "did you mean Encoder?"),
    (OWN + "settings.network = 'tests.training.own_parts:Net:dept=2'", "did you mean depth?"),
    (OWN + "settings.reward = 'tests.training.own_parts:reward:fact=2'", "did you mean factor?"),
    (OWN + "settings.callbacks = ['tests.training.own_parts:Talkr']", "did you mean Talker?"),
    ("seed = 3\n" + ENTRY + "preset = 'tiny.toml'", "unknown setting 'seed'"),
    (ENTRY + "preset = ", "comparison.toml: "),
    ('entries."a\\nb".preset = "tiny.toml"', "must be a printable text"),
]


@pytest.mark.parametrize(("words", "said"), REFUSED)
def test_what_cannot_be_run_is_refused(
    words: list[str], said: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert experiment(*words) == 2
    assert said in capsys.readouterr().err
    assert not (here / "runs").exists()


@pytest.mark.parametrize(("text", "said"), FILES)
def test_what_a_file_cannot_have_is_refused(
    text: str, said: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "comparison.toml").write_text(f"evaluate_against = ['random']\n{text}")
    assert experiment("comparison.toml") == 2
    assert said in capsys.readouterr().err
    assert not (here / "runs").exists()


def test_commands_alone_need_bots_to_be_evaluated_against(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "comparison.toml").write_text(ENTRY + "command = 'mindup train {seed} {out}'")
    assert experiment("comparison.toml") == 2
    assert "evaluate_against is missing" in capsys.readouterr().err


def test_the_published_experiment_can_be_run_again() -> None:
    folder = RESULTS / "one-policy"
    plan = Experiment.read([str(folder / "experiment.toml")], {}, {})
    plan.check()
    published = {entry["name"] for path in folder.glob("*.json") for entry in report_of(path)}
    assert {*plan.names} == published


def report_of(path: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(path.read_text("utf-8"))["entries"]
    return found
