"""What the benchmark plays: the games, the rivals, how many deals; and what a run chooses.

Results of different bots are compared, so all of them have the same games, deals and rivals.
"""

from typing import NamedTuple

from mindup_agents.labels import label
from mindup_arena.settings import ArenaSettings
from mindup_env import GameConfig
from mindup_env.agent import full_spec, make_agent
from mindup_env.settings.checks import shown
from mindup_env.settings.declaration import option, settings

NAME = "mindup-bench"


class BenchmarkGame(NamedTuple):
    """One of the games, with the random seeds of its deals and of the bots' bits."""

    players: int
    objectives: int
    seed: int
    agent_seed: int

    @property
    def name(self) -> str:
        return f"{self.players} players, {self.objectives} objectives"

    @property
    def config(self) -> GameConfig:
        return GameConfig(self.players, self.objectives)

    def spec_of(self, bot: str) -> str:
        """The spec of a bot in this game, whose numbers replace ``{players}`` and ``{objectives}``.

        So a bot can be several policies, one for each number of players.
        """
        spec = bot.replace("{players}", str(self.players))
        return spec.replace("{objectives}", str(self.objectives))


class BenchmarkSize(NamedTuple):
    """How much is played."""

    deals: int  # of each match
    chunk_deals: int  # small enough that chunks spread over workers


GAMES = (
    BenchmarkGame(3, 0, seed=565580947, agent_seed=4036872376),
    BenchmarkGame(3, 3, seed=2084862697, agent_seed=2497264391),
    BenchmarkGame(4, 0, seed=3571775562, agent_seed=812118700),
    BenchmarkGame(4, 3, seed=3199098396, agent_seed=174173967),
    BenchmarkGame(5, 0, seed=2596990621, agent_seed=3582249196),
    BenchmarkGame(5, 3, seed=290715134, agent_seed=1717670440),
    BenchmarkGame(6, 0, seed=3036663269, agent_seed=2047418665),
    BenchmarkGame(6, 3, seed=2280521001, agent_seed=851796997),
)
_BOTS = "random", "greedy", "planner", "predictor", "search", "champion"
PANEL = {
    **dict(zip(_BOTS, _BOTS, strict=True)),
    # Each copy draws one of the bots for each game: a bot that only exploits copies of one rival
    # cannot know whom it meets.
    "mixed": f"mixture:{'+'.join(_BOTS)}",
}
"""The specs of the rivals by name."""
SIZES = {  # small is for bots that take seconds for a decision
    "small": BenchmarkSize(deals=2, chunk_deals=2),
    "full": BenchmarkSize(deals=40, chunk_deals=8),
}

LONGEST_NAME = 60
LONGEST_SPEC = 2000


@settings
class BenchmarkSettings:
    """The settings of a run of the benchmark."""

    bot: str
    size: str = option(
        "small for bots that take seconds for a decision", default="full", choices=("small", "full")
    )
    name: str = option("name to show (default: that of the bot)", default="", metavar="TEXT")
    players: int | None = option(
        "play only the games with this number of players, for a bot that plays no other: its score "
        "is compared only with scores of the same games (default: all games)",
        default=None,
        low=min(game.players for game in GAMES),
        high=max(game.players for game in GAMES),
    )

    def __post_init__(self) -> None:
        check_text("bot", self.bot, LONGEST_SPEC)
        object.__setattr__(self, "bot", full_spec(self.bot))
        if self.name == "":
            object.__setattr__(self, "name", self.in_panel or label(self.bot)[:LONGEST_NAME])
        check_text("name", self.name, LONGEST_NAME)

    @property
    def games(self) -> tuple[BenchmarkGame, ...]:
        """The games that are played."""
        return tuple(game for game in GAMES if self.players in (None, game.players))

    @property
    def deals(self) -> int:
        """Of each match."""
        return SIZES[self.size].deals

    @property
    def in_panel(self) -> str | None:
        """The name that the bot has in the panel; None if it is not there."""
        return next((name for name, spec in PANEL.items() if full_spec(spec) == self.bot), None)

    @property
    def rivals(self) -> dict[str, str]:
        """The specs of the rivals by name.

        A bot does not play against copies of itself: over all rotations it wins its equal share.
        """
        return {name: spec for name, spec in PANEL.items() if name != self.in_panel}

    @property
    def num_games(self) -> int:
        """How many games the bot plays."""
        return sum(game.players for game in self.games) * len(self.rivals) * self.deals

    def arena_settings(self, game: BenchmarkGame) -> ArenaSettings:
        """The arena of a game: one of the bot against copies of each rival, in all rotations."""
        return ArenaSettings(
            (game.spec_of(self.bot), *self.rivals.values()),
            game.config,
            deals=self.deals,
            seed=game.seed,
            agent_seed=game.agent_seed,
            one_vs_field=True,
            chunk_deals=SIZES[self.size].chunk_deals,
        )

    def check_bot(self) -> None:
        """Makes the bot for every game, to refuse early what cannot play them all."""
        for game in self.games:
            spec = game.spec_of(self.bot)
            try:
                make_agent(spec, game.config)
            except Exception as error:
                raise ValueError(
                    f"bot {spec!r} cannot be made for {game.name}, a game of the benchmark "
                    f"(--players plays only some of them): {error}"
                ) from error


def check_text(what: str, text: str, longest: int) -> None:
    """Refuses what is no text for one line: it is shown on the terminal and in pages."""
    if not 0 < len(text) <= longest or not text.isprintable():
        raise ValueError(
            f"{what} must be a text of 1 to {longest} printable characters, not {shown(text)}"
        )
