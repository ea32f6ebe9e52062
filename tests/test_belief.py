"""Sampled games: what the seat sees of them is what it saw, and they can be played on."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindup_env import OBJECTIVES, Game, GameConfig
from mindup_env.batch_env import Arrays, BatchEnv, BatchState
from mindup_env.belief import sample
from mindup_env.cards import COLOURS, Card, Deck
from mindup_env.engine.state import NOTHING, Games
from tests.rules.strategies import configs, rules_settings

POINTS = {objective.id: objective.points for objective in OBJECTIVES}
seeds = st.integers(0, 2**32)
Point = tuple[GameConfig, int, int]  # after so many turns of the game with that seed


def small_deck(num_cards: int) -> Deck:
    return Deck(tuple(Card(i + 1, COLOURS[i * 7 % 5], i % 4 - 1) for i in range(num_cards)))


@st.composite
def small_configs(draw: st.DrawFn) -> GameConfig:
    players, rounds, hand_size = (draw(st.integers(2, most)) for most in (6, 4, 4))
    num_cards = players * (hand_size + rounds) + draw(st.integers(0, 3))
    deck = small_deck(num_cards)
    return GameConfig(players, draw(st.integers(0, 5)), rounds, hand_size, deck)


def play_randomly(env: BatchEnv, seen: Arrays, turns: int, rng: np.random.Generator) -> Arrays:
    for _ in range(turns):
        chances = rng.random(seen["action_mask"].shape) * seen["action_mask"]
        seen, _, _, _, _ = env.step(chances.argmax(axis=2))
    return seen


def position(config: GameConfig, turns: int, seed: int) -> tuple[BatchEnv, Arrays]:
    env = BatchEnv(config, autoreset=False, illegal_action="raise", copy=True)
    seen, _ = env.reset(seed=seed)
    return env, play_randomly(env, seen, turns, np.random.default_rng(seed))


@st.composite
def points(draw: st.DrawFn) -> Point:
    """A game at any point, over or not. It is not played here, where compiling would count."""
    config = draw(st.one_of(configs(), small_configs()))
    return config, draw(st.integers(0, config.num_turns)), draw(seeds)


def put(config: GameConfig, state: BatchState) -> tuple[BatchEnv, Arrays]:
    n = len(state.keys)
    env = BatchEnv(config, n, autoreset=False, illegal_action="raise", copy=True)
    return env, env.set_state(range(n), state)


@rules_settings
@given(points(), seeds, st.sampled_from([None, 2.5]))
def test_the_viewer_sees_in_every_sampled_game_what_it_saw(
    point: Point, seed: int, weight: float | None
) -> None:
    _, seen = position(*point)
    config, viewer = point[0], seed % point[0].num_players
    shape = config.num_players - 1, config.num_cards
    weights = None if weight is None else np.full(shape, weight)
    observation, rng = seen["observation"][0, viewer], np.random.default_rng(seed)
    _, seen_again = put(config, sample(observation.copy(), config, 5, rng, weights))
    for name in ("observation", "action_mask"):
        assert seen_again[name].dtype == seen[name].dtype == np.int8
        for again in seen_again[name][:, 0]:
            assert again.tobytes() == seen[name][0, viewer].tobytes()


def cards_in_play(games: Games, g: int) -> list[int]:
    sets = [*games.hands[g].tolist(), *games.tableaux[g].tolist()]
    members = [card for cards in sets for card in range(60) if cards >> card & 1]
    return sorted([*members, *games.row[g].tolist()])


@rules_settings
@given(points(), seeds)
def test_a_sampled_game_is_a_legal_state_to_its_end(point: Point, seed: int) -> None:
    played, seen = position(*point)
    config, rng = played.config, np.random.default_rng(seed)
    viewer = seed % config.num_players
    state = sample(seen["observation"][0, viewer], config, 4, rng)
    env, seen = put(config, state)
    true = played.get_state([0]).games
    turns = config.num_turns - int(true.clock[0])
    for turn in range(turns + 1):
        games = env.get_state(range(4)).games
        drawn = config.num_players * (config.hand_size + env.game(0).round)
        for g in range(4):
            assert sorted(games.deck[g].tolist()) == list(range(config.num_cards))
            assert cards_in_play(games, g) == sorted(games.deck[g, :drawn].tolist())
        if turn < turns:
            seen = play_randomly(env, seen, 1, rng)
    low, high = config.round_score_bounds
    for g in range(4):
        game = env.game(g)
        assert game.over and game.winners
        for scores in game.round_scores:
            assert all(low <= score.total <= high for score in scores)
        finished = np.roll(true.points[0, : played.game(0).round - 1], -viewer, axis=1)
        totals = [[score.total for score in scores] for scores in game.round_scores]
        before = len(finished)
        assert totals[:before] == finished.sum(axis=2).tolist()
        assert game.round_objectives[:before] == ({},) * before, "nothing is known of them"
        for met, scores in zip(
            game.round_objectives[before:], game.round_scores[before:], strict=True
        ):
            points = [
                sum(POINTS[id_] for id_, players in met.items() if player in players)
                for player in range(config.num_players)
            ]
            assert points == [score.objective_points for score in scores]


@rules_settings
@given(points(), seeds)
def test_the_table_is_told_as_in_the_game_itself(point: Point, seed: int) -> None:
    played, seen = position(*point)
    players = played.config.num_players
    viewer = seed % players
    rng = np.random.default_rng(seed)
    state = sample(seen["observation"][0, viewer], played.config, 2, rng)
    env, _ = put(played.config, state)
    true, game = played.game(0), env.game(1)
    for fact in ("row", "round", "turn", "over", "score_cards"):
        assert getattr(game, fact) == getattr(true, fact)
    assert set(game.objectives) == set(true.objectives)
    for player in range(players):
        seat = (viewer + player) % players
        assert game.known(player) == true.known(seat)
        assert game.running_scores[player] == true.running_scores[seat]
        assert len(game.hand(player)) == len(true.hand(seat))
        columns = true.tableau(seat)
        assert game.tableau(player) == tuple(tuple(sorted(column)) for column in columns)
    in_play = played.get_state([0]).games.points[0, true.round - 1]
    assert (state.games.points[1, true.round - 1] == np.roll(in_play, -viewer, axis=0)).all()


def check_objectives(played: BatchEnv, seen: Arrays) -> None:
    config, round_ = played.config, played.game(0).round
    sampled = sample(seen["observation"][0, 0], config, 20, np.random.default_rng(1)).games
    assert (np.sort(sampled.score_cards, axis=2) == [1, 2, 3, 4, 5]).all()
    true = played.get_state([0]).games.objectives[0, :round_]
    for shown in sampled.objectives:
        for now in shown:
            assert len({OBJECTIVES[index].letter for index in now}) == config.num_objectives
        if config.objectives_renewed:
            assert len(set(shown.ravel().tolist())) == shown.size
            assert set(shown[: round_ - 1].ravel()) == set(true[:-1].ravel())
        else:
            assert (shown == shown[0]).all()
        assert set(shown[round_ - 1].tolist()) == set(true[-1].tolist())


@rules_settings
@given(points())
def test_all_rounds_are_dealt_by_the_rules(point: Point) -> None:
    check_objectives(*position(*point))


def test_two_of_a_letter_are_never_shown_in_one_round_of_the_past() -> None:
    config = GameConfig(2, num_objectives=2, num_rounds=4, hand_size=2)
    for seed in range(30):
        check_objectives(*position(config, turns=6, seed=seed))


def test_the_state_is_alone_and_the_deal_before_the_first_turn_is_whole() -> None:
    config = GameConfig(3, num_objectives=2)
    played, seen = position(config, turns=0, seed=1)
    observation = seen["observation"][0, 2]
    before = observation.copy()
    env, _ = put(config, sample(observation, config, 3, np.random.default_rng(2)))
    assert (observation == before).all()
    assert played.game(0).row == env.game(0).row
    for g in range(3):
        game = env.game(g)
        deal = game.deal
        assert Game.from_deal(config, deal.deck, deal.score_orders, deal.objectives) == game


def test_of_the_past_only_the_last_turn_is_told() -> None:
    config = GameConfig(3)
    played, seen = position(config, turns=9, seed=1)
    state = sample(seen["observation"][0, 1], config, 2, np.random.default_rng(2))
    true = played.get_state([0]).games
    assert (state.games.played[:, 8] == np.roll(true.played[0, 8], -1)).all()
    assert (np.delete(state.games.played, 8, axis=1) == NOTHING).all()
    assert (state.games.taken[:, :7] == NOTHING).all()
