"""Masked PPO in which all seats learn at once, in one file: to be read, and to be changed.

``python -m mindup_training.ppo --minutes 5`` trains a policy by letting it play itself. A rollout
is a whole game at every table, and each seat learns from it as if the others were the world.
"""

import argparse
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import mse_loss

from mindup_agents.features import ENCODERS, make_encoder
from mindup_agents.policy import Description, Policy, PolicyAgent, Widths, save_policy
from mindup_arena.match import win_share_against
from mindup_env import BatchEnv, GameConfig
from mindup_env.envs.opponents import draw_random_bits
from mindup_training.network import Network, log_odds
from mindup_training.threads import limit_threads

LOOKS = 5  # in a training: how often the policy is saved and tried
UNTRAINED_SEED = 2**40  # deals that no training seed plays


@dataclass(frozen=True)
class PPOConfig:
    config: GameConfig = field(default_factory=GameConfig)
    features: str = "plain-1"
    widths: Widths = field(default_factory=Widths)
    reward: str = "0.1*margin+win"
    seed: int = 0
    num_games: int = 256  # at once
    batch_size: int = 1024
    epochs: int = 1  # new games cost less than another look at the old ones
    learning_rate: float = 3e-3  # at first; it falls to 0 in a straight line
    gae_lambda: float = 0.5  # the luck of later turns is large: the value knows it better
    clip_range: float = 0.2
    entropy_weight: float = 0.02
    value_weight: float = 0.5
    largest_gradient: float = 0.5
    bfloat16: bool = False  # a gain only on processors that compute in it


class Decisions(NamedTuple):
    """What is learnt from: T turns of R seats, or B decisions in any order."""

    rows: Tensor  # (T, R, inputs)
    slots: Tensor  # (T, R) which card of the hand was played
    log_odds: Tensor  # (T, R) how likely that was
    values: Tensor  # (T, R) the return that was expected before
    rewards: Tensor  # (T, R)


class Learner:
    def __init__(self, settings: PPOConfig) -> None:
        self.settings = settings
        config = settings.config
        torch.manual_seed(settings.seed)  # the network draws its first weights from it
        self._chance = torch.Generator().manual_seed(settings.seed)
        self._encoder = make_encoder(settings.features, config)
        self.network = Network(self._encoder.shape, settings.widths)
        weights, rate = self.network.parameters(), settings.learning_rate
        self._optimizer = torch.optim.Adam(weights, lr=rate, eps=1e-5, fused=True)
        self._env = BatchEnv(
            config, settings.num_games, reward=settings.reward, illegal_action="raise"
        )
        self._env.reset(seed=settings.seed)
        # A row for every seat; all games have as many turns, and so they end together.
        self._seats = np.arange(settings.num_games * config.num_players)
        places = config.num_turns, len(self._seats)
        self._played = Decisions(
            rows=torch.zeros(*places, self._encoder.shape.size),
            slots=torch.zeros(places, dtype=torch.int64),
            log_odds=torch.zeros(places),
            values=torch.zeros(places),
            rewards=torch.zeros(places),
        )
        self.rollout_size = places[0] * places[1]
        self.decisions = 0  # learnt from so far

    def learn(self, remaining: float) -> None:
        """Plays a rollout and learns from it; ``remaining`` falls from 1 to 0 over the training."""
        for group in self._optimizer.param_groups:
            group["lr"] = self.settings.learning_rate * remaining
        self.improve(self.play())
        self.decisions += self.rollout_size

    @torch.no_grad()
    def play(self) -> Decisions:
        """One whole game at every table."""
        env, played = self._env, self._played
        random_bits = np.zeros(len(self._seats), np.uint64)
        seen = env.seen
        for turn, rows in enumerate(played.rows):
            observation = seen["observation"].reshape(len(random_bits), -1)
            mask = seen["action_mask"].reshape(len(random_bits), -1)
            draw_random_bits(env.keys, self._seats, env.config.num_players, turn, random_bits)
            episode_start = np.full(len(random_bits), turn == 0)
            self._encoder.fill(observation, mask, episode_start, random_bits, rows.numpy())
            judged = self.network(rows)
            odds = log_odds(judged)  # of the hand alone: nothing else is ever played
            slots = torch.multinomial(odds.exp(), 1, generator=self._chance)
            cards = judged.cards.gather(1, slots).view(env.num_envs, -1)
            seen, rewards, *_ = env.step(cards.numpy())
            played.slots[turn] = slots.squeeze(1)
            played.log_odds[turn] = odds.gather(1, slots).squeeze(1)
            played.values[turn] = judged.values
            played.rewards[turn] = torch.from_numpy(rewards).flatten()
        return played

    def improve(self, played: Decisions) -> None:
        settings, parameters = self.settings, list(self.network.parameters())
        gains = advantages(played.rewards, played.values, settings.gae_lambda)
        returns = (gains + played.values).flatten()
        gains = ((gains - gains.mean()) / (gains.std() + 1e-8)).flatten()
        rows, slots, before, *_ = (each.flatten(0, 1) for each in played)
        for _ in range(settings.epochs):
            shuffled = torch.randperm(self.rollout_size, generator=self._chance)
            for part in torch.split(shuffled, settings.batch_size):
                with torch.autocast("cpu", torch.bfloat16, enabled=settings.bfloat16):
                    judged = self.network(rows.index_select(0, part))
                odds = log_odds(judged._replace(logits=judged.logits.float()))
                now = odds.gather(1, slots[part].unsqueeze(1)).squeeze(1)
                ratio = (now - before[part]).exp()
                clipped = ratio.clamp(1 - settings.clip_range, 1 + settings.clip_range)
                policy_loss = -torch.min(ratio * gains[part], clipped * gains[part]).mean()
                value_loss = mse_loss(judged.values.float(), returns[part])
                entropy = -(odds.exp() * odds).sum(dim=1).mean()
                loss = policy_loss + settings.value_weight * value_loss
                loss = loss - settings.entropy_weight * entropy
                self._optimizer.zero_grad()
                torch.autograd.backward(loss)
                torch.nn.utils.clip_grad_norm_(parameters, settings.largest_gradient)
                self._optimizer.step()

    def policy(self) -> Policy:
        settings = self.settings
        about = {"learner": "mindup_training.ppo", "decisions": str(self.decisions)}
        description = Description((settings.config,), settings.features, settings.widths, about)
        tensors = {name: each.numpy().copy() for name, each in self.network.state_dict().items()}
        return Policy(description, tensors)


def advantages(rewards: Tensor, values: Tensor, gae_lambda: float) -> Tensor:
    """GAE(lambda): by how much decisions (T, R) of whole games turned out better than expected.

    Nothing is discounted: a game has an end, and a point counts the same whenever it is made.
    """
    gains = torch.zeros_like(rewards)
    value_after = gain_after = torch.zeros_like(rewards[0])  # nothing comes after the last turn
    for turn in reversed(range(len(rewards))):
        surprise = rewards[turn] + value_after - values[turn]
        gains[turn] = gain_after = surprise + gae_lambda * gain_after
        value_after = values[turn]
    return gains


def train(learner: Learner, out: Path, minutes: float, decisions: int) -> None:
    """Trains for some minutes, or if ``decisions`` is not 0 for so many of them."""
    start, done, looks = time.monotonic(), 0.0, 0
    while done < 1:
        if done * LOOKS >= looks:
            look(learner, out)
            looks = int(done * LOOKS) + 1
        learner.learn(1 - done)
        in_minutes = (time.monotonic() - start) / 60 / minutes
        done = learner.decisions / decisions if decisions else in_minutes
    look(learner, out)


def look(learner: Learner, out: Path) -> None:
    """Saves the policy, so that a run may be broken off, and plays it against a fixed bot."""
    config, policy = learner.settings.config, learner.policy()
    save_policy(policy, out)
    bot = PolicyAgent.of(policy, config)
    share = win_share_against(bot, "greedy", config, deals=100, seed=UNTRAINED_SEED)
    print(
        f"{learner.decisions:>11,} decisions: win share against greedy "
        f"{share.value:.3f} ({share.low:.3f} to {share.high:.3f})",
        flush=True,
    )


def main(random_bits: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m mindup_training.ppo", description="Train a policy by self-play."
    )
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--features", choices=ENCODERS, default=PPOConfig.features)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--decisions", type=int, default=0, help="train for so many instead")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1, help="another number rounds anew")
    parser.add_argument("--bfloat16", action="store_true", help="for processors made for it")
    parser.add_argument("--out", type=Path, default=Path("policy.safetensors"))
    given = parser.parse_args(random_bits)
    if given.minutes <= 0 or given.decisions < 0:
        parser.error("a training lasts more than 0 minutes, or some decisions")
    limit_threads(given.threads)
    try:
        config = GameConfig(given.players)
        learner = Learner(
            PPOConfig(config, given.features, seed=given.seed, bfloat16=given.bfloat16)
        )
    except ValueError as error:
        parser.error(str(error))
    train(learner, given.out, given.minutes, given.decisions)
    print(f"the policy is in {given.out}; play it as the agent policy:{given.out}")


if __name__ == "__main__":
    main()
