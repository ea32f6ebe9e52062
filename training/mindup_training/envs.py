"""The games of a training in which some seats learn, and bots and snapshots play the others."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mindup_agents.features import import_encoder
from mindup_agents.policy import Policy, PolicyAgent
from mindup_env.batch_env import BatchEnv, dealt_state
from mindup_env.config import GameConfig
from mindup_env.engine import streams
from mindup_env.envs.random_bits import draw_random_bits, draw_seats
from mindup_training.opponent_mix import MixedOpponents, draw_learning_seats
from mindup_training.own_code import make_reward
from mindup_training.settings import RllibSettings, TrainSettings

Seed = int | tuple[int, ...]


class SeatResults(NamedTuple):
    """What a turn brought the L seats that learn."""

    rewards: npt.NDArray[np.float32]  # (L,)
    win_shares: npt.NDArray[np.floating]  # (L,) 0 before the end of the games
    over: bool  # all games end together


class SeatGames:
    """Games of one config; the features of the seats that learn are written into ``rows``.

    The learners of a game have consecutive rows. Without ``learning_seats``, one seat of each game
    learns, drawn as that of a learner in the environments of Gymnasium.
    """

    def __init__(
        self,
        config: GameConfig,
        settings: TrainSettings,
        rows: npt.NDArray[np.float32],  # (L, features)
        learning_seats: int | None = None,
        num_threads: int = 1,
    ) -> None:
        num_games = len(rows) // (learning_seats or 1)
        self.config, self._settings, self._rows = config, settings, rows
        self._num_threads, self._learning_seats = num_threads, learning_seats
        self.env = BatchEnv(
            config,
            num_games,
            reward=make_reward(settings.reward, config),
            illegal_action="raise",
            num_threads=num_threads,
        )
        self.opponents = MixedOpponents.of(config, settings.opponents, num_games)
        self._encoder = import_encoder(settings.features, config, num_threads, settings.padding)
        self._random_bits = np.zeros(len(rows), np.uint64)
        self._actions = np.zeros((num_games, config.num_players), np.int64)
        self._games = np.arange(num_games)[:, None]
        self.seats = np.zeros((num_games, learning_seats or 1), np.int64)
        self.masks = np.zeros((len(rows), config.num_cards), np.int8)
        self._turn = 0

    def set_snapshots(self, snapshots: Sequence[Policy], share: float) -> None:
        """Lets these snapshots, and no others, play ``share`` of the other seats."""
        own_code, threads = self._settings.own_code, self._num_threads
        agents = [
            PolicyAgent.of(each, self.config, temperature=1, own_code=own_code, num_threads=threads)
            for each in snapshots
        ]
        self.opponents.set_snapshots(agents, share)
        # The next game may be dealt already, and is to be played with them.
        self.opponents.assign_seats(self.seats, self.env.keys)

    def deal(self, seed: int, episode: int) -> None:
        """Deals the episode of that number."""
        deal_episode(self.env, seed, episode)
        self.begin()

    def begin(self) -> None:
        """Begins the games that are dealt: draws who learns and who plays."""
        keys = self.env.keys
        if self._learning_seats is None:
            draw_seats(keys, self.config.num_players, self.seats[:, 0])
        else:
            draw_learning_seats(keys, np.zeros(self.config.num_players, np.int8), self.seats)
        self.opponents.assign_seats(self.seats, keys)
        self._turn = 0
        self._encode()

    def step(self, actions: npt.NDArray[np.integer]) -> SeatResults:
        """Plays the actions (L,), and what the opponents choose at the same time.

        Where the games end, the next ones are dealt, and ``begin`` or ``deal`` begins them.
        """
        env = self.env
        self.opponents.act(env.seen, env.keys, self._turn, self._actions)
        self._actions[self._games, self.seats] = actions.reshape(self.seats.shape)
        _, rewards, over, _, info = env.step(self._actions)
        self._turn += 1
        ended = bool(over.all())
        shares = info["win_share"] if ended else np.zeros_like(rewards)
        if not ended:
            self._encode()
        own = self._games, self.seats
        return SeatResults(rewards[own].astype(np.float32).ravel(), shares[own].ravel(), ended)

    def _encode(self) -> None:
        players = self.config.num_players
        own = (self._games * players + self.seats).ravel()
        draw_random_bits(self.env.keys, own, players, self._turn, self._random_bits)
        seen = {name: each.reshape(-1, each.shape[-1])[own] for name, each in self.env.seen.items()}
        self.masks = seen["action_mask"]
        begins = np.full(len(own), self._turn == 0)
        self._encoder.fill(seen["observation"], self.masks, begins, self._random_bits, self._rows)


class LearnerGames:
    """The games of all configs of a training, as equally many as possible of each.

    All of them are dealt, played and over together; each learner has a row of features.
    """

    def __init__(
        self,
        settings: TrainSettings,
        num_games: int,
        learning_seats: int | None = None,
        num_threads: int = 1,
    ) -> None:
        configs, learners = settings.configs, learning_seats or 1
        self.learning_seats = learners
        self.shape = settings.describe_policy().feature_shape()
        self.num_turns, self.num_cards = configs[0].num_turns, configs[0].num_cards
        self.rows = np.zeros((num_games * learners, self.shape.size), np.float32)
        parts = np.array_split(np.arange(num_games), len(configs))
        self._parts = [slice(part[0] * learners, (part[-1] + 1) * learners) for part in parts]
        self.groups = [
            SeatGames(config, settings, self.rows[part], learning_seats, num_threads)
            for config, part in zip(configs, self._parts, strict=True)
        ]

    @property
    def seats(self) -> npt.NDArray[np.int64]:
        """The seat of the learner of each row."""
        return np.concatenate([group.seats.ravel() for group in self.groups])

    @property
    def masks(self) -> npt.NDArray[np.bool_]:
        """The cards (L, num_cards) in the hand of each learner."""
        return np.concatenate([group.masks for group in self.groups]).astype(np.bool_)

    def set_snapshots(self, snapshots: Sequence[Policy], share: float) -> None:
        """Lets these snapshots play ``share`` of the other seats, between two games."""
        for group in self.groups:
            group.set_snapshots(snapshots, share)

    def deal(self, seed: Seed, episode: int) -> None:
        """Deals the episode of that number; each config has deals of its own."""
        seeds = np.random.SeedSequence(seed).generate_state(len(self.groups), np.uint64)
        for group, own_seed in zip(self.groups, seeds.tolist(), strict=True):
            group.deal(own_seed, episode)

    def begin(self) -> None:
        """Begins the games that are dealt."""
        for group in self.groups:
            group.begin()

    def step(self, actions: npt.NDArray[np.integer]) -> SeatResults:
        """Plays the actions of all learners."""
        parts = zip(self.groups, self._parts, strict=True)
        results = [group.step(actions[part]) for group, part in parts]
        rewards = np.concatenate([each.rewards for each in results])
        return SeatResults(
            rewards, np.concatenate([each.win_shares for each in results]), results[0].over
        )


def worker_games(settings: TrainSettings, worker: int, num_workers: int) -> LearnerGames:
    """The games of one of several processes, of which each has its share, with RLlib's seats."""
    num_envs, num_configs = settings.ppo.num_envs, len(settings.configs)
    num_games = len(range(worker, num_envs, num_workers))
    if num_games < num_configs:
        raise ValueError(
            f"num_envs must be at least {num_configs * num_workers}, for {num_configs} configs in "
            f"each of {num_workers} env runners, not {num_envs}"
        )
    return LearnerGames(settings, num_games, (settings.rllib or RllibSettings()).learning_seats)


def deal_episode(env: BatchEnv, seed: int, episode: int) -> None:
    """Deals the episode of that number, as the resets before it would in turn.

    The deal of an episode depends on its number alone, so those before it need not be played.
    """
    env.reset(seed=seed)
    if episode > 0:
        keys = env.keys
        keys[:, streams.EPISODE] = episode - 1
        env.set_state(range(env.num_envs), dealt_state(env.config, keys))
        env.reset()
