"""How threads share the parts of a run, compiled: they wait for it and work without Python's lock.

The entries of ``shared`` that different threads write lie in different lines of the caches. A run
is posted with the next number. It is divided into chunks, each claimed by one thread: first its
own, which are in the cache of its core, then those that no other thread has claimed yet. So no
thread waits for one that wakes up late.
"""

from typing import Any

from mindup_env.engine.atomics import add, call_kernel, load, pause, replace, store
from mindup_env.engine.compiler import compiled, kernel
from mindup_env.engine.state import Int64Array

LINE = 16
"""Entries that lie in different lines are so many int64 apart; some processors load two lines."""

RUN, KERNEL, COMMAND = range(3)  # the number of the run, the kernel's address and its command
DONE = LINE  # how many chunks have been done in all runs
FIRST_LINE = 2  # that of the first thread; those of the chunks follow
ASLEEP = 0  # whether the thread sleeps, or is about to
CLAIMED, RESULT = range(2)  # of a chunk: the last run in which it was claimed, and its result

CHUNKS_PER_THREAD = 8
"""A thread that is done waits for others for at most as long as one chunk takes."""

STOP = -1
"""The number of a run that ends the threads."""

RUNNING = -1
"""The result of a run that is not done; a result is not negative."""

REFUSED, POSTED, POSTED_TO_SLEEPERS = range(3)
"""What became of a run: the one before is not done; posted; posted while a thread slept."""


@compiled
def thread_line(thread: int) -> int:
    """Where the entries of a thread are."""
    return (FIRST_LINE + thread) * LINE


@compiled
def chunk_line(threads: int, chunk: int) -> int:
    """Where the entries of a chunk are."""
    return thread_line(threads + chunk)


@compiled
def do_chunks(shared: Int64Array, thread: int, threads: int, size: int, arguments: Any) -> None:
    """Does chunks of the posted run, until all are claimed."""
    run = load(shared, RUN)
    chunks = threads * CHUNKS_PER_THREAD
    first = thread * CHUNKS_PER_THREAD
    for turn in range(chunks):
        # Its own, the first one first; then those of others, the last one first.
        chunk = first + turn
        if turn >= CHUNKS_PER_THREAD:
            chunk = (first + CHUNKS_PER_THREAD - 1 - turn) % chunks
        place = chunk_line(threads, chunk)
        # From here on, the run ends no sooner than the chunk.
        if replace(shared, place + CLAIMED, run - 1, run):
            result = call_kernel(
                load(shared, KERNEL),
                load(shared, COMMAND),
                chunk * size // chunks,
                (chunk + 1) * size // chunks,
                arguments,
            )
            store(shared, place + RESULT, result)
            add(shared, DONE, 1)


@kernel
def post(shared: Int64Array, threads: int, address: int, command: int) -> int:
    """Posts a run if the one before is done."""
    if load(shared, DONE) != load(shared, RUN) * threads * CHUNKS_PER_THREAD:
        return REFUSED
    store(shared, KERNEL, address)
    store(shared, COMMAND, command)
    store(shared, RUN, load(shared, RUN) + 1)
    asleep = False
    for thread in range(1, threads):
        asleep |= load(shared, thread_line(thread) + ASLEEP) != 0
    return POSTED_TO_SLEEPERS if asleep else POSTED


@kernel
def lead(shared: Int64Array, threads: int, size: int, tries: int, arguments: Any) -> int:
    """Works as the first thread, and waits so many tries for the others.

    Returns the results of all chunks, combined by or; RUNNING if they are not done.
    """
    chunks = threads * CHUNKS_PER_THREAD
    do_chunks(shared, 0, threads, size, arguments)
    done = load(shared, RUN) * chunks
    while load(shared, DONE) != done:
        if tries == 0:
            return RUNNING
        tries -= 1
        pause()
    result = 0
    for chunk in range(chunks):
        result |= load(shared, chunk_line(threads, chunk) + RESULT)
    return result


@kernel
def serve(
    shared: Int64Array, thread: int, threads: int, size: int, tries: int, arguments: Any
) -> None:
    """Works as another thread until there was no run for so many tries, or until the last run."""
    served = 0
    waited = 0
    asleep = thread_line(thread) + ASLEEP
    store(shared, asleep, 0)
    while True:
        run = load(shared, RUN)
        if run == STOP:
            return
        if run != served:
            do_chunks(shared, thread, threads, size, arguments)
            served = run
            waited = 0
        elif waited < tries:
            waited += 1
            pause()
        else:
            # ``post`` reads this after it has written RUN, so at least one sees the other.
            store(shared, asleep, 1)
            if load(shared, RUN) == served:
                return
            store(shared, asleep, 0)
            waited = 0
