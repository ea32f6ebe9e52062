"""The state of the PettingZoo forms: all hands and what lies open, and nothing of the future."""

from typing import Any

import numpy as np
import pytest

from mindup_env import Game, GameConfig, mindup_v0
from tests.envs.bots import choose

CONFIGS = [
    GameConfig(num_players=2, num_rounds=2, hand_size=2),
    GameConfig(num_players=3),
    GameConfig(num_players=3, num_objectives=2),
    GameConfig(num_players=6, num_objectives=5),
]
configs = pytest.mark.parametrize("config", CONFIGS, ids=lambda config: f"{config.num_players}p")


def fields(config: GameConfig) -> dict[str, Any]:
    return {name: value for name, value in config.to_dict().items() if name != "deck"}


def stages(config: GameConfig, seed: int = 2) -> list[Game]:
    """A game before each of its turns."""
    game = Game(config, seed)
    games = []
    while not game.over:
        games.append(game.copy())
        hands = [game.hand(player) for player in range(config.num_players)]
        game.play([choose([card - 1 for card in hand]) + 1 for hand in hands])
    return games


def state_of(game: Game) -> Any:
    env = mindup_v0.parallel_env(**fields(game.config))
    env.reset(options={"record": game.record()})
    assert env.game == game
    state = env.state()
    assert state in env.state_space and state.dtype == np.int8
    return state


@configs
def test_the_state_holds_all_hands_and_what_is_public(config: GameConfig) -> None:
    env = mindup_v0.parallel_env(**fields(config))
    for game in stages(config):
        state = state_of(game)
        hands, public = np.split(state, [config.num_players * config.num_cards])
        for player, hand in enumerate(hands.reshape(config.num_players, -1)):
            assert np.flatnonzero(hand).tolist() == [card - 1 for card in game.hand(player)]
        env.reset(options={"record": game.record()})
        seen = env.observe("player_0")["observation"]
        assert np.array_equal(public, seen[config.num_cards :])


@configs
def test_states_are_all_different(config: GameConfig) -> None:
    states = {state_of(game).tobytes() for game in stages(config)}
    assert len(states) == config.num_turns


@configs
def test_what_is_still_to_come_changes_no_state(config: GameConfig) -> None:
    for game in stages(config):
        other = with_another_future(game)
        # Six players have drawn the whole deck by then.
        assert (other == game) == (config.num_players == 6 and game.round == 3)
        assert np.array_equal(state_of(other), state_of(game))


def with_another_future(game: Game) -> Game:
    """The same so far: the undrawn cards, coming score cards and objectives are in turned order."""
    plain = game.to_dict()
    deal, players = plain["deal"], game.config.num_players
    drawn = players * (game.config.hand_size + game.round)
    deal["deck"][drawn:] = turned(deal["deck"][drawn:])
    for order in deal["score_orders"][game.round :]:
        order[:] = turned(order)
    if game.config.objectives_renewed:
        deal["objectives"][game.round :] = turned(deal["objectives"][game.round :])
    return Game.from_dict(plain)


def turned(items: list[Any]) -> list[Any]:
    return items[1:] + items[:1]


@pytest.mark.parametrize("turns", [0, 3, 9])
def test_hands_that_are_hidden_from_the_first_seat_change_the_state(turns: int) -> None:
    game = stages(GameConfig(num_players=3))[turns]
    plain = game.to_dict()
    deck = plain["deal"]["deck"]
    (one, *_), (other, *_) = (set(game.hand(p)) - set(game.known(p)) for p in (1, 2))
    places = deck.index(one), deck.index(other)
    deck[places[0]], deck[places[1]] = other, one
    swapped = Game.from_dict(plain)
    assert swapped.row == game.row and swapped.hand(0) == game.hand(0)
    assert not np.array_equal(state_of(swapped), state_of(game))


def test_both_forms_have_the_same_state_at_the_end_too() -> None:
    parallel, turn_based = mindup_v0.parallel_env(), mindup_v0.env()
    parallel.reset(seed=1)
    turn_based.reset(seed=1)
    assert turn_based.unwrapped.state_space == parallel.state_space
    while parallel.agents:
        assert np.array_equal(turn_based.state(), parallel.state())
        actions = {
            agent: int(parallel.observe(agent)["action_mask"].argmax()) for agent in parallel.agents
        }
        for action in actions.values():
            turn_based.step(action)
        parallel.step(actions)
    end = parallel.state()
    assert np.array_equal(turn_based.state(), end) and end in parallel.state_space
    assert not end[: 4 * 60].any(), "the hands are empty"
