"""What a seat can expect of a turn: the cards of the other players, and the prizes of its own."""

from collections.abc import Iterable, Sequence
from threading import Lock
from typing import NamedTuple

import numpy as np

from mindup_agents.play_prediction import PlayPredictor, predicted_plays, prize_probabilities
from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.agent import make_agent
from mindup_env.settings.checks import check_int
from mindup_play.bots import BotPlayer

_LIKELY = 0.15
"""Cards that are played with a lower probability are not named."""


class SeatForecast(NamedTuple):
    """The probabilities in one turn, as one seat can know them."""

    prizes: dict[str, list[float]]  # by card of the hand, of each prize, the lowest first
    plays: list[dict[str, float]]  # by player, of each known card that is likely to be played


class Forecasts:
    """The forecasts of all seats of a game.

    They follow from predictions of the cards that the other players play: those of the bot at the
    seat if it predicts them, or else those of ``predictor``, whose models are fitted to what the
    players played. Bots remember the turns before, so ``at`` reads the turns in order.
    """

    def __init__(self, config: GameConfig, bots: Iterable[BotPlayer] = ()) -> None:
        self._lock = Lock()
        self._env = BatchEnv(config, 1, autoreset=False)
        self._predictor = make_agent("predictor", config)
        # Bots of the same kind, because those that are given play at the same time.
        predicting = [bot for bot in bots if isinstance(bot.agent, PlayPredictor)]
        self._agents = {bot.seat: make_agent(bot.spec, config) for bot in predicting}
        self._turns: list[list[SeatForecast]] = []  # by turn and seat

    def at(self, games: Sequence[Game], turn: int) -> list[SeatForecast]:
        """The forecasts of each seat; ``games`` are the game before each turn."""
        check_int("turn", turn, 0, len(games) - 1)
        with self._lock:
            for game in games[len(self._turns) : turn + 1]:
                self._turns.append(self._read(game))
            return self._turns[turn]

    def _read(self, game: Game) -> list[SeatForecast]:
        seen, seats = self._env.set_game(0, game), game.config.num_players
        random_bits = np.random.default_rng(len(game.plays)).integers(0, 2**64, seats, np.uint64)
        of_seats = (
            seen["observation"][0],
            seen["action_mask"][0],
            np.full(seats, not self._turns),
            random_bits,
        )
        self._predictor.act(*of_seats)
        plays = np.array(predicted_plays(self._predictor))
        for seat, agent in self._agents.items():
            agent.act(*(part[seat : seat + 1] for part in of_seats))
            own = predicted_plays(agent)
            if own is not None:
                plays[seat] = own[0]
        prizes = prize_probabilities(plays)
        found = []
        for seat in range(seats):
            of_hand = {str(card): prizes[seat, card - 1].tolist() for card in game.hand(seat)}
            likely: list[dict[str, float]] = [{} for _ in range(seats)]
            for after, of_cards in enumerate(plays[seat].tolist()):
                player = (seat + 1 + after) % seats
                for card in game.known(player):
                    if of_cards[card - 1] >= _LIKELY:
                        likely[player][str(card)] = of_cards[card - 1]
            found.append(SeatForecast(of_hand, likely))
        return found
