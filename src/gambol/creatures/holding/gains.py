"""Gains of servos that hold a pose, from the masses that their joints carry.

A joint divides the figure into two parts. It carries the outer part, or, if a foot of the outer part stands on the
ground, the inner part. S is the motion of the carried part at a unit velocity of the joint, while the other part is at
rest:

    I = S^T I_c S         inertia about the joint, of the carried part, with the rotor           [kg m2 or kg]
    G = g |sum m v_c(S)|  largest torque or force of its weight, in the worst direction of gravity  [N m or N]
    k = max(G / d, I g / (d L))        d = 0.05 rad (or 0.05 L)
    c = 2 z sqrt(k I)                  z = 1: critical damping of the carried part

So the weight bends each joint by at most d, and a joint with a balanced part has the frequency of a pendulum of length
d L; L is the figure's size. The ankle of an upright figure has 1 / d = 20 times the stiffness G below which the figure
would fall. Several legs share the weight, and sag by less.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from gambol.dynamics import STANDARD_GRAVITY
from gambol.dynamics.states import LinkStates, kinematics
from gambol.figure import Figure, PlacedLink

SAG = 0.05
"""d: angle by which weight in the worst direction turns a joint [rad]; of a prismatic one, its travel / size."""

DAMPING_RATIO = 1.0
"""z: critical, so that the figure does not oscillate."""


@dataclass(frozen=True, slots=True)
class CarriedPart:
    """The part of a figure that a joint carries: its I and G, see the docstring of this module."""

    inertia: float
    weight: float


def hold_gains(figure: Figure, q: list[float], size: float, feet: Collection[str]) -> dict[str, tuple[float, float]]:
    """Return stiffness and damping for each joint with one degree of freedom, by the name of its link.

    q (nq): the pose. size: size of the figure [m]. feet: names of the links that stand on the ground. Units are N m/rad
    and N m s/rad, or N/m and N s/m.
    """
    states, standing = kinematics(figure, q), {figure.link(name).index for name in feet}
    gains: dict[str, tuple[float, float]] = {}
    for link in figure.links:
        if link.v.stop - link.v.start == 1:
            part, turns = carried_part(states, link, standing), link.joint.kind != "prismatic"
            sag = SAG * (1.0 if turns else size)
            k = max(part.weight / sag, part.inertia * STANDARD_GRAVITY / (SAG * size))
            gains[link.name] = (k, 2.0 * DAMPING_RATIO * math.sqrt(k * part.inertia))
    return gains


def carried_part(states: LinkStates, link: PlacedLink, standing: Collection[int]) -> CarriedPart:
    """Return the part that a joint carries.

    states: states of one state. link: link of the joint. standing: indices of feet.
    """
    figure = states.state.figure
    outer = _subtree(figure, link.index)
    carried = [k for k in range(1, len(figure.links) + 1) if k not in outer] if outer & set(standing) else list(outer)
    column = states.jacobian(link.name)[:, link.v.start]
    w, v, origin = column[:3], column[3:], states.position[link.index - 1]
    inertia, moment = float(link.joint.armature), np.zeros(3)
    for k in carried:
        body = figure.links[k - 1].mass_properties
        R, position = states.rotation[k - 1], states.position[k - 1]
        v_c = v + np.cross(w, position + R @ np.array(body.com) - origin)
        w_B = R.T @ w
        inertia += float(body.mass * (v_c @ v_c) + w_B @ np.array(body.inertia) @ w_B)
        moment += body.mass * v_c
    return CarriedPart(inertia, STANDARD_GRAVITY * float(np.linalg.norm(moment)))


def _subtree(figure: Figure, index: int) -> set[int]:
    """Return the indices of a link and of all its descendants."""
    members = {index}
    for link in figure.links:
        if link.parent_index in members:
            members.add(link.index)
    return members
