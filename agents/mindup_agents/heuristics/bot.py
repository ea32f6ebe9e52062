"""The bots that choose by compiled code: by a formula alone, or from sampled games."""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
import numpy.typing as npt

from mindup_agents.card_evaluation import EXPECTED_POINTS, WIN_PROBABILITY
from mindup_agents.heuristics.card_values import update_column_values
from mindup_agents.heuristics.formulas import formula_card
from mindup_agents.heuristics.observed_games import (
    ObservedArrays,
    ObservedGames,
    known_games,
    make_known_cards,
)
from mindup_agents.heuristics.opponent_model import make_opponent_beliefs
from mindup_agents.heuristics.playout import SampledArrays, make_playout_state
from mindup_agents.heuristics.workspace import (
    Float64Array,
    Workspace,
    make_workspace,
    with_card_values,
)
from mindup_env.agent import ActArguments, check_act_arguments
from mindup_env.belief.observed import Observed
from mindup_env.belief.sampling import draw_hidden_part
from mindup_env.config import GameConfig
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Games, Int8Array, Int64Array, make_games
from mindup_env.observation import layout_of

BELIEF_SAMPLES = 16
"""Sampled hands per turn from which the opponents' models are judged."""


class HeuristicBot(ABC):
    """Reads a batch of observations into games; subclasses choose the cards."""

    def __init__(self, config: GameConfig) -> None:
        self._config = config
        self._workspace: tuple[Any, ...] = tuple(make_workspace(config))
        self._allocate(0)

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        given = ActArguments(observation, action_mask, episode_start, random_bits)
        check_act_arguments(self._config, *given)
        if len(observation) != self._observed.rows:
            self._allocate(len(observation))
        self._observed.read(observation)
        actions = np.zeros(len(observation), np.int64)
        self._choose(given, actions)
        return actions

    def evaluate_cards(self) -> tuple[str, npt.NDArray[np.floating]]:
        """The expected points (B, num_cards) of the cards in each row."""
        return EXPECTED_POINTS, self._card_values

    def _allocate(self, rows: int) -> None:
        """Makes the arrays for a batch of so many rows; any memory starts empty."""
        self._observed = ObservedGames(self._config, rows)
        self._card_values: Float64Array = np.zeros((rows, self._config.num_cards))

    @property
    def _arrays(self) -> ObservedArrays:
        return self._observed.arrays

    @abstractmethod
    def _choose(self, given: ActArguments, actions: Int64Array) -> None:
        """Fills ``actions`` (B,) and ``self._card_values`` for the games in ``self._arrays``."""


@kernel
def choose_by_formula(
    arrays: ObservedArrays,
    workspace_: tuple[Any, ...],
    model: int,
    card_values: Float64Array,
    actions: Int64Array,
) -> None:
    """Fills ``actions`` (B,) and ``card_values`` (B, num_cards) for the first players."""
    known, shared = known_games(*arrays), Workspace(*workspace_)
    for g in range(len(actions)):
        workspace = with_card_values(shared, card_values[g])
        update_column_values(known.rules, known.games, g, workspace)
        actions[g] = formula_card(known, g, 0, model, workspace)


class FormulaBot(HeuristicBot):
    """Chooses by the formula of a model alone, without memory and without randomness."""

    _model: int

    def _choose(self, given: ActArguments, actions: Int64Array) -> None:  # noqa: ARG002  # read before
        choose_by_formula(self._arrays, self._workspace, self._model, self._card_values, actions)


class SearchingBot(HeuristicBot):
    """Updates what it believes of the opponents, then searches row by row in sampled games.

    Args:
        config: the game.
        prior: the probability of each model of the opponents before any play.
        time_limit: seconds per decision, 0 for none.
    """

    def __init__(self, config: GameConfig, prior: tuple[float, ...], time_limit: float) -> None:
        if not time_limit >= 0:
            raise ValueError(
                f"time_limit must be at least 0 seconds (0 for no limit), not {time_limit}"
            )
        self._prior, self._time_limit = prior, time_limit
        self._playout = tuple(make_playout_state(config))
        self._copy = tuple(make_games(config, 1)), tuple(make_known_cards(config, 1))
        self._layout = layout_of(config)
        super().__init__(config)

    def evaluate_cards(self) -> tuple[str, npt.NDArray[np.floating]]:
        """The win probability (B, num_cards) of the cards in each row."""
        return WIN_PROBABILITY, self._card_values

    def _allocate(self, rows: int) -> None:
        super()._allocate(rows)
        self._beliefs = make_opponent_beliefs(self._config, rows, BELIEF_SAMPLES, self._prior)

    def _choose(self, given: ActArguments, actions: Int64Array) -> None:
        self._beliefs.model_probabilities[given.episode_start] = 0
        self._update_beliefs(given.random_bits)
        hands = self._arrays[1][Games._fields.index("hands")][:, 0]
        for row, hand in enumerate(hands.tolist()):
            if hand.bit_count() > 1:
                actions[row] = self._search(given.observation[row], row, given.random_bits[row])
            else:
                actions[row] = max(hand.bit_length() - 1, 0)

    @abstractmethod
    def _update_beliefs(self, random_bits: npt.NDArray[np.uint64]) -> None:
        """Updates ``self._beliefs`` for the games in ``self._arrays``."""

    @abstractmethod
    def _search(self, observation: Int8Array, row: int, row_bits: np.uint64) -> int:
        """The card to play in a row with several cards; fills its ``self._card_values``."""

    def _sampled_games(
        self, observation: Int8Array, num_games: int, rng: np.random.Generator
    ) -> SampledArrays:
        """What kernels take, with so many hidden parts; a bot adds what else its kernel reads."""
        views = self._layout.views(observation[None])
        seen = Observed(self._config, self._observed.batch.rules, views)
        hidden = tuple(draw_hidden_part(seen, 0, num_games, rng))
        return *self._arrays, hidden, *self._copy, self._playout
