"""The bot ``champion-2``: every sampled game is valued after each of its turns."""

from mindup_agents.lookahead import Champion
from mindup_env.config import GameConfig


class Champion2(Champion):
    """Plays the card that wins most often in sampled games, each valued after all of its turns."""

    package = __name__
    ends_early = False

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
