"""PettingZoo's AEC API: players choose one after the other, face down."""

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from mindup_env.envs.parallel import Observation, ParallelMindUp
from mindup_env.game import Game
from mindup_env.threads.exclusive import BusyFlag, exclusive


class TurnBasedMindUp(AECEnv[str, Observation, int | None]):
    """PettingZoo's AEC environment; ``mindup_v0.env`` makes it.

    The agents choose in seat order, and no agent sees the choices of the same turn: the turn is
    played when the last agent has chosen.
    """

    metadata = {**ParallelMindUp.metadata, "is_parallelizable": True}  # noqa: RUF012  # PettingZoo declares it so

    def __init__(self, parallel_env: ParallelMindUp) -> None:
        super().__init__()
        self._parallel = parallel_env
        self.possible_agents = parallel_env.possible_agents
        self.observation_spaces = parallel_env.observation_spaces
        self.action_spaces = parallel_env.action_spaces
        self.state_space = parallel_env.state_space
        self.render_mode = parallel_env.render_mode

    @property
    def _busy(self) -> BusyFlag:
        return self._parallel._busy

    @property
    def game(self) -> Game:
        """A copy of the game."""
        return self._parallel.game

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._parallel.observation_space(agent)

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._parallel.action_space(agent)

    @exclusive
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        _, self.infos = self._parallel._reset(seed, options)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._choices: dict[str, int] = {}
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]

    @exclusive
    def step(self, action: int | None) -> None:
        """Stores the action of the agent that is selected; the last one plays the turn."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self._choices[agent] = self._parallel.checked_choice(agent, action)
        if len(self._choices) == len(self.agents):
            _, self.rewards, self.terminations, self.truncations, self.infos = self._parallel._play(
                list(self._choices.values())
            )
            self._choices = {}
        self.agent_selection = self.agents[len(self._choices)]
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        return self._parallel.observe(agent)

    def state(self) -> npt.NDArray[np.int8]:
        return self._parallel.state()

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        return self._parallel.render()

    def close(self) -> None:
        self._parallel.close()
