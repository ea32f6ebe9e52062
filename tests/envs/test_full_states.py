"""The full state of all games: that of parallel_env, from every seat, in declared parts."""

from typing import Any

import gymnasium
import numpy as np
import pytest

from mindup_env import BatchEnv, Game, GameConfig, StateLayout, mindup_v0
from mindup_env.observation import layout_of, state_layout_of
from tests.envs.bots import choose_all
from tests.envs.playing import SHORT, deals, everything, games_of, play_all, random_legal
from tests.envs.test_layout import bounds_by_part, places

GAMES = 3
TABLES: list[dict[str, Any]] = [
    {"num_players": players, "num_objectives": objectives}
    for players, objectives in ((2, 0), (2, 5), (3, 1), (3, 2), (4, 3), (5, 0), (6, 2), (6, 5))
]
tables = pytest.mark.parametrize(
    "table", TABLES, ids=lambda table: "-".join(map(str, table.values()))
)


@tables
def test_a_row_is_the_state_of_the_parallel_api_over_a_whole_game(table: dict[str, Any]) -> None:
    batch = BatchEnv(GameConfig(**table), GAMES, autoreset=False)
    chance = np.random.default_rng(5)
    batch.reset(seed=5)
    parallel = mindup_v0.parallel_env(**table)
    for _ in range(batch.config.num_turns + 1):
        states, seen = batch.state().copy(), everything(batch.seen)
        for game, state in zip(games_of(batch), states, strict=True):
            put(parallel, game)
            assert np.array_equal(parallel.state(), state)
            assert state in parallel.state_space
            hands = state.reshape(-1)[: game.config.num_players * game.config.num_cards]
            expected = [game.hand(player) for player in range(game.config.num_players)]
            assert cards_of(hands.reshape(game.config.num_players, -1)) == expected
            public = batch.game(0), parallel.observe("player_0")["observation"]
            assert np.array_equal(state[len(hands) :], public[1][game.config.num_cards :])
        assert everything(batch.seen) == seen, "nothing in the observations changes"
        batch.step(random_legal(batch.seen, chance))


def put(parallel: Any, game: Game) -> None:
    """Puts a game into an environment; a record of a game that is over is refused."""
    parallel.reset(seed=0)
    parallel._batch.set_game(0, game)


def cards_of(hands: Any) -> list[tuple[int, ...]]:
    return [tuple((np.flatnonzero(hand) + 1).tolist()) for hand in hands]


@tables
def test_the_state_of_a_seat_is_that_of_the_game_with_rotated_seats(table: dict[str, Any]) -> None:
    config = GameConfig(**table)
    layout, players = state_layout_of(config), config.num_players
    batch, chance = BatchEnv(config, GAMES), np.random.default_rng(6)
    batch.reset(seed=6)
    for _ in range(config.num_turns):
        per_seat, states = batch.state(per_seat=True), batch.state()
        assert per_seat.shape == (GAMES, players, layout.size)
        assert np.array_equal(per_seat[:, 0], states)
        views, first = layout.views(per_seat), layout.views(states)
        for seat in range(players):
            assert np.array_equal(views["hands"][:, seat], np.roll(first["hands"], -seat, axis=1))
            for part in layout.player_parts:
                rotated = np.roll(first[part.name], -seat, axis=1)
                assert np.array_equal(views[part.name][:, seat], rotated)
            whose = first["row_players"].astype(int)
            counted = np.where(whose > 0, (whose - 1 - seat) % players + 1, 0)
            assert np.array_equal(views["row_players"][:, seat], counted)
            for name in ("row", "score_cards", "round", "turn", "objectives", "objectives_used"):
                assert np.array_equal(views[name][:, seat], first[name])
            # Its own public part is what the seat observes.
            seen = batch.seen["observation"][:, seat, config.num_cards :]
            assert np.array_equal(per_seat[:, seat, players * config.num_cards :], seen)
        batch.step(random_legal(batch.seen, chance))


def test_the_next_call_writes_over_the_array_unless_it_is_copied() -> None:
    for copy in (False, True):
        env = BatchEnv(SHORT, 2, copy=copy)
        env.reset(seed=1)
        for per_seat in (False, True):
            first = env.state(per_seat=per_seat)
            kept = first.copy()
            env.step(env.seen["action_mask"].argmax(axis=2))
            assert np.array_equal(first, kept), "only the next call writes over it"
            second = env.state(per_seat=per_seat)
            assert np.shares_memory(first, second) != copy
            assert not np.array_equal(second, kept)
        assert not np.shares_memory(env.state(), env.state(per_seat=True))


def test_a_state_needs_games() -> None:
    env = BatchEnv(SHORT, 2)
    with pytest.raises(ValueError, match=r"reset\(\) deals the first games"):
        env.state()
    (game, _) = deals(SHORT, 3, 2)
    env.set_game(0, game)
    with pytest.raises(ValueError, match=r"reset\(\) deals the first games"):
        env.state()


def test_the_state_follows_set_state_and_copies() -> None:
    env = BatchEnv(SHORT, 2)
    env.reset(seed=1)
    dealt, saved = env.state().copy(), env.get_state([0])
    env.step(env.seen["action_mask"].argmax(axis=2))
    env.set_state([1], saved)
    assert np.array_equal(env.state()[1], dealt[0])
    games = games_of(env)
    play_all(games, env.seen["action_mask"].argmax(axis=2))
    env.step(env.seen["action_mask"].argmax(axis=2))
    assert games_of(env) == games


@pytest.mark.parametrize("seat", [1, "random"])
def test_the_vector_environment_has_the_states_too(seat: int | str) -> None:
    env: Any = gymnasium.make_vec(
        "MindUp-v0", num_envs=4, opponents=["lowest"], seat=seat, num_players=3
    )
    seen, info = env.reset(seed=2)
    batch = BatchEnv(GameConfig(num_players=3), 4)
    batch.reset(seed=2)
    for _ in range(batch.config.num_turns + 1):
        states, per_seat = env.state(), env.state(per_seat=True)
        assert np.array_equal(states, batch.state())
        assert np.array_equal(per_seat, batch.state(per_seat=True))
        own = state_layout_of(batch.config).views(per_seat[range(4), info["seat"]])
        assert np.array_equal(own["hands"][:, 0], seen["action_mask"])
        batch.step(batch.seen["action_mask"].argmax(axis=2))
        seen, _, _, _, info = env.step(seen["action_mask"].argmax(axis=1))
        assert not np.shares_memory(states, env.state())


@pytest.mark.parametrize("players", range(2, 7))
def test_the_declared_parts_fill_the_state(players: int) -> None:
    config = GameConfig(num_players=players, num_objectives=2)
    layout, seen = StateLayout(config), layout_of(config)
    pieces = [view.ravel() for view in layout.views(places(layout)).values()]
    assert np.concatenate(pieces).tolist()[: layout.players] == [*range(layout.players)]
    assert sorted(np.concatenate(pieces).tolist()) == [*range(layout.size)]
    assert layout.size == seen.size + (players - 1) * config.num_cards
    bounds = bounds_by_part(layout)
    assert bounds.pop("hands") == {(0, 1)}
    expected = bounds_by_part(seen)
    del expected["hand"]
    assert bounds == expected
    assert f"| `hands` | {players} x 60 | 0 | 0 to 1 |" in layout.table()
    with pytest.raises(ValueError, match=f"a state of this config has {layout.size} entries"):
        layout.views(np.zeros(layout.size - 1, np.int8))


@pytest.mark.parametrize("table", [{"num_players": 3, "num_objectives": 2}, {"num_players": 6}])
def test_what_is_still_to_come_changes_no_state(table: dict[str, Any]) -> None:
    env, other = (BatchEnv(GameConfig(**table), autoreset=False) for _ in range(2))
    env.reset(seed=2)
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
