"""Answers are kept in the folder of the run, asked for once by all of its processes, and paid."""

import json
import os
from pathlib import Path

import pytest

from mindup_agents.llm import BUDGET, budget_of_run
from mindup_agents.llm.environment import RUN, Prices, parse_budget
from mindup_agents.llm.kept_answers import FOLDER, KeptAnswer, KeptAnswers
from mindup_env.agent import StopRunError
from mindup_env.text import rules_text
from tests.llm.server import (
    INPUT_TOKENS,
    SHORT,
    StandIn,
    chosen_card,
    completion,
    first_turn,
    model,
)

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


# What they cost

EACH = 0.01
"""The cost of an answer at these prices."""
PRICES = "10/0"


def test_a_run_stops_when_the_budget_is_spent_and_goes_on_with_a_larger_one(
    server: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = first_turn(4)
    expected = model().act(*seats).tolist()
    server.requests.clear()
    for budget, asked in ((2.5 * EACH, 3), (5.5 * EACH, 6), (100 * EACH, 8)):
        monkeypatch.setenv(BUDGET, str(budget))
        bot = model(tmp_path, prices=PRICES, concurrency=1)
        if asked < len(expected):
            problem = rf"the budget of {budget:g} is spent \({asked * EACH:.4f}\): resume"
            with pytest.raises(StopRunError, match=problem):
                bot.act(*seats)
        else:
            assert bot.act(*seats).tolist() == expected
        assert len(server.requests) == asked
    monkeypatch.setenv(BUDGET, str(EACH))
    assert model(tmp_path, prices=PRICES).act(*seats).tolist() == expected, "all is paid already"


def test_the_budget_of_an_arena_is_one_for_all_of_its_bots(server: StandIn, tmp_path: Path) -> None:
    """Each has a folder of its own; the files of other runs beside it do not count."""
    model(tmp_path / "other" / "bots" / "one", prices=PRICES).act(*first_turn(1))
    with budget_of_run(str(3.5 * EACH), tmp_path / "arena"):
        folders = [tmp_path / "arena" / "bots" / name for name in ("one", "two")]
        one, two = (
            model(folder, prices=PRICES, concurrency=1, seed=seed)
            for seed, folder in enumerate(folders)
        )
        one.act(*first_turn(1))
        with pytest.raises(StopRunError, match=r"is spent \(0\.0400\)"):
            two.act(*first_turn(2))
    assert len(server.requests) == 2 + 4
    assert BUDGET not in os.environ and RUN not in os.environ


def test_no_more_than_the_requests_that_were_sent_exceed_the_budget(
    server: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(BUDGET, str(EACH / 2))
    with pytest.raises(StopRunError, match="is spent"):
        model(tmp_path, prices=PRICES, concurrency=3).act(*first_turn(20))
    assert 1 <= len(server.requests) <= 3
    assert KeptAnswers(tmp_path).spent == pytest.approx(len(server.requests) * EACH)


def test_a_budget_needs_prices_and_counted_tokens(
    server: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(BUDGET, "1")
    with pytest.raises(ValueError, match="prices of every model, such as llm:stand-in,prices="):
        model()
    server.answers = lambda _: completion("card 1", total_tokens=3)
    with pytest.raises(StopRunError, match="does not count tokens"):
        model(tmp_path, prices=PRICES, concurrency=1).act(*first_turn(1))
    assert len(server.requests) == 1


@pytest.mark.parametrize("text", ["", "0", "-1", "nan", "inf", "much"])
def test_a_wrong_budget_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a budget must be a number above 0"):
        parse_budget(text)


def test_prices_are_those_of_a_million_tokens() -> None:
    assert Prices.parse("") is None
    prices = Prices.parse("2.5/10")
    assert prices and prices == (2.5, 10) and prices.cost(1_000_000, 100_000) == 3.5
    for text in ("2.5", "1/2/3", "-1/2", "a/b", "1/", "nan/1", "1 / 2"):
        with pytest.raises(ValueError, match=r"such as 2\.5/10"):
            Prices.parse(text)
