"""Reads the saved results of a chunk, and checks them: a report is made of them."""

from typing import Any

import numpy as np

from mindup_arena.chunk import PlayedChunk
from mindup_arena.failures import Forfeit
from mindup_arena.match import MatchResults
from mindup_arena.monitored_agent import DecisionTime, check_usage
from mindup_arena.schedule import Chunk, matches
from mindup_arena.settings import ArenaSettings
from mindup_env.engine.state import Int64Array
from mindup_env.settings.checks import as_list, check_entries, check_int, shown

_MOST_POINTS = 10**6
_FORFEIT = "bot", "decision", "reason"


def read_chunk(
    chunk: Chunk, settings: ArenaSettings, plain: Any, plain_timings: Any
) -> PlayedChunk:
    """The chunk from the plain data of its two files."""
    check_entries("results", plain, ("line_up", "deals", "forfeits", "scores", "ranks"))
    if plain["line_up"] != chunk.match or plain["deals"] != [chunk.deals.start, chunk.deals.stop]:
        raise ValueError("they are those of another chunk")
    match, players = matches(settings)[chunk.match], settings.config.num_players
    shape = len(chunk.deals), players, players
    results = MatchResults(
        _read_array("scores", plain["scores"], shape, -_MOST_POINTS, _MOST_POINTS),
        _read_array("ranks", plain["ranks"], shape, 0, players - 1),
    )
    if (results.ranks.min(axis=-1) != 0).any():
        raise ValueError("each game must have a winner, of rank 0")
    if not isinstance(plain_timings, dict) or not {*plain_timings} <= {*map(str, match)}:
        raise ValueError(f"timings must be a dict by bots of the match, not {plain_timings!r}")
    return PlayedChunk(
        chunk,
        results,
        tuple(
            _read_forfeit(each, match, len(chunk.deals) * players)
            for each in as_list("forfeits", plain["forfeits"])
        ),
        {int(bot): _read_time(plain_timings[bot]) for bot in plain_timings},
        {
            int(bot): check_usage(timing["usage"])
            for bot, timing in plain_timings.items()
            if "usage" in timing
        },
    )


def _read_array(
    name: str, plain: Any, shape: tuple[int, int, int], low: int, high: int
) -> Int64Array:
    try:
        array = np.array(plain)
    except (ValueError, OverflowError):
        array = np.zeros(0)
    if array.shape != shape or array.dtype != np.int64:
        raise ValueError(f"{name} must be whole numbers of the shape {shape}")
    if array.min() < low or array.max() > high:
        raise ValueError(f"{name} must be {low} to {high}")
    return array


def _read_forfeit(plain: Any, match: tuple[int, ...], num_games: int) -> Forfeit:
    check_entries("a forfeit", plain, _FORFEIT, ("games", "traceback"))
    if check_int("bot", plain["bot"]) not in match:
        raise ValueError(f"the bot of a forfeit must be one of the match, not {plain['bot']}")
    check_int("decision", plain["decision"], 0)
    # In the first versions a bot forfeited all games of a chunk.
    found = as_list("games", plain.get("games", range(num_games)))
    games = tuple(check_int("game", game, 0, num_games - 1) for game in found)
    if not games or len({*games}) < len(games):
        raise ValueError("the games of a forfeit must be one or more, and different")
    texts = {name: plain.get(name, "") for name in ("reason", "traceback")}
    for name, text in texts.items():
        if not isinstance(text, str):
            raise ValueError(f"the {name} of a forfeit must be a text, not {shown(text)}")
    return Forfeit(plain["bot"], plain["decision"], games=games, **texts)


def _read_time(plain: Any) -> DecisionTime:
    check_entries("a timing", plain, DecisionTime._fields, ["usage"])
    check_int("decisions", plain["decisions"], 0)
    seconds = plain["seconds"]
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < 1e12:
        raise ValueError(f"seconds must be a number of at least 0, not {seconds!r}")
    return DecisionTime(plain["decisions"], seconds)
