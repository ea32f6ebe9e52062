"""A person's game at the terminal."""

import sys
from collections.abc import Callable, Sequence

from rich.console import Console

from mindup_env import OFFICIAL_DECK
from mindup_play.bots import BotChoice, BotError
from mindup_play.languages import Texts
from mindup_play.session import Session
from mindup_play.terminal.lines import Lines, Signs, TerminalView
from mindup_play.terminal.screens import end_screen, help_screen, round_screen, table_screen

_KEYS = "abcdefghi"
"""Of the cards of a hand: no other answer, and no digit, so that numbers are cards."""


class TerminalGame:
    """Asks for cards until the game is over, or the person quits.

    ``show_hints`` is whether hints are shown from the start; the person can switch them.
    """

    def __init__(
        self, session: Session, save: Callable[[], None], language: str, *, show_hints: bool
    ) -> None:
        self._session, self._save, self._texts = session, save, Texts(language)
        self._show_hints = show_hints
        self._console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
        settings = session.settings
        names = list(settings.names)
        names[settings.seat] = self._texts.get("table.you")
        signs = Signs.for_encoding(self._console.encoding)
        self._view = TerminalView(self._texts, signs, OFFICIAL_DECK, names, settings.seat)

    def play(self) -> None:
        """Calls ``save`` after every turn."""
        while not self._session.game.over:
            card = self._choose_card()
            if card is None:
                return
            self._play_turn(card)
        self._show(end_screen(self._session.table_state(), self._view))
        if command := self._session.settings.command:
            again = self._texts.get("terminal.again")
            self._console.print(f"\n{again}\n{command} --terminal")

    def _play_turn(self, card: int) -> None:
        try:
            with self._console.status(self._texts.get("play.others_choosing")):
                self._session.play(card)
        except BotError as error:  # the bot tries again after another answer
            self._console.print(f"{self._texts.get(error.key, **error.values)}\n{error}")
            return
        self._save()
        table = self._session.table_state()
        if table["last_turn"]["last_cards"] is not None:
            self._show_and_wait(round_screen(table, self._view))

    # Questions

    def _choose_card(self) -> int | None:
        """A card of the hand; None to quit."""
        cards = self._keys()
        answers = {**cards, **{str(card): card for card in cards.values()}}
        has_hints = self._session.settings.hints is not None
        key = "terminal.question_hints" if has_hints else "terminal.question"
        question = self._texts.get(key, keys="".join(cards))
        self._show_table(cards)
        while True:
            answer = self._ask(question)
            if answer in answers:
                return answers[answer]
            if answer == "?":
                self._show_and_wait(help_screen(self._view))
                self._show_table(cards)
            elif answer == "!" and has_hints:
                self._show_hints = not self._show_hints
                self._show_table(cards)
            elif answer == "q":
                if self._wants_to_quit():
                    return None
            else:
                self._console.print(self._texts.get("terminal.no_card", answer=answer))

    def _wants_to_quit(self) -> bool:
        played = self._session.turns_played > 0
        key = "terminal.quit" if played else "terminal.quit_unplayed"
        return self._ask(self._texts.get(key)) in {"y", self._texts.get("terminal.yes")}

    def _keys(self) -> dict[str, int]:
        """The cards of the hand by their keys, which stay the same for the whole round."""
        game, seat = self._session.game, self._session.settings.seat
        played = [cards[seat] for cards in game.plays[len(game.plays) - game.turn + 1 :]]
        hand = game.hand(seat)
        dealt = sorted([*hand, *played])
        return {key: card for key, card in zip(_KEYS, dealt, strict=False) if card in hand}

    def _ask(self, question: str) -> str:
        self._console.print(question, end=" ")
        line = sys.stdin.readline()
        if not line:
            self._console.print()  # ends the line of the question
            raise EOFError
        return line.strip().lower()

    # Screens

    def _show_table(self, cards: dict[str, int]) -> None:
        table = self._session.table_state()
        self._show(table_screen(table, self._view, cards, *self._hint()))

    def _hint(self) -> tuple[BotChoice | None, str, Sequence[float]]:
        """The choice of the hint bot, a sentence about it, and how likely it takes each prize.

        There is none while hints are not shown.
        """
        pending = self._session.hint() if self._show_hints else None
        if pending is None:
            return None, "", ()
        bot = self._session.settings.hint_bot_name or ""
        try:
            with self._console.status(self._texts.get("play.bot_choosing", bot=bot)):
                choice = pending.result()
                forecast = self._session.forecast(self._session.turns_played)
        except BotError as error:
            return None, self._texts.get(error.key, **error.values), ()
        odds = forecast.prizes[str(choice.card)]
        if choice.evaluation is None:
            return choice, self._texts.get("play.bot_would_play", bot=bot, card=choice.card), odds
        unit = self._texts.get(f"unit.{choice.evaluation.unit.replace(' ', '_')}")
        key = "play.bot_would_play_unit"
        return choice, self._texts.get(key, bot=bot, card=choice.card, unit=unit), odds

    def _show(self, lines: Lines) -> None:
        self._console.print("", *lines, sep="\n")

    def _show_and_wait(self, lines: Lines) -> None:
        self._show(lines)
        self._ask(self._texts.get("terminal.continue"))
