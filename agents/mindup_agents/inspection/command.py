"""Show what a policy file holds, what its policy prefers, and which features matter to it."""

import argparse
from pathlib import Path

from mindup_agents.features import feature_names
from mindup_agents.inspection.occlusion import Means, occlusions
from mindup_agents.inspection.positions import read_position, recorded_games, self_play_rows
from mindup_agents.inspection.report import file_text, occlusions_text, preferences_text
from mindup_agents.policy import Policy, PolicyAgent, load_policy
from mindup_agents.policy.own_code import OwnCode
from mindup_env import Game, GameConfig
from mindup_env.observation import observation_text
from mindup_env.settings.checks import check_int
from mindup_env.settings.plain_file import content_errors_name, read_json

_MOST_GAMES = 200


def configure(parser: argparse.ArgumentParser) -> None:
    show = parser.add_subparsers(required=True, metavar="COMMAND").add_parser(
        "show", help=__doc__.partition("\n")[0], description=__doc__.partition("\n")[0]
    )
    add = show.add_argument
    add("file", type=Path, help="the policy file")
    add(
        "--position",
        type=Path,
        metavar="RECORD",
        help="the record of a game, as JSON (default: the first turn of a deal)",
    )
    add(
        "--turn",
        type=int,
        help="turns of the record that are played before the position; 0 is the deal (default 0)",
    )
    add("--seat", type=int, default=0, help="the seat that chooses a card (default %(default)s)")
    for name, what in (("players", "number of players"), ("objectives", "objectives shown")):
        add(
            f"--{name}",
            type=int,
            metavar="N",
            help=f"{what} in the deal (default: the first number that the policy plays with)",
        )
    add(
        "--seed",
        type=int,
        default=0,
        help="random seed of the deal, of the games against itself, and of what features sample "
        "(default %(default)s)",
    )
    add(
        "--games",
        type=int,
        default=8,
        help="games against itself, in whose positions features are averaged (default %(default)s)",
    )
    add("--top", type=int, default=20, help="features to show (default %(default)s)")
    add("--features", default="", help="the module:Class of a policy's own features")
    add("--network", default="", help="the module:Class of a policy's own network")
    show.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    policy = load_policy(arguments.file)
    check_int("--seed", arguments.seed, 0, 2**64 - 1)
    check_int("--games", arguments.games, 1, _MOST_GAMES)
    check_int("--top", arguments.top, 1)
    games = _games(arguments, policy)
    config, own_code = games[0].config, OwnCode(arguments.features, arguments.network)
    check_int("--seat", arguments.seat, 0, config.num_players - 1)
    agent = PolicyAgent.of(policy, config, temperature=1, own_code=own_code)
    evaluator = agent.evaluator
    print(file_text(arguments.file, policy), flush=True)
    observation = read_position(evaluator, games, arguments.seat, arguments.seed)
    print("", observation_text(observation, config), sep="\n")
    print("", preferences_text(evaluator, config), sep="\n", flush=True)
    here = evaluator.rows.copy()
    rows = self_play_rows(agent, config, arguments.games, arguments.seed)
    means = Means.of(rows, evaluator.encoder.shape)
    print(
        "",
        occlusions_text(
            list(occlusions(evaluator, here, means)),
            list(occlusions(evaluator, rows, means)),
            feature_names(evaluator.encoder),
            arguments.top,
        ),
        sep="\n",
    )
    return 0


def _games(arguments: argparse.Namespace, policy: Policy) -> list[Game]:
    """The game before each turn, up to the position."""
    if arguments.position is None:
        if arguments.turn is not None:
            raise ValueError("--turn can only be combined with --position: add --position RECORD")
        return [Game(_config(arguments, policy), arguments.seed)]
    for name in ("players", "objectives"):
        if getattr(arguments, name) is not None:
            raise ValueError(f"--{name} cannot be combined with --position: the record has them")
    record = read_json(arguments.position)
    with content_errors_name(arguments.position):
        games = recorded_games(record, 0 if arguments.turn is None else arguments.turn)
        policy.description.check_plays(games[0].config)
    return games


def _config(arguments: argparse.Namespace, policy: Policy) -> GameConfig:
    """The first game of the policy with the numbers that the command line gives."""
    configs = policy.description.configs
    for name in ("players", "objectives"):
        wanted, field = getattr(arguments, name), f"num_{name}"
        numbers = sorted({getattr(config, field) for config in configs})
        if wanted is not None and wanted not in numbers:
            accepted = " or ".join(map(str, numbers))
            raise ValueError(f"--{name} must be {accepted} for this policy, not {wanted}")
        configs = tuple(each for each in configs if wanted in (None, getattr(each, field)))
    return configs[0]
