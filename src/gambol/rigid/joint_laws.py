"""Laws of the free motions of joints in a step: springs, dampers, friction, motors and limits of one motion each.

    p = p_f + p_s + p_c + p_l          u' = u_0 + S p      u_0: speed without p;  S: its change by a unit impulse
    p_f = f - c u'                     springs, dampers, rotors and constant forces
    p_s = clamp(f_s - c_s u', +-P_s)   servo
    |p_c| <= P_c, opposite to u', or u' = 0                friction
    p_l >= 0 and u' >= lower, one of them an equation;  the same with the other sign for upper         hard limits

All parts decrease with u', so the solution is unique: friction first, then the servo, then limits. A spring k with a
damper d acts at t: h t of the step is over, u_t = (1 - t) u + t u',

    p_f = -h (k (q + h t u_t - q_0) + d u_t),      t = max(1/2, 1 - 1/a),  a = h S (h k + d)

With t = 1/2 a step is of second order, and a spring keeps its energy; a larger t keeps stiff ones from alternating.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from gambol.lanes import Scalar, clamp, maximum, where
from gambol.rigid.prepare import least_displacement

ROWS = 6
"""Rows of a joint: three of rotation and three of translation."""

Six = tuple[Scalar, ...]
SIX: Six = (0.0,) * ROWS

Rows: TypeAlias = Any
"""Six scalars, one for each motion; in the functions of one motion, its scalar."""


class LawNumbers(NamedTuple):
    """The numbers of all motions of joints, in SI units; each field has six rows, of rotation and of translation.

    stiffness, rest, damping, friction: of springs. bias: constant torque or force. lower, upper: hard limits;
    soft_lower, soft_upper: soft ones, with limit_stiffness and limit_damping. rotor: reflected inertia.
    servo_stiffness, servo_damping, strength: of servos; target_lower, target_upper: range of their targets.
    """

    stiffness: Rows = SIX
    rest: Rows = SIX
    damping: Rows = SIX
    friction: Rows = SIX
    bias: Rows = SIX
    lower: Rows = SIX
    upper: Rows = SIX
    soft_lower: Rows = SIX
    soft_upper: Rows = SIX
    limit_stiffness: Rows = SIX
    limit_damping: Rows = SIX
    rotor: Rows = SIX
    servo_stiffness: Rows = SIX
    servo_damping: Rows = SIX
    strength: Rows = SIX
    target_lower: Rows = SIX
    target_upper: Rows = SIX


class StepLaws(NamedTuple):
    """The laws of all motions in a step, see above; each field has six rows.

    force: f; servo, slope, strength: f_s, c_s, P_s; friction: P_c; lower, upper: of u'. softness: 1 / (1 + S c), of
    which `with_servo` has c + c_s. inverse: 1 / S, or 0 where S is 0.
    """

    force: Rows = SIX
    servo: Rows = SIX
    slope: Rows = SIX
    strength: Rows = SIX
    friction: Rows = SIX
    lower: Rows = SIX
    upper: Rows = SIX
    softness: Rows = SIX
    with_servo: Rows = SIX
    inverse: Rows = SIX


class Parts(NamedTuple):
    """What p_f consists of, for the ledger: f and c of springs and of dampers, the rotor, and the constant impulse."""

    spring: Rows = SIX
    spring_slope: Rows = SIX
    damper: Rows = SIX
    damper_slope: Rows = SIX
    rotor: Rows = SIX
    constant: Rows = SIX


@dataclass(frozen=True, slots=True)
class RowState:
    """One motion as a step begins: its coordinate q, its speed u, and S."""

    q: Scalar
    u: Scalar
    S: Scalar


def step_laws(
    numbers: LawNumbers, states: list[RowState], targets: Six, torques: list[Scalar], h: Scalar
) -> tuple[StepLaws, tuple[Six, Six], Parts]:
    """Return the laws of a step, the gaps of lower and upper hard limits, and the parts of p_f.

    targets: of servos; torques: in addition to the bias (6 each); h: step [s]. Gaps of motions that are locked are
    infinite.
    """
    rows = [
        _row(LawNumbers(*(field[i] for field in numbers)), state, targets[i], torques[i], h)
        for i, state in enumerate(states)
    ]
    laws, gaps, parts = (tuple(zip(*(row[k] for row in rows), strict=True)) for k in range(3))
    return StepLaws(*laws), (gaps[0], gaps[1]), Parts(*parts)


def _row(
    n: LawNumbers, at: RowState, target: Scalar, torque: Scalar, h: Scalar
) -> tuple[tuple[Scalar, ...], tuple[Scalar, Scalar], tuple[Scalar, ...]]:
    """Return the fields of StepLaws, the gaps, and the fields of Parts for one motion; n: its numbers."""
    q, u, S = at.q, at.u, at.S
    ahead = q + 0.5 * h * u
    is_below, is_above = ahead < n.soft_lower, ahead > n.soft_upper
    beyond = is_below | is_above
    end = where(is_below, n.soft_lower, where(is_above, n.soft_upper, 0.0))
    k_limit = where(beyond, n.limit_stiffness, 0.0)
    d = n.damping + where(beyond, n.limit_damping, 0.0)
    k, k_s, d_s = n.stiffness + k_limit, n.servo_stiffness, n.servo_damping
    a = h * S / (1.0 + S * n.rotor) * (h * (k + k_s) + d + d_s)
    t = maximum(0.5, 1.0 - 1.0 / maximum(a, 1.0))
    early = (1.0 - t) * u  # u_t = early + t u'
    start = q + h * t * early
    spring = -h * (n.stiffness * (start - n.rest) + k_limit * (start - end))
    spring_slope, damper, damper_slope = h * h * t * t * k, -h * d * early, h * t * d
    constant = h * (n.bias + torque)
    f, c = spring + damper + n.rotor * u + constant, spring_slope + damper_slope + n.rotor
    goal = clamp(target, n.target_lower, n.target_upper)
    f_s, c_s = h * (k_s * (goal - start) - d_s * early), h * t * (h * t * k_s + d_s)
    moves = S > 0.0
    below, above = where(moves, q - n.lower, n.upper - n.lower), where(moves, n.upper - q, n.upper - n.lower)
    inverse = where(moves, 1.0 / where(moves, S, 1.0), 0.0)
    speeds = -maximum(below, 0.0) / h, maximum(above, 0.0) / h
    laws = (
        f,
        f_s,
        c_s,
        h * n.strength,
        h * n.friction,
        *speeds,
        1.0 / (1.0 + S * c),
        1.0 / (1.0 + S * (c + c_s)),
        inverse,
    )
    return laws, (below, above), (spring, spring_slope, damper, damper_slope, n.rotor, constant)


def row_impulse(law: StepLaws, u_0: Scalar, S: Scalar) -> Scalar:
    """Return p of one motion; law: its numbers; u_0: its speed without p."""
    needed = -u_0 * law.inverse - law.force - clamp(law.servo, -law.strength, law.strength)
    free = u_0 + S * (law.force + clamp(needed, -law.friction, law.friction))
    u = (free + S * law.servo) * law.with_servo
    wanted = law.servo - law.slope * u
    limited = clamp(wanted, -law.strength, law.strength)
    u = where(wanted == limited, u, (free + S * limited) * law.softness)
    return (clamp(u, law.lower, law.upper) - u_0) * law.inverse


def works(
    laws: StepLaws, parts: Parts, speeds: tuple[list[Scalar], list[Scalar], list[Scalar]], p: list[Scalar]
) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """Return the work of springs and rotors, of dampers and friction, of motors and of hard limits [J].

    speeds: u before, on average, and after the step; p: impulses (6 each).
    """
    stored, damped, driven, limited = 0.0, 0.0, 0.0, 0.0
    for i, (before, mean, after) in enumerate(zip(*speeds, strict=True)):
        law, part = StepLaws(*(field[i] for field in laws)), Parts(*(field[i] for field in parts))
        spring = part.spring - part.spring_slope * after + part.rotor * (before - after)
        damper = part.damper - part.damper_slope * after
        motor = part.constant + clamp(law.servo - law.slope * after, -law.strength, law.strength)
        rest = p[i] - spring - damper - motor
        friction = clamp(rest, -law.friction, law.friction)
        stored, damped = stored + spring * mean, damped + (damper + friction) * mean
        driven, limited = driven + motor * mean, limited + (rest - friction) * mean
    return stored, damped, driven, limited


def missing(gaps: tuple[Six, Six], moved: list[Scalar]) -> list[Scalar]:
    """Return by how much displacements are short of what hard limits need, 0 or more [rad, m]."""
    return [
        maximum(least_displacement(below) - x, 0.0) + maximum(least_displacement(above) + x, 0.0)
        for below, above, x in zip(*gaps, moved, strict=True)
    ]
