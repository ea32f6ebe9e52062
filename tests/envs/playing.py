"""Games beside a batch, played alike, and what a batch should say about them."""

from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_env import BatchEnv, Game, GameConfig

SHORT_TABLE: dict[str, Any] = {
    "num_players": 3,
    "num_objectives": 2,
    "num_rounds": 2,
    "hand_size": 3,
}
SHORT = GameConfig(**SHORT_TABLE)
"""Five turns, so that episodes end soon."""

Int64Array = npt.NDArray[np.int64]
Seen = dict[str, npt.NDArray[Any]]


def deals(config: GameConfig, seed: int, num_games: int, episode: int = 0) -> list[Game]:
    return [Game(config, seed, slot=slot, episode=episode) for slot in range(num_games)]


def random_legal(seen: Seen, chance: np.random.Generator) -> Int64Array:
    """An action of every hand; any at all where the game is over."""
    mask = seen["action_mask"]
    actions: Int64Array = (chance.uniform(1, 2, mask.shape) * mask).argmax(axis=-1)
    return actions


def lowest_legal(seen: Seen) -> Int64Array:
    actions: Int64Array = seen["action_mask"].argmax(axis=-1)
    return actions


def play_all(games: list[Game], actions: Int64Array) -> None:
    for game, chosen in zip(games, actions.tolist(), strict=True):
        game.play([action + 1 for action in chosen])


def games_of(env: BatchEnv) -> list[Game]:
    return [env.game(index) for index in range(env.num_envs)]


def points(game: Game) -> Int64Array:
    """All points so far of every player, those of the round in play included."""
    running = [0] * game.config.num_players if game.over else game.running_scores
    return np.array([sum(both) for both in zip(game.scores, running, strict=True)])


def ranks(game: Game) -> list[int]:
    """How many players did better, by the sum of all rounds and then by the last round."""
    standings = list(
        zip(game.scores, (score.total for score in game.round_scores[-1]), strict=True)
    )
    return [sum(other > own for other in standings) for own in standings]


def win_share(game: Game) -> list[float]:
    return [
        1 / len(game.winners) if player in game.winners else 0
        for player in range(game.config.num_players)
    ]


def everything(result: Any) -> list[bytes]:
    """All arrays of what an environment returned as bytes, to compare or to keep."""
    if isinstance(result, dict):
        result = tuple(result[name] for name in sorted(result))
    if isinstance(result, tuple):
        return [array for part in result for array in everything(part)]
    return [result.tobytes()]


def assert_even(values: npt.NDArray[np.integer], among: Any) -> None:
    """Chi-square: less than four standard deviations off; the seeds are fixed."""
    counts = np.array([(values == value).sum() for value in among])
    assert counts.sum() == len(values)
    expected, freedom = len(values) / len(counts), len(counts) - 1
    assert ((counts - expected) ** 2 / expected).sum() < freedom + 4 * np.sqrt(2 * freedom)


def started(
    num_envs: int, turns: int, config: GameConfig = SHORT, *, autoreset: bool = True
) -> BatchEnv:
    env = BatchEnv(config, num_envs, autoreset=autoreset)
    env.reset(seed=2)
    advance(env, turns, seed=1)
    return env


def advance(env: BatchEnv, turns: int, seed: int) -> list[dict[str, Any]]:
    """What so many steps of chance play told."""
    chance, told = np.random.default_rng(seed), []
    for _ in range(turns):
        seen, rewards, over, _, info = env.step(random_legal(env.seen, chance))
        kept = {**seen, "rewards": rewards, "over": over, "gained": info["points_gained"]}
        told.append({name: array.copy() for name, array in kept.items()})
    return told


def spoil(answer: Any) -> None:
    """Overwrites all that can be reached in an answer."""
    if isinstance(answer, np.ndarray):
        answer[...] = None if answer.dtype == object else -1
    elif isinstance(answer, dict):
        for part in answer.values():
            spoil(part)
        answer.clear()
    elif isinstance(answer, tuple):
        for part in answer:
            spoil(part)
