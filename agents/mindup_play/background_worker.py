"""A thread that runs functions one after another."""

from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")
_Task = tuple[Callable[[], Any], "Future[Any]"]


class BackgroundWorker:
    """Runs functions in the order in which they are submitted.

    Unlike the threads of an executor, its thread does not delay the end of the program.
    """

    def __init__(self) -> None:
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        Thread(target=self._run, name="bots", daemon=True).start()

    def submit(self, function: Callable[[], T]) -> "Future[T]":
        future: Future[T] = Future()
        self._tasks.put((function, future))
        return future

    def close(self) -> None:
        """Ends the thread after the functions that have been submitted so far."""
        self._tasks.put(None)

    def _run(self) -> None:
        while task := self._tasks.get():
            function, future = task
            try:
                future.set_result(function())
            except Exception as error:  # noqa: BLE001  # raised where the result is read
                future.set_exception(error)
