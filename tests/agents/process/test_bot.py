"""Programs as bots: what they are sent, how they end, and the seats at which they fail."""

import copy
import json
import os
import pickle
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindup_agents.process import ProcessBot, messages
from mindup_agents.process.bot import MOST_FAILURES, choose_in_parts
from mindup_agents.process.messages import OPTIONAL_VIEWS, ProgramError, seat_views
from mindup_agents.process.program import Program, script_of
from mindup_env import GameConfig, make_agent
from mindup_env.agent import FailedRowsError, RestOfSpec
from tests.agents.bots import choose_in_turn
from tests.agents.positions import ActArguments, stages
from tests.agents.process.programs import GREEDY, LAST, MARKED, command, program

CONFIG = GameConfig(3, 2)
KEEP_MESSAGE = "open(message['type'] + '.json', 'w').write(line)"
KEEP_NUMBER = "open('number', 'w').write(str(os.getpid()))"
COUNT_STARTS = "open('starts', 'a').write('x')"


def bot(text: str, config: GameConfig = CONFIG, run_folder: Path | None = None) -> ProcessBot:
    return ProcessBot(config, RestOfSpec(text), run_folder)


def started(text: str) -> tuple[ProcessBot, int]:
    """A bot that plays, and the number of its process, which it has written to a file."""
    agent = bot(text)
    agent.act(*stages(CONFIG))
    return agent, int(Path("number").read_text())


def wait_until(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.02)


def is_running(number: int) -> bool:
    """Whether this child has not ended, and is no zombie."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


def plays_lowest(agent: ProcessBot, arguments: ActArguments) -> bool:
    return np.array_equal(agent.act(*arguments), arguments.action_mask.argmax(axis=1))


@pytest.mark.parametrize("language", GREEDY)
def test_the_examples_play_like_greedy(language: str, tmp_path: Path) -> None:
    text = GREEDY[language](tmp_path)
    for config in (GameConfig(2, 1), GameConfig(6)):
        turns = [stages(config, seed) for seed in range(3)]
        chosen = choose_in_turn(make_agent(f"process:{text}", config), turns)
        assert np.array_equal(chosen, choose_in_turn(make_agent("greedy", config), turns))


@pytest.mark.parametrize("views", [(), ("observation", "text")])
def test_a_program_gets_the_views_that_it_asks_for(views: tuple[str, ...], tmp_path: Path) -> None:
    ready = f"{KEEP_MESSAGE}; ready['views'] = {list(views)}"
    arguments = stages(CONFIG).pick([2, 9])
    bot(program(tmp_path, KEEP_MESSAGE, ready)).act(*arguments)
    hello, choose = (json.loads(Path(f"{name}.json").read_text()) for name in ("hello", "choose"))
    assert (hello["protocol"], hello["num_players"], hello["deadline"]) == (1, 3, 60)
    assert hello["deck"][0] == {"number": 1, "colour": "orange", "points": -1}
    expected = seat_views(CONFIG, arguments.observation, arguments.random_bits, views)
    assert choose == {"type": "choose", "id": 1, "seats": expected}
    assert {*OPTIONAL_VIEWS} & {*choose["seats"][0]} == {*views}


def test_one_message_has_all_seats_that_hold_a_card(tmp_path: Path) -> None:
    count = "print(len(seats), file=open('asked', 'a'))"
    agent, arguments = bot(program(tmp_path, count)), stages(CONFIG).repeat(30)
    mask = arguments.action_mask.copy()
    mask[1] = 0
    assert plays_lowest(agent, arguments._replace(action_mask=mask))
    assert plays_lowest(agent, arguments._replace(action_mask=mask * 0))
    assert Path("asked").read_text().split() == [str(len(mask) - 1)]


def test_long_messages_go_both_ways_at_once(tmp_path: Path) -> None:
    agent = bot(program(tmp_path, "answer['more'] = 'x' * 500_000"))
    assert plays_lowest(agent, stages(CONFIG).repeat(20))


def test_no_shell_runs_the_command_which_is_called_by_its_script() -> None:
    Path("bot.py").write_text("import json, sys; json.dump(sys.argv[1:], open('words', 'w'))")
    words = ["a b", "$(touch made)", "; touch made", "*", "", ">made"]
    text = command(Path("bot.py"), *words)
    with pytest.raises(ValueError, match="at the start: it ended with exit status 0 before"):
        bot(text)
    assert json.loads(Path("words").read_text()) == words
    assert not Path("made").exists()
    assert script_of(shlex.split(text)) == "bot.py"
    assert script_of([sys.executable, "--version"]) == Path(sys.executable).name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "process needs a command, as in process:./mybot"),
        ("a 'b", 'the command "a \'b" cannot be split into words: No closing quotation'),
        ("./no-such-bot -x", "no program './no-such-bot' to run: it must be a path to an exec"),
        ("./bytes", r"bytes: at the start: it cannot be started: .*format"),
        ("./refuses", "^process:.*: at the start: it ended with exit status 1 before the end of"),
        ("./outdated", "start: the answer to hello has the protocol 2; expected 1"),
    ],
)
def test_what_does_not_start_is_refused(text: str, said: str) -> None:
    for name, content in {
        "bytes": b"\x00\x01",
        "refuses": b"#!/bin/sh\nexit 1",
        "outdated": b'#!/bin/sh\necho \'{"type": "ready", "protocol": 2}\'; cat',
    }.items():
        Path(name).write_bytes(content)
        Path(name).chmod(0o700)
    with pytest.raises(ValueError, match=said):
        bot(text)


@pytest.mark.parametrize("text", ["0", "nan", "inf", "soon"])
def test_a_wrong_deadline_is_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINDUP_PROCESS_DEADLINE", text)
    with pytest.raises(ValueError, match=f"MINDUP_PROCESS_DEADLINE must be .*, not '{text}'"):
        bot("cat")


# The end


def test_a_copy_has_a_process_of_its_own_and_each_ends_cleanly(tmp_path: Path) -> None:
    agent, number = started(program(tmp_path, KEEP_NUMBER, end="open('clean', 'w')"))
    for copied in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert plays_lowest(copied, stages(CONFIG))
        assert int(Path("number").read_text()) != number
    assert is_running(number)
    assert os.getsid(number) == number != os.getsid(0), "Ctrl-C is not for the program"
    del agent
    wait_until(lambda: not is_running(number))
    assert Path("clean").exists()


def test_a_process_that_goes_on_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mindup_agents.process.program.GRACE", 0.1)
    agent, number = started(program(tmp_path, KEEP_NUMBER, end="time.sleep(600)"))
    del agent
    wait_until(lambda: not is_running(number))


def test_a_process_ends_when_the_parent_is_killed(tmp_path: Path) -> None:
    script = f"""
import os, signal
from mindup_agents.process.program import Program
from mindup_env import GameConfig
program = Program({program(tmp_path, end="open('clean', 'w')")!r}, GameConfig())
program.start()
os.kill(os.getpid(), signal.SIGKILL)
"""
    ended = subprocess.run([sys.executable, "-c", script], check=False)
    assert ended.returncode == -signal.SIGKILL
    wait_until(Path("clean").exists)


def test_an_interrupted_call_ends_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its answer must not be taken for that to the next request."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    agent, number = started(program(tmp_path, KEEP_NUMBER))
    with monkeypatch.context() as patched:
        patched.setattr("mindup_agents.process.messages.read_cards", interrupt)
        with pytest.raises(KeyboardInterrupt):
            agent.act(*stages(CONFIG))
    wait_until(lambda: not is_running(number))
    assert plays_lowest(agent, stages(CONFIG))


# Failures


def arguments_with(marked: list[int]) -> ActArguments:
    """Seats of which some have the random bits at which programs misbehave."""
    arguments = stages(CONFIG)
    bits = np.arange(len(arguments.random_bits), dtype=np.uint64)
    bits[marked] = LAST * 2**11
    return arguments._replace(random_bits=bits)


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


def test_an_illegal_card_fails_at_its_seat_without_a_restart(tmp_path: Path) -> None:
    text = program(tmp_path, "answer['cards'][1] = 61", COUNT_STARTS)
    agent, arguments = bot(text), stages(CONFIG).pick([3, 0, 6])
    hand = ", ".join(map(str, (np.flatnonzero(arguments.action_mask[1]) + 1).tolist()))
    expected = f"card 61 for seat 1; expected an integer, a card of its hand: {hand}"
    assert failures(agent, arguments) == {1: f"process:{text}: request 1 for 3 seats: {expected}"}
    failures(agent, arguments)
    assert Path("starts").read_text() == "x"


def test_a_program_that_hangs_is_killed_at_the_deadline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one that does not read a message larger than the pipe."""
    monkeypatch.setenv("MINDUP_PROCESS_DEADLINE", "0.5")
    agent = bot(program(tmp_path, f"if {MARKED}: time.sleep(600)"))
    before = time.monotonic()
    reasons = failures(agent, arguments_with([7]).pick(range(6, 10)))
    assert 1 <= time.monotonic() - before < 60
    assert list(reasons) == [1]
    assert "no answer within 0.5 s; MINDUP_PROCESS_DEADLINE sets this limit" in reasons[1]
    asked = Program(program(tmp_path, hello="send(ready); time.sleep(600)"), CONFIG)
    with pytest.raises(ProgramError, match=r"no answer within 0\.5 s"):
        asked.choose([{"hand": [4], "text": "x" * 200_000}])


def test_a_program_that_does_not_flush_is_told_so_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINDUP_PROCESS_DEADLINE", "0.5")
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    unflushed = "sys.stdout.write(json.dumps(answer) + '\\n'); answers += 1; continue"
    agent, before = bot(program(tmp_path, unflushed, end="sys.stdout.flush()")), time.monotonic()
    for _ in range(20):
        reasons = failures(agent, stages(CONFIG).pick(range(8)))
        assert [*reasons] == [*range(8)]
        assert "request 1 for 8 seats: its answer came only when its input had" in reasons[0]
        assert "a program must flush its output after each line" in reasons[0]
    assert time.monotonic() - before < 10, "it is not asked again"


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


def test_what_no_request_asked_for_is_refused(tmp_path: Path) -> None:
    """A second line, and one without an end of a program that does not read meanwhile."""
    asked = Program(program(tmp_path, "send(answer)"), CONFIG)
    seats = [{"hand": [4, 9], "random_bits": 0}]
    assert asked.choose(seats).cards == [4]
    with pytest.raises(ProgramError, match=r"wrote .* that no request asked for|id 1; expected 2"):
        asked.choose(seats)
    hello = "sys.stdout.write(json.dumps(ready)); sys.stdout.flush()\nwhile True: print()"
    asked = Program(program(tmp_path, hello=hello), CONFIG)
    with pytest.raises(ProgramError, match=r"it wrote more than 1,048,576 bytes|no request asked"):
        asked.choose([{"hand": [4], "text": "x" * 200_000}])


def test_the_standard_error_is_kept_in_the_folder_of_the_run(tmp_path: Path) -> None:
    """Also that of a second bot, and no file of one that wrote nothing."""
    folder = tmp_path / "runs" / "one"
    text = program(tmp_path, f"print('about to', flush=True, file=sys.stderr)\nif {MARKED}: 1 / 0")
    agents = [bot(text, run_folder=folder), bot(text, run_folder=folder)]
    silent = bot(text, run_folder=folder)
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
    agent = bot(program(tmp_path, f"{crash}\nos._exit(4)"), run_folder=tmp_path / "run")
    first, second = (failures(agent, stages(CONFIG).pick([0]))[0] for _ in range(2))
    assert first.endswith(": first")
    assert second.endswith("it ended with exit status 4 before the end of its input")


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
