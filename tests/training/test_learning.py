"""Learning: the best reply of a tiny game is found, and each learner improves on its start."""

from typing import Any

import numpy as np
import pytest
import torch

from mindup_agents.policy import PolicyAgent
from mindup_arena.match import win_share_against
from mindup_env import BatchEnv, Game
from mindup_training import Learner
from mindup_training.settings.presets import find_learner, read_settings

NETWORK: dict[str, Any] = {"widths": [32, 32, 16], "threads": 1, "reward": "0.1*margin"}
TINY: dict[str, Any] = {
    **NETWORK,
    "game": {"num_players": 2, "num_rounds": 1, "hand_size": 2, "num_cards": 6},
    "opponents": ["random"],
    "num_envs": 1024,
    "epochs": 8,
    "ent_coef": 0.1,
    "learning_rate": 5e-3,
    "batch_size": 128,
}
SHORT = {"num_players": 3, "num_rounds": 1, "hand_size": 5}
LEARNERS: dict[str, dict[str, Any]] = {
    "sb3": {"opponents": ["random"], "batch_size": 256},
    "ppo": {"widths": [24, 16, 8], "seed": 5, "num_envs": 128, "batch_size": 128},
}


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def trained(plain: dict[str, Any], rollouts: int) -> Learner:
    settings = read_settings(plain)
    learner: Learner = find_learner(settings.learner)(settings)
    for rollout in range(rollouts):
        learner.learn(1 - rollout / rollouts)
    return learner


def test_the_best_reply_of_a_tiny_game_is_learnt() -> None:
    """All six cards are seen: two are one's own, two the prizes, so two are the opponent's.

    What a card brings against an opponent who plays either card as likely can be counted out.
    """
    policy = trained(TINY, 14).policy()
    (config,) = policy.description.configs
    env = BatchEnv(config, 400)
    seen, _ = env.reset(seed=77)
    observation, mask = seen["observation"][:, 0], seen["action_mask"][:, 0]
    nobody = np.zeros(400, np.uint64)
    chosen = PolicyAgent.of(policy, config).act(observation, mask, nobody == 0, nobody)
    games = [env.game(index) for index in range(400)]
    lost = np.array(
        [regret(game, int(action) + 1) for game, action in zip(games, chosen, strict=True)]
    )
    at_random = np.mean([regret(game, card) for game in games for card in game.hand(0)])
    assert at_random > 0.8, "it matters what is played"
    assert lost.mean() < 0.05 * at_random
    assert (lost == 0).mean() > 0.95


def regret(game: Game, card: int) -> float:
    """How much more the best card is expected to bring."""
    values = {
        own: np.mean([margin(game, own, other) for other in game.hand(1)]) for own in game.hand(0)
    }
    return float(max(values.values()) - values[card])


def margin(game: Game, own: int, other: int) -> int:
    played = game.copy()
    played.play([own, other])
    return played.scores[0] - played.scores[1]


@pytest.mark.parametrize("name", LEARNERS)
def test_a_short_training_improves_on_its_start(name: str) -> None:
    shares = []
    for rollouts in (0, 24):
        given = {"game": SHORT, "features": "position-1", "learning_rate": 0.01}
        plain = {**NETWORK, **given, **LEARNERS[name]}
        policy = trained({**plain, "learner": name}, rollouts).policy()
        (config,) = policy.description.configs
        agent = PolicyAgent.of(policy, config)
        shares.append(win_share_against(agent, "random", config, 300, seed=2**40))
    assert shares[1].low > shares[0].high + 0.1
    assert shares[1].low > 0.4
