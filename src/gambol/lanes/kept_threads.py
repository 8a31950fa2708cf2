"""The threads that share the work of a thread. They are kept, since starting them takes 0.5 to 1 ms a call.

They belong to the thread that uses them: they end with it, and do not exist in a forked process.
"""

import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait


class _KeptPool(threading.local):
    """The pool of a thread, its number of threads, and its process."""

    pool: ThreadPoolExecutor
    threads, process = 0, 0

    def of(self, threads: int) -> ThreadPoolExecutor:
        """Return a pool with this many threads."""
        if (self.threads, self.process) != (threads, os.getpid()):
            self.pool, self.threads, self.process = ThreadPoolExecutor(threads), threads, os.getpid()
        return self.pool


_kept = _KeptPool()


def run_in_threads(tasks: Iterable[Callable[[], None]], threads: int) -> None:
    """Run functions in this many threads, and return when all are done; raises the first error of a function.

    With one thread they run in that of the caller.
    """
    if threads <= 1:
        for task in tasks:
            task()
        return
    pool = _kept.of(threads)
    runs = [pool.submit(task) for task in tasks]
    try:
        for run in runs:
            run.result()
    finally:
        wait(runs)  # also if Ctrl-C ends result(): the functions write to arrays that must exist
