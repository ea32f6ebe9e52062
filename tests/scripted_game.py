"""A short game that was worked out by hand."""

from mindup_env import Deal, Game, GameConfig

CONFIG = GameConfig(num_players=2, num_objectives=1, num_rounds=2, hand_size=3)
PLAYS = ((12, 2), (30, 20), (60, 3), (1, 2), (50, 10))


def scripted(turns: int = 0) -> Game:
    """The game after so many of its five turns."""
    dealt = [1, 12, 30, 2, 20, 40, 10, 50, 60, 3]  # the hands, the row, and what is drawn later
    deck = dealt + [card for card in range(1, 61) if card not in dealt]
    orders, objectives = ((2, 4, 1, 5, 3), (5, 4, 3, 2, 1)), (("three_colours",), ("purple_most",))
    game = Game.from_deal(CONFIG, Deal(tuple(deck), orders, objectives))
    for cards in PLAYS[:turns]:
        game.play(cards)
    return game
