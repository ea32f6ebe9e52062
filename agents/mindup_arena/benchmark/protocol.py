"""Protocols, which never change: the games, the rivals, how many deals; and what a run chooses.

Results of the same protocol are compared for years, so all that they depend on is written out here,
also the options of bots whose defaults may change. A better protocol gets another name.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from mindup_agents.labels import label
from mindup_arena.settings import ArenaSettings
from mindup_env import GameConfig
from mindup_env.agent import full_spec, make_agent
from mindup_env.settings.checks import shown
from mindup_env.settings.declaration import option, settings


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


@dataclass(frozen=True)
class Protocol:
    """A benchmark. Results name it, and those of two sizes are not compared."""

    name: str
    games: tuple[BenchmarkGame, ...]
    panel: Mapping[str, str]  # the specs of the rivals by name, from the weakest to the strongest
    sizes: Mapping[str, BenchmarkSize]

    def panel_name(self, bot: str) -> str | None:
        """The name of a rival, or of its spec; None for another bot."""
        return next((name for name, spec in self.panel.items() if bot in (name, spec)), None)

    def rivals_of(self, bot: str) -> dict[str, str]:
        """The rivals of a bot.

        It does not play against copies of itself: over all rotations it wins its equal share.
        """
        own = self.panel_name(bot)
        return {name: spec for name, spec in self.panel.items() if name != own}

    def arena_settings(
        self, bot: str, game: BenchmarkGame, size: str, record: str | None = None
    ) -> ArenaSettings:
        """The arena of a game: one of the bot against copies of each rival, in all rotations."""
        return ArenaSettings(
            (game.spec_of(bot), *self.rivals_of(bot).values()),
            game.config,
            deals=self.sizes[size].deals,
            seed=game.seed,
            agent_seed=game.agent_seed,
            one_vs_field=True,
            record=record,
            chunk_deals=self.sizes[size].chunk_deals,
        )

    def count_games(self, bot: str, size: str) -> int:
        """How many games a bot plays."""
        seats = sum(game.players for game in self.games)
        return seats * len(self.rivals_of(bot)) * self.sizes[size].deals


_GAMES = (
    BenchmarkGame(3, 0, seed=565580947, agent_seed=4036872376),
    BenchmarkGame(3, 3, seed=2084862697, agent_seed=2497264391),
    BenchmarkGame(4, 0, seed=3571775562, agent_seed=812118700),
    BenchmarkGame(4, 3, seed=3199098396, agent_seed=174173967),
    BenchmarkGame(5, 0, seed=2596990621, agent_seed=3582249196),
    BenchmarkGame(5, 3, seed=290715134, agent_seed=1717670440),
    BenchmarkGame(6, 0, seed=3036663269, agent_seed=2047418665),
    BenchmarkGame(6, 3, seed=2280521001, agent_seed=851796997),
)
_SCRIPTED = {
    "random": "random",
    "greedy": "greedy",
    "planner": "planner",
    "predictor": "predictor",
}
_STRONG = {
    "search": (
        "search:simulations=96,horizon=round,models=random+greedy+planner,slip=0.05,"
        "simultaneous=false,time_limit=0.0"
    ),
    "champion-1": "champion-1:temperature=0.0",
    "champion-2": "champion-2:worlds=88,decay=0.85,time_limit=0.0",
}
_ADDED = {
    # It has met no scripted bot, and knows nothing of their values.
    "self-play-1": "self-play-1:temperature=0.0",
    # Each copy draws one of the fast bots for each game: a bot that only exploits copies of one
    # rival cannot know whom it meets.
    "mixed": (
        "mixture:random+greedy+planner+predictor+champion-1:temperature=0.0"
        "+self-play-1:temperature=0.0"
    ),
}
_SIZES = {  # small is for bots that take seconds for a decision
    "small": BenchmarkSize(deals=2, chunk_deals=2),
    "full": BenchmarkSize(deals=40, chunk_deals=8),
}

DEFAULT = "mindup-bench-2"
"""The protocol of a run that names none."""
_WHOLE = (
    Protocol("mindup-bench-1", _GAMES, {**_SCRIPTED, **_STRONG}, _SIZES),
    # A result of this one contains that of the first, with the same games against the same rivals.
    Protocol("mindup-bench-2", _GAMES, {**_SCRIPTED, **_ADDED, **_STRONG}, _SIZES),
)


def _with_parts(whole: Protocol) -> Iterator[Protocol]:
    """A protocol, and its part with each number of players.

    A part is a protocol of its own, so that no score of it is compared with one of all games.
    """
    yield whole
    for players in sorted({game.players for game in whole.games}):
        games = tuple(game for game in whole.games if game.players == players)
        yield replace(whole, name=f"{whole.name}/{players}-players", games=games)


PROTOCOLS = {each.name: each for whole in _WHOLE for each in _with_parts(whole)}
"""All protocols by name."""

LONGEST_NAME = 60
LONGEST_SPEC = 2000


@settings
class BenchmarkSettings:
    """The settings of a run of the benchmark."""

    bot: str  # the name of a bot of the panel is that bot, with the panel's options
    size: str = option(
        "small for bots that take seconds for a decision", default="full", choices=("small", "full")
    )
    name: str = option("name to show (default: that of the bot)", default="", metavar="TEXT")
    protocol: str = option(
        f"what is played; {DEFAULT}/4-players is the part with four players alone, for a bot that "
        "plays no other: its score is compared with those of this part only",
        default=DEFAULT,
        choices=tuple(PROTOCOLS),
        metavar="NAME",
    )

    def __post_init__(self) -> None:
        check_text("bot", self.bot, LONGEST_SPEC)
        bot = full_spec(self.bot)
        in_panel = self.rules.panel_name(bot)
        object.__setattr__(self, "bot", self.rules.panel.get(in_panel or "", bot))
        if self.name == "":
            object.__setattr__(self, "name", in_panel or label(bot)[:LONGEST_NAME])
        check_text("name", self.name, LONGEST_NAME)

    @property
    def rules(self) -> Protocol:
        """The games, the panel and the sizes."""
        return PROTOCOLS[self.protocol]

    def check_bot(self) -> None:
        """Makes the bot for every game, to refuse early what cannot play them all."""
        for game in self.rules.games:
            spec = game.spec_of(self.bot)
            try:
                make_agent(spec, game.config)
            except Exception as error:
                raise ValueError(
                    f"bot {spec!r} cannot be made for {game.name}, a game of the benchmark "
                    f"(a part such as {DEFAULT}/4-players has fewer): {error}"
                ) from error


def check_text(what: str, text: str, longest: int) -> None:
    """Refuses what is no text for one line: it is shown on the terminal and in pages."""
    if not 0 < len(text) <= longest or not text.isprintable():
        raise ValueError(
            f"{what} must be a text of 1 to {longest} printable characters, not {shown(text)}"
        )
