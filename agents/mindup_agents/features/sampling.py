"""The features forecast-1, playout-1 and playout-2, from sampled hands of the opponents.

Forecast-1: the cards of the opponents are predicted as the bot ``predictor`` predicts them. The
expected value of a card is given by its components, since a network weights them better than a
fixed formula. The features of the table are what matters beyond single cards: scores, columns,
prizes, and the values of the prizes to the opponents.

Playout-1 adds the results of each card in playouts. The hidden cards are sampled 16 times and
models play the opponents, to the end of the round. Every card of the hand is played in the same
sampled games. Few samples are a noisy estimate, which is why ``search`` takes many; a network that
also reads forecast-1 learns how far to trust them.

In forecast-1 and playout-1, the predictions before a turn judge the models after it. A card that
was hidden is in few of their sampled hands, and so a wrong model often seems to be the right one.
Playout-2 predicts the cards again after the turn, in hands that hold the cards that were played.
With better models, 11 playouts say more than 16 did.
"""

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from mindup_agents.features.base import DeclaredFeatures, Float32Array, RowWriter, features_of
from mindup_agents.features.position import write_seat
from mindup_agents.features.seat import card_features, table_features
from mindup_agents.features.workspace import POINT_SCALE, feature_workspace, make_feature_arrays
from mindup_agents.heuristics.determinization import sample_determinization, write_deck
from mindup_agents.heuristics.formulas import NUM_MODELS
from mindup_agents.heuristics.last_turn import judge_formulas, keep_games, make_games_before
from mindup_agents.heuristics.observed_games import known_games, make_known_cards
from mindup_agents.heuristics.opponent_model import (
    PRIOR,
    OpponentBeliefs,
    make_opponent_beliefs,
    predict_cards,
    update_beliefs,
    update_predicted_probabilities,
)
from mindup_agents.heuristics.playout import (
    PlayoutState,
    choose_first_cards,
    copy_deal,
    copy_position,
    make_playout_state,
    make_sample_bits,
    play_instead,
    run_playout,
    sample_opponent_models,
)
from mindup_agents.heuristics.win_probability import estimated_score, win_probability
from mindup_agents.heuristics.workspace import Float64Array
from mindup_env.agent import ActArguments
from mindup_env.config import GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.compiler import called, compiled, kernel
from mindup_env.engine.state import Games, Rules, make_games

ForecastArrays = tuple[tuple[Any, ...], ...]
"""The fields of Rules, Games, KnownCards, FeatureWorkspace and OpponentBeliefs."""

FORECAST_SAMPLES = 16
"""Sampled hands per turn from which the opponents' cards are predicted."""


class ForecastFeatures(RowWriter):
    """Expected values of each card, from a forecast of the opponents' cards.

    They come with a summary of scores, columns and prizes instead of the whole observation.
    """

    name = "forecast-1"

    @staticmethod
    def declare(config: GameConfig) -> DeclaredFeatures:
        return DeclaredFeatures(table_features(config, NUM_MODELS), card_features())

    def allocate(self, rows: int) -> None:
        super().allocate(rows)
        self._beliefs = make_opponent_beliefs(self._config, rows, FORECAST_SAMPLES, PRIOR)
        self._workspace = make_feature_arrays(self._config, self._beliefs.model_probabilities)

    def write(self, given: ActArguments, out: Float32Array) -> None:
        self._beliefs.model_probabilities[given.episode_start] = 0
        fill_forecast(self.arrays, given.random_bits, out)

    @property
    def arrays(self) -> ForecastArrays:
        """The games and beliefs of the rows that were read last."""
        return (*self._observed.arrays, self._workspace, tuple(self._beliefs))


@kernel
def fill_forecast(
    arrays: ForecastArrays,
    random_bits: npt.NDArray[np.uint64],
    out: Float32Array,
) -> None:
    """Fills ``out`` (B, size)."""
    known, beliefs = known_games(*arrays[:3]), OpponentBeliefs(*arrays[4])
    workspace = feature_workspace(arrays[3])
    formulas = workspace.formulas
    for g in range(len(out)):
        update_beliefs(known.games, g, beliefs)
        predict_cards(known, g, known, random_bits[g], formulas, beliefs)
        update_predicted_probabilities(known.rules, known.games, g, formulas, beliefs)
        write_seat(known, g, 0, workspace, out[g])


# Playouts

# The results of each card of the hand; a gap is the difference to the best card.
WIN_PROBABILITY, WIN_PROBABILITY_GAP, LEAD_GAP, IS_BEST = range(4)
RESULT_NAMES = (
    "card in playouts: win probability",
    "card in playouts: win probability gap",
    "card in playouts: lead gap",
    "card in playouts: best",
)
NUM_RESULTS = len(RESULT_NAMES)
GAP_SCALE = 0.1
"""Gaps of the win probability are divided by it, to be of about 1."""


class PlayoutFeatures(ForecastFeatures):
    """The features forecast-1, and the results of each card in 16 sampled games."""

    name = "playout-1"
    num_playouts: ClassVar[int] = 16

    def __init__(self, config: GameConfig) -> None:
        playout = make_playout_state(config)
        copy = make_games(config, 1), make_known_cards(config, 1), playout
        self._copy = tuple(map(tuple, copy))
        super().__init__(config)

    @staticmethod
    def declare(config: GameConfig) -> DeclaredFeatures:
        table, card = ForecastFeatures.declare(config)
        return DeclaredFeatures(table, [*card, *features_of(RESULT_NAMES)])

    def allocate(self, rows: int) -> None:
        super().allocate(rows)
        shape = self._forecast_shape = self.shape._replace(card=self.shape.card - NUM_RESULTS)
        self._forecast = np.zeros((rows, shape.size), np.float32)
        self._results = np.zeros((rows, shape.slots, NUM_RESULTS))

    def write(self, given: ActArguments, out: Float32Array) -> None:
        super().write(given, self._forecast)
        evaluate_hands(self.arrays, self._copy, given.random_bits, self.num_playouts, self._results)
        table, cards, hand = self.shape.split(out)  # views
        table[:], cards[..., :-NUM_RESULTS], hand[:] = self._forecast_shape.split(self._forecast)
        cards[..., -NUM_RESULTS:] = self._results


class JudgedPlayoutFeatures(PlayoutFeatures):
    """The features playout-1 in 11 games, with models that are judged after each turn."""

    name = "playout-2"
    num_playouts = 11

    def allocate(self, rows: int) -> None:
        super().allocate(rows)
        self._before = make_games_before(self._config, rows)

    def write(self, given: ActArguments, out: Float32Array) -> None:
        now, (workspace, *_) = self._observed.arrays, self._workspace
        judge_formulas(now, self._before, workspace, tuple(self._beliefs), given.random_bits)
        super().write(given, out)
        keep_games(now, self._before)


@kernel
def evaluate_hands(
    arrays: ForecastArrays,
    copy: tuple[tuple[Any, ...], ...],
    random_bits: npt.NDArray[np.uint64],
    num_playouts: int,
    results: Float64Array,
) -> None:
    """Fills ``results`` (B, slots, NUM_RESULTS) for the first player of every game.

    ``copy`` has the fields of Games, KnownCards and PlayoutState, for the game that is played on.
    """
    known, played = known_games(*arrays[:3]), known_games(arrays[0], *copy[:2])
    workspace, beliefs = feature_workspace(arrays[3]).formulas, OpponentBeliefs(*arrays[4])
    games, game, playout = known.games, played.games, PlayoutState(*copy[2])
    for g in range(len(random_bits)):
        results[g] = 0
        hand = games.hands[g, 0]
        if bitset.size(hand) < 2:  # there is no choice
            continue
        copy_deal(games, g, game)
        for sample in range(num_playouts):
            # Not the samples of the forecast, in which its predictions would be right.
            other = FORECAST_SAMPLES + sample
            sample_determinization(known, g, random_bits[g], other, beliefs.shuffled)
            write_deck(known, g, beliefs.shuffled, game)
            sample_bits = make_sample_bits(random_bits[g], sample)
            copy_position(games, g, game)
            model_probabilities = beliefs.model_probabilities[g]
            sample_opponent_models(played, playout, model_probabilities, sample_bits)
            choose_first_cards(played, playout, workspace)
            for slot in range(bitset.size(hand)):
                play_instead(games, g, game, playout, bitset.nth_lowest(hand, slot))
                run_playout(played, playout, workspace)
                results[g, slot, WIN_PROBABILITY] += (
                    win_probability(known.rules, game, 0) / num_playouts
                )
                results[g, slot, LEAD_GAP] += lead(known.rules, game) / POINT_SCALE / num_playouts
        compare_with_best(results[g, : bitset.size(hand)])


@called
def lead(rules: Rules, game: Games) -> float:
    """The estimated score of the first player minus the mean of the opponents'."""
    opponents = 0.0
    for opponent in range(1, rules.num_players):
        opponents += estimated_score(rules, game, opponent)
    return estimated_score(rules, game, 0) - opponents / (rules.num_players - 1)


@compiled
def compare_with_best(results: Float64Array) -> None:
    """Fills the gaps of ``results`` (cards, NUM_RESULTS); LEAD_GAP holds the lead before."""
    best_probability = best_lead = -np.inf
    for slot in range(len(results)):
        best_probability = max(best_probability, results[slot, WIN_PROBABILITY])
        best_lead = max(best_lead, results[slot, LEAD_GAP])
    for slot in range(len(results)):
        gap = results[slot, WIN_PROBABILITY] - best_probability
        results[slot, WIN_PROBABILITY_GAP] = gap / GAP_SCALE
        results[slot, LEAD_GAP] -= best_lead
        results[slot, IS_BEST] = gap == 0
