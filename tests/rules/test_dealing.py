"""The objectives of a deal: which are fresh, which stay, which may be shown together."""

import pytest

from mindup_env import OBJECTIVES, GameConfig
from mindup_env.engine import kernels
from mindup_env.engine.batch import Batch, make_keys


def shown_objectives(num_objectives: int, num_rounds: int = 3) -> list[list[list[str]]]:
    config = GameConfig(3, num_objectives, num_rounds, hand_size=5)
    batch = Batch(config, 2000)
    kernels.deal_all(batch.arrays, make_keys(3, 2000))
    return [
        [[OBJECTIVES[index].id for index in shown] for shown in rounds]
        for rounds in batch.games.objectives.tolist()
    ]


LETTER = {objective.id: objective.letter for objective in OBJECTIVES}


@pytest.mark.parametrize("num_objectives", range(6))
def test_objectives_shown_together_differ_in_letter(num_objectives: int) -> None:
    for rounds in shown_objectives(num_objectives):
        for shown in rounds:
            assert len(shown) == num_objectives
            assert len({LETTER[id_] for id_ in shown}) == num_objectives


@pytest.mark.parametrize("num_objectives", [1, 2])
def test_one_or_two_are_fresh_each_round_and_never_come_back(num_objectives: int) -> None:
    for rounds in shown_objectives(num_objectives):
        used = [id_ for shown in rounds for id_ in shown]
        assert len(set(used)) == len(used) == 3 * num_objectives


@pytest.mark.parametrize("num_objectives", [3, 4, 5])
def test_three_to_five_stay_for_the_whole_game(num_objectives: int) -> None:
    for first, *later in shown_objectives(num_objectives):
        assert all(shown == first for shown in later)


def test_the_sister_of_a_used_objective_may_come_up_later() -> None:
    letters = [[LETTER[shown[0]] for shown in rounds] for rounds in shown_objectives(1)]
    assert any(len(set(of_game)) < 3 for of_game in letters)


def test_two_a_round_for_six_rounds_never_run_out_of_pairs() -> None:
    for rounds in shown_objectives(2, num_rounds=6):
        assert len({id_ for shown in rounds for id_ in shown}) == 12
