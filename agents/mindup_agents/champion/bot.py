"""The bot ``champion``: the search of the bot ``search``, with trained networks.

The opponents' cards of the turn are drawn from more models: networks that imitate stronger bots.
Each sampled game ends after a turn that is drawn, at the latest with the round, and a network
values the position. So the value of a card is a mean of values after each turn, whose weights
decrease by a factor from turn to turn, as in TD(lambda): early values depend on the network, and
later ones on planner, which plays all seats on. Valuing every game after each of its turns would
leave time for fewer games: a network takes more time than a turn.
"""

from pathlib import Path
from typing import TypeVar

import numpy as np

from mindup_agents.card_evaluation import WIN_PROBABILITY
from mindup_agents.champion.network import expected_value
from mindup_agents.champion.network_file import load_networks
from mindup_agents.champion.opponents import (
    SeatNetworks,
    draw_network_cards,
    make_seat_networks,
    predict_with_networks,
)
from mindup_agents.champion.position import write_position
from mindup_agents.heuristics.card_values import ColumnValues
from mindup_agents.heuristics.formulas import MODELS
from mindup_agents.heuristics.predictions import LastTurn
from mindup_agents.heuristics.random_streams import NUM_TURNS, random_block, uniform
from mindup_agents.heuristics.worlds import World, begin_world, play_on
from mindup_agents.search import Evaluator, Search
from mindup_agents.weights import weights_file
from mindup_env.config import GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.compiler import called, compiled, kernel, typed_once
from mindup_env.engine.results import is_over, rank
from mindup_env.engine.state import Float64Array

F = TypeVar("F", float, Float64Array)
DECAY = 0.85  # the probability that a sampled game goes on after each of its turns


class NetworkEvaluator(Evaluator):
    """Networks model opponents and value positions, in worlds that end after a few turns."""

    unit = WIN_PROBABILITY

    def __init__(self, config: GameConfig, path: Path) -> None:
        models, value, self._odds = load_networks(config, path)
        self.models = *MODELS, *models
        self._networks = make_seat_networks(config, [*models.values(), value])

    def predict_last_turn(self, turn: LastTurn) -> None:
        predict_with_networks(turn, self._networks)

    def evaluate(
        self, world: World, samples: tuple[int, int], cards: int, values: Float64Array
    ) -> None:
        if samples[0] == 0:
            self._networks.is_computed[...] = False
        evaluate_by_networks(world, self._networks, samples, cards, values)

    def chance(self, value: float) -> float:
        # Mean values are too high: opponents are better than their models, and the best is chosen.
        return multiply_odds(super().chance(value), self._odds)


class Champion(Search):
    """Plays the card that wins most in many short sampled games, which trained networks value.

    Args:
        config: the game
        worlds: most sampled games per decision
        models: models of the opponents, joined by `+`; by default all, equally likely at first
        networks: file of the networks; by default that of the package
    """

    def __init__(
        self, config: GameConfig, *, worlds: int = 512, models: str = "", networks: str = ""
    ) -> None:
        path = Path(networks) if networks else weights_file("champion", config)
        evaluator = NetworkEvaluator(config, path)
        models = models or "+".join(evaluator.models)
        super().__init__(config, evaluator, worlds=worlds, models=models)


def multiply_odds(value: F, odds: float) -> F:
    """The probability, or the array of them, whose odds are so many times those of ``value``."""
    return odds * value / (1 - value + odds * value)


@typed_once
@kernel
def evaluate_by_networks(
    world: World, networks: SeatNetworks, samples: tuple[int, int], cards: int, values: Float64Array
) -> None:
    """Fills ``values`` as ``Evaluator.evaluate``; the last network values positions.

    The networks keep what they predict of the opponents for the later worlds of a decision.
    """
    for sample in range(*samples):
        bits, columns = begin_world(world, sample)
        num_turns = draw_num_turns(world.known.rules.num_turns, bits)
        draw_network_cards(world, sample, bits, columns, networks)
        for card in bitset.members(cards):
            then = play_on(world, sample, card, num_turns)
            values[sample, card] = value_of(world, then, networks)


@compiled
def draw_num_turns(most: int, bits: np.uint64) -> int:
    """After how many turns a world ends."""
    block = random_block(NUM_TURNS, 0, 0, bits)
    drawn = uniform(block[0])
    turns = 1
    goes_on = DECAY
    while turns < most and drawn < goes_on:
        turns += 1
        goes_on *= DECAY
    return turns


@called
def value_of(world: World, columns: ColumnValues, networks: SeatNetworks) -> float:
    """The win share of player 0: that of the result, or the one that the network expects."""
    known = world.played
    if is_over(known.rules, known.games, 0):
        winners = 0
        for player in range(known.rules.num_players):
            winners += rank(known.rules, known.games, 0, player) == 0
        return (rank(known.rules, known.games, 0, 0) == 0) / winners
    write_position(known, 0, 0, columns, world.workspace, networks.activations.row)
    cards = bitset.size(known.games.hands[0, 0])
    last = len(networks.weights.value_bias) - 1
    # The networks are fitted to the win share minus an equal share.
    above_equal = expected_value(networks.weights, last, cards, networks.activations)
    return above_equal + 1 / known.rules.num_players
