"""Programs that crash, hang or answer nonsense fail at these seats alone, and say why."""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindup_agents.process import ProcessBot, messages
from mindup_agents.process.bot import MOST_FAILURES, choose_in_parts
from mindup_agents.process.messages import ProgramError
from mindup_agents.process.program import Program
from mindup_env import GameConfig
from mindup_env.agent import FailedRowsError, RestOfSpec
from tests.agents.positions import ActArguments, stages
from tests.agents.process.programs import LAST, MARKED, program

CONFIG = GameConfig(3)
COUNT_STARTS = "open('starts', 'a').write('x')"


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
    asked = Program(program(tmp_path, hello="send(ready); time.sleep(600)"), CONFIG)
    with pytest.raises(ProgramError, match="no answer within 1 s"):
        asked.choose([{"hand": [4], "text": "x" * 200_000}])


def test_a_program_that_writes_without_an_end_is_stopped(tmp_path: Path) -> None:
    """Also while it does not read, so that the message is not sent yet."""
    hello = "sys.stdout.write(json.dumps(ready)); sys.stdout.flush()\nwhile True: print()"
    asked = Program(program(tmp_path, hello=hello), CONFIG)
    with pytest.raises(ProgramError, match=r"it wrote more than 1,048,576 bytes|no request asked"):
        asked.choose([{"hand": [4], "text": "x" * 200_000}])


def test_a_program_that_writes_before_it_reads_is_no_problem(tmp_path: Path) -> None:
    """Long messages go both ways at once."""
    agent = bot(program(tmp_path, "answer['more'] = 'x' * 500_000"))
    arguments = stages(CONFIG).repeat(20)
    assert agent.act(*arguments).tolist() == arguments.action_mask.argmax(axis=1).tolist()


@pytest.mark.parametrize(
    ("nonsense", "said"),
    [
        ("print('hello')", "the answer is 'hello'; expected a JSON object on one line"),
        ("print('x' * 2_000_000)", "it wrote more than 1,048,576 bytes; expected a shorter line"),
        ("sys.stdout.write('x' * 2**21); sys.stdout.flush(); time.sleep(600)", "it wrote more "),
        ("os.close(1); time.sleep(600)", "it closed its output before the end of its input"),
    ],
)
def test_nonsense_is_said_in_a_line(
    nonsense: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mindup_agents.process.program.GRACE", 0.2)
    text = program(tmp_path, nonsense)
    reasons = failures(bot(text), stages(CONFIG).pick([0]))
    assert list(reasons) == [0] and "\n" not in reasons[0] and len(reasons[0]) < 500
    assert reasons[0].startswith(f"process:{text}: request 1 for 1 seat: {said}")


def read_cards(line: bytes) -> messages.Answer:
    return messages.read_cards(line, 1, [[4, 9]])


@pytest.mark.parametrize(
    ("read", "line", "said"),
    [
        *(
            (read_cards, line, "expected a JSON object on one line")
            for line in (b"", b"[1, 2]", b"\xff{}", b"[" * 100_000, b"9" * 10_000)
        ),
        (read_cards, b"[1, 2]", "the answer is '[1, 2]'; expected a JSON object on one line"),
        (read_cards, b'{"type": "card"}', "the answer has the type 'card'; expected \"cards\""),
        (read_cards, b'{"type": "cards", "id": 2, "cards": [4]}', "has the id 2; expected 1"),
        (read_cards, b'{"type": "cards", "id": true, "cards": [4]}', "has the id True; expected 1"),
        (read_cards, b'{"type": "cards", "cards": [4]}', "the answer has the id None; expected 1"),
        (read_cards, b'{"type": "cards", "id": 1, "cards": []}', "has 0 cards; expected a list of"),
        (read_cards, b'{"type": "cards", "id": 1, "cards": 4}', "has the cards 4; expected a list"),
        (messages.read_ready, b"1", "the answer to hello is '1'; expected a JSON object on one"),
        (messages.read_ready, b'{"type": "go"}', "hello has the type 'go'; expected \"ready\""),
        (messages.read_ready, b'{"type": "ready"}', "has the protocol None; expected 1"),
        *(
            (
                messages.read_ready,
                b'{"type": "ready", "protocol": 1, %s}' % field.encode(),
                f"the answer to hello has the {said}",
            )
            for field, said in (
                ('"protocol": 2', "protocol 2; expected 1"),
                ('"name": 5', "name 5; expected a text"),
                ('"views": "text"', "views 'text'; expected a list of some of text, observation"),
                ('"views": ["all"]', "views ['all']; expected a list of some of text, obs"),
                ('"views": [[]]', "views [[]]; expected a list of some of text, observation"),
            )
        ),
    ],
)
def test_a_wrong_line_is_refused_with_what_was_expected(
    read: Callable[[bytes], object], line: bytes, said: str
) -> None:
    with pytest.raises(ProgramError) as refused:
        read(line)
    assert said in str(refused.value)


@pytest.mark.parametrize("card", ["61", "0", "-1", "2.0", '"3"', "null", "true", "[4]"])
def test_an_illegal_card_is_a_problem_of_its_seat(card: str) -> None:
    line = f'{{"type": "cards", "id": 1, "cards": [4, {card}]}}'.encode()
    answer = messages.read_cards(line, 1, [[4, 9], [1, 2]])
    assert answer.cards == [4, 0] and [*answer.problems] == [1]
    assert answer.problems[1].endswith("for seat 1; expected an integer, a card of its hand: 1, 2")


def test_an_illegal_card_fails_at_its_seat_without_a_restart(tmp_path: Path) -> None:
    agent = bot(program(tmp_path, "answer['cards'][1] = 61", COUNT_STARTS))
    arguments = stages(CONFIG).pick([3, 0, 6])
    hand = ", ".join(map(str, (np.flatnonzero(arguments.action_mask[1]) + 1).tolist()))
    expected = f"card 61 for seat 1; expected an integer, a card of its hand: {hand}"
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
        ("sys.exit('no')", "it ended with exit status 1 before the end of its input"),
    ],
)
def test_a_program_that_does_not_start_is_refused(hello: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=f"^process:.*: at the start: {said}"):
        bot(program(tmp_path, hello=hello))


# The standard error


def test_the_standard_error_is_kept_in_the_folder_of_the_run(tmp_path: Path) -> None:
    """Also that of a second bot, and no file of one that wrote nothing."""
    folder = tmp_path / "runs" / "one"
    text = program(tmp_path, f"print('about to', flush=True, file=sys.stderr)\nif {MARKED}: 1 / 0")
    agents = [bot(text, folder), bot(text, folder)]
    silent = bot(text, folder)
    assert len(list(folder.iterdir())) == 3
    del silent
    reasons = failures(agents[0], arguments_with([4]))
    agents[1].act(*arguments_with([]))
    one, other = sorted(folder.glob("program.py-*.stderr"), key=lambda path: -path.stat().st_size)
    assert reasons[4].endswith(f"; the last line of {one}: ZeroDivisionError: division by zero")
    assert one.read_text().count("about to") > 4 and "Traceback" in one.read_text()
    assert other.read_text() == "about to\n"


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
