"""Saved and recorded games as plain data, checked when it is read.

A game that ``belief.sample`` made begins in the middle: its record has its first state too. The
score cards, the objectives and the card that each player drew for the round are not part of that
state: the deal has them.
"""

from collections.abc import Mapping
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from mindup_env.cards import numbers_of
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch
from mindup_env.engine.clock import Moment, first_draw, log_start, moment_after
from mindup_env.engine.state import NUM_PARTS, Int64Array, Rules
from mindup_env.settings.checks import check_entries, check_int, shown
from mindup_env.settings.plain_file import content_errors_name

FORMAT = "mindup-record"
VERSION = 1
SAVED = ("config", "deal", "plays")
"""The entries of a saved game; a record has them too."""
START = "start"
"""The entry of a game that begins in the middle: the state before its first play."""

NAMES = "names"
"""An optional entry that replay pages show: the names of the players, in seat order."""
CARD_EVALUATIONS = "weighings"
"""An optional entry that replay pages show: per-card evaluations that bots exposed."""

_ENTRIES = ("turns_played", "last_turn", "hands", "tableaux", "finished_rounds")


def read_record(record: Mapping[str, Any]) -> tuple[dict[str, Any], Any]:
    """The saved game of a record, and the result that it states."""
    if not isinstance(record, Mapping) or record.get("format") != FORMAT:
        raise ValueError(f"not a record of a game: 'format' must be {FORMAT!r}")
    if type(record.get("version")) is not int or record["version"] != VERSION:
        raise ValueError(
            f"the record has version {shown(record.get('version'))}; this release reads {VERSION}"
        )
    check_entries(
        "a record",
        record,
        ("format", "version", *SAVED, "result"),
        (START, NAMES, CARD_EVALUATIONS),
    )
    saved = {name: record[name] for name in (*SAVED, START) if name in record}
    return saved, record["result"]


# The first state of a game that begins in the middle


class Start(NamedTuple):
    """What N games begin with that begin in the middle. Cards count from 0, as in the engine."""

    turns: int  # played before
    last_turn: Int64Array  # (N, num_players) the card that each player played last
    hands: Int64Array  # (N, num_players, cards)
    tableaux: Int64Array  # (N, num_players, cards) in the order placed
    points: Int64Array  # (N, finished rounds, num_players, num_parts)

    def write(self, batch: Batch) -> None:
        """Puts the games, which are at the first turn of their deals, into these states.

        A state to which the deal cannot lead is refused.
        """
        games, turns = batch.games, self.turns
        moment = moment_after(batch.rules, turns)
        for deck, *cards in zip(games.deck, *self[1:4], strict=True):
            _check_start(batch.rules, moment, *(each.tolist() for each in (deck, *cards)))
        games.clock[:] = games.start_turn[:] = turns
        games.played[:, turns - 1] = self.last_turn
        games.row[:] = np.sort(self.last_turn)
        games.hands[:] = (1 << self.hands).sum(axis=2)
        games.points[:, : moment.round_] = self.points
        tableaux = np.ascontiguousarray(self.tableaux, np.int8)
        kernels.lay_tableaux(batch.arrays, tableaux, log_start(batch.rules, moment.round_))


def _check_start(
    rules: Rules,
    moment: Moment,
    deck: list[int],
    last_turn: list[int],
    hands: list[list[int]],
    tableaux: list[list[int]],
) -> None:
    """Refuses a start to which the deal of its game cannot lead."""
    draw, next_draw = (first_draw(rules, moment.round_ + later) for later in (0, 1))
    cards = [*last_turn, *chain(*hands, *tableaux), *deck[next_draw:]]
    if len({*cards}) < len(cards):
        raise ValueError(
            f"cards in two places: {sorted(card + 1 for card in {*cards} if cards.count(card) > 1)}"
            "; a card is in one hand, one tableau, among the cards of the last turn, or still to "
            "be drawn"
        )
    for player, card in enumerate(deck[draw:next_draw] if moment.round_ else ()):
        deals = f"the deal gives card {card + 1} to player {player} in round {moment.round_ + 1}"
        holders = [holder for holder, hand in enumerate(hands) if card in hand]
        if holders and holders[0] != player:
            raise ValueError(f"{deals}, but player {holders[0]} has it")
        if moment.taken == 0 and not holders:
            raise ValueError(f"{deals}, but it is not in the hand before the first turn")
    prizes = [tableau[:1] for _, tableau in sorted(zip(last_turn, tableaux, strict=True))]
    if moment.taken == 1 and prizes != sorted(prizes):
        raise ValueError(
            "in the last turn, the lowest card took the lowest prize, and so on, but the "
            f"prizes are {[prize + 1 for (prize,) in prizes]} from the player of the lowest card on"
        )


def describe_start(batch: Batch) -> dict[str, Any]:
    """The first known state of the only game as plain data, from its log."""
    games, turns = batch.games, int(batch.games.start_turn[0])
    moment = moment_after(batch.rules, turns)
    end = turns + max(moment.left - 1, 0)  # the turns played when the round ends
    log = games.taken[0, log_start(batch.rules, moment.round_) :] + 1
    # A card of a first hand was played since, or was left over, or is still in the hand.
    hands = (games.played[0, turns : min(end, games.clock[0])].T + 1).tolist()
    for player, hand in enumerate(hands):
        if games.clock[0] < end:
            hand.extend(numbers_of(int(games.hands[0, player])))
        elif moment.left:
            hand.append(int(log[moment.taken + moment.left - 1, player]))
    return {
        "turns_played": turns,
        "last_turn": (games.played[0, turns - 1] + 1).tolist(),
        "hands": [sorted(hand) for hand in hands],
        "tableaux": log[: moment.taken].T.tolist(),
        "finished_rounds": games.points[0, : moment.round_].tolist(),
    }


def write_start(batch: Batch, plain: Mapping[str, Any]) -> None:
    """Puts the only game, at the first turn of its deal, into what ``describe_start`` described."""
    check_entries("the start of a game", plain, _ENTRIES)
    config, rules, players = batch.config, batch.rules, batch.config.num_players
    turns = check_int("turns_played", plain["turns_played"], 1, config.num_turns)
    moment, bounds = moment_after(rules, turns), config.round_score_bounds
    shapes = {
        "last_turn": (players,),
        "hands": (players, moment.left),
        "tableaux": (players, moment.taken),
    }
    last_turn, hands, tableaux = (
        _integers(name, plain[name], shape, 1, config.num_cards) for name, shape in shapes.items()
    )
    shape = moment.round_, players, NUM_PARTS
    points = _integers("finished_rounds", plain["finished_rounds"], shape, *bounds)
    for score in points.sum(axis=2).flat:
        check_int("a round's score in finished_rounds", score, *bounds)
    with content_errors_name("the start of a game is impossible"):
        parts = last_turn - 1, hands - 1, tableaux - 1, points
        Start(turns, *(each[None] for each in parts)).write(batch)


def _integers(name: str, given: Any, shape: tuple[int, ...], low: int, high: int) -> Int64Array:
    """Nested lists of whole numbers as an array of this shape; others are refused."""
    array = np.array(given, object)
    if 0 in shape and not array.size:
        return np.zeros(shape, np.int64)
    if array.shape != shape or any(type(number) is not int for number in array.flat):
        raise ValueError(
            f"{name} must be whole numbers of shape {shape} at this turn, not {shown(given)}"
        )
    for number in array.flat:
        check_int(f"a number of {name}", number, low, high)
    return array.astype(np.int64)
