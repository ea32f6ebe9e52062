"""Sampled games played on by models of the players, on a copy that is written over each time."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.heuristics.card_values import look_at_columns, look_at_objectives
from mindup_agents.heuristics.greedy_values import greedy_card
from mindup_agents.heuristics.observed_games import Known, know
from mindup_agents.heuristics.opponent_model import GREEDY, NUM_MODELS, PLANNER, RANDOM
from mindup_agents.heuristics.planner_values import planner_card
from mindup_agents.heuristics.workspace import Floats, Workspace
from mindup_env.config import GameConfig
from mindup_env.engine import bitset, streams
from mindup_env.engine.compiler import called, compiled
from mindup_env.engine.results import is_over
from mindup_env.engine.state import Games, Int64Array, Rules
from mindup_env.engine.turns import play_turn


class Trial(NamedTuple):
    """How the copy is played."""

    models: Int64Array  # (num_players,) the model that plays each seat
    base: Int64Array  # (num_players,) cards of this turn, kept from one try to the next
    cards: Int64Array  # (1, num_players) the cards of the turn in play
    outcomes: Floats  # (num_cards,) of the cards tried
    slip: float  # how often the others play any card instead of their model's
    rounds: int  # how many rounds to play, this one included


def make_trial(config: GameConfig, slip: float, rounds: int) -> Trial:
    players = config.num_players
    return Trial(
        models=np.zeros(players, np.int64),
        base=np.zeros(players, np.int64),
        cards=np.zeros((1, players), np.int64),
        outcomes=np.zeros(config.num_cards),
        slip=slip,
        rounds=rounds,
    )


@compiled
def world_bits(row_bits: np.uint64, world: int) -> np.uint64:
    """The word that all chance in a sampled game comes from, whichever cards are tried in it."""
    low, high, _, _ = streams.philox(
        np.uint64(world), np.uint64(0), np.uint64(0), np.uint64(1), row_bits
    )
    return low | (high << np.uint64(32))


@compiled
def draw_model(belief: Floats, row_bits: np.uint64) -> int:
    """One of the models, each as likely as it is believed (num_models,)."""
    chance = fraction(row_bits)
    for model in range(NUM_MODELS - 1):
        chance -= belief[model]
        if chance < 0:
            return model
    return NUM_MODELS - 1


@compiled
def fraction(row_bits: np.uint64) -> float:
    """A random 32-bit word as a number from 0 to 1."""
    return np.float64(row_bits) / 4294967296.0


@called
def sit_down(rules: Rules, trial: Trial, belief: Floats, row_bits: np.uint64) -> None:
    """Draws a model for every rival of the first player by ``belief`` (num_players, models)."""
    trial.models[0] = PLANNER
    for rival in range(1, rules.num_players):
        block = streams.philox(np.uint64(0), np.uint64(rival), np.uint64(0), np.uint64(2), row_bits)
        trial.models[rival] = draw_model(belief[rival], block[0])


@called
def choose_for_all(
    rules: Rules,
    games: Games,
    known: Known,
    trial: Trial,
    workspace: Workspace,
    row_bits: np.uint64,
) -> None:
    """Fills ``trial.cards`` by the models of all seats."""
    know(rules, games, known, 0)
    look_at_columns(rules, games, 0, workspace)
    for seat in range(rules.num_players):
        block = streams.philox(
            np.uint64(games.clock[0]), np.uint64(seat), np.uint64(0), np.uint64(3), row_bits
        )
        model = trial.models[seat]
        if model == RANDOM or (seat > 0 and fraction(block[0]) < trial.slip):
            hand = games.hands[0, seat]
            card = bitset.nth_lowest(hand, streams.below(block[1], bitset.size(hand)))
        else:
            look_at_objectives(rules, games, 0, seat, workspace)
            if model == GREEDY:
                card = greedy_card(rules, games, known, 0, seat, workspace)
            else:
                card = planner_card(rules, games, known, 0, seat, workspace)
        trial.cards[0, seat] = card


@called
def play_out(
    rules: Rules,
    games: Games,
    known: Known,
    trial: Trial,
    workspace: Workspace,
    row_bits: np.uint64,
) -> None:
    """Plays ``trial.cards``, and then on by the models."""
    last_round = rules.round_at[games.clock[0]] + trial.rounds
    while True:
        play_turn(rules, games, 0, trial.cards)
        if is_over(rules, games, 0) or rules.round_at[games.clock[0]] == last_round:
            break
        choose_for_all(rules, games, known, trial, workspace, row_bits)


@compiled
def copy_deal(games: Games, g: int, copy: Games) -> None:
    """What the play leaves as it is, of game ``g``, into the only game of ``copy``."""
    copy_row(games.deck[g], copy.deck[0])
    for round_ in range(games.score_cards.shape[1]):
        copy_row(games.score_cards[g, round_], copy.score_cards[0, round_])
        copy_row(games.objectives[g, round_], copy.objectives[0, round_])


@compiled
def copy_table(games: Games, g: int, copy: Games) -> None:
    """What the play changes, but for the log, which nobody who thinks looks at."""
    copy.clock[0] = games.clock[g]
    copy_row(games.hands[g], copy.hands[0])
    copy_row(games.tableaux[g], copy.tableaux[0])
    copy_row(games.row[g], copy.row[0])
    for player in range(games.hands.shape[1]):
        copy_row(games.columns[g, player], copy.columns[0, player])
        for round_ in range(games.points.shape[1]):
            copy_row(games.points[g, round_, player], copy.points[0, round_, player])


@compiled
def copy_row(source: npt.NDArray[np.integer], target: npt.NDArray[np.integer]) -> None:
    """An assignment of slices would need memory of its own."""
    for place in range(len(source)):
        target[place] = source[place]
