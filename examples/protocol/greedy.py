"""The bot greedy as a program: plays the card with the highest expected points.

It needs nothing but Python: mindup arena "process:python3 greedy.py" random
"""

import json
import sys


def lower_probability(card, unseen, known, unknown):
    """How likely an opponent, who plays any card of the hand, plays one lower than ``card``."""
    hidden_lower = sum(other < card for other in unseen) * (1 / max(len(unseen), 1))
    lower = sum(other < card for other in known) + unknown * hidden_lower
    return lower / max(len(known) + unknown, 1)


def prize_probabilities(card, unseen, seat):
    """How likely ``card`` takes each prize: the number of lower cards decides."""
    places = [1.0] + [0.0] * len(seat["row"])
    for known, unknown in zip(seat["known"][1:], seat["unknown"][1:]):
        lower = lower_probability(card, unseen, known, unknown)
        for place in range(len(places) - 1, 0, -1):
            places[place] += (places[place - 1] - places[place]) * lower
        places[0] *= 1 - lower
    return places


def prize_value(prize, deck, colours, seat):
    """The score card above the column that the prize joins or opens, and the bonus."""
    columns = seat["columns"][0]  # of the viewer, for each colour, from 1
    column = columns[colours.index(deck[prize]["colour"])] or sum(map(bool, columns)) + 1
    return seat["score_cards"][column - 1] + deck[prize]["points"]


def choose(seat, deck, colours):
    """The card of the hand with the highest expected points, the lowest of equal ones."""
    seen = {*seat["hand"], *seat["row"]}
    seen.update(*seat["tableaux"], *seat["known"])
    unseen = [card for card in deck if card not in seen]
    values = [prize_value(prize, deck, colours, seat) for prize in seat["row"]]

    def expected_points(card):
        total = 0.0
        for probability, value in zip(prize_probabilities(card, unseen, seat), values):
            total += probability * value
        return total

    return max(seat["hand"], key=expected_points)


def main():
    deck, colours = {}, []
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
