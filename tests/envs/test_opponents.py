"""The bots around a learner: where they sit, what they see and draw; and random play."""

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest

from mindup_env import BatchEnv, GameConfig, make_agent
from mindup_env.agent import ActArguments
from tests.envs.bots import ByHand, Recorder, choose_all

SHORT: dict[str, Any] = {"num_players": 4, "num_objectives": 1, "num_rounds": 2, "hand_size": 3}
CONFIG = GameConfig(**SHORT)
TURNS, OTHERS = CONFIG.num_turns, CONFIG.num_players - 1


def vector(opponents: Any, num_envs: int = 3, **arguments: Any) -> Any:
    table = {**SHORT, **arguments}
    return gymnasium.make_vec("MindUp-v0", num_envs=num_envs, opponents=opponents, **table)


def recorders() -> list[Recorder]:
    return [Recorder(CONFIG) for _ in range(OTHERS)]


def play(env: Any, decisions: int = 2 * TURNS, seed: int | None = 6) -> npt.NDArray[np.int64]:
    """Plays from a reset on; returns where the learners sat (decisions, N)."""
    seen, info = env.reset(seed=seed)
    seats = []
    for _ in range(decisions):
        seats.append(info["seat"])
        seen, _, _, _, info = env.step(choose_all(seen["action_mask"]))
    return np.array(seats)


def rows_of(asked: ActArguments) -> list[tuple[bytes, ...]]:
    return [tuple(part.tobytes() for part in row) for row in zip(*asked, strict=True)]


@pytest.mark.parametrize("seat", [3, "random"])
def test_bots_sit_after_the_learner_in_order_and_see_their_own_seats(seat: int | str) -> None:
    """One bot for all of them, alone or in a list, is given the same."""
    one, listed, bots, batch = Recorder(CONFIG), Recorder(CONFIG), recorders(), BatchEnv(CONFIG, 3)
    seats = play(vector(bots, seat=seat))
    play(vector(one, seat=seat))
    play(vector([listed], seat=seat))
    seen, _ = batch.reset(seed=6)
    for decision in range(2 * TURNS):
        for after, bot in enumerate(bots, start=1):
            own = range(3), (seats[decision] + after) % CONFIG.num_players
            asked = bot.asked[decision]
            assert np.array_equal(asked.observation, seen["observation"][own])
            assert np.array_equal(asked.action_mask, seen["action_mask"][own])
        each = sorted(row for bot in bots for row in rows_of(bot.asked[decision]))
        for bot in (one, listed):
            assert sorted(rows_of(bot.asked[decision])) == each
        seen, *_ = batch.step(choose_all(seen["action_mask"]))


def test_bots_see_what_the_learner_chose_only_afterwards() -> None:
    asked = []
    for highest in (False, True):
        bot = Recorder(CONFIG)
        env = vector(bot, seat=0)
        seen, _ = env.reset(seed=6)
        for _ in range(2):
            mask = seen["action_mask"]
            actions = 59 - mask[:, ::-1].argmax(axis=1) if highest else mask.argmax(axis=1)
            seen, *_ = env.step(actions)
        asked.append([rows_of(given) for given in bot.asked])
    assert asked[0][0] == asked[1][0]
    assert asked[0][1] != asked[1][1]


def random_bits(num_envs: int = 3, seat: int = 0, **arguments: Any) -> npt.NDArray[np.uint64]:
    """The bits of two episodes: (decisions, num_envs, players), 0 for the learner."""
    bots = recorders()
    play(vector(bots, num_envs, seat=seat, **arguments))
    drawn = np.zeros((2 * TURNS, num_envs, CONFIG.num_players), np.uint64)
    for after, bot in enumerate(bots, start=1):
        player = (seat + after) % CONFIG.num_players
        drawn[:, :, player] = [asked.random_bits for asked in bot.asked]
    return drawn


def test_every_seat_of_every_game_draws_other_bits_at_every_decision() -> None:
    drawn = random_bits(num_envs=1500)[:, :, 1:]
    assert len(np.unique(drawn)) == drawn.size
    bits = np.unpackbits(drawn.reshape(-1, 1).view(np.uint8), axis=1).mean(axis=0)
    assert bits.shape == (64,) and (abs(bits - 0.5) < 2 / np.sqrt(drawn.size)).all()
    for part in (drawn, *np.moveaxis(drawn, 2, 0), *drawn):  # all; each seat; each decision
        assert_even(random_choices(np.ones((part.size, 5), np.int8), part.ravel()), range(5))


def test_bits_depend_on_seat_game_and_decision_alone() -> None:
    drawn = random_bits()
    assert np.array_equal(random_bits(num_envs=7)[:, :3], drawn)
    assert np.array_equal(random_bits(seat=2)[:, :, [1, 3]], drawn[:, :, [1, 3]])
    assert np.array_equal(random_bits(reward="score"), drawn)


# The bot that plays at random


def random_choices(mask: npt.NDArray[np.int8], bits: npt.NDArray[np.uint64]) -> Any:
    rows = len(mask)
    seen, episode_start = np.zeros((rows, 3), np.int8), np.zeros(rows, np.bool_)
    return make_agent("random").act(seen, mask, episode_start, bits)


def assert_even(actions: npt.NDArray[np.integer], legal: Any) -> None:
    """Chi-square: less than four standard deviations off; the seeds are fixed."""
    counts = np.array([(actions == action).sum() for action in legal])
    assert counts.sum() == len(actions)
    expected, freedom = len(actions) / len(counts), len(counts) - 1
    assert ((counts - expected) ** 2 / expected).sum() < freedom + 4 * np.sqrt(2 * freedom)


@pytest.mark.parametrize("legal", [[0, 59], range(0, 60, 7), range(60)])
def test_every_legal_action_is_as_likely_and_the_bits_alone_decide(legal: Any) -> None:
    mask = np.zeros((60_000, 60), np.int8)
    mask[:, list(legal)] = 1
    bits = np.random.default_rng(1).integers(0, 2**64, len(mask), np.uint64)
    chosen = random_choices(mask, bits)
    assert_even(chosen, legal)
    assert np.array_equal(random_choices(mask, bits), chosen)
    assert len({*random_choices(mask, bits[:1].repeat(len(mask))).tolist()}) == 1


# The learners' seats


def seats_of(num_envs: int, *, opponents: Any = "random", seed: Any = 6) -> list[list[int]]:
    """In the first three episodes."""
    env = vector(opponents, num_envs, seat="random")
    answers = [env.reset(seed=seed), env.reset(), env.reset()]
    return [info["seat"].tolist() for _, info in answers]


def test_random_seats_depend_on_seed_slot_and_episode_alone() -> None:
    seats = seats_of(20)
    assert len(set(map(tuple, seats))) == 3, "every episode draws anew"
    assert seats_of(20, seed=7) != seats
    assert [row[:7] for row in seats] == seats_of(7, opponents=ByHand(CONFIG))
    played = play(vector("random", 20), decisions=3 * TURNS)
    assert played[::TURNS].tolist() == seats
    assert (played[1:TURNS] == played[0]).all(), "it is the same for a whole game"
    alone = [seats_of(1, seed=seed) for seed in (7, 6)]
    assert np.array_equal(seats_of(2, seed=[7, 6]), np.hstack(alone))


def test_random_seats_are_even() -> None:
    """Four standard deviations off are too many; the seed is fixed."""
    share, slots = 1 / CONFIG.num_players, 8000
    seats = np.array(seats_of(slots))
    for row in seats:
        assert_even(row, range(CONFIG.num_players))
    again = (seats[0] == seats[1]).mean()
    spread = np.sqrt(share * (1 - share) / slots)
    assert abs(again - share) < 4 * spread, "a seat tells nothing of the next one"


def test_the_learners_mask_is_that_of_its_observation() -> None:
    env = gymnasium.make("MindUp-v0", **SHORT)
    masks = env.get_wrapper_attr("action_masks")
    seen, _ = env.reset(seed=6)
    for turn in range(TURNS):
        assert masks().dtype == bool and np.array_equal(masks(), seen["action_mask"])
        assert masks().any(), turn
        seen, *_ = env.step(int(masks().argmax()))
    assert not masks().any()


@pytest.mark.parametrize("make", [gymnasium.make, gymnasium.make_vec])
@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"opponents": []}, "1 bot for all other seats or 3 bots in seat order, .*, not 0"),
        ({"opponents": ["random"] * 4}, "3 bots in seat order, for 4 players, not 4"),
        ({"opponents": ["random", "randon", "random"]}, "unknown agent 'randon'"),
        ({"opponents": "randon"}, "unknown agent 'randon'"),
        ({"opponents": 3}, "opponents must be a list, not 3"),
        ({"seat": 4}, "seat must be 'random' or 0 to 3, not 4"),
        ({"seat": None}, "seat must be 'random' or 0 to 3, not None"),
    ],
    ids=str,
)
def test_other_bots_and_seats_are_refused(make: Any, given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        make("MindUp-v0", **given)
