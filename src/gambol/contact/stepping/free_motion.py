"""A velocity step without contact: its forces, the factors of A, and the velocities that it would reach.

    A = M + h B + h^2 K         A (v_f - v) = h (tau - C - h K v)

C is evaluated in the middle of the step, or divided at a landing (landing.py). See step.py for the letters.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from gambol.contact.stepping.compliance import CompliantRow, add_compliance, compliant_forces
from gambol.contact.stepping.landing import DividedForces, ExpectedLanding
from gambol.dynamics import Kinematics, kinematics, rnea
from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.forward import Factorisation, RootFactors, factorised, mass_rows
from gambol.dynamics.forward.crba import has_long_paths
from gambol.dynamics.quantities.articulated_factors import ArticulatedFactors
from gambol.dynamics.tangent import Numbers, displaced, fixed_axis_acceleration, normalised, re_expressed
from gambol.lanes import Scalar, shared, where
from gambol.spatial import Force


@dataclass(frozen=True, slots=True)
class Forces:
    """Forces on a figure in a step, without contact forces.

    tau: joint forces (nv), in the middle of the step [N m or N]. stiffness K, damping B: decrease of tau per position
    and velocity (nv), 0 or more. f_ext, gravity: as for aba(). compliant: springs and dampers along other directions.
    mean_damping: the part of the dampers that acts on the mean velocity of the step (nv); empty for none.
    """

    tau: Sequence[Scalar]
    stiffness: Sequence[Scalar]
    damping: Sequence[Scalar]
    f_ext: Mapping[int, Force] = field(default_factory=lambda: NOTHING)
    gravity: Gravity = STANDARD_GRAVITY
    compliant: Sequence[CompliantRow] = ()
    mean_damping: Sequence[Scalar] = ()


@dataclass(frozen=True, slots=True)
class FreeVelocity:
    """A step without impulses: factors of A, and velocities u (nv) before and after it.

    divided: forces that are divided at a landing; None if the step has no place for one.
    """

    factors: Factorisation
    before: list[Scalar]
    after: list[Scalar]
    divided: DividedForces | None = None


Constrain: TypeAlias = Callable[[list[Scalar]], list[Scalar]]
"""A function from velocities u (nv) to velocities that contacts permit."""


def step_factors(state: Kinematics, forces: Forces, h: Scalar) -> Factorisation:
    """Return the factors of A of a step of h [s]."""
    implicit = (h * (B + h * K) for B, K in zip(forces.damping, forces.stiffness, strict=True))
    if has_long_paths(state.figure) and not forces.compliant:
        return ArticulatedFactors.of(state, [*implicit])
    rows = mass_rows(state)
    for k, x in enumerate(implicit):
        rows[k][k] = rows[k][k] + x
    if forces.compliant:
        add_compliance(rows, forces.compliant, h)
    return RootFactors.of(factorised(rows))


def free_velocity(
    state: Kinematics,
    forces: Forces,
    factors: Factorisation,
    before: list[Scalar],
    constrain: Constrain,
    h: Scalar,
    landing: ExpectedLanding | None = None,
) -> FreeVelocity:
    """Return the velocities after a step of h [s] without impulses.

    before: velocities u before the step (nv). constrain: takes velocities u after the step (nv) to permitted ones. C is
    quadratic in the velocities and is evaluated in the middle of the step: with C of the start, a tumbling body would
    gain energy in every turn. The velocities in the middle of the step must be permitted, too: otherwise a motion that
    turns against a contact would gain or lose energy. landing: a landing that divides the step instead.
    """
    if landing is None:

        @shared
        def bias_at(v: list[Scalar]) -> list[Scalar]:
            return bias_force(state.moving(v), forces)

        first_guess = constrain(_after_forces(state.v, bias_at(list(state.v)), forces, factors, before, h))
        middle = factors.outward([0.5 * (a + b) for a, b in zip(before, first_guess, strict=True)])
        return FreeVelocity(factors, before, _after_forces(state.v, bias_at(middle), forces, factors, before, h))
    constant, lands = bias_force(state.at_rest(), forces), landing.expected > 0.5
    bias_nearby = _bias_nearby(state, constant)
    bias = bias_nearby(list(state.v), where(lands, -0.5 * landing.time, 0.0))
    first_guess = constrain(_after_forces(state.v, bias, forces, factors, before, h))
    weight = where(lands, 0.0, 0.5)
    later = factors.outward([weight * a + (1.0 - weight) * b for a, b in zip(before, first_guess, strict=True)])
    bias_later = bias_nearby(later, where(lands, 0.5 * (h - landing.time), 0.0))
    divided = DividedForces(landing, state.v, later, bias, bias_later, constant, forces.mean_damping)
    return FreeVelocity(
        factors, before, _after_forces(state.v, divided.bias_force, forces, factors, before, h), divided
    )


def bias_force(state: Kinematics, forces: Forces) -> list[Scalar]:
    """Return C, the forces that keep all velocities constant, gravity and external forces included (nv)."""
    return rnea(state, fixed_axis_acceleration(state.figure, state.v), f_ext=forces.f_ext, gravity=forces.gravity)[0]


def _bias_nearby(state: Kinematics, constant: Numbers) -> Callable[[list[Scalar], Scalar], list[Scalar]]:
    """Return a function of velocities v and a time [s], see free_velocity(); a subprogram in short programs.

    It returns C (nv) with its velocity-dependent part at positions that velocities v (nv) reach in this time. constant:
    the part of C that does not depend on velocities (nv).
    """
    figure = state.figure

    def bias_nearby(v: list[Scalar], time: Scalar) -> list[Scalar]:
        q = normalised(figure, displaced(figure, state.q, [time * x for x in v]))
        there = kinematics(figure, q, re_expressed(figure, state.q, q, v))
        changes = rnea(there, fixed_axis_acceleration(figure, there.v), gravity=0.0)[0]
        return [g + c for g, c in zip(constant, re_expressed(figure, q, state.q, changes), strict=True)]

    return shared(bias_nearby)


def _after_forces(
    v: Numbers, bias: Numbers, forces: Forces, factors: Factorisation, before: Numbers, h: Scalar
) -> list[Scalar]:
    """Return velocities u (nv) after a step without impulses. bias: bias forces C; before: u before the step."""
    tau = compliant_forces(forces.compliant, forces.tau) if forces.compliant else forces.tau
    pairs = zip(tau, bias, forces.stiffness, v, strict=True)
    change = factors.inward([h * (t - c - h * K * x) for t, c, K, x in pairs])
    return [u + x * inverse for u, x, inverse in zip(before, change, factors.D_inverse, strict=True)]
