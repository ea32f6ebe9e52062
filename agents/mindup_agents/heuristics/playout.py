"""Playouts: sampled games that models of all players play on, in one game that is overwritten."""

from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.heuristics.card_values import update_column_values
from mindup_agents.heuristics.determinization import deal_hidden_cards, write_deck
from mindup_agents.heuristics.formulas import PLANNER, RANDOM, formula_card
from mindup_agents.heuristics.observed_games import KnownGames, update_known_cards
from mindup_agents.heuristics.workspace import Float64Array, Workspace
from mindup_env.belief.sampling import HiddenPart
from mindup_env.config import GameConfig
from mindup_env.engine import bitset, streams
from mindup_env.engine.arrays import allocate
from mindup_env.engine.compiler import called, compiled
from mindup_env.engine.results import is_over
from mindup_env.engine.state import Games, Int64Array
from mindup_env.engine.turns import play_turn

SLIP = 0.05
"""The probability that an opponent plays a random card instead of its model's."""
NO_RANDOM_CARD = -1

SampledArrays = tuple[tuple[Any, ...], ...]
"""The fields of Rules, Games and KnownCards (what each seat sees), HiddenPart (of the sampled games
of one seat), Games and KnownCards (of one game that is played on), PlayoutState, and what else a
kernel reads."""


class PlayoutState(NamedTuple):
    """How a game is played on."""

    models: Annotated[Int64Array, "num_players"]  # the model that plays each seat
    random_bits: Int64Array  # (num_turns, num_players) of a random card, or NO_RANDOM_CARD
    first_cards: Annotated[Int64Array, "num_players"]  # the models' cards in the first turn
    cards: Annotated[Int64Array, 1, "num_players"]  # of the current turn


def make_playout_state(config: GameConfig) -> PlayoutState:
    random_bits = np.full((config.num_turns, config.num_players), NO_RANDOM_CARD, np.int64)
    return allocate(PlayoutState, config, {"random_bits": random_bits})


@compiled
def make_sample_bits(row_bits: np.uint64, sample: int) -> np.uint64:
    """The random bits of a sampled game; they are the same for every card that is evaluated."""
    low, high, _, _ = streams.philox(
        np.uint64(sample), np.uint64(0), np.uint64(0), np.uint64(1), row_bits
    )
    return low | (high << np.uint64(32))


@compiled
def draw_index(probabilities: Float64Array, bits: np.uint64) -> int:
    """A random index by ``probabilities`` (n,)."""
    remaining = uniform(bits)
    last = len(probabilities) - 1
    for index in range(last):
        remaining -= probabilities[index]
        if remaining < 0:
            return index
    return last


@compiled
def uniform(bits: np.uint64) -> float:
    """A random 32-bit word as a number from 0 to 1."""
    return np.float64(bits) / 4294967296.0


@called
def sample_opponent_models(
    known: KnownGames,
    playout: PlayoutState,
    model_probabilities: Float64Array,
    sample_bits: np.uint64,
) -> None:
    """Draws ``playout.models`` by ``model_probabilities`` (num_players, num_models).

    Player 0 is always played by ``planner``. Where the seats play random cards in the other
    turns of the round is drawn too, since it is the same for every card that is evaluated.
    """
    rules, clock_now = known.rules, known.games.clock[0]
    playout.models[0] = PLANNER
    for opponent in range(1, rules.num_players):
        block = streams.philox(
            np.uint64(0), np.uint64(opponent), np.uint64(0), np.uint64(2), sample_bits
        )
        playout.models[opponent] = draw_index(model_probabilities[opponent], block[0])
    for clock in range(clock_now, rules.num_turns):
        if rules.round_at[clock] != rules.round_at[clock_now]:
            break
        for seat in range(1, rules.num_players):
            block = streams.philox(
                np.uint64(clock), np.uint64(seat), np.uint64(0), np.uint64(3), sample_bits
            )
            is_random = playout.models[seat] == RANDOM or uniform(block[0]) < SLIP
            playout.random_bits[clock, seat] = np.int64(block[1]) if is_random else NO_RANDOM_CARD


@called
def choose_first_cards(known: KnownGames, playout: PlayoutState, workspace: Workspace) -> None:
    """Fills ``playout.first_cards`` by the models of all seats."""
    update_public_values(known, workspace)
    choose_cards(known, playout, workspace)
    copy_values(playout.cards[0], playout.first_cards)


@compiled
def update_public_values(known: KnownGames, workspace: Workspace) -> None:
    """Updates the column values and what all players know of the hands."""
    update_known_cards(known, 0)
    update_column_values(known.rules, known.games, 0, workspace)


@compiled
def choose_cards(known: KnownGames, playout: PlayoutState, workspace: Workspace) -> None:
    """Fills ``playout.cards`` by the models of all seats; the public values are up to date.

    A seat whose model is not one of ``MODELS`` plays planner's card.
    """
    games = known.games
    for seat in range(known.rules.num_players):
        random_bits = playout.random_bits[games.clock[0], seat]
        if random_bits != NO_RANDOM_CARD:
            hand = games.hands[0, seat]
            place = streams.below(np.uint64(random_bits), bitset.size(hand))
            card = bitset.nth_lowest(hand, place)
        else:
            card = formula_card(known, 0, seat, playout.models[seat], workspace)
        playout.cards[0, seat] = card


@called
def run_playout(known: KnownGames, playout: PlayoutState, workspace: Workspace) -> None:
    """Plays ``playout.cards``, and then the cards of the models to the end of the round."""
    rules, games = known.rules, known.games
    round_ = rules.round_at[games.clock[0]]
    while True:
        play_turn(rules, games, 0, playout.cards)
        if is_over(rules, games, 0) or rules.round_at[games.clock[0]] != round_:
            break
        update_public_values(known, workspace)
        choose_cards(known, playout, workspace)


@called
def write_sampled_game(
    known: KnownGames, g: int, hidden: HiddenPart, sample: int, copy: Games
) -> None:
    """Completes the hands of game ``g`` and the deal; game 0 of ``copy`` becomes a copy of it."""
    rules, games = known.rules, known.games
    deal_hidden_cards(known, g, hidden.cards[sample])
    copy_deal(games, g, copy)
    write_deck(known, g, hidden.cards[sample], copy)
    next_round = rules.round_at[games.clock[g]] + 1
    for later in range(rules.num_rounds - next_round):
        round_ = next_round + later
        copy_values(hidden.score_cards[sample, later], copy.score_cards[0, round_])
        copy_values(hidden.objectives[sample, later], copy.objectives[0, round_])
    copy_position(games, g, copy)


@compiled
def play_instead(games: Games, g: int, copy: Games, playout: PlayoutState, card: int) -> None:
    """Goes back to game ``g`` in its copy: player 0 plays ``card``, and others their first card."""
    copy_position(games, g, copy)
    copy_values(playout.first_cards, playout.cards[0])
    playout.cards[0, 0] = card


@compiled
def copy_deal(games: Games, g: int, copy: Games) -> None:
    """Copies the deal of game ``g``, which play does not change, into game 0 of ``copy``."""
    copy_values(games.deck[g], copy.deck[0])
    for round_ in range(games.score_cards.shape[1]):
        copy_values(games.score_cards[g, round_], copy.score_cards[0, round_])
        copy_values(games.objectives[g, round_], copy.objectives[0, round_])


@compiled
def copy_position(games: Games, g: int, copy: Games) -> None:
    """Copies what play changes, without the log of cards played: the models do not read it."""
    copy.clock[0] = games.clock[g]
    copy_values(games.hands[g], copy.hands[0])
    copy_values(games.tableaux[g], copy.tableaux[0])
    copy_values(games.row[g], copy.row[0])
    for player in range(games.hands.shape[1]):
        copy_values(games.columns[g, player], copy.columns[0, player])
        for round_ in range(games.points.shape[1]):
            copy_values(games.points[g, round_, player], copy.points[0, round_, player])


@compiled
def copy_values(source: npt.NDArray[np.integer], target: npt.NDArray[np.integer]) -> None:
    """Copies element by element: assigning a slice would allocate, which kernels cannot."""
    for place in range(len(source)):
        target[place] = source[place]
