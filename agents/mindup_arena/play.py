"""Playing chunks with bots that can fail."""

import faulthandler
import traceback
from collections.abc import Generator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_arena.match import MatchResults, RotatedDeals
from mindup_arena.settings import LONGEST_REASON, ArenaSettings, Chunk
from mindup_arena.workers import parallel_map
from mindup_env.agent import ActArguments, Agent, make_agent
from mindup_env.checks import InputError, check_array, illegal_card, shortened, shown
from mindup_env.envs.seated_bots import illegal_rows


class BotError(InputError):
    """A bot failed; the text has its traceback."""


class Forfeits(NamedTuple):
    """How many games a bot forfeited, and where and why it failed first."""

    games: int
    first: str


class PlayedChunk(NamedTuple):
    """A chunk with its results, and the games that bots forfeited, by their index."""

    chunk: Chunk
    results: MatchResults
    forfeits: dict[int, Forfeits]


class ArenaBot:
    """A bot of the arena in one chunk."""

    def __init__(self, spec: str, settings: ArenaSettings, num_games: int) -> None:
        self.spec = spec
        self.lost = np.zeros(num_games, np.bool_)  # (games,) that it has forfeited
        self.first_failure = ""  # where and why
        self._settings = settings
        self._made = _made(settings)
        self._decision = 0

    def act(self, *given: Any) -> npt.NDArray[np.integer]:
        """The actions of its seats: its lowest cards in games that it has forfeited."""
        masks = ActArguments(*given).action_mask.copy()  # which a bot cannot change
        self._decision += 1
        # It has equally many seats in each game, and those of a game follow each other.
        games = np.arange(len(masks)) // (len(masks) // len(self.lost))
        lowest = masks.argmax(axis=1)
        if self.lost.all():
            return lowest
        try:
            chosen = check_array("the result of act() of a bot", self._choose(given), (len(masks),))
        except (Exception, SystemExit) as error:  # noqa: BLE001  # any bot of a user
            self._fail(error)
            self.lost[:] = True
            return lowest
        wrong = illegal_rows(chosen, masks)
        wrong = wrong[~self.lost[games[wrong]]]
        if len(wrong):
            first = wrong[0]
            hand = np.flatnonzero(masks[first]) + 1
            self._fail(illegal_card("it", int(chosen[first]) + 1, hand))
            self.lost[games[wrong]] = True
        return np.where(self.lost[games], lowest, chosen.astype(np.int64))

    def _choose(self, given: tuple[Any, ...]) -> npt.NDArray[np.integer]:
        """Its actions, which can be illegal."""
        if self.spec not in self._made:
            self._made[self.spec] = make_agent(self.spec, self._settings.config)
        elif self._settings.time_limit:
            faulthandler.dump_traceback_later(self._settings.time_limit, exit=True)
        try:
            return self._made[self.spec].act(*given)
        finally:
            faulthandler.cancel_dump_traceback_later()

    def _fail(self, error: BaseException) -> None:
        """Notes where and why it failed first; unless bots may forfeit, this ends the arena."""
        found = traceback.extract_tb(error.__traceback__)
        frames = [frame for frame in found if frame.filename != __file__]
        places = [(frame.filename, frame.lineno) for frame in frames]
        act = getattr(self._made.get(self.spec), "act", None)
        code = getattr(act, "__code__", None)
        if code is not None:
            places = [each for each in places if each[0] == code.co_filename]
            if not places:  # it returned what it must not
                places = [(code.co_filename, code.co_firstlineno)]
                frames = []
        where = "".join(f"{file}:{line}: " for file, line in places[-1:])
        text = str(traceback.TracebackException(type(error), error, None))
        reason = f"{type(error).__name__}: {text}"
        failure = f"decision {self._decision}, {where}{shortened(reason, LONGEST_REASON)}"
        if not self._settings.forfeit:
            said = f"bot {shown(self.spec)} failed in {failure}; to play on without it: --forfeit"
            if frames:
                said += f"\n{''.join(traceback.format_list(frames))}{reason}"
            raise BotError(said) from None
        self.first_failure = self.first_failure or failure


def play_chunk(settings: ArenaSettings, chunk: Chunk) -> PlayedChunk:
    """Plays a chunk with the bots of this process."""
    match = settings.matches[chunk.match]
    num_games = len(chunk.deals) * len(match)
    games = RotatedDeals(settings.config, settings.seed, chunk.deals, settings.agent_seed)
    bots = {number: ArenaBot(settings.names[number], settings, num_games) for number in match}
    results = games.play([bots[number] for number in match])
    forfeits = {}
    for number, bot in bots.items():
        if bot.first_failure:
            forfeits[number] = Forfeits(int(bot.lost.sum()), bot.first_failure)
            # It can be in any state, which must not reach other games.
            _made(settings).pop(bot.spec, None)
    return PlayedChunk(chunk, results, forfeits)


@lru_cache(maxsize=1)
def _made(_: ArenaSettings) -> dict[str, Agent]:
    """The bots of this process, which plays many chunks: what they loaded stays."""
    return {}


def play_chunks(
    chunks: Sequence[Chunk], settings: ArenaSettings, workers: int, address: str | None
) -> Generator[PlayedChunk]:
    tasks = [(settings, chunk) for chunk in chunks]
    try:
        yield from parallel_map(play_chunk, tasks, workers, address)
    except BotError as error:
        raise error.with_traceback(None) from None  # without that of the executor
    except ChildProcessError:
        limit = f", a call took over {settings.time_limit:g} s" if settings.time_limit else ""
        causes = f"a bot ended it{limit}, or the system did for lack of memory"
        raise ChildProcessError(f"a process died while it played: {causes}") from None
