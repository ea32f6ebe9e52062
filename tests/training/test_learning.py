"""Learning: the best reply of a tiny game is found, and the command improves on its start."""

import csv
from pathlib import Path

import numpy as np

from mindup_agents.policy import PolicyAgent, load_policy
from mindup_env import BatchEnv, Game, cli
from mindup_env.cards import COLOURS

QUICK = """
players = 2
opponents = ["random"]
reward = "0.1*margin"
widths = [32, 32, 16]
threads = 1
evaluate_against = ["random"]

[ppo]
learning_rate = 5e-3
batch_size = 256
"""


def train(folder: Path, preset: str, *arguments: str) -> Path:
    folder.mkdir()
    (folder / "preset.toml").write_text(preset)
    words = ["--preset", str(folder / "preset.toml"), "--out", str(folder / "run"), *arguments]
    assert cli.main(["train", *words]) == 0
    return folder / "run"


TINY_DECK = [[number, COLOURS[number % 3], number % 4 - 1] for number in range(1, 7)]
TINY_GAME = f"""{QUICK}
num_envs = 512
rollout_games = 4
epochs = 8
ent_coef = 0.1

[game]
num_rounds = 1
hand_size = 2
deck = {TINY_DECK}
"""


def test_the_best_reply_of_a_tiny_game_is_learnt(tmp_path: Path) -> None:
    """All six cards are seen: two are one's own, two the prizes, so two are the opponent's.

    What a card brings against an opponent who plays either card as likely can be counted out.
    """
    run = train(tmp_path / "tiny", TINY_GAME, "--timesteps", "50000", "--checkpoint-every", "50000")
    policy = load_policy(run / "policy.safetensors")
    (config,) = policy.description.configs
    env = BatchEnv(config, 400)
    seen, _ = env.reset(seed=77)
    observation, mask = seen["observation"][:, 0], seen["action_mask"][:, 0]
    nobody = np.zeros(400, np.uint64)
    chosen = PolicyAgent.of(policy, config).act(observation, mask, nobody == 0, nobody)
    lost = np.array(
        [regret(env.game(index), int(action) + 1) for index, action in enumerate(chosen)]
    )
    at_random = np.mean(
        [regret(env.game(i), card) for i in range(400) for card in env.game(i).hand(0)]
    )
    assert at_random > 0.8, "it matters what is played"
    assert lost.mean() < 0.05 * at_random
    assert (lost == 0).mean() > 0.95


def regret(game: Game, card: int) -> float:
    """How much more the best card is expected to bring."""
    values = {
        own: np.mean([margin(game, own, other) for other in game.hand(1)]) for own in game.hand(0)
    }
    return float(max(values.values()) - values[card])


def margin(game: Game, own: int, other: int) -> int:
    played = game.copy()
    played.play([own, other])
    return played.scores[0] - played.scores[1]


SHORT_GAME = f"""{QUICK}
[game]
num_rounds = 1
hand_size = 5
"""


def test_a_short_training_improves_on_its_start(tmp_path: Path) -> None:
    run = train(
        tmp_path / "short",
        SHORT_GAME,
        "--timesteps",
        "60000",
        "--checkpoint-every",
        "60000",
        "--evaluation-deals",
        "1500",
    )
    with (run / "evaluations.csv").open() as file:
        start, end = csv.DictReader(file)
    assert (start["opponent"], end["opponent"]) == ("random", "random")
    error = (
        float(end["high"]) - float(end["low"]) + float(start["high"]) - float(start["low"])
    ) / 2
    assert float(end["value"]) - float(start["value"]) > 2 * error
    assert float(end["low"]) > 0.6
