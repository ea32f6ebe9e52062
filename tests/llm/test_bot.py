"""The bot llm: prompts, cards from answers, retries, forfeits; answers are kept and paid once."""

import json
import os
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindup_agents.llm import BUDGET, budget_of_run
from mindup_agents.llm.bot import MOST_CONCURRENT
from mindup_agents.llm.environment import RUN, Prices
from mindup_agents.llm.kept_answers import FOLDER, KeptAnswer, KeptAnswers
from mindup_agents.llm.prompts import seat_prompt, system_prompt
from mindup_env import make_agent
from mindup_env.agent import FailedRowsError, StopRunError
from tests.llm.server import (
    INPUT_TOKENS,
    KEY,
    OUTPUT_TOKENS,
    SHORT,
    Reply,
    Request,
    StandIn,
    chosen_card,
    completion,
    first_turn,
    hand_in,
    model,
    well_played,
)


def test_it_plays_the_cards_that_the_model_names(server: StandIn) -> None:
    seats = first_turn()
    spec = "llm:maker/model:free,temperature=0.5,reasoning_effort=low"
    chosen = make_agent(spec, SHORT).act(*seats)
    prompts = [seat_prompt(seen, SHORT) for seen in seats.observation]
    assert (chosen + 1).tolist() == [chosen_card(prompt) for prompt in prompts]
    assert sorted(request.prompt for request in server.requests) == sorted(prompts)
    body = server.requests[0].body
    assert body.pop("messages")[0] == {"role": "system", "content": system_prompt(SHORT)}
    assert body == {"model": "maker/model:free", "temperature": 0.5, "reasoning_effort": "low"}
    assert server.requests[0].headers["Authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("", "needs model"),
        ("m,temprature=0", "no option 'temprature'; did you mean temperature"),
        ("m,price=2/8", "no option 'price'; did you mean prices"),
        ("m,temperature=nan", "temperature must be a finite number"),
        ("m,attempts=0", "attempts must be 1 to 10, not 0"),
        (f"m,concurrency={MOST_CONCURRENT + 1}", "concurrency must be 1 to 64"),
        ("m,timeout=0", "timeout must be above 0"),
        ("m,run_folder=x", "no option 'run_folder'"),
        ("model=,attempts=1", "model must be the name of a model"),
        *(
            (f"m,prices={text}", "such as 2.5/10, not '")
            for text in ("2.5", "1/2/3", "-1/2", "a/b", "1/", "nan/1", "1 / 2")
        ),
    ],
)
def test_wrong_options_are_refused(options: str, problem: str, server: StandIn) -> None:
    with pytest.raises(ValueError, match=problem):
        make_agent(f"llm:{options}", SHORT)
    assert not server.requests


def test_a_retry_tells_the_model_what_was_wrong(server: StandIn) -> None:
    def second_time(request: Request) -> Reply:
        if "was not valid" in request.prompt:
            assert "the last line is 'I play well'" in request.prompt
            return completion(f"card {hand_in(request.prompt)[1]}")
        return completion("I play well")

    server.answers = second_time
    seats = first_turn(2)
    chosen = model().act(*seats)
    assert chosen.tolist() == [np.flatnonzero(mask)[1] for mask in seats.action_mask]
    assert len(server.requests) == 2 * len(chosen)


@pytest.mark.parametrize("answer", ["card 61", "", None, "card 1\n" + "and so on " * 100_000])
def test_rows_without_a_valid_answer_are_forfeited_and_no_others(
    answer: str | None, server: StandIn
) -> None:
    seats = first_turn(3)
    bad = seat_prompt(seats.observation[2], SHORT)

    def one_is_lost(request: Request) -> Reply:
        lost = request.prompt.startswith(bad)
        return completion(answer if lost else f"card {chosen_card(request.prompt)}")

    server.answers = one_is_lost
    with pytest.raises(FailedRowsError) as error:
        model(attempts=2).act(*seats)
    assert list(error.value.reasons) == [2]
    assert error.value.reasons[2].startswith("no valid answer in 2 attempts; of the last one, ")
    assert len(error.value.reasons[2]) < 400
    good = [row for row in range(6) if row != 2]
    expected = [chosen_card(seat_prompt(seats.observation[row], SHORT)) - 1 for row in good]
    assert error.value.actions[good].tolist() == expected
    assert len(server.requests) == 5 + 2


def test_requests_are_sent_together_up_to_the_bound(server: StandIn) -> None:
    together = threading.Barrier(4, timeout=30)

    def all_wait(request: Request) -> Reply:
        together.wait()
        return well_played(request)

    server.answers = all_wait
    chosen = model(concurrency=4).act(*first_turn(4))
    assert server.at_once == 4 and len(server.requests) == 8
    server.answers = well_played
    assert chosen.tolist() == model(concurrency=1).act(*first_turn(4)).tolist()


def test_rows_that_differ_in_nothing_are_asked_for_once(server: StandIn) -> None:
    seats = first_turn(2)
    order = [0, 1, 0, 3, 1, 2, 0]
    bot = model()
    chosen = bot.act(*seats.pick(order))
    assert len(server.requests) == 4
    assert chosen.tolist() == model().act(*seats)[order].tolist()
    bot.act(*seats._replace(random_bits=np.arange(4, dtype=np.uint64)))
    assert len(server.requests) == 4 + 4 + 4, "another game is asked for anew"


def test_usage_adds_up(server: StandIn, tmp_path: Path) -> None:
    bot = model(tmp_path, prices="2.5/10")
    assert set(bot.usage().values()) == {0}
    bot.act(*first_turn(2))
    found = bot.usage()
    assert found.pop("seconds") > 0
    assert found == {
        "answers": 4,
        "prompt_tokens": 4 * INPUT_TOKENS,
        "completion_tokens": 4 * OUTPUT_TOKENS,
        "cost": pytest.approx(4 * (2.5 * INPUT_TOKENS + 10 * OUTPUT_TOKENS) / 1e6),
    }
    assert Prices.parse("2.5/10").cost(1_000_000, 100_000) == 3.5, "they are those of a million"
    bot.act(*first_turn(2))
    assert bot.usage()["answers"] == 4, "the same answers, used again, cost nothing"
    assert "cost" not in model().usage(), "without prices the cost is unknown"
    again = model(tmp_path, prices="2.5/10")
    again.act(*first_turn(2))
    assert again.usage() == bot.usage() and len(server.requests) == 4


def test_the_parameters_are_part_of_the_bot(server: StandIn, tmp_path: Path) -> None:
    different: list[dict[str, Any]] = [{}, {"temperature": 0}, {"temperature": 1}, {"seed": 1}]
    for number, options in enumerate(different):
        model(tmp_path, **options).act(*first_turn(1))
        assert len(server.requests) == 2 * (number + 1)
    model(tmp_path, temperature=1, concurrency=2, prices="1/1").act(*first_turn(1))
    assert len(server.requests) == 8, "neither the prices nor the concurrency are"


# Kept answers

ANSWER = KeptAnswer("card 3", 1000, 10, 0.25, 1.5)
OTHER = KeptAnswer("card 4", 1000, 11, 0.5, 1.0)


def only_file(folder: Path) -> Path:
    (file,) = (folder / FOLDER).iterdir()
    return file


def test_the_file_has_every_request_and_answer(server: StandIn, tmp_path: Path) -> None:
    model(tmp_path).act(*first_turn(1))
    records = [json.loads(line) for line in only_file(tmp_path).read_text().splitlines()]
    assert len(records) == len({record["key"] for record in records}) == 2
    sent = [request.body for request in server.requests]
    for record in records:
        assert record["request"] in sent
        rules, question = record["request"]["messages"]
        assert rules["content"] == system_prompt(SHORT)
        assert record["answer"].endswith(f"card {chosen_card(question['content'])}")
        assert record["prompt_tokens"] == INPUT_TOKENS and record["seconds"] > 0


def test_processes_read_the_answers_of_each_other(tmp_path: Path) -> None:
    """Also those that were kept since they began, and half a line is read when it is whole."""
    one, two = KeptAnswers(tmp_path), KeptAnswers(tmp_path)
    assert one.find("a") is None and two.find("a") is None and one.spent == 0
    one.keep("a", {}, ANSWER)
    assert two.find("a") == ANSWER and two.find("b") is None and two.spent == 0.25
    file = only_file(tmp_path)
    line = file.read_bytes().replace(b'"a"', b'"b"')
    with file.open("ab", buffering=0) as appended:
        for end in (40, len(line) - 1):  # what a process that is killed may leave
            appended.write(line[:end])
            resumed = KeptAnswers(tmp_path)
            assert two.find("b") is None is resumed.find("b") and resumed.spent == 0.25
            appended.truncate(len(line))
        appended.write(line)
    assert two.find("b") == ANSWER and two.spent == KeptAnswers(tmp_path).spent == 0.5


def test_the_first_of_two_answers_is_taken_by_all_and_both_are_paid(tmp_path: Path) -> None:
    one, two = KeptAnswers(tmp_path), KeptAnswers(tmp_path)
    assert one.find("a") is None and two.find("a") is None
    assert two.keep("a", {}, ANSWER) == ANSWER
    assert one.keep("a", {}, OTHER) == ANSWER
    later = KeptAnswers(tmp_path)
    assert one.spent == two.spent == later.spent == 0.75
    assert one.find("a") == two.find("a") == ANSWER


def test_a_failure_is_no_answer(tmp_path: Path) -> None:
    KeptAnswers(tmp_path).keep_failure("a", {"model": "m"}, "503: busy")
    record = {"key": "a", "request": {"model": "m"}, "failure": "503: busy"}
    assert json.loads(only_file(tmp_path).read_text()) == record
    resumed = KeptAnswers(tmp_path)
    assert resumed.find("a") is None and resumed.spent == 0


@pytest.mark.parametrize("line", [b"{", b"[]", b"{}", b'{"key": "a"}', b"\xff", b"null"])
def test_a_damaged_line_stops_the_run_with_its_file(line: bytes, tmp_path: Path) -> None:
    KeptAnswers(tmp_path).keep("a", {}, ANSWER)
    file = only_file(tmp_path)
    file.write_bytes(file.read_bytes() + line + b"\n")
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
    for budget, asked in ((2.5 * EACH, 3), (5.5 * EACH, 6), (100 * EACH, 8), (EACH, 8)):
        monkeypatch.setenv(BUDGET, str(budget))
        bot = model(tmp_path, prices=PRICES, concurrency=1)
        if asked < len(expected):
            problem = rf"the budget of {budget:g} is spent \({asked * EACH:.4f}\): resume"
            with pytest.raises(StopRunError, match=problem):
                bot.act(*seats)
        else:
            assert bot.act(*seats).tolist() == expected, "at last, all is paid already"
        assert len(server.requests) == asked


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


def test_a_budget_is_a_number_and_needs_prices_and_counted_tokens(
    server: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for wrong in ("", "0", "-1", "nan", "inf", "much"):
        monkeypatch.setenv(BUDGET, wrong)
        with pytest.raises(ValueError, match=f"a budget must be .*, not '{wrong}'"):
            model(prices=PRICES)
    monkeypatch.setenv(BUDGET, "1")
    with pytest.raises(ValueError, match="prices of every model, such as llm:stand-in,prices="):
        model()
    server.answers = lambda _: completion("card 1", total_tokens=3)
    with pytest.raises(StopRunError, match="does not count tokens"):
        model(tmp_path, prices=PRICES, concurrency=1).act(*first_turn(1))
    assert len(server.requests) == 1
