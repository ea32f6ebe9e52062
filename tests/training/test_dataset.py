"""A dataset has the decisions of the games, the same in every format, and refuses damage."""

import re
import resource
import shutil
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mindup_agents.card_evaluation import UNITS, CardEvaluator
from mindup_arena.match import RotatedDeals
from mindup_arena.schedule import chunks, matches
from mindup_env import GameConfig, cli, make_agent, mindup_v0
from mindup_env.envs.opponents import BatchedSeats
from mindup_training.dataset import DatasetSettings, make, read_dataset
from mindup_training.dataset.card import card_text
from mindup_training.dataset.columns import columns_of, read_chunk, write_chunk
from mindup_training.dataset.seats import num_rotations
from tests.arena.reports import play_here
from tests.training.datasets import play_dataset

CONFIG = GameConfig(3, num_rounds=2)
SETTINGS = DatasetSettings(
    ("greedy", "random"), CONFIG, deals=3, seed=5, chunk_deals=2, reward="score+win", format="npz"
)
IN_BOTH = [SETTINGS, replace(SETTINGS, format="parquet")]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same dataset in both formats, in folders of their names."""
    path = tmp_path_factory.mktemp("datasets")
    for settings in IN_BOTH:
        play_dataset(settings, path / settings.format)
    return path


@pytest.fixture
def folder(made: Path) -> Path:
    return made / "npz"


def files(folder: Path) -> dict[str, bytes]:
    """All files but those that name the folder."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "run.json")
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def test_the_rows_are_the_decisions_of_the_games(folder: Path) -> None:
    """The games of RotatedDeals are played again, and each is then replayed card by card."""
    agents = [BatchedSeats(make_agent(bot, CONFIG), CONFIG, 100) for bot in SETTINGS.bots]
    dataset = read_dataset(folder)
    for chunk, played in zip(dataset.chunks(), chunks(SETTINGS), strict=True):
        match = matches(SETTINGS)[played.match]
        games = RotatedDeals(CONFIG, SETTINGS.seed, played.deals)
        games.play([agents[bot] for bot in match])
        seat = 0
        for deal, rotation, game in games.games():
            env = mindup_v0.parallel_env(num_players=3, num_rounds=2, reward=SETTINGS.reward)
            seen, _ = env.reset(options={"deal": game.record()["deal"]})
            agents_of_game = env.possible_agents
            own = slice(seat, seat + 3)
            assert (chunk.seats.deal[own] == deal).all()
            assert (chunk.seats.rotation[own] == rotation).all()
            assert chunk.seats.seat[own].tolist() == [0, 1, 2]
            assert [match[(place - rotation) % 3] for place in range(3)] == (
                chunk.seats.bot[own].tolist()
            )
            for turn, cards in enumerate(game.plays):
                for name in ("observation", "action_mask"):
                    expected = [seen[agent][name] for agent in agents_of_game]
                    assert (getattr(chunk, name)[turn, own] == expected).all()
                assert (chunk.action[turn, own] + 1 == cards).all()
                actions = {agent: card - 1 for agent, card in zip(seen, cards, strict=True)}
                seen, rewards, *_ = env.step(actions)
                assert chunk.reward[turn, own].tolist() == [rewards[agent] for agent in actions]
            wins = np.isin(range(3), game.winners) / len(game.winners)
            assert chunk.returns[0, own] == pytest.approx(game.scores + wins - 1 / 3)
            assert (chunk.returns[-1] == chunk.reward[-1]).all()
            seat += 3
    assert dataset.num_rows == 2 * 3 * 3 * 3 * CONFIG.num_turns


def test_random_cards_are_played_instead_of_the_choices(tmp_path: Path) -> None:
    """The choices stay those of the bot, and the next hands show what was played."""
    settings = DatasetSettings(("lowest",), CONFIG, deals=30, random_cards=0.5, format="npz")
    for name in ("one", "again"):
        play_dataset(settings, tmp_path / name)
    assert files(tmp_path / "one") == files(tmp_path / "again")
    (chunk,) = read_dataset(tmp_path / "one").chunks()
    assert (chunk.action == chunk.action_mask.argmax(axis=-1)).all()
    last_turn = CONFIG.hand_size - 2  # of the first round, in which no cards are drawn
    left = chunk.action_mask[0:last_turn].astype(int) - chunk.action_mask[1 : last_turn + 1]
    assert (left.sum(axis=-1) == 1).all() and (left >= 0).all()
    hand_sizes = chunk.action_mask[:last_turn].sum(axis=-1)
    expected = (0.5 + 0.5 / hand_sizes).mean()
    assert (left.argmax(axis=-1) == chunk.action[:last_turn]).mean() == pytest.approx(
        expected, abs=0.06
    )
    assert "the probability 0.5 a seat played a random card" in card_text(settings)


def test_the_values_are_those_of_the_bot_for_its_hand(folder: Path) -> None:
    agent = make_agent("greedy", CONFIG)
    assert isinstance(agent, CardEvaluator)
    for chunk in read_dataset(folder).chunks():
        greedy = chunk.seats.bot == 0
        held = chunk.action_mask == 1
        assert (np.isnan(chunk.card_values) == ~(held & greedy[:, None])).all()
        assert (chunk.card_values_unit == np.where(greedy, 0, -1)).all() and UNITS[0]
        seen = chunk.observation[3, greedy], chunk.action_mask[3, greedy]
        rows = len(seen[0])
        agent.act(*seen, np.zeros(rows, np.bool_), np.zeros(rows, np.uint64))
        _, values = agent.evaluate_cards()
        legal = seen[1] == 1
        assert (chunk.card_values[3, greedy][legal] == values[legal].astype(np.float32)).all()
    with np.load(folder / "data" / "chunk-00000.npz") as file:
        sizes = np.unpackbits(file["action_mask"], axis=1).sum(axis=1)
        greedy_rows, stored = file["card_values_unit"] == 0, file["card_values"]
    in_hand = np.arange(CONFIG.largest_hand) < sizes[:, None]
    assert (np.isnan(stored) == ~(in_hand & greedy_rows[:, None])).all()


def test_the_readme_says_how_to_read_the_arrays(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = card_text(SETTINGS)
    code = text.partition("```python\n")[2].partition("```")[0]
    monkeypatch.chdir(folder)
    names: dict[str, np.ndarray] = {}
    exec(code, names)  # noqa: S102  # as a user would
    chunk = next(read_dataset(folder).chunks())
    for name in ("observation", "action_mask"):
        expected = getattr(chunk, name)
        assert (names[name] == expected.reshape(-1, expected.shape[-1])).all()
    parquet = card_text(replace(SETTINGS, format="parquet"))
    assert code[code.index("observation = ") :] in parquet


@pytest.mark.parametrize(
    ("match", "count"),
    [((0, 0, 0), 1), ((0, 1, 1, 1), 4), ((0, 1, 2, 0, 1, 2), 3), ((0, 1, 0, 1), 2)],
)
def test_rotations_that_repeat_a_game_are_left_out(match: tuple[int, ...], count: int) -> None:
    assert num_rotations(match) == count


def test_parquet_and_npz_have_equal_arrays(made: Path) -> None:
    both = (read_dataset(made / each.format).chunks() for each in IN_BOTH)
    for one, other in zip(*both, strict=True):
        for ours, theirs in zip(one[1:], other[1:], strict=True):  # the seats are not read
            assert ours.dtype == theirs.dtype
            np.testing.assert_array_equal(ours, theirs)


def test_a_dataset_that_was_killed_ends_in_the_same_bytes(made: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(made / "npz", tmp_path / "killed")
    for missing in sorted((folder / "data").iterdir())[1::2]:
        leftover = missing.with_name(f".{missing.name}.0123456789abcdef")
        missing.rename(leftover)
        leftover.write_bytes(b"half")
    with pytest.raises(ValueError, match=r"not complete: 2 of 4 files .* mindup dataset --resume"):
        read_dataset(folder)
    play_dataset(SETTINGS, folder)
    assert files(folder) == files(made / "npz")
    with pytest.raises(ValueError, match="with other settings"):
        play_dataset(replace(SETTINGS, seed=6), folder)


@pytest.mark.parametrize("settings", IN_BOTH, ids=lambda each: each.format)
def test_a_full_disk_leaves_no_half_file(settings: DatasetSettings, tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, hard))
        with pytest.raises(OSError, match="File too large") as error:
            play_dataset(settings, tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert error.value.filename == str(tmp_path / "data" / f"chunk-00000.{settings.format}")
    assert not list((tmp_path / "data").iterdir())


WRONG = [
    ("bot", 7, "the column bot must have the numbers of the chunk"),
    ("turn", 1, "the column turn must have the numbers of the chunk"),
    ("action", -1, "action must be actions that the mask allows"),
    ("action", 99, "action must be actions that the mask allows"),
    ("action_mask", 255, "action_mask must have at most 8 cards in a hand"),
    ("observation_numbers", -1, "observation_numbers must agree with observation_bits"),
    ("reward", np.inf, "reward must be finite"),
    ("reward", None, "reward must be float32"),
]
"""Columns, the value that their first row gets, and what is wrong then; None for another type."""


def assert_refused(folder: Path, spoiled: Any, error: str) -> None:
    """A dataset is refused whose first file has other arrays, or other bytes, than its own."""
    path = folder / "data" / f"chunk-00000.{folder.name}"
    intact = path.read_bytes()
    try:
        with path.open("wb") as file:
            if isinstance(spoiled, bytes):
                file.write(spoiled)
            else:
                write_chunk(folder.name, file, spoiled)
        with (
            patch("pickle.load") as load,
            pytest.raises(ValueError, match=rf"{path.name} is not chunk 0 .*({error})"),
        ):
            list(read_dataset(folder).chunks())
        assert not load.called
    finally:
        path.write_bytes(intact)


@pytest.mark.parametrize("form", ["npz", "parquet"])
def test_a_file_that_another_program_wrote_or_damaged_is_refused(form: str, made: Path) -> None:
    path = made / form / "data" / f"chunk-00000.{form}"
    intact = path.read_bytes()
    for damaged in (b"", b"PK", b"PAR1", intact[:-100], b"text" * 100):
        assert_refused(made / form, damaged, "")
    arrays = read_chunk(path, columns_of(CONFIG), 2 * 9 * CONFIG.num_turns)
    for column, value, error in WRONG:
        spoiled = arrays[column].astype(np.float64) if value is None else arrays[column].copy()
        spoiled[0] = value or 0
        assert_refused(made / form, {**arrays, column: spoiled}, error)
    shorter = {name: each[1:] for name, each in arrays.items()}
    assert_refused(made / form, shorter, "the column deal must be int32 of shape")
    assert_refused(made / form, {"deal": arrays["deal"]}, "its columns must be deal, ")
    other, error = BytesIO(), "Object arrays cannot"
    if form == "npz":
        objects: dict[str, Any] = {**arrays, "reward": np.array([print], object)}
        np.savez(other, **objects)
    else:
        table, error = pq.read_table(path), "must have no nulls"
        nulls = pa.array([None, *table["reward"].to_pylist()[1:]], pa.float32())
        at = table.schema.get_field_index("reward")
        pq.write_table(table.set_column(at, "reward", nulls), other)
    assert_refused(made / form, other.getvalue(), error)


@pytest.mark.parametrize(
    ("bot", "error"),
    [
        ("tests.arena.bots:Faulty:how=raise", "ZeroDivisionError: one over none"),
        ("tests.training.datasets:WrongShape", "evaluations must be floats of shape"),
        ("tests.training.datasets:WrongUnit", "the unit of evaluations must be one of"),
    ],
)
def test_a_bot_that_fails_ends_the_dataset(bot: str, error: str, tmp_path: Path) -> None:
    settings = replace(SETTINGS, bots=(bot, "random"))
    with pytest.raises(ValueError, match=rf"bot '{bot}' failed in decision .*{error}"):
        play_dataset(settings, tmp_path)
    assert not list((tmp_path / "data").iterdir())


def test_the_command_makes_and_resumes_a_dataset(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make, "play_in_processes", play_here)
    folder = tmp_path / "made"
    words = ["dataset", "greedy", "--players", "3", "--rounds", "1", "--deals", "2"]
    assert cli.main([*words, "--out", str(folder), "--agent-seed", "secret"]) == 0
    before = files(folder)
    readme = before["README.md"].decode()
    assert "mindup dataset greedy --players 3 --rounds 1 --deals 2 --agent-seed" in readme
    for column in columns_of(GameConfig(3, num_rounds=1)):
        assert f"| `{column.name}` |" in readme
    (folder / "data" / "chunk-00000.parquet").unlink()
    assert cli.main(["dataset", "--resume", str(folder)]) == 0
    assert files(folder) == before
    capsys.readouterr()
    none = str(tmp_path / "no")
    for more, error in (
        ([*words, "--out", str(folder)], f"resume it with --resume {folder}"),
        ([*words, "--seed", "1", "--resume", str(folder)], "--resume can only be combined with"),
        (["dataset", "--resume", none], f"no run of mindup dataset in {none}"),
        (["dataset", "--out", none], "needs at least 1 bot, not 0"),
        ([*words, "--reward", "luck", "--out", none], "reward must be"),
    ):
        assert cli.main(more) == 2
        assert re.search(re.escape(error), capsys.readouterr().err)
    assert not (tmp_path / "no").exists()
