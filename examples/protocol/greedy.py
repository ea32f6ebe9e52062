"""The bot greedy as a program: plays the card with the highest expected points.

It needs nothing but Python: mindup arena rank "process:python3 greedy.py" random
"""

import json
import sys
from typing import Any

Seat = dict[str, Any]
"""What a seat sees: one of the seats of a message."""
Deck = dict[int, dict[str, Any]]
"""The cards by their numbers."""


def lower_probability(card: int, unseen: list[int], known: list[int], unknown: int) -> float:
    """How likely an opponent, who plays any card of the hand, plays one lower than ``card``."""
    hidden_lower = sum(other < card for other in unseen) * (1 / max(len(unseen), 1))
    lower = sum(other < card for other in known) + unknown * hidden_lower
    return lower / max(len(known) + unknown, 1)


def prize_probabilities(card: int, unseen: list[int], seat: Seat) -> list[float]:
    """How likely ``card`` takes each prize: the number of lower cards decides."""
    places = [1.0] + [0.0] * (len(seat["row"]) - 1)
    for known, unknown in zip(seat["known"][1:], seat["unknown"][1:], strict=True):
        lower = lower_probability(card, unseen, known, unknown)
        for place in range(len(places) - 1, 0, -1):
            places[place] += (places[place - 1] - places[place]) * lower
        places[0] *= 1 - lower
    return places


def prize_value(prize: int, deck: Deck, colours: list[str], seat: Seat) -> float:
    """The score card above the column that the prize joins or opens, and the bonus."""
    columns = seat["columns"][0]  # of the viewer, for each colour, from 1
    column = columns[colours.index(deck[prize]["colour"])] or sum(map(bool, columns)) + 1
    value: float = seat["score_cards"][column - 1] + deck[prize]["points"]
    return value


def choose(seat: Seat, deck: Deck, colours: list[str]) -> int:
    """The card of the hand with the highest expected points, the lowest of equal ones."""
    seen = {*seat["hand"], *seat["row"]}.union(*seat["tableaux"], *seat["known"])
    unseen = [card for card in deck if card not in seen]
    values = [prize_value(prize, deck, colours, seat) for prize in seat["row"]]
    best, most = 0, -float("inf")
    for card in seat["hand"]:
        points = 0.0
        places = prize_probabilities(card, unseen, seat)
        for probability, value in zip(places, values, strict=True):
            points += probability * value
        if points > most:
            best, most = card, points
    return best


def main() -> None:
    deck: Deck = {}
    colours: list[str] = []
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            deck = {card["number"]: card for card in message["deck"]}
            colours = message["colours"]
            answer = {"type": "ready", "protocol": 1, "name": "greedy in Python"}
        else:
            cards = [choose(seat, deck, colours) for seat in message["seats"]]
            answer = {"type": "cards", "id": message["id"], "cards": cards}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
