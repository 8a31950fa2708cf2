"""Inertias, velocities and contact forces of bodies about the common centre of mass, as MuJoCo defines them.

With c the centre of mass of the figure, r = x - c from it to the centre x of a body of mass m, and axes of the world:

    cinert  = (xx, yy, zz, xy, xz, yz of I about c, m r, m)
    cvel    = (w, v of the point of the body at c)
    cfrc    = sum over contacts of ((p - c) x f, f)

[MuJoCo documentation, mjData: cinert, cvel, cfrc_ext]
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import Kinematics, centre_of_mass, kinematics
from gambol.figure import Figure, PlacedLink
from gambol.lanes import Scalar
from gambol.spatial import Vector
from gambol.spatial.inertia import RigidInertia
from gambol.world import World
from gambol.world.contacts import Contacts
from gambol.world.context import StepContext
from gambol.world.step import StepState

Floats = NDArray[np.float64]


def massive_links(figure: Figure) -> list[PlacedLink]:
    """Return the links with mass, in order: the bodies of MJCF. Links without mass are between several joints of one
    body.
    """
    return [link for link in figure.links if link.mass_properties.mass > 0.0]


def centre(world: World, step_state: StepState, numbers: Mapping[str, Any], table: Any) -> list[Scalar]:
    """Return the centre of mass in the world (3) [m]."""
    return list(centre_of_mass(_kinematics(world, step_state, numbers, table)))


def centre_and_bodies(world: World, step_state: StepState, numbers: Mapping[str, Any], table: Any) -> list[Scalar]:
    """Return the centre of mass (3), then cinert (10) of all bodies, then cvel (6) of all bodies."""
    state = _kinematics(world, step_state, numbers, table)
    c, bodies = centre_of_mass(state), massive_links(world.figure)
    inertias = [x for link in bodies for x in _inertia(state, link, c)]
    return [*c, *inertias, *(x for link in bodies for x in _velocity(state, link, c))]


def _kinematics(world: World, step_state: StepState, numbers: Mapping[str, Any], table: Any) -> Kinematics:
    figure = StepContext.of(world, numbers, table).world.figure
    return kinematics(figure, step_state.q, step_state.v)


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


def contact_forces(figure: Figure, touching: Contacts, centres: Floats) -> Floats:
    """Return cfrc (W, bodies, 6) of all bodies.

    touching: the contacts of W worlds. centres (W, 3): their centres of mass [m].
    """
    body_of = {link.index - 1: k for k, link in enumerate(massive_links(figure))}
    forces = np.zeros((len(centres), len(body_of), 6))
    arms = touching.point - centres[touching.lane]
    wrenches = np.concatenate([np.cross(arms, touching.force), touching.force], axis=1)
    for links, sign in ((touching.link, 1.0), (touching.other, -1.0)):
        rows = np.flatnonzero(links >= 0)
        bodies = np.array([body_of[k] for k in links[rows].tolist()], np.intp)
        np.add.at(forces, (touching.lane[rows], bodies), sign * wrenches[rows])
    return forces
