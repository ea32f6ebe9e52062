"""The ``mindup`` command."""

import os
import subprocess
import sys
from importlib.metadata import version
from types import SimpleNamespace

import numba
import numpy as np
import pytest

import mindup_cli
from mindup_cli import COMMANDS, INTERRUPTED, SYSTEM_ERROR

VERSIONS = ", ".join(
    [
        f"mindup-env {version('mindup-env')}",
        f"NumPy {np.__version__}",
        f"Numba {numba.__version__}",
        f"Python {sys.version.split()[0]}",
    ]
)


def test_help_shows_every_command_and_imports_no_package() -> None:
    script = "import sys, mindup_cli; mindup_cli.main(['--help']); print(*sys.modules)"
    shown = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout
    text, _, imported = shown.strip().rpartition("\n")
    for name, command in COMMANDS.items():
        assert f" {name} {command.text} $ {command.example}" in " ".join(text.split())
        assert command.example.startswith(f"mindup {name} ")
    packages = {command.module.partition(".")[0] for command in COMMANDS.values()}
    assert not {*packages, "numpy"} & {*imported.split()}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("train --seed 1", ("mindup_training.train", ["--seed", "1"])),
        ("train exploit greedy", ("mindup_training.exploit", ["greedy"])),
        ("benchmark run train", ("mindup_arena.benchmark", ["run", "train"])),
    ],
)
def test_a_command_imports_its_module_and_gives_it_the_other_words(
    words: str, expected: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []

    def imported(module: str) -> SimpleNamespace:
        def run(rest: list[str]) -> int:
            found.append((module, rest))
            return 3

        return SimpleNamespace(main=run)

    monkeypatch.setattr(mindup_cli, "import_module", imported)
    assert mindup_cli.main(words.split()) == 3 and found == [expected]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        mindup_cli.main([*command.split(), "--help"])
    assert stop.value.code == 0 and f"usage: mindup {command}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ("--version", 0, f"{VERSIONS}\n"),
        ("", 2, "usage: mindup COMMAND ..."),
        ("bnch", 2, "mindup: unknown command 'bnch'; did you mean bench? available: play, watch,"),
        ("train explot", 2, "mindup: unknown command 'train explot'; did you mean train exploit? "),
    ],
)
def test_words_that_are_no_command(
    words: str, status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert mindup_cli.main(words.split()) == status
    assert "".join(capsys.readouterr()).startswith(said)


@pytest.mark.parametrize(
    "words",
    [
        "{}",
        "arena random {}",
        "arena random greedy:{}",
        "arena random search:worlds={}",
        "arena random search:models={}",
        "arena random policy:{}",
        "arena random {}:Bot",
        "arena random json:{}",
        "arena random mixture:0:{}",
        "arena random random --game {}",
        "arena random random --json {}",
        "watch replay {}",
    ],
)
def test_a_long_value_is_cut_in_its_error(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert mindup_cli.main(words.format("x" * 10**4).split()) == 2
    assert len(capsys.readouterr().err) < 1200


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (KeyboardInterrupt(), INTERRUPTED, "interrupted"),
        (EOFError(), INTERRUPTED, "interrupted"),
        (NotADirectoryError(20, "Not a directory", "a/b"), SYSTEM_ERROR, "a/b: Not a directory"),
    ],
    ids=["ctrl-c", "ctrl-d", "system"],
)
def test_what_ends_a_command_is_one_line_and_an_exit_status(
    error: BaseException,
    status: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(_: list[str]) -> int:
        raise error

    monkeypatch.setattr(mindup_cli, "import_module", lambda _: SimpleNamespace(main=fail))
    assert mindup_cli.main(["arena"]) == status
    assert capsys.readouterr().err == f"mindup: {said}\n"


@pytest.mark.skipif(os.name == "nt", reason="it has no signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_ends_a_process_in_one_line(name: str) -> None:
    script = (
        "import signal, sys, types, mindup_cli\n"
        # A shell's background jobs ignore it, and Python then leaves it so.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"module = types.SimpleNamespace(main=lambda _: signal.raise_signal(signal.{name}))\n"
        "mindup_cli.import_module = lambda _: module\n"
        "sys.argv = ['mindup', 'arena']\n"
        "sys.exit(mindup_cli.main())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (INTERRUPTED, "mindup: interrupted\n")
