"""What the last turn says about the opponents' models.

The models are judged after the turn, in sampled hands that hold the card that was played. Before
it, few of the sampled hands would hold a hidden card, and so they would say little about a model.
"""

from typing import Any

from mindup_agents.heuristics.observed_games import (
    KnownGames,
    ObservedArrays,
    ObservedGames,
    known_games,
    make_known_cards,
)
from mindup_agents.heuristics.prize_probabilities import unseen_cards
from mindup_env.config import GameConfig
from mindup_env.engine import bitset
from mindup_env.engine.compiler import compiled
from mindup_env.engine.state import Games

GamesBefore = tuple[ObservedArrays, tuple[Any, ...]]
"""B games before the last turn, and fields of KnownCards, in which hands with the cards that were
played in it are sampled."""


def make_games_before(config: GameConfig, rows: int) -> GamesBefore:
    return ObservedGames(config, rows).arrays, tuple(make_known_cards(config, rows))


def keep_games(now: ObservedArrays, before: GamesBefore) -> None:
    """Keeps the games for the next turn."""
    for new, old in zip((*now[1], *now[2]), (*before[0][1], *before[0][2]), strict=True):
        old[...] = new


@compiled
def games_before(before: GamesBefore) -> tuple[KnownGames, KnownGames]:
    """The games before the last turn, as they were known then, and with ``add_played_cards``."""
    known = known_games(*before[0])
    return known, KnownGames(known.rules, known.games, *before[1])


@compiled
def add_played_cards(games: Games, before: KnownGames, g: int, sampled: KnownGames) -> bool:
    """Fills ``sampled``: what was known of the hands before the turn, and the cards played in it.

    Returns False if game ``g`` is not one turn after the game before.
    """
    clock, num_players = before.games.clock[g], before.rules.num_players
    if games.clock[g] != clock + 1:
        return False
    unseen = unseen_cards(before, g, 0)
    for player in range(num_players):
        sampled.cards[g, player] = before.cards[g, player]
        sampled.num_hidden[g, player] = before.num_hidden[g, player]
    for opponent in range(1, num_players):
        card = games.played[g, clock, opponent]
        if not bitset.contains(before.cards[g, opponent], card):
            if before.num_hidden[g, opponent] == 0 or not bitset.contains(unseen, card):
                return False
            sampled.cards[g, opponent] |= bitset.one(card)
            sampled.num_hidden[g, opponent] -= 1
    return True
