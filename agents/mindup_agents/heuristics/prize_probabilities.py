"""How likely a card takes each prize: its place among the cards of all players decides."""

from mindup_agents.heuristics.observed_games import KnownCards
from mindup_agents.heuristics.workspace import Float64Array, Workspace
from mindup_env.engine import bitset
from mindup_env.engine.compiler import compiled
from mindup_env.engine.state import Games, Rules


@compiled
def unseen_cards(rules: Rules, games: Games, known: KnownCards, g: int, seat: int) -> int:
    """The set of cards whose place ``seat`` does not know."""
    seen = games.hands[g, seat]
    for player in range(rules.num_players):
        seen |= games.tableaux[g, player] | known.cards[g, player]
        seen |= bitset.one(games.row[g, player])
    return (bitset.one(len(rules.card_colours)) - 1) & ~seen


@compiled
def update_uniform_probabilities(
    rules: Rules, games: Games, known: KnownCards, g: int, seat: int, workspace: Workspace
) -> None:
    """Fills ``workspace.prize_probabilities`` as if opponents played uniformly random cards.

    A hidden card is any unseen card with the same probability, independently of the others.
    """
    unseen = unseen_cards(rules, games, known, g, seat)
    share = 1 / max(bitset.size(unseen), 1)
    hand = games.hands[g, seat]
    while hand != 0:
        card = bitset.lowest(hand)
        hand &= hand - 1
        hidden_lower = bitset.size_below(unseen, card) * share
        for player in range(rules.num_players):
            cards, num_hidden = known.cards[g, player], known.num_hidden[g, player]
            lower = bitset.size_below(cards, card) + num_hidden * hidden_lower
            lower /= max(bitset.size(cards) + num_hidden, 1)
            workspace.lower_probabilities[player, card] = lower
    update_prize_probabilities(rules, seat, games.hands[g, seat], workspace)


@compiled
def update_prize_probabilities(rules: Rules, seat: int, hand: int, workspace: Workspace) -> None:
    """Fills ``workspace.prize_probabilities`` for a hand from ``workspace.lower_probabilities``."""
    while hand != 0:
        card = bitset.lowest(hand)
        hand &= hand - 1
        # The distribution of the number of lower cards, one opponent added after another.
        places = workspace.prize_probabilities[card]
        places[0] = 1
        for place in range(1, rules.num_players):
            places[place] = 0
        for opponent in range(rules.num_players):
            if opponent != seat:
                lower = workspace.lower_probabilities[opponent, card]
                for place in range(rules.num_players - 1, 0, -1):
                    places[place] += (places[place - 1] - places[place]) * lower
                places[0] *= 1 - lower


@compiled
def expected_prize_value(card: int, prize_values: Float64Array, workspace: Workspace) -> float:
    """The mean of ``prize_values`` (num_players,) by ``workspace.prize_probabilities``."""
    total = 0.0
    for place in range(len(prize_values)):
        total += workspace.prize_probabilities[card, place] * prize_values[place]
    return total
