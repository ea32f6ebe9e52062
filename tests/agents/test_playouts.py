"""Sampled games that are played on: in playout-1, in playout-2, and by ``search``."""

from typing import Any

import numpy as np
import pytest

from mindup_agents.features import make_encoder
from mindup_agents.features.sampling import (
    IS_BEST,
    LEAD_GAP,
    NUM_RESULTS,
    WIN_PROBABILITY,
    WIN_PROBABILITY_GAP,
)
from mindup_agents.heuristics.determinization import sample_determinization, write_deck
from mindup_agents.heuristics.formulas import NUM_MODELS, PLANNER
from mindup_agents.heuristics.observed_games import (
    KnownCards,
    ObservedArrays,
    ObservedGames,
    known_games,
    make_known_cards,
    update_known_cards,
)
from mindup_arena.match import win_share_against
from mindup_env import BatchEnv, GameConfig, make_agent
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Games, Int8Array, make_games
from tests.agents.positions import ActArguments, Choices, all_seats, filled, stages
from tests.agents.test_plain_positions import chosen, last_turn, others, pink
from tests.envs.playing import SHORT, random_legal

THREE = GameConfig(3)
CONFIGS = [GameConfig(3, 2), GameConfig(4), SHORT]
in_all_games = pytest.mark.parametrize("config", CONFIGS, ids=str)


@in_all_games
@pytest.mark.parametrize("name", ["playout-1", "playout-2"])
def test_the_best_card_is_behind_none(config: GameConfig, name: str) -> None:
    asked, encoder, before = (
        stages(config),
        make_encoder(name, config),
        make_encoder("forecast-1", config),
    )
    table, cards, hands = encoder.shape.split(filled(encoder, asked))
    forecast = before.shape.split(filled(before, asked))
    assert all(map(np.array_equal, (table, cards[..., :-NUM_RESULTS], hands), forecast))
    for slots, mask in zip(cards[..., -NUM_RESULTS:], asked.action_mask, strict=True):
        hand = slots[: mask.sum()]
        assert not slots[mask.sum() :].any()
        assert (hand[:, WIN_PROBABILITY] > 0).all() and (hand[:, WIN_PROBABILITY] < 1).all()
        best = hand[:, WIN_PROBABILITY] == hand[:, WIN_PROBABILITY].max()
        assert np.array_equal(hand[:, IS_BEST], best)
        gaps = hand[:, WIN_PROBABILITY_GAP]
        assert (gaps[best] == 0).all() and (gaps[~best] < 0).all()
        assert hand[:, LEAD_GAP].max() == 0


def test_playout_2_takes_planner_for_another_bot_less_often() -> None:
    env, planner, chance = (
        BatchEnv(THREE, 10),
        make_agent("planner", THREE),
        np.random.default_rng(4),
    )
    env.reset(seed=3)
    encoders = [make_encoder(name, THREE) for name in ("playout-1", "playout-2")]
    mistakes = [0, 0]
    for turn in range(THREE.num_turns):
        bits = chance.integers(2**64, size=30, dtype=np.uint64)
        given = all_seats(env)._replace(episode_start=np.full(30, turn == 0), random_bits=bits)
        for index, encoder in enumerate(encoders):
            models = np.array(encoder.names.table) == "opponents: models"
            table, _, _ = encoder.shape.split(filled(encoder, given))
            found = table[:, models].reshape(30, 2, NUM_MODELS).argmax(axis=2)
            mistakes[index] += int((found != PLANNER).sum())
        env.step(planner.act(*given).reshape(10, 3))
    assert mistakes[1] < mistakes[0] / 2


@kernel
def determinize(
    arrays: ObservedArrays, copy: tuple[Any, ...], shuffled: Int8Array, sample: int
) -> None:
    known = known_games(*arrays)
    sample_determinization(known, 0, np.uint64(5), sample, shuffled)
    write_deck(known, 0, shuffled, Games(*copy))


@kernel
def read_known_cards(arrays: ObservedArrays) -> None:
    update_known_cards(known_games(*arrays), 0)


@in_all_games
def test_in_a_determinization_as_much_is_known_and_no_card_is_twice(config: GameConfig) -> None:
    env, chance = BatchEnv(config, 1, autoreset=False), np.random.default_rng(2)
    env.reset(seed=2)
    players, first_draw = config.num_players, config.num_players * (config.hand_size + 1)
    for turn in range(config.num_turns):
        observed, copy = ObservedGames(config, 1), make_games(config, 1)
        observed.read(env.seen["observation"][:, turn % players])
        determinize(observed.arrays, tuple(copy), np.zeros(config.num_cards, np.int8), turn)
        games = Games(*observed.arrays[1])
        there = games._replace(deck=copy.deck)
        found = make_known_cards(config, 1)
        read_known_cards((observed.arrays[0], tuple(there), tuple(found)))
        assert all(map(np.array_equal, found, KnownCards(*observed.arrays[2])))
        round_ = int(env._batch.rules.round_at[turn])
        next_draws = copy.deck[0, first_draw + round_ * players :][:players]
        if round_ + 1 < config.num_rounds:
            taken = int(np.bitwise_or.reduce(games.hands[0] | games.tableaux[0]))
            cards = {*next_draws.tolist(), *games.row[0].tolist()}
            cards |= {card for card in range(config.num_cards) if taken >> card & 1}
            sizes = [each.bit_count() for each in (games.hands[0] | games.tableaux[0]).tolist()]
            assert len(cards) == 2 * players + sum(sizes)
        env.step(random_legal(env.seen, chance))


class BestResult:
    """Plays the card that wins most of the playouts."""

    def __init__(self) -> None:
        self._encoder = make_encoder("playout-1", THREE)

    def act(self, *given: Any) -> Choices:
        rows = filled(self._encoder, ActArguments(*given))
        _, cards, hand = self._encoder.shape.split(rows)
        slots = cards[..., -NUM_RESULTS + IS_BEST].argmax(axis=1)
        actions: Choices = hand[np.arange(len(rows)), slots].astype(np.int64)
        return actions


def test_playouts_win_games() -> None:
    share = win_share_against(BestResult(), "planner", THREE, deals=30)
    assert share.low > 1 / 3 + 0.05


# Search


def choices(options: str, given: ActArguments) -> list[int]:
    actions = make_agent(f"search:{options}", THREE).act(*given)
    assert given.action_mask[np.arange(len(actions)), actions].all()
    return [*actions.tolist()]


@pytest.mark.parametrize("options", ["simulations=20", "simulations=20,models=planner"])
def test_every_option_plays_legal_cards_and_finds_the_obvious_one(options: str) -> None:
    assert choices(options, stages(THREE).pick(slice(0, None, 6)))
    row = [*others(10, 27)[:3], pink(40, 52)[0]]
    game = last_turn([1, 60], pink(1, 9)[:1] + pink(52, 60)[:1], row)
    assert chosen(f"search:{options}", game) == 60


def test_options_the_random_bits_and_a_time_limit_change_choices() -> None:
    given = stages(THREE)
    few, many = choices("simulations=2", given), choices("simulations=30", given)
    assert few == choices("simulations=2", given) != many
    assert few != choices("simulations=2", given._replace(random_bits=given.random_bits + 1))
    assert many != choices("simulations=30,time_limit=0.0000001", given), "as with fewer"
    against = [choices(f"simulations=16,models={m}", given) for m in ("random", "planner")]
    assert against[0] != against[1]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("simulations=0", "simulations must be at least 1, not 0"),
        ("models=planner+wizard", "there is no 'wizard'; available: random, greedy, planner"),
        ("time_limit=-1", "time_limit must be at least 0 seconds .0 for no limit., not -1"),
    ],
)
def test_wrong_options_are_refused(option: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_agent(f"search:{option}", THREE)
