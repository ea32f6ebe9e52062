"""Games in device memory, and what is launched for them."""

from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from mindup_env.batch_env.buffers import StepBuffers, make_buffers
from mindup_env.batch_env.state import BatchState, make_state
from mindup_env.cuda import arrays, kernels, observing
from mindup_env.cuda.arrays import DeviceArray, Tensor
from mindup_env.cuda.launch import Launch, threads_for
from mindup_env.engine.kernels import Keys
from mindup_env.engine.state import Games, Int64Array, make_games, make_rules
from mindup_env.observation import Layout, StateLayout
from mindup_env.observation.writer import scratch_size
from mindup_env.rewards import RewardWeights


class Seen(NamedTuple):
    """What every seat sees: what fills it, and the tensors that are filled."""

    observe: Launch
    tensors: dict[str, Tensor]  # observation (N, P, size) and action_mask (N, P, num_cards)


class DeviceGames:
    """N games of one config with all that a step reads and writes. All are dealt with the seed 0.

    Attributes:
        results: the results of a turn, as tensors.
        num_bytes: what all arrays take of the memory.
    """

    def __init__(
        self, layout: Layout, state_layout: StateLayout, num_games: int, weights: RewardWeights
    ) -> None:
        config = layout.config
        self._layout, self._num_games = layout, num_games
        self._state_size = state_layout.size
        self.num_bytes = 0
        rules = tuple(
            arrays.to_device(field) if isinstance(field, np.ndarray) else field
            for field in make_rules(config)
        )
        games = arrays.like(make_games(config, 1), num_games, transposed=True)
        results = arrays.like(make_buffers(config, 1), num_games)
        self._games, self._arrays = games, (rules, tuple(games))
        self._keys = self._empty((4,), np.uint64, "F")
        self._actions = self._empty((config.num_players,), np.int64)
        self._random_actions = self._empty((config.num_players,), np.int64)
        self._num_illegal = arrays.to_device(np.zeros(1, np.int64))
        self._turn = tuple(weights), tuple(results), (self._actions, self._num_illegal)
        self._plays: dict[tuple[Any, ...], Launch] = {}  # by the type of the actions
        self._states: dict[int, tuple[Launch, Tensor]] = {}  # by the number of views of a game
        self.num_bytes += sum(each.nbytes for each in (*games, *results))
        self.results = StepBuffers._make(map(arrays.as_tensor, results))
        by_game, keys = threads_for(num_games), (self._keys,)
        self.deal_next = Launch(kernels.deal_next_games, by_game, self._arrays, keys)
        self.redeal_finished = Launch(kernels.redeal_finished, by_game, self._arrays, keys)
        self.play_at_random = Launch(
            kernels.play_at_random, by_game, self._arrays, keys, (results.cards,)
        )
        self._deal = Launch(kernels.deal_games, by_game, self._arrays, keys)
        self._choose = Launch(
            kernels.choose_at_random, by_game, self._arrays, keys, (self._random_actions,)
        )

    def make_seen(self) -> Seen:
        """New tensors for what every seat sees."""
        config, size = self._layout.config, self._layout.size
        shapes = (config.num_players, size), (config.num_players, config.num_cards)
        flat = tuple(self._empty(shape, np.int8).reshape(-1) for shape in shapes)
        observation, action_mask = (
            arrays.as_tensor(each.reshape(self._num_games, *shape))
            for each, shape in zip(flat, shapes, strict=True)
        )
        observe = Launch(
            observing.observe_games,
            (self._num_games, observing.LANES),
            self._arrays,
            tuple(self._layout.offsets),
            flat,
            shared=scratch_size(size),
        )
        return Seen(observe, {"observation": observation, "action_mask": action_mask})

    def deal(self, keys: Keys) -> None:
        """Deals all games by keys (N, 4)."""
        arrays.write(self._keys, keys)
        self._deal()

    def play(self, actions: DeviceArray) -> None:
        """Plays a turn with actions (N, num_players) and fills the results."""
        form = actions.dtype, actions.strides
        if form not in self._plays:
            by_game = threads_for(self._num_games)
            self._plays[form] = Launch(
                kernels.play_turns, by_game, self._arrays, (actions,), *self._turn
            )
        self._plays[form](self._arrays, (actions,), *self._turn)

    def random_actions(self) -> Tensor:
        """A uniformly random card of every hand (N, num_players)."""
        self._choose()
        return arrays.as_tensor(self._random_actions)

    def states(self, seen: Seen, views: int) -> Tensor:
        """The full states (N, views, size) of games that seats see so."""
        if views not in self._states:
            states = self._empty((views, self._state_size), np.int8)
            given = tuple(map(arrays.as_array, seen.tensors.values()))
            by_view = threads_for(self._num_games * views)
            launch = Launch(kernels.write_states, by_view, given, (states,))
            self._states[views] = launch, arrays.as_tensor(states)
        launch, tensor = self._states[views]
        launch()
        return tensor

    @property
    def keys(self) -> Keys:
        """Seed, slot, episode and agent seed (N, 4) of the games in play, on the host."""
        return np.ascontiguousarray(arrays.to_host(self._keys))

    @property
    def num_illegal(self) -> int:
        """How many illegal actions were taken so far."""
        return int(arrays.to_host(self._num_illegal)[0])

    def read(self, places: Int64Array) -> BatchState:
        """A copy of the games at ``places`` (n,), on the host."""
        config, count = self._layout.config, len(places)
        games = arrays.like(make_games(config, 1), count)
        keys = arrays.empty((count, 4), np.uint64)
        self._copy(self._games, self._keys, places, games, keys, np.arange(count))
        return make_state(config, Games._make(map(arrays.to_host, games)), arrays.to_host(keys))

    def put(self, places: Int64Array, state: BatchState) -> None:
        """Puts possible games into ``places`` (n,)."""
        fields = cast("tuple[npt.NDArray[Any], ...]", tuple(state._games))
        games = Games._make(arrays.to_device(field) for field in fields)
        keys = arrays.to_device(state._keys)
        self._copy(games, keys, np.arange(len(places)), self._games, self._keys, places)

    def _copy(
        self,
        games: Games,
        keys: DeviceArray,
        places: Int64Array,
        target_games: Games,
        target_keys: DeviceArray,
        target_places: Int64Array,
    ) -> None:
        if not len(places):
            return
        from_, to = arrays.to_device(places), arrays.to_device(target_places)
        source, target = (tuple(games), keys), (tuple(target_games), target_keys)
        by_game = threads_for(len(places))
        Launch(kernels.copy_games, by_game, source, (from_,), target, (to,))()

    def _empty(self, shape: tuple[int, ...], dtype: Any, order: str = "C") -> DeviceArray:
        array = arrays.empty((self._num_games, *shape), dtype, order)
        self.num_bytes += array.nbytes
        return array
