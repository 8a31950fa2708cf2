"""Laws of the free motions of joints in a step: springs, dampers, friction, motors and limits of one motion each.

    p = p_f + p_r                      p_r = p_s + p_c + p_l
    p_f = f - c u'                     springs, dampers, rotors, constant forces, and servos of unlimited strength
    p_s = clamp(f_s - c_s u', +-P_s)   servo
    |p_c| <= P_c, opposite to u', or u' = 0                friction
    p_l >= 0 and u' >= lower, one of them an equation;  the same with the other sign for upper         hard limits

p_f belongs to the articulated bodies, see articulated.py. p_r is a row of the sweeps, with u' = u_0 + S p_r. Its parts
decrease with u', so the solution is unique: friction first, then the servo, then limits. A spring k with a damper d
acts at t: h t of the step is over, u_t = (1 - t) u + t u',

    p_f = -h (k (q + h t u_t - q_0) + d u_t),      t = max(1/2, 1 - 1/a),  a = h S_2 (h k + d)     S_2: of two bodies

With t = 1/2 a step is of second order, and a spring keeps its energy; a larger t keeps stiff ones from alternating.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from gambol.lanes import Scalar, clamp, maximum, where
from gambol.rigid.prepare import least_displacement

ROWS = 6
"""Rows of a joint: three of rotation and three of translation."""

Six = tuple[Scalar, ...]
SIX: Six = (0.0,) * ROWS

UNLIMITED = math.inf
"""The strength of a servo whose law is linear."""

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

    force, drag: f, c; servo, slope, strength: f_s, c_s, P_s; friction: P_c; lower, upper: of u'.
    """

    force: Rows = SIX
    drag: Rows = SIX
    servo: Rows = SIX
    slope: Rows = SIX
    strength: Rows = SIX
    friction: Rows = SIX
    lower: Rows = SIX
    upper: Rows = SIX


class RowLaw(NamedTuple):
    """The law of one row in a step: fields of StepLaws, without the servo if that is linear.

    response: S; inverse: 1 / S, 0 for S = 0; softness: 1 / (1 + S c_s).
    """

    servo: Scalar = 0.0
    slope: Scalar = 0.0
    strength: Scalar = 0.0
    friction: Scalar = 0.0
    lower: Scalar = 0.0
    upper: Scalar = 0.0
    response: Scalar = 0.0
    inverse: Scalar = 0.0
    softness: Scalar = 0.0


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
    """One motion as a step begins: its coordinate q, its speed u, and S_2."""

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
    speeds = -maximum(below, 0.0) / h, maximum(above, 0.0) / h
    is_linear = n.strength == UNLIMITED
    force, drag = f + where(is_linear, f_s, 0.0), c + where(is_linear, c_s, 0.0)
    laws = (where(moves, force, 0.0), where(moves, drag, 0.0), f_s, c_s, h * n.strength, h * n.friction, *speeds)
    return laws, (below, above), (spring, spring_slope, damper, damper_slope, n.rotor, constant)


def row_impulse(law: RowLaw, u_0: Scalar) -> Scalar:
    """Return p_r of one motion; u_0: its speed without p_r."""
    S = law.response
    needed = -u_0 * law.inverse - clamp(law.servo, -law.strength, law.strength)
    free = u_0 + S * clamp(needed, -law.friction, law.friction)
    u = (free + S * law.servo) * law.softness
    wanted = law.servo - law.slope * u
    limited = clamp(wanted, -law.strength, law.strength)
    u = where(wanted == limited, u, free + S * limited)
    return (clamp(u, law.lower, law.upper) - u_0) * law.inverse


def works(
    laws: StepLaws, parts: Parts, speeds: tuple[list[Scalar], list[Scalar], list[Scalar]], p: list[Scalar]
) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """Return the work of springs and rotors, of dampers and friction, of motors and of hard limits [J].

    speeds: u before, on average, and after the step; p: impulses p_r (6 each).
    """
    stored, damped, driven, limited = 0.0, 0.0, 0.0, 0.0
    for i, (before, mean, after) in enumerate(zip(*speeds, strict=True)):
        law, part = StepLaws(*(field[i] for field in laws)), Parts(*(field[i] for field in parts))
        spring = part.spring - part.spring_slope * after + part.rotor * (before - after)
        damper = part.damper - part.damper_slope * after
        servo = clamp(law.servo - law.slope * after, -law.strength, law.strength)
        motor = part.constant + servo
        rest = p[i] - where(law.strength == UNLIMITED, 0.0, servo)
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
