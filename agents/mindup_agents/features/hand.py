"""The features of each card of the hand of a seat."""

from mindup_agents.features.base import NO_CARD, Feature, Float32Array, features_of
from mindup_agents.features.workspace import (
    COMPONENT_NAMES,
    NUM_COMPONENTS,
    POINT_SCALE,
    FeatureWorkspace,
    write_components,
)
from mindup_agents.heuristics.card_values import placement_points
from mindup_agents.heuristics.observed_games import KnownCards
from mindup_agents.heuristics.prize_probabilities import expected_prize_value
from mindup_agents.heuristics.workspace import best_card
from mindup_env.cards import NUM_COLOURS
from mindup_env.config import MAX_PLAYERS
from mindup_env.engine import bitset
from mindup_env.engine.compiler import compiled
from mindup_env.engine.state import Games, Rules

PRIZE_PROBABILITY = "card played: probability of each prize"
"""The name of the features with the probability that a card takes each prize of the row."""


def card_features() -> list[Feature]:
    """The features of a card, in the order of the functions below."""
    everyone, opponents = range(1, MAX_PLAYERS + 1), range(2, MAX_PLAYERS + 1)
    return [
        *features_of(
            [
                "card: number",
                "card: known to all",
                "card: best by the formulas",
                "card: value behind the best",
                *["card: colour"] * NUM_COLOURS,
                *(f"card played: {component}" for component in COMPONENT_NAMES),
            ]
        ),
        *(Feature(PRIZE_PROBABILITY, place) for place in everyone),
        *(Feature("card played: probability of lower cards", each) for each in opponents),
        *features_of(f"card kept: {component}" for component in COMPONENT_NAMES),
        *(Feature("card kept: points for each opponent", each) for each in opponents),
    ]


@compiled
def write_hand(
    rules: Rules,
    games: Games,
    known: KnownCards,
    g: int,
    seat: int,
    workspace: FeatureWorkspace,
    out: Float32Array,
) -> None:
    """Writes the features of each slot, and the card of each slot."""
    formulas = workspace.formulas
    slots = rules.hand_size + rules.num_rounds - 1
    size = len(out) // slots - 1
    out[:] = 0
    out[slots * size :] = NO_CARD
    hand, slot = games.hands[g, seat], 0
    best = best_card(hand, formulas)
    while hand != 0:
        card = bitset.lowest(hand)
        hand &= hand - 1
        features = out[slot * size : (slot + 1) * size]
        features[0] = card / len(rules.card_colours)
        features[1] = bitset.contains(known.cards[g, seat], card)
        features[2] = card == best
        behind = formulas.card_values[card] - formulas.card_values[best]
        features[3] = behind / POINT_SCALE
        features[4 + rules.card_colours[card]] = 1
        at = 4 + NUM_COLOURS
        at += write_played(rules, seat, card, workspace, features[at:])
        write_kept(rules, seat, card, workspace, features[at:])
        out[slots * size + slot] = card
        slot += 1


@compiled
def write_played(
    rules: Rules,
    seat: int,
    card: int,
    workspace: FeatureWorkspace,
    out: Float32Array,
) -> int:
    """Writes the expected components of the prize that the card takes, and the probabilities.

    Returns the number of features.
    """
    formulas = workspace.formulas
    for component in range(NUM_COMPONENTS):
        for place in range(rules.num_players):
            formulas.prize_values[place] = workspace.components[place, component]
        expected = expected_prize_value(card, formulas.prize_values, formulas)
        out[component] = expected / POINT_SCALE
    at = NUM_COMPONENTS
    for place in range(rules.num_players):
        out[at + place] = formulas.prize_probabilities[card, place]
    at += rules.num_players
    for after in range(1, rules.num_players):
        opponent = (seat + after) % rules.num_players
        out[at] = formulas.lower_probabilities[opponent, card]
        at += 1
    return at


@compiled
def write_kept(
    rules: Rules,
    seat: int,
    card: int,
    workspace: FeatureWorkspace,
    out: Float32Array,
) -> None:
    """Writes the value of the card itself: as the last card of the hand, or as a later prize."""
    components = workspace.components[rules.num_players]
    write_components(rules, seat, card, workspace.formulas, components)
    for component in range(NUM_COMPONENTS):
        out[component] = components[component] / POINT_SCALE
    at = NUM_COMPONENTS
    for after in range(1, rules.num_players):
        opponent = (seat + after) % rules.num_players
        out[at] = placement_points(rules, opponent, card, workspace.formulas) / POINT_SCALE
        at += 1
