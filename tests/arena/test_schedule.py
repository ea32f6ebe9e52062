"""Which bots meet, and how often."""

from collections import Counter
from itertools import permutations

import pytest

from mindup_arena.schedule import Match, chunks, matches
from mindup_arena.settings import ArenaSettings
from mindup_env import GameConfig

SIZES = [(bots, players) for bots in range(2, 8) for players in range(2, 7)]


def settings(bots: int, players: int, **others: int | bool) -> ArenaSettings:
    names = tuple(f"bot{number}" for number in range(bots))
    return ArenaSettings(names, GameConfig(num_players=players), **others)  # type: ignore[arg-type]


def meetings(all_matches: list[Match]) -> Counter[tuple[int, int]]:
    """How often two bots sit at one table, by ordered pair."""
    return Counter(pair for match in all_matches for pair in permutations(match, 2))


@pytest.mark.parametrize(("bots", "players"), SIZES)
def test_all_bots_take_equal_numbers_of_seats_and_meet_equally_often(
    bots: int, players: int
) -> None:
    all_matches = matches(settings(bots, players))
    assert {len(match) for match in all_matches} == {players}
    seats = Counter(bot for match in all_matches for bot in match)
    assert len(seats) == bots and len(set(seats.values())) == 1
    met = {pair: times for pair, times in meetings(all_matches).items() if len(set(pair)) == 2}
    assert len(met) == bots * (bots - 1) and len(set(met.values())) == 1


@pytest.mark.parametrize(("bots", "players"), SIZES)
def test_every_bot_plays_alone_against_copies_of_every_other(bots: int, players: int) -> None:
    all_matches = matches(settings(bots, players))
    assert len(set(map(frozenset, map(Counter.items, map(Counter, all_matches))))) == len(
        all_matches
    )
    alone = [match for match in all_matches if len(set(match)) == 2]
    if players == 2:
        assert {frozenset(match) for match in all_matches} == {
            frozenset(pair) for pair in permutations(range(bots), 2)
        }
    else:
        expected = {(one, *[other] * (players - 1)) for one, other in permutations(range(bots), 2)}
        assert set(alone) == expected


@pytest.mark.parametrize(("bots", "players"), SIZES)
def test_mixes_seat_as_many_different_bots_as_fit(bots: int, players: int) -> None:
    mixed = [match for match in matches(settings(bots, players)) if len(set(match)) > 2]
    assert bool(mixed) == (bots > 2 and players > 2)
    for match in mixed:
        copies = [match.count(bot) for bot in range(bots)]
        assert max(copies) - min(copies) <= 1


def test_one_against_the_field_is_a_match_for_each_other_bot() -> None:
    assert matches(settings(2, 5, one_vs_field=True)) == [(0, 1, 1, 1, 1)]
    assert matches(settings(3, 4, one_vs_field=True)) == [(0, 1, 1, 1), (0, 2, 2, 2)]
    assert matches(settings(3, 2, one_vs_field=True)) == [(0, 1), (0, 2)]


def test_chunks_cover_every_deal_of_every_match_once() -> None:
    asked = settings(3, 4, deals=23, chunk_deals=10)
    found = chunks(asked)
    assert [chunk.number for chunk in found] == list(range(len(found)))
    covered = Counter((chunk.match, deal) for chunk in found for deal in chunk.deals)
    assert set(covered.values()) == {1}
    assert set(covered) == {(i, d) for i in range(len(matches(asked))) for d in range(23)}
