"""``mindup protocol``: a correct program passes, and each fault is one line."""

import json
from pathlib import Path

import pytest

from mindup_agents.process.command import FAILED
from mindup_agents.process.messages import message_schemas
from mindup_env import GameConfig, cli
from tests.agents.process.programs import GREEDY, program

ONE_GAME = ["--players", "3", "--objectives", "0", "--games", "2"]


@pytest.mark.parametrize("language", ["JavaScript", "Python"])
def test_the_examples_follow_the_protocol(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--games", "1", "--players", "3", "6"]
    assert cli.main(["protocol", GREEDY[language](tmp_path), *words]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "3 players, 0 objectives"
    assert said[1] == f"  ok      started 'greedy in {language}'"
    assert said[2] == "  ok      21 requests for 3 seats, all cards legal"
    assert said[-1] == "the program follows protocol 1"
    assert sum(line.startswith("  ok") for line in said) == 7 * 4 == len(said) - 4 - 1


FAULTS = {
    "answer['cards'][1] = 61": (
        "request 1 for 6 seats: card 61 for seat 1; expected an integer, a card of its hand: ",
        "(and 20 more)",
    ),
    "if answers % 2: answer['cards'] = [max(s['hand']) for s in seats]": (
        "asked again, in reverse order: card ",
        " as before, because a card must depend on the fields of its seat alone",
    ),
    "if len(seats) == 1: answer['cards'] = [max(seats[0]['hand'])]": ("one seat alone: card ", ""),
    "if 'a_later_version' in seats[0]: 1 / 0": ("it ended with exit status 1 before the end", ""),
    "if seats[0]['round'] == 2: 1 / 0": ("request 7 for 6 seats: it ended with exit status 1", ""),
    "answer['id'] = 1": ("request 2 for 6 seats: the answer has the id 1; expected 2", ""),
}


@pytest.mark.parametrize("choose", FAULTS)
def test_a_fault_is_one_line_with_what_was_expected(
    choose: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = cli.main(["protocol", program(tmp_path, choose), *ONE_GAME])
    said = capsys.readouterr().out.splitlines()
    failed = [line for line in said if line.startswith("  FAILED")]
    assert status == FAILED and failed
    for part in FAULTS[choose]:
        assert part in failed[0]
    assert said[-1] == f"{len(failed)} check{'s' * (len(failed) > 1)} failed"


@pytest.mark.parametrize(
    ("end", "grace", "found"),
    [("sys.exit(5)", 20.0, "exit status 5"), ("time.sleep(600)", 0.2, "it did not end")],
)
def test_a_program_must_end_with_its_input(
    end: str,
    grace: float,
    found: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("mindup_agents.process.program.GRACE", grace)
    assert cli.main(["protocol", program(tmp_path, end=end), *ONE_GAME]) == FAILED
    assert f"  FAILED  end of its input: {found}; expected its end" in capsys.readouterr().out


def test_a_program_that_does_not_start_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["protocol", "cat", *ONE_GAME]) == FAILED
    problem = "the answer to hello has the type 'hello'; expected \"ready\""
    assert capsys.readouterr().out.splitlines() == [
        "3 players, 0 objectives",
        f"  FAILED  process:cat: at the start: {problem}",
        "1 check failed",
    ]


def test_the_schemas_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["protocol", "--schema", "--players", "5", "--objectives", "1"]) == 0
    assert json.loads(capsys.readouterr().out) == message_schemas(GameConfig(5, 1))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "a command is needed, such as mindup protocol"),
        (["./no-such-bot"], "no program './no-such-bot' to run"),
        (["cat", "--players", "7"], "players must be 2 to 6, not 7"),
    ],
)
def test_wrong_arguments_are_refused(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["protocol", *words]) == 2
    assert said in capsys.readouterr().err
