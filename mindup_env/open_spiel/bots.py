"""A bot as an OpenSpiel policy, so that OpenSpiel's algorithms can play against and measure it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from open_spiel.python import policy

from mindup_env.agent import Agent, as_agent
from mindup_env.batch_env.buffers import Arrays
from mindup_env.batch_env.state import observe_game
from mindup_env.checks import check_int
from mindup_env.config import GameConfig
from mindup_env.open_spiel.history import HistoryState


class BotPolicy(policy.Policy):
    """The action probabilities of a bot, given everything that its seat has seen.

    Args:
        game: a game of ``load_game`` or ``load_tree``. ``to_tabular()`` writes the policy out for
            a small one.
        bot: the name of a bot, or a bot.
        samples: how many random bits to try at each decision; 1 is exact for a deterministic bot,
            and for one that says its probabilities, as ``random`` and policies do.
        seed: random seed of these bits.
    """

    def __init__(self, game: Any, bot: str | Agent, *, samples: int = 1, seed: int = 0) -> None:
        super().__init__(game, list(range(game.num_players())))
        config = _history(game.new_initial_state()).chance.config
        self._agent = as_agent(bot, config)
        self._random_bits = random_bits_of(config, samples, seed)

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        player = state.current_player() if player_id is None else player_id
        games = _history(state).games
        seen = [
            {name: each[[player]] for name, each in observe_game(game).items()} for game in games
        ]
        (odds,) = play_probabilities(self._agent, seen, self._random_bits)
        return {card - 1: float(odds[card - 1]) for card in games[-1].hand(player)}


def random_bits_of(config: GameConfig, samples: int, seed: int) -> npt.NDArray[np.uint64]:
    """The bits (turns, samples) of a bot, the same ones for every seat and history.

    A policy must answer a state always alike.
    """
    shape = config.num_turns, check_int("samples", samples, 1)
    return np.random.default_rng(seed).integers(2**64, size=shape, dtype=np.uint64)


def play_probabilities(
    agent: Agent, seen: Sequence[Arrays], random_bits: npt.NDArray[np.uint64]
) -> npt.NDArray[np.float64]:
    """The probability that a bot plays each card now (B, num_cards).

    A bot with a method ``play_probabilities``, which takes what ``act`` takes, says it itself.

    Args:
        agent: the bot.
        seen: the observation and action_mask of B seats, in each turn until now.
        random_bits: for each turn, bits to try (turns, samples); the same ones for all seats.
    """
    rows, samples = len(seen[0]["action_mask"]), random_bits.shape[1]
    exact = getattr(agent, "play_probabilities", None)
    for turn, each in enumerate(seen):
        arguments = (
            np.repeat(each["observation"], samples, 0),
            np.repeat(each["action_mask"], samples, 0),
            np.full(rows * samples, turn == 0),
            np.tile(random_bits[turn], rows),
        )
        if exact is None or turn < len(seen) - 1:
            chosen = agent.act(*arguments)
    mask = seen[-1]["action_mask"]
    odds: npt.NDArray[np.float64] = np.zeros(mask.shape)
    if exact is not None:
        odds[:] = exact(*arguments)[::samples]
    else:
        np.add.at(odds, (np.repeat(np.arange(rows), samples), chosen), 1 / samples)
    if (wrong := (odds > 0) & (mask == 0)).any():
        row = wrong.any(1).argmax()
        raise ValueError(
            f"the bot chose actions {wrong[row].nonzero()[0].tolist()}; legal are "
            f"{mask[row].nonzero()[0].tolist()}"
        )
    return odds


def _history(state: Any) -> HistoryState:
    """The history of a state, or of the simultaneous state that a turn-based one wraps."""
    simultaneous = getattr(state, "simultaneous_game_state", lambda: state)()
    history = getattr(simultaneous, "history_state", None)
    if not isinstance(history, HistoryState):
        raise ValueError(
            "the game must come from load_game or load_tree, not from "
            f"{state.get_game().get_type().short_name}"
        )
    return history
