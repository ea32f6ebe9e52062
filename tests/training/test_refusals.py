"""What `mindup train` refuses: the message is one line, and nothing is left behind."""

import shlex
from pathlib import Path

import pytest

from mindup_env import cli

PARTS = "tests.training.own_parts"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--players 7", "num_players must be 2 to 6, not 7"),
        ("--opponents randon", "unknown agent 'randon'"),
        ("--evaluate-against randon", "unknown agent 'randon'"),
        ("--preset quik", "unknown preset 'quik'; did you mean quick? available: quick, self_play"),
        ("--resume nowhere", "no run of mindup train in nowhere"),
        ("--resume RUN --seed 1", "--resume cannot be combined with --seed: a run keeps"),
        ("--init none", "policy file none does not exist"),
        ("--init POLICY --widths 8 8 8", "it has widths 16 16 8, not 8 8 8"),
        ("--init POLICY --features position-1", "raw-1, not position-1; rows Feature"),
        ("--init POLICY --objectives 3", "trained for num_objectives=0, not"),
        ("--init POLICY --rounds 1", "trained for num_rounds=2, not for num_rounds=1"),
        (f"--init POLICY --network {PARTS}:Net", "it has network of the package, not"),
        ("--reward no_such:Reward", "reward no_such:Reward cannot be imported: No module"),
        (f"--reward {PARTS}:Rewards", "has no class or function 'Rewards'; did you mean"),
        (f"--reward {PARTS}:Reward:fact=1", f"reward '{PARTS}:Reward' has no option 'fact'"),
        ("--reward own.py:Reward", "rewards are named module:Class, such as own:Reward"),
        (f"--features {PARTS}:NoShape", "must be a FeatureShape of at least 1 feature"),
        ("--features 'a b:c'", "unknown encoder 'a b'; it must be module:Class, such as"),
        (
            "--network bidding-1 --features position-1",
            "network bidding-1 reads the features raw-1 or memory-1, not position-1",
        ),
        ("--network Net", "unknown network 'Net'; available: cards-1, bidding-1, or"),
        (f"--network {PARTS}:NoModule", "must make a torch.nn.Module, not <"),
        (f"--network {PARTS}:NoValues", "must return a NetworkOutput of logits (B, 4)"),
        (f"--callbacks {PARTS}:NoCallback", "must be a subclass of mindup_training.Callback"),
        ("--game 2p-1t --players 3", "--game cannot be combined with --players"),
        ("--learner", "--learner needs a name, such as ppo"),
        ("--learner pp", "unknown learner 'pp'; did you mean ppo"),
        ("--seed 1 --learner ppo", "--learner NAME must come first"),
        ("--learner ppo --preset quick", "preset quick for the learner ppo: unknown setting"),
        ("--learner json:JSONDecoder", "must be a subclass of mindup_training.Learner"),
    ],
)
def test_an_error_leaves_nothing_behind(
    words: str,
    said: str,
    tmp_path: Path,
    preset: str,
    unbroken: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    paths = {"POLICY": unbroken / "policy.safetensors", "RUN": unbroken}
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    given = [str(paths.get(word, word)) for word in shlex.split(words)]
    if not {"--preset", "--resume", "--learner"} & {*given}:
        given = ["--preset", preset, *given]
    try:
        status: object = cli.main(["train", *given])
    except SystemExit as end:  # of argparse
        status = end.code
    assert status == 2 and said in capsys.readouterr().err
    assert not [*Path.cwd().iterdir()]
