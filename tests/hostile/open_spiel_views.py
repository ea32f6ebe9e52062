"""What OpenSpiel's API tells one seat while a game is dealt and played."""

from itertools import pairwise
from typing import Any

from mindup_env import Game
from mindup_env.objectives import OBJECTIVE_INDEX
from mindup_env.open_spiel import load_game
from mindup_env.open_spiel.chance import Chance, Draws
from mindup_env.open_spiel.pyspiel_extra import pyspiel
from tests.hostile.seat_views import Given


def of_open_spiel(game: Game, seat: int) -> Given:
    """Texts and vectors at every node; OpenSpiel's own methods where players choose."""
    spiel = load_game(game.config)
    kinds = [pyspiel.IIGObservationType(perfect_recall=recall) for recall in (False, True)]
    observers = [spiel.make_py_observer(kind) for kind in kinds]
    state, draws = spiel.new_initial_state(), chance_draws(game)
    plays = iter(game.plays)
    while True:
        for observer in observers:
            observer.set_from(state, seat)
            yield observer.tensor, observer.string_from(state, seat)
        yield state.current_player()
        if state.is_chance_node():
            state.apply_action(draws_next(state, draws))
            continue
        yield own_methods(state, seat)
        cards = next(plays, None)
        if cards is None:
            return
        state.apply_actions([card - 1 for card in cards])


def own_methods(state: Any, seat: int) -> list[Any]:
    return [
        state.legal_actions(seat),
        state.observation_string(seat),
        state.observation_tensor(seat),
        state.information_state_string(seat),
        state.information_state_tensor(seat),
    ]


def draws_next(state: Any, whole: Draws) -> int:
    """The outcome of the next chance draw in a game with these draws."""
    history = state.history_state
    name, _ = history.chance._next(history.draws, history.rounds)
    outcome: int = getattr(whole, name)[len(getattr(history.draws, name))]
    return outcome


def chance_draws(game: Game) -> Draws:
    """All draws of the deal: OpenSpiel deals each hand and the row in ascending order."""
    config, deal, chance = game.config, game.deal, Chance(game.config)
    players, size, rounds = config.num_players, config.hand_size, config.num_rounds
    starts = [*range(0, players * size + 1, size), players * (size + 1)]
    sets = [sorted(deal.deck[start:end]) for start, end in pairwise(starts)]
    later = deal.deck[players * (size + 1) : players * (size + rounds)]
    needed = chance._score_cards
    orders = [
        order[: needed[round_ + 1] - needed[round_]]
        for round_, order in enumerate(deal.score_orders)
    ]
    shown = deal.objectives if config.objectives_renewed else deal.objectives[:1]
    return Draws(
        tuple(card - 1 for part in (*sets, later) for card in part),
        tuple(value - 1 for order in orders for value in order),
        tuple(OBJECTIVE_INDEX[id_] for ids in shown for id_ in ids),
    )
