"""Records and saved games: of every game they are exact; damaged ones are refused in words."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.settings.plain_file import read_json
from mindup_play.records import games_of, replay_page
from tests.game_origins import ORIGINS, PATHS, play_randomly, record_bytes, through_json
from tests.hostile.conftest import Attempts
from tests.hostile.mutation import mutated, mutated_plain
from tests.hostile.random_games import random_config
from tests.hostile.refusal import result_or_refusal

pytestmark = pytest.mark.hostile


def random_game(random: Generator) -> Game:
    return ORIGINS[str(random.choice(list(ORIGINS)))](random_config(random), random)


def test_every_game_has_the_same_record_after_every_way(attempts: Attempts) -> None:
    for random in attempts:
        game = random_game(random)
        plays = game.record()["plays"]
        for name, path in PATHS.items():
            attempts.inputs += 1
            again = path(game)
            assert again == game and record_bytes(again) == record_bytes(game), name
            play_randomly(again, int(random.integers(30)), random)
            record = through_json(again.record())
            assert Game.replay(record) == again
            assert Game.replay(record, turns=len(plays)) == game


def test_a_damaged_record_is_refused_or_is_another_game(attempts: Attempts) -> None:
    for random in attempts:
        record = through_json(play_randomly(random_game(random), 3, random).record())
        for _ in range(50):
            attempts.inputs += 1
            damaged = record
            for _ in range(random.integers(1, 3)):
                part = str(random.choice(list(record)))
                damaged = {**damaged, part: mutated_plain(random, damaged[part])}
            check_record(
                mutated_plain(random, record) if random.random() < 0.1 else damaged, random
            )


def test_a_damaged_saved_game_is_refused_or_is_another_game(attempts: Attempts) -> None:
    """Without the result of a record, more damage is a valid game."""
    for random in attempts:
        plain = through_json(random_game(random).to_dict())
        for _ in range(50):
            attempts.inputs += 1
            damaged = mutated_plain(random, plain)
            game = result_or_refusal(partial(Game.from_dict, damaged))
            if game is not None:
                check_playable(game, random)


def test_damaged_starts_are_refused_or_are_other_games(attempts: Attempts) -> None:
    """Cards change their places, so that most of the damaged starts still have every card once."""
    for random in attempts:
        plain = through_json(ORIGINS["sampled"](random_config(random), random).to_dict())
        for _ in range(50):
            attempts.inputs += 1
            game = result_or_refusal(partial(Game.from_dict, with_cards_swapped(plain, random)))
            if game is not None:
                check_playable(game, random)


def test_a_damaged_replay_file_is_refused_by_its_name(attempts: Attempts, tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    for random in attempts:
        text = record_bytes(random_game(random))
        for _ in range(20):
            attempts.inputs += 1
            path.write_bytes(mutated(random, text))
            record = result_or_refusal(partial(read_json, path), naming=str(path))
            check_record(record, random)


def check_record(record: Any, random: Generator) -> None:
    """Refused by everything that reads it, or a game that survives record and replay."""
    game = result_or_refusal(partial(Game.replay, record))
    games = result_or_refusal(partial(games_of, record))
    page = result_or_refusal(partial(replay_page, record))
    assert (game is None) == (games is None)
    assert game is not None or page is None
    if game is not None and games is not None:
        assert games[-1] == game
        check_playable(game, random)


def check_playable(game: Game, random: Generator) -> None:
    assert Game.replay(through_json(game.record())) == game
    env = BatchEnv(game.config, autoreset=False)
    seen = env.set_game(0, game)
    assert (seen["observation"] >= env.layout.low).all()
    assert (seen["observation"] <= env.layout.high).all()
    played = play_randomly(game.copy(), game.config.num_turns, random)
    assert played.over and str(played)
    assert record_bytes(Game.replay(through_json(played.record()))) == record_bytes(played)


def with_cards_swapped(plain: dict[str, Any], random: Generator) -> dict[str, Any]:
    """A saved game with two or more cards swapped, in the start and perhaps in the deal too."""
    config = GameConfig.from_dict(plain["config"])
    order = np.arange(config.num_cards + 1)
    for _ in range(random.integers(1, 3)):
        one, other = random.integers(1, config.num_cards + 1, size=2)
        order[[one, other]] = order[[other, one]]
    if "start" not in plain:
        return {**plain, "plays": renamed(plain["plays"], order)}
    cards = {name: renamed(plain["start"][name], order) for name in ("hands", "tableaux")}
    cards["last_turn"] = renamed(plain["start"]["last_turn"], order)
    deal = plain["deal"]
    if random.random() < 0.5:
        deal = {**deal, "deck": renamed(deal["deck"], order)}
    return {**plain, "deal": deal, "start": {**plain["start"], **cards}}


def renamed(cards: Any, order: Any) -> Any:
    return [renamed(card, order) if isinstance(card, list) else int(order[card]) for card in cards]


def test_json_of_a_record_is_plain(attempts: Attempts) -> None:
    """No NumPy number and no tuple hides in it: JSON gives back what was put in."""
    for random in attempts:
        attempts.inputs += 1
        record = random_game(random).record()
        assert json.loads(json.dumps(record)) == record
