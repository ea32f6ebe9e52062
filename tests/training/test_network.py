"""The network bidding-1: its predictions, its memory, and what its losses teach."""

from itertools import product

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal
from torch import Tensor

from mindup_env import BatchEnv, GameConfig
from mindup_env.cards import COLOURS
from mindup_env.config import VARIANTS
from mindup_training.any_network import empty_state
from mindup_training.head import MASKED
from mindup_training.network import LEAST_PROBABILITY, PRIOR_SHARE, BiddingNetwork
from mindup_training.probabilities import lower_chances, place_chances, play_chances
from mindup_training.seen import POINTS, STRENGTH, Reader
from tests.envs.playing import SHORT, random_legal

CONFIGS = [GameConfig(players, players - 1) for players in range(2, 7)]
in_all_games = pytest.mark.parametrize("config", [*CONFIGS, SHORT, *VARIANTS.values()], ids=str)


def random_network(config: GameConfig, models: int = 3) -> BiddingNetwork:
    """A network whose weights all count, so that its models and predictions differ."""
    torch.manual_seed(0)
    network = BiddingNetwork(config, models, widths=(16, 12, 8))
    with torch.no_grad():
        for weights in network.parameters():
            weights.copy_(2 * weights.shape[-1] ** -0.5 * torch.randn(weights.shape))
    return network


def rows_of(env: BatchEnv) -> tuple[Tensor, Tensor]:
    """The observation and the mask of every seat, in a row of its own."""
    observation, mask = (torch.tensor(each).flatten(0, 1) for each in env.seen.values())
    return observation, mask


@in_all_games
def test_predictions_are_probabilities_of_the_cards_that_opponents_may_hold(
    config: GameConfig,
) -> None:
    """These are all cards but those that the seat sees elsewhere, and each hand's true cards."""
    env, chance, network = BatchEnv(config, 4), np.random.default_rng(1), random_network(config)
    env.reset(seed=1)
    state, players = empty_state(network, 4 * config.num_players), config.num_players
    for _ in range(config.num_turns):
        with torch.no_grad():
            logits, values, *state = network(*rows_of(env), *state)
        mask = rows_of(env)[1].bool()
        assert logits.shape == mask.shape and values.shape == mask.shape[:1]
        assert (logits[~mask] == MASKED).all() and (logits[mask] > MASKED / 2).all()
        models, predicted = state
        assert [each.shape[1:] for each in state] == [*network.state_shapes]
        assert_allclose(models.sum(2), 1, atol=1e-5)
        assert_allclose(predicted.sum(3), 1, atol=1e-4)
        known = env.layout.views(env.seen["observation"])["known"] != 0  # (N, P, P, C)
        elsewhere = known.any(2)  # (N, P, C)
        held = env.seen["action_mask"] != 0
        by_seat = predicted.view(4, players, players - 1, 3, -1).numpy()
        for game, seat, other in product(range(4), range(players), range(1, players)):
            found, opponent = by_seat[game, seat, other - 1], (seat + other) % players
            assert (found[:, held[game, opponent]] > 0).all()
            public = known[game, seat, other]
            assert not found[:, held[game, seat] | (elsewhere[game, seat] & ~public)].any()
            gone = env.layout.views(env.seen["observation"][game, seat])
            assert not found[:, gone["tableaux"].any(0) | (gone["row"] != 0)].any()
        env.step(random_legal(env.seen, chance))


def test_plays_are_counted_out_over_the_possible_hands() -> None:
    """Two known cards, and one or two of three others."""
    known = torch.tensor([[[1.0, 1, 0, 0, 0, 0]]])
    drawn = torch.tensor([[[0.0, 0, 1, 1, 1, 0]]])
    scores = torch.tensor([0.5, -1.0, 1.5, 0.0, 0.7, -torch.inf])
    expected = torch.zeros(6)
    for hidden in (2, 3, 4):
        hand = [0, 1, hidden]
        expected[hand] += scores[hand].softmax(0) / 3
    found = play_chances(scores.view(1, 1, 1, 6), known, drawn, torch.ones(1, 1, 1))
    assert_allclose(found.flatten(), expected, atol=1e-5)
    # Of more hidden cards, it is exact if all score the same.
    found = play_chances(torch.zeros(1, 1, 1, 6), known, drawn, torch.full((1, 1, 1), 2.0))
    assert_allclose(found.flatten(), [1 / 4, 1 / 4, 1 / 6, 1 / 6, 1 / 6, 0], atol=1e-5)


def test_places_are_counted_out() -> None:
    """Of a card against all combinations of the others' cards."""
    plays = torch.rand(1, 3, 5, generator=torch.Generator().manual_seed(0))
    plays = plays / plays.sum(2, keepdim=True)
    expected = np.zeros((4, 5))
    for cards in product(range(5), repeat=3):
        chance = np.prod([plays[0, other, card] for other, card in enumerate(cards)])
        for own in range(5):
            expected[sum(card < own for card in cards), own] += chance
    lower = lower_chances(plays).unbind(1)
    assert_allclose(place_chances(lower)[0], expected, atol=1e-6)


def test_the_memory_follows_bayes_rule_and_forgets_at_the_first_turn() -> None:
    """Each model is as likely as before, times the probability that it gave the card played."""
    games, players, models = 3, SHORT.num_players, 3
    env, chance = BatchEnv(SHORT, games), np.random.default_rng(0)
    env.reset(seed=3)
    network = random_network(SHORT)
    state = empty_state(network, games * players)
    expected = np.full((games, players, players - 1, models), 1 / models)
    for turn in range(2 * SHORT.num_turns):
        with torch.no_grad():
            _, _, *state = network(*rows_of(env), *state)
        assert_allclose(state[0].view(expected.shape), expected, rtol=1e-4)
        predicted = state[1].view(*expected.shape, -1).numpy()
        actions = random_legal(env.seen, chance)
        for game, seat, opponent in np.ndindex(expected.shape[:3]):
            card = actions[game, (seat + 1 + opponent) % players]
            own = expected[game, seat, opponent]
            own *= predicted[game, seat, opponent, :, card] + LEAST_PROBABILITY
            own[:] = (1 - PRIOR_SHARE) * own / own.sum() + PRIOR_SHARE / models
        if (turn + 1) % SHORT.num_turns == 0:  # the next game begins, and the state goes on
            expected[:] = 1 / models
        env.step(actions)


def test_a_game_that_is_joined_later_begins_with_equal_models() -> None:
    env, chance = BatchEnv(SHORT, 2), np.random.default_rng(0)
    env.reset(seed=3)
    env.step(random_legal(env.seen, chance))
    network = random_network(SHORT)
    _, _, models, _ = network(*rows_of(env), *empty_state(network, 2 * SHORT.num_players))
    assert_allclose(models, 1 / 3)


@in_all_games
def test_facts_are_what_the_rules_say_of_each_card_and_player(config: GameConfig) -> None:
    env, chance, reader = BatchEnv(config, 1), np.random.default_rng(2), Reader(config)
    env.reset(seed=2)
    numbers = np.arange(config.num_cards)
    strength = abs(2 * numbers / (config.num_cards - 1) - 1)
    for turn in range(config.num_turns):
        observation, mask = rows_of(env)
        seen, row = reader(observation), turn % config.num_players
        view = env.layout.views(observation[row].numpy())
        for player in range(config.num_players):
            score_cards, columns = view["score_cards"], view["columns"]
            free = score_cards[(columns[player] > 0).sum() :]
            points = np.zeros((config.num_players, len(numbers)))
            opening = np.zeros(len(numbers))
            for other, card in np.ndindex(points.shape):
                printed = config.deck[card]
                column = columns[other, COLOURS.index(printed.colour)]
                score = score_cards[column - 1 if column else (columns[other] > 0).sum()]
                points[other, card] = score + printed.points
                if other == player and not column:
                    opening[card] = score - free.mean()
            goes_on = mask[row].sum() > 2
            later = strength * (view["round"] < config.num_rounds)
            worth = points[player] + STRENGTH * later
            hand = mask[row].numpy() if player == 0 else view["known"][player]
            stays = [
                max((worth[each] for each in hand.nonzero()[0] if each != card), default=None)
                for card in numbers
            ]
            others = (points.sum(0) - points[player]) / (config.num_players - 1)
            played = [points[player] / POINTS, others / POINTS, strength]
            found = seen.play_facts[row, player].numpy()
            assert_allclose(found[:, :3], np.stack(played, 1) * bool(goes_on), atol=1e-5)
            assert_allclose(found[:, 3], later, atol=1e-5)
            for card, best in enumerate(stays):
                if best is not None:
                    more = max(worth[card] - best, 0)
                    assert_allclose(found[card, 4:], [best / POINTS, more / POINTS], atol=1e-5)
            prizes = np.array(
                [(view["row"] == place).argmax() for place in 1 + np.arange(config.num_players)]
            )
            left = max(int(mask[row].sum()) - 2, 0)
            of_prizes = points[player], later * POINTS, opening * left / POINTS
            assert_allclose(
                seen.prize_facts[row, player], np.stack(of_prizes, 1)[prizes] / POINTS, atol=1e-5
            )
        env.step(random_legal(env.seen, chance))


def learned_by(network: BiddingNetwork, loss: Tensor) -> set[str]:
    """The names of the layers that a loss changes."""
    network.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    return {
        name.partition(".")[0]
        for name, weights in network.named_parameters()
        if weights.grad is not None and weights.grad.any()
    }


def test_only_the_cards_that_were_played_teach_predictions() -> None:
    env = BatchEnv(SHORT, 4)
    env.reset(seed=5)
    network = random_network(SHORT)
    given = *rows_of(env), *empty_state(network, 4 * SHORT.num_players)
    lowest = torch.tensor(env.seen["action_mask"].argmax(2))  # the card of each seat
    others = (torch.arange(3)[:, None] + torch.arange(1, 3)) % 3
    played = lowest[:, others].flatten(0, 1)
    predicting = {name for name, _ in network.named_children() if name.startswith("bid")}
    assert len(predicting) == 6

    logits, values, *_ = network(*given)
    taught = learned_by(network, logits[logits > MASKED].square().mean() + values.mean())
    assert taught >= {"table", "points", "card", "hidden", "logit", "critic", "value"}
    assert not taught & predicting
    _, _, *state = network(*given)
    loss = network.auxiliary_loss(state[0], state[1], played)
    assert learned_by(network, loss) == {"player", "player_2"} | predicting


def test_first_policies_are_even_and_first_models_differ() -> None:
    env = BatchEnv(GameConfig(), 8)
    env.reset(seed=5)
    torch.manual_seed(0)
    network = BiddingNetwork(GameConfig())
    logits, _, _, predicted = network(*rows_of(env), *empty_state(network, 32))
    probabilities = logits.softmax(1).detach()
    assert_allclose(probabilities[probabilities > 0], 1 / 7, rtol=0.05)
    assert_array_equal(probabilities > 0, rows_of(env)[1].bool())
    assert (predicted[:, :, 0] - predicted[:, :, 1]).abs().max() > 0.003, "of about 0.02"
