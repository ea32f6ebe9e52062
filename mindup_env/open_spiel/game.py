"""The game as OpenSpiel plays it: all choose at once, and chance deals each round."""

from collections.abc import Iterable, Mapping
from typing import Any

from mindup_env.config import MAX_PLAYERS, MIN_PLAYERS, GameConfig
from mindup_env.game import Game
from mindup_env.open_spiel.chance import Chance
from mindup_env.open_spiel.history_state import HistoryState
from mindup_env.open_spiel.observer import Observer
from mindup_env.open_spiel.parameters import DEFAULTS, Parameters, to_parameters
from mindup_env.open_spiel.pyspiel_extra import pyspiel
from mindup_env.rewards import Payment

NAME = "mindup"


def load_game(
    config: GameConfig | None = None,
    *,
    score_order: Iterable[int] | None = None,
    reward: str = "win",
) -> Any:
    """An OpenSpiel game of a table; with ``score_order`` the score cards always lie so.

    The same can be had by text: ``pyspiel.load_game("mindup(players=3,deck=official:30)")``.
    """
    config = GameConfig() if config is None else config
    return pyspiel.load_game(NAME, to_parameters(config, score_order, reward))


def load_tree(
    config: GameConfig, *, score_order: Iterable[int] | None = None, reward: str = "win"
) -> Any:
    """The turn-based form of a small game, for exact algorithms; its whole tree is kept."""
    game = load_game(config, score_order=score_order, reward=reward)
    return pyspiel.convert_to_cached_tree(pyspiel.convert_to_turn_based(game))


class MindUpGame(pyspiel.Game):
    def __init__(self, params: Mapping[str, Any]) -> None:
        self.table = Parameters.read(params)
        config, payment = self.table.config, self.table.payment
        chance = Chance(config, self.table.score_order)
        low, high = _bounds(config, payment)
        super().__init__(
            _game_type(zero_sum=payment.score == 0),
            pyspiel.GameInfo(
                num_distinct_actions=config.num_cards,
                max_chance_outcomes=chance.most_outcomes,
                num_players=config.num_players,
                min_utility=low,
                max_utility=high,
                utility_sum=0.0 if payment.score == 0 else None,
                max_game_length=config.num_turns,
            ),
            dict(params),
        )
        self.history = HistoryState(chance)

    def new_initial_state(self) -> "MindUpState":
        return MindUpState(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.history.chance.num_draws

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer(self.table.config, iig_obs_type, params)


class MindUpState(pyspiel.State):
    """A course, in OpenSpiel's form. Action ``a`` plays card number ``a + 1``."""

    def __init__(self, game: MindUpGame) -> None:
        super().__init__(game)
        self.history = game.history

    def current_player(self) -> int:
        if self.history.dealing:
            return int(pyspiel.PlayerId.CHANCE)
        return int(
            pyspiel.PlayerId.TERMINAL if self.history.over else pyspiel.PlayerId.SIMULTANEOUS
        )

    def is_terminal(self) -> bool:
        return self.history.over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.history.outcomes

    def returns(self) -> list[float]:
        table = self.history.table
        if table is None or not table.over:
            return [0.0] * self.num_players()
        return _payoffs(table, self.get_game().table.payment)

    def _legal_actions(self, player: int) -> list[int]:
        return [card - 1 for card in self.history.tables[-1].hand(player)]

    def _apply_action(self, action: int) -> None:
        self.history = self.history.drawn(action)

    def _apply_actions(self, actions: Iterable[int]) -> None:
        self.history = self.history.played(tuple(action + 1 for action in actions))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self.history.name_of(action)
        return str(self.history.chance.config.deck[action + 1])

    def __str__(self) -> str:
        return str(self.history)


def _payoffs(table: Game, payment: Payment) -> list[float]:
    """What the rewards of a finished game add up to."""
    scores, winners = table.scores, table.winners
    players = len(scores)
    payoffs = []
    for player, score in enumerate(scores):
        margin = score - (sum(scores) - score) / (players - 1)
        win = (player in winners) / len(winners) - 1 / players
        payoffs.append(payment.score * score + payment.margin * margin + payment.win * win)
    return payoffs


def _bounds(config: GameConfig, payment: Payment) -> tuple[float, float]:
    """A range that no payoff leaves."""
    low, high = (config.num_rounds * bound for bound in config.round_score_bounds)
    equal = 1 / config.num_players
    return (
        payment.score * low + payment.margin * (low - high) - payment.win * equal,
        payment.score * high + payment.margin * (high - low) + payment.win * (1 - equal),
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
        provides_factored_observation_string=True,
        parameter_specification=DEFAULTS,
    )


if NAME not in pyspiel.registered_names():
    pyspiel.register_game(_game_type(zero_sum=True), MindUpGame)
