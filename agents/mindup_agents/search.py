"""The bot ``search``: plays every card in sampled games and chooses the best.

The games agree with everything that the seat knows (``mindup_env.belief``), and are the same for
all cards. In each game, a model (random, greedy or planner) plays each opponent; it is drawn by how
well it explains the opponent's cards so far. The bot's own later turns are planner's. The position
at the end of the round is valued by its win probability. Cards that promise little after few games
are dropped. The bot ``champion`` is the same search with trained networks.
"""

from collections.abc import Iterator
from itertools import pairwise
from math import erfc, exp, pi, sqrt

import numpy as np

from mindup_agents.card_evaluation import COMPARED
from mindup_agents.heuristics.bot import HeuristicBot
from mindup_agents.heuristics.formulas import MODELS, win_probability
from mindup_agents.heuristics.observed_games import make_known_games
from mindup_agents.heuristics.predictions import (
    LastTurn,
    OpponentBeliefs,
    keep_games,
    make_opponent_beliefs,
    predict_last_turn,
    read_prior,
    update_all_beliefs,
)
from mindup_agents.heuristics.worlds import PlayoutState, World, begin_world, play_on
from mindup_env.agent import ActArguments
from mindup_env.belief.hidden import draw_hidden_part
from mindup_env.checks import check_int
from mindup_env.config import GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.arrays import allocate
from mindup_env.engine.compiler import scalar_kernel, typed_once
from mindup_env.engine.state import Float64Array, Int64Array
from mindup_env.observation import layout_of

BELIEF_SAMPLES = 16  # sampled hands per turn from which the opponents' models are judged
LEAST_GAIN = 0.1  # of a card that is kept; one as good as the best has 0.4 after all worlds


class Evaluator:
    """How the search plays a world on, and values it; a subclass can do it in another way.

    This one plays the models' cards to the end of the round, and values the position there by its
    win probability.

    Attributes:
        models: the names of the models of opponents: those that are formulas, then its own.
        unit: that of the values.
    """

    models: tuple[str, ...] = MODELS
    unit = COMPARED

    def predict_last_turn(self, turn: LastTurn) -> None:
        """Adds what its own models make of the turn to ``turn.beliefs``."""

    def evaluate(
        self, world: World, samples: tuple[int, int], cards: int, values: Float64Array
    ) -> None:
        """Fills ``values`` (worlds, num_cards) of each of ``cards``, a set, in some of the worlds.

        The worlds are from the first of ``samples`` to before the second: from world 0 on, in the
        calls for one decision. Fills their part of ``world.first_cards`` too.
        """
        evaluate_round(world, samples, cards, values)

    def chance(self, value: float) -> float:
        """What is shown for the mean value of a card, from 0 to 1: a function that never falls."""
        return min(max(value, 0.0), 1.0)


@typed_once
@scalar_kernel
def evaluate_round(
    world: World, samples: tuple[int, int], cards: int, values: Float64Array
) -> None:
    rules = world.known.rules
    for sample in range(*samples):
        begin_world(world, sample)
        for card in bitset.members(cards):
            play_on(world, sample, card, rules.num_turns)
            values[sample, card] = win_probability(rules, world.played.games)


class Search(HeuristicBot):
    """Plays every card of the hand in sampled games, and chooses the one that wins most often.

    Args:
        config: the game
        evaluator: how sampled games are played on and valued, an ``Evaluator``
        worlds: most sampled games per decision
        models: models of the opponents, joined by `+`; all are equally likely at first
    """

    beliefs: OpponentBeliefs  # what the seats of the last turn believe of their opponents

    def __init__(
        self,
        config: GameConfig,
        evaluator: Evaluator | None = None,
        /,
        *,
        worlds: int = 128,
        models: str = "random+greedy+planner",
    ) -> None:
        self.worlds = check_int("worlds", worlds, 1)
        self._stages = stages(worlds)
        self._evaluator = Evaluator() if evaluator is None else evaluator
        self._unit = self._evaluator.unit
        self.chance = self._evaluator.chance
        self._prior = read_prior(models, self._evaluator.models)
        self._playout = allocate(PlayoutState, config)
        self._played = make_known_games(config, 1)
        super().__init__(config)

    def _allocate(self, rows: int) -> None:
        super()._allocate(rows)
        self._before = make_known_games(self._config, rows)
        self._sampled = make_known_games(self._config, rows)._replace(games=self._before.games)
        self.beliefs = make_opponent_beliefs(self._config, rows, BELIEF_SAMPLES, self._prior)
        opponents = self._config.num_players - 1
        self._predicted = np.zeros((rows, opponents, self._config.num_cards))

    def predict_cards(self) -> Float64Array:
        """How often each opponent plays each card in the sampled games (B, opponents, cards)."""
        return self._predicted

    def _choose(self, given: ActArguments, actions: Int64Array) -> None:
        actions[:] = given.action_mask.argmax(axis=1)  # of a hand with one card, or of none
        for world in self.decisions(given):
            actions[world.g] = self._search(world)

    def decisions(self, given: ActArguments) -> Iterator[World]:
        """The rows that have a choice, in observations that were ``read``.

        They belong to one turn: the next call learns from the cards that were played in it.
        """
        known = self._known
        beliefs = self.beliefs
        beliefs.model_probabilities[given.episode_start] = 0
        turn = LastTurn(
            known, self._before, self._sampled, self._workspace, beliefs, given.random_bits
        )
        predict_last_turn(turn)
        self._evaluator.predict_last_turn(turn)
        update_all_beliefs(known, beliefs)
        keep_games(known, self._before)
        layout = layout_of(self._config)
        for row, hand in enumerate(known.games.hands[:, 0].tolist()):
            if hand.bit_count() > 1:
                bits = given.random_bits[row]
                rng = np.random.default_rng(int(bits))
                views = layout.views(given.observation[row])
                hidden = draw_hidden_part(self._config, views, self.worlds, rng)
                probabilities = beliefs.model_probabilities[row]
                playing = self._played, self._playout, self._workspace
                first_cards = np.zeros((self.worlds, self._config.num_players), np.int64)
                yield World(known, row, bits, probabilities, hidden, *playing, first_cards)

    def evaluate(
        self, world: World, samples: tuple[int, int], cards: list[int], values: Float64Array
    ) -> None:
        """Fills ``values`` (worlds, num_cards) as the evaluator."""
        self._evaluator.evaluate(world, samples, sum(1 << card for card in {*cards}), values)

    def _search(self, world: World) -> int:
        """The best card; fills ``self._card_values`` of the row. Stages drop cards."""
        cards = world.cards
        values = np.zeros((self.worlds, self._config.num_cards))
        played = dict[int, int]()  # in how many worlds each card was played
        for first, end in pairwise([0, *self._stages]):
            self.evaluate(world, (first, end), cards, values)
            played.update(dict.fromkeys(cards, end))
            so_far = values[:end].take(cards, axis=1)
            cards = [cards[index] for index in kept_cards(so_far, self.worlds)]
            if len(cards) == 1:
                break
        for opponent, first_cards in enumerate(world.first_cards[:end, 1:].T):
            counts = np.bincount(first_cards, minlength=self._config.num_cards)
            self._predicted[world.g, opponent] = counts / end
        best = cards[-1]
        value = values[: played[best], best].mean()
        for card, end in played.items():
            # A dropped card keeps its distance to the best one in the worlds that both played.
            distance = (values[:end, card] - values[:end, best]).mean()
            self._card_values[world.g, card] = self.chance(value + distance)
        return best


def stages(worlds: int) -> list[int]:
    """After how many of the worlds cards are dropped; the last is the number of all of them.

    Each stage adds half as many worlds as there were. Fewer than eight tell little.
    """
    ends = []
    end = max(8.0, worlds / 8)
    while end < worlds:
        ends.append(int(end))
        end *= 1.5
    return [*ends, worlds]


def kept_cards(values: Float64Array, worlds: int) -> list[int]:
    """The cards whose gain is large enough, and as the last one the best.

    The gain of a card is what changing to it would add to the win probability if one knew the true
    one, on average: it is taken to be normally distributed around the mean, and no change adds 0.
    The unit is the standard error of the distance to the best card after all worlds.

    Args:
        values: the values of the cards in the worlds so far (worlds, cards).
        worlds: the number of all worlds.
    """
    means = values.mean(axis=0)
    best = int(means.argmax())
    distances = values[:, best, None] - values
    errors = distances.std(axis=0) / sqrt(len(values))
    kept = []
    for card, error in enumerate(errors.tolist()):
        if error == 0:  # the best card, or one that is as good in every world
            continue
        z = float(means[best] - means[card]) / error
        gain = exp(-z * z / 2) / sqrt(2 * pi) - z * erfc(z / sqrt(2)) / 2
        if gain * sqrt(worlds / len(values)) > LEAST_GAIN:
            kept.append(card)
    return [*sorted(kept, key=means.__getitem__), best]
