"""How likely a card takes each prize: its place among the cards of all players decides."""

from mindup_agents.heuristics.observed_games import KnownGames
from mindup_agents.heuristics.workspace import Float64Array, Workspace
from mindup_env.engine import bitset
from mindup_env.engine.compiler import compiled
from mindup_env.engine.state import Rules

Places = tuple[float, float, float, float, float, float]
"""The distribution of the number of lower cards, which is the place of the prize; as a tuple of
MAX_PLAYERS it stays in registers. Places from the number of players on have the probability 0."""
NO_OPPONENTS: Places = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@compiled
def unseen_cards(known: KnownGames, g: int, seat: int) -> int:
    """The set of cards whose place ``seat`` does not know."""
    rules, games = known.rules, known.games
    seen = games.hands[g, seat]
    for player in range(rules.num_players):
        seen |= games.tableaux[g, player] | known.cards[g, player]
        seen |= bitset.one(games.row[g, player])
    return (bitset.one(len(rules.card_colours)) - 1) & ~seen


@compiled
def update_uniform_probabilities(
    known: KnownGames, g: int, seat: int, workspace: Workspace
) -> None:
    """Fills ``workspace.prize_probabilities`` as if opponents played uniformly random cards.

    A hidden card is any unseen card with the same probability, independently of the others.
    """
    unseen = unseen_cards(known, g, seat)
    share = 1 / max(bitset.size(unseen), 1)
    for card in bitset.members(known.games.hands[g, seat]):
        hidden_lower = bitset.size_below(unseen, card) * share
        places = NO_OPPONENTS
        for player in range(known.rules.num_players):
            if player != seat:
                cards, num_hidden = known.cards[g, player], known.num_hidden[g, player]
                lower = bitset.size_below(cards, card) + num_hidden * hidden_lower
                lower /= max(bitset.size(cards) + num_hidden, 1)
                places = add_opponent(places, lower)
        write_places(places, workspace.prize_probabilities[card])


@compiled
def update_prize_probabilities(rules: Rules, hand: int, workspace: Workspace) -> None:
    """Fills ``prize_probabilities`` for a hand of player 0 from ``lower_probabilities``."""
    for card in bitset.members(hand):
        places = NO_OPPONENTS
        for opponent in range(1, rules.num_players):
            places = add_opponent(places, workspace.lower_probabilities[opponent, card])
        write_places(places, workspace.prize_probabilities[card])


@compiled
def add_opponent(places: Places, lower: float) -> Places:
    """The distribution with one more opponent, whose card is lower with a probability."""
    p0, p1, p2, p3, p4, p5 = places
    return (
        p0 * (1 - lower),
        p1 + (p0 - p1) * lower,
        p2 + (p1 - p2) * lower,
        p3 + (p2 - p3) * lower,
        p4 + (p3 - p4) * lower,
        p5 + (p4 - p5) * lower,
    )


@compiled
def write_places(places: Places, out: Float64Array) -> None:
    """Writes a distribution into ``out`` (MAX_PLAYERS,)."""
    out[0], out[1], out[2], out[3], out[4], out[5] = places


@compiled
def expected_prize_value(card: int, prize_values: Float64Array, workspace: Workspace) -> float:
    """The mean of ``prize_values`` (num_players,) by ``workspace.prize_probabilities``."""
    total = 0.0
    for place in range(len(prize_values)):
        total += workspace.prize_probabilities[card, place] * prize_values[place]
    return total
