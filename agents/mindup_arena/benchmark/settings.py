"""What one run of the benchmark needs to know: the bot, the size, and the name to show."""

from collections.abc import Mapping
from typing import Any, Self

from mindup_agents.labels import label
from mindup_arena.benchmark.protocol import LATEST, PROTOCOLS, Protocol, spec_in_game
from mindup_env.agent import make_agent, numbered_spec
from mindup_env.settings.checks import shown
from mindup_env.settings.declaration import from_plain, option, settings, to_plain

LONGEST_NAME = 60
LONGEST_SPEC = 2000


@settings
class BenchmarkSettings:
    """The settings of a run of the benchmark.

    Args:
        bot: The spec of the bot, in which ``{players}`` and ``{objectives}`` stand for the numbers
            of the game. The name of a bot of the panel is that bot, with the panel's options.
        size: ``small`` or ``full``.
        name: The name to show; by default the short name of the bot.
        protocol: The name of the protocol.
    """

    bot: str
    size: str = option(
        "small for bots that take seconds for a decision", default="full", choices=("small", "full")
    )
    name: str = option("name to show (default: that of the bot)", default="", metavar="TEXT")
    protocol: str = LATEST

    def __post_init__(self) -> None:
        if self.protocol not in PROTOCOLS:
            known = ", ".join(PROTOCOLS)
            raise ValueError(f"protocol must be {known}, not {shown(self.protocol)}")
        check_text("bot", self.bot, LONGEST_SPEC)
        bot = numbered_spec(self.bot)
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
            spec = spec_in_game(self.bot, game)
            try:
                make_agent(spec, game.config)
            except Exception as error:
                raise ValueError(
                    f"bot {spec!r} cannot be made for {game.name}, and the benchmark has this "
                    f"game: {error}"
                ) from error

    def to_dict(self) -> dict[str, Any]:
        return to_plain(self)

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """Reads what ``to_dict`` returned."""
        return from_plain(cls, plain)


def check_text(what: str, text: str, longest: int) -> None:
    """Refuses what is no text for one line: it is shown on the terminal and in pages."""
    if not 0 < len(text) <= longest or not text.isprintable():
        raise ValueError(
            f"{what} must be a text of 1 to {longest} printable characters, not {shown(text)}"
        )
