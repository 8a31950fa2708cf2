"""The contact set of a step: contacts within the capacity, joint limits, dry friction; and the contact cache."""

from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from functools import partial

from gambol.collide.gap import FAR
from gambol.contact.generation.joint_constraints import (
    dry_frictions,
    friction_joints,
    joint_limits,
    limited_joints,
    loop_jacobians,
    rest_kinematics,
)
from gambol.contact.generation.nearest import nearest_contacts
from gambol.contact.generation.scene import ConstraintScene, StepScene
from gambol.contact.generation.sources import ContactSource, contact_sources, slot_count
from gambol.contact.memory import ContactCache
from gambol.contact.penalty.law import StickyFoot
from gambol.contact.penalty.patch import PointForce
from gambol.contact.stepping.constraints import Constraints
from gambol.contact.stepping.contact import Candidate, Contact, contact_signs, matched_values, signs_by_number
from gambol.dynamics import Kinematics
from gambol.dynamics.forward.crba import has_long_paths
from gambol.lanes import Scalar, exp, where
from gambol.spatial import Vector
from gambol.spatial.vector import ZERO


def stances(scene: ConstraintScene, stance_of: Callable[[str], Scalar], indices: Sequence[Scalar]) -> list[Scalar]:
    """Return 1 for each contact of a foot whose leg stands, else 0.

    stance_of: returns 1 for a foot, given by name, whose leg stands, else 0. indices: indices of the contacts.
    """
    flags: list[Scalar] = [0.0] * len(indices)
    for source in contact_sources(scene):
        name = scene.figure.links[source.link - 1].name
        if source.other or name not in scene.feet:
            continue
        stance, low, high = stance_of(name), float(source.first), float(source.first + source.count - 1)
        flags = [
            where((index >= low) & (index <= high), stance, flag) for index, flag in zip(indices, flags, strict=True)
        ]
    return flags


def with_sticking(contacts: Sequence[Contact], stance: Sequence[Scalar], previous: Sequence[Scalar]) -> list[Contact]:
    """Return the contacts with `held` = 1 if they stuck in the previous step and their legs stand, else 0.

    stance: 1 for contacts whose legs stand, else 0. previous: 1 for contacts that stuck, else 0.
    """
    rows = zip(contacts, stance, previous, strict=True)
    return [
        replace(contact, held=where((standing > 0.5) & (stuck > 0.5), 1.0, 0.0)) for contact, standing, stuck in rows
    ]


def sticking_after(
    foot: StickyFoot,
    stance: Sequence[Scalar],
    gaps: Sequence[Scalar],
    impulses: Sequence[Sequence[Scalar]],
    h: Scalar,
    touch_distance: Scalar,
) -> list[Scalar]:
    """Return 1 for contacts that stick in the next step: feet of standing legs that touch and did not break loose.

    foot: parameters of sticky feet. stance: 1 if the leg stands. gaps: gaps after a step of h [s]; a contact touches if
    its gap is at most touch_distance [m]. impulses: impulses of the step [N s].
    """
    strength = foot.alpha * (exp(foot.beta * foot.reach) - 1.0)
    rows = zip(stance, gaps, impulses, strict=False)
    return [
        where((standing > 0.5) & (gap <= touch_distance) & (p[0] >= -strength * h), 1.0, 0.0)
        for standing, gap, p in rows
    ]


def contact_count(scene: ConstraintScene) -> int:
    """Return the number of all possible contacts."""
    return sum(source.count for source in contact_sources(scene))


def empty_cache(
    scene: ConstraintScene,
    *,
    with_speeds: bool,
    may_limit_restitution: bool = False,
    expects_landings: bool = False,
    with_acceleration: bool = False,
) -> ContactCache:
    """Return the contact cache before the first step.

    with_speeds: True if the method needs the speeds of contacts after the last step. may_limit_restitution: True if it
    may reduce impulses because restitution would add energy. expects_landings: True if steps are evaluated where a
    landing is expected. with_acceleration: True if it needs the acceleration of the last step.
    """
    contacts = slot_count(scene)
    joint_rows = (
        len(limited_joints(scene)) + len(friction_joints(scene)) + len(loop_jacobians(rest_kinematics(scene.figure)))
    )
    indices = [-1.0] * contacts if contact_count(scene) > contacts else []
    sticking = [0.0] * contacts if scene.sticky else []
    over_capacity = [0.0] * bool(indices)
    restitution_limited = [0.0] if may_limit_restitution else []
    impulses = [[0.0] * 3] * contacts + [[0.0]] * joint_rows
    speeds = [[0.0] * 3] * contacts if with_speeds else []
    landing = [0.0] if expects_landings and (contacts or limited_joints(scene)) else []
    return ContactCache(
        impulses,
        list(indices),
        sticking=sticking,
        over_capacity=over_capacity,
        restitution_limited=restitution_limited,
        speeds=speeds,
        next_landing=landing,
        had_event=[0.0] if landing or with_acceleration else [],
        acceleration=[0.0] * (scene.figure.nv if with_acceleration else 0),
        changed=[0.0] * (with_acceleration and scene.figure.nv > 0),
    )


def active_contacts(
    scene: StepScene, state: Kinematics, q: Sequence[Scalar], h: Scalar
) -> tuple[Constraints, list[Scalar]]:
    """Return the constraints of a step, and the indices of its contacts among all possible ones.

    state, q: kinematics and coordinates (nq) at which they are evaluated. h: length of the step [s]. If all possible
    contacts fit into the capacity, the list of indices is empty.
    """
    indices: list[Scalar] = []
    excess: Scalar = 0.0
    if contact_count(scene) <= slot_count(scene):
        contacts = all_contacts(scene, state)
    else:
        contacts, indices, excess = nearest_contacts(scene, state, h)
    return Constraints(
        contacts, joint_limits(scene, q, state.v, h), dry_frictions(scene), loop_jacobians(state), excess
    ), indices


def count_over_capacity(cache: ContactCache, constraints: Constraints) -> list[Scalar]:
    """Return ContactCache.over_capacity after a step with these constraints."""
    return [steps + where(constraints.excess > 0.0, 1.0, 0.0) for steps in cache.over_capacity]


def warm_start(cache: ContactCache, indices: Sequence[Scalar]) -> list[list[Scalar]]:
    """Return initial impulses: impulses of the previous step, matched by the indices of contacts."""
    if not indices:
        return cache.impulses
    contacts = len(indices)
    return matched_values(indices, cache.indices, cache.impulses[:contacts]) + cache.impulses[contacts:]


def scaled_impulses(impulses: list[list[Scalar]], previous: Scalar, h: Scalar) -> list[list[Scalar]]:
    """Return the impulses that the same forces have in a step of h. previous: the length of their step, or 0 [s]."""
    ratio = where(previous > 0.0, h / where(previous > 0.0, previous, 1.0), 1.0)
    return [[ratio * p for p in each] for each in impulses]


def previous_speeds(cache: ContactCache, indices: Sequence[Scalar]) -> list[list[Scalar]]:
    """Return speeds of contacts at the end of the previous step, matched by the indices of contacts."""
    return matched_values(indices, cache.indices, cache.speeds) if indices else cache.speeds


def previous_sticking(cache: ContactCache, indices: Sequence[Scalar]) -> list[Scalar]:
    """Return 1 for contacts that stuck in the previous step, else 0, matched by the indices of contacts."""
    if not indices:
        return cache.sticking
    result: list[Scalar] = []
    for index in indices:
        pairs = zip(cache.indices, cache.sticking, strict=True)
        result.append(sum((where(index == old_index, sticking, 0.0) for old_index, sticking in pairs), 0.0))
    return result


def all_contacts(scene: StepScene, state: Kinematics) -> list[Contact]:
    """Return all possible contacts."""
    figure = state.figure
    signs = signs_by_number(figure) if has_long_paths(figure) else partial(contact_signs, figure)
    return [
        Contact(
            signs(source.link, source.other), c.point, c.normal, c.gap, c.friction, c.restitution, c.held, c.anisotropy
        )
        for source in contact_sources(scene)
        for c in _attached(scene, source, source.contacts(scene, state))
        if c.normal is not None and c.friction is not None and c.restitution is not None
    ]


def _attached(scene: StepScene, source: ContactSource, candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    """Return the candidates of a source, with the gap FAR if one of its links is cut off."""
    if not scene.inputs.fractions.keys() & {source.link, source.other}:
        return candidates
    attached = scene.if_attached(True, source.link, source.other)
    return [replace(c, gap=where(attached, c.gap, FAR)) for c in candidates]


def ground_normal_forces(scene: ConstraintScene, cache: ContactCache) -> dict[int, Scalar]:
    """Return the ground's mean normal force in the last step on each link, by link number [N]."""
    rate = _per_step(cache)
    result: dict[int, Scalar] = {}
    for source in contact_sources(scene):
        if source.other:
            continue
        low, high = float(source.first), float(source.first + source.count - 1)
        if cache.indices:
            pairs = zip(cache.indices, cache.impulses, strict=False)
            push = sum((where((index >= low) & (index <= high), p[0], 0.0) for index, p in pairs), 0.0)
        else:
            push = sum((p[0] for p in cache.impulses[source.first : source.first + source.count]), 0.0)
        result[source.link] = result.get(source.link, 0.0) + push * rate
    return result


def ground_forces(
    scene: ConstraintScene, points: Sequence[PointForce], cache: ContactCache, links: Container[int]
) -> dict[int, Vector]:
    """Return the ground's mean force in the last step on some links, by link number, in world axes [N].

    points: all possible contacts, each with its first tangent in place of the force, see ContactMethod.point_forces().
    links: numbers of the links.
    """
    rate = _per_step(cache)
    result: dict[int, Vector] = {}
    for source in contact_sources(scene):
        if source.other or source.link not in links:
            continue
        for number in range(source.first, source.first + source.count):
            normal, tangent = points[number].normal, points[number].force
            push, along, across = (rate * x for x in _impulse(cache, number))
            force = normal * push + tangent * along + normal.cross(tangent) * across
            result[source.link] = result.get(source.link, ZERO) + force
    return result


def _impulse(cache: ContactCache, number: int) -> list[Scalar]:
    """Return the last impulse of a contact (normal, two tangents) [N s]; number: among all possible contacts."""
    if not cache.indices:
        return cache.impulses[number]
    pairs = list(zip(cache.indices, cache.impulses, strict=False))
    return [sum((where(index == float(number), p[k], 0.0) for index, p in pairs), 0.0) for k in range(3)]


def _per_step(cache: ContactCache) -> Scalar:
    """Return 1 / the size of the last step [1/s], 0 before the first step."""
    has_step = cache.step_size > 0.0
    return where(has_step, 1.0 / where(has_step, cache.step_size, 1.0), 0.0)
