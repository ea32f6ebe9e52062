"""A game at the terminal: the person is asked as the bot ``human`` asks."""

from collections.abc import Callable
from concurrent.futures import Future

import numpy as np

from mindup_agents.human import at_the_terminal
from mindup_play.bots import BotError, Choice
from mindup_play.game_log import tell_plays
from mindup_play.session import Session


def play_at_the_terminal(session: Session, keep: Callable[[], None]) -> None:
    """Asks for cards until the game is over; ``keep`` is called after every turn."""
    settings = session.settings
    person = at_the_terminal(settings.config)
    seats = _seats(session)
    for seat, name in zip(seats, settings.names, strict=True):
        print(f"{seat}: {name}")
    while not session.game.over:
        _print_hint(settings.hints, session.hint())
        episode_start, random_bits = np.array([session.clock == 0]), np.zeros(1, np.uint64)
        before = session.game
        session.play(int(person.act(*session.seen, episode_start, random_bits)[0]) + 1)
        keep()
        print(f"\n{tell_plays(before, session.game, seats)}")
    print(f"\n{session.game}\n\nThe same deal again: {settings.command} --terminal")


def _seats(session: Session) -> list[str]:
    """The players by their numbers, and as the table that the person sees names them."""
    players, seat = session.settings.players, session.settings.seat
    after = [(player - seat) % players for player in range(players)]
    return [f"player {player} (you{f'+{n}' if n else ''})" for player, n in enumerate(after)]


def _print_hint(bot: str | None, coming: "Future[Choice] | None") -> None:
    if coming is None:
        return
    try:
        choice = coming.result()
    except BotError as error:
        print(f"\nno hint: {error}")
        return
    print(f"\n{bot} would play {choice.card}")
    if choice.evaluation is not None:
        values = choice.evaluation.values.items()
        print(f"{choice.evaluation.unit}: {', '.join(f'{c} {v:.2f}' for c, v in values)}")
