"""A person who plays at a terminal, which is a pair of streams here."""

import io
import sys

import numpy as np
import pytest

from mindup_agents.human import Human
from mindup_env import BatchEnv, Game, GameConfig, make_agent
from tests.agents.positions import ActArguments, joined
from tests.scripted_game import CONFIG, scripted


def arguments_for(game: Game, player: int) -> ActArguments:
    env = BatchEnv(game.config, autoreset=False, copy=True)
    seen = {name: array[0, [player]] for name, array in env.set_game(0, game).items()}
    episode_start, random_bits = np.full(1, not game.plays), np.zeros(1, np.uint64)
    return ActArguments(**seen, episode_start=episode_start, random_bits=random_bits)


def ask(
    arguments: ActArguments, answers: str, config: GameConfig = CONFIG
) -> tuple[list[int], str]:
    """The cards chosen, and what was on the screen."""
    screen = io.StringIO()
    actions = Human(config, io.StringIO(answers), screen).act(*arguments)
    return (actions + 1).tolist(), screen.getvalue()


def test_a_person_sees_the_table_and_the_hand_in_words() -> None:
    _, screen = ask(arguments_for(scripted(2), 1), "10\n")
    lines = [" ".join(line.split()) for line in screen.splitlines()]
    assert "Mind Up! round 2 of 2, turn 1 of 3" in lines
    assert "-2 nobody has more purple cards than you met by you, you+1" in lines
    assert "played by you you+1" in lines
    assert "hand of you+1 1- 12 50+ (?)" in lines
    assert "you hold 2 pink, 3 blue +1, 10 pink +2, 40 blue +1" in lines
    for turns, is_new in ((0, True), (1, False)):
        screen = ask(arguments_for(scripted(turns), 0), "1\n")[1]
        assert ("A new game" in screen) == is_new


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("", "enter the number of a card: choose one of 2, 20, 40"),
        ("12", "card 12 is not in your hand: choose one of 2, 20, 40"),
        ("-2", "'-2' is not the number of a card: choose one of 2, 20, 40"),
        ("2.0", "'2.0' is not the number of a card"),
    ],
)
def test_a_wrong_answer_is_asked_again(answer: str, message: str) -> None:
    for right in ("40", "  40 ", "040"):
        cards, screen = ask(arguments_for(scripted(), 1), f"{answer}\n{right}\n")
        assert cards == [40]
        assert message in screen and screen.count("which card do you play? ") == 2


def test_several_games_are_asked_one_after_the_other() -> None:
    both = joined(arguments_for(scripted(), seat) for seat in range(2))
    cards, screen = ask(both, "12\n2\n")
    assert cards == [12, 2]
    first, hand, second = map(screen.index, ("game 1 of 2", "you hold 1 orange", "game 2 of 2"))
    assert first < hand < second


def test_the_end_of_the_answers_ends_the_game() -> None:
    screen = io.StringIO()
    with pytest.raises(EOFError):
        Human(CONFIG, io.StringIO("12"), screen).act(*arguments_for(scripted(), 1))
    assert screen.getvalue().endswith("which card do you play? \n")


def test_by_name_it_plays_at_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("40\n"))
    arguments = arguments_for(scripted(), 1)
    assert make_agent("human", CONFIG).act(*arguments).tolist() == [39]
    assert "you hold" in capsys.readouterr().out
