"""Who wins."""

import pytest

from mindup_env import Game, GameConfig
from mindup_env.engine.batch import Batch

LOWEST_ROUND, HIGHEST_ROUND = -128, 127  # the rounds a config can allow

ENDINGS = {
    "the highest sum wins": ([(10, 10, 10), (20, 0, 11), (5, 5, 5)], (1,)),
    "the last seat can win": ([(1, 1, 1), (2, 2, 2), (3, 3, 3), (3, 3, 4)], (3,)),
    "the best round does not make a winner": ([(0, 0, 60), (21, 20, 20)], (1,)),
    "by one point, with the worst last round": ([(20, 30, 1), (0, 0, 50)], (0,)),
    "by one point, the last rounds as far apart as can be": (
        [(HIGHEST_ROUND, HIGHEST_ROUND, LOWEST_ROUND), (-1, -1, HIGHEST_ROUND)],
        (0,),
    ),
    "a tie goes to the higher last round": ([(12, 10, 10), (10, 10, 12)], (1,)),
    "of three tied, two with lower last rounds": ([(9, 0, 6), (8, 0, 7), (9, 1, 5)], (1,)),
    "a tie is not broken by the first rounds": ([(20, 0, 10), (0, 20, 10)], (0, 1)),
    "a high last round outside the tie is no use": ([(10, 12, 8), (12, 11, 7), (0, 0, 29)], (0,)),
    "victory shared by two of three": ([(10, 9, 8), (0, 0, 9), (9, 10, 8)], (0, 2)),
    "victory shared by all": ([(7, 8, 9)] * 6, (0, 1, 2, 3, 4, 5)),
    "nobody scored": ([(0, 0, 0)] * 3, (0, 1, 2)),
    "negative sums": ([(-5, -5, -3), (-5, -4, -3), (-9, -9, 5)], (1,)),
    "negative sums tied, negative last rounds": ([(-1, -1, -7), (-4, -4, -1)], (1,)),
    "zero beats a negative sum": ([(-10, 0, 9), (0, 0, 0)], (1,)),
}


@pytest.mark.parametrize(("rounds_of_players", "winners"), ENDINGS.values(), ids=ENDINGS)
def test_winners(rounds_of_players: list[tuple[int, ...]], winners: tuple[int, ...]) -> None:
    game = scored_game(rounds_of_players)
    assert game.over
    assert game.scores == tuple(sum(rounds) for rounds in rounds_of_players)
    assert game.winners == winners


def test_a_single_round_decides_alone() -> None:
    assert scored_game([(3,), (5,), (5,)]).winners == (1, 2)


def scored_game(rounds_of_players: list[tuple[int, ...]]) -> Game:
    """A game that stands at its end, with these scores of each player."""
    num_rounds = len(rounds_of_players[0])
    config = GameConfig(num_players=len(rounds_of_players), num_rounds=num_rounds)
    batch = Batch.empty(config, 1)
    batch.games.clock[0] = config.num_turns
    for player, rounds in enumerate(rounds_of_players):
        for round_, total in enumerate(rounds):
            # Split in another way for each player, so that no part can be left out unnoticed.
            colour, objective = total // 2, player - 2
            parts = (colour, total - colour - objective, objective)
            batch.games.points[0, round_, player] = parts
    return Game.holding(batch)
