"""The games that a champion's networks are fitted to: bots play, and files keep decisions.

In every game one bot sits alone among copies of another. A file depends on nothing but its
number and what is played: any number of processes write the same files.
"""

from collections.abc import Sequence
from functools import cache, partial
from itertools import starmap
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from mindup_agents.card_evaluation import CardEvaluator
from mindup_agents.champion.feature_shape import Float32Array
from mindup_agents.champion.position import position_shape, read_positions
from mindup_arena.workers import parallel_map
from mindup_env import BatchEnv, GameConfig, make_agent
from mindup_env.agent import ActArguments, Agent
from mindup_env.engine.state import Int64Array
from mindup_env.envs.seated_bots import arguments_of
from mindup_env.files import atomic_write

GAMES_PER_FILE = 32  # the champion plays them in about a minute
_bot = cache(make_agent)  # one of each for this process


class Games(NamedTuple):
    """Games to play, all of one config; who plays is drawn for each of them.

    The decisions of the bots ``alone`` are kept, of all their seats.
    """

    folder: Path
    config: GameConfig
    number: int
    seed: tuple[int, ...]
    alone: tuple[str, ...]  # one of these bots sits alone
    among: tuple[str, ...]  # copies of one of these sit at the other seats
    random_cards: float = 0.0  # the probability that a seat plays a random card instead

    @property
    def bots(self) -> list[str]:
        """All bots, each once."""
        return [*dict.fromkeys((*self.alone, *self.among))]

    @property
    def files(self) -> list[Path]:
        """The files of all games."""
        count = -(-self.number // GAMES_PER_FILE)
        return [self.folder / f"{number:05d}.npz" for number in range(count)]


class Decisions(NamedTuple):
    """B decisions of bots. Returns and values are relative to an equal share."""

    rows: Float32Array  # (B, size) the features of the champion's networks
    slots: Int64Array  # (B,) the slot of the hand with the chosen card
    returns: Float32Array  # (B,) the win share of the game
    best_values: Float32Array  # (B,) the highest value that the bot gave to a card
    bots: Int64Array  # (B,) the number of the bot in ``Games.bots``
    games: Int64Array  # (B,) the number of the game


def play(games: Sequence[Games], workers: int) -> None:
    """Plays the games whose files are missing."""
    for each in games:
        each.folder.mkdir(parents=True, exist_ok=True)
    files = [(each, number) for each in games for number in range(len(each.files))]
    missing = [(each, number) for each, number in files if not each.files[number].exists()]
    play_all = starmap if workers == 1 else partial(parallel_map, workers=workers)
    done = play_all(_play_file, missing)
    # None shows the bar on a terminal only.
    for _ in tqdm(done, desc="files", total=len(missing), disable=None):
        pass


def load(games: Sequence[Games], bot: str | None = None) -> Decisions:
    """The decisions of all files, or those of one bot."""
    parts = []
    for each in games:
        for path in each.files:
            with np.load(path, allow_pickle=False) as file:
                found = Decisions(**file)
            if bot is not None:
                is_of_bot = found.bots == each.bots.index(bot)
                found = Decisions(*(array[is_of_bot] for array in found))
            parts.append(found)
    return _join(parts)


def load_expected(own: Sequence[Games], against: Sequence[Games]) -> Decisions:
    """Decisions whose returns are what the bots expected, which varies less than results.

    The best values are too high: each is the highest of several means, and opponents may play
    better than their models. Win shares add up to 1, so the values of all seats of a turn are
    centred in games of copies. In games against other bots, the mean error is subtracted.
    """
    ours, theirs = load(own), load(against)
    # The seats of a turn of a game follow each other.
    values = ours.best_values.reshape(-1, own[0].config.num_players)
    centred = values - values.mean(axis=1, keepdims=True)
    error = (theirs.best_values - theirs.returns).mean()
    print(f"  values are too high by {values.mean():.3f}, against bots {error:.3f}", flush=True)
    ours = ours._replace(returns=centred.ravel())
    return _join([ours, theirs._replace(returns=theirs.best_values - error)])


def _play_file(games: Games, number: int) -> None:
    config = games.config
    first = number * GAMES_PER_FILE
    rng = np.random.default_rng((*games.seed, number))
    seats = _draw_seats(games, min(GAMES_PER_FILE, games.number - first), rng)
    env = BatchEnv(config, len(seats), reward="win", autoreset=False, illegal_action="raise")
    # Drawn from so many seeds, the deals are those of no arena and no training.
    env.reset(seed=rng.integers(2**63, size=len(seats)).tolist())
    actions = np.zeros(seats.shape, np.int64)
    kept: list[tuple[Int64Array, Decisions]] = []
    for _ in range(config.num_turns):
        for bot, spec in enumerate(games.bots):
            rows = np.flatnonzero(seats == bot)
            if len(rows) == 0:
                continue
            agent = _bot(spec, config)
            given = arguments_of(env.seen, env.keys, env.turns, rows)
            chosen = agent.act(*given)
            actions.reshape(-1)[rows] = chosen
            if spec in games.alone:
                numbers = first + rows // config.num_players
                kept.append((rows, _decisions(agent, config, given, chosen, bot, numbers)))
        if games.random_cards:
            masks = env.seen["action_mask"]
            is_random = rng.random(actions.shape) < games.random_cards
            drawn = (rng.random(masks.shape) * masks).argmax(axis=2)
            actions[is_random] = drawn[is_random]
        *_, info = env.step(actions)
    returns = info["win_share"].ravel() - 1 / config.num_players
    for rows, part in kept:
        part.returns[:] = returns[rows]
    joined = _join([part for _, part in kept])
    with atomic_write(games.files[number]) as file:
        np.savez_compressed(file, allow_pickle=False, **joined._asdict())


def _join(parts: Sequence[Decisions]) -> Decisions:
    return Decisions(*map(np.concatenate, zip(*parts, strict=True)))


def _draw_seats(games: Games, number: int, rng: np.random.Generator) -> Int64Array:
    """The bot at each seat (games, players), by its number."""
    numbers = {spec: number for number, spec in enumerate(games.bots)}
    alone = rng.choice([numbers[spec] for spec in games.alone], number)
    among = rng.choice([numbers[spec] for spec in games.among], number)
    players = games.config.num_players
    seats = np.repeat(among[:, None], players, axis=1)
    seats[np.arange(number), rng.integers(players, size=number)] = alone
    return seats


def _decisions(
    agent: Agent,
    config: GameConfig,
    given: ActArguments,
    chosen: npt.NDArray[np.integer],
    bot: int,
    games: Int64Array,
) -> Decisions:
    """What a bot decided in a turn; returns are not known yet."""
    rows = read_positions(config, given.observation)
    hands = rows[:, position_shape(config).hand_begins :]
    best = np.zeros(len(chosen), np.float32)
    if isinstance(agent, CardEvaluator):
        _, values = agent.evaluate_cards()
        best[:] = np.where(given.action_mask > 0, values, -np.inf).max(axis=1)
        best -= 1 / config.num_players
    return Decisions(
        rows,
        slots=(hands == chosen[:, None]).argmax(axis=1),
        returns=np.zeros(len(chosen), np.float32),
        best_values=best,
        bots=np.full(len(chosen), bot),
        games=games,
    )
