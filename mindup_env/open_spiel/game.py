"""The game through OpenSpiel's API: simultaneous moves, and chance nodes that deal each round."""

from collections.abc import Iterable, Mapping
from typing import Any

import pyspiel

from mindup_env.cards import OFFICIAL_DECK
from mindup_env.config import MAX_PLAYERS, MIN_PLAYERS, GameConfig
from mindup_env.open_spiel.history import Chance, HistoryState
from mindup_env.open_spiel.observer import Observer
from mindup_env.open_spiel.parameters import DEFAULTS, read_parameters, to_parameters
from mindup_env.rewards import RewardWeights, payoffs

NAME = "mindup"


def load_game(config: GameConfig | None = None, *, reward: str = "win") -> Any:
    """An OpenSpiel game.

    ``pyspiel.load_game("mindup(players=3,cards=30,reward=win)")`` does the same.

    Args:
        config: the rules; the published game for four players if None.
        reward: a sum of score, margin and win, see ``rewards``; paid at the end of the game.

    ``pyspiel.convert_to_turn_based`` puts two numbers in front of each tensor, both one-hot with an
    entry for each player: the player to move, and the player whose tensor it is. The tensor of this
    game follows, which begins with the latter once more.
    """
    config = GameConfig() if config is None else config
    return pyspiel.load_game(NAME, to_parameters(config, reward))


def load_tree(config: GameConfig, *, reward: str = "win") -> Any:
    """``load_game`` as a turn-based game with its whole tree in memory, for exact algorithms.

    Only very small configs fit: the tree has every deal and every play.
    """
    game = load_game(config, reward=reward)
    return pyspiel.convert_to_cached_tree(pyspiel.convert_to_turn_based(game))


class MindUpGame(pyspiel.Game):
    """The rules and the reward; makes initial states and observers."""

    def __init__(self, params: Mapping[str, Any]) -> None:
        self.config, self.reward = config, reward = read_parameters(params)
        chance = Chance(config)
        low, high = _bounds(config, reward)
        super().__init__(
            _game_type(zero_sum=reward.score == 0),
            pyspiel.GameInfo(
                num_distinct_actions=config.num_cards,
                max_chance_outcomes=chance.most_outcomes,
                num_players=config.num_players,
                min_utility=low,
                max_utility=high,
                utility_sum=0.0 if reward.score == 0 else None,
                max_game_length=config.num_turns,
            ),
            dict(params),
        )
        self.initial_state = HistoryState(chance)

    def new_initial_state(self) -> "MindUpState":
        return MindUpState(self)

    def max_chance_nodes_in_history(self) -> int:
        return len(self.initial_state.chance.draws)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer(self.config, iig_obs_type, params)


class MindUpState(pyspiel.State):
    """A ``HistoryState`` through OpenSpiel's API. Action ``a`` plays card number ``a + 1``."""

    def __init__(self, game: MindUpGame) -> None:
        super().__init__(game)
        self.history_state = game.initial_state

    def current_player(self) -> int:
        if self.history_state.dealing:
            return int(pyspiel.PlayerId.CHANCE)
        return int(
            pyspiel.PlayerId.TERMINAL if self.history_state.over else pyspiel.PlayerId.SIMULTANEOUS
        )

    def is_terminal(self) -> bool:
        return self.history_state.over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        history = self.history_state
        return history.chance.outcomes(history.drawn)

    def returns(self) -> list[float]:
        game = self.history_state.game
        if game is None or not game.over:
            return [0.0] * self.num_players()
        return payoffs(game.scores, game.winners, self.get_game().reward)

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


def _bounds(config: GameConfig, reward: RewardWeights) -> tuple[float, float]:
    """The lowest and the highest possible payoff, or bounds beyond them."""
    low, high = (config.num_rounds * bound for bound in config.round_score_bounds)
    equal = 1 / config.num_players
    return (
        reward.score * low + reward.margin * (low - high) - reward.win * equal,
        reward.score * high + reward.margin * (high - low) + reward.win * (1 - equal),
    )


def _game_type(*, zero_sum: bool) -> Any:
    kinds = pyspiel.GameType
    return kinds(
        short_name=NAME,
        long_name="Mind Up!",
        dynamics=kinds.Dynamics.SIMULTANEOUS,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=MAX_PLAYERS,
        min_num_players=MIN_PLAYERS,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=DEFAULTS,
    )


if NAME not in pyspiel.registered_names():
    pyspiel.register_game(_game_type(zero_sum=True), MindUpGame)
