"""A game told again: with other secrets, or by players who sit elsewhere."""

import random
from collections.abc import Sequence

from mindup_env import OBJECTIVES, Game
from tests.envs.expected import taken_back

Rows = Sequence[Sequence[int]]


def hidden_cards(game: Game, viewer: int) -> list[int]:
    """The cards of which ``viewer`` cannot tell who has them, or whether anybody has."""
    others = [player for player in range(game.config.num_players) if player != viewer]
    in_hands = [
        card for player in others for card in set(game.hand(player)) - taken_back(game, player)
    ]
    drawn = game.config.num_players * (game.config.hand_size + game.round)
    return [*in_hands, *game.deal.deck[drawn:]]


def with_other_secrets(game: Game, viewer: int, chance: random.Random) -> Game:
    """The same game for ``viewer``, with all that it cannot see drawn again."""
    deck, hidden = list(game.deal.deck), hidden_cards(game, viewer)
    places = [place for place, card in enumerate(deck) if card in hidden]
    chance.shuffle(hidden)
    for place, card in zip(places, hidden, strict=True):
        deck[place] = card
    orders = [list(order) for order in game.deal.score_orders]
    for order in orders[game.round :]:
        chance.shuffle(order)
    return _play(game, deck, orders, _other_objectives(game, chance), game.plays)


def turned(game: Game, steps: int) -> Game:
    """The same game with every player so many seats further on."""
    players, hand_size, deck = game.config.num_players, game.config.hand_size, game.deal.deck
    origins = [(seat - steps) % players for seat in range(players)]
    hands = [deck[origin * hand_size :][:hand_size] for origin in origins]
    drawn = [
        [deck[players * (hand_size + round_) + origin] for origin in origins]
        for round_ in range(1, game.config.num_rounds)
    ]
    row = deck[players * hand_size :][:players]
    rest = deck[players * (hand_size + game.config.num_rounds) :]
    new_deck = [card for part in (*hands, row, *drawn, rest) for card in part]
    plays = [[cards[origin] for origin in origins] for cards in game.plays]
    return _play(game, new_deck, game.deal.score_orders, game.deal.objectives, plays)


def _other_objectives(game: Game, chance: random.Random) -> list[tuple[str, ...]]:
    """Those of the rounds to come drawn again, where a round has fresh ones."""
    if not game.config.objectives_renewed:
        return list(game.deal.objectives)
    shown = list(game.deal.objectives[: game.round])
    while len(shown) < game.config.num_rounds:
        used = {id_ for ids in shown for id_ in ids}
        unused = [objective for objective in OBJECTIVES if objective.id not in used]
        chosen = chance.sample(unused, game.config.num_objectives)
        if len({objective.letter for objective in chosen}) == len(chosen):
            shown.append(tuple(objective.id for objective in chosen))
    return shown


def _play(
    game: Game, deck: Sequence[int], orders: Rows, objectives: Sequence[Sequence[str]], plays: Rows
) -> Game:
    retold = Game.from_deal(game.config, deck, orders, objectives)
    for cards in plays:
        retold.play(cards)
    return retold
