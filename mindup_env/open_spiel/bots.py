"""A bot as an OpenSpiel policy, so that its algorithms can play against it and measure it."""

from typing import Any

import numpy as np

from mindup_env.agent import Agent, make_agent
from mindup_env.checks import check_int
from mindup_env.open_spiel.history_state import HistoryState
from mindup_env.open_spiel.pyspiel_extra import policy
from mindup_env.open_spiel.seen import Visibility, observation


class BotPolicy(policy.Policy):
    """The odds of a bot's cards, given all that its seat has seen.

    They are counted over ``samples`` ways that its chance may fall; one is exact for a bot that
    leaves nothing to chance. ``game`` is one of ``load_game``, or its turn-based form; with
    ``to_tabular()`` the policy is written out for a small one.
    """

    def __init__(self, game: Any, bot: str | Agent, *, samples: int = 1, seed: int = 0) -> None:
        super().__init__(game, list(range(game.num_players())))
        config = _history(game.new_initial_state()).chance.config
        self._agent = make_agent(bot, config) if isinstance(bot, str) else bot
        self._samples = check_int("samples", samples, 1)
        # The same for every seat and course: a policy must not change from one question to another.
        shape = config.num_turns, self._samples
        self._random_bits = np.random.default_rng(seed).integers(2**64, size=shape, dtype=np.uint64)

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        player = state.current_player() if player_id is None else player_id
        history = _history(state)
        chosen = self._choices(history, player)
        hand = [card - 1 for card in history.tables[-1].hand(player)]
        odds = {action: float(np.mean(chosen == action)) for action in hand}
        if not np.isin(chosen, hand).all():
            raise ValueError(f"the bot chose {set(chosen.tolist()) - set(hand)}, not of {hand}")
        return odds

    def _choices(self, history: HistoryState, player: int) -> Any:
        """What the bot plays now, after it has seen every turn before: it may remember them."""
        chosen: Any = ()
        for turn, table in enumerate(history.tables):
            seen = observation(table, player, Visibility())
            mask = np.zeros(table.config.num_cards, np.int8)
            mask[[card - 1 for card in table.hand(player)]] = 1
            chosen = self._agent.act(
                np.tile(seen, (self._samples, 1)),
                np.tile(mask, (self._samples, 1)),
                np.full(self._samples, turn == 0),
                self._random_bits[turn],
            )
        return chosen


def _history(state: Any) -> HistoryState:
    """Of a state, or of the one behind its turn-based form."""
    behind = getattr(state, "simultaneous_game_state", lambda: state)()
    history = getattr(behind, "history", None)
    if not isinstance(history, HistoryState):
        raise ValueError(
            "a bot plays in a game of load_game or its turn-based form, not in "
            f"{state.get_game().get_type().short_name}"
        )
    return history
