"""Constraint rows: the directions along which impulses act on a figure, with the sparsity of its tree.

    A = L^T D L         u = L v         z = L^-T J^T         w = J v = z . u         du = D^-1 z p

A is the mass matrix with the terms of springs and dampers over a step (step.py), L and D its sparse factors, or its
Cholesky factor and D = 1. In the coordinates u, a row has entries only at the degrees of freedom that move its links,
both for its speed and for its impulse; joint velocities v = L^-1 u are computed once, at the end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gambol.contact.stepping.contact import Contact
from gambol.dynamics import Kinematics
from gambol.dynamics.forward import Factorisation, Factors
from gambol.lanes import Precision, Scalar, maximum, where, working_precision
from gambol.spatial import Vector
from gambol.spatial.rotation import is_constant

PARALLEL_SUMS = 4
"""Independent partial sums of a row: a fused multiply-add has a latency of four cycles, and two start in each cycle."""


@dataclass(frozen=True, slots=True)
class Row:
    """One direction of an impulse.

    z, scaled: z and D^-1 z by index of the degree of freedom, without exact zeros; scaled is None if D is 1.
    inverse_mass: z . D^-1 z, the change of the row's speed per unit impulse along it.
    """

    z: Mapping[int, Scalar]
    scaled: Mapping[int, Scalar] | None
    inverse_mass: Scalar

    @property
    def response(self) -> Mapping[int, Scalar]:
        """D^-1 z: the change of u per unit impulse."""
        return self.z if self.scaled is None else self.scaled

    def speed(self, u: Sequence[Scalar]) -> Scalar:
        """Return the speed w at velocities u (nv), summed in independent parts to hide the latency of additions."""
        terms = [*self.z.items()]
        chains = [terms[n::PARALLEL_SUMS] for n in range(PARALLEL_SUMS)] if len(terms) > 2 * PARALLEL_SUMS else [terms]
        sums = [sum((c * u[k] for k, c in chain), 0.0) for chain in chains]
        return (sums[0] + sums[1]) + (sums[2] + sums[3]) if len(sums) == PARALLEL_SUMS else sums[0]

    def after_impulse(self, u: Sequence[Scalar], p: Scalar) -> list[Scalar]:
        """Return velocities u after an impulse p along the row."""
        result = list(u)
        for k, c in self.response.items():
            result[k] = result[k] + c * p
        return result

    def coupling(self, other: "Row") -> Scalar:
        """Return the change of the speed along this row per unit impulse along another."""
        return sum((c * other.response[k] for k, c in self.z.items() if k in other.response), 0.0)


def make_row(J: Mapping[int, Scalar], factors: Factorisation) -> Row:
    """Return a row. J: its entries by index of the degree of freedom. factors: factors of A."""
    n = len(factors.D_inverse)
    z = {k: y for k, y in enumerate(factors.inward([J.get(k, 0.0) for k in range(n)])) if not is_constant(y, 0.0)}
    scaled = {k: y * factors.D_inverse[k] for k, y in z.items()} if isinstance(factors, Factors) else None
    result = Row(z, scaled, 0.0)
    return replace(result, inverse_mass=result.coupling(result))


ROUNDING_TOLERANCE: dict[Precision, float] = {"float64": 1e-10, "float32": 1e-5}
"""Share of the largest entry of all loop rows below which a row counts as rounding errors; lever arms have more."""


def without_noise(loops: Sequence[Mapping[int, Scalar]]) -> list[dict[int, Scalar]]:
    """Return J of loop closures, by index of the degree of freedom, with 0 in rows that are rounding errors only.

    A planar loop in space is overconstrained. A direction in which the joints allow no motion has J = 0 except for
    rounding; its inverse mass would be so small that impulses along it would be huge and meaningless.
    """
    sizes: list[Scalar] = []
    for J in loops:
        size: Scalar = 0.0
        for c in J.values():
            size = maximum(abs(c), size)
        sizes.append(size)
    threshold: Scalar = 0.0
    for size in sizes:
        threshold = maximum(ROUNDING_TOLERANCE[working_precision()] * size, threshold)
    return [{k: where(size > threshold, c, 0.0) for k, c in J.items()} for J, size in zip(loops, sizes, strict=True)]


@dataclass(frozen=True, slots=True)
class Axis:
    """The axis of a degree of freedom, in world axes.

    w, v: angular velocity of the link, and velocity of its origin, at unit joint velocity. origin: origin of the link
    [m].
    """

    w: Vector
    v: Vector
    origin: Vector

    def point_velocity(self, point: Vector) -> Vector:
        """Return the velocity of a point fixed to the link, at unit joint velocity [m/s per unit]."""
        return self.v.plus_cross(self.w, point - self.origin)


def axes(state: Kinematics) -> list[Axis]:
    """Return the axes of all degrees of freedom of a figure."""
    result: list[Axis] = []
    for link in state.figure.links:
        joint, pose = state.joints[link.index], state.poses[link.index]
        for S in joint.columns:
            S_link = joint.to_link(S)
            result.append(Axis(pose.rotation @ S_link.w, pose.rotation @ S_link.v, pose.position))
    return result


def point_rows(state: Kinematics, freedoms: Sequence[Axis], contact: Contact) -> list[dict[int, Scalar]]:
    """Return J of a contact along normal and tangents: the velocity of the first side relative to the second.

    state: state of the figure; freedoms: axes(); contact: the contact.
    """
    velocities: dict[int, Vector] = {}
    for index, sign in contact.signs.items():
        span = state.figure.links[index - 1].v
        velocities |= {k: freedoms[k].point_velocity(contact.point) * sign for k in range(span.start, span.stop)}
    return [
        {k: c for k, velocity in velocities.items() if not is_constant(c := velocity.dot(direction), 0.0)}
        for direction in contact.frame
    ]
