"""Inertias, velocities and contact forces of bodies about the common centre of mass, as MuJoCo defines them.

With c the centre of mass of the figure, r = x - c from it to the centre x of a body of mass m, and axes of the world:

    cinert  = (xx, yy, zz, xy, xz, yz of I about c, m r, m)
    cvel    = (w, v of the point of the body at c)
    cfrc    = sum over contacts of ((p - c) x f, f)

[MuJoCo documentation, mjData: cinert, cvel, cfrc_ext]
"""

from collections.abc import Mapping
from typing import Any

from gambol.dynamics import Kinematics, centre_of_mass, kinematics
from gambol.figure import Figure, PlacedLink
from gambol.lanes import Scalar
from gambol.spatial import Vector
from gambol.spatial.inertia import RigidInertia
from gambol.world import World
from gambol.world.context import Memory, StepContext, StepTime
from gambol.world.step import StepState
from gambol.world.step.sensed_dynamics import SensedDynamics


def massive_links(figure: Figure) -> list[PlacedLink]:
    """Return the links with mass, in order: the bodies of MJCF.

    Links without mass are between several joints of one body.
    """
    return [link for link in figure.links if link.mass_properties.mass > 0.0]


def centre(world: World, step_state: StepState, numbers: Mapping[str, Any], table: Any) -> list[Scalar]:
    """Return the centre of mass in the world (3) [m]."""
    figure = StepContext.of(world, numbers, table).world.figure
    return list(centre_of_mass(kinematics(figure, step_state.q, step_state.v)))


def centre_and_contacts(world: World, step_state: StepState, numbers: Mapping[str, Any], table: Any) -> list[Scalar]:
    """Return the centre of mass (3), then cfrc (6) of all bodies."""
    context = StepContext.of(world, numbers, table)
    state = kinematics(context.world.figure, step_state.q, step_state.v)
    c = centre_of_mass(state)
    return [*c, *_contact_wrenches(context, state, step_state.memory, c)]


def centre_contacts_and_bodies(
    world: World, step_state: StepState, numbers: Mapping[str, Any], table: Any
) -> list[Scalar]:
    """Return the centre of mass (3), then of all bodies cfrc (6), cinert (10) and cvel (6), each for all of them."""
    context = StepContext.of(world, numbers, table)
    state = kinematics(context.world.figure, step_state.q, step_state.v)
    c, bodies = centre_of_mass(state), massive_links(world.figure)
    inertias = [x for link in bodies for x in _inertia(state, link, c)]
    velocities = [x for link in bodies for x in _velocity(state, link, c)]
    return [*c, *_contact_wrenches(context, state, step_state.memory, c), *inertias, *velocities]


def _inertia(state: Kinematics, link: PlacedLink, c: Vector) -> list[Scalar]:
    """Return cinert of a link."""
    own, X = link.mass_properties, state.poses[link.index]
    about_origin = RigidInertia.of(own.mass, Vector(*own.com), own.inertia).rotated(X.rotation)
    inertia = about_origin.shifted(X.position - c)
    S = inertia.I
    return [S.xx, S.yy, S.zz, S.xy, S.xz, S.yz, *inertia.h, inertia.m]


def _velocity(state: Kinematics, link: PlacedLink, c: Vector) -> list[Scalar]:
    """Return cvel of a link."""
    X, motion = state.poses[link.index], state.velocities[link.index]
    w = X.rotation @ motion.w
    return [*w, *(X.rotation @ motion.v).plus_cross(w, c - X.position)]


def _contact_wrenches(context: StepContext, state: Kinematics, memory: Memory, c: Vector) -> list[Scalar]:
    """Return cfrc (6) of all bodies: mean forces of the last step, about the centre of mass c."""
    bodies = massive_links(context.world.figure)
    wrenches: dict[int, list[Scalar]] = {link.index: [0.0] * 6 for link in bodies}
    for contact in SensedDynamics(context, state, memory, StepTime(0.0, 0.0, 0.0)).contacts:
        wrench = [*(contact.point - c).cross(contact.force), *contact.force]
        for link, sign in ((contact.link, 1.0), (contact.other, -1.0)):
            if link:
                wrenches[link] = [x + sign * y for x, y in zip(wrenches[link], wrench, strict=True)]
    return [x for link in bodies for x in wrenches[link.index]]
