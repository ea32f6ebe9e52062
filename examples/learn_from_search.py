"""A policy that learns from search: it plays its own games, and search values all its cards.

    python learn_from_search.py --rollouts 150
    mindup arena runs/from-search --against random greedy planner

The policy plays at tables of scripted bots, so it learns from the positions that it gets into, as
in DAgger (Ross et al., 2011). A decision of search takes milliseconds, but its values of all cards
of a hand tell far more than the result of a game; each rollout is learned from several times.
"""

import argparse
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from mindup_agents.search import Search
from mindup_arena import win_share_against
from mindup_env import GameConfig
from mindup_training.games import TrainingGames
from mindup_training.network import BiddingNetwork
from mindup_training.policy_file import NetworkBot, save_policy

CONFIG = GameConfig(num_players=4)
OPPONENTS = ["random", "greedy", "planner"]
GAMES = 32
ROLLOUTS_KEPT = 12
BATCH_SIZE = 256
LEARNING_RATE = 2e-3
TEMPERATURE = 0.03
"""Of win probabilities: cards that are worth as much less are played e times less often."""
AUX_COEF = 0.5

Decisions = list[Tensor]
"""Observations, masks and states; values of the cards, and what the opponents played."""


@torch.no_grad()
def play(
    games: TrainingGames, network: BiddingNetwork, search: Search, rng: np.random.Generator
) -> Decisions:
    """A game on every table, with cards drawn from the policy."""
    turns: list[Decisions] = []
    seen: Any = games.reset()
    for turn in range(CONFIG.num_turns):
        observation = seen["observation"]
        mask = games.action_masks().astype(np.int8)
        states = [seen[f"state_{index}"] for index in range(len(games.state))]
        given = [torch.tensor(each) for each in (observation, mask, *states)]
        logits, _, *next_state = network(*given)
        for kept, each in zip(games.state, next_state, strict=True):
            kept[...] = each.numpy()
        bits = rng.integers(2**64, size=GAMES, dtype=np.uint64)
        search.act(observation, mask, np.full(GAMES, turn == 0), bits)
        values = torch.tensor(search.evaluate_cards()[1]).float()
        chosen = torch.distributions.Categorical(logits=logits).sample().numpy()
        after, *_ = games.step(chosen)
        turns.append([*given, values, torch.tensor(seen["played"])])
        seen = after
    return [torch.cat(parts) for parts in zip(*turns, strict=True)]


def learn(network: BiddingNetwork, optimizer: torch.optim.Optimizer, kept: Decisions) -> float:
    """Passes once over these decisions, and returns the mean loss."""
    losses = []
    for batch in torch.split(torch.randperm(len(kept[0])), BATCH_SIZE):
        observation, mask, *state, values, played = (each[batch] for each in kept)
        logits, _, models, predicted = network(observation, mask, *state)
        wanted = (values / TEMPERATURE).masked_fill(mask == 0, -torch.inf).softmax(1)
        loss = -(wanted * logits.log_softmax(1)).sum(1).mean()
        loss = loss + AUX_COEF * network.auxiliary_loss(models, predicted, played)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return float(np.mean(losses))


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rollouts", type=int, default=150, help="of 32 games each")
    parser.add_argument("--worlds", type=int, default=128, help="of search for a decision")
    parser.add_argument("--deals", type=int, default=100, help="to evaluate the policy")
    parser.add_argument("--out", type=Path, default=Path("runs/from-search"))
    given = parser.parse_args(words)
    torch.manual_seed(0)
    network = BiddingNetwork(CONFIG)
    rng = np.random.default_rng(0)
    games = TrainingGames(CONFIG, GAMES, OPPONENTS, "win", 0, network.state_shapes)
    optimizer = torch.optim.Adam(network.parameters(), LEARNING_RATE)
    search = Search(CONFIG, worlds=given.worlds)
    kept = deque[Decisions]()
    for number in range(given.rollouts):
        kept.append(play(games, network, search, rng))
        if len(kept) > ROLLOUTS_KEPT:
            kept.popleft()
        for group in optimizer.param_groups:
            group["lr"] = LEARNING_RATE * (1 - number / given.rollouts)
        loss = learn(network, optimizer, [torch.cat(parts) for parts in zip(*kept, strict=True)])
        print(f"rollout {number}: loss {loss:.3f}, win share {games.win_share:.2f}", flush=True)
    given.out.mkdir(parents=True, exist_ok=True)
    save_policy(network, CONFIG, given.out / "policy.onnx")
    for bot in OPPONENTS:
        share = win_share_against(NetworkBot(network), bot, CONFIG, given.deals)
        print(f"win share against three {bot}: {share.value:.2f}")


if __name__ == "__main__":
    main()
