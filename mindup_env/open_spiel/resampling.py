"""States that one player cannot distinguish, for OpenSpiel's IS-MCTS."""

from typing import Any

import numpy as np

from mindup_env.belief import sample
from mindup_env.checks import InputError
from mindup_env.game import Game
from mindup_env.open_spiel.history import CARD, history_of
from mindup_env.open_spiel.observer import observation


def resample(state: Any, player: int, rng: np.random.Generator) -> Any:
    """A random state of a turn-based game in which the player to move knows the same.

    ``belief.sample`` draws the cards that the player does not know. Actions that others have
    already chosen in the same turn become uniformly random ones. For example:
    ``bot.set_resampler(functools.partial(resample, rng=rng))``.
    """
    if player < 0 or player != state.current_player():
        raise InputError(
            f"states are resampled for the player to move, and turn-based, not {player}"
        )
    history = history_of(state)
    game = history.games[-1]
    config = game.config
    world = Game.from_batch(sample(observation(game, player), config, 1, rng))
    other_cards = dict[int, int]()  # in the place of those that the player does not know
    for seat in range(config.num_players):
        hand = world.hand((seat - player) % config.num_players)
        pair = (sorted({*cards} - {*game.known(seat)}) for cards in (game.hand(seat), hand))
        other_cards.update(zip(*pair, strict=True))
    kinds = history.chance.draws
    draws = [
        other_cards.get(outcome + 1, outcome + 1) - 1 if kind == CARD else outcome
        for kind, outcome in zip(kinds, history.drawn, strict=False)
    ]
    size = config.hand_size
    for start in range(0, config.num_players * size, size):  # each first hand is drawn ascending
        draws[start : start + size] = sorted(draws[start : start + size])

    chance, plays = iter(draws), iter(card - 1 for turn in history.plays for card in turn)
    other = state.get_game().new_initial_state()
    for _ in state.history():
        known = chance if other.is_chance_node() else plays
        action = next(known, None)
        other.apply_action(int(rng.choice(other.legal_actions())) if action is None else action)
    return other
