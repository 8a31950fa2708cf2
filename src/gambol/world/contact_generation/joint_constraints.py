"""Joint limits, dry friction and loop constraints, as constraints that impulses act on in a step."""

import math
from collections.abc import Mapping, Sequence

from gambol.collide.gap import FAR
from gambol.contact.stepping import DryFriction, Limit
from gambol.dynamics import Kinematics, kinematics
from gambol.dynamics.loops import jacobian_row, rows
from gambol.figure import JOINTS, Figure, JointSpring, PlacedLink, spring_slices
from gambol.lanes import Scalar, minimum, where
from gambol.spatial.rotation import exactly
from gambol.world.contact_generation.lookahead import STEPS_AHEAD
from gambol.world.context import StepContext
from gambol.world.world import World

NEAR = 0.02
"""Distance of a limit that counts, whatever the joint's speed [rad or m]; lookahead.py has the same for contacts."""

JointDof = tuple[PlacedLink, int, int]
"""A link, the place of its joint among its springs, and the number of its degree of freedom."""


def limited_joints(world: World) -> list[JointDof]:
    """Return joints with rigid limits: those without stiffness."""
    return [
        (link, place, freedom)
        for link, place, freedom, spring in _single_dof_springs(world)
        if not (spring.limit_stiffness or spring.limit_damping)
        and (math.isfinite(spring.lower) or math.isfinite(spring.upper))
    ]


def friction_joints(world: World) -> list[JointDof]:
    """Return joints with dry friction."""
    return [(link, place, freedom) for link, place, freedom, spring in _single_dof_springs(world) if spring.friction]


def _single_dof_springs(world: World) -> list[tuple[PlacedLink, int, int, JointSpring]]:
    """Return springs at places with one degree of freedom."""
    result: list[tuple[PlacedLink, int, int, JointSpring]] = []
    for link in world.sprung:
        freedom = link.v.start
        for k, place in enumerate(spring_slices(link.joint.kind)):
            is_single = place.stop - place.start == 1
            if is_single:
                result.append((link, k, freedom, world.resolved_springs[link.name][k]))
            freedom += 1 if is_single else 3
    return result


def joint_limits(context: StepContext, q: Sequence[Scalar], v: Sequence[Scalar], h: Scalar) -> list[Limit]:
    """Return the nearer limit of each limited joint; the gap is FAR where it does not count in a step of h [s]."""
    result: list[Limit] = []
    for link, k, freedom in limited_joints(context.world):
        x = q[link.q][spring_slices(link.joint.kind)[k].start]
        lower, upper = context.numbers["limits"][link.name][k]
        below, above = x - lower, upper - x
        sign, gap = where(below < above, 1.0, -1.0), minimum(below, above)
        near = gap + minimum(sign * v[freedom], 0.0) * (STEPS_AHEAD * h) < NEAR
        result.append(Limit({freedom: sign}, where(near, gap, FAR)))
    return result


def dry_frictions(context: StepContext) -> list[DryFriction]:
    """Return dry friction of each joint that has some."""
    springs = context.numbers["springs"]
    return [
        DryFriction(freedom, springs[link.name][k]["friction"]) for link, k, freedom in friction_joints(context.world)
    ]


def loop_jacobians(state: Kinematics) -> list[Mapping[int, Scalar]]:
    """Return the Jacobian row of each loop constraint, by number of degree of freedom."""
    jacobians = (jacobian_row(state, row) for row in rows(state)) if state.figure.constraints else ()
    return [{k: c for k, c in enumerate(J) if not exactly(c, 0.0)} for J in jacobians]


def rest_kinematics(figure: Figure) -> Kinematics:
    """Return the kinematics of a figure with all joints at rest."""
    rest = [x for link in figure.links for x in JOINTS[link.joint.kind].rest]
    return kinematics(figure, rest, [0.0] * figure.nv)
