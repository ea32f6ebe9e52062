"""Programs that crash, hang or answer nonsense fail at these seats alone, and say why."""

import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindup_agents.process import ProcessBot, messages
from mindup_agents.process.bot import MOST_FAILURES, choose_in_parts
from mindup_agents.process.child import ProgramError
from mindup_agents.process.program import Program
from mindup_env import GameConfig
from mindup_env.agent import FailedRowsError, RestOfSpec
from tests.agents.positions import ActArguments, stages
from tests.agents.process.scripts import LAST, MARKED, command, program

CONFIG = GameConfig(3)
COUNT_STARTS = "open('starts', 'a').write('x')"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def arguments_with(marked: list[int]) -> ActArguments:
    """Seats of which some have the random bits at which programs misbehave."""
    arguments = stages(CONFIG)
    bits = np.arange(len(arguments.random_bits), dtype=np.uint64)
    bits[marked] = LAST * 2**11
    return arguments._replace(random_bits=bits)


def bot(text: str, run_folder: Path | None = None) -> ProcessBot:
    return ProcessBot(CONFIG, RestOfSpec(text), run_folder)


def failures(agent: ProcessBot, arguments: ActArguments) -> dict[int, str]:
    """The reasons by row; the other rows have the lowest card."""
    with pytest.raises(FailedRowsError) as failed:
        agent.act(*arguments)
    reasons = failed.value.reasons
    others = [row for row in range(len(arguments.random_bits)) if row not in reasons]
    lowest = arguments.action_mask.argmax(axis=1)
    assert np.array_equal(failed.value.actions[others], lowest[others])
    return reasons


def test_a_crash_fails_at_its_seats_alone(tmp_path: Path) -> None:
    text = program(tmp_path, f"if {MARKED}: os._exit(3)", COUNT_STARTS)
    agent = bot(text)
    reasons = failures(agent, arguments_with([5, 12]))
    assert sorted(reasons) == [5, 12]
    for reason in reasons.values():
        assert reason.startswith(f"process:{text}: request ")
        assert reason.endswith(
            " for 1 seat: it ended with exit status 3 before the end of its input"
        )
    agent.act(*arguments_with([]))
    assert 5 < len(Path("starts").read_text()) < MOST_FAILURES


@pytest.mark.parametrize("rows", [1, 2, 21])
def test_a_program_that_always_crashes_is_given_up_soon(rows: int, tmp_path: Path) -> None:
    agent = bot(program(tmp_path, "os.kill(os.getpid(), 9)", COUNT_STARTS))
    reasons = failures(agent, stages(CONFIG).pick(range(rows)))
    assert sorted(reasons) == list(range(rows))
    assert all("it was killed by signal 9" in reason for reason in reasons.values())
    assert len(Path("starts").read_text()) <= 3


def test_a_program_that_hangs_is_killed_at_the_deadline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINDUP_PROCESS_DEADLINE", "1")
    agent = bot(program(tmp_path, f"if {MARKED}: time.sleep(600)"))
    before = time.monotonic()
    reasons = failures(agent, arguments_with([7]).pick(range(6, 10)))
    assert 2 <= time.monotonic() - before < 60
    assert list(reasons) == [1]
    assert "no answer within 1 s; MINDUP_PROCESS_DEADLINE sets this limit" in reasons[1]


def test_a_program_that_does_not_read_is_killed_at_the_deadline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if the message is larger than the pipe."""
    monkeypatch.setenv("MINDUP_PROCESS_DEADLINE", "1")
    agent = bot(program(tmp_path, hello="send(ready); time.sleep(600)"))
    reasons = failures(agent, stages(CONFIG).repeat(20))
    assert len(reasons) == 21 * 20 and "no answer within 1 s" in reasons[0]


def test_a_program_that_writes_without_an_end_is_stopped(tmp_path: Path) -> None:
    """Also while it does not read, so that the message is not sent yet."""
    hello = "sys.stdout.write(json.dumps(ready)); sys.stdout.flush()\nwhile True: print()"
    asked = Program(program(tmp_path, hello=hello), CONFIG)
    with pytest.raises(ProgramError, match=r"it wrote more than 1,048,576 bytes|no request asked"):
        asked.choose([{"hand": [4], "text": "x" * 200_000}])


def test_a_program_that_writes_before_it_reads_is_no_problem(tmp_path: Path) -> None:
    """Long messages go both ways at once."""
    program(tmp_path, "answer['more'] = 'x' * 500_000")
    arguments = stages(CONFIG).repeat(20)
    chosen = bot(command(tmp_path / "program.py")).act(*arguments)
    assert chosen.tolist() == arguments.action_mask.argmax(axis=1).tolist()


NONSENSE = {
    "print('hello')": "the answer is 'hello'; expected a JSON object on one line",
    "print('[1, 2]')": "the answer is '[1, 2]'; expected a JSON object on one line",
    "print()": "the answer is ''; expected a JSON object on one line",
    "sys.stdout.buffer.write(b'\\xff{}\\n')": "expected a JSON object on one line",
    "print('[' * 100_000)": "expected a JSON object on one line",
    "print('9' * 10_000)": "expected a JSON object on one line",
    "print('x' * 2_000_000)": "it wrote more than 1,048,576 bytes; expected a shorter line",
    "sys.stdout.write('x' * 2_000_000); sys.stdout.flush(); time.sleep(600)": "it wrote more than",
    "answer['type'] = 'card'": "the answer has the type 'card'; expected \"cards\"",
    "answer['id'] += 1": "the answer has the id 2; expected 1",
    "answer['id'] = True": "the answer has the id True; expected 1",
    "del answer['id']": "the answer has the id None; expected 1",
    "answer['cards'].pop()": "the answer has 0 cards; expected a list of 1",
    "answer['cards'] = 4": "the answer has the cards 4; expected a list of 1",
    "os.close(1); time.sleep(600)": "it closed its output before the end of its input",
}


@pytest.mark.parametrize("nonsense", NONSENSE)
def test_nonsense_is_said_in_a_line(
    nonsense: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mindup_agents.process.child.GRACE", 0.2)
    text = program(tmp_path, nonsense)
    reasons = failures(bot(text), stages(CONFIG).pick([0]))
    assert list(reasons) == [0] and "\n" not in reasons[0] and len(reasons[0]) < 500
    assert reasons[0].startswith(f"process:{text}: request 1 for 1 seat: ")
    assert NONSENSE[nonsense] in reasons[0]


@pytest.mark.parametrize("card", ["61", "0", "-1", "2.0", "'3'", "None", "True", "[4]"])
def test_an_illegal_card_fails_at_its_seat_without_a_restart(card: str, tmp_path: Path) -> None:
    agent = bot(program(tmp_path, f"answer['cards'][1] = {card}", COUNT_STARTS))
    arguments = stages(CONFIG).pick([3, 0, 6])
    hand = ", ".join(map(str, (np.flatnonzero(arguments.action_mask[1]) + 1).tolist()))
    expected = f"card {eval(card)!r} for seat 1; expected an integer, a card of its hand: {hand}"  # noqa: S307
    assert failures(agent, arguments) == {
        1: f"process:{vars(agent)['_program'].command}: request 1 for 3 seats: {expected}"
    }
    failures(agent, arguments)
    assert Path("starts").read_text() == "x"


def test_a_second_line_is_an_answer_to_no_request(tmp_path: Path) -> None:
    asked = Program(program(tmp_path, "send(answer)"), CONFIG)
    seats = [{"hand": [4, 9], "random_bits": 0}]
    assert asked.choose(seats).cards == [4]
    with pytest.raises(ProgramError, match=r"wrote .* that no request asked for|id 1; expected 2"):
        asked.choose(seats)


@pytest.mark.parametrize(
    ("hello", "said"),
    [
        ("ready['protocol'] = 2", "the answer to hello has the protocol 2; expected 1"),
        ("del ready['protocol']", "the answer to hello has the protocol None; expected 1"),
        ("ready['name'] = 5", "the answer to hello has the name 5; expected a text"),
        (
            "ready['views'] = 'text'",
            "the answer to hello has the views 'text'; expected a list of some of text, obs",
        ),
        (
            "ready['views'] = ['all']",
            r"the answer to hello has the views \['all'\]; expected a list of some of text",
        ),
        (
            "ready['views'] = [[]]",
            r"the answer to hello has the views \[\[\]\]; expected a list of some of text",
        ),
        ("ready['type'] = 'go'", "the answer to hello has the type 'go'; expected \"ready\""),
        ("ready = 1", "the answer to hello is '1'; expected a JSON object on one line"),
        ("sys.exit('no')", "it ended with exit status 1 before the end of its input"),
    ],
)
def test_a_program_that_does_not_start_is_refused(hello: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=f"^process:.*: at the start: {said}"):
        bot(program(tmp_path, hello=hello))


# The standard error


def test_the_standard_error_is_kept_in_the_folder_of_the_run(tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "one"
    text = program(tmp_path, f"print('about to', flush=True, file=sys.stderr)\nif {MARKED}: 1 / 0")
    agents = [bot(text, folder), bot(text, folder)]
    reasons = failures(agents[0], arguments_with([4]))
    agents[1].act(*arguments_with([]))
    one, other = sorted(folder.glob("program.py-*.stderr"), key=lambda path: -path.stat().st_size)
    assert reasons[4].endswith(f"; the last line of {one}: ZeroDivisionError: division by zero")
    assert one.read_text().count("about to") > 4 and "Traceback" in one.read_text()
    assert other.read_text() == "about to\n"


def test_an_empty_standard_error_leaves_no_file(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    agent = bot(program(tmp_path), folder)
    agent.act(*stages(CONFIG))
    assert len(list(folder.iterdir())) == 1
    del agent
    assert not list(folder.iterdir())


def test_the_last_line_is_that_of_the_last_process(tmp_path: Path) -> None:
    """Of two that crash, the first says why, and the second nothing."""
    crash = f"{COUNT_STARTS}\nif len(open('starts').read()) == 1: print('first', file=sys.stderr)"
    agent = bot(program(tmp_path, f"{crash}\nos._exit(4)"), tmp_path / "run")
    first, second = (failures(agent, stages(CONFIG).pick([0]))[0] for _ in range(2))
    assert first.endswith(": first")
    assert second.endswith("it ended with exit status 4 before the end of its input")


# Seats that fail among others, without a process


@given(
    st.integers(1, 600).flatmap(
        lambda seats: st.tuples(st.just(seats), st.sets(st.integers(0, seats - 1), max_size=3))
    )
)
def test_few_bad_seats_are_found(case: tuple[int, set[int]]) -> None:
    seats, bad = case
    calls: list[bool] = []

    def choose(part: list[dict[str, int]]) -> messages.Answer:
        calls.append(any(seat["number"] in bad for seat in part))
        if calls[-1]:
            raise ProgramError("crash")
        return messages.Answer([seat["number"] + 1 for seat in part], {})

    found = choose_in_parts(choose, [{"number": number} for number in range(seats)])
    assert sum(calls) <= MOST_FAILURES
    assert bad <= {*found.problems}
    if len(bad) < 2:
        assert {*found.problems} == bad
    for number, card in enumerate(found.cards):
        assert card == (0 if number in found.problems else number + 1)


# Whatever a program writes

lines = st.one_of(
    st.binary(max_size=200),
    st.from_regex(rb'\{"type":"(ready|cards)","(id|protocol)":1,"cards":\[[0-9,-]*\]?\}?\n?'),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=8), inner),
    ).map(lambda value: messages.encode({"type": "cards", "id": 1, "cards": value})),
)


@settings(max_examples=40)
@given(lines)
def test_any_line_is_an_answer_or_refused(line: bytes) -> None:
    for read in (messages.read_ready, lambda line: messages.read_cards(line, 1, [[1, 2], [3]])):
        with suppress(ProgramError):
            read(line)
