"""A champion: what all bots with sampled games and networks share besides their networks."""

from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from mindup_agents.heuristics.bot import check_time_limit
from mindup_agents.lookahead.bot import LookaheadBot, Schedule
from mindup_agents.lookahead.network_folder import POLICY, network_folder
from mindup_agents.policy import PolicyAgent, load_policy
from mindup_env.config import GameConfig
from mindup_env.settings.checks import check_int


class Champion:
    """Plays the card that wins most often in sampled games, which trained networks value.

    A subclass names its package, which has the networks, and how it uses the worlds.

    Args:
        config: the game
        worlds: most sampled games per decision; 0 plays the policy network alone
        decay: weight of what a sampled game shows after a turn more, from 0 (the network's value
            of the position after this turn) to 1 (its value at the end of the round)
        models: models of the opponents, joined by `+`; by default all, equally likely at first
        time_limit: seconds per decision, 0 for none; results then depend on the machine
        networks: folder of the networks; by default those of the package
    """

    package: ClassVar[str]
    schedule: ClassVar[Schedule]

    def __init__(
        self,
        config: GameConfig,
        *,
        worlds: int = 512,
        decay: float = 0.85,
        models: str = "",
        time_limit: float = 0.0,
        networks: str = "",
    ) -> None:
        if not 0 <= decay <= 1:
            raise ValueError(f"decay must be a number from 0 to 1, not {decay}")
        check_time_limit(time_limit)
        folder = Path(networks) if networks else network_folder(self.package, config)
        self._bot: PolicyAgent | LookaheadBot
        if check_int("worlds", worlds, 0) == 0:
            self._bot = PolicyAgent.of(load_policy(folder / POLICY), config)
        else:
            self._bot = LookaheadBot(
                config,
                folder,
                worlds=worlds,
                decay=decay,
                schedule=self.schedule,
                models=models,
                time_limit=time_limit,
            )

    def act(
        self,
        observation: npt.NDArray[np.int8],
        action_mask: npt.NDArray[np.int8],
        episode_start: npt.NDArray[np.bool_],
        random_bits: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.integer]:
        return self._bot.act(observation, action_mask, episode_start, random_bits)

    def evaluate_cards(self) -> tuple[str, npt.NDArray[np.floating]]:
        """The win probability of each card, or with no worlds how often it is played."""
        return self._bot.evaluate_cards()

    def predict_plays(self) -> npt.NDArray[np.floating] | None:
        """By the models, as they explain what each opponent played; with no worlds, nothing."""
        return self._bot.predict_plays()
