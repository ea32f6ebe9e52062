"""What each card of the hand may bring, tried in sampled games that are played to the round's end.

Beside all that "forecast-1" tells: the hidden cards are dealt in some ways, the others play as
models of them would, and every card of the hand is tried against the same worlds. A few worlds
tell little alone, which is why ``search`` takes many; a network that also reads what is foreseen
learns how far to trust them.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_agents.features.base import Shape
from mindup_agents.features.forecast import WORLDS, ForecastArrays, ForecastFeatures
from mindup_agents.features.prize_components import POINTS
from mindup_agents.heuristics.determinization import imagine, put_in_place
from mindup_agents.heuristics.observed_games import Known, make_known
from mindup_agents.heuristics.opponent_model import Forecast
from mindup_agents.heuristics.playout import (
    Trial,
    choose_for_all,
    copy_deal,
    copy_row,
    copy_table,
    make_trial,
    play_out,
    sit_down,
    world_bits,
)
from mindup_agents.heuristics.win_probability import chance_to_win, outlook
from mindup_agents.heuristics.workspace import Floats, Workspace
from mindup_env.config import GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.compiler import called, compiled, kernel
from mindup_env.engine.state import Games, Int8Array, Rules, make_games

TRIALS = 16
SLIP = 0.05
"""How often a rival plays any card instead of what its model would."""

# What is said of each card of the hand.
CHANCE, BEHIND, LEAD_BEHIND, BEST = range(4)
NUM_SAID = 4
CHANCES = 0.1
"""What differences in the chance to win are divided by, to be of the size of 1."""


class PlayoutFeatures:
    """The features forecast-1, and the results of each card in 16 sampled games."""

    name = "playout-1"

    def __init__(self, config: GameConfig) -> None:
        self._forecast = ForecastFeatures(config)
        table, card, slots = self._forecast.shape
        self.shape = Shape(table, card + NUM_SAID, slots)
        self._game = tuple(make_games(config, 1))
        self._known = tuple(make_known(config, 1))
        self._trial = tuple(make_trial(config, SLIP, rounds=1))
        self._make_buffers(0)

    def _make_buffers(self, rows: int) -> None:
        shape = self._forecast.shape
        self._forecast_rows = np.zeros((rows, shape.size), np.float32)
        self._said = np.zeros((rows, shape.slots, NUM_SAID))

    def fill(
        self,
        observation: Int8Array,
        action_mask: Int8Array,
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
        out: npt.NDArray[np.float32],
    ) -> None:
        if len(observation) != len(self._said):
            self._make_buffers(len(observation))
        forecast_features, rows, old = self._forecast, self._forecast_rows, self._forecast.shape
        forecast_features.fill(observation, action_mask, episode_start, random_bits, rows)
        try_hands(
            forecast_features.arrays,
            (self._game, self._known, self._trial),
            random_bits,
            self._said,
        )
        new = self.shape
        out[:, : new.table] = rows[:, : old.table]
        slots = len(out), new.slots, -1
        cards = out[:, new.cards_begin : new.hand_begins].reshape(slots)
        cards[..., : old.card] = rows[:, old.cards_begin : old.hand_begins].reshape(slots)
        cards[..., old.card :] = self._said
        out[:, new.cards_begin : new.hand_begins] = cards.reshape(len(out), -1)
        out[:, new.hand_begins :] = rows[:, old.hand_begins :]


@kernel
def try_hands(
    arrays: ForecastArrays,
    copies: tuple[tuple[Any, ...], ...],
    random_bits: npt.NDArray[np.uint64],
    said: Floats,
) -> None:
    """Fills ``said`` (B, slots, NUM_SAID).

    ``copies`` are a game to play on, what is known there, and how it is played.
    """
    rules, games, known = Rules(*arrays[0]), Games(*arrays[1]), Known(*arrays[2])
    workspace, forecast = Workspace(*arrays[3]), Forecast(*arrays[4])
    game, known_there, trial = Games(*copies[0]), Known(*copies[1]), Trial(*copies[2])
    for row in range(len(random_bits)):
        said[row] = 0
        hand = games.hands[row, 0]
        if bitset.size(hand) < 2:  # nothing to choose
            continue
        copy_deal(games, row, game)
        for trial_number in range(TRIALS):
            # Not the worlds that the forecast was made in: it would be right in those.
            imagine(
                rules, games, known, row, random_bits[row], WORLDS + trial_number, forecast.order
            )
            put_in_place(rules, games, known, row, forecast.order, game)
            row_bits = world_bits(random_bits[row], trial_number)
            sit_down(rules, trial, forecast.belief[row], row_bits)
            copy_table(games, row, game)
            choose_for_all(rules, game, known_there, trial, workspace, row_bits)
            copy_row(trial.cards[0], trial.base)
            for slot in range(bitset.size(hand)):
                copy_table(games, row, game)
                copy_row(trial.base, trial.cards[0])
                trial.cards[0, 0] = bitset.nth_lowest(hand, slot)
                play_out(rules, game, known_there, trial, workspace, row_bits)
                said[row, slot, CHANCE] += chance_to_win(rules, game, 0) / TRIALS
                said[row, slot, LEAD_BEHIND] += lead(rules, game) / POINTS / TRIALS
        compare(said[row, : bitset.size(hand)])


@called
def lead(rules: Rules, game: Games) -> float:
    """By how much the first player is ahead of the others' mean."""
    others = 0.0
    for rival in range(1, rules.num_players):
        others += outlook(rules, game, rival)
    return outlook(rules, game, 0) - others / (rules.num_players - 1)


@compiled
def compare(said: Floats) -> None:
    """Says of each card how far it is behind the best."""
    best_chance = best_lead = -np.inf
    for slot in range(len(said)):
        best_chance = max(best_chance, said[slot, CHANCE])
        best_lead = max(best_lead, said[slot, LEAD_BEHIND])
    for slot in range(len(said)):
        said[slot, BEHIND] = (said[slot, CHANCE] - best_chance) / CHANCES
        said[slot, LEAD_BEHIND] -= best_lead
        said[slot, BEST] = said[slot, CHANCE] == best_chance
