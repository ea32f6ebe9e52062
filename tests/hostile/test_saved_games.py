"""A damaged file of an unfinished game is refused by its name, or is a game that goes on."""

import json
from functools import partial
from pathlib import Path

import pytest
from numpy.random import Generator

from mindup_play.saved import SavedGame
from mindup_play.session import Session
from mindup_play.settings import PlaySettings
from tests.hostile.conftest import Attempts
from tests.hostile.mutation import mutated, mutated_plain
from tests.hostile.refusal import result_or_refusal

pytestmark = pytest.mark.hostile


def test_a_damaged_saved_game_is_refused_or_goes_on(attempts: Attempts, tmp_path: Path) -> None:
    saved = SavedGame(tmp_path)
    for random in attempts:
        text = write_game(saved, random)
        for _ in range(20):
            attempts.inputs += 1
            damaged = mutated(random, text)
            if random.random() < 0.7:
                damaged = json.dumps(damaged_plain(text, random)).encode()
            saved.path.write_bytes(damaged)
            result_or_refusal(saved.read, naming=str(saved.path))
            session = result_or_refusal(saved.load, naming=str(saved.path))
            if session is not None:
                check_goes_on(session, saved)


def write_game(saved: SavedGame, random: Generator) -> bytes:
    """The file of a random unfinished game."""
    settings = PlaySettings(
        seed=int(random.integers(10**6)),
        players=int(random.integers(2, 7)),
        objectives=int(random.integers(0, 6)),
        opponents=("lowest", "greedy"),
    )
    session = Session(settings)
    for _ in range(random.integers(1, 10)):
        session.play(int(random.choice(session.game.hand(0))))
    saved.save(session)
    return saved.path.read_bytes()


def damaged_plain(text: bytes, random: Generator) -> object:
    plain = json.loads(text)
    if random.random() < 0.2:
        return _without_bytes(mutated_plain(random, plain))
    part = str(random.choice(["settings", "plays", "plays"]))
    return _without_bytes({**plain, part: mutated_plain(random, plain[part])})


def _without_bytes(plain: object) -> object:
    """JSON has no bytes, which are among the odd values."""
    return json.loads(json.dumps(plain, default=repr))


def check_goes_on(session: Session, saved: SavedGame) -> None:
    """It can be saved and resumed with the same result, and played on."""
    saved.save(session)
    if session.game.over:
        return
    again = saved.load()
    assert again.game == session.game and again.settings == session.settings
    session.play(session.game.hand(session.settings.seat)[0])
    assert result_or_refusal(partial(session.play, 0)) is None
