"""A slow, literal implementation of Mind Up!, meant to be checked by eye against the rules.

The tests play the same deal here and in the fast engine and compare the two after every turn,
so clarity is worth more than speed: nothing that can be counted afresh is ever cached.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple


class ReferenceCard(NamedTuple):
    colour: str
    points: int


class View:
    """What one player's objectives look at, and the 14 conditions. Columns hold colour names."""

    def __init__(
        self, seat: int, all_columns: list[list[list[str]]], score_cards: tuple[int, ...]
    ) -> None:
        self.columns = all_columns[seat]
        self.score_cards = score_cards
        # A Counter answers 0 for a colour it never saw, and has no entry for it.
        self.everyone = [Counter(c for col in columns for c in col) for columns in all_columns]
        self.count = self.everyone[seat]

    def position(self, colour: str) -> int | None:
        """Index of the column of a colour, from the left; None if the player has no such card."""
        return next((i for i, column in enumerate(self.columns) if colour in column), None)

    def value_above(self, colour: str) -> int | None:
        """The score card over the column of a colour; None if the player has no such card."""
        index = self.position(colour)
        return None if index is None else self.score_cards[index]

    def orange_1_or_3(self) -> bool:
        return self.count["orange"] in (1, 3)

    def orange_low(self) -> bool:
        return self.value_above("orange") in (1, 2)  # None, for no orange card, is neither

    def blue_2_or_4(self) -> bool:
        return self.count["blue"] in (2, 4)

    def blue_most(self) -> bool:
        # Unlike the other comparisons this one is between the colours of a single player.
        return all(self.count["blue"] >= number for number in self.count.values())

    def pink_fewest(self) -> bool:
        return all(self.count["pink"] <= count["pink"] for count in self.everyone)

    def pink_most(self) -> bool:
        return all(self.count["pink"] >= count["pink"] for count in self.everyone)

    def green_rightmost(self) -> bool:
        green = self.position("green")
        return green is not None and all(column == [] for column in self.columns[green + 1 :])

    def green_high(self) -> bool:
        return self.value_above("green") in (4, 5)  # None, for no green card, is neither

    def purple_ge_orange(self) -> bool:
        return self.count["purple"] >= self.count["orange"]

    def purple_most(self) -> bool:
        return all(self.count["purple"] >= count["purple"] for count in self.everyone)

    def five_colours(self) -> bool:
        return len(self.count) == 5

    def three_colours(self) -> bool:
        return len(self.count) == 3

    def colour_of_three(self) -> bool:
        return any(number == 3 for number in self.count.values())

    def colour_of_four(self) -> bool:
        return any(number == 4 for number in self.count.values())


OBJECTIVES: dict[str, tuple[int, Callable[[View], bool]]] = {
    "orange_1_or_3": (2, View.orange_1_or_3),
    "orange_low": (-2, View.orange_low),
    "blue_2_or_4": (2, View.blue_2_or_4),
    "blue_most": (2, View.blue_most),
    "pink_fewest": (-2, View.pink_fewest),
    "pink_most": (2, View.pink_most),
    "green_rightmost": (2, View.green_rightmost),
    "green_high": (2, View.green_high),
    "purple_ge_orange": (2, View.purple_ge_orange),
    "purple_most": (-2, View.purple_most),
    "five_colours": (2, View.five_colours),
    "three_colours": (2, View.three_colours),
    "colour_of_three": (-2, View.colour_of_three),
    "colour_of_four": (2, View.colour_of_four),
}


class ReferenceGame:
    def __init__(
        self,
        cards: Mapping[int, tuple[str, int]],
        num_players: int,
        hand_size: int,
        num_rounds: int,
        deck: Sequence[int],
        score_orders: Sequence[Sequence[int]],
        objectives: Sequence[Sequence[str]],
    ) -> None:
        assert 2 <= num_players <= 6 and hand_size >= 2 and num_rounds >= 1
        assert len(set(deck)) == len(deck) and set(deck) <= set(cards)
        assert len(score_orders) == len(objectives) == num_rounds
        assert all(sorted(order) == [1, 2, 3, 4, 5] for order in score_orders)
        self.cards = {n: ReferenceCard(colour, points) for n, (colour, points) in cards.items()}
        self.seats = range(num_players)
        self.num_rounds = num_rounds
        self.score_orders = [tuple(order) for order in score_orders]
        self.objectives = [tuple(shown) for shown in objectives]
        self.draw_pile = list(deck)

        # Whole hands are dealt one player after the other, then the first prizes.
        self.hands: list[set[int]] = [set(self.draw(hand_size)) for _ in self.seats]
        self.row: list[int] = sorted(self.draw(num_players))
        self.row_players: list[int | None] = [None for _ in self.seats]
        self.taken_back: list[set[int]] = [set() for _ in self.seats]
        self.round_scores: list[list[dict[str, int]]] = []
        self.round_tableaux: list[list[list[list[int]]]] = []
        self.round_objectives: list[dict[str, set[int]]] = []
        self.over = False
        self.round = 1
        self.lay_out_round()

    def draw(self, number: int) -> list[int]:
        return [self.draw_pile.pop(0) for _ in range(number)]

    def lay_out_round(self) -> None:
        self.turn = 1
        self.score_cards: tuple[int, ...] = self.score_orders[self.round - 1]
        self.shown_objectives: tuple[str, ...] = self.objectives[self.round - 1]
        self.tableaux: list[list[list[int]]] = [[[], [], [], [], []] for _ in self.seats]

    def play(self, cards: Sequence[int]) -> None:
        assert not self.over and len(cards) == len(self.seats)
        player_of = {card: seat for seat, card in enumerate(cards)}
        for seat in self.seats:
            assert cards[seat] in self.hands[seat]
            self.hands[seat].remove(cards[seat])

        played = sorted(cards)
        for card, prize in zip(played, self.row, strict=True):
            self.place(player_of[card], prize)
        self.row = played
        self.row_players = [player_of[card] for card in played]

        if all(len(hand) == 1 for hand in self.hands):
            self.end_round()
        else:
            self.turn += 1

    def place(self, seat: int, card: int) -> None:
        columns = self.tableaux[seat]
        for column in columns:
            if any(self.cards[other].colour == self.cards[card].colour for other in column):
                column.append(card)
                return
        next(column for column in columns if column == []).append(card)  # the leftmost one

    def end_round(self) -> None:
        for seat in self.seats:
            self.place(seat, self.hands[seat].pop())
        # Only now are the tableaux complete, so only now can players be compared.
        self.round_scores.append([self.score_round(seat) for seat in self.seats])
        self.round_tableaux.append([[list(col) for col in cols] for cols in self.tableaux])
        self.round_objectives.append(
            {
                name: {seat for seat in self.seats if name in self.objectives_met[seat]}
                for name in self.shown_objectives
            }
        )
        if self.round == self.num_rounds:
            self.over = True
            return
        self.taken_back = [{card for col in cols for card in col} for cols in self.tableaux]
        self.hands = [self.taken_back[seat] | set(self.draw(1)) for seat in self.seats]
        self.round += 1
        self.lay_out_round()  # the row is left alone: its cards are the next prizes

    def score_round(self, seat: int) -> dict[str, int]:
        colour, bonus = self.colour_points(seat), self.bonus_points(seat)
        objective = sum(OBJECTIVES[name][0] for name in self.objectives_met[seat])
        return {
            "colour_points": colour,
            "bonus_points": bonus,
            "objective_points": objective,
            "total": colour + bonus + objective,
        }

    def colour_points(self, seat: int) -> int:
        columns = zip(self.score_cards, self.tableaux[seat], strict=True)
        return sum(value * len(column) for value, column in columns)

    def bonus_points(self, seat: int) -> int:
        return sum(self.cards[card].points for column in self.tableaux[seat] for card in column)

    @property
    def known(self) -> list[set[int]]:
        return [self.hands[seat] & self.taken_back[seat] for seat in self.seats]

    @property
    def running_scores(self) -> list[int]:
        return [self.colour_points(seat) + self.bonus_points(seat) for seat in self.seats]

    @property
    def objectives_met(self) -> list[set[str]]:
        everyone = [
            [[self.cards[card].colour for card in column] for column in columns]
            for columns in self.tableaux
        ]
        views = [View(seat, everyone, self.score_cards) for seat in self.seats]
        return [{n for n in self.shown_objectives if OBJECTIVES[n][1](view)} for view in views]

    @property
    def scores(self) -> list[int]:
        return [sum(scores[seat]["total"] for scores in self.round_scores) for seat in self.seats]

    @property
    def winners(self) -> list[int]:
        if not self.over:
            return []
        # Pairs compare by their first number; the last round only counts between equal sums.
        ranks = [(self.scores[seat], self.round_scores[-1][seat]["total"]) for seat in self.seats]
        return [seat for seat in self.seats if ranks[seat] == max(ranks)]
