"""The game as a PettingZoo AEC environment: players choose one after the other, face down."""

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from mindup_env.envs.parallel import Observation, ParallelMindUp
from mindup_env.game import Game


class TurnBasedMindUp(AECEnv[str, Observation, int | None]):
    """Nobody sees a choice before all are made: the turn is played when the last one is in."""

    metadata = {**ParallelMindUp.metadata, "is_parallelizable": True}  # noqa: RUF012  # PettingZoo's form

    def __init__(self, table: ParallelMindUp) -> None:
        super().__init__()
        self._table = table
        self.possible_agents = table.possible_agents
        self.observation_spaces = table.observation_spaces
        self.action_spaces = table.action_spaces
        self.state_space = table.state_space
        self.render_mode = table.render_mode

    @property
    def game(self) -> Game:
        """A copy of the game as it stands."""
        return self._table.game

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._table.observation_space(agent)

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._table.action_space(agent)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        _, self.infos = self._table.reset(seed, options)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._choices: dict[str, int] = {}
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]

    def step(self, action: int | None) -> None:
        """Notes the choice of the agent to act; with the last one the turn is played."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self._choices[agent] = self._table.checked_choice(agent, action)
        if len(self._choices) == len(self.agents):
            _, self.rewards, self.terminations, self.truncations, self.infos = self._table.step(
                self._choices
            )
            self._choices = {}
        self.agent_selection = self.agents[len(self._choices)]
        self._accumulate_rewards()

    def observe(self, agent: str) -> Observation:
        return self._table.observe(agent)

    def state(self) -> npt.NDArray[np.int8]:
        return self._table.state()

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        return self._table.render()

    def close(self) -> None:
        self._table.close()
