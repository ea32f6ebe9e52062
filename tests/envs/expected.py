"""What seats should see of a game, said slowly from its public properties; a game told again."""

import random
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from mindup_env import OBJECTIVES, BatchEnv, Deal, Game, Layout
from mindup_env.cards import COLOURS, card_of

Int8Array = npt.NDArray[np.int8]


def expected_observation(game: Game, viewer: int) -> dict[str, Int8Array]:
    """The parts by name. Players are counted from the viewer on, places and players from 1."""
    players = range(game.config.num_players)
    seats = [(viewer + step) % game.config.num_players for step in players]
    last_cards = game.plays[-1] if game.plays else ()
    earlier_objectives = [id_ for shown in game.deal.objectives[: game.round - 1] for id_ in shown]
    table = {
        "hand": marked_cards(game, game.hand(viewer)),
        "row": numbers(
            game.row.index(card.number) + 1 if card.number in game.row else 0
            for card in game.config.deck
        ),
        "row_players": numbers(
            seats.index(last_cards.index(card)) + 1 if card in last_cards else 0
            for card in game.row
        ),
        "score_cards": numbers(game.score_cards),
        "round": number(game.round),
        "turn": number(game.turn),
        "objectives": marked_objectives(game.objectives),
        "objectives_used": marked_objectives(earlier_objectives),
    }
    blocks = [public_part(game, seat) for seat in seats]
    return table | {name: np.stack([block[name] for block in blocks]) for name in blocks[0]}


def public_part(game: Game, seat: int) -> dict[str, Int8Array]:
    """What everybody sees of one player."""
    tableau, known = game.tableau(seat), taken_back(game, seat)
    columns_of = {
        card_of(column[0]).colour: place for place, column in enumerate(tableau, start=1) if column
    }
    rounds = [scores[seat].total for scores in game.round_scores]
    to_come = [0] * (game.config.num_rounds - len(rounds))
    met = [id_ for id_ in game.objectives if id_ in game.objectives_met(seat)]
    return {
        "tableaux": marked_cards(game, [card for column in tableau for card in column]),
        "columns": numbers(columns_of.get(colour, 0) for colour in COLOURS),
        "counts": numbers(map(len, tableau)),
        "known": marked_cards(game, known),
        "unknown": number(len(game.hand(seat)) - len(known)),
        "round_scores": numbers(rounds + to_come),
        "running_scores": number(game.running_scores[seat]),
        "objectives_met": marked_objectives(met),
    }


def taken_back(game: Game, seat: int) -> set[int]:
    """The cards of a hand that lay in the tableau which the seat took back this round."""
    if game.round == 1 or game.over:
        return set()
    lay_open = {card for column in game.round_tableaux[-1][seat] for card in column}
    return lay_open & set(game.hand(seat))


def look(game: Game) -> tuple[Int8Array, Int8Array]:
    """The observations (num_players, size) and masks (num_players, num_cards) of a game."""
    env = BatchEnv(game.config)
    env.reset(seed=0)
    seen = env.set_game(0, game)
    return seen["observation"][0], seen["action_mask"][0]


def assert_seen(layout: Layout, observations: Int8Array, masks: Int8Array, game: Game) -> None:
    """Every seat sees what it should, no part more or less, and may play the cards of its hand."""
    for viewer in range(game.config.num_players):
        views = layout.views(observations[viewer])
        expected = expected_observation(game, viewer)
        assert views.keys() == expected.keys()
        for name, values in expected.items():
            assert views[name].dtype == np.int8
            np.testing.assert_array_equal(views[name], values, f"{name} of viewer {viewer}")
        np.testing.assert_array_equal(masks[viewer], marked_cards(game, game.hand(viewer)))


def marked_cards(game: Game, cards: Iterable[int]) -> Int8Array:
    chosen = set(cards)
    return numbers(card.number in chosen for card in game.config.deck)


def marked_objectives(ids: Iterable[str]) -> Int8Array:
    chosen = set(ids)
    return numbers(objective.id in chosen for objective in OBJECTIVES)


def numbers(values: Iterable[int]) -> Int8Array:
    return np.array(list(values), np.int8)


def number(value: int) -> Int8Array:
    return np.array(value, np.int8)


# A game told again, with other secrets


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
    retold = Game.from_deal(
        game.config,
        Deal.from_dict(
            {"deck": deck, "score_orders": orders, "objectives": _other_objectives(game, chance)}
        ),
    )
    for cards in game.plays:
        retold.play(cards)
    return retold


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
