"""Games of one seat that learns against bots, for Stable-Baselines3."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from mindup_agents.mixture import parse_share
from mindup_env import BatchEnv, GameConfig
from mindup_env.engine import streams
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Int64Array, Keys
from mindup_env.envs.seated_bots import SeatedBots
from mindup_env.envs.vector_env import draw_seats
from mindup_env.rewards import Reward

Observations = dict[str, npt.NDArray[Any]]


class TrainingGames(VecEnv):
    """N games that end in the same turn, and are then dealt anew. A seat of each learns.

    The opponents are drawn from a weighted list of bots, anew for every other seat of every deal.
    A bot ``mixture`` among them draws once more, for each of its seats in each game.

    An observation is a dict of

    - ``observation`` (N, D) int8: what the learners see;
    - ``state_0`` (N, ...) and so on: the state of the network, which the policy writes into
      ``state`` when it chooses; zeros when a game begins;
    - ``played`` (N, P - 1): the cards that the opponents play in this turn, in seat order
      after the learner. The step fills them in, before SB3 keeps the observation.

    Attributes:
        config: the game.
        env: the games with all their seats.
        seats: those of the learners (N,).
        seating: the number of the opponent at each seat (N, P), and -1 for the learner.
        state: of the network, for the next turn.
        episode: the number of the games; -1 before the first.
        win_share: the mean one of the learners in the games that ended last.
    """

    render_mode = None

    def __init__(
        self,
        config: GameConfig,
        num_envs: int,
        opponents: Sequence[str],
        reward: str | Reward,
        seed: int,
        state_shapes: Sequence[tuple[int, ...]] = (),
    ) -> None:
        self.config = config
        self.episode = -1
        self._seed = seed
        self.env = BatchEnv(config, num_envs, reward=reward, autoreset=False)
        self._games = np.arange(num_envs)
        self.seats = np.zeros(num_envs, np.int64)
        weights, names = zip(*map(parse_share, opponents), strict=True)
        # Random numbers from the bound before it to its own draw a bot.
        self._bounds = np.cumsum(weights) / np.sum(weights)
        self.seating = np.full((num_envs, config.num_players), -1)
        self._opponents = SeatedBots(self.env, dict(enumerate(names)), self.seating)
        self._actions = np.zeros((num_envs, config.num_players), np.int64)
        self._returns = np.zeros(num_envs)
        self.state = [np.zeros((num_envs, *shape), np.float32) for shape in state_shapes]
        self.win_share = 0.0
        layout = self.env.layout
        opponents_shape = (config.num_players - 1,)
        boxes: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(layout.low, layout.high, dtype=np.int8),
            "played": spaces.Box(0, config.num_cards - 1, opponents_shape, np.int64),
        }
        for index, shape in enumerate(state_shapes):
            boxes[f"state_{index}"] = spaces.Box(-np.inf, np.inf, shape, np.float32)
        super().__init__(num_envs, spaces.Dict(boxes), spaces.Discrete(config.num_cards))

    def reset(self) -> Observations:
        """Deals the next episode."""
        self.episode += 1
        sequence = np.random.SeedSequence([self._seed, self.episode])
        (seed,) = sequence.generate_state(1, np.uint64)
        self.env.reset(seed=int(seed))
        self._turn = 0
        self.seats = draw_seats(self.env.keys, self.config.num_players)
        draw_opponents(self.env.keys, self._bounds, self.seats, self.seating)
        self._opponents.assign(self.seating)
        self._returns[:] = 0
        for state in self.state:
            state[...] = 0
        return self._observe()

    def step_async(self, actions: npt.NDArray[np.integer]) -> None:
        self._learned = actions

    def step_wait(self) -> VecEnvStepReturn:
        chosen = self._actions
        places = self._games, self.seats
        self._opponents.act(chosen)
        chosen[places] = self._learned
        players = self.config.num_players
        others = (self.seats[:, None] + np.arange(1, players)) % players
        self._shown["played"][:] = chosen[self._games[:, None], others]
        _, rewards, terminations, _, info = self.env.step(chosen)
        gained = rewards[places].astype(np.float32)
        over = terminations.copy()
        self._returns += gained
        self._turn += 1
        infos: list[dict[str, Any]] = [{} for _ in self._games]
        if over.all():
            self.win_share = float(info["win_share"][places].mean())
            # The form in which SB3 logs the mean return.
            returns = self._returns.tolist()
            infos = [{"episode": {"r": each, "l": self._turn}} for each in returns]
        seen = self.reset() if over.all() else self._observe()
        return seen, gained, over, infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The cards (N, C) in the learners' hands."""
        hands = self.env.seen["action_mask"][self._games, self.seats]
        masks: npt.NDArray[np.bool_] = hands != 0
        return masks

    def _observe(self) -> Observations:
        self._shown = {
            "observation": self.env.seen["observation"][self._games, self.seats],
            "played": np.zeros((self.num_envs, self.config.num_players - 1), np.int64),
            **{f"state_{index}": each.copy() for index, each in enumerate(self.state)},
        }
        return self._shown

    # The games share one environment, and SB3 asks for all of them together.

    def env_method(self, method_name: str, *_: Any, **__: Any) -> Any:
        """What a method returns for all games, in one array."""
        return getattr(self, method_name)()

    def get_attr(self, attr_name: str, *_: Any, **__: Any) -> list[Any]:
        """An attribute, once for each game."""
        return [getattr(self, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, *_: Any, **__: Any) -> None:
        raise AttributeError(f"{attr_name} cannot be set: the games share one environment")

    def env_is_wrapped(self, *_: Any, **__: Any) -> list[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        pass


@kernel
def draw_opponents(
    keys: Keys, bounds: npt.NDArray[np.float64], learners: Int64Array, seating: Int64Array
) -> None:
    """Fills in the number of the bot at each seat (N, P), and -1 for the learner."""
    players = seating.shape[1]
    for g in range(len(seating)):
        seating[g, learners[g]] = -1
        for other in range(players - 1):
            bits = streams.random_block(keys[g], streams.OPPONENTS, other, 0)[0]
            uniform = bits / 2.0**32
            index = 0
            while uniform >= bounds[index]:
                index += 1
            seating[g, (learners[g] + 1 + other) % players] = index
