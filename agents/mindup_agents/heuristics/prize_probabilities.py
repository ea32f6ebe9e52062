"""How likely a card takes which prize."""

from mindup_agents.heuristics.observed_games import Known
from mindup_agents.heuristics.workspace import Floats, Workspace
from mindup_env.engine import bitset
from mindup_env.engine.compiler import compiled
from mindup_env.engine.state import Games, Rules


@compiled
def unseen_by(rules: Rules, games: Games, known: Known, g: int, seat: int) -> int:
    """The set of cards that may be anywhere out of the sight of ``seat``."""
    seen = games.hands[g, seat]
    for player in range(rules.num_players):
        seen |= games.tableaux[g, player] | known.cards[g, player]
        seen |= bitset.one(games.row[g, player])
    return (bitset.one(len(rules.card_colours)) - 1) & ~seen


@compiled
def expect_any_card(
    rules: Rules, games: Games, known: Known, g: int, seat: int, workspace: Workspace
) -> None:
    """Fills ``workspace.places`` as if rivals played any card of their hands, all equally likely.

    A hidden card is any of the unseen ones, whatever the other hidden cards are.
    """
    unseen = unseen_by(rules, games, known, g, seat)
    share = 1 / max(bitset.size(unseen), 1)
    hand = games.hands[g, seat]
    while hand != 0:
        card = bitset.lowest(hand)
        hand &= hand - 1
        hidden_lower = bitset.size_below(unseen, card) * share
        for rival in range(rules.num_players):
            cards, others = known.cards[g, rival], known.others[g, rival]
            lower = bitset.size_below(cards, card) + others * hidden_lower
            workspace.lower[rival, card] = lower / max(bitset.size(cards) + others, 1)
    find_places(rules, seat, games.hands[g, seat], workspace)


@compiled
def find_places(rules: Rules, seat: int, hand: int, workspace: Workspace) -> None:
    """Fills ``workspace.places`` of a hand, if each rival plays lower with ``workspace.lower``."""
    while hand != 0:
        card = bitset.lowest(hand)
        hand &= hand - 1
        places = workspace.places[card]
        places[0] = 1
        for place in range(1, rules.num_players):
            places[place] = 0
        for rival in range(rules.num_players):
            if rival != seat:
                lower = workspace.lower[rival, card]
                for place in range(rules.num_players - 1, 0, -1):
                    places[place] += (places[place - 1] - places[place]) * lower
                places[0] *= 1 - lower


@compiled
def expected_prize(card: int, prizes: Floats, workspace: Workspace) -> float:
    """What ``prizes`` (num_players,) bring on average, by ``workspace.places``."""
    total = 0.0
    for place in range(len(prizes)):
        total += workspace.places[card, place] * prizes[place]
    return total
