"""Joint limits, dry friction and loop constraints of a step, as constraints for impulses."""

import math
from collections.abc import Mapping, Sequence

from gambol.collide.gap import FAR
from gambol.contact.generation.lookahead import LOOKAHEAD_STEPS
from gambol.contact.generation.scene import ConstraintScene, StepScene
from gambol.contact.stepping.constraints import DryFriction, Limit
from gambol.dynamics import Kinematics, kinematics
from gambol.dynamics.loops import jacobian_row, rows
from gambol.figure import JOINTS, Figure, JointSpring, PlacedLink, spring_slices
from gambol.lanes import Scalar, minimum, where
from gambol.spatial.rotation import is_constant

MIN_LIMIT_DISTANCE = 0.02
"""Distance below which a joint limit counts at any speed [rad or m]; see lookahead.MIN_CONTACT_GAP for contacts."""

JointDof = tuple[PlacedLink, int, int]
"""A link, the index of a spring in its joint, and the number of the spring's degree of freedom."""


def limited_joints(scene: ConstraintScene) -> list[JointDof]:
    """Return the joints with rigid limits: finite limits without stiffness and damping."""
    return [
        (link, spring_index, dof)
        for link, spring_index, dof, spring in _single_dof_springs(scene)
        if not (spring.limit_stiffness or spring.limit_damping)
        and (math.isfinite(spring.lower) or math.isfinite(spring.upper))
    ]


def friction_joints(scene: ConstraintScene) -> list[JointDof]:
    """Return the joints with dry friction."""
    return [
        (link, spring_index, dof) for link, spring_index, dof, spring in _single_dof_springs(scene) if spring.friction
    ]


def _single_dof_springs(scene: ConstraintScene) -> list[tuple[PlacedLink, int, int, JointSpring]]:
    """Return all springs with one degree of freedom, each as a JointDof and the spring."""
    result: list[tuple[PlacedLink, int, int, JointSpring]] = []
    for link in scene.figure.links:
        if link.name not in scene.springs:
            continue
        dof = link.v.start
        for spring_index, coordinates in enumerate(spring_slices(link.joint.kind)):
            is_single = coordinates.stop - coordinates.start == 1
            if is_single:
                result.append((link, spring_index, dof, scene.springs[link.name][spring_index]))
            dof += 1 if is_single else 3
    return result


def joint_limits(scene: StepScene, q: Sequence[Scalar], v: Sequence[Scalar], h: Scalar) -> list[Limit]:
    """Return the nearer limit of each limited joint, with the gap FAR if it cannot close in a step of h [s]."""
    result: list[Limit] = []
    bounds = scene.inputs.limits or {}
    for link, spring_index, dof in limited_joints(scene):
        x = q[link.q][spring_slices(link.joint.kind)[spring_index].start]
        lower, upper = bounds[link.name][spring_index]
        below, above = x - lower, upper - x
        sign, gap = where(below < above, 1.0, -1.0), minimum(below, above)
        counts = gap + minimum(sign * v[dof], 0.0) * (LOOKAHEAD_STEPS * h) < MIN_LIMIT_DISTANCE
        result.append(Limit({dof: sign}, where(counts, gap, FAR)))
    return result


def dry_frictions(scene: StepScene) -> list[DryFriction]:
    """Return the dry friction of each joint that has some."""
    springs = scene.inputs.springs
    return [
        DryFriction(dof, springs[link.name][spring_index]["friction"])
        for link, spring_index, dof in friction_joints(scene)
    ]


def loop_jacobians(state: Kinematics) -> list[Mapping[int, Scalar]]:
    """Return the Jacobian row of each loop constraint: its entries that are not 0, by degree of freedom."""
    jacobians = (jacobian_row(state, row) for row in rows(state)) if state.figure.constraints else ()
    return [{k: c for k, c in enumerate(J) if not is_constant(c, 0.0)} for J in jacobians]


def rest_kinematics(figure: Figure) -> Kinematics:
    """Return the kinematics of a figure with all joints at rest."""
    rest = [x for link in figure.links for x in JOINTS[link.joint.kind].rest]
    return kinematics(figure, rest, [0.0] * figure.nv)
