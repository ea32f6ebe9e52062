"""The game through OpenSpiel's API: simultaneous moves, and chance nodes that deal each round."""

from collections.abc import Iterable, Mapping
from typing import Any

import pyspiel

from mindup_env.cards import OFFICIAL_DECK
from mindup_env.checks import InputError
from mindup_env.config import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    OPTION_FIELDS,
    GameConfig,
    check_config,
)
from mindup_env.open_spiel.history import SCORE_ORDERS, Chance, HistoryState
from mindup_env.open_spiel.observer import Observer

NAME = "mindup"
_RANDOM = "random"


def load_game(config: GameConfig | None = None) -> Any:
    """An OpenSpiel game, whose returns are the reward ``win``.

    ``pyspiel.load_game("mindup(players=3,cards=30)")`` does the same.

    Args:
        config: the rules; the published game for four players if None.
    """
    return pyspiel.load_game(NAME, _to_parameters(check_config(config or GameConfig())))


def _to_parameters(config: GameConfig) -> dict[str, Any]:
    """Numbers and strings; score cards such as 2/4/1/5/3 stay in every round."""
    numbers = {name: getattr(config, field) for name, field in OPTION_FIELDS.items()}
    order = config.score_order
    return {**numbers, "score_cards": _RANDOM if order is None else "/".join(map(str, order))}


def read_parameters(plain: Mapping[str, Any]) -> GameConfig:
    """The rules of an OpenSpiel game: the inverse of ``_to_parameters``."""
    numbers = {field: plain[name] for name, field in OPTION_FIELDS.items()}
    order: Any = None
    if plain["score_cards"] != _RANDOM:
        values = plain["score_cards"].split("/")
        order = [int(each) if each.isdecimal() else each for each in values]
    return GameConfig(**numbers, score_order=order)


DEFAULTS = _to_parameters(GameConfig())
"""OpenSpiel takes the type of a parameter from its default."""
KINDS = pyspiel.GameType
GAME_TYPE = KINDS(
    short_name=NAME,
    long_name="Mind Up!",
    dynamics=KINDS.Dynamics.SIMULTANEOUS,
    chance_mode=KINDS.ChanceMode.EXPLICIT_STOCHASTIC,
    information=KINDS.Information.IMPERFECT_INFORMATION,
    utility=KINDS.Utility.ZERO_SUM,
    reward_model=KINDS.RewardModel.TERMINAL,
    max_num_players=MAX_PLAYERS,
    min_num_players=MIN_PLAYERS,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=DEFAULTS,
)


class MindUpGame(pyspiel.Game):
    """The rules; makes initial states and observers."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        config = self.config = read_parameters(params)
        equal = 1 / config.num_players
        info = pyspiel.GameInfo(
            num_distinct_actions=config.num_cards,
            max_chance_outcomes=max(config.num_cards, len(SCORE_ORDERS)),
            num_players=config.num_players,
            min_utility=-equal,
            max_utility=1 - equal,
            utility_sum=0.0,
            max_game_length=config.num_turns,
        )
        super().__init__(GAME_TYPE, info, dict(params))
        self.initial_state = HistoryState(Chance(config))

    def new_initial_state(self) -> "MindUpState":
        return MindUpState(self)

    def max_chance_nodes_in_history(self) -> int:
        return len(self.initial_state.chance.draws)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        if params:
            raise InputError(f"observations of mindup accept no parameters, not {params}")
        return Observer(self.config, iig_obs_type)


class MindUpState(pyspiel.State):
    """A ``HistoryState`` through OpenSpiel's API. Action ``a`` plays card number ``a + 1``."""

    def __init__(self, game: MindUpGame) -> None:
        super().__init__(game)
        self.history_state = game.initial_state

    def current_player(self) -> int:
        player = pyspiel.PlayerId
        if self.history_state.dealing:
            return int(player.CHANCE)
        return int(player.TERMINAL if self.history_state.over else player.SIMULTANEOUS)

    def is_terminal(self) -> bool:
        return self.history_state.over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.history_state.chance.outcomes(self.history_state.drawn)

    def returns(self) -> list[float]:
        players = range(self.num_players())
        if not self.history_state.over:
            return [0.0 for _ in players]
        winners = self.history_state.games[-1].winners
        return [(player in winners) / len(winners) - 1 / len(players) for player in players]

    def _legal_actions(self, player: int) -> list[int]:
        return [card - 1 for card in self.history_state.games[-1].hand(player)]

    def _apply_action(self, action: int) -> None:
        self.history_state = self.history_state.draw(action)

    def _apply_actions(self, actions: Iterable[int]) -> None:
        self.history_state = self.history_state.play(tuple(action + 1 for action in actions))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            history = self.history_state
            return history.chance.name(history.drawn, action)
        return str(OFFICIAL_DECK[action])

    def __str__(self) -> str:
        return str(self.history_state)


if NAME not in pyspiel.registered_names():
    pyspiel.register_game(GAME_TYPE, MindUpGame)
