"""What "forecast-1" tells of each card of the hand."""

from mindup_agents.features.base import NO_CARD
from mindup_agents.features.prize_components import NUM_PARTS, POINTS, Floats, Parts, take_apart
from mindup_agents.heuristics.card_values import points_of
from mindup_agents.heuristics.observed_games import Known
from mindup_agents.heuristics.prize_probabilities import expected_prize
from mindup_agents.heuristics.workspace import Workspace, best_card
from mindup_env.cards import NUM_COLOURS
from mindup_env.engine import bitset
from mindup_env.engine.compiler import called
from mindup_env.engine.state import Games, Rules


@called
def write_hand(
    rules: Rules,
    games: Games,
    known: Known,
    g: int,
    workspace: Workspace,
    parts: Parts,
    out: Floats,
) -> None:
    """Every card of the hand in a slot of its own, and which cards they are."""
    slots = rules.hand_size + rules.num_rounds - 1
    size = len(out) // slots - 1
    out[:] = 0
    out[slots * size :] = NO_CARD
    hand, slot = games.hands[g, 0], 0
    best = best_card(hand, workspace)
    while hand != 0:
        card = bitset.lowest(hand)
        hand &= hand - 1
        about = out[slot * size : (slot + 1) * size]
        about[0] = card / len(rules.card_colours)
        about[1] = bitset.contains(known.cards[g, 0], card)
        about[2] = card == best
        about[3] = (workspace.values[card] - workspace.values[best]) / POINTS
        about[4 + rules.card_colours[card]] = 1
        at = write_chances(rules, card, workspace, parts, about, 4 + NUM_COLOURS)
        write_as_prize(rules, card, workspace, parts, about, at)
        out[slots * size + slot] = card
        slot += 1


@called
def write_chances(
    rules: Rules, card: int, workspace: Workspace, parts: Parts, out: Floats, at: int
) -> int:
    """What playing the card is expected to bring; where the next part begins."""
    for part in range(NUM_PARTS):
        for place in range(rules.num_players):
            workspace.prizes[place] = parts[place, part]
        out[at + part] = expected_prize(card, workspace.prizes, workspace) / POINTS
    at += NUM_PARTS
    for place in range(rules.num_players):
        out[at + place] = workspace.places[card, place]
    at += rules.num_players
    for rival in range(1, rules.num_players):
        out[at] = workspace.lower[rival, card]
        at += 1
    return at


@called
def write_as_prize(
    rules: Rules, card: int, workspace: Workspace, parts: Parts, out: Floats, at: int
) -> None:
    """What the card itself is worth: to oneself, if it is left over, and as a prize to others."""
    take_apart(rules, card, workspace, parts[rules.num_players])
    for part in range(NUM_PARTS):
        out[at + part] = parts[rules.num_players, part] / POINTS
    at += NUM_PARTS
    for rival in range(1, rules.num_players):
        out[at] = points_of(rules, rival, card, workspace) / POINTS
        at += 1
