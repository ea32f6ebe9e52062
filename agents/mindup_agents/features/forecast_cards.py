"""The features of each card of the hand in forecast-1."""

from mindup_agents.features.base import NO_CARD, Float32Array
from mindup_agents.features.prize_components import NUM_COMPONENTS, POINT_SCALE, write_components
from mindup_agents.heuristics.card_values import placement_points
from mindup_agents.heuristics.observed_games import KnownCards
from mindup_agents.heuristics.prize_probabilities import expected_prize_value
from mindup_agents.heuristics.workspace import Float64Array, Workspace, best_card
from mindup_env.cards import NUM_COLOURS
from mindup_env.config import GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.compiler import called
from mindup_env.engine.state import Games, Rules


def count_card_features(config: GameConfig) -> int:
    players, opponents = config.num_players, config.num_players - 1
    return 4 + NUM_COLOURS + 2 * NUM_COMPONENTS + players + 2 * opponents


@called
def write_hand(
    rules: Rules,
    games: Games,
    known: KnownCards,
    g: int,
    workspace: Workspace,
    components: Float64Array,
    out: Float32Array,
) -> None:
    """Writes the features of each slot, and the card of each slot.

    ``components`` (num_players + 1, NUM_COMPONENTS) holds those of the prizes; its last row is
    overwritten by those of the cards.
    """
    slots = rules.hand_size + rules.num_rounds - 1
    size = len(out) // slots - 1
    out[:] = 0
    out[slots * size :] = NO_CARD
    hand, slot = games.hands[g, 0], 0
    best = best_card(hand, workspace)
    while hand != 0:
        card = bitset.lowest(hand)
        hand &= hand - 1
        features = out[slot * size : (slot + 1) * size]
        features[0] = card / len(rules.card_colours)
        features[1] = bitset.contains(known.cards[g, 0], card)
        features[2] = card == best
        behind = workspace.card_values[card] - workspace.card_values[best]
        features[3] = behind / POINT_SCALE
        features[4 + rules.card_colours[card]] = 1
        at = write_played(rules, card, workspace, components, features, 4 + NUM_COLOURS)
        write_kept(rules, card, workspace, components, features, at)
        out[slots * size + slot] = card
        slot += 1


@called
def write_played(
    rules: Rules,
    card: int,
    workspace: Workspace,
    components: Float64Array,
    out: Float32Array,
    at: int,
) -> int:
    """Writes the expected components of the prize that the card takes, and the probabilities.

    Returns where the next part begins.
    """
    for component in range(NUM_COMPONENTS):
        for place in range(rules.num_players):
            workspace.prize_values[place] = components[place, component]
        expected = expected_prize_value(card, workspace.prize_values, workspace)
        out[at + component] = expected / POINT_SCALE
    at += NUM_COMPONENTS
    for place in range(rules.num_players):
        out[at + place] = workspace.prize_probabilities[card, place]
    at += rules.num_players
    for opponent in range(1, rules.num_players):
        out[at] = workspace.lower_probabilities[opponent, card]
        at += 1
    return at


@called
def write_kept(
    rules: Rules,
    card: int,
    workspace: Workspace,
    components: Float64Array,
    out: Float32Array,
    at: int,
) -> None:
    """Writes the value of the card itself: as the last card of the hand, or as a later prize."""
    write_components(rules, card, workspace, components[rules.num_players])
    for component in range(NUM_COMPONENTS):
        out[at + component] = components[rules.num_players, component] / POINT_SCALE
    at += NUM_COMPONENTS
    for opponent in range(1, rules.num_players):
        out[at] = placement_points(rules, opponent, card, workspace) / POINT_SCALE
        at += 1
