"""The clock of a live view: a thread that takes control steps at the speed of the wall clock."""

import threading
from collections.abc import Callable
from time import perf_counter

MAX_SLICE = 0.02
"""Maximum duration of a computation between two points at which other threads can access the world [s]."""

MAX_LAG = 0.25
"""Maximum lag behind the wall clock that later steps make up for [s]; after a longer lag, the motion is delayed."""

MAX_SLEEP = 0.1
"""Maximum time between two checks of the clock [s]; a pause takes effect within this time."""


class Clock:
    """Takes control steps in a thread, at a speed that can be changed.

    step: the length of a control step [s]. take(count): takes up to `count` control steps, in about MAX_SLICE, and
    returns the number of steps taken. speed: multiple of real time. rate: achieved multiple of real time, or None.
    """

    def __init__(self, step: float, take: Callable[[int], int], speed: float) -> None:
        self.speed = speed
        self.rate: float | None = None
        self._step, self._take = step, take
        self._playing, self._closed = threading.Event(), False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def playing(self) -> bool:
        """True while the clock runs."""
        return self._playing.is_set()

    def play(self) -> None:
        """Begin to take steps."""
        self._playing.set()

    def pause(self) -> None:
        """Take no further steps after the current one."""
        self._playing.clear()
        self.rate = None

    def close(self) -> None:
        """End the thread."""
        self._closed = True
        self._playing.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()
        self._playing.clear()

    def _run(self) -> None:
        while True:
            self._playing.wait()
            if self._closed:
                return
            self._play()

    def _play(self) -> None:
        """Take steps until a pause, and measure the achieved speed once a second."""
        last, lag, simulated, begin = perf_counter(), 0.0, 0.0, perf_counter()
        while self.playing and not self._closed:
            now = perf_counter()
            lag, last = min(lag + (now - last) * self.speed, MAX_LAG * self.speed), now
            count = int(lag / self._step + 1e-9)
            taken = self._take(count) if count else 0
            lag -= taken * self._step
            simulated += taken * self._step
            if now - begin > 1.0:
                self.rate, simulated, begin = simulated / (now - begin), 0.0, now
            wait = 0.001 if count else (self._step - lag) / self.speed
            threading.Event().wait(min(max(wait, 0.001), MAX_SLEEP))
