"""Somebody who thinks beside what goes on: a thread that answers questions in turn."""

from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")
_Asked = tuple[Callable[[], Any], "Future[Any]"]


class BackgroundWorker:
    """A program that ends does not wait for it, as it would for the threads of an executor."""

    def __init__(self) -> None:
        self._asked: SimpleQueue[_Asked | None] = SimpleQueue()
        Thread(target=self._think, name="bots", daemon=True).start()

    def ask(self, question: Callable[[], T]) -> "Future[T]":
        answer: Future[T] = Future()
        self._asked.put((question, answer))
        return answer

    def leave(self) -> None:
        """When all questions so far are answered."""
        self._asked.put(None)

    def _think(self) -> None:
        while asked := self._asked.get():
            question, answer = asked
            try:
                answer.set_result(question())
            except Exception as error:  # noqa: BLE001  # whoever waits for the answer gets it
                answer.set_exception(error)
