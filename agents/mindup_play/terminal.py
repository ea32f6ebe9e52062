"""A person's game at the terminal."""

from collections.abc import Callable
from concurrent.futures import Future

import numpy as np

from mindup_agents.human import at_the_terminal
from mindup_play.bots import BotChoice, BotError
from mindup_play.game_log import describe_plays
from mindup_play.session import Session


def play_at_the_terminal(session: Session, save: Callable[[], None]) -> None:
    """Asks for cards until the game is over; calls ``save`` after every turn."""
    settings = session.settings
    person = at_the_terminal(settings.config)
    players = _player_names(session)
    for player, name in zip(players, settings.names, strict=True):
        print(f"{player}: {name}")
    while not session.game.over:
        _print_hint(settings.hints, session.hint())
        episode_start, random_bits = np.array([session.turns_played == 0]), np.zeros(1, np.uint64)
        before = session.game
        session.play(int(person.act(*session.seen, episode_start, random_bits)[0]) + 1)
        save()
        print(f"\n{describe_plays(before, session.game, players)}")
    print(f"\n{session.game}\n\nTo play the same deal again: {settings.command} --terminal")


def _player_names(session: Session) -> list[str]:
    """The players by their seats, with the names that the person's table gives them."""
    players, seat = session.settings.players, session.settings.seat
    after = [(player - seat) % players for player in range(players)]
    return [f"player {player} (you{f'+{n}' if n else ''})" for player, n in enumerate(after)]


def _print_hint(bot: str | None, pending: "Future[BotChoice] | None") -> None:
    if pending is None:
        return
    try:
        choice = pending.result()
    except BotError as error:
        print(f"\nno hint: {error}")
        return
    print(f"\n{bot} would play {choice.card}")
    if choice.evaluation is not None:
        values = choice.evaluation.values.items()
        print(f"{choice.evaluation.unit}: {', '.join(f'{c} {v:.2f}' for c, v in values)}")
