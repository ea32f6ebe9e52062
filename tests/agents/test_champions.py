"""The champions: their games, and the options, networks and models of opponents of the second."""

import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from mindup_agents import champion_1, champion_3
from mindup_agents.champion_1 import PLAYERS
from mindup_agents.champion_2 import Champion2
from mindup_agents.champion_3 import Champion3
from mindup_agents.heuristics.workspace import Float64Array
from mindup_agents.lookahead.bot import _IS_COMPUTED, LookaheadBot, Schedule
from mindup_agents.lookahead.network_folder import POLICY, VALUE, load_networks, network_folder
from mindup_agents.policy import PolicyAgent, save_policy
from mindup_arena.match import win_share_against
from mindup_env import BatchEnv, GameConfig, make_agent
from tests.agents.positions import joined, stages, whole_games
from tests.training.policies import padded_policy, random_policy

CONFIG = GameConfig(3)
OWN = network_folder(Champion2.package, CONFIG)


@cache
def choices(options: str, *, other_bits: bool = False) -> list[int]:
    arguments = stages(CONFIG)
    bits = arguments.random_bits + np.uint64(other_bits)
    agent = make_agent(f"champion-2:{options}", CONFIG)
    actions = agent.act(*arguments._replace(random_bits=bits))
    assert arguments.action_mask[np.arange(len(actions)), actions].all()
    return [*actions.tolist()]


@pytest.mark.parametrize("players", PLAYERS)
def test_the_networks_play_with_any_number_of_objectives(players: int) -> None:
    for objectives in (0, 5):
        for name in ("champion-1", "champion-2", "champion-3"):
            make_agent(name, GameConfig(players, objectives))
        for name in ("champion-2", "champion-3"):
            make_agent(f"{name}:worlds=0", GameConfig(players, objectives))
    for champion in (Champion2, Champion3):
        folder = network_folder(champion.package, GameConfig(players))
        assert sum(path.stat().st_size for path in folder.rglob("*.safetensors")) < 1_500_000
    assert champion_1.policy_file(players).stat().st_size < 1_000_000


@pytest.mark.parametrize(
    ("champion", "config", "deals"),
    [
        ("champion-1", GameConfig(3), 25),
        ("champion-1", GameConfig(3, 3), 25),
        ("champion-2:worlds=16", GameConfig(3, 3), 12),
        ("champion-3:worlds=16", GameConfig(3, 5), 12),
        ("champion-3:worlds=16", GameConfig(4, 3), 12),
        ("champion-3:worlds=0", GameConfig(5), 40),
        ("champion-3:worlds=0", GameConfig(4, 5), 25),
    ],
)
def test_a_champion_beats_planner(champion: str, config: GameConfig, deals: int) -> None:
    share = win_share_against(champion, "planner", config, deals)
    assert share.low > 0.5


def test_without_worlds_the_policy_plays_alone() -> None:
    alone = PolicyAgent(CONFIG, str(OWN / POLICY)).act(*stages(CONFIG))
    assert choices("worlds=0") == alone.tolist()


def test_every_option_and_the_random_bits_change_some_choices() -> None:
    few = choices("worlds=9")
    for options in ("worlds=1", "worlds=2", *("decay=0", "decay=1", "models=planner")):
        assert few != choices(options if "worlds" in options else f"worlds=9,{options}"), options
    assert few != choices("worlds=9", other_bits=True)


def test_a_time_limit_ends_the_search_early() -> None:
    """It then plays as with few worlds."""
    many = choices("worlds=24")
    assert choices("worlds=24,time_limit=1e-9") != many == choices("worlds=24,time_limit=1000")


def test_early_ends_change_no_value_on_average() -> None:
    """The turn at which a game ends is drawn by the weights that the averages have."""
    few = joined([whole_games(CONFIG, 1)[turn].pick([0]) for turn in (8, 10)])
    means = []
    for ends_early, worlds in ((False, 3000), (True, 6000)):
        schedule = Schedule(ends_early, lambda worlds: [worlds], champion_3.ranked)
        bot = LookaheadBot(CONFIG, OWN, worlds=worlds, decay=0.5, schedule=schedule)
        bot.act(*few)  # no card is dropped before the end
        means.append(bot.evaluate_cards()[1][few.action_mask == 1])
    assert means[0] == pytest.approx(means[1], abs=0.02)
    assert np.ptp(means[0]) > 0.1


def test_predictions_that_sampled_games_share_change_no_value() -> None:
    """After more stages, the opponents' cards are predicted again more often."""
    turns, values = joined(whole_games(CONFIG, 2)[4:20:3]), []

    def predict_again(values: Float64Array, worlds: int) -> list[int]:
        if len(values) < worlds:  # after them, the next row begins
            bot._networks[_IS_COMPUTED][...] = False
        return [*range(values.shape[1])]

    for stages_of in (champion_3.stages, lambda worlds: [*range(1, worlds + 1)]):
        schedule = Schedule(ends_early=True, stages=stages_of, ranked=predict_again)
        bot = LookaheadBot(CONFIG, OWN, worlds=64, decay=0.5, schedule=schedule)
        bot.act(*turns)
        values.append(bot.evaluate_cards()[1].copy())
    np.testing.assert_array_equal(values[0], values[1])


def test_champion_3_drops_cards_that_promise_little() -> None:
    """At this number of standard errors, a normal distribution is above 0 by 0.1 on average."""
    assert champion_3.stages(512) == [64, 96, 144, 216, 324, 486, 512]
    assert champion_3.stages(4) == [4]
    spread = np.tile([1.0, -1.0], 32)
    for z, worlds, kept in ((0.89, 64, [1, 0]), (0.92, 64, [0]), (0.92, 256, [1, 0])):
        better, equal = np.zeros(64), np.zeros(64)
        assert champion_3.ranked(np.stack([better, spread - z / 8, equal], 1), worlds) == kept


def lookahead_bot() -> LookaheadBot:
    return LookaheadBot(CONFIG, OWN, worlds=1, decay=0.5, schedule=Champion2.schedule)


def model_probabilities(bot: str, turns: int) -> dict[str, float]:
    """What champion-2 believes of two opponents that are this bot after some turns: a mean."""
    agent, opponent = lookahead_bot(), make_agent(bot, CONFIG)
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
    names = load_networks(CONFIG, OWN).models
    believed = agent._beliefs.model_probabilities[:, 1:].mean(axis=(0, 1))
    return dict(zip(names, believed.tolist(), strict=True))


@pytest.mark.parametrize("bot", ["random", "planner", "champion-1"])
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
    agent, turns = lookahead_bot(), whole_games(CONFIG, 1)
    for turn, learns in ((5, False), (9, False), (10, True), (10, False), (2, False)):
        before = agent._beliefs.model_probabilities[:, 1:].copy()
        agent.act(*turns[turn])
        now = agent._beliefs.model_probabilities[:, 1:]
        expected = np.array(agent._prior) if turn == 5 else before
        assert (abs(now - expected).max() < 0.02) != learns


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("worlds=-1", "worlds must be at least 0, not -1"),
        ("decay=nan", "decay must be a number from 0 to 1, not nan"),
        ("time_limit=-1", "time_limit must be at least 0 seconds"),
        ("models=planer", "there is no 'planer'; did you mean planner?"),
        ("networks=nowhere", "policy file nowhere.value.safetensors does not exist"),
        ("worlds=0,networks=nowhere", "policy file nowhere.policy.safetensors does not exist"),
    ],
)
def test_wrong_options_are_refused(options: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_agent(f"champion-2:{options}", CONFIG)


@pytest.mark.parametrize("champion", ["champion-1", "champion-2", "champion-2:worlds=0"])
@pytest.mark.parametrize(
    ("config", "message"),
    [
        (GameConfig(2), r"champion-. plays with 3.* 6 players, not with 2"),
        (GameConfig(3, num_rounds=2), "trained for num_rounds=3, not for num_rounds=2"),
        (GameConfig(4, num_cards=59), "trained for num_cards=60, not for num_cards=59"),
    ],
)
def test_other_games_are_refused(champion: str, config: GameConfig, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_agent(champion, config)


def test_wrong_networks_are_refused(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(OWN, tmp_path / "networks"))
    spec, models = f"champion-2:networks={folder}", folder / "models"
    with pytest.raises(ValueError, match=r"safetensors: the policy was trained for"):
        make_agent(spec, GameConfig(4))
    for copied, name, message in (
        (models / "search.safetensors", "planner", "must not be called like other models"),
        (folder / POLICY, "other", "must read the features position-1, not playout-1"),
    ):
        added = Path(shutil.copy(copied, models / f"{name}.safetensors"))
        with pytest.raises(ValueError, match=message):
            make_agent(spec, CONFIG)
        added.unlink()
    padded = padded_policy(CONFIG, features="position-1", pad_to_players=6)
    for policy, message in (
        (random_policy(CONFIG), "must read the features position-1, not plain-1"),
        (padded, "must read features without padding"),
    ):
        save_policy(policy, folder / VALUE)
        with pytest.raises(ValueError, match=message):
            make_agent(spec, CONFIG)
