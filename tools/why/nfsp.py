"""NFSP of OpenSpiel on the arrays of a small game: steps of its Python states are too slow."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from open_spiel.python.pytorch.nfsp import NFSP
from open_spiel.python.rl_environment import SIMULTANEOUS_PLAYER_ID, StepType, TimeStep

from mindup_env.observation import layout_of
from mindup_env.open_spiel.exact import ExactGame, Strategy

HYPERPARAMETERS: dict[str, Any] = {
    "hidden_layers_sizes": [128],
    "reservoir_buffer_capacity": 200_000,
    "replay_buffer_capacity": 50_000,
    "anticipatory_param": 0.1,
    "batch_size": 128,
    "min_buffer_size_to_learn": 128,
    "learn_every": 16,
    "rl_learning_rate": 1e-3,
    "sl_learning_rate": 1e-3,
    "optimizer_str": "adam",
    "epsilon_start": 0.2,
    "epsilon_end": 0.01,
}


def average_strategies(game: ExactGame, episodes: list[int], seed: int) -> Iterator[Strategy]:
    """The average strategies of all seats after so many episodes."""
    players = range(game.config.num_players)
    scales = layout_of(game.config).scales
    rows = [turn.seen["observation"] * scales for turn in game.turns]
    duration = episodes[-1] * len(game.turns)
    size, cards = len(scales), game.config.num_cards
    agents = [
        NFSP(
            seat, size, cards, seed=seed + seat, epsilon_decay_duration=duration, **HYPERPARAMETERS
        )
        for seat in players
    ]
    rng = np.random.default_rng(seed)
    for episode in range(episodes[-1] + 1):
        if episode in episodes:
            yield [_average(agents, *each) for each in zip(game.turns, rows, strict=True)]
        _play(game, agents, rows, rng)


def _play(game: ExactGame, agents: list[Any], rows: list[Any], rng: np.random.Generator) -> None:
    players, step = len(agents), StepType.FIRST
    node, rewards = int(rng.integers(game.num_deals)), [0.0] * players
    for turn, seen in zip(game.turns, rows, strict=True):
        states = turn.states[node]
        hands = turn.actions[states]
        now = _time_step(seen[states], hands.tolist(), rewards, step)
        chosen = [agent.step(now).action for agent in agents]
        slots = (hands == np.array(chosen)[:, None]).argmax(axis=1)
        shape = (hands.shape[1],) * players
        node = node * int(np.prod(shape)) + int(np.ravel_multi_index(tuple(slots), shape))
        step = StepType.MID
    last = _time_step(seen[states], [[]] * players, game.returns[node].tolist(), StepType.LAST)
    for agent in agents:
        agent.step(last)


def _time_step(seen: Any, legal: list[list[int]], rewards: list[float], step: StepType) -> TimeStep:
    observations = {
        "info_state": seen,
        "legal_actions": legal,
        "current_player": SIMULTANEOUS_PLAYER_ID,
    }
    return TimeStep(observations, rewards, [1.0] * len(rewards), step)


@torch.no_grad()
def _average(agents: list[Any], turn: Any, rows: Any) -> Any:
    odds = np.zeros(turn.actions.shape)
    for seat, agent in enumerate(agents):
        own = turn.seats == seat
        logits = agent._avg_network(torch.as_tensor(rows[own], dtype=torch.float32))
        odds[own] = logits.gather(1, torch.as_tensor(turn.actions[own])).softmax(1).numpy()
    return odds
