"""Exact exploitability in small games over training, and win shares, for docs/exact.md."""

from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any

from mindup_agents.policy import PolicyAgent
from mindup_env.open_spiel.exact import ExactGame, Strategy
from mindup_env.variants import VARIANTS
from mindup_training.settings.presets import read_settings
from tools.why.learners import RUNS, trained
from tools.why.study import Entries

BOTS = ["random", "lowest", "highest", "greedy", "planner", "predictor", "search"]
SAMPLES = {"search": 4}
"""With how many random bits the strategy of a bot that samples is estimated."""
AGAINST = "random", "greedy"
_SMALL: dict[str, Any] = {"learner": "ppo", "num_envs": 128, "batch_size": 512}
TRAINED: dict[str, dict[str, Any]] = {
    "PPO": _SMALL,
    "MMD": {**_SMALL, "kl_coef": 0.5, "ent_coef": 0.05, "epochs": 4, "clip_range": 10.0},
    "MAPPO": {**_SMALL, "critic": "state"},
    "NFSP": {**_SMALL, "learner": "nfsp"},
    "DQN": {**_SMALL, "learner": "dqn"},
    "bidding-1": {
        **_SMALL,
        "network": "bidding-1",
        "features": "raw-1",
        "learning_rate": 4e-3,
        "gae_lambda": 0.6,
    },
}
"""The settings of self-play that differ from the defaults of the learner."""
PLAYERS = [*BOTS, "CFR+", *TRAINED]
ITERATIONS = [2**power for power in range(7)]
ROLLOUTS = 256
"""Of each training."""
Strategies = Iterator[tuple[dict[str, int], Strategy]]
"""What was learned from until then, in the words of the report, and the strategy."""


def entries() -> Entries:
    """The size of each game, and every player in it."""
    found: dict[str, Any] = {}
    for name in VARIANTS:
        found[f"{name}, size"] = partial(size, name)
        for player in PLAYERS:
            found[f"{name}, {player}"] = partial(measured, name, player)
    return found


@lru_cache(maxsize=1)
def exact_game(name: str) -> ExactGame:
    return ExactGame(VARIANTS[name])


def size(name: str) -> dict[str, Any]:
    game = exact_game(name)
    return {
        "deals": game.num_deals,
        "information_states": sum(len(turn.seats) for turn in game.turns),
        "ends": len(game.returns),
    }


def measured(name: str, player: str) -> dict[str, Any]:
    """A player of a game, at all points of its training."""
    game = exact_game(name)
    opponents = {bot: game.strategy(bot) for bot in AGAINST}
    points = [
        {
            **after,
            "exploitability": game.exploitability(strategy),
            "win_share": {bot: game.win_share(strategy, opponents[bot]) for bot in AGAINST},
        }
        for after, strategy in strategies(game, name, player)
    ]
    return {"points": points}


def strategies(game: ExactGame, name: str, player: str) -> Strategies:
    """The strategies of a player over its training; a bot has one."""
    if player in BOTS:
        yield {}, game.strategy(player, samples=SAMPLES.get(player, 1))
    elif player == "CFR+":
        for iteration, strategy in zip(range(1, ITERATIONS[-1] + 1), game.solve(), strict=False):
            if iteration in ITERATIONS:
                yield {"iterations": iteration}, strategy
    else:
        yield from learned(game, name, player)


def learned(game: ExactGame, name: str, player: str) -> Strategies:
    """The policies that a learner keeps at about twice the decisions each."""
    own = TRAINED[player]
    shared = {"game": name, "reward": "win", "evaluations": 64, "evaluation_deals": 1}
    settings: Any = read_settings({"learner": own["learner"]}).changed({**shared, **own})
    settings = settings.changed({"timesteps": ROLLOUTS * settings.rollout_size})
    for decisions, path in trained(settings, RUNS / "exact" / name / player).items():
        policy = PolicyAgent(game.config, str(path), temperature=1.0)
        yield {"decisions": decisions}, game.strategy(policy)
