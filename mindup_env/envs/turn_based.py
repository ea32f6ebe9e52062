"""PettingZoo's AEC API: players choose one after the other, face down."""

from typing import Any

import numpy as np
from pettingzoo import AECEnv

from mindup_env.checks import illegal_card
from mindup_env.envs.parallel import GameOfAgents, Observation


class TurnBasedMindUp(GameOfAgents, AECEnv[str, Observation, int | None]):
    """PettingZoo's AEC environment; its arguments are those of ``ParallelMindUp``.

    The agents choose in seat order, and do not see the choices of the same turn: it is played when
    the last one has chosen.
    """

    metadata = {**GameOfAgents.metadata, "is_parallelizable": True}  # noqa: RUF012  # PettingZoo declares it so

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        _, self.infos = self._deal(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._choices: list[int] = []
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]

    def step(self, action: int | None) -> None:
        """Stores the action of the agent that is selected; the last one plays the turn."""
        _ = self._env.seen  # an error before the first reset
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        choice = self._checked_choice(agent, action)
        if self._refuses_illegal:  # now, and not when the last agent has chosen
            hand = np.flatnonzero(self.observe(agent)["action_mask"]) + 1
            if choice + 1 not in hand:
                raise illegal_card(agent, choice + 1, hand)
        self._choices.append(choice)
        if len(self._choices) == len(self.agents):
            results = self._play(self._choices)
            _, self.rewards, self.terminations, self.truncations, self.infos = results
            self._choices = []
        self.agent_selection = self.agents[len(self._choices)]
        self._accumulate_rewards()
