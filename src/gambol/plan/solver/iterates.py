"""Watching a solver's iterations: the best iterate so far, progress, and Ctrl-C."""

import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.plan.program import NonlinearProgram, ProgramSolution
from gambol.plan.solver.evaluation import split_by_element

Array = NDArray[np.float64]

Progress = Callable[[int, float, float, Array], bool]
"""A function of (iteration, cost, violation, unknowns); it returns False to stop the solver."""


@dataclass(frozen=True)
class Iterate:
    """One iterate of a solver: unknowns (n), multipliers of the constraints (m) and of the bounds (n)."""

    unknowns: Array
    cost: float
    violation: float
    multipliers: Array
    bound_multipliers: Array


class Iterates:
    """The iterates of one solution, and the request to stop it.

    tolerance: violation up to which an iterate counts as feasible. best: the feasible iterate of least cost; while none
    is feasible, the iterate of least violation. interrupted: True if Ctrl-C or progress stopped the solver. error:
    exception of progress, to be raised again after the solver has returned.
    """

    def __init__(self, progress: Progress | None, tolerance: float) -> None:
        self.progress = progress
        self.tolerance = tolerance
        self.best: Iterate | None = None
        self.iterations = 0
        self.interrupted = False
        self.error: BaseException | None = None
        self._signals: Any = None

    def add(self, iteration: int, iterate: Iterate) -> bool:
        """Record an iterate; return False if the solver should stop. Raises no error."""
        self.iterations = iteration
        if np.isfinite(iterate.violation + iterate.cost) and self._is_better(iterate):
            self.best = iterate
        try:
            if self.progress and not self._continues(iteration, iterate):
                self.interrupted = True
        except BaseException as error:  # what progress raises must not pass through the solver, which is not Python
            self.stop(error)
        return not self.interrupted

    def stop(self, error: BaseException) -> None:
        """Stop the solver at its next iteration because of an error.

        After a KeyboardInterrupt the best iterate is returned.
        """
        self.interrupted = True
        if not isinstance(error, KeyboardInterrupt):
            self.error = self.error or error

    def solution(
        self, program: NonlinearProgram, last: Iterate, status: str, solved: bool, seconds: float
    ) -> ProgramSolution:
        """Return the solution of a program: the last iterate if it is solved, else the best.

        status: status text of the solver; seconds: its wall time. Raises the exception of progress.
        """
        if self.error is not None:
            raise self.error
        chosen = last if solved or self.best is None or self._rank(last) < self._rank(self.best) else self.best
        return ProgramSolution(
            unknowns=chosen.unknowns,
            cost=chosen.cost,
            violation=chosen.violation,
            iterations=self.iterations,
            seconds=seconds,
            solved=solved,
            interrupted=self.interrupted,
            status=status,
            multipliers=split_by_element(program, chosen.multipliers),
            bound_multipliers=chosen.bound_multipliers,
        )

    def _continues(self, iteration: int, iterate: Iterate) -> bool:
        assert self.progress is not None
        return self.progress(iteration, iterate.cost, iterate.violation, iterate.unknowns.copy()) is not False

    def _is_better(self, iterate: Iterate) -> bool:
        return self.best is None or self._rank(iterate) < self._rank(self.best)

    def _rank(self, iterate: Iterate) -> tuple[float, float]:
        return max(iterate.violation, self.tolerance), iterate.cost

    def __enter__(self) -> "Iterates":
        """Let Ctrl-C stop the solver at its next iteration instead of raising KeyboardInterrupt, in the main thread."""
        if threading.current_thread() is threading.main_thread():
            self._signals = signal.getsignal(signal.SIGINT)
            signal.signal(signal.SIGINT, self._receive)
        return self

    def __exit__(self, *_: object) -> None:
        if self._signals is not None:
            signal.signal(signal.SIGINT, self._signals)
            self._signals = None

    def _receive(self, number: int, frame: FrameType | None) -> None:
        """Handle Ctrl-C: stop at the next iteration."""
        self.interrupted = True
