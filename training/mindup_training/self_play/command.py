"""The training of a learner by self-play, and its command line."""

import argparse
import sys
import time
from pathlib import Path

from mindup_agents.policy import Policy, PolicyAgent, save_policy
from mindup_arena.estimate import Estimate
from mindup_arena.match import win_share_against
from mindup_env import GameConfig, make_agent
from mindup_env.cli import advising, exit_status
from mindup_env.runs.folder_lock import lock_folder
from mindup_env.settings.options import add_options, given_options
from mindup_training.plain_data import replace_fields
from mindup_training.run_folder import RunPaths
from mindup_training.self_play.config import SelfPlayConfig
from mindup_training.self_play.learner import SelfPlayLearner
from mindup_training.train.curve import plot_learning_curve
from mindup_training.train.evaluation import EVALUATION_SEED
from mindup_training.train.learner import limit_threads
from mindup_training.train.metrics import Metrics
from mindup_training.train.progress import duration


def run_command(
    make: type[SelfPlayLearner], settings: type[SelfPlayConfig], words: list[str] | None
) -> None:
    """``python -m NAME``: trains with the options of ``settings`` in ``words``."""
    label = make.name.rpartition(".")[2]
    parser = argparse.ArgumentParser(
        prog=f"python -m {make.name}",
        description=f"Train a policy by self-play with {make.__name__}.",
    )
    parser.add_argument("--players", type=int, default=4, help="number of players (default 4)")
    parser.add_argument(
        "--objectives", type=int, default=0, help="number of objectives shown (default 0)"
    )
    add_options(parser, settings)
    parser.add_argument(
        "--out", type=Path, help=f"folder of the run (default runs/{label}-PLAYERSp-seedSEED)"
    )
    arguments = parser.parse_args(words)

    def run() -> int:
        game = GameConfig(arguments.players, arguments.objectives)
        given = given_options(arguments, settings)
        config = replace_fields(make.__name__, settings(game=game), given)
        make_agent(config.opponent, game)
        out = arguments.out or Path(f"runs/{label}-{game.num_players}p-seed{config.seed}")
        paths = RunPaths(out)
        with advising(lambda: "this run cannot be resumed: start it again with another --out"):
            train(make, config, paths)
        print(f"policy: {paths.policy}, to be played as the bot policy:{paths.policy}")
        return 0

    if status := exit_status(run):
        sys.exit(status)


def evaluate(policy: Policy, config: SelfPlayConfig) -> Estimate:
    """The win share of the policy's most likely cards against copies of the opponent."""
    agent = PolicyAgent.of(policy, config.game, num_threads=config.threads)
    return win_share_against(
        agent, config.opponent, config.game, config.evaluation_deals, EVALUATION_SEED
    )


def train(make: type[SelfPlayLearner], config: SelfPlayConfig, paths: RunPaths) -> None:
    """Trains to the end; saves and evaluates the policy at the start and at even intervals."""
    paths.check_unused()
    limit_threads(config.threads)
    learner = make(config)
    with lock_folder(paths.path):
        paths.check_unused()
        start, progress, evaluations = time.monotonic(), 0.0, 0
        metrics = Metrics(paths)
        while True:
            if progress * config.evaluations >= evaluations:
                evaluations = int(progress * config.evaluations) + 1
                policy = learner.policy()
                save_policy(policy, paths.policy)
                share = evaluate(policy, config)
                metrics.add_evaluation(learner.timesteps, {config.opponent: share})
                left = time_left(config, progress, time.monotonic() - start)
                print(
                    f"{learner.timesteps:>11,} decisions, win share against {config.opponent} "
                    f"{share.value:.3f} ({share.low:.3f} to {share.high:.3f}); {left}",
                    flush=True,
                )
            if progress >= 1:
                break
            figures = learner.learn(1 - progress)
            metrics.add_rollout(learner.timesteps, figures)
            if config.timesteps is None:
                progress = (time.monotonic() - start) / (60 * config.minutes)
            else:
                progress = learner.timesteps / config.timesteps
        plot_learning_curve(paths, config.game.num_players)


def time_left(config: SelfPlayConfig, progress: float, seconds: float) -> str:
    if config.timesteps is None:
        return f"{duration(max(0.0, 60 * config.minutes - seconds))} left"
    if progress == 0:
        return "time left not known yet"
    return f"{duration(seconds * max(0.0, 1 / progress - 1))} left"
