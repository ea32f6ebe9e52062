"""``mindup train``: what is learned, what a run leaves, and how it goes on."""

import csv
import json
import resource
from copy import deepcopy
from dataclasses import asdict, replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from torch import Tensor, nn

import mindup_cli
from mindup_arena import win_share_against
from mindup_env import GameConfig
from mindup_env.config import VARIANTS
from mindup_env.exact import ExactGame
from mindup_env.observation import layout_of
from mindup_training import evaluation, progress, sb3, train
from mindup_training.games import TrainingGames
from mindup_training.policy_file import NetworkBot
from mindup_training.run import last_checkpoint, read_run, save_checkpoint
from mindup_training.sb3 import NetworkPPO
from mindup_training.train import TrainSettings

SETTINGS = TrainSettings(
    game="3p-1t",
    opponents=("2:random", "lowest"),
    models=2,
    widths=(16, 16, 8),
    timesteps=120,
    num_envs=30,
    batch_size=16,
    evaluate_against=("lowest",),
    evaluations=2,
    evaluation_deals=2,
    threads=1,
)
"""Four rollouts of 30 decisions, and a checkpoint after each second one."""
GAME = VARIANTS["3p-1t"]


class Small(nn.Module):
    """A network of a user's own: it counts the turns, and predicts cards from the observation."""

    def __init__(self, config: GameConfig) -> None:
        super().__init__()
        self.shape, self.state_shapes = (config.num_players - 1, config.num_cards), ((1,),)
        size, cards = layout_of(config).size, config.num_cards
        self.scores, self.value = nn.Linear(size + 1, cards), nn.Linear(size + 1, 1)
        self.cards = nn.Linear(size, self.shape[0] * cards)

    def forward(self, observation: Tensor, action_mask: Tensor, turn: Tensor) -> tuple[Tensor, ...]:
        inputs = torch.cat([observation.float() / 10, turn], 1)
        logits = self.scores(inputs).masked_fill(action_mask == 0, -1e8)
        self.predicted = self.cards(observation.float() / 10).view(-1, *self.shape)
        return logits, self.value(inputs).squeeze(1), turn + 1

    def auxiliary_loss(self, _turn: Tensor, played: Tensor) -> Tensor:
        return nn.functional.cross_entropy(self.predicted.flatten(0, 1), played.flatten())


@pytest.fixture
def _no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the policy file and the picture, which take most of the time of a tiny training."""
    monkeypatch.setattr(train, "save_policy", lambda *_: None)
    monkeypatch.setattr(evaluation, "save_policy", lambda *_: None)
    monkeypatch.setattr(progress, "save_figure", lambda *_: None)


def weights(run: Path) -> dict[str, Tensor]:
    """Those of the last checkpoint."""
    saved = torch.load(run / "checkpoint.pt", weights_only=True)
    found: dict[str, Tensor] = saved["parameters"]["policy"]
    return found


def rows_of(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8") as lines:
        return [*csv.DictReader(lines)]


class Interrupt(BaseCallback):
    """Interrupts the fourth turn."""

    def _on_step(self) -> bool:
        if self.n_calls == 4:
            raise KeyboardInterrupt
        return True


# What is learned


def test_an_update_is_that_of_ppo_by_hand() -> None:
    """Of a whole rollout at once, so that the order of its decisions does not matter."""
    config, num_envs, clip_range, rate = VARIANTS["2p-2t"], 12, 0.01, 0.02
    torch.manual_seed(1)
    network = Small(config)
    games = TrainingGames(config, num_envs, ["random"], "margin", 5, network.state_shapes)
    settings = TrainSettings(
        timesteps=10**9,  # the learning rate hardly decreases
        learning_rate=rate,
        batch_size=num_envs * config.num_turns,
        epochs=2,
        gamma=0.9,
        gae_lambda=0.7,
        clip_range=clip_range,
        ent_coef=0.05,
        vf_coef=0.4,
        aux_coef=0.3,
    )
    model = NetworkPPO(games, network, settings)
    by_hand = deepcopy(network)
    optimizer = torch.optim.Adam(by_hand.parameters(), lr=rate, eps=1e-5)
    model.set_logger(Logger(None, []))
    learn = model.train
    model.train = lambda: None  # type: ignore[method-assign]
    model.learn(num_envs * config.num_turns)
    buffer: Any = model.rollout_buffer
    seen = {name: torch.tensor(each).flatten(0, 1) for name, each in buffer.observations.items()}
    masks, rewards = torch.tensor(buffer.action_masks).flatten(0, 1), torch.tensor(buffer.rewards)
    actions = torch.tensor(buffer.actions).long().flatten(0, 1)
    assert seen["state_0"].flatten().tolist() == [0] * num_envs + [1] * num_envs

    def answers() -> tuple[Tensor, Tensor]:
        logits, values, _ = by_hand(seen["observation"], masks, seen["state_0"])
        return logits.log_softmax(1), values

    with torch.no_grad():
        old_logprobs, old_values = answers()
    first, last = old_values.view(2, num_envs)
    last_advantage = rewards[1] - last
    first_advantage = rewards[0] + 0.9 * last - first + 0.9 * 0.7 * last_advantage
    advantages = torch.cat([first_advantage, last_advantage])
    returns = advantages + old_values
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    learn()
    for _ in range(2):
        logprobs, values = answers()
        ratio = (logprobs - old_logprobs).gather(1, actions).squeeze(1).exp()
        clipped = ratio.clamp(1 - clip_range, 1 + clip_range)
        gain = torch.minimum(ratio * advantages, clipped * advantages)
        entropy = -(logprobs.exp() * logprobs).sum(1)
        loss = (0.4 * (values - returns) ** 2 - gain - 0.05 * entropy).mean()
        loss = loss + 0.3 * by_hand.auxiliary_loss(torch.ones(()), seen["played"])
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(by_hand.parameters(), 0.5)
        optimizer.step()
    for name, weight in by_hand.state_dict().items():
        assert torch.allclose(network.state_dict()[name], weight, atol=1e-5), name


@pytest.mark.usefixtures("_no_files")
def test_a_seed_repeats_a_training(tmp_path: Path) -> None:
    runs = zip("abc", (1, 1, 2), strict=True)
    found = [
        weights(train.train(replace(SETTINGS, seed=seed), tmp_path / run)) for run, seed in runs
    ]
    assert all(torch.equal(found[0][name], found[1][name]) for name in found[0])
    assert not all(torch.equal(found[0][name], found[2][name]) for name in found[0])


@pytest.mark.usefixtures("_no_files")
def test_minutes_end_a_training_between_two_rollouts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    minutes = count()
    clock = SimpleNamespace(monotonic=lambda: 60 * next(minutes), time_ns=lambda: 0)
    monkeypatch.setattr(sb3, "time", clock)
    for timesteps, ends in ((None, 180), (1000, 180), (120, 120)):  # with both limits, by the first
        settings = replace(SETTINGS, timesteps=timesteps, minutes=5.5, evaluations=1)
        run = train.train(settings, tmp_path / str(timesteps))
        assert [int(row["timesteps"]) for row in rows_of(run / "evaluations.csv")] == [0, ends]


# A run


def test_the_command_trains_a_best_response_and_ranks_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a best response wins from random cards is exact in a small game."""
    monkeypatch.chdir(tmp_path)
    words = "train --preset small --game 2p-1t --widths 16 16 8 --models 2 --timesteps 12000 "
    words += "--num-envs 512 --batch-size 128 --epochs 8 --ent-coef 0.1 --learning-rate 5e-3 "
    words += "--evaluate-against random --evaluations 2 --evaluation-deals 150 --threads 1 --seed 3"
    assert mindup_cli.main(words.split()) == 0
    run, printed = Path("runs/small-2p-1t-seed3"), capsys.readouterr().out
    assert f"policy: {run / 'policy.onnx'}\nlearning curve: {run / 'curve.png'}\n" in printed
    exact = ExactGame(VARIANTS["2p-1t"])
    won = exact.win_share(str(run), "random") - 1 / 2
    assert won > 0.98 * exact.exploitability("random")
    rows = rows_of(run / "evaluations.csv")
    assert [row["timesteps"] for row in rows] == ["0", "6144", "12288"]
    assert [row["opponent"] for row in rows] == ["random"] * 3
    final = win_share_against(str(run), "random", VARIANTS["2p-1t"], 150, seed=2**40)
    assert float(rows[-1]["win_share"]) == pytest.approx(final.value)
    duels = json.loads((run / "arena.json").read_text())["cross_table"]
    (share,) = [duel["win_share"] for duel in duels if duel["field"] == "random"]
    assert share > 60
    rollouts = rows_of(run / "progress.csv")
    assert rollouts[-2]["rollout/win_share"] and rollouts[-1]["train/auxiliary_loss"]
    assert any(run.glob("events.out.tfevents.*")) and (run / "arena.png").exists()
    settings, own = read_run(run, TrainSettings)
    assert (settings.game, settings.timesteps, settings.seed, own) == ("2p-1t", 12_000, 3, [])


@pytest.mark.usefixtures("_no_files")
def test_an_interrupted_run_goes_on_from_its_last_checkpoint(tmp_path: Path) -> None:
    run, restored = tmp_path / "run", list[Any]()
    with pytest.raises(KeyboardInterrupt):
        train.train(SETTINGS, run, callback=Interrupt())
    saved = weights(run)

    class Watch(BaseCallback):
        def _on_training_start(self) -> None:
            model: Any = self.model
            restored.append((model.num_timesteps, deepcopy(model.policy.state_dict())))
            assert model.games.episode == 2, "no deal comes again"

        def _on_step(self) -> bool:
            return True

    train.train(SETTINGS, run, callback=Watch(), resume=True)
    ((timesteps, found),) = restored
    assert timesteps == 60 and all(torch.equal(found[name], saved[name]) for name in saved)
    rows = rows_of(run / "evaluations.csv")
    assert [int(row["timesteps"]) for row in rows] == [0, 60, 120]
    whole = weights(train.train(SETTINGS, tmp_path / "whole"))
    assert all(torch.equal(weights(run)[name], whole[name]) for name in whole)
    assert any(not torch.equal(whole[name], saved[name]) for name in saved)
    assert (run / "progress.csv").exists() and (run / "progress-60.csv").exists()
    with pytest.raises(ValueError, match=r"or code of its own \(it has none\)"):
        train.train(SETTINGS, run, policy=Small, resume=True)
    other = replace(SETTINGS, widths=(16, 16, 9))
    with pytest.raises(ValueError, match=r"has other settings"):
        train.train(other, run, resume=True)
    plain = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps({**plain, "settings": asdict(other)}))
    with pytest.raises(ValueError, match=r"checkpoint.pt does not fit this training: .*critic"):
        train.train(other, run, resume=True)


@pytest.mark.usefixtures("_no_files")
def test_the_command_says_how_to_resume(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(_: TrainingGames) -> Any:
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    words = "train --out run --game 3p-1t --num-envs 30 --timesteps 30 --evaluate-against"
    with monkeypatch.context() as patch:
        patch.setattr(TrainingGames, "step_wait", interrupt)
        assert mindup_cli.main([*words.split(), "--evaluations", "1"]) == 130
    line = "mindup: interrupted; to resume: mindup train --resume run\n"
    assert capsys.readouterr().err == line
    assert mindup_cli.main(["train", "--resume", "run"]) == 0
    assert capsys.readouterr().out.splitlines()[3].split() == ["30", "0", "s"]


def test_a_full_disk_names_the_file_and_keeps_the_last_checkpoint(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, 1)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, limits[1]))
    try:
        with pytest.raises(OSError, match=r"too large: .*checkpoint\.pt"):
            save_checkpoint(tmp_path, torch.zeros(50_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    with last_checkpoint(tmp_path) as saved:
        assert saved == 1
    assert [each.name for each in tmp_path.iterdir()] == ["checkpoint.pt"]


# A user's own code


def test_a_reward_and_a_network_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gained, networks = list[Any](), list[nn.Module]()
    monkeypatch.setattr(progress, "save_figure", lambda *_: None)

    def reward(points_gained: Any, over: Any, win_share: Any) -> Any:
        gained.append(points_gained)
        return points_gained + over[:, None] * win_share

    def make(config: GameConfig) -> nn.Module:
        networks.append(Small(config))
        return networks[0]

    run = train.train(SETTINGS, tmp_path / "run", reward=reward, policy=make)
    assert len(gained) == 1 + 4 and read_run(run, TrainSettings)[1] == ["reward", "policy"]
    shares = [
        win_share_against(bot, "random", GAME, 20) for bot in (str(run), NetworkBot(networks[0]))
    ]
    assert shares[0] == shares[1]


@pytest.mark.usefixtures("_no_files")
def test_a_reward_with_a_mistake_is_tried_again_in_the_same_folder(tmp_path: Path) -> None:
    def mistaken(points_gained: Any, over: Any, _win_share: Any) -> Any:
        return points_gained["x"] if over.any() else points_gained

    for _ in range(2):
        with pytest.raises(IndexError, match="only integers"):
            train.train(SETTINGS, tmp_path / "run", reward=mistaken)
    train.train(SETTINGS, tmp_path / "run", reward=lambda points_gained, *_: points_gained)


# Refusals


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--preset quik", "unknown preset 'quik'; did you mean quick? available: quick, small"),
        ("--game 2p-3t", "unknown game '2p-3t'; did you mean 2p-2t?"),
        ("--game 2p-2t --players 3", "the game 2p-2t has its own players and objectives"),
        ("--gamma 1.5", "gamma must be at most 1, not 1.5"),
        ("--widths 9 9 5000", "a width must be 1 to 4096, not 5000"),
        ("--opponents 2:greedi", "unknown agent 'greedi'; did you mean greedy"),
        ("--opponents", "opponents must name at least one bot"),
        ("--reward wins", "reward must be a sum of score, margin and win"),
        ("--learning-rate nan", "learning_rate must be a finite number of at least 0, not nan"),
        ("--evaluate-against greedy greedy", "evaluate_against must name each bot once"),
        ("--learning-rate 0", "learning_rate must be above 0"),
        ("--resume used --players 4", "--resume cannot be combined: a run keeps its settings"),
        ("--batch-size 2687", "batch_size must not leave a minibatch of a single decision"),
        ("--seed -1", "seed must be 0 to 4294967295, not -1"),
        ("--out used", "used has a run already: resume it with --resume used"),
        ("--resume nowhere", "no run in nowhere: it has no run.json"),
        ("--resume used", "used/run.json does not describe a training"),
    ],
)
def test_wrong_input_gets_one_line_and_leaves_nothing_behind(
    words: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("used").mkdir()
    Path("used/run.json").write_text("{}")
    assert mindup_cli.main(["train", *words.split()]) == 2
    error = capsys.readouterr().err
    assert said in error and error.startswith("mindup: ") and error.count("\n") == 1
    assert [path.name for path in tmp_path.rglob("*")] == ["used", "run.json"]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("gamma", "x", "gamma must be of type float, not 'x'"),
        ("opponents", 5, "opponents must be of type tuple[str, ...], not 5"),
        ("num_envs", 10**12, "num_envs must be 1 to 65536, not 1000000000000"),
    ],
)
def test_other_values_in_the_file_of_a_run_are_refused(
    name: str, value: Any, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = {"settings": {**asdict(SETTINGS), name: value}, "own": []}
    (tmp_path / "run.json").write_text(json.dumps(plain))
    assert mindup_cli.main(["train", "--resume", str(tmp_path)]) == 2
    found = f"mindup: {tmp_path}/run.json does not describe a training: {said}\n"
    assert capsys.readouterr().err == found


class TooFew(Small):
    def forward(self, *given: Tensor) -> tuple[Tensor, ...]:
        logits, values, turn = super().forward(*given)
        return logits[:, 1:], values, turn


@pytest.mark.usefixtures("_no_files")
def test_a_network_of_other_shapes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a network must return logits \(B, 10\), values \(B,\)"):
        train.train(SETTINGS, tmp_path / "run", policy=TooFew)


@pytest.mark.usefixtures("_no_files")
def test_a_training_that_diverges_keeps_its_last_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"the training diverged: .* use a lower learning rate"):
        train.train(replace(SETTINGS, learning_rate=1e30), tmp_path / "run")
    assert all(weight.isfinite().all() for weight in weights(tmp_path / "run").values())
