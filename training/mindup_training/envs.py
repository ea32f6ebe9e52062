"""The games of a training in which one seat learns, and bots play the others."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from torch import Tensor, nn

from mindup_agents.features import import_encoder, remember_plays
from mindup_env.batch_env import BatchEnv, dealt_state
from mindup_env.batch_env.actions import IllegalActionError
from mindup_env.engine import streams
from mindup_env.envs.random_bits import draw_seats
from mindup_env.envs.seat_inputs import SeatRows
from mindup_training.opponent_mix import MixedOpponents
from mindup_training.own_code import make_reward
from mindup_training.settings import TrainSettings
from mindup_training.targets import TargetRecorder


class SeatResults(NamedTuple):
    """What a turn brought the seats that learn, one in each game."""

    rewards: npt.NDArray[np.float32]  # (N,)
    win_shares: npt.NDArray[np.floating]  # (N,) 0 before the end of the games
    over: bool  # all games end together


class LearnerGames:
    """N games, which are dealt, played and over together.

    The seat that learns is drawn anew in each game, as that of a learner in the environments of
    Gymnasium.

    Attributes:
        shape (FeatureShape): the sizes of the parts of a row of features.
        rows: the features (N, size) of the seats that learn.
        masks: the cards (N, num_cards) in their hands.
        seats: these seats (N,).
    """

    def __init__(self, settings: TrainSettings, num_games: int) -> None:
        config = settings.game
        reward = make_reward(settings.reward, config)
        self.env = BatchEnv(config, num_games, reward=reward, illegal_action="raise")
        self.opponents = MixedOpponents(config, settings.opponents, num_games)
        self._features = settings.features
        self._has_own_features = bool(settings.own_code.features)
        self._encoder = import_encoder(settings.features, config)
        self.shape = self._encoder.shape
        self._inputs = SeatRows(config, num_games)
        self.rows = np.zeros((num_games, self.shape.size), np.float32)
        self.masks = np.zeros((num_games, config.num_cards), np.int8)
        self.seats = np.zeros(num_games, np.int64)
        self._games = np.arange(num_games)
        self._actions = np.zeros((num_games, config.num_players), np.int64)
        self._turn = 0
        self.record_targets(None)

    def record_targets(self, network: nn.Module | None) -> dict[str, Tensor]:
        """Records the targets of a network from now on; each game overwrites them."""
        self._recorder = TargetRecorder(network, len(self.rows), self.env.config)
        return self._recorder.recorded

    def deal(self, seed: int, episode: int) -> None:
        """Deals the episode of that number."""
        (own_seed,) = np.random.SeedSequence(seed).generate_state(1, np.uint64).tolist()
        deal_episode(self.env, own_seed, episode)
        self.begin()

    def begin(self) -> None:
        """Begins the games that are dealt: draws who learns and who plays."""
        draw_seats(self.env.keys, self.env.config.num_players, self.seats)
        self.opponents.assign_seats(self.seats, self.env.keys)
        self._turn = 0
        self._encode()

    def remember(self, plays: npt.NDArray[np.float32]) -> None:
        """Takes what the network predicted for all learners, see ``FeatureEncoder``."""
        remember_plays(self._encoder, plays)

    def step(self, actions: npt.NDArray[np.integer]) -> SeatResults:
        """Plays the actions (N,), and what the opponents choose at the same time.

        Where the games end, the next ones are dealt, and ``begin`` or ``deal`` begins them.
        """
        env, places = self.env, (self._games, self.seats)
        self.opponents.act(env.seen, env.keys, self._turn, self._actions)
        self._actions[places] = actions
        masks = env.seen["action_mask"]
        self._recorder.record(self.seats[:, None], self._actions, masks)
        try:
            _, gained, terminations, _, info = env.step(self._actions)
        except IllegalActionError:
            self.opponents.refuse_illegal(masks, self._actions, self._turn)
            raise
        over = bool(terminations.all())
        shares = info["win_share"][places] if over else np.zeros(len(self.rows))
        self._recorder.end_turn(self.seats[:, None], info["scores"] if over else None)
        self._turn += 1
        if not over:
            self._encode()
        return SeatResults(gained[places], shares, over)

    def _encode(self) -> None:
        env = self.env
        own = self._games * env.config.num_players + self.seats
        given = self._inputs.read(env.seen, env.keys, own, self._turn)
        given.episode_start[:] = self._turn == 0
        self._encoder.fill(*given, self.rows)
        if self._has_own_features and not np.isfinite(self.rows).all():
            row, feature = np.argwhere(~np.isfinite(self.rows))[0].tolist()
            raise ValueError(
                f"features {self._features} must be finite numbers, but in turn {self._turn + 1} "
                f"feature {feature} of a seat is {self.rows[row, feature]}"
            )
        self.masks[:] = given.action_mask


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
