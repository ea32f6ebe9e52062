"""The bot llm: prompts, cards from answers, retries, forfeits and what it reports."""

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindup_agents.llm.bot import MOST_CONCURRENT
from mindup_env import make_agent
from mindup_env.agent import FailedRowsError
from mindup_env.text import rules_text, seat_prompt
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
    assert body.pop("messages")[0] == {"role": "system", "content": rules_text(SHORT)}
    assert body == {"model": "maker/model:free", "temperature": 0.5, "reasoning_effort": "low"}
    assert server.requests[0].headers["Authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ("", "needs model"),
        ("m,temprature=0", "no option 'temprature'; did you mean temperature"),
        ("m,temperature=nan", "temperature must be a finite number"),
        ("m,attempts=0", "attempts must be 1 to 10, not 0"),
        (f"m,concurrency={MOST_CONCURRENT + 1}", "concurrency must be 1 to 64"),
        ("m,timeout=0", "timeout must be above 0"),
        ("m,prices=2.5", "such as 2.5/10, not '2.5'"),
        ("m,run_folder=x", "no option 'run_folder'"),
        ("model=,attempts=1", "model must be the name of a model"),
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
    hands = [np.flatnonzero(mask) for mask in seats.action_mask]
    assert chosen.tolist() == [hand[1] for hand in hands]
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
        return completion(f"card {chosen_card(request.prompt)}")

    server.answers = all_wait
    chosen = model(concurrency=4).act(*first_turn(4))
    assert server.at_once == 4 and len(server.requests) == 8
    server.answers = well_played
    assert chosen.tolist() == model(concurrency=1).act(*first_turn(4)).tolist()


def test_rows_that_differ_in_nothing_are_asked_for_once(server: StandIn) -> None:
    seats = first_turn(2)
    order = [0, 1, 0, 3, 1, 2, 0]
    chosen = model().act(*seats.pick(order))
    assert chosen.tolist() == model().act(*seats)[order].tolist()
    assert len(server.requests) == 4 + 4
    other_bits = seats._replace(random_bits=np.arange(4, dtype=np.uint64))
    bot = model()
    bot.act(*seats)
    bot.act(*other_bits)
    assert len(server.requests) == 8 + 4 + 4, "another game is asked for anew"


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
