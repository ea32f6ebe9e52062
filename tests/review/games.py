"""Games for the tests of reviews, and games that differ from them where a seat cannot see it."""

from dataclasses import replace

import numpy as np

from mindup_env import Game, GameConfig
from mindup_play.records import played_on
from mindup_play.session import Session
from mindup_play.settings import PlaySettings

CONFIG = GameConfig(num_players=3, num_objectives=2)


def random_turns(game: Game, turns: int, seed: int = 0) -> list[Game]:
    """The game before its first turn, and after each of some turns of random cards."""
    rng, games = np.random.default_rng(seed), [game]
    for _ in range(turns):
        cards = [int(rng.choice(game.hand(player))) for player in range(game.config.num_players)]
        games.append(games[-1].copy())
        games[-1].play(cards)
        game = games[-1]
    return games


def play_again(game: Game, deck: list[int], turns: list[tuple[int, ...]]) -> list[Game]:
    """Plays turns of a game with another deck."""
    first = Game.from_deal(game.config, replace(game.deal, deck=tuple(deck)))
    return played_on(first, turns)


def with_other_hidden_cards(games: list[Game]) -> list[Game]:
    """The same turns from a deal in which players 1 and 2 swap cards that they still hold.

    All other hidden cards, those still to be drawn, change places too.
    """
    before, after = games[0], games[-1]
    config, deck = before.config, list(before.deal.deck)
    hidden = [sorted({*after.hand(player)} - {*after.known(player)}) for player in (1, 2)]
    for one, other in zip(*hidden, strict=True):
        i, j = deck.index(one), deck.index(other)
        deck[i], deck[j] = other, one
    drawn = config.num_players * (config.hand_size + after.round)
    deck[drawn:] = reversed(deck[drawn:])
    return play_again(before, deck, list(after.plays))


def rotated(games: list[Game]) -> list[Game]:
    """The same game with every player one seat further on."""
    config, deck = games[0].config, list(games[0].deal.deck)
    players, size = config.num_players, config.hand_size

    def turned(cards: list[int], each: int) -> list[int]:
        parts = [cards[start : start + each] for start in range(0, len(cards), each)]
        return [card for part in [parts[-1], *parts[:-1]] for card in part]

    dealt, row = players * size, players * (size + 1)
    new = turned(deck[:dealt], size) + deck[dealt:row]
    for start in range(row, row + players * (config.num_rounds - 1), players):
        new += turned(deck[start : start + players], 1)
    new += deck[len(new) :]
    turns = [(cards[-1], *cards[:-1]) for cards in games[-1].plays]
    return play_again(games[0], new, turns)


def finished_session(seed: int = 5) -> Session:
    """A game that the person plays badly."""
    session = Session(PlaySettings(seed, players=3, opponents=("greedy", "planner")))
    while not session.game.over:
        session.play(session.game.hand(0)[0])
    return session
