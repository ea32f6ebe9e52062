"""mindup policy show: the preferences of a policy in a position, and the features that matter."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindup_agents.champion.networks import VALUE, network_folder
from mindup_agents.features import ENCODERS, FeatureNames, feature_names, make_encoder
from mindup_agents.inspection.occlusion import (
    Means,
    occlusions,
    read_position,
    recorded_games,
    self_play_rows,
)
from mindup_agents.policy import (
    Description,
    Policy,
    PolicyAgent,
    PolicyEvaluator,
    load_policy,
    save_policy,
)
from mindup_agents.policy.compiled_network import tensor_shapes
from mindup_agents.policy.evaluator import RowEvaluator
from mindup_env import Game, GameConfig, cli
from mindup_env.observation import layout_of
from tests.agents.positions import CONFIGS, joined, stages, whole_games
from tests.training.policies import NARROW, padded_policy, random_policy

CONFIG = GameConfig(3)
Array = np.ndarray[Any, Any]


def evaluator_of(policy: Policy, config: GameConfig = CONFIG) -> PolicyEvaluator:
    return PolicyEvaluator(policy.description, policy.tensors, config)


@pytest.mark.parametrize("features", ENCODERS)
@pytest.mark.parametrize("config", [CONFIGS[3], GameConfig(3, num_rounds=2)], ids=str)
def test_every_feature_has_the_name_of_what_it_holds(features: str, config: GameConfig) -> None:
    """What the values are is tested with the features; here, that each has the right name."""
    encoder, asked = make_encoder(features, config), stages(config)
    names, shape = feature_names(encoder), encoder.shape
    assert names.shape(config.largest_hand) == shape
    assert all(len(name) <= 40 for name in (*names.table, *names.card)), "a table shows them"
    rows = np.zeros((len(asked.random_bits), shape.size), np.float32)
    encoder.fill(*asked, rows)
    table, cards, hand = shape.split(rows)
    seen, held = layout_of(config).views(asked.observation), hand >= 0
    parts = {"table": (table, names.table), "card": (cards[held], names.card)}

    def of(name: str, part: str = "table") -> Array:
        values, all_names = parts[part]
        chosen: Array = values[:, np.array(all_names) == name]
        return chosen

    if features in ("raw-1", "memory-1", "plain-1"):
        tableaux = seen["tableaux"][:, 1:].reshape(len(rows), -1)
        assert np.array_equal(of("table: hand"), asked.action_mask)
        assert np.array_equal(of("opponents: tableaux"), tableaux)
    if features in ("raw-1", "memory-1"):
        assert np.array_equal(of("card: which one", "card").argmax(axis=1), hand[held])
        return
    number = hand[held] + (features == "plain-1")
    known = np.take_along_axis(seen["known"][:, 0], hand.astype(int).clip(0), axis=1)[held]
    assert np.allclose(of("card: number", "card")[:, 0] * config.num_cards, number)
    assert np.array_equal(of("card: known to all", "card")[:, 0], known)
    assert (of("card: colour", "card").sum(axis=1) == 1).all()
    if features == "plain-1":
        return
    prizes = np.sort(seen["row"].nonzero()[1].reshape(len(rows), -1), axis=1)
    for name, expected in {
        "table: round": np.eye(config.num_rounds)[seen["round"] - 1],
        "table: score cards": seen["score_cards"] / 5,
        "table: objectives shown": seen["objectives"],
        "own: objectives met": seen["objectives_met"][:, 0],
        "own: lead in points": 0,
        "prizes: number": prizes / config.num_cards,
        "opponents: hidden cards": seen["unknown"][:, 1:] / 8,
        "opponents: known cards": seen["known"][:, 1:].sum(axis=2) / 8,
    }.items():
        assert np.allclose(of(name), expected), name
    if features == "position-1":
        assert np.allclose(of("table: estimated win probabilities").sum(axis=1), 1)
    else:
        models = of("opponents: models").reshape(len(rows), config.num_players - 1, -1)
        assert np.allclose(models.sum(axis=2), 1)


def test_an_encoder_without_names_has_numbers() -> None:
    encoder: Any = make_encoder("plain-1", CONFIG)
    shape = encoder.shape
    del encoder.names
    names = feature_names(encoder)
    assert names.shape(shape.slots) == shape and names.card[-1] == f"card: feature {shape.card - 1}"
    encoder.names = FeatureNames(("round",), ())
    with pytest.raises(ValueError, match=f"FeatureNames of {shape.table} features of the table"):
        feature_names(encoder)


def test_only_the_features_that_a_policy_reads_matter() -> None:
    encoder = make_encoder("position-1", CONFIG)
    names = feature_names(encoder)
    behind = names.card.index("card: value behind the best")
    lead = names.table.index("opponents: lead in points")
    shapes = tensor_shapes(encoder.shape, NARROW).items()
    tensors = {name: np.zeros(size, np.float32) for name, size in shapes}
    tensors["card.weight"][0, behind] = -5  # the feature is at most 0
    tensors["table.weight"][0, lead] = 1
    for name in ("hidden", "logit", "critic", "value"):
        tensors[f"{name}.weight"][0, 0] = 1
    policy = Policy(Description((CONFIG,), "position-1", NARROW), tensors)
    agent = PolicyAgent.of(policy, CONFIG, temperature=1)
    rows = self_play_rows(agent, CONFIG, 4, seed=1)
    means = Means.of(rows, encoder.shape)
    found = {each.name: each for each in occlusions(agent.evaluator, rows, means)}
    assert {name for name, each in found.items() if each.moved.any()} == {names.card[behind]}
    assert {name for name, each in found.items() if each.value_change.any()} == {names.table[lead]}
    assert 0.1 < found[names.card[behind]].moved.mean() < 1


def test_features_are_set_to_their_mean_over_cards_and_positions() -> None:
    encoder = make_encoder("plain-1", CONFIG)
    shape, asked = encoder.shape, joined(whole_games(CONFIG, 3))
    rows = np.zeros((len(asked.random_bits), shape.size), np.float32)
    encoder.fill(*asked, rows)
    means = Means.of(rows, shape)
    numbers = np.concatenate([np.flatnonzero(mask) + 1 for mask in asked.action_mask])
    assert means.card[0] == pytest.approx(numbers.mean() / CONFIG.num_cards)
    assert np.allclose(means.table, rows[:, : shape.table].mean(axis=0))
    given: list[Array] = []

    class Recorder(RowEvaluator):
        def logits_and_plays(self, rows: Any) -> Any:
            given.append(rows.copy())
            return np.zeros((len(rows), shape.slots), np.float32), None

        def values(self, rows: Any) -> Any:
            return np.zeros(len(rows), np.float32)

    evaluator = evaluator_of(random_policy(CONFIG))
    evaluator.row_evaluator = Recorder()
    found = [each.name for each in occlusions(evaluator, rows, means)]
    original, *occluded = given
    assert np.array_equal(original, rows), "the rows do not change"
    by_name = dict(zip(found, occluded, strict=True))
    changed = (by_name["card: number"] != rows).any(axis=0)
    assert set(np.flatnonzero(changed)) == {
        shape.cards_begin + slot * shape.card for slot in range(shape.slots)
    }
    _, cards, slots = shape.split(by_name["card: number"])
    assert np.allclose(cards[..., 0], np.where(slots >= 0, means.card[0], 0))
    hand = by_name["table: hand"][:, : CONFIG.num_cards]
    assert np.allclose(hand, means.table[: CONFIG.num_cards])


def played(turns: int) -> Game:
    game = Game(CONFIG, seed=5)
    for turn in range(turns):
        game.play([game.hand(seat)[turn % 2] for seat in range(3)])
    return game


def test_a_position_is_read_as_a_bot_has_read_the_game() -> None:
    policy = load_policy(network_folder(GameConfig(3)) / VALUE)
    games = recorded_games(played(9).record(), 7)
    assert games[-1] == played(7) and len(games) == 8
    evaluator, again = evaluator_of(policy), evaluator_of(policy)
    observation = read_position(evaluator, games, 2, seed=1)
    seen = layout_of(CONFIG).views(observation)
    assert (np.flatnonzero(seen["hand"]) + 1).tolist() == list(played(7).hand(2))
    read_position(again, games[-1:], 2, seed=1)
    assert not np.array_equal(again.rows, evaluator.rows), "forecast-1 remembers earlier turns"
    read_position(evaluator, games, 2, seed=1)
    read_position(again, games, 2, seed=1)
    assert np.array_equal(again.rows, evaluator.rows), "and nothing of another game"


def test_a_record_has_the_positions_to_before_its_end() -> None:
    last = CONFIG.num_turns - 1
    record = played(CONFIG.num_turns).record()
    assert len(recorded_games(record, last)) == 1 + last
    for wrong in (-1, last + 1):
        with pytest.raises(ValueError, match=f"must be 0 to {last}, not {wrong}"):
            recorded_games(record, wrong)


@pytest.fixture
def policy_path(tmp_path: Path) -> Path:
    path = tmp_path / "policy.safetensors"
    save_policy(random_policy(CONFIG, GameConfig(3, 2)), path)
    return path


def test_show_prints_what_the_policy_prefers(
    policy_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.json"
    record.write_text(json.dumps(played(9).record()))
    words = ["--record", str(record), "--turn", "7", "--seat", "2", "--games", "1", "--top", "5"]
    assert cli.main(["policy", "show", str(policy_path.parent), *words]) == 0
    printed = capsys.readouterr().out
    lines = printed.splitlines()
    assert f"file: {policy_path}, " in lines[0], "the policy of the folder of a run"
    assert "games: 3 players, 0, 2 objectives, 3 rounds, first hands of 7" in printed
    parameters = sum(tensor.size for tensor in load_policy(policy_path).tensors.values())
    assert f"network: widths 24 16 8; {parameters:,} parameters" in lines
    assert "round 2 of 3, turn 2" in printed
    start = lines.index(next(line for line in lines if line.startswith("card  "))) + 1
    hand = lines[start : lines.index("", start)]
    assert sorted(int(line.split()[0]) for line in hand) == list(played(7).hand(2))
    shares = [float(line.split("%")[0].split()[-1]) for line in hand]
    assert shares == sorted(shares, reverse=True) and sum(shares) == pytest.approx(100, abs=1)
    occluded = lines[lines.index(next(line for line in lines if line.startswith("features,"))) :]
    assert len(occluded) == 2 + 5 + 1 and occluded[-1].endswith("more")
    assert max(map(len, occluded)) <= 80
    moved = [float(line.split()[-2].rstrip("%")) for line in occluded[2:-1]]
    assert moved == sorted(moved, reverse=True) and moved[0] > 0


def test_show_takes_the_first_turn_of_a_deal_at_a_table_of_the_policy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "policy.safetensors"
    configs = [GameConfig(players, shown) for players in (2, 5) for shown in (0, 3)]
    save_policy(padded_policy(*configs, pad_to_players=6), path)
    for words, config, seed in (
        (["--players", "5"], GameConfig(5), 0),
        (["--objectives", "3"], GameConfig(2, 3), 0),
        (["--seed", "4"], GameConfig(2), 4),
    ):
        printed = []
        for _ in range(2):
            assert cli.main(["policy", "show", str(path), "--games", "1", *words]) == 0
            printed.append(capsys.readouterr().out)
        assert printed[0] == printed[1]
        assert "games: 2, 5 players, 0, 3 objectives" in printed[0]
        assert "features: plain-1, padded to 6 players: 1061 of the table" in printed[0]
        assert ("hand of you+4" in printed[0]) == (config.num_players == 5)
        assert ("objectives\n" in printed[0]) == (config.num_objectives > 0)
        hand = next(line for line in printed[0].splitlines() if line.startswith("your hand"))
        numbers = [int(each.strip("(+-)")) for each in hand.split()[2:]]
        assert numbers == list(Game(config, seed=seed).hand(0))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--turn", "3"], "--turn can only be combined with --record"),
        (["--record", "RECORD", "--turn", "99"], "--turn in this record must be 0 to 9, not 99"),
        (["--record", "RECORD", "--objectives", "2"], "--objectives cannot be combined with"),
        (["--record", "nothing.json"], "cannot read nothing.json"),
        (["--record", "OTHER"], "trained for num_players=3, not for num_players=4"),
        (["--seat", "3"], "seat must be 0 to 2, not 3"),
        (["--players", "4"], "--players must be 3 for this policy, not 4"),
        (["--games", "0"], "games must be 1 to 200, not 0"),
        (["--network", "mynetworks:Mine"], "network of the package"),
    ],
)
def test_wrong_options_are_refused(
    words: list[str],
    said: str,
    policy_path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, game in (("RECORD", played(9)), ("OTHER", Game(GameConfig(4), seed=1))):
        Path(name).write_text(json.dumps(game.record()))
    assert cli.main(["policy", "show", str(policy_path), *words]) == 2
    printed = capsys.readouterr()
    assert said in printed.err and not printed.out
