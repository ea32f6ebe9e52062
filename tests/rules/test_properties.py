"""What holds in every game, whatever is dealt and played."""

import copy
import json
import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindup_env import OBJECTIVES, Game, GameConfig
from mindup_env.cards import card_of
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, make_keys
from tests.rules.strategies import configs, fresh_games, games, plays

seeds = st.integers(0, 2**64 - 1)


def cards_of(tableau: tuple[tuple[int, ...], ...]) -> list[int]:
    return [card for column in tableau for card in column]


@given(fresh_games(), seeds)
def test_every_card_is_in_one_place(game: Game, choice_seed: int) -> None:
    players = range(game.config.num_players)
    for _ in plays(game, choice_seed):
        drawn = game.config.num_players * (game.config.hand_size + game.round)
        places = [
            *game.row,
            *(card for player in players for card in game.hand(player)),
            *(card for player in players for card in cards_of(game.tableau(player))),
        ]
        assert sorted(places) == sorted(game.deal.deck[:drawn])


@given(fresh_games(), seeds)
def test_prizes_go_by_rank_and_the_cards_played_become_the_row(
    game: Game, choice_seed: int
) -> None:
    row, before = game.row, game.copy()
    for cards in plays(game, choice_seed):
        assert game.row == tuple(sorted(cards))
        if not game.over and game.turn > 1:
            for player, card in enumerate(cards):
                prize = row[sorted(cards).index(card)]
                gained = set(cards_of(game.tableau(player))) - set(cards_of(before.tableau(player)))
                assert gained == {prize}
        row, before = game.row, game.copy()


@given(games())
def test_a_column_holds_one_colour_and_no_gap_stands_before_it(game: Game) -> None:
    for player in range(game.config.num_players):
        columns = [{card_of(card).colour for card in column} for column in game.tableau(player)]
        filled = [colours for colours in columns if colours]
        assert all(len(colours) == 1 for colours in filled)
        assert len(set.union(set(), *filled)) == len(filled)
        assert columns[: len(filled)] == filled


@given(fresh_games(), seeds)
def test_running_scores_and_objectives_add_up_to_the_round_scores(
    game: Game, choice_seed: int
) -> None:
    for _ in plays(game, choice_seed):
        pass
    for player, score in enumerate(game.round_scores[-1]):
        assert game.running_scores[player] == score.colour_points + score.bonus_points
        met = game.objectives_met(player)
        assert score.objective_points == sum(o.points for o in OBJECTIVES if o.id in met)
        assert game.scores[player] == sum(round_[player].total for round_ in game.round_scores)


@given(games())
def test_known_cards_are_those_of_the_last_tableau(game: Game) -> None:
    for player in range(game.config.num_players):
        if game.round == 1 or game.over:
            assert game.known(player) == ()
        else:
            taken_back = cards_of(game.round_tableaux[game.round - 2][player])
            assert set(game.known(player)) == set(game.hand(player)) & set(taken_back)


@given(games(), seeds)
def test_copies_and_files_are_exact_and_go_on_alike(game: Game, choice_seed: int) -> None:
    twins = [
        game.copy(),
        copy.deepcopy(game),
        pickle.loads(pickle.dumps(game)),
        Game.from_dict(json.loads(json.dumps(game.to_dict()))),
        Game.replay(json.loads(json.dumps(game.record()))),
    ]
    assert all(twin == game for twin in twins)
    for cards in plays(game, choice_seed):
        for twin in twins:
            twin.play(cards)
    assert all(twin == game for twin in twins)


@given(configs(), seeds, st.integers(1, 9))
def test_a_game_is_the_same_alone_and_in_a_batch_of_any_size(
    config: GameConfig, seed: int, num_games: int
) -> None:
    batch, keys = Batch(config, num_games), make_keys(seed, num_games)
    alone = [Game(config, seed, slot=slot) for slot in range(num_games)]
    kernels.deal_all(batch.arrays, keys)
    for _ in range(config.num_turns):
        cards = np.array([[game.hand(p)[-1] for p in range(config.num_players)] for game in alone])
        kernels.play_all(batch.arrays, (cards - 1).astype(np.int8))
        for slot, game in enumerate(alone):
            game.play(cards[slot].tolist())
            assert Game._of(batch.pick([slot])) == game


@given(configs(), seeds, st.integers(1, 5))
def test_random_play_is_legal_and_deals_the_next_episode(
    config: GameConfig, seed: int, num_games: int
) -> None:
    batch, keys = Batch(config, num_games), make_keys(seed, num_games)
    cards = np.zeros((num_games, config.num_players), np.int8)
    kernels.deal_all(batch.arrays, keys)
    alone = [Game(config, seed, slot=slot) for slot in range(num_games)]
    for _ in range(config.num_turns - 1):
        kernels.play_at_random(batch.arrays, keys, cards)
        for slot, game in enumerate(alone):
            game.play((cards[slot] + 1).tolist())
            assert Game._of(batch.pick([slot])) == game
    kernels.play_at_random(batch.arrays, keys, cards)
    for slot in range(num_games):
        assert Game._of(batch.pick([slot])) == Game(config, seed, slot=slot, episode=1)
