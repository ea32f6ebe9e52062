"""Programs as bots: what they are sent, that they choose, and how they end."""

import copy
import json
import os
import pickle
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from mindup_agents.process import ProcessBot
from mindup_agents.process.messages import OPTIONAL_VIEWS, seat_views
from mindup_agents.process.program import script_of
from mindup_env import GameConfig, make_agent
from mindup_env.agent import RestOfSpec
from tests.agents.bots import choose_in_turn
from tests.agents.positions import CONFIGS, stages
from tests.agents.process.programs import GREEDY, command, program

CONFIG = GameConfig(3, 2)
KEEP_MESSAGE = "open(message['type'] + '.json', 'w').write(line)"
KEEP_NUMBER = "open('number', 'w').write(str(os.getpid()))"


def bot(text: str, config: GameConfig = CONFIG) -> ProcessBot:
    return ProcessBot(config, RestOfSpec(text))


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


def wait_for_end(number: int) -> None:
    """Waits until this child has ended, and is no zombie."""
    wait_until(lambda: not is_running(number))


def is_running(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("config", CONFIGS[1::2], ids=repr)
def test_a_program_plays_any_game(config: GameConfig, tmp_path: Path) -> None:
    agent, arguments = make_agent(f"process:{program(tmp_path)}", config), stages(config)
    assert agent.act(*arguments).tolist() == arguments.action_mask.argmax(axis=1).tolist()


@pytest.mark.parametrize("language", GREEDY)
def test_the_examples_play_like_greedy(language: str, tmp_path: Path) -> None:
    text = GREEDY[language](tmp_path)
    for players in (2, 6):
        config = GameConfig(players)
        turns = [stages(config, seed) for seed in range(3)]
        chosen = choose_in_turn(bot(text, config), turns)
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
    chosen = agent.act(*arguments._replace(action_mask=mask))
    assert chosen.tolist() == mask.argmax(axis=1).tolist()
    assert agent.act(*arguments._replace(action_mask=mask * 0)).tolist() == [0] * len(mask)
    assert Path("asked").read_text().split() == [str(len(mask) - 1)]


def test_no_shell_runs_the_command() -> None:
    Path("bot.py").write_text("import json, sys; json.dump(sys.argv[1:], open('words', 'w'))")
    words = ["a b", "$(touch made)", "; touch made", "*", "", ">made"]
    with pytest.raises(ValueError, match="at the start: it ended with exit status 0 before"):
        bot(command(Path("bot.py"), *words))
    assert json.loads(Path("words").read_text()) == words
    assert not Path("made").exists()


def test_a_program_is_called_by_its_script(tmp_path: Path) -> None:
    words = shlex.split(f"{program(tmp_path)} --depth 3 {tmp_path}")
    assert script_of(words) == Path(words[3]).name
    assert script_of([sys.executable, "--version"]) == Path(sys.executable).name


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "process needs a command, as in process:./mybot"),
        ("a 'b", 'the command "a \'b" cannot be split into words: No closing quotation'),
        ("./no-such-bot -x", "no program './no-such-bot' to run: it must be a path to an exec"),
        ("./bytes", r"bytes: at the start: it cannot be started: .*format"),
    ],
)
def test_a_wrong_command_is_refused(text: str, said: str) -> None:
    Path("bytes").write_bytes(b"\x00\x01")
    Path("bytes").chmod(0o700)
    with pytest.raises(ValueError, match=said):
        bot(text)


@pytest.mark.parametrize("text", ["0", "nan", "inf", "soon"])
def test_a_wrong_deadline_is_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINDUP_PROCESS_DEADLINE", text)
    with pytest.raises(ValueError, match=re.escape(f"seconds above 0, not '{text}'")):
        bot("cat")


def test_a_copy_has_a_process_of_its_own(tmp_path: Path) -> None:
    agent, number = started(program(tmp_path, KEEP_NUMBER))
    arguments = stages(CONFIG)
    for copied in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert np.array_equal(copied.act(*arguments), agent.act(*arguments))
        copied.act(*arguments)
        assert int(Path("number").read_text()) != number


# The end


def test_a_process_ends_cleanly_with_its_bot(tmp_path: Path) -> None:
    agent, number = started(program(tmp_path, KEEP_NUMBER, end="open('clean', 'w')"))
    assert is_running(number)
    assert os.getsid(number) == number != os.getsid(0), "Ctrl-C is not for the program"
    del agent
    wait_for_end(number)
    assert Path("clean").exists()


def test_a_process_that_goes_on_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mindup_agents.process.program.GRACE", 0.1)
    agent, number = started(program(tmp_path, KEEP_NUMBER, end="time.sleep(600)"))
    del agent
    wait_for_end(number)


def test_a_process_ends_when_the_parent_is_killed(tmp_path: Path) -> None:
    script = f"""
import os, signal
from mindup_agents.process.program import Child
child = Child({shlex.split(program(tmp_path, end="open('clean', 'w')"))!r}, None)
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
    wait_for_end(number)
    arguments = stages(CONFIG)
    assert agent.act(*arguments).tolist() == arguments.action_mask.argmax(axis=1).tolist()
