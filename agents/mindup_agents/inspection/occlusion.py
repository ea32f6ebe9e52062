"""Occlusion: how much a policy depends on features, by what changes without them in positions.

The positions are those of a recorded game, of a deal, or of games against itself. All features of
one name are set to their mean over many positions; those of the other names stay. This is the
occlusion sensitivity of M. D. Zeiler and R. Fergus, Visualizing and Understanding Convolutional
Networks, ECCV 2014, for groups of features instead of parts of a picture. It needs no gradient. A
group whose content other groups repeat matters little alone, although it may matter with them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from mindup_agents.features import FeatureShape, feature_names
from mindup_agents.features.base import Float32Array
from mindup_agents.policy import PolicyAgent, PolicyEvaluator
from mindup_agents.policy.evaluator import softmax
from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.batch_env.state import observe_game
from mindup_env.envs.seat_inputs import SeatInputs
from mindup_env.settings.checks import check_int


class Means(NamedTuple):
    """The means of features over many positions."""

    table: Float32Array  # (table features,)
    card: Float32Array  # (card features,) over the cards of all hands

    @classmethod
    def of(cls, rows: Float32Array, shape: FeatureShape) -> Self:
        table, cards, hand = shape.split(rows)
        return cls(table.mean(axis=0), cards[hand >= 0].mean(axis=0))


class Occlusion(NamedTuple):
    """What changes in each of N positions without the features of one name."""

    name: str
    moved: npt.NDArray[np.float64]  # (N,) probability of cards that moves to other cards
    value_change: Float32Array  # (N,) the value without the features minus the value with them


def occlusions(evaluator: PolicyEvaluator, rows: Float32Array, means: Means) -> Iterator[Occlusion]:
    """The occlusion of each name of the features, in rows (N, size)."""
    network, shape = evaluator.row_evaluator, evaluator.encoder.shape
    of_table, of_card = map(np.array, feature_names(evaluator.encoder))
    probabilities, values = softmax(network.logits(rows)), network.values(rows)
    for name in dict.fromkeys((*of_table.tolist(), *of_card.tolist())):
        occluded = rows.copy()
        table, cards, hand = shape.split(occluded)  # views
        table[:] = np.where(of_table == name, means.table, table)
        cards[:] = np.where((hand >= 0)[..., None] & (of_card == name), means.card, cards)
        difference = softmax(network.logits(occluded)) - probabilities
        moved = np.abs(difference).sum(axis=1) / 2  # the total variation distance
        yield Occlusion(name, moved, network.values(occluded) - values)


# Positions


def recorded_games(record: Mapping[str, Any], turn: int) -> list[Game]:
    """The recorded game before each turn, up to the one after ``turn`` turns; 0 is the deal."""
    end = Game.replay(record)
    check_int("--turn in this record", turn, 0, len(end.plays) - end.over)
    return [Game.replay(record, turns=turns) for turns in range(turn + 1)]


def read_position(
    evaluator: PolicyEvaluator, games: Sequence[Game], seat: int, seed: int
) -> npt.NDArray[np.int8]:
    """Lets an evaluator read what a seat sees in the last of ``games``.

    It reads the games before it too, as a bot does: forecast-1, playout-1 and playout-2 remember
    what the opponents played.

    Args:
        evaluator: the evaluator, whose ``rows`` are then that of the position.
        games: one game before each turn, in order.
        seat: the seat, from 0.
        seed: the seed of the random bits.

    Returns:
        The observation of the seat, int8 (size,).
    """
    chance = np.random.default_rng(seed)
    for turn, game in enumerate(games):
        seen = {name: of_seats[[seat]] for name, of_seats in observe_game(game).items()}
        random_bits = chance.integers(0, 2**64, 1, np.uint64)
        evaluator.read(**seen, episode_start=np.array([turn == 0]), random_bits=random_bits)
    observation: npt.NDArray[np.int8] = seen["observation"][0]
    return observation


def self_play_rows(
    agent: PolicyAgent, config: GameConfig, num_games: int, seed: int
) -> Float32Array:
    """The features (N, size) of all decisions in games that an agent plays against itself."""
    env = BatchEnv(config, num_games, illegal_action="raise")
    env.reset(seed=seed)
    inputs, rows = SeatInputs(env, range(config.num_players)), []
    for _ in range(config.num_turns):
        actions = agent.act(*inputs.read())
        rows.append(agent.evaluator.rows.copy())
        env.step(actions.reshape(num_games, -1))
    return np.concatenate(rows)
