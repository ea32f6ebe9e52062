"""What a learner hands a network beside its own decisions: the targets of an auxiliary loss.

A network asks for them by an attribute ``targets``, names such as ``("opponent_cards",)``, and
compares them with its output in a method ``auxiliary_loss(output, targets)``, whose result is a
number. Learners with ``hands_targets`` add it, weighed by ``aux_coef``, to their loss.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

Targets = Mapping[str, Tensor]


class _Kind(NamedTuple):
    """The entries of a target for one decision; those of players not at the table are ``absent``.

    Players are counted from the seat that decides.
    """

    axes: tuple[str, ...]
    absent: torch.Tensor


TARGETS = {
    # the card that each opponent plays in the same turn
    "opponent_cards": _Kind(("opponents",), torch.tensor(-1)),
    # the score of each player at the end of the game
    "final_scores": _Kind(("players",), torch.tensor(0.0)),
    # whether each opponent has each card in the hand
    "hidden_hands": _Kind(("opponents", "cards"), torch.zeros((), dtype=torch.bool)),
}
"""The targets by name, as tensors (B, *axes)."""


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
    """Records the targets of a network, if it has any, while the games of a rollout are played.

    A turn has L decisions, its ``rows``, and the features have places for so many ``players``.
    ``recorded`` has the targets by name (turns, L, *axes); the next rollout overwrites them.
    """

    def __init__(
        self, network: nn.Module | None, num_turns: int, rows: int, players: int, cards: int
    ) -> None:
        self._turn, self._game_begins = 0, 0
        sizes = {"players": players, "opponents": players - 1, "cards": cards}
        kinds = {name: TARGETS[name] for name in targets_of(network)}
        self.recorded = {
            name: kind.absent.repeat(num_turns, rows, *map(sizes.__getitem__, kind.axes))
            for name, kind in kinds.items()
        }
        self._num_turns = num_turns

    def record(
        self,
        part: slice,
        seats: npt.NDArray[np.integer],
        actions: npt.NDArray[np.integer],
        masks: npt.NDArray[np.int8],
    ) -> None:
        """Records a turn of the games with the rows ``part``, before it is played.

        The seats (N, k) decide; ``actions`` (N, P) and ``masks`` (N, P, cards) are of all seats.
        """
        games, opponents = _players_from(seats, actions.shape[1])
        opponents = opponents[:, 1:]
        self._write("opponent_cards", self._turn, part, lambda: actions[games, opponents])
        self._write("hidden_hands", self._turn, part, lambda: masks[games, opponents] != 0)

    def finish(
        self, part: slice, seats: npt.NDArray[np.integer], scores: npt.NDArray[np.integer]
    ) -> None:
        """Records the final scores (N, P) of games that ended with the turn recorded last."""
        games, players = _players_from(seats, scores.shape[1])
        turns = slice(self._game_begins, self._turn + 1)
        self._write("final_scores", turns, part, lambda: scores[games, players])

    def next_turn(self, *, over: bool) -> None:
        """Ends a turn of all games; after the last of a rollout, the first one follows."""
        self._turn = (self._turn + 1) % self._num_turns
        if over:
            self._game_begins = self._turn

    def _write(
        self, name: str, turns: int | slice, part: slice, values: Callable[[], npt.NDArray[Any]]
    ) -> None:
        if (recorded := self.recorded.get(name)) is not None:
            found = torch.as_tensor(values())
            recorded[turns, part, : found.shape[1]] = found.to(recorded.dtype)


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
