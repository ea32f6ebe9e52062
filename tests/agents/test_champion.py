"""The bot champion: its games, options, networks, and models of the opponents."""

from functools import cache
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest

from mindup_agents.champion import Champion
from mindup_agents.champion.network_file import read_networks, save_networks
from mindup_agents.search import kept_cards, stages
from mindup_agents.weights import weights_file
from mindup_arena.match import win_share_against
from mindup_env import BatchEnv, GameConfig, make_agent
from tests.agents.positions import joined, whole_games
from tests.agents.positions import stages as positions

CONFIG = GameConfig(3)
OWN = weights_file("champion", CONFIG)
MODELS = "random", "greedy", "planner", "champion", "predictor", "search"


@cache
def choices(options: str, *, other_bits: bool = False) -> list[int]:
    arguments = positions(CONFIG)
    bits = arguments.random_bits + np.uint64(other_bits)
    agent = make_agent(f"champion:{options}", CONFIG)
    actions = agent.act(*arguments._replace(random_bits=bits))
    assert arguments.action_mask[np.arange(len(actions)), actions].all()
    return [*actions.tolist()]


@pytest.mark.parametrize("config", [GameConfig(3, 5), GameConfig(4, 3)], ids=str)
def test_the_champion_beats_planner(config: GameConfig) -> None:
    assert win_share_against("champion:worlds=16", "planner", config, 12).low > 0.5


def test_every_option_and_the_random_bits_change_some_choices() -> None:
    few = choices("worlds=9")
    for options in ("worlds=1", "worlds=2", "worlds=9,models=planner"):
        assert few != choices(options), options
    assert few != choices("worlds=9", other_bits=True)


def test_cards_that_promise_little_are_dropped() -> None:
    """At this number of standard errors, a normal distribution is above 0 by 0.1 on average."""
    assert stages(512) == [64, 96, 144, 216, 324, 486, 512]
    assert stages(4) == [4]
    spread = np.tile([1.0, -1.0], 32)
    for z, worlds, kept in ((0.89, 64, [1, 0]), (0.92, 64, [0]), (0.92, 256, [1, 0])):
        better, equal = np.zeros(64), np.zeros(64)
        assert kept_cards(np.stack([better, spread - z / 8, equal], 1), worlds) == kept


def model_probabilities(bot: str, turns: int) -> dict[str, float]:
    """What the champion believes of two opponents that are this bot after some turns: a mean."""
    agent, opponent = Champion(CONFIG, worlds=1), make_agent(bot, CONFIG)
    env, games = BatchEnv(CONFIG, 16, autoreset=False), 16
    env.reset(seed=3)
    for turn in range(turns):
        starts, bits = np.full(games, turn == 0), np.arange(games, dtype=np.uint64) + turn
        actions = np.zeros((games, 3), np.int64)
        for seat, each in enumerate((agent, opponent, opponent)):
            observation = env.seen["observation"][:, seat].copy()
            mask = env.seen["action_mask"][:, seat].copy()
            actions[:, seat] = each.act(observation, mask, starts, bits + np.uint64(99 * seat))
        env.step(actions)
    believed = agent.beliefs.model_probabilities[:, 1:].mean(axis=(0, 1))
    return dict(zip(MODELS, believed.tolist(), strict=True))


@pytest.mark.parametrize("bot", ["random", "planner", "predictor"])
def test_models_explain_the_bots_that_they_imitate(bot: str) -> None:
    """After a game, the model of the opponents' bot is the most probable one on average."""
    believed = model_probabilities(bot, CONFIG.num_turns)
    assert max(believed, key=believed.__getitem__) == bot


def test_models_are_told_apart_while_all_hands_are_hidden() -> None:
    believed = model_probabilities("planner", 8)
    assert believed["planner"] > 0.3
    assert believed["random"] < 0.1


def test_a_game_that_is_joined_later_says_nothing_of_the_turns_before() -> None:
    """Nor does one that goes on elsewhere: the models are then as likely as before."""
    agent = Champion(CONFIG, worlds=1)
    turns = [*whole_games(CONFIG, 1), whole_games(CONFIG, 1, seed=2)[11]]
    for turn, learns in ((5, False), (9, False), (10, True), (10, False), (-1, False), (2, False)):
        before = agent.beliefs.model_probabilities[:, 1:].copy()
        agent.act(*turns[turn])
        now = agent.beliefs.model_probabilities[:, 1:]
        expected = agent.beliefs.prior if turn == 5 else before
        assert (abs(now - expected).max() < 0.02) != learns


BEFORE, NOW = (
    joined([whole_games(CONFIG, 1)[turn].pick([seat]) for seat, turn in enumerate(turns)])
    for turns in ([1, 11, 19], [2, 12, 20])
)
"""Two turns of each round, each time of one seat; the last one is the last turn of the game."""


@pytest.mark.parametrize("models", ["", "planner", "champion"])
def test_predictions_and_values_are_probabilities(models: str) -> None:
    """Those of the cards of each opponent by each model, of the models, and of winning."""
    bot = Champion(CONFIG, worlds=4, models=models)
    bot.act(*BEFORE)
    chosen = bot.act(*NOW)
    beliefs = bot.beliefs
    if not models:
        cards = beliefs.card_probabilities[:, 1:].sum(axis=-1)
        assert cards == pytest.approx(np.ones(cards.shape))
    probabilities = beliefs.model_probabilities[:, 1:]
    assert probabilities.sum(axis=-1) == pytest.approx(np.ones((3, 2)))
    assert ((probabilities > 0).sum(axis=-1) == (1 if models else len(MODELS))).all()
    _, values = bot.evaluate_cards()
    legal = np.where(NOW.action_mask == 1, values, -np.inf)
    assert (legal.max(axis=1) == legal[np.arange(3), chosen]).all()
    assert (values >= 0).all() and (values <= 1).all() and len(np.unique(values)) > 4


def test_chances_have_the_odds_of_the_calibration(tmp_path: Path) -> None:
    """The cards are the same: the better card has the higher chance."""
    own, asked = read_networks(OWN), positions(CONFIG)
    shown = []
    for odds in (1, 0.25):
        file = tmp_path / f"{odds}.npz"
        save_networks(file, {**own, "calibration": {"odds": np.array([odds], np.float32)}})
        bot = Champion(CONFIG, worlds=16, networks=str(file))
        shown.append((bot.act(*asked), bot.evaluate_cards()[1][asked.action_mask > 0]))
    (cards, values), (again, chances) = shown
    assert np.array_equal(cards, again)
    np.testing.assert_allclose(chances, values / (values + 4 * (1 - values)))


@pytest.mark.parametrize(
    ("options", "config", "message"),
    [
        ("models=planer", CONFIG, "there is no 'planer'; did you mean planner?"),
        ("networks=nowhere", CONFIG, "cannot read nowhere: No such file or directory"),
        ("", GameConfig(2), "champion plays with 3, 4, 5, 6 players, not with 2"),
        ("", GameConfig(3, num_rounds=2), "has another config: num_rounds is 2, not 3"),
        ("", GameConfig(4, num_cards=59), "has another config: num_cards is 59, not 60"),
    ],
)
def test_wrong_options_and_games_are_refused(
    options: str, config: GameConfig, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        make_agent(f"champion:{options}", config)


def test_wrong_networks_are_refused(tmp_path: Path) -> None:
    file, own = tmp_path / "networks.npz", read_networks(OWN)

    def refused(message: str, config: GameConfig = CONFIG) -> None:
        with pytest.raises(ValueError, match=rf"networks.npz[ :].*{message}"):
            make_agent(f"champion:networks={file}", config)

    file.write_bytes(b"damaged")
    refused("it is no npz file")
    with ZipFile(file, "w") as members:
        members.writestr("search/value.bias.txt", "no array")
    refused("search/value.bias.txt must be float32")
    save_networks(file, own)
    whole = file.read_bytes()
    entry = whole.index(b"PK\1\2")  # of the first member in the directory
    for at, new, message in (
        (8, b"\1", "is encrypted"),
        (10, b"\x63", "compression method is not supported"),
        (24, b"\0\0\0\x80", "it has more than 268,435,456 bytes"),
    ):
        place = entry + at
        file.write_bytes(whole[:place] + new + whole[place + len(new) :])
        refused(message)
    save_networks(file, own)
    refused("search is no network for 4 players", GameConfig(4))
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    refused("Bad CRC-32")
    save_networks(file, {"search": own["search"]})
    refused("must have the network value")
    save_networks(file, {**own, "calibration": {"odds": np.zeros(1, np.float32)}})
    refused("calibration/odds must be one number above 0")
    wrong: Any
    for wrong in (np.array([np.nan], np.float32), np.zeros(1)):
        save_networks(file, {**own, "search": {**own["search"], "value.bias": wrong}})
        refused("search/value.bias must be float32, with finite entries only")
