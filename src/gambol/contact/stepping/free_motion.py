"""A velocity step without contact: its forces, the factors of A, and the velocities that it would reach.

    A = M + h B + h^2 K         A (v_f - v) = h (tau - C - h K v)

C is evaluated in the middle of the step, or divided at a landing (landing.py). See step.py for the letters.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from gambol.contact.stepping.blocks import Impulses
from gambol.contact.stepping.compliance import CompliantRow, add_compliance, compliant_forces
from gambol.contact.stepping.landing import DividedForces, ExpectedLanding
from gambol.dynamics import Kinematics, kinematics, rnea
from gambol.dynamics.bodies import NOTHING, STANDARD_GRAVITY, Gravity
from gambol.dynamics.forward import Factorisation, RootFactors, factorised, mass_rows
from gambol.dynamics.forward.crba import has_long_paths
from gambol.dynamics.quantities.articulated_factors import ArticulatedFactors
from gambol.dynamics.tangent import Numbers, displaced, fixed_axis_acceleration, moved, normalised, re_expressed
from gambol.figure import Figure
from gambol.lanes import Scalar, maximum, shared, where
from gambol.spatial import Force
from gambol.spatial.rotation import is_constant


@dataclass(frozen=True, slots=True)
class Extrapolation:
    """What a step knows from the step before: the acceleration, from which the middle of the step follows.

        q_m = q + h v / 2 + h^2 a / 8
        v_m = (v + v+) / 2 - h^2 a' / 8         a' = ((v+ - v) / h - a) / ((h + h') / 2)

    acceleration: a (nv), the mean of the step before, of length h' [rad/s2 or m/s2]. shift: h^2 a / 8 (nv) [rad or m].
    weight: h / (4 (h + h')), the factor of v+ - v - h a in v_m. All are 0 if a is not known.
    """

    acceleration: Sequence[Scalar]
    shift: Sequence[Scalar]
    weight: Scalar

    @staticmethod
    def of(acceleration: Sequence[Scalar], h: Scalar, previous: Scalar, known: Scalar) -> "Extrapolation":
        """Return the extrapolation of a step of h [s] after a step of another length [s].

        acceleration: mean acceleration of that step (nv). known: True if the motion is smooth since then.
        """
        a = [where(known, x, 0.0) for x in acceleration]
        return Extrapolation(a, [0.125 * h * h * x for x in a], where(known, 0.25 * h / (h + previous), 0.0))

    def along(self, figure: Figure, old: Numbers, new: Numbers) -> "Extrapolation":
        """Return the same along the axes at coordinates new (nq); it is along those at coordinates old (nq)."""
        a, shift = (re_expressed(figure, old, new, x) for x in (self.acceleration, self.shift))
        return Extrapolation(a, shift, self.weight)

    def start_guess(self, v: Numbers, h: Scalar) -> list[Scalar]:
        """Return the velocities in the middle of a step of h [s] from those at its start (nv) and a alone."""
        return [x + 0.5 * h * a for x, a in zip(v, self.acceleration, strict=True)]

    def middle(self, v: Numbers, mean: Numbers, end: Numbers, h: Scalar) -> list[Scalar]:
        """Return v_m (nv) of a step of h [s]; v, mean, end: velocities at its start, their mean, those at its end."""
        parts = zip(v, mean, end, self.acceleration, strict=True)
        return [m - self.weight * (y - x - h * a) for x, m, y, a in parts]


def evaluated(
    figure: Figure,
    extrapolation: Extrapolation | None,
    landing: ExpectedLanding | None,
    start: tuple[list[Scalar], list[Scalar]],
    h: Scalar,
) -> tuple[list[Scalar], list[Scalar], list[Scalar], Extrapolation | None]:
    """Return q + h v / 2, q (nq) and v (nv) where a step of h [s] is evaluated, and the extrapolation along its axes.

    start: q and v at its start.
    """
    v = start[1]
    middle = moved(figure, *start, [0.5 * h * x for x in v])
    if extrapolation is None:
        there = middle if landing is None else moved(figure, *start, [landing.time * x for x in v])
        return middle[0], *there, None
    time = 0.5 * h if landing is None else landing.time
    q, v = moved(figure, *start, [time * x + y for x, y in zip(v, extrapolation.shift, strict=True)])
    return middle[0], q, v, extrapolation.along(figure, start[0], q)


def mean_acceleration(
    figure: Figure,
    before: tuple[list[Scalar], list[Scalar]],
    after: tuple[list[Scalar], list[Scalar]],
    h: Scalar,
) -> list[Scalar]:
    """Return the mean acceleration of a step of h [s] (nv), along the axes at its end.

    before, after: q (nq) where it is evaluated and at its end, and v (nv) at its start and end, along the axes of the
    first q.
    """
    rates = [(y - x) / h for x, y in zip(before[1], after[1], strict=True)]
    return re_expressed(figure, before[0], after[0], rates)


def pushing_changed(before: Impulses, after: Impulses, count: int) -> Scalar:
    """Return 1 if a contact or limit began or ceased to push in a step, else 0: accelerations then change at once.

    before, after: impulses of the step before and of the step, by block; count: number of contacts and limits, which
    come first.
    """
    changed: Scalar = 0.0
    for (p, *_), (p_new, *_) in zip(before[:count], after[:count], strict=True):
        changed = maximum(abs(where(p_new != 0.0, 1.0, 0.0) - where(p != 0.0, 1.0, 0.0)), changed)
    return changed


@dataclass(frozen=True, slots=True)
class Forces:
    """Forces on a figure in a step, without contact forces.

    tau: joint forces (nv), in the middle of the step [N m or N]. stiffness K, damping B: decrease of tau per position
    and velocity (nv), 0 or more. f_ext, gravity: as for aba(). compliant: springs and dampers along other directions.
    mean_damping: the part of the dampers that acts on the mean velocity of the step (nv); empty for none.
    extrapolation: what is known from the accelerations of the step before; None: nothing.
    """

    tau: Sequence[Scalar]
    stiffness: Sequence[Scalar]
    damping: Sequence[Scalar]
    f_ext: Mapping[int, Force] = field(default_factory=lambda: NOTHING)
    gravity: Gravity = STANDARD_GRAVITY
    compliant: Sequence[CompliantRow] = ()
    mean_damping: Sequence[Scalar] = ()
    extrapolation: Extrapolation | None = None


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
    extrapolation = forces.extrapolation
    early = list(state.v) if extrapolation is None else extrapolation.start_guess(state.v, h)
    if landing is None:

        @shared
        def bias_at(v: list[Scalar]) -> list[Scalar]:
            return bias_force(state.moving(v), forces)

        first_guess = constrain(_after_forces(state.v, bias_at(early), forces, factors, before, h))
        middle = factors.outward([0.5 * (a + b) for a, b in zip(before, first_guess, strict=True)])
        if extrapolation is not None:
            middle = extrapolation.middle(state.v, middle, factors.outward(first_guess), h)
        return FreeVelocity(factors, before, _after_forces(state.v, bias_at(middle), forces, factors, before, h))
    constant, lands = bias_force(state.at_rest(), forces), landing.expected > 0.5
    bias_nearby = _bias_nearby(state, constant)
    bias = bias_nearby(early, where(lands, -0.5 * landing.time, 0.0))
    first_guess = constrain(_after_forces(state.v, bias, forces, factors, before, h))
    weight = where(lands, 0.0, 0.5)
    later = factors.outward([weight * a + (1.0 - weight) * b for a, b in zip(before, first_guess, strict=True)])
    if extrapolation is not None:
        later = extrapolation.middle(state.v, later, factors.outward(first_guess), h)
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


def increment_of(
    forces: Forces, free: FreeVelocity, displacement: Numbers, v: list[Scalar], has_event: Scalar, h: Scalar
) -> list[Scalar]:
    """Return the displacement (nv) of a step of h [s] from that of the coordinates u.

    v: velocities at its end (nv). has_event: see StepResult.
    """
    if forces.extrapolation is None and is_constant(has_event, 0.0):
        return [0.5 * h * x for x in v]
    return free.factors.outward(displacement)
