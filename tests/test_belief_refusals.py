"""What no belief can be formed on is refused, in words."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mindup_env import GameConfig
from mindup_env.belief import sample
from mindup_env.observation import layout_of
from tests.test_belief import position

CONFIG = GameConfig(3, num_objectives=2)


def observation(config: GameConfig = CONFIG, turns: int = 9) -> NDArray[np.int8]:
    """Player 1's, by default in round 2 after three turns."""
    _, seen = position(config, turns, seed=1)
    first: NDArray[np.int8] = seen["observation"][0, 1]
    return first.copy()


def refuse(message: str, given: Any, config: Any = CONFIG, **others: Any) -> None:
    others = {"n": 3, "rng": np.random.default_rng(1), **others}
    with pytest.raises(ValueError, match=message):
        sample(given, config, **others)


def test_only_an_observation_of_one_seat_is_read() -> None:
    seen = observation()
    size = layout_of(CONFIG).size
    for wrong in (seen[:-1], seen[None], seen.astype(np.int64), seen.astype(np.float32), None):
        refuse(f"int8 vector of {size} entries with this config, not ", wrong)
    refuse("observation must be an int8 vector of", observation(GameConfig(4, num_objectives=2)))


def test_other_arguments_are_checked() -> None:
    for n in (0, -1, 1.5, True):
        refuse("n must be ", observation(), n=n)
    refuse("rng must be a numpy.random.Generator, not 7", observation(), rng=7)
    refuse("config must be a GameConfig, not None", observation(), None)


# What is written into the observation of seat 1 in turn 4 of round 2, where the row is 19, 26, 43
# (counted from 0, as here all cards), and hands and tableaux are
#   viewer: 5 21 47 57, and 32 that it drew    7 29 39
#   opponent 1: 20 38 41 51 56, none drawn left    18 24 30
#   opponent 2: 8 13 17 42 46, none drawn left     0 44 55
Changes = dict[tuple[str, Any], int]
OUT_OF_BOUNDS: list[tuple[str, Changes]] = [
    (r"`turn` .* must be 0 to 8 .*, not 9", {("turn", ...): 9}),
    (r"round 0: both must be at least 1", {("round", ...): 0}),
    (r"`hand` .* must be 0 to 1 .*, not 2", {("hand", 5): 2}),
    (r"`known` .* must be 0 to 1 .*, not -1", {("known", (2, 59)): -1}),
    (r"`columns` .* must be 0 to 5 .*, not 6", {("columns", (1, 0)): 6}),
    (r"`score_cards` .* must be 1 to 5 .*, not 0", {("score_cards", 3): 0}),
    (r"`round_scores` .*, not -128", {("round_scores", (1, 0)): -128}),
]
CONTRADICTIONS: list[tuple[str, Changes]] = [
    ("turn 8 of round 2: this round has 7 turns", {("turn", ...): 8}),
    ("turn 5 of round 2: a hand has 4 cards, but the viewer's has 5", {("turn", ...): 5}),
    ("turn 4 of round 2: the viewer's hand is empty before the end", {("hand", ...): 0}),
    (r"the cards \[6\] are in two places", {("tableaux", (0, 5)): 1}),
    (r"the cards \[20\] are in two places", {("tableaux", (2, 19)): 1}),
    (r"`row` of the prizes, .* must be \[1, 2, 3\], not \[1, 3, 3\]", {("row", 26): 3}),
    (r"`row_players` must .*, not \[1, 1, 1\]", {("row_players", ...): 1}),
    (r"order of round 2 is \(3, 1, 4, 2, 3\); it must hold each of", {("score_cards", 4): 3}),
    ("2 objectives must be shown, not 1", {("objectives", 0): 0}),
    (
        "objectives shown together must differ in letter",
        {("objectives", 3): 0, ("objectives", 1): 1},
    ),
    ("2 objectives were used before round 2, not 3", {("objectives_used", 12): 1}),
    ("were shown in an earlier round", {("objectives_used", 5): 0, ("objectives_used", 0): 1}),
    (
        "of round 1 .* must differ in letter",
        {("objectives_used", 5): 0, ("objectives_used", 11): 1},
    ),
    ("the viewer has 5 known and 1 unknown cards in a hand of 5", {("known", (0, 32)): 1}),
    ("opponent 2 has 5 known and 1 unknown cards in a hand of 5", {("unknown", 2): 1}),
    ("other parts, `known` must be", {("known", (0, 5)): 0, ("known", (0, 6)): 1}),
    (
        "opponent 1 has 2 unknown cards after round 1",
        {("known", (1, 20)): 0, ("known", (1, 38)): 0, ("unknown", 1): 2},
    ),
    ("opponent 1 must have 3 cards in the tableau, not 2", {("tableaux", (1, 18)): 0}),
    ("other parts, `columns` must be", {("columns", (2, 0)): 0}),
    ("other parts, `columns` must be", {("columns", (2, 1)): 3}),
    (r"by its other parts, `counts` must be \[\[2, 1, 0", {("counts", (0, 0)): 1}),
    (r"`running_scores` must be \[8, 6, 9\], not \[8, 6, 8\]", {("running_scores", 2): 8}),
    ("`round_scores` must be ", {("round_scores", (1, 1)): 1}),
    ("`objectives_met` must be ", {("objectives_met", (0, 0)): 1}),
]


@pytest.mark.parametrize(("message", "changes"), OUT_OF_BOUNDS + CONTRADICTIONS)
def test_what_no_game_shows_is_refused(message: str, changes: Changes) -> None:
    prefix = "" if (message, changes) in OUT_OF_BOUNDS else "the observation contradicts itself: .*"
    refuse(prefix + message, changed(observation(), changes))


def changed(given: NDArray[np.int8], changes: Changes) -> NDArray[np.int8]:
    views = layout_of(CONFIG).views(given)
    for (part, at), value in changes.items():
        views[part][at] = value
    return given


@pytest.mark.parametrize(
    ("turns", "message", "changes"),
    [
        (0, "`row_players` must be ", {("row_players", ...): 1}),
        (0, "0 objectives were used before round 1, not 1", {("objectives_used", 0): 1}),
        (1, "other parts, `known` must be", {("known", (1, 2)): 1, ("unknown", 1): 5}),
        (
            6,
            "opponent 2 has no unknown card before the first turn",
            {("unknown", 2): 0, ("known", (2, 2)): 1},
        ),
        (21, "before the end", {("turn", ...): 7}),
        (21, "opponent 1 has 0 known and 1 unknown", {("unknown", 1): 1}),
        (21, "`round_scores` must be ", {("round_scores", (1, 2)): 1}),
    ],
)
def test_it_is_refused_at_any_time(turns: int, message: str, changes: Changes) -> None:
    refuse(message, changed(observation(turns=turns), changes))


@pytest.mark.parametrize("num_objectives", [0, 3])
def test_objectives_that_stay_are_those_used(num_objectives: int) -> None:
    config = GameConfig(3, num_objectives)
    given = observation(config, turns=9)
    used = layout_of(config).views(given)["objectives_used"]
    used[:] = 1 - used
    refuse("by its other parts, `objectives_used` must be ", given, config)


@pytest.mark.parametrize("turns", [1, 7])
def test_after_the_first_turn_of_a_round_cards_and_prizes_agree(turns: int) -> None:
    given = observation(turns=turns)
    players = layout_of(CONFIG).views(given)["row_players"]
    players[:] = players[::-1].copy()
    message = "in the last turn, the lowest card took" if turns > 1 else "`tableaux` must be"
    refuse(f"the observation contradicts itself: .*{message}", given)
