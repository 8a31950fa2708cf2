"""Conjugate directions between sweeps, for large connected piles. The change by a sweep serves as the gradient.

    g_k = p_k - sweep(p_k)       beta = |g_k|^2 / |g_k-1|^2
    p_k+1 = sweep(p_k) + beta d_k-1,    d_k = beta d_k-1 - g_k        or p_k+1 = sweep(p_k), d_k = 0 where beta > 1

A sweep passes an impulse on only slowly from contact to contact; conjugate directions carry it further. Nothing is
added after the last sweep, so its result satisfies the laws. [Silcowitz-Hansen, Niebe & Erleben 2010]
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import Program, ProgramSpec, Scalar, Schedule

Array = NDArray[Any]
Numbers = tuple[Scalar, ...]

MOTIONS = (0.0,) * 12
"""Structure of the motions of a contact's bodies."""


def _extrapolated(
    impulse: Numbers, motions: Numbers, previous: Numbers, direction: Numbers, factors: tuple[Scalar, Scalar]
) -> tuple[Any, ...]:
    """Return impulse, motions, the values to compare with next, and the new direction of a contact or joint.

    factors: beta, and 1 if the last change belongs to the new direction, else 0.
    """
    beta, share = factors
    steps = [beta * d for d in direction]
    values = [x + step for x, step in zip((*impulse, *motions), steps, strict=True)]
    changes = [x - before for x, before in zip((*impulse, *motions), previous, strict=True)]
    new_direction = [step + share * change for step, change in zip(steps, changes, strict=True)]
    return values[: len(impulse)], values[len(impulse) :], values, new_direction


def _spec(name: str, rows: int) -> ProgramSpec:
    """Return the specification of the program for impulses of this many rows."""
    impulse = (0.0,) * rows
    history = (*impulse, *MOTIONS)
    return ProgramSpec(name, _extrapolated, (impulse, MOTIONS, history, history, (0.0, 0.0)), 0, rows)


CONJUGATE_PROGRAMS = {
    "conjugate": _spec("pile conjugate", 3),
    "joint conjugate": _spec("pile joint conjugate", 6),
}
"""The programs of contacts and joints, by name."""


class ConjugateDirections:
    """Changes impulses and the motions in their slots in place between sweeps.

    program: one of CONJUGATE_PROGRAMS; impulses (rows, columns); slots (blocks, 12, lanes); threads: see Schedule.
    Motions are linear in the impulses, so they are extrapolated in the same way.
    """

    def __init__(self, program: Program, impulses: Array, slots: Array, threads: int = 1) -> None:
        blocks, _, lanes = slots.shape
        self._impulses, self._slots = impulses, slots
        rows = len(impulses) + len(MOTIONS)
        self._previous, self._direction = (np.zeros((blocks, rows, lanes), slots.dtype) for _ in range(2))
        self._factors, self._square = np.zeros((2, impulses.shape[1]), slots.dtype), 0.0
        self._stage = program.bind(
            *(impulses, slots, self._previous, self._direction, self._factors),
            out=[impulses, slots, self._previous, self._direction],
        )
        self._schedule = Schedule([self._stage], threads)

    def restart(self, blocks: int) -> None:
        """Forget all directions, and begin at the present impulses of the first blocks of contacts."""
        count, lanes = len(self._impulses), self._slots.shape[2]
        self._schedule.resize(self._stage, blocks)
        impulses = self._impulses[:, : blocks * lanes].reshape(count, blocks, lanes)
        self._previous[:blocks, :count] = impulses.transpose(1, 0, 2)
        self._previous[:blocks, count:], self._direction[:blocks] = self._slots[:blocks], 0.0
        self._square = 0.0

    def extrapolate(self, square: float) -> None:
        """Extrapolate from the last sweep; square: sum of the squared changes of speeds in that sweep [m2/s2]."""
        beta = square / self._square if 0.0 < square <= self._square else 0.0
        self._factors[0], self._factors[1] = beta, float(beta > 0.0 or not self._square)
        self._square = square
        self._schedule()
