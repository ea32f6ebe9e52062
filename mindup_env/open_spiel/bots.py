"""A bot as an OpenSpiel policy, so that OpenSpiel's algorithms can play against and measure it."""

from typing import Any

import numpy as np
from open_spiel.python import policy

from mindup_env.agent import Agent, make_agent
from mindup_env.batch_env.state import observe_game
from mindup_env.open_spiel.history import HistoryState
from mindup_env.settings.checks import check_int


class BotPolicy(policy.Policy):
    """The action probabilities of a bot, given everything that its seat has seen.

    Args:
        game: a game of ``load_game`` or ``load_tree``. ``to_tabular()`` writes the policy out for
            a small one.
        bot: the name of a bot, or a bot.
        samples: how many random bits to try at each decision; 1 is exact for a deterministic bot.
        seed: random seed of these bits.
    """

    def __init__(self, game: Any, bot: str | Agent, *, samples: int = 1, seed: int = 0) -> None:
        super().__init__(game, list(range(game.num_players())))
        config = _history(game.new_initial_state()).chance.config
        self._agent = make_agent(bot, config) if isinstance(bot, str) else bot
        self._samples = check_int("samples", samples, 1)
        # The same bits for every seat and history: a policy must answer a state always alike.
        shape = config.num_turns, self._samples
        self._random_bits = np.random.default_rng(seed).integers(2**64, size=shape, dtype=np.uint64)

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        player = state.current_player() if player_id is None else player_id
        history = _history(state)
        chosen = self._choices(history, player)
        hand = [card - 1 for card in history.games[-1].hand(player)]
        if not np.isin(chosen, hand).all():
            raise ValueError(
                f"the bot chose actions {set(chosen.tolist()) - set(hand)}; legal are {hand}"
            )
        return {action: float(np.mean(chosen == action)) for action in hand}

    def _choices(self, history: HistoryState, player: int) -> Any:
        """The bot's actions now (samples,), after every earlier turn, which it may remember."""
        chosen: Any = ()
        for turn, game in enumerate(history.games):
            seen = observe_game(game)
            chosen = self._agent.act(
                np.tile(seen["observation"][player], (self._samples, 1)),
                np.tile(seen["action_mask"][player], (self._samples, 1)),
                np.full(self._samples, turn == 0),
                self._random_bits[turn],
            )
        return chosen


def _history(state: Any) -> HistoryState:
    """The history of a state, or of the simultaneous state that a turn-based one wraps."""
    simultaneous = getattr(state, "simultaneous_game_state", lambda: state)()
    history = getattr(simultaneous, "history_state", None)
    if not isinstance(history, HistoryState):
        raise ValueError(
            "the game must come from load_game or load_tree, not from "
            f"{state.get_game().get_type().short_name}"
        )
    return history
