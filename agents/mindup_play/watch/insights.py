"""What is shown of the bots: which prize a card may take, and what a policy looks at."""

from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from mindup_agents.features.base import NO_CARD, Float32Array, feature_names
from mindup_agents.features.encoders import make_encoder
from mindup_agents.features.seat import PRIZE_PROBABILITY
from mindup_agents.inspection.occlusion import Means, occlusions, self_play_rows
from mindup_agents.policy import PolicyAgent
from mindup_agents.policy.evaluator import BiddingEvaluator
from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.agent import Agent
from mindup_env.settings.checks import check_int

_FEATURES = "forecast-1"

CardProbabilities = dict[str, list[float]]
"""By card number, the probability of each prize of the row, the lowest prize first."""


class PrizeForecast:
    """The probabilities of the prizes for all seats of a game.

    A policy with the network ``bidding-1`` predicts the cards of the other players itself. For all
    other seats these are the predictions of the features ``forecast-1``: models are fitted to what
    the players played, and so remember the turns before. ``at`` reads the turns in order.

    Args:
        config: the game.
        agents: by seat, policies that predict cards themselves, see ``predicts``. Nothing else may
            use them.
    """

    def __init__(self, config: GameConfig, agents: Mapping[int, Agent] | None = None) -> None:
        self._lock = Lock()
        self._env = BatchEnv(config, 1, autoreset=False)
        self._encoder = make_encoder(_FEATURES, config)
        names = feature_names(self._encoder).card
        self._places = [at for at, name in enumerate(names) if name == PRIZE_PROBABILITY]
        self._rows: Float32Array = np.zeros(
            (config.num_players, self._encoder.shape.size), np.float32
        )
        self._agents = agents or {}
        self._turns: list[list[CardProbabilities]] = []  # by turn and seat

    def at(self, games: Sequence[Game], turn: int) -> list[CardProbabilities]:
        """The probabilities of each seat; ``games`` are the game before each turn."""
        check_int("turn", turn, 0, len(games) - 1)
        with self._lock:
            for game in games[len(self._turns) : turn + 1]:
                self._turns.append(self._read(game))
            return self._turns[turn]

    def _read(self, game: Game) -> list[CardProbabilities]:
        seen, seats = self._env.set_game(0, game), len(self._rows)
        random_bits = np.random.default_rng(len(game.plays)).integers(0, 2**64, seats, np.uint64)
        of_seats = (
            seen["observation"][0],
            seen["action_mask"][0],
            np.full(seats, not self._turns),
            random_bits,
        )
        self._encoder.fill(*of_seats, self._rows)
        _, slots, cards = self._encoder.shape.split(self._rows)
        found = [
            _by_card(cards[seat], slots[seat][:, self._places].clip(0)) for seat in range(seats)
        ]
        for seat, agent in self._agents.items():
            evaluator = cast("PolicyAgent", agent).evaluator
            evaluator.read(*(part[seat : seat + 1] for part in of_seats))
            network = cast("BiddingEvaluator", evaluator.row_evaluator)
            prizes = network.prizes(evaluator.rows)[0, :, :seats]
            found[seat] = _by_card(evaluator.cards[0], prizes)
        return found


def predicts(agent: Agent) -> bool:
    """Whether a bot is a policy that predicts the cards of the other players."""
    return isinstance(agent, PolicyAgent) and isinstance(
        agent.evaluator.row_evaluator, BiddingEvaluator
    )


def _by_card(cards: npt.NDArray[Any], prizes: Float32Array) -> CardProbabilities:
    """From the cards (slots,) of a hand and the probabilities (slots, P) of the prizes."""
    return {
        str(int(card) + 1): places.tolist()
        for card, places in zip(cards, prizes, strict=True)
        if card != NO_CARD
    }


_GAMES = 4
"""Games against itself, in whose positions features are averaged."""
_MOST_SHOWN = 5


def feature_reader(agent: Agent, config: GameConfig) -> Callable[[], list[dict[str, Any]]] | None:
    """Reads what a policy at one seat has just chosen from; None for a bot that is no policy.

    The function returns the names of features, and how much of the choice moves to other cards
    without them; the policy is not changed.
    """
    if not isinstance(agent, PolicyAgent):
        return None
    evaluator = agent.evaluator
    # The games against itself have rows of their own: the memory of the agent starts again.
    means = Means.of(self_play_rows(agent, config, _GAMES, seed=0), evaluator.encoder.shape)

    def read() -> list[dict[str, Any]]:
        found = occlusions(evaluator, evaluator.rows.copy(), means)
        moved = sorted(((float(each.moved[0]), each.name) for each in found), key=lambda e: -e[0])
        return [{"name": name, "moved": round(share, 4)} for share, name in moved[:_MOST_SHOWN]]

    return read
