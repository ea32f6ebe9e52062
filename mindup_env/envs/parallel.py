"""PettingZoo's parallel API: all players act at once, as in the game."""

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import ParallelEnv

from mindup_env.batch_env import BatchEnv
from mindup_env.checks import InputError, check_choice, check_entries, check_int
from mindup_env.config import GameConfig, refuse_other_config
from mindup_env.envs.arguments import check_options, make_config, observation_space
from mindup_env.game import Game
from mindup_env.observation import state_layout_of
from mindup_env.observation.seen import Arrays
from mindup_env.render.modes import FRAMES_PER_SECOND, RENDER_MODES, check_render_mode, render
from mindup_env.rewards import Reward

Observation = dict[str, npt.NDArray[np.int8]]
PerAgent = dict[str, Any]
StepOfAgents = tuple[dict[str, Observation], PerAgent, PerAgent, PerAgent, dict[str, PerAgent]]
"""Observations, rewards, terminations, truncations and infos by agent."""

_LARGEST = np.iinfo(np.int64).max
"""The largest action that the array of actions can hold."""


class ParallelMindUp(ParallelEnv[str, Observation, int]):
    """The parallel environment of PettingZoo: all players choose at the same time.

    The agents are ``player_0``, ``player_1``, ... Action ``a`` plays card number ``a + 1``. An
    observation is a dict of ``observation`` (size,) and ``action_mask`` (num_cards,), both int8.

    Args:
        reward: a sum of score, margin and win such as ``"0.1*margin+win"``, or a function, as in
            ``BatchEnv``.
        render_mode: ``"ansi"``, ``"rgb_array"`` or None.
        config: fields of ``GameConfig``, such as ``num_players=4``.
    """

    metadata = {"name": "mindup_v0", "render_modes": RENDER_MODES, "render_fps": FRAMES_PER_SECOND}  # noqa: RUF012  # PettingZoo declares it so

    def __init__(
        self,
        *,
        reward: str | Reward = "win",
        render_mode: str | None = None,
        **config: Any,
    ) -> None:
        self.config = make_config(config, ParallelMindUp)
        self.possible_agents = [f"player_{player}" for player in range(self.config.num_players)]
        self.agents: list[str] = []
        self.observation_spaces = {}
        self.action_spaces = {}
        for agent in self.possible_agents:
            self.observation_spaces[agent] = observation_space(self.config)
            self.action_spaces[agent] = spaces.Discrete(self.config.num_cards)
        layout = state_layout_of(self.config)
        self.state_space = spaces.Box(layout.low, layout.high, dtype=np.int8)
        self.render_mode = check_render_mode(render_mode)
        self._env = BatchEnv(self.config, reward=reward, autoreset=False)
        self._actions = np.zeros((1, self.config.num_players), np.int64)

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    @property
    def game(self) -> Game:
        """A copy of the game."""
        return self._env.game(0)

    def observe(self, agent: str) -> Observation:
        """What an agent sees now, in new arrays."""
        check_choice("agent", agent, *self.possible_agents)
        player = self.possible_agents.index(agent)
        return {name: array[0, player].copy() for name, array in self._env.seen.items()}

    def state(self) -> npt.NDArray[np.int8]:
        """All hands and the table; ``StateLayout`` has the parts."""
        state: npt.NDArray[np.int8] = self._env.state()[0]
        return state

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, PerAgent]]:
        """Deals a game.

        Args:
            seed: deals the first episode of the seed; None deals the next episode.
            options: ``deal``, a ``Deal`` or its ``to_dict()``, or ``record``, a recorded game to
                continue.
        """
        game = _game_of_options(self.config, options)  # if it raises, nothing has changed
        seen, _ = self._env.reset(seed)
        if game is not None:
            seen = self._env.set_game(0, game)
        self.agents = self.possible_agents[:]
        return self._by_agent(seen), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> StepOfAgents:
        """Plays a turn, with the action of every agent.

        Infos have ``points_gained`` and ``illegal_actions``; after a round also ``round_over``,
        and ``round_score`` as colour, bonus and objective points; after the game also ``score``,
        ``rank`` (0 for a winner) and ``win_share``.
        """
        if not self.agents:
            _ = self._env.seen  # an error before the first reset
            return {}, {}, {}, {}, {}
        if not isinstance(actions, dict) or actions.keys() != self.action_spaces.keys():
            check_entries("actions", actions, self.agents)
        choices = [_checked_choice(agent, actions[agent]) for agent in self.agents]
        self._actions[0] = choices
        seen, rewards, over, _, info = self._env.step(self._actions)
        if over[0]:
            self.agents = []
        entries = [array[0].tolist() for array in info.values()]
        of_seats = zip(self.possible_agents, *entries, strict=True)
        return (
            self._by_agent(seen),
            dict(zip(self.possible_agents, rewards[0].tolist(), strict=True)),
            dict.fromkeys(self.possible_agents, bool(over[0])),
            dict.fromkeys(self.possible_agents, False),
            {agent: dict(zip(info, values, strict=True)) for agent, *values in of_seats},
        )

    def render(self) -> str | npt.NDArray[np.uint8]:
        return render(self.game, self.render_mode)

    def _by_agent(self, seen: Arrays) -> dict[str, Observation]:
        vectors = seen["observation"][0].copy()
        masks = seen["action_mask"][0].copy()
        return {
            agent: {"observation": vector, "action_mask": mask}
            for agent, vector, mask in zip(self.possible_agents, vectors, masks, strict=True)
        }


def _checked_choice(agent: str, action: Any) -> int:
    """An action as an int."""
    if type(action) is int and -_LARGEST <= action <= _LARGEST:  # nearly all
        return action
    return check_int(f"the action of {agent}", action, -_LARGEST, _LARGEST)


def _game_of_options(config: GameConfig, options: dict[str, Any] | None) -> Game | None:
    """The game that the options of ``reset`` start from, if they have one."""
    options = check_options(options, ("deal", "record"))
    if "deal" in options and "record" in options:
        raise InputError("the reset options can have a deal or a record, not both")
    if "deal" in options:
        return Game.from_deal(config, options["deal"])
    if "record" not in options:
        return None
    game = Game.replay(options["record"])
    refuse_other_config("the game of the record", game.config, config)
    if game.over:
        raise InputError("the game of the record is over; a game to continue is needed")
    return game
