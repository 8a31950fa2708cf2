"""The result of an assembly of parts: coordinates over time, deviations of constraints, forces or energies."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gambol.figure import Figure
from gambol.plan.assembly.sizes import Sizes, sized
from gambol.plan.pose import Goal, pose_film
from gambol.plan.pose.numbers import Array
from gambol.world import Film


@dataclass(frozen=True)
class Assembly:
    """The motion of parts during an assembly: F frames of W starts.

    figure: the parts. constraints: given constraints, and constraints of the figure's loops. times (F) [s]; for
    descent, time is dimensionless. q (F, W, nq). v (F, W, nv): velocities; empty for descent. deviations (F, W,
    constraints): distance [m] or angle [rad] of each. forces (F, W, constraints): size of each constraint's force [N,
    or N m of orientations]; empty for descent. energies (F, W, constraints): energies of descent, else empty. satisfied
    (W, constraints): True if the last deviation is within the tolerance. row_forces: for each constraint its forces
    along its rows (F, W, rows). stopped (W): time at which the integration of a start failed [s], else infinite; the
    start is held in its state from then on. sizes, factors: parameters that descent changed, and their factors (F, W),
    by names of the factors.
    """

    figure: Figure
    constraints: tuple[Goal, ...]
    times: Array
    q: Array
    v: Array
    deviations: Array
    forces: Array
    energies: Array
    satisfied: NDArray[np.bool_]
    row_forces: tuple[Array, ...] = ()
    stopped: Array = field(default_factory=lambda: np.full(1, np.inf))
    sizes: Sizes = field(default_factory=dict[str, tuple[str, ...]])
    factors: Mapping[str, Array] = field(default_factory=dict[str, Array])

    @property
    def assembled(self) -> NDArray[np.bool_]:
        """True for each start (W) from which all constraints are satisfied at the end."""
        return np.asarray(self.satisfied.all(axis=1))

    def unmet(self, start: int = 0) -> list[str]:
        """Return a line of text for each constraint that a start does not satisfy at the end, with its deviation."""
        last = self.deviations[-1, start]
        units = [goal.unit(self.figure) for goal in self.constraints]
        return [
            f"{goal.title}: off by {size:.3g} {unit}"
            for goal, size, unit, satisfied in zip(self.constraints, last, units, self.satisfied[start], strict=True)
            if not satisfied
        ]

    def figure_at(self, frame: int = -1, start: int = 0) -> Figure:
        """Return the figure with the sizes of a frame of a start; for formulas and pictures only, see with_values()."""
        return sized(self.figure, self.sizes, [float(factor[frame, start]) for factor in self.factors.values()])

    def film(self, start: int | None = None) -> Film:
        """Return the film, with the signals "deviations", "sizes", and "forces" or "energies".

        start: the start to show; None for all. Links move as their sizes change; their shapes are those at the end (of
        the first start, if all are shown).
        """
        shown = slice(None) if start is None else slice(start, start + 1)
        factors = [factor[:, shown] for factor in self.factors.values()]
        sizes = np.stack(factors, axis=2) if factors else np.empty(0)
        signals = {"deviations": self.deviations[:, shown], "sizes": sizes}
        signals |= {name: x[:, shown] for name, x in (("forces", self.forces), ("energies", self.energies)) if x.size}
        return pose_film(
            self.figure_at(-1, start or 0), self.times, self.q[:, shown],
            signals={name: x for name, x in signals.items() if x.size}, moving=sized(self.figure, self.sizes, factors),
        )  # fmt: skip

    def __str__(self) -> str:
        count = int(np.sum(self.assembled))
        largest = self.deviations[-1].max(initial=0)
        return f"{count} of {len(self.satisfied)} starts assembled; largest deviation {largest:.3g}"
