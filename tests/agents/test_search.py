"""The bot ``search``, and the determinizations that it plays on."""

import numpy as np
import numpy.typing as npt
import pytest

from mindup_agents.heuristics.observed_games import (
    KnownGames,
    make_known_games,
    read_games,
    update_known_cards,
)
from mindup_agents.heuristics.worlds import World, sample_determinization, write_deck
from mindup_agents.search import Evaluator, Search
from mindup_env import BatchEnv, GameConfig, make_agent
from mindup_env.engine.compiler import kernel
from mindup_env.engine.state import Games, Int8Array, make_games
from tests.agents.positions import ActArguments, stages
from tests.envs.playing import SHORT, random_legal

THREE = GameConfig(3)
CONFIGS = [GameConfig(3, 2), GameConfig(4), SHORT]
in_all_games = pytest.mark.parametrize("config", CONFIGS, ids=str)


@kernel
def determinize(known: KnownGames, copy: Games, shuffled: Int8Array, sample: int) -> None:
    sample_determinization(known, 0, np.uint64(5), sample, shuffled)
    write_deck(known, 0, shuffled, copy)


@kernel
def read_known_cards(known: KnownGames) -> None:
    update_known_cards(known, 0)


@in_all_games
def test_in_a_determinization_as_much_is_known_and_no_card_is_twice(config: GameConfig) -> None:
    env, chance = BatchEnv(config, 1, autoreset=False), np.random.default_rng(2)
    env.reset(seed=2)
    players, first_draw = config.num_players, config.num_players * (config.hand_size + 1)
    for turn in range(config.num_turns):
        observed, copy = make_known_games(config, 1), make_games(config, 1)
        read_games(config, env.seen["observation"][:, turn % players].copy(), observed)
        determinize(observed, copy, np.zeros(config.num_cards, np.int8), turn)
        games = observed.games
        there = games._replace(deck=copy.deck)
        found = make_known_games(config, 1)._replace(games=there)
        read_known_cards(found)
        assert all(map(np.array_equal, found[2:], observed[2:]))
        round_ = env.game(0).round - 1
        next_draws = copy.deck[0, first_draw + round_ * players :][:players]
        if round_ + 1 < config.num_rounds:
            taken = int(np.bitwise_or.reduce(games.hands[0] | games.tableaux[0]))
            cards = {*next_draws.tolist(), *games.row[0].tolist()}
            cards |= {card for card in range(config.num_cards) if taken >> card & 1}
            sizes = [each.bit_count() for each in (games.hands[0] | games.tableaux[0]).tolist()]
            assert len(cards) == 2 * players + sum(sizes)
        env.step(random_legal(env.seen, chance))


# Search


def choices(options: str, given: ActArguments) -> list[int]:
    actions = make_agent(f"search:{options}", THREE).act(*given)
    assert given.action_mask[np.arange(len(actions)), actions].all()
    return [*actions.tolist()]


def test_options_and_the_random_bits_change_choices() -> None:
    given = stages(THREE)
    few, many = choices("worlds=2", given), choices("worlds=30", given)
    assert few == choices("worlds=2", given) != many
    assert few != choices("worlds=2", given._replace(random_bits=given.random_bits + 1))
    against = [choices(f"worlds=16,models={m}", given) for m in ("random", "planner")]
    assert against[0] != against[1]


class ByNumber(Evaluator):
    """The higher a card, the more it is worth; the values are no probabilities."""

    def evaluate(
        self, _: World, samples: tuple[int, int], __: int, values: npt.NDArray[np.float64]
    ) -> None:
        values[slice(*samples)] = np.arange(values.shape[1]) - 30


def test_an_evaluator_of_ones_own_chooses_and_chances_stay_between_0_and_1() -> None:
    bot, given = Search(THREE, ByNumber(), worlds=4), stages(THREE)
    highest = make_agent("highest", THREE).act(*given)
    assert np.array_equal(bot.act(*given), highest)
    shown = bot.evaluate_cards()[1][given.action_mask.sum(1) > 1]
    assert shown.min() == 0 and shown.max() == 1


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("worlds=0", "worlds must be at least 1, not 0"),
        ("models=planner+wizard", "there is no 'wizard'; available: random, greedy, planner"),
    ],
)
def test_wrong_options_are_refused(option: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_agent(f"search:{option}", THREE)
