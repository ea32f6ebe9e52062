"""What a learner hands a network beside its own decisions: the targets of an auxiliary loss.

A network asks for them by an attribute ``targets``, names such as ``("opponent_cards",)``, and
compares them with its output in a method ``auxiliary_loss(output, targets)``, whose result is a
number. Learners add it, weighed by ``aux_coef``, to their loss.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from mindup_env.config import GameConfig

Targets = Mapping[str, Tensor]

OPPONENT_CARDS, FINAL_SCORES, HIDDEN_HANDS = "opponent_cards", "final_scores", "hidden_hands"
TARGETS = OPPONENT_CARDS, FINAL_SCORES, HIDDEN_HANDS
"""The card (opponents,) that each opponent plays in the same turn; the score (players,) of each
player at the end of the game; whether each opponent has each card in the hand (opponents, cards).

Players are counted from the seat that decides."""


def targets_of(network: nn.Module | None) -> tuple[str, ...]:
    """The names of the targets of a network; none if it has no auxiliary loss.

    Raises:
        ValueError: if there is no such target, or no auxiliary loss.
    """
    named: Any = getattr(network, "targets", ())
    title = type(network).__name__
    for name in named:
        if name not in TARGETS:
            raise ValueError(
                f"network {title} has the target {name!r}; available: {', '.join(TARGETS)}"
            )
    if named and not callable(getattr(network, "auxiliary_loss", None)):
        raise ValueError(f"network {title} has targets and must have a method auxiliary_loss")
    return tuple(named)


class TargetRecorder:
    """Records the targets of a network, if it has any, while games are played.

    A turn has as many decisions as ``rows``. ``recorded`` has the targets by name (turns, rows,
    ...); the next game overwrites them.
    """

    def __init__(self, network: nn.Module | None, rows: int, config: GameConfig) -> None:
        turns, players, cards = config.num_turns, config.num_players, config.num_cards
        kinds = {
            OPPONENT_CARDS: ((players - 1,), torch.int64),
            FINAL_SCORES: ((players,), torch.float32),
            HIDDEN_HANDS: ((players - 1, cards), torch.bool),
        }
        self.recorded = {
            name: torch.zeros(turns, rows, *kinds[name][0], dtype=kinds[name][1])
            for name in targets_of(network)
        }
        self._turn = 0

    def record(
        self,
        seats: npt.NDArray[np.integer],
        actions: npt.NDArray[np.integer],
        masks: npt.NDArray[np.int8],
    ) -> None:
        """Records a turn before it is played, in which the seats (N, k) decide.

        The actions (N, P) and ``masks`` (N, P, cards) are those of all seats.
        """
        games, players = _players_from(seats, actions.shape[1])
        others = games, players[:, 1:]
        if OPPONENT_CARDS in self.recorded:
            self.recorded[OPPONENT_CARDS][self._turn] = torch.from_numpy(actions[others])
        if HIDDEN_HANDS in self.recorded:
            self.recorded[HIDDEN_HANDS][self._turn] = torch.from_numpy(masks[others] != 0)

    def end_turn(
        self, seats: npt.NDArray[np.integer], scores: npt.NDArray[np.integer] | None
    ) -> None:
        """Ends a turn of all games, with their scores (N, P) if they are over."""
        self._turn += 1
        if scores is None:
            return
        self._turn = 0
        if FINAL_SCORES in self.recorded:
            found = torch.from_numpy(scores[_players_from(seats, scores.shape[1])])
            self.recorded[FINAL_SCORES][:] = found.float()


def auxiliary_loss(network: Any, output: Any, targets: Targets) -> Tensor:
    """The auxiliary loss of a network, which must be finite."""
    loss: Tensor = network.auxiliary_loss(output, targets)
    if not torch.isfinite(loss).all():
        raise ValueError(
            f"the auxiliary loss of network {type(network).__name__} must be a finite number, not "
            f"{loss.tolist()}"
        )
    return loss


def with_loss(values: Tensor, loss: Tensor) -> Tensor:
    """The same values, whose gradient also brings that of an auxiliary loss.

    A library that computes its loss from these values then minimizes the sum of both.
    """
    found: Tensor = _WithLoss.apply(values, loss)  # type: ignore[no-untyped-call]
    return found


class _WithLoss(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, values: Tensor, loss: Tensor) -> Tensor:
        ctx.like = loss.new_ones(loss.shape)
        return values.view_as(values)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor]:
        return gradient, ctx.like


def _players_from(
    seats: npt.NDArray[np.integer], players: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The game (L, 1) of each seat (N, k), and the seats of all players (L, P) from it on."""
    games = np.repeat(np.arange(len(seats)), seats.shape[1])[:, None]
    return games, (seats.reshape(-1, 1) + np.arange(players)) % players
