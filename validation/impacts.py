"""A million random impacts of random figures: `python -m validation.impacts`, and with -m slow in the tests.

Figures of 1 to 8 links with any joints, floating or not, in any state; a point of any link strikes a plane of any
direction, with friction from 0 to 3 and restitution from 0 to 1, sometimes at their limits. Errors are in units of the
effect of rounding K and u on the energy, epsilon (|p|^2 tr K + |p| |u|).
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambol.contact.impulse import collision
from gambol.dynamics import kinematics
from gambol.dynamics.quantities import Contact, articulated, collision_matrix
from gambol.figure import Figure
from gambol.figure.generator import random_figure, random_state
from gambol.lanes import Precision, Program, ProgramSpec, Scalar, where
from gambol.spatial import Rotation, Vector
from validation.problem import Array

SEED = 2026
FIGURES = 40
ROOTS = ("free", "revolute", "spherical", "planar", "prismatic")
STATES = 500
"""States of each figure; each has many impacts, since computing a state takes longer than an impact."""
ENDS = 0.05
"""Share of impacts with friction 0, with restitution 0, and with restitution 1."""


@dataclass(frozen=True)
class ImpactStatistics:
    """Statistics of many impacts.

    energy_gain, cone_excess: largest energy gain, and excess over the friction cone, in roundings; restitution_error:
    largest difference of the restitution work from e^2 of the compression work, in roundings; approach: largest
    remaining approach speed, per |u|; parts: largest number of integration steps; others: numbers of impacts.
    """

    impacts: int
    energy_gain: float
    cone_excess: float
    restitution_error: float
    approach: float
    parts: int
    unconverged: int
    not_finite: int
    stuck: int
    resumed: int
    jammed: int
    wedged: int

    def combined_with(self, other: "ImpactStatistics") -> "ImpactStatistics":
        """Return both statistics combined: maxima of errors and sums of counts."""
        worst = ("energy_gain", "cone_excess", "restitution_error", "approach", "parts")
        pairs = ((key, mine, getattr(other, key)) for key, mine in vars(self).items())
        return ImpactStatistics(**{key: max(a, b) if key in worst else a + b for key, a, b in pairs})


def striking(figure: Figure, link: int) -> Callable[..., Any]:
    """Return the impact formula of a point of a link on a plane: velocity before, impulse, K, and events."""

    def struck(q: Any, v: Any, place: Any, up: Any, law: tuple[Scalar, Scalar]) -> tuple[Any, ...]:
        state, point = kinematics(figure, q, v), Vector.of(place)
        axes, contact = Rotation.with_z_axis(Vector.of(up)), Contact(link, point)
        K = collision_matrix(articulated(state.at_rest()), contact, contact).rotated(axes.transpose)
        u = axes.transpose @ state.point_velocity(link, point)
        u = u * where(u.z > 0.0, -1.0, 1.0)
        impact = collision(K, u, *law)
        work = [impact.stored, impact.released, impact.change]
        flags = [impact.converged, impact.stuck, impact.resumed, impact.jammed, impact.residual, impact.steps]
        flags.append(impact.wedged)
        return list(u), list(impact.impulse), [K.rows[i][i] for i in range(3)], work, flags

    return struck


def impacts_of(seed: int, count: int, precision: Precision) -> ImpactStatistics:
    """Compute `count` impacts of a random figure."""
    random = np.random.default_rng([SEED, seed])
    figure = random_figure(int(random.integers(2**31)), 1 + seed % 8, root=ROOTS[seed % len(ROOTS)], taper=0.8)
    link = int(random.integers(1, len(figure.links) + 1))
    states = [random_state(figure, int(random.integers(2**31))) for _ in range(STATES)]
    chosen = random.integers(STATES, size=count)
    q, v = (np.array([state[k] for state in states])[chosen].T for k in range(2))
    up = random.normal(size=(3, count))
    law = np.array([random.uniform(0.0, 3.0, count), random.uniform(0.0, 1.0, count)])
    ends = random.random((3, count)) < ENDS
    law[0, ends[0]], law[1, ends[1]], law[1, ends[2]] = 0.0, 0.0, 1.0
    forms = ([0.0] * figure.nq, [0.0] * figure.nv, [0.0] * 3, [0.0] * 3, (0.0, 0.0))
    program = Program(ProgramSpec(f"impacts {seed}", striking(figure, link), forms), precision)
    place = random.normal(scale=0.2, size=(3, count))
    inputs = [np.ascontiguousarray(a, program.dtype) for a in (q, v, place, up / np.linalg.norm(up, axis=0), law)]
    return count_impacts(program(*inputs), inputs[-1], float(np.finfo(precision).eps))


def count_impacts(outputs: tuple[Array, ...], law: Array, epsilon: float) -> ImpactStatistics:
    """Return the statistics of computed impacts: outputs of the program, and friction and restitution of each."""
    u, p, give, (stored, released, change), flags = (a.astype(float) for a in outputs)
    mu, e = law.astype(float)
    size, speed = np.linalg.norm(p, axis=0), np.linalg.norm(u, axis=0)
    rounding = epsilon * (size * size * give.sum(0) + size * speed) + np.finfo(np.float32).tiny
    ends = (flags[0] > 0.5) & (flags[6] < 0.5)
    miss = np.where(~ends, 0.0, np.abs(released - e * e * stored)) / rounding
    excess = (np.hypot(p[0], p[1]) - mu * p[2]) / (epsilon * size + np.finfo(np.float32).tiny)
    return ImpactStatistics(
        impacts=u.shape[1],
        energy_gain=float(np.max(change / rounding)),
        cone_excess=float(np.max(excess)),
        restitution_error=float(np.max(miss)),
        approach=float(np.max(flags[4] / (speed + np.finfo(np.float32).tiny))),
        parts=int(flags[5].max()),
        unconverged=int((flags[0] < 0.5).sum()),
        not_finite=int((~np.isfinite(p).all(0)).sum()),
        stuck=int(flags[1].sum()),
        resumed=int(flags[2].sum()),
        jammed=int(flags[3].sum()),
        wedged=int(flags[6].sum()),
    )


def strike_many(count: int, precision: Precision = "float64", figures: int = FIGURES) -> ImpactStatistics:
    """Compute `count` impacts, distributed over a number of figures."""
    total = impacts_of(0, count // figures, precision)
    for seed in range(1, figures):
        total = total.combined_with(impacts_of(seed, count // figures, precision))
    return total


def main() -> None:
    """Compute a million impacts in each precision, or as many as the first argument says."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    for precision in ("float64", "float32"):
        lines = (
            f"{key}: {value:.3g}" if isinstance(value, float) else f"{key}: {value}"
            for key, value in vars(strike_many(count, precision)).items()
        )
        sys.stdout.write(f"{precision}: " + ", ".join(lines) + "\n")


if __name__ == "__main__":
    main()
