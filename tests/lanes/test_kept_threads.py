"""Threads that share work: kept between calls, with errors of any of them, and other ones in a forked process."""

import os
import threading
import time

import numpy as np
import pytest

from gambol.lanes.kept_threads import run_in_threads


def identities(threads: int, tasks: int) -> set[int]:
    """Return the threads that run some tasks, all of which wait for each other."""
    found, gate = set[int](), threading.Barrier(tasks)

    def task() -> None:
        gate.wait(timeout=30.0)
        found.add(threading.get_ident())

    run_in_threads([task] * tasks, threads)
    return found


def test_all_tasks_run_at_once_and_threads_are_kept():
    first = identities(3, 3)
    assert len(first) == 3
    assert threading.get_ident() not in first
    assert identities(3, 3) == first


def test_one_thread_is_that_of_the_caller():
    assert identities(1, 1) == {threading.get_ident()}


def test_each_calling_thread_has_threads_of_its_own():
    found, compared = list[set[int]](), threading.Event()

    def call() -> None:
        found.append(identities(2, 2))
        compared.wait(30.0)  # the identity of a thread that has ended may be given to another

    caller = threading.Thread(target=call)
    caller.start()
    own = identities(2, 2)
    while not found:
        time.sleep(1e-3)
    shared = own & found[0]
    compared.set()
    caller.join()
    assert not shared


def test_an_error_is_raised_when_all_are_done():
    done = np.zeros(4)

    def task(k: int) -> None:
        done[k] = 1.0
        if k == 1:
            raise ValueError("the second")

    with pytest.raises(ValueError, match="the second"):
        run_in_threads([lambda k=k: task(k) for k in range(4)], 2)
    assert done.all()


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own():
    identities(2, 2)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, b"2" if len(identities(2, 2)) == 2 else b"?")
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read, 1) == b"2"
