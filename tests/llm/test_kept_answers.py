"""Answers are kept in the folder of the run, and asked for once by all of its processes."""

import json
from pathlib import Path

import pytest

from mindup_agents.llm.kept_answers import FOLDER, KeptAnswer, KeptAnswers
from mindup_env.agent import StopRunError
from mindup_env.text import rules_text
from tests.llm.games import SHORT, first_turn, model
from tests.llm.server import INPUT_TOKENS, StandIn, chosen_card

ANSWER = KeptAnswer("card 3", 1000, 10, 0.25, 1.5)
OTHER = KeptAnswer("card 4", 1000, 11, 0.5, 1.0)


def files(folder: Path) -> list[Path]:
    return sorted((folder / FOLDER).iterdir())


def test_the_file_has_every_request_and_answer(server: StandIn, tmp_path: Path) -> None:
    model(tmp_path).act(*first_turn(1))
    (file,) = files(tmp_path)
    records = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(records) == len({record["key"] for record in records}) == 2
    sent = [request.body for request in server.requests]
    for record in records:
        assert record["request"] in sent
        rules, question = record["request"]["messages"]
        assert rules["content"] == rules_text(SHORT)
        assert record["answer"].endswith(f"card {chosen_card(question['content'])}")
        assert record["prompt_tokens"] == INPUT_TOKENS and record["seconds"] > 0


def test_processes_read_the_answers_of_each_other(tmp_path: Path) -> None:
    """Also those that were kept since they began, and half a line is read when it is whole."""
    one, two = KeptAnswers(tmp_path), KeptAnswers(tmp_path)
    assert one.find("a") is None and two.find("a") is None and one.spent == 0
    one.keep("a", {}, ANSWER)
    assert two.find("a") == ANSWER and two.find("b") is None and two.spent == 0.25
    (file,) = files(tmp_path)
    line = file.read_bytes().replace(b'"a"', b'"b"')
    with file.open("ab", buffering=0) as appended:
        appended.write(line[:40])
        assert two.find("b") is None
        appended.write(line[40:])
    assert two.find("b") == ANSWER and two.spent == 0.5
    assert KeptAnswers(tmp_path).spent == 0.5


def test_the_first_of_two_answers_is_taken_by_all_and_both_are_paid(tmp_path: Path) -> None:
    one, two = KeptAnswers(tmp_path), KeptAnswers(tmp_path)
    assert one.find("a") is None and two.find("a") is None
    assert two.keep("a", {}, ANSWER) == ANSWER
    assert one.keep("a", {}, OTHER) == ANSWER
    later = KeptAnswers(tmp_path)
    assert one.spent == two.spent == later.spent == 0.75
    assert one.find("a") == two.find("a") == ANSWER


def test_the_last_line_of_a_killed_process_is_not_read(tmp_path: Path) -> None:
    kept = KeptAnswers(tmp_path)
    kept.keep("a", {}, ANSWER)
    kept.keep("b", {}, OTHER)
    (file,) = files(tmp_path)
    content = file.read_bytes()
    for end in range(content.index(b"\n") + 1, len(content)):
        file.write_bytes(content[:end])
        resumed = KeptAnswers(tmp_path)
        assert resumed.find("a") == ANSWER and resumed.find("b") is None
        assert resumed.spent == 0.25


def test_a_failure_is_no_answer(tmp_path: Path) -> None:
    KeptAnswers(tmp_path).keep_failure("a", {"model": "m"}, "503: busy")
    (file,) = files(tmp_path)
    assert json.loads(file.read_text()) == {
        "key": "a",
        "request": {"model": "m"},
        "failure": "503: busy",
    }
    resumed = KeptAnswers(tmp_path)
    assert resumed.find("a") is None and resumed.spent == 0


@pytest.mark.parametrize("line", [b"{", b"[]", b"{}", b'{"key": "a"}', b"\xff", b"null"])
def test_a_damaged_line_stops_the_run_with_its_file(line: bytes, tmp_path: Path) -> None:
    KeptAnswers(tmp_path).keep("a", {}, ANSWER)
    (file,) = files(tmp_path)
    with file.open("ab") as appended:
        appended.write(line + b"\n")
    with pytest.raises(StopRunError, match=f"{file.name} has a damaged line, at byte 0 or after"):
        KeptAnswers(tmp_path).find("b")


def test_a_folder_that_cannot_be_written_stops_the_run(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("a file, not a folder")
    with pytest.raises(StopRunError, match=r"cannot keep an answer in .*answers-.*jsonl: "):
        KeptAnswers(tmp_path).keep("a", {}, ANSWER)
