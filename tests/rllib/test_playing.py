"""What the workers of RLlib play, and what its learner is given."""

import math
from typing import Any

import numpy as np
import pytest
import torch
from ray.rllib.core.columns import Columns

from mindup_training.learners.rllib.learner import ppo_config
from mindup_training.learners.rllib.runner import SHARED, GameRunner
from mindup_training.network import MASKED, log_probs
from mindup_training.settings import TrainSettings

SETTINGS = TrainSettings(
    players=(3,),
    game={"num_rounds": 2, "hand_size": 3},
    opponents=("lowest",),
    features="forecast-1",
).changed({"widths": [16, 16, 8], "ppo": {"num_envs": 6}, "rllib": {"env_runners": 2}})
TURNS = SETTINGS.configs[0].num_turns


def runner(number: int = 1) -> GameRunner:
    config: Any = ppo_config(SETTINGS)
    return GameRunner(config=config, worker_index=number)


@pytest.fixture(scope="module")
def played() -> tuple[GameRunner, list[Any]]:
    one = runner()
    one.prepare(3)
    return one, one.sample()


def test_there_is_an_episode_for_every_seat_that_learns(
    played: tuple[GameRunner, list[Any]],
) -> None:
    _, episodes = played
    assert len(episodes) == 3 * 2
    tables: dict[str, set[str]] = {}
    for episode in episodes:
        assert len(episode) == TURNS and episode.is_terminated and not episode.is_truncated
        assert episode.module_id == SHARED
        tables.setdefault(episode.multi_agent_episode_id, set()).add(episode.agent_id)
    assert [len(agents) for agents in tables.values()] == [2] * 3
    assert len({episode.id_ for episode in episodes}) == 6


def test_only_cards_of_the_hand_have_a_probability(played: tuple[GameRunner, list[Any]]) -> None:
    one, episodes = played
    network = one.module[SHARED].network
    for episode in episodes:
        rows = torch.from_numpy(episode.get_observations(slice(0, TURNS)))
        logits = torch.from_numpy(
            episode.get_extra_model_outputs(Columns.ACTION_DIST_INPUTS, slice(0, TURNS))
        )
        hands = [
            set(hand[hand >= 0].int().tolist()) for hand in rows[:, network.shape.hand_begins :]
        ]
        probabilities = logits.softmax(dim=1)
        for turn, hand in enumerate(hands):
            assert set(probabilities[turn].nonzero().flatten().tolist()) == hand
            assert int(episode.get_actions(turn)) in hand
        with torch.no_grad():
            output = network(rows)
        spread = torch.full_like(logits, MASKED)
        for turn, cards in enumerate(output.cards):
            held = cards >= 0
            spread[turn, cards[held]] = log_probs(output)[turn, held]
        assert torch.allclose(logits, spread, atol=1e-5)
        chosen = torch.from_numpy(episode.get_actions(slice(0, TURNS))).unsqueeze(1)
        told = torch.from_numpy(
            episode.get_extra_model_outputs(Columns.ACTION_LOGP, slice(0, TURNS))
        )
        assert torch.allclose(spread.gather(1, chosen).squeeze(1), told, atol=1e-4)


def test_the_value_is_that_of_the_network(played: tuple[GameRunner, list[Any]]) -> None:
    one, episodes = played
    module = one.module[SHARED]
    batch = {Columns.OBS: torch.from_numpy(episodes[0].get_observations(slice(0, TURNS)))}
    with torch.no_grad():
        found = module.compute_values(batch)
        told = module.forward_exploration(batch)
        assert torch.equal(module.compute_values(batch, told[Columns.EMBEDDINGS]), found)
        assert torch.equal(found, module.network(batch[Columns.OBS]).values)
    assert module.network(batch[Columns.OBS]).values.std() > 0


def test_returns_and_win_shares_are_logged(played: tuple[GameRunner, list[Any]]) -> None:
    one, episodes = played
    figures = one.get_metrics()
    returns = [episode.get_return() for episode in episodes]
    assert float(figures["episode_return_mean"].peek()) == pytest.approx(np.mean(returns))
    assert 0 <= float(figures["win_share_mean"].peek()) <= 1
    assert int(figures["num_env_steps_sampled"].peek()) == 3 * TURNS


def test_a_rollout_depends_on_its_number_alone(played: tuple[GameRunner, list[Any]]) -> None:
    weights = played[0].get_state()
    again, other = runner(), runner(number=2)
    for one in (again, other):
        one.set_state(weights)
    again.prepare(1)
    again.sample()
    rows = {}
    for name, one, episode in (("again", again, 3), ("next", again, 4), ("other", other, 3)):
        one.prepare(episode)
        rows[name] = np.array([each.get_observations() for each in one.sample()])
    first = np.array([each.get_observations() for each in played[1]])
    assert np.array_equal(rows["again"], first)
    assert not np.array_equal(rows["next"], first) and not np.array_equal(rows["other"], first)


def test_the_settings_configure_rllib() -> None:
    changes = {"ppo": {"epochs": 7, "gae_lambda": 0.25, "clip_range": 0.3, "vf_coef": 0.75}}
    config: Any = ppo_config(SETTINGS.changed(changes))
    told = [config.num_epochs, config.lambda_, config.clip_param, config.vf_loss_coeff]
    assert told == [7, 0.25, 0.3, 0.75]
    assert config.gamma == 1 and config.vf_clip_param == math.inf and not config.use_kl_loss
    assert config.total_train_batch_size == 6 * TURNS
    assert config.is_multi_agent and config.enable_rl_module_and_learner
