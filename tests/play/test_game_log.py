"""The text of recorded games."""

from pathlib import Path

import numpy as np
import pytest

from mindup_env import BatchEnv, Game, GameConfig
from mindup_env.belief import sample
from tests.envs.playing import play_all, random_legal
from tests.play.replaying import pages, refused, replay, words, written
from tests.scripted_game import scripted


def test_all_turns_of_a_game(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deal, *turns = pages(replay(capsys, file, "--all"))
    assert deal.strip() == str(scripted())
    assert [turn.partition("\n")[0] for turn in turns] == [
        "1 of 5: round 1, turn 1",
        "2 of 5: round 1, turn 2",
        "3 of 5: round 2, turn 1",
        "4 of 5: round 2, turn 2",
        "5 of 5: round 2, turn 3",
    ]
    for played, turn in enumerate(turns, start=1):
        assert turn.strip().endswith(str(scripted(played)))


def test_a_turn_lists_cards_and_prizes(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Scripted by hand: 12 and 2 are the prizes, and 20 is lower than 30."""
    texts = words(pages(replay(capsys, file, "--all"))[2])
    assert "player 0 plays 30 orange takes 12 green" in texts
    assert "player 1 plays 20 purple takes 2 pink" in texts


def test_the_end_of_a_round_lists_last_cards_and_scores_by_parts(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Round 1: 2 + 4 + 1, 1 - 1, three colours. Round 2: 5 + 8 + 3, -1 - 1 + 1, most purple."""
    deal, first, second, *_, last = map(words, pages(replay(capsys, file, "--all")))
    assert not any(line.startswith("end of round") for line in deal + first)
    assert "player 0 lays down the last card, 1 orange -1" in second
    assert "player 1 lays down the last card, 40 blue +1" in second
    heads = "colours bonus objectives round total"
    assert f"end of round 1 [2] [4] [1] [5] [3] {heads}" in second
    assert "player 0 purple 50+ green 12 orange 1- . . 7 0 2 9 9" in second
    assert "+2 cards of three colours, no more, no fewer met by player 0" in second
    assert f"end of round 2 [5] [4] [3] [2] [1] {heads}" in last
    assert "player 1 purple 20 orange 60- 1- blue 40+ . . 16 -1 -2 13 24" in last
    assert "Mind Up! the game is over: player 0 won" in last


@pytest.mark.parametrize("config", [GameConfig(), GameConfig(6, 5), GameConfig(2, 1)], ids=repr)
def test_random_games_are_printed_to_the_end(
    config: GameConfig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Game(config, seed=1)
    play_on(game)
    text = replay(capsys, written(tmp_path, game.record()), "--all")
    assert len(pages(text)) == config.num_turns + 1
    assert text.strip().endswith(str(game))


def play_on(game: Game, turns: int | None = None) -> None:
    env, chance = BatchEnv(game.config, autoreset=False), np.random.default_rng(1)
    env.set_game(0, game)
    for _ in range(turns or game.config.num_turns - len(game.plays)):
        actions = random_legal(env.seen, chance)
        play_all([game], actions)
        env.step(actions)


def test_a_record_of_an_unfinished_game_ends_where_it_ends(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = replay(capsys, written(tmp_path, scripted(3).record()), "--all")
    assert len(pages(text)) == 4 and text.strip().endswith(str(scripted(3)))


@pytest.mark.parametrize("turns", [3, 6, 7, 21])
def test_a_record_that_starts_in_mid_game(
    turns: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, rng = GameConfig(3, 2), np.random.default_rng(1)
    game, env = Game(config, seed=2), BatchEnv(config, autoreset=False)
    play_on(game, turns)
    env.set_state([0], sample(env.set_game(0, game)["observation"][0, 0], config, 1, rng))
    mid_game = env.game(0)
    start_text = str(mid_game)
    play_on(mid_game)
    file = written(tmp_path, mid_game.record())
    start, *texts = pages(replay(capsys, file, "--all"))
    assert start.strip() == start_text
    assert [int(turn.split()[0]) for turn in texts] == list(range(turns + 1, 22))
    assert replay(capsys, file, "--all", "--turn", turns).startswith(start_text)
    assert f"--turn must be {turns} to 21 in this" in refused(capsys, file, "--turn", turns - 1)
