"""The full state of all games, from every seat, in declared parts; ``test_every_api`` has more."""

import json
from typing import Any

import numpy as np
import pytest

from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.observation import state_layout_of
from tests.envs.bots import choose_all
from tests.envs.playing import everything, games_of, random_legal

GAMES = 3
TABLES = [(2, 0), (4, 2), (6, 5)]


@pytest.mark.parametrize(("players", "objectives"), TABLES)
def test_a_state_has_all_hands_and_what_each_seat_sees(players: int, objectives: int) -> None:
    """The state of a seat is that of the game with rotated seats."""
    config = GameConfig(players, objectives)
    layout, chance = state_layout_of(config), np.random.default_rng(6)
    batch = BatchEnv(config, GAMES, autoreset=False)
    batch.reset(seed=6)
    for _ in range(config.num_turns + 1):
        seen = everything(batch.seen)
        per_seat, states = batch.state(per_seat=True), batch.state()
        assert everything(batch.seen) == seen, "nothing in the observations changes"
        assert per_seat.shape == (GAMES, players, layout.size)
        assert np.array_equal(per_seat[:, 0], states)
        views, first = layout.views(per_seat), layout.views(states)
        for game, hands in zip(games_of(batch), first["hands"], strict=True):
            for player, hand in enumerate(hands):
                assert tuple((np.flatnonzero(hand) + 1).tolist()) == game.hand(player)
        for seat in range(players):
            assert np.array_equal(views["hands"][:, seat], np.roll(first["hands"], -seat, axis=1))
            # The public part is what the seat observes.
            public = batch.seen["observation"][:, seat, config.num_cards :]
            assert np.array_equal(per_seat[:, seat, players * config.num_cards :], public)
        batch.step(random_legal(batch.seen, chance))


@pytest.mark.parametrize("table", [{"num_players": 3, "num_objectives": 2}, {"num_players": 6}])
def test_what_is_still_to_come_changes_no_state(table: dict[str, Any]) -> None:
    env, other = (BatchEnv(GameConfig(**table), autoreset=False) for _ in range(2))
    env.reset(seed=2)
    other.reset(seed=3)
    for _ in range(env.config.num_turns):
        game = env.game(0)
        future = with_another_future(game)
        # Six players have drawn the whole deck in the last round.
        assert (future == game) == (env.config.num_players == 6 and game.round == 3)
        other.set_game(0, future)
        assert np.array_equal(other.state(), env.state())
        env.step(choose_all(env.seen["action_mask"]))


def with_another_future(game: Game) -> Game:
    """The same so far: the undrawn cards, coming score cards and objectives are in turned order."""
    plain = json.loads(json.dumps(game.record()))
    deal, players = plain["deal"], game.config.num_players
    drawn = players * (game.config.hand_size + game.round)
    deal["deck"][drawn:] = turned(deal["deck"][drawn:])
    for order in deal["score_orders"][game.round :]:
        order[:] = turned(order)
    if game.config.objectives_renewed:
        deal["objectives"][game.round :] = turned(deal["objectives"][game.round :])
    return Game.replay(plain)


def turned(items: list[Any]) -> list[Any]:
    return items[1:] + items[:1]
