"""The games of a training in which some seats learn, and bots and snapshots play the others."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from torch import Tensor, nn

from mindup_agents.features import FeatureEncoder, import_encoder, remember_plays
from mindup_agents.policy import Policy, PolicyAgent
from mindup_env.batch_env import BatchEnv, dealt_state
from mindup_env.batch_env.actions import IllegalActionError
from mindup_env.engine import streams
from mindup_env.envs.random_bits import draw_seats
from mindup_env.envs.seat_inputs import SeatRows
from mindup_training.opponent_mix import MixedOpponents, draw_learning_seats
from mindup_training.own_code import make_reward
from mindup_training.settings import RllibSettings, TrainSettings
from mindup_training.targets import TargetRecorder


class SeatResults(NamedTuple):
    """What a turn brought the L seats that learn."""

    rewards: npt.NDArray[np.float32]  # (L,)
    win_shares: npt.NDArray[np.floating]  # (L,) 0 before the end of the games
    over: bool  # all games end together


class SeatGames(NamedTuple):
    """N games of one config, with k seats of each that learn."""

    env: BatchEnv
    opponents: MixedOpponents
    inputs: SeatRows
    encoder: FeatureEncoder
    part: slice  # of the rows of all learners
    games: npt.NDArray[np.int64]  # (N, 1) the index of each game
    seats: npt.NDArray[np.int64]  # (N, k)
    actions: npt.NDArray[np.int64]  # (N, P)


class LearnerGames:
    """The games of all configs of a training, as equally many as possible of each.

    All of them are dealt, played and over together. Each learner has a row of features; the
    learners of a game have consecutive rows. Without ``learning_seats``, one seat of each game
    learns, drawn as that of a learner in the environments of Gymnasium.
    """

    def __init__(
        self,
        settings: TrainSettings,
        num_games: int,
        learning_seats: int | None = None,
    ) -> None:
        self._settings = settings
        self._has_own_features = bool(settings.own_code.features)
        self._is_one_drawn, self.learning_seats = learning_seats is None, learning_seats or 1
        configs, learners = settings.configs, self.learning_seats
        self.shape = settings.describe_policy().feature_shape()
        self.num_turns, self.num_cards = configs[0].num_turns, configs[0].num_cards
        self.rows = np.zeros((num_games * learners, self.shape.size), np.float32)
        self.masks = np.zeros((len(self.rows), self.num_cards), np.int8)
        """The cards in the hand of each learner."""
        self.groups, self._turn = list[SeatGames](), 0
        self.record_targets(None, 1)
        for config, games in zip(
            configs, np.array_split(np.arange(num_games), len(configs)), strict=True
        ):
            env = BatchEnv(
                config,
                len(games),
                reward=make_reward(settings.reward, config),
                illegal_action="raise",
            )
            group = SeatGames(
                env,
                MixedOpponents(config, settings.opponents, len(games)),
                SeatRows(config, len(games) * learners),
                import_encoder(settings.features, config, settings.padding),
                slice(games[0] * learners, (games[-1] + 1) * learners),
                np.arange(len(games))[:, None],
                np.zeros((len(games), learners), np.int64),
                np.zeros((len(games), config.num_players), np.int64),
            )
            self.groups.append(group)

    @property
    def seats(self) -> npt.NDArray[np.int64]:
        """The seat of the learner of each row."""
        return np.concatenate([group.seats.ravel() for group in self.groups])

    def record_targets(self, network: nn.Module | None, num_turns: int) -> dict[str, Tensor]:
        """Records the targets of a network from now on; they are overwritten after these turns."""
        players = self._settings.padding or max(self._settings.tables)
        sizes = num_turns, len(self.rows), players, self.num_cards
        self._recorder = TargetRecorder(network, *sizes)
        return self._recorder.recorded

    def set_snapshots(self, snapshots: Sequence[Policy], share: float) -> None:
        """Lets these snapshots, and no others, play ``share`` of the other seats."""
        how: dict[str, Any] = {"own_code": self._settings.own_code, "temperature": 1}
        for group in self.groups:
            agents = [PolicyAgent.of(each, group.env.config, **how) for each in snapshots]
            group.opponents.set_snapshots(agents, share)
            # The next game may be dealt already, and is to be played with them.
            group.opponents.assign_seats(group.seats, group.env.keys)

    def deal(self, seed: int | tuple[int, ...], episode: int) -> None:
        """Deals the episode of that number; each config has deals of its own."""
        seeds = np.random.SeedSequence(seed).generate_state(len(self.groups), np.uint64)
        for group, own_seed in zip(self.groups, seeds.tolist(), strict=True):
            deal_episode(group.env, own_seed, episode)
        self.begin()

    def begin(self) -> None:
        """Begins the games that are dealt: draws who learns and who plays."""
        for group in self.groups:
            keys, players = group.env.keys, group.env.config.num_players
            if self._is_one_drawn:
                draw_seats(keys, players, group.seats[:, 0])
            else:
                draw_learning_seats(keys, np.zeros(players, np.int8), group.seats)
            group.opponents.assign_seats(group.seats, keys)
        self._turn = 0
        self._encode()

    def remember(self, plays: npt.NDArray[np.float32]) -> None:
        """Takes what the network predicted for all learners, see ``FeatureEncoder``."""
        for group in self.groups:
            remember_plays(group.encoder, plays[group.part])

    def step(self, actions: npt.NDArray[np.integer]) -> SeatResults:
        """Plays the actions (L,), and what the opponents choose at the same time.

        Where the games end, the next ones are dealt, and ``begin`` or ``deal`` begins them.
        """
        rewards, shares = np.zeros(len(self.rows), np.float32), np.zeros(len(self.rows))
        for env, opponents, _, _, part, games, seats, chosen in self.groups:
            opponents.act(env.seen, env.keys, self._turn, chosen)
            chosen[games, seats] = actions[part].reshape(seats.shape)
            self._recorder.record(part, seats, chosen, env.seen["action_mask"])
            try:
                _, gained, over, _, info = env.step(chosen)
            except IllegalActionError:
                opponents.refuse_illegal(env.seen["action_mask"], chosen, self._turn)
                raise
            rewards[part] = gained[games, seats].ravel()
            ended = bool(over.all())
            if ended:
                shares[part] = info["win_share"][games, seats].ravel()
                self._recorder.finish(part, seats, info["scores"])
        self._recorder.next_turn(over=ended)
        self._turn += 1
        if not ended:
            self._encode()
        return SeatResults(rewards, shares, ended)

    def _encode(self) -> None:
        for env, _, inputs, encoder, part, games, seats, _ in self.groups:
            own = (games * env.config.num_players + seats).ravel()
            given = inputs.read(env.seen, env.keys, own, self._turn)
            given.episode_start[:] = self._turn == 0
            encoder.fill(*given, self.rows[part])
            if self._has_own_features and not np.isfinite(self.rows[part]).all():
                row, feature = np.argwhere(~np.isfinite(self.rows))[0].tolist()
                raise ValueError(
                    f"features {self._settings.features} must be finite numbers, but in turn "
                    f"{self._turn + 1} feature {feature} of a seat is {self.rows[row, feature]}"
                )
            self.masks[part] = given.action_mask


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
