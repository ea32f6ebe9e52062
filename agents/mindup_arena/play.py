"""Playing chunks with bots that can fail."""

import faulthandler
import time
import traceback
from collections.abc import Generator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_arena.match import MatchResults, RotatedDeals
from mindup_arena.settings import ArenaSettings, Chunk
from mindup_arena.workers import parallel_map
from mindup_env.agent import ActArguments, Agent, make_agent
from mindup_env.checks import check_array, shortened
from mindup_env.envs.seated_bots import illegal_rows

_LONGEST_REASON = 500


class BotError(ValueError):
    """A bot failed; the text has its traceback."""


class DecisionTime(NamedTuple):
    """The time that a bot took for its decisions."""

    decisions: int = 0
    seconds: float = 0.0

    @property
    def speed(self) -> float | None:
        """Decisions per second; None if there are none, or if the clock did not advance."""
        return self.decisions / self.seconds if self.decisions and self.seconds else None


class Forfeits(NamedTuple):
    """How many games a bot forfeited, and where and why it failed first."""

    games: int
    first: str


class PlayedChunk(NamedTuple):
    """A chunk with its results, and what is known of bots by their index."""

    chunk: Chunk
    results: MatchResults
    times: dict[int, DecisionTime]
    forfeits: dict[int, Forfeits]


class ArenaBot:
    """A bot of the arena in one chunk."""

    def __init__(self, spec: str, settings: ArenaSettings, num_games: int) -> None:
        self.spec = spec
        self.time = DecisionTime()  # without the first call in the process, which also compiles it
        self.lost = np.zeros(num_games, np.bool_)  # (games,): it has forfeited the game
        self.first_failure = ""  # where and why it failed, if it did
        self._settings, self._made = settings, _made(settings)
        self._decision = 0

    def act(self, *given: Any) -> npt.NDArray[np.integer]:
        """The actions of its seats: its lowest cards in games that it has forfeited."""
        arguments = ActArguments(*given)
        masks, self._decision = arguments.action_mask, self._decision + 1
        # It has equally many seats in each game, and those of a game follow each other.
        games = np.arange(len(masks)) // (len(masks) // len(self.lost))
        chosen: npt.NDArray[np.integer] = np.zeros(len(masks), np.int64)
        if not self.lost.all():
            try:
                chosen = self._choose(arguments)
            except (Exception, SystemExit) as error:  # noqa: BLE001  # any bot of a user
                self._fail(error)
                self.lost[:] = True
            else:
                wrong = illegal_rows(chosen, masks)
                wrong = wrong[~self.lost[games[wrong]]]
                if len(wrong):
                    hand = np.flatnonzero(masks[wrong[0]]).tolist()
                    text = f"action {chosen[wrong[0]]} is illegal; legal: {hand}"
                    self._fail(ValueError(text))
                    self.lost[games[wrong]] = True
        return np.where(self.lost[games], masks.argmax(axis=1), chosen)

    def _choose(self, arguments: ActArguments) -> npt.NDArray[np.integer]:
        """Its choices (B,)."""
        is_first = self.spec not in self._made
        if is_first:
            self._made[self.spec] = make_agent(self.spec, self._settings.config)
        elif self._settings.time_limit:
            faulthandler.dump_traceback_later(self._settings.time_limit, exit=True)
        start = time.perf_counter()
        try:
            chosen = self._made[self.spec].act(*arguments)
        finally:
            faulthandler.cancel_dump_traceback_later()
        if not is_first:
            decisions, seconds = self.time
            seconds += time.perf_counter() - start
            self.time = DecisionTime(decisions + len(arguments.action_mask), seconds)
        return check_array("the result of act() of a bot", chosen, (len(arguments.action_mask),))

    def _fail(self, error: BaseException) -> None:
        """Notes where and why it failed first; unless bots may forfeit, this ends the arena."""
        frames = [*traceback.extract_tb(error.__traceback__)]
        while frames and frames[0].filename == __file__:
            del frames[0]
        code = getattr(getattr(self._made.get(self.spec), "act", None), "__code__", None)
        own = [each for each in frames if code and each.filename == code.co_filename]
        where = "".join(f"{each.filename}:{each.lineno}: " for each in (own or frames)[-1:])
        if code and not own:  # it returned what it must not
            where, frames = f"{code.co_filename}:{code.co_firstlineno}: ", []
        text = str(traceback.TracebackException(type(error), error, None))
        reason = f"{type(error).__name__}: {text}"
        found = f"decision {self._decision}, {where}{shortened(reason, _LONGEST_REASON)}"
        if not self._settings.forfeit:
            lines = f"\n{''.join(traceback.format_list(frames))}{reason}" if frames else ""
            raise BotError(
                f"bot {self.spec!r} failed in {found}; to play on without it: --forfeit{lines}"
            ) from None
        self.first_failure = self.first_failure or found


def play_chunk(settings: ArenaSettings, chunk: Chunk) -> PlayedChunk:
    """Plays a chunk with the bots of this process."""
    match, config = settings.matches[chunk.match], settings.config
    games = RotatedDeals(config, settings.seed, chunk.deals, agent_seed=settings.agent_seed)
    num_games = len(chunk.deals) * len(match)
    bots = {number: ArenaBot(settings.names[number], settings, num_games) for number in match}
    results = games.play([bots[number] for number in match]).by_deal(len(match))
    failed = {number: bot for number, bot in bots.items() if bot.first_failure}
    for bot in failed.values():  # it can be in any state, which must not reach other games
        _made(settings).pop(bot.spec, None)
    return PlayedChunk(
        chunk,
        results,
        {number: bot.time for number, bot in bots.items() if bot.time.decisions},
        {number: Forfeits(int(b.lost.sum()), b.first_failure) for number, b in failed.items()},
    )


@lru_cache(maxsize=1)
def _made(_: ArenaSettings) -> dict[str, Agent]:
    """The bots that this process has made: it plays many chunks, and what they loaded stays."""
    return {}


def play_chunks(
    chunks: Sequence[Chunk], settings: ArenaSettings, workers: int, address: str | None
) -> Generator[PlayedChunk]:
    """Plays the chunks in processes or on a Ray cluster; yields each when it is played."""
    tasks = [(settings, chunk) for chunk in chunks]
    try:
        yield from parallel_map(play_chunk, tasks, workers, address)
    except BotError as error:
        raise error.with_traceback(None) from None  # without that of the executor
    except ChildProcessError:
        limit = f", a call took over {settings.time_limit:g} s" if settings.time_limit else ""
        raise ChildProcessError(
            f"a process died while it played: a bot ended it{limit}, or the system did for lack of "
            "memory"
        ) from None
