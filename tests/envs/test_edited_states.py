"""What a user changes in a state, a mask or an array of a reward cannot break a game."""

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.belief import sample
from mindup_env.engine.batch import Batch
from tests.envs.playing import SHORT, everything, games_of, started

CONFIG = GameConfig(3, num_objectives=2)


def put(name: str, index: Any, value: Any) -> Callable[[Batch], None]:
    def edit(state: Batch) -> None:
        getattr(state.games, name)[index] = value

    return edit


def exchange_a_card_in_hand(state: Batch) -> None:
    state.games.hands[0, :2] = state.games.hands[0, 0]


def move_columns_too_far(state: Batch) -> None:
    state.games.columns[state.games.columns >= 0] += 64  # the bits of a set


EDITS = {
    "clock beyond the end": put("clock", 0, 30_000),
    "clock below 0": put("clock", 0, -1),
    "clock of another turn": put("clock", 0, 3),
    "row of no cards": put("row", 0, [-5, 70, 127]),
    "row that is not sorted": put("row", (0, slice(0, 2)), [59, 0]),
    "columns that there are not": put("columns", (0, 1, 2), 100),
    "columns that are too far": move_columns_too_far,
    "columns of no colours": put("columns", 0, 4),
    "objectives that there are not": put("objectives", (0, 2), 99),
    "objectives below 0": put("objectives", (0, 0), -3),
    "an objective that there is not": put("objectives", (0, 2, 0), 99),
    "an objective below 0": put("objectives", (0, 1, 1), -1),
    "hands of other cards": put("hands", (0, 0), -1),
    "hands without a card": put("hands", (0, 1), 0),
    "hands with the same cards": exchange_a_card_in_hand,
    "tableaux of all cards": put("tableaux", (0, 2), 2**60 - 1),
    "tableaux beyond the deck": put("tableaux", (0, 2), 1 << 62),
    "deck beyond its cards": put("deck", (0, 5), 60),
    "deck with a card twice": put("deck", (0, slice(0, 2)), 7),
    "score cards that there are not": put("score_cards", (0, 1), 9),
    "score cards twice": put("score_cards", (0, 0), 1),
    "played cards that there are not": put("played", (0, 7), 100),
    "played cards below 0": put("played", (0, 1, 0), -2),
    "taken cards that there are not": put("taken", (0, 3), 64),
    "taken cards of nobody": put("taken", (0, 8), -1),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_an_edited_state_is_refused_before_compiled_code_reads_it(
    edit: Callable[[Batch], None],
) -> None:
    env = started(2, turns=8, config=CONFIG)
    before = games_of(env), everything(env.seen)
    kept = env.get_state([1])
    with pytest.raises(ValueError, match="read-only"):
        edit(kept)
    state = copy.deepcopy(kept)  # an array of a copy can be written to
    edit(state)
    for use in (lambda: env.set_state([0], state), lambda: Game.from_batch(state)):
        with pytest.raises(ValueError, match="game 0 of the state cannot occur"):
            use()
    assert (games_of(env), everything(env.seen)) == before


@pytest.mark.parametrize("turns", range(0, CONFIG.num_turns + 1, 3))
def test_the_states_of_games_and_of_samples_are_accepted(turns: int) -> None:
    env = started(2, turns=turns, config=CONFIG, autoreset=False)
    state = env.get_state([1, 0])
    env.set_state([0, 1], state)
    seen = env.seen["observation"][0, 1].copy()
    sampled = sample(seen, CONFIG, 2, np.random.default_rng(turns))
    assert env.set_state([0, 1], sampled)["observation"][1, 0].tobytes() == seen.tobytes()


def test_arrays_of_other_types_or_shapes_are_refused() -> None:
    env = started(2, turns=2)
    games = env.get_state([0, 1]).games
    for odd in (
        games._replace(hands=games.hands.astype(np.uint64)),
        games._replace(row=games.row[:, :-1]),
        games._replace(deck=games.deck[:1]),
        games._replace(clock=np.int16(1)),  # type: ignore[arg-type]
        None,
    ):
        with pytest.raises(ValueError, match=r"of the games must be |must be Games, not"):
            env.set_state([0, 1], Batch(SHORT, odd))  # type: ignore[arg-type]
    transposed = games._replace(row=np.asfortranarray(games.row))
    env.set_state([0, 1], Batch(SHORT, transposed))
    assert games_of(env) == [Game.from_batch(Batch(SHORT, games), index) for index in range(2)]


def test_a_reward_function_gets_copies() -> None:
    def write(gained: Any, over: Any, win_share: Any) -> Any:
        for array in (gained, over, win_share):
            array[...] = 7
        return gained

    env, same = BatchEnv(SHORT, 2, reward=write), BatchEnv(SHORT, 2)
    env.reset(seed=4)
    same.reset(seed=4)
    for _ in range(SHORT.num_turns):
        actions = same.random_actions()
        _, rewards, *told = env.step(actions)
        _, _, *expected = same.step(actions)
        assert (rewards == 7).all()
        assert everything(dict(enumerate(told))) == everything(dict(enumerate(expected)))


def test_a_mask_that_a_user_empties_empties_no_hand() -> None:
    env = started(3, turns=2)
    states = env.state()
    for array in env.seen.values():
        array[...] = 0
    assert np.array_equal(env.state(), states) and states[:, :60].any()


@pytest.mark.parametrize(
    "config",
    [GameConfig(2, num_rounds=rounds, hand_size=2, num_cards=10) for rounds in (1, 2)]
    + [SHORT, CONFIG],
    ids=str,
)
def test_a_sampled_game_has_a_record_or_says_that_its_past_is_unknown(config: GameConfig) -> None:
    env = started(1, turns=0, config=config, autoreset=False)
    for turn in range(config.num_turns + 1):
        seen = env.seen["observation"][0, 0]
        game = Game.from_batch(sample(seen, config, 1, np.random.default_rng(turn)))
        if game.past_is_known:
            assert Game.replay(game.record()) == game
        else:
            with pytest.raises(ValueError, match="the past of a game from belief"):
                game.record()
        assert game.past_is_known == (turn == 0 or (turn == 1 and config.hand_size > 2))
        env.step(env.random_actions())
