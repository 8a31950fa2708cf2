"""Closures and couplings as constraints of an assembly, and constraints with only some rows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gambol.dynamics import Kinematics
from gambol.dynamics.loops import Row, constraint_rows
from gambol.figure import Constraint, Coupling, Figure
from gambol.lanes import Scalar
from gambol.plan.pose import Goal
from gambol.plan.pose.numbers import Array, length


@dataclass(frozen=True, slots=True)
class ClosureConstraint:
    """The rows of a closure or coupling.

    closure: a closure or coupling of links of the assembled figure.
    """

    closure: Constraint
    weight: float = 1.0
    tolerance: float | None = None

    @property
    def title(self) -> str:
        """The name in messages."""
        return self.closure.title

    def structure(self) -> tuple[object, ...]:
        """Return the key of the program: all options are compiled in."""
        return (ClosureConstraint, self.closure)

    def numbers(self) -> Array:
        """No numbers."""
        return np.empty(0)

    def unit(self, figure: Figure) -> str:
        """Return the unit of the residual: radians for a coupling, else metres; sines of angles count as metres."""
        return "rad" if isinstance(self.closure, Coupling) else "m"

    def rows(self, state: Kinematics, numbers: Sequence[Scalar]) -> list[Row]:
        """The rows of the closure."""
        return list(constraint_rows(state, self.closure))

    def residual(self, gaps: Array) -> Array:
        """Length of the gaps."""
        return length(gaps)


@dataclass(frozen=True, slots=True)
class SomeRows:
    """Some rows of a constraint. goal: the constraint. keep: indices of its rows."""

    goal: Goal
    keep: tuple[int, ...]

    @property
    def weight(self) -> float:
        """The constraint's weight."""
        return self.goal.weight

    @property
    def tolerance(self) -> float | None:
        """The constraint's tolerance."""
        return self.goal.tolerance

    @property
    def title(self) -> str:
        """The name in messages."""
        return self.goal.title

    def structure(self) -> tuple[object, ...]:
        """Return the key of the program: the options that are compiled in."""
        return (SomeRows, self.keep, *self.goal.structure())

    def numbers(self) -> Array:
        """The constraint's numbers."""
        return self.goal.numbers()

    def unit(self, figure: Figure) -> str:
        """The constraint's unit."""
        return self.goal.unit(figure)

    def rows(self, state: Kinematics, numbers: Sequence[Scalar]) -> list[Row]:
        """The selected rows."""
        rows = self.goal.rows(state, numbers)
        return [rows[k] for k in self.keep]

    def residual(self, gaps: Array) -> Array:
        """Length of the gaps."""
        return length(gaps)
