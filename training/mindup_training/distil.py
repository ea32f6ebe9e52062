"""Teach a policy what search knows of its cards, without search.

Example: mindup train distil --players 4 --workers 2

Search plays at tables of other bots, and its values of all cards of its hands are kept (``games``):
they tell far more than the results of games. A network is fitted to them: the better a card, the
more often it is to play it (``policy.onnx``). Games that are there are kept, so it can be continued
anywhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import starmap
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import torch
import tyro
from torch import Tensor
from torch.nn.functional import cross_entropy, mse_loss
from tqdm import tqdm

from mindup_agents.policy import POLICY_FILE
from mindup_agents.search import Search
from mindup_arena.workers import parallel_map
from mindup_env.checks import check_int
from mindup_env.config import MAX_PLAYERS, GameConfig
from mindup_env.files import atomic_write
from mindup_training.any_network import empty_state
from mindup_training.fitting import fit_in_passes
from mindup_training.games import TrainingGames
from mindup_training.network import BiddingNetwork
from mindup_training.policy_file import save_policy
from mindup_training.run import RunOptions, has_run, open_run, read_options, resumable
from mindup_training.torch_setup import prepare_torch

OPPONENTS = "random", "greedy", "2:planner", "2:predictor", "self-play"
"""The bots at the other seats, with weights."""
GAMES_PER_FILE = 32
PLAYED_TEMPERATURE = 0.015
"""Of values: search plays cards that are worth as much less e times less often, so that the games
are not all alike."""
RANDOM_CARDS = 0.05  # of search: a policy makes mistakes too
TEMPERATURE = 0.03
"""The same of the cards that the network is to play: it learns too how much worse a card is."""
GAMES_PER_BATCH = 24
LEARNING_RATE = 2e-3
VALUE_COEF = 0.5
AUX_COEF = 0.5  # of the loss of the predicted cards
MAX_GRAD_NORM = 1.0


@dataclass
class DistilSettings:
    """The settings of the recipe."""

    num_players: Annotated[int, tyro.conf.arg(name="players")] = 4  # number of players
    decisions: int = 400_000  # decisions of search, about
    worlds: int = 64  # sampled games of search for a decision
    epochs: int = 3  # passes of the fit over the decisions
    seed: int = 0  # random seed

    def check(self) -> None:
        check_int("num_players", self.num_players, 3, MAX_PLAYERS)
        check_int("seed", self.seed, 0, 2**32 - 1)
        for name in ("decisions", "worlds", "epochs"):
            check_int(name, getattr(self, name), 1)

    def config(self) -> GameConfig:
        return GameConfig(self.num_players)


@dataclass
class Options(RunOptions):
    """The options of the command."""

    settings: tyro.conf.OmitArgPrefixes[DistilSettings]
    workers: int = 1  # processes that play


class Decisions(NamedTuple):
    """The decisions of search in N games of T turns."""

    observations: Tensor  # (T, N, D) int8
    masks: Tensor  # (T, N, C) int8
    values: Tensor  # (T, N, C) of the cards of the hand; of others -inf
    played: Tensor  # (T, N, P - 1) the cards that the opponents then played


def main(words: Sequence[str]) -> int:
    """Runs ``mindup train distil``."""
    about = "Teach a policy what search knows of its cards, without search."
    defaults = Options(DistilSettings())
    given = read_options(words, "mindup train distil", about, defaults, "--workers")
    check_int("workers", given.workers, 1)
    settings = given.settings
    folder = given.folder(f"distil-{settings.num_players}p-seed{settings.seed}")
    with resumable("mindup train distil", folder):
        distil(settings, folder, workers=given.workers)
    print(f"policy: {folder / POLICY_FILE}")
    return 0


def distil(settings: DistilSettings, folder: Path, *, workers: int = 1) -> None:
    """Makes the policy of a run that has learned from search.

    The same settings give the same policy with any number of workers, also if the recipe is
    continued.
    """
    settings.check()
    open_run(folder, settings, resume=has_run(folder))
    prepare_torch(1)
    decisions = load(play(settings, folder / "games", workers))
    print(f"{folder / POLICY_FILE}: a fit", flush=True)
    network = fit(settings, decisions)
    save_policy(network, settings.config(), folder / POLICY_FILE, half_precision=True)


def play(settings: DistilSettings, folder: Path, workers: int) -> list[Path]:
    """Plays the games whose files are missing; returns all files."""
    folder.mkdir(exist_ok=True)
    of_file = GAMES_PER_FILE * settings.config().num_turns
    files = [folder / f"{number:05d}.npz" for number in range(-(-settings.decisions // of_file))]
    missing = [(settings, file, number) for number, file in enumerate(files) if not file.exists()]
    print(f"{folder}: games of search against {' '.join(OPPONENTS)}", flush=True)
    play_all = starmap if workers == 1 else partial(parallel_map, workers=workers)
    # None shows the bar on a terminal only.
    for _ in tqdm(play_all(play_file, missing), desc="files", total=len(missing), disable=None):
        pass
    return files


def play_file(settings: DistilSettings, file: Path, number: int) -> None:
    """Plays the games of a file: they depend on the settings and its number alone."""
    config = settings.config()
    rng = np.random.default_rng((settings.seed, number))
    games = TrainingGames(config, GAMES_PER_FILE, OPPONENTS, "win", int(rng.integers(2**63)))
    search = Search(config, worlds=settings.worlds)
    turns = []
    seen: Any = games.reset()
    for turn in range(config.num_turns):
        mask = games.action_masks().astype(np.int8)
        bits = rng.integers(2**64, size=len(mask), dtype=np.uint64)
        search.act(seen["observation"], mask, np.full(len(mask), turn == 0), bits)
        values = np.where(mask, search.evaluate_cards()[1], -np.inf)
        # With Gumbel noise the highest sum is a draw from the softmax.
        wanted = values / PLAYED_TEMPERATURE + rng.gumbel(size=values.shape)
        is_random = rng.random((len(mask), 1)) < RANDOM_CARDS
        wanted = np.where(is_random, rng.random(mask.shape) * mask, wanted)
        after = games.step(wanted.argmax(axis=1))[0]  # fills in what was played
        turns.append((seen["observation"], mask, values.astype(np.float32), seen["played"]))
        seen = after
    arrays = zip(Decisions._fields, map(np.stack, zip(*turns, strict=True)), strict=True)
    with atomic_write(file) as to:
        np.savez_compressed(to, allow_pickle=False, **dict(arrays))


def load(files: Sequence[Path]) -> Decisions:
    """The decisions of all files."""
    parts = []
    for path in files:
        with np.load(path, allow_pickle=False) as file:
            parts.append([torch.from_numpy(file[name]) for name in Decisions._fields])
    return Decisions(*(torch.cat(arrays, 1) for arrays in zip(*parts, strict=True)))


def fit(settings: DistilSettings, decisions: Decisions) -> BiddingNetwork:
    """A network fitted to what search makes of its cards; the same arguments give the same."""
    torch.manual_seed(settings.seed)  # for the first weights
    network = BiddingNetwork(settings.config())
    means = fit_in_passes(
        network,
        lambda batch: loss(network, Decisions(*(each[:, batch] for each in decisions))),
        torch.arange(decisions.masks.shape[1]),
        epochs=settings.epochs,
        batch_size=GAMES_PER_BATCH,
        learning_rate=LEARNING_RATE,
        seed=settings.seed,
        max_grad_norm=MAX_GRAD_NORM,
    )
    for number, mean in enumerate(means, 1):
        print(f"  pass {number}: loss {mean:.4f}", flush=True)
    return network


def loss(network: BiddingNetwork, games: Decisions) -> Tensor:
    """Of a network whose state follows the turns of whole games."""
    states = []
    state = empty_state(network, games.masks.shape[1])
    with torch.no_grad():
        for observation, mask in zip(games.observations, games.masks, strict=True):
            states.append(state)
            _, _, *state = network(observation, mask, *state)
    before = [torch.cat(each) for each in zip(*states, strict=True)]
    observations, masks, values, played = (each.flatten(0, 1) for each in games)
    logits, expected, models, predicted = network(observations, masks, *before)
    policy_loss = cross_entropy(logits, (values / TEMPERATURE).softmax(1))
    value_loss = mse_loss(expected, values.amax(1) - 1 / network.config.num_players)
    cards_loss = network.auxiliary_loss(models, predicted, played)
    return policy_loss + VALUE_COEF * value_loss + AUX_COEF * cards_loss
