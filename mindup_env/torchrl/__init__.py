"""The game for TorchRL: N games with P seats in one ``EnvBase`` (extra ``[torchrl]``)."""

from typing import Any

import numpy as np

from mindup_env.batch_env import Arrays, BatchEnv, dealt_state
from mindup_env.engine import streams
from mindup_env.envs.arguments import make_config
from mindup_env.observation.vector_layout import VectorLayout
from mindup_env.rewards import Reward
from mindup_env.settings.checks import check_int

try:
    import torch
    from tensordict import TensorDict, TensorDictBase
    from torchrl.data import Bounded, Categorical, Composite, Unbounded
    from torchrl.envs import EnvBase
except ImportError as error:
    raise ImportError(
        "mindup_env.torchrl needs TorchRL: pip install 'mindup-env[torchrl]'"
    ) from error

# The keys are those of TorchRL's PettingZoo wrapper.
GROUP = "player"
ACTION, REWARD = (GROUP, "action"), (GROUP, "reward")
_DONE = ("done", "terminated", "truncated")


class TorchRLMindUp(EnvBase):
    """N games with P seats, of the batch size (N,).

    The keys are those of TorchRL's PettingZoo wrapper, with the agents in the group ``"player"``:
    ``("player", "observation")``, ``("player", "action_mask")``, ``("player", "action")``,
    ``("player", "reward")`` and ``"state"``. A finished game does not change until it is reset; any
    part of the games can be reset.

    Args:
        num_envs: N, the number of games.
        reward: a sum of score, margin and win such as ``"0.1*margin+win"``, or a function or an
            object, as in ``BatchEnv``.
        illegal_action: ``"penalise"`` or ``"raise"``, as in ``BatchEnv``.
        return_state: whether ``"state"`` holds the full state (N, D), for a centralised critic.
        scaled: gives observations and states as float32, each entry divided by its largest value,
            instead of int8.
        seed: deals the first episodes of the seed; a random seed if None.
        device: where the tensors are; the games are played on the CPU.
        pad_to_players: pads observations and states to so many players, as in ``BatchEnv``.
        config: fields of ``GameConfig``, such as ``num_players=4``.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        reward: str | Reward = "win",
        illegal_action: str = "penalise",
        return_state: bool = False,
        scaled: bool = False,
        seed: int | None = None,
        device: torch.device | str = "cpu",
        pad_to_players: int | None = None,
        **config: Any,
    ) -> None:
        game = make_config(config, TorchRLMindUp.__init__)
        self.batch_env = BatchEnv(
            game,
            num_envs,
            reward=reward,
            autoreset=False,
            illegal_action=illegal_action,
            pad_to_players=pad_to_players,
        )
        super().__init__(device=torch.device(device), batch_size=(num_envs,))
        self.config = game
        self.group_map = {GROUP: [f"player_{seat}" for seat in range(game.num_players)]}
        self._return_state, self._scaled = return_state, scaled
        self._next_seed = None if seed is None else check_int("seed", seed, 0)
        self._over = np.zeros(num_envs, np.bool_)
        layouts = self.batch_env.layout, self.batch_env.state_layout
        self._scales = [torch.from_numpy(each.scales).to(self.device) for each in layouts]
        self._declare_specs()

    def _declare_specs(self) -> None:
        seats = num_envs, _ = self.batch_env.num_envs, self.config.num_players

        def flags(*shape: int) -> dict[str, Any]:
            return {name: Categorical(2, shape, dtype=torch.bool) for name in _DONE}

        def grouped(of_seats: dict[str, Any], **of_games: Any) -> Any:
            group = Composite(of_seats, shape=seats)
            return Composite({**of_games, GROUP: group}, shape=(num_envs,)).to(self.device)

        mask = Categorical(2, (*seats, self.config.num_cards), dtype=torch.bool)
        observation, state = (
            _vectors_spec(layout, leading, scaled=self._scaled)
            for layout, leading in (
                (self.batch_env.layout, seats),
                (self.batch_env.state_layout, (num_envs,)),
            )
        )
        self.observation_spec = grouped(
            {"observation": observation, "action_mask": mask},
            **({"state": state} if self._return_state else {}),
        )
        action = Categorical(self.config.num_cards, seats, dtype=torch.int64)
        self.action_spec = grouped({"action": action})
        self.reward_spec = grouped({"reward": Unbounded((*seats, 1), dtype=torch.float32)})
        # Of the game, and once more of each seat, as the losses of TorchRL want it.
        self.done_spec = grouped(flags(*seats, 1), **flags(num_envs, 1))

    def _reset(self, tensordict: TensorDictBase | None = None, **_: Any) -> TensorDictBase:
        chosen = None if tensordict is None else tensordict.get("_reset", None)
        if chosen is None or chosen.all():
            seen, _ = self.batch_env.reset(self._next_seed)
            self._next_seed = None
            self._over[:] = False
        else:
            seen = self._deal_next(chosen.reshape(-1).nonzero().squeeze(1).tolist())
        return self._output(seen)

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        actions = tensordict[ACTION].cpu().numpy()
        seen, rewards, self._over, _, _ = self.batch_env.step(actions)
        output = self._output(seen)
        output[REWARD] = torch.tensor(rewards, device=self.device).unsqueeze(-1)
        return output

    def _set_seed(self, seed: int | None) -> None:
        self._next_seed = None if seed is None else check_int("seed", seed, 0)

    def _deal_next(self, places: list[int]) -> Arrays:
        """Deals the next episodes of some games; returns what all seats see."""
        keys = self.batch_env.keys[places]
        keys[:, streams.EPISODE] += np.uint64(1)
        self._over = self._over.copy()
        self._over[places] = False
        return self.batch_env.set_state(places, dealt_state(self.config, keys))

    def _output(self, seen: Arrays) -> TensorDictBase:
        """What a step and a reset return, in new tensors."""
        mask = torch.tensor(seen["action_mask"], device=self.device).bool()
        group: dict[str, Any] = {
            "observation": self._vectors(seen["observation"], self._scales[0]),
            "action_mask": mask,
        }
        # Only legal actions are drawn at random.
        self.full_action_spec[ACTION].update_mask(mask)
        over = torch.tensor(self._over, device=self.device).unsqueeze(-1)
        of_seats = over.unsqueeze(-1).expand(-1, self.config.num_players, -1)
        never = torch.zeros_like(over)
        root = {"done": over, "terminated": over.clone(), "truncated": never}
        group |= {"done": of_seats.clone(), "terminated": of_seats.clone()}
        group["truncated"] = torch.zeros_like(group["done"])
        if self._return_state:
            root["state"] = self._vectors(self.batch_env.state(), self._scales[1])
        seats = *self.batch_size, self.config.num_players
        root[GROUP] = TensorDict(group, seats, device=self.device)
        return TensorDict(root, self.batch_size, device=self.device)

    def _vectors(
        self, array: np.ndarray[Any, np.dtype[np.int8]], scale: torch.Tensor
    ) -> torch.Tensor:
        vectors = torch.tensor(array, device=self.device)
        return vectors * scale if self._scaled else vectors


def _vectors_spec(layout: VectorLayout, leading: tuple[int, ...], *, scaled: bool) -> Any:
    low, high = torch.from_numpy(layout.low), torch.from_numpy(layout.high)
    if scaled:
        low, high = (bound * torch.from_numpy(layout.scales) for bound in (low, high))
    shape = *leading, layout.size
    return Bounded(low.expand(shape), high.expand(shape), shape, dtype=low.dtype)
