"""The bot ``champion-2``: every sampled game is valued after each of its turns."""

from mindup_agents.heuristics.workspace import Float64Array
from mindup_agents.lookahead import Champion
from mindup_agents.lookahead.bot import Schedule
from mindup_env.config import GameConfig


def stages(worlds: int) -> list[int]:
    return [end for end in (worlds // 4, worlds // 2, worlds) if end > 0]


def ranked(values: Float64Array, worlds: int) -> list[int]:  # noqa: ARG001  # at any stage
    """The better half of the cards, two at least."""
    means = (values.sum(axis=0) / len(values)).tolist()
    kept = max(2, (len(means) + 1) // 2)
    return sorted(range(len(means)), key=means.__getitem__)[-kept:]


class Champion2(Champion):
    """Plays the card that wins most often in sampled games, each valued after all of its turns."""

    package = __name__
    schedule = Schedule(ends_early=False, stages=stages, ranked=ranked)

    def __init__(
        self,
        config: GameConfig,
        *,
        worlds: int = 88,
        decay: float = 0.85,
        models: str = "",
        time_limit: float = 0.0,
        networks: str = "",
    ) -> None:
        super().__init__(
            config,
            worlds=worlds,
            decay=decay,
            models=models,
            time_limit=time_limit,
            networks=networks,
        )
