"""Which bots meet, and a match: every deal in all seat rotations."""

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from mindup_arena import match as match_module
from mindup_arena import play_match, win_share_against
from mindup_arena.match import RotatedDeals
from mindup_arena.settings import ArenaSettings
from mindup_env import Game, GameConfig
from mindup_env.engine.keys import make_keys
from mindup_env.envs.seated_bots import RandomBits, draw_random_bits
from tests.arena.bots import Faulty, Highest, Salted

CONFIG = GameConfig(num_players=4, num_rounds=1)
SALTED = [f"tests.arena.bots:Salted:salt={salt}" for salt in range(1, 5)]


def test_a_deal_has_the_cards_of_its_slot_in_every_rotation() -> None:
    games = RotatedDeals(CONFIG, seed=5, deals=range(7, 9))
    for index in range(8):
        assert games.env.game(index) == Game(CONFIG, 5, slot=7 + index // 4)


def test_every_agent_plays_from_every_seat() -> None:
    bots = [Salted(CONFIG, salt) for salt in range(4)]
    scores = play_match(bots, CONFIG, deals=5, seed=1).scores
    # Seat s in rotation r is played by place s - r; the other way round, the scores would differ.
    for rotation in range(4):
        order = [bots[(seat - rotation) % 4] for seat in range(4)]
        alone = play_match(order, CONFIG, deals=5, seed=1).scores[:, 0]
        assert np.array_equal(np.roll(scores[:, rotation], rotation, axis=1), alone)


def test_random_bits_come_from_deal_seat_and_decision() -> None:
    bot, other = Highest(CONFIG), Salted(CONFIG)
    play_match([other, bot, other, other], CONFIG, deals=2, seed=9)
    keys = np.repeat(make_keys(9, 2), 4, axis=0)  # with the agent seed that goes with the seed
    rows = np.array([4 * game + (1 + game % 4) % 4 for game in range(8)])
    assert len(bot.calls) == CONFIG.num_turns
    for decision, drawn in enumerate(bot.calls):
        turns = np.full(8, decision, np.int16)
        assert np.array_equal(drawn, draw_random_bits(keys, turns, rows, 4))


def test_the_agent_seed_decides_the_bits_and_not_the_cards() -> None:
    def played(agent_seed: int | None) -> tuple[list[Game], list[RandomBits]]:
        bot = Highest(CONFIG)
        games = RotatedDeals(CONFIG, 9, range(1), agent_seed=agent_seed)
        dealt = [games.env.game(index) for index in range(4)]
        games.play([bot] * 4)
        return dealt, bot.calls

    (deal, bits), (same_deal, other_bits) = played(None), played(3)
    assert deal == same_deal
    assert not set(np.ravel(bits)) & set(np.ravel(other_bits))


def test_results_do_not_depend_on_the_size_of_chunks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = play_match(SALTED, CONFIG, deals=7, seed=2)
    monkeypatch.setattr(match_module, "CHUNK_DEALS", 3)
    in_parts = play_match(SALTED, CONFIG, deals=7, seed=2)
    for parts, at_once in zip(in_parts, whole, strict=True):
        assert np.array_equal(parts, at_once)


def test_a_share_has_its_interval_and_copies_of_a_bot_the_same_bits() -> None:
    value, low, high = win_share_against(SALTED[0], SALTED[3], CONFIG, 150)
    assert low < 0.25 < high < low + 0.2 and low < value < high
    assert win_share_against("random", "random", CONFIG, 2).value == pytest.approx(0.25)
    with pytest.raises(ValueError, match="deals must be at least 2, not 1"):
        win_share_against("random", "random", CONFIG, 1)


@pytest.mark.parametrize(
    ("agents", "deals", "error"),
    [
        (["random"] * 3, 1, "agents must be a list of 4"),
        ("rand", 1, "agents must be a list of 4"),
        (["random"] * 4, 0, "deals must be at least 1"),
        ([Faulty, *SALTED[1:]], 1, r"an object such as Faulty\(config\), not the class Faulty"),
    ],
)
def test_a_wrong_match_is_refused(agents: Any, deals: int, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        play_match(agents, CONFIG, deals)


# Which bots meet


def settings(bots: int, players: int, **others: Any) -> ArenaSettings:
    names = tuple(f"bot{number}" for number in range(bots))
    return ArenaSettings(names, GameConfig(num_players=players), **others)


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("bots", range(2, 8))
def test_bots_meet_equally_often_alone_against_copies_and_in_mixes(bots: int, players: int) -> None:
    all_matches = settings(bots, players).matches
    assert {len(match) for match in all_matches} == {players}
    seats = Counter(bot for match in all_matches for bot in match)
    assert len(seats) == bots and len(set(seats.values())) == 1
    pairs = [*permutations(range(bots), 2)]
    met = Counter(pair for match in all_matches for pair in permutations(match, 2))
    assert len({met[pair] for pair in pairs}) == 1 and met[pairs[0]]
    different = {frozenset(Counter(match).items()) for match in all_matches}
    assert len(different) == len(all_matches)
    alone = {match for match in all_matches if len(set(match)) == 2}
    if players == 2:
        assert {*map(frozenset, all_matches)} == {*map(frozenset, pairs)}
    else:
        assert alone == {(one, *[other] * (players - 1)) for one, other in pairs}
    mixed = [match for match in all_matches if len(set(match)) > 2]
    assert bool(mixed) == (bots > 2 and players > 2)
    for match in mixed:
        copies = [match.count(bot) for bot in range(bots)]
        assert max(copies) - min(copies) <= 1


@pytest.mark.parametrize(
    ("bots", "against", "players", "expected"),
    [
        ("a", "b", 5, [(0, 1, 1, 1, 1)]),
        ("a", "bc", 3, [(0, 1, 1), (0, 2, 2)]),
        ("ab", "cd", 3, [(0, 2, 2), (0, 3, 3), (1, 2, 2), (1, 3, 3)]),
        ("ab", "bc", 3, [(0, 1, 1), (0, 2, 2), (1, 2, 2)]),
        ("ab", "ab", 2, [(0, 1)]),
    ],
)
def test_each_bot_is_alone_against_each_rival_but_itself(
    bots: str, against: str, players: int, expected: list[tuple[int, ...]]
) -> None:
    assert ArenaSettings((*bots,), GameConfig(players), against=(*against,)).matches == expected


def test_chunks_cover_every_deal_of_every_match_once() -> None:
    asked = settings(3, 4, deals=23, chunk_deals=10)
    covered = Counter((chunk.match, deal) for chunk in asked.chunks for deal in chunk.deals)
    assert covered == Counter((i, d) for i in range(len(asked.matches)) for d in range(23))
