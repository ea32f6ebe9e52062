"""The game for TextArena, a library of text games for language models (extra ``[textarena]``).

Importing it registers ``MindUp-v0``, for ``textarena.make``.
"""

import secrets
from typing import Any

import numpy as np

from mindup_env.batch_env import BatchEnv
from mindup_env.batch_env.kernels import PENALTY
from mindup_env.config import GameConfig
from mindup_env.rewards import parse_reward
from mindup_env.text import game_reward, parse_card, rules_text, seat_prompt
from mindup_env.text.seat import hand_of

try:
    import textarena
except ImportError as error:
    raise ImportError(
        "mindup_env.textarena needs TextArena: pip install 'mindup-env[textarena]'"
    ) from error

ID = "MindUp-v0"


class TextArenaEnv(textarena.Env):
    """A game in which every seat is played by text.

    The seats of a turn answer one after the other, and none sees the answers of the others before
    all have answered. An answer without a valid card is asked for again; after ``retries`` such
    answers the lowest card is played, and the reward is reduced by 1.

    Args:
        reward: a sum of ``score``, ``margin`` and ``win``, such as ``0.1*margin+win``.
        retries: further answers that a seat may give in a turn.
        config: fields of ``GameConfig`` but the number of players, such as ``num_objectives=2``.
    """

    def __init__(self, *, reward: str = "win", retries: int = 1, **config: Any) -> None:
        parse_reward(reward)
        self._options = config
        self._reward, self._retries = reward, retries

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Begins a game; the same seed gives the same cards as in all other environments."""
        self._config = GameConfig(num_players, **self._options)
        self._batch = BatchEnv(self._config, autoreset=False, illegal_action="raise")
        self._batch.reset(seed=secrets.randbits(64) if seed is None else seed)
        # Its own seed would seed the random numbers of the whole process.
        self.state = textarena.MinimalMultiPlayerState(num_players, error_allowance=self._retries)
        self.state.reset(player_prompt_function=self._rules)
        self._penalties = [0.0] * num_players
        self._begin_turn()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Takes the answer of the current player, which ``parse_card`` reads."""
        seat = self.state.current_player_id
        hand = hand_of(self._observation(seat), self._config)
        try:
            card = parse_card(action, hand)
        except ValueError as error:
            if not self.state.set_invalid_move(f"{error}."):
                self._show(seat, str(error))
                return self._stepped()
            self._penalties[seat] += PENALTY
            self.state.made_invalid_move = False  # the lowest card is a move
            card = hand[0]
        self._actions.append(card - 1)
        if len(self._actions) == self._config.num_players:
            self._end_turn()
        result = self._stepped()  # it counts the turn of the current player
        self.state.manually_set_current_player_id(len(self._actions))
        return result

    def _stepped(self) -> tuple[bool, dict[str, Any]]:
        done, info = self.state.step()
        return bool(done), dict(info)

    def _begin_turn(self) -> None:
        self._actions: list[int] = []
        for seat in range(self._config.num_players):
            self._show(seat)

    def _end_turn(self) -> None:
        self._batch.step(np.array([self._actions]))
        game = self._batch.game(0)
        if not game.over:
            self._begin_turn()
            return
        self._actions = []
        rewards = {
            seat: game_reward(game, seat, self._reward) - penalty
            for seat, penalty in enumerate(self._penalties)
        }
        scores = ", ".join(f"player {seat}: {score}" for seat, score in enumerate(game.scores))
        self.state.set_game_outcome(rewards, f"the game is over: {scores}")

    def _rules(self, player_id: int, game_state: Any) -> str:  # noqa: ARG002  # as it is called
        return rules_text(self._config)

    def _show(self, seat: int, problem: str | None = None) -> None:
        self.state.add_observation(
            to_id=seat,
            message=seat_prompt(self._observation(seat), self._config, problem),
            observation_type=textarena.ObservationType.GAME_BOARD,
        )

    def _observation(self, seat: int) -> Any:
        return self._batch.seen["observation"][0, seat]


# A player gets the rules and the current table as one text.
if ID not in textarena.envs.registration.ENV_REGISTRY:
    textarena.register(ID, TextArenaEnv, [textarena.wrappers.GameBoardObservationWrapper])
