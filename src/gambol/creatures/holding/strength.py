"""The torques that a pose requires, and the motors that are too weak for them.

    tau_j = d/dq_j (m g z_c - sum f_k z_k)        sum f_k (1, x_k, y_k) = m g (1, x_c, y_c)

f_k: vertical forces of the ground on the points of the feet. On more than three points many forces are possible; those
with the least sum of squares are used. A fixed base carries all of the weight, f = 0.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from gambol.creatures.holding.pose import DIFFERENCE
from gambol.creatures.holding.support import Support
from gambol.dynamics.states import centre_of_mass

LOG = logging.getLogger("gambol.creatures")
Array = NDArray[np.float64]


def pose_torques(support: Support, q: Array, joints: Sequence[str], gravity: float, *, free: bool) -> dict[str, float]:
    """Return the torque or force that holds each joint in a pose, by the name of its link [N m or N].

    support: its feet. q (nq,): the pose. joints: names of links with joints of one coordinate. gravity: downward
    [m/s2]. free: True if the base is free and stands on the feet.
    """
    figure = support.figure
    weight = figure.mass * gravity
    moved = np.repeat(q[None], 2 * len(joints), axis=0)
    for k, name in enumerate(joints):
        index = figure.link(name).q.start
        moved[2 * k, index] += DIFFERENCE
        moved[2 * k + 1, index] -= DIFFERENCE
    work = weight * centre_of_mass(figure, moved)[:, 2]
    if free and support.feet:
        points = np.concatenate(support.points(q))
        rows = np.stack([np.ones(len(points)), points[:, 0], points[:, 1]])
        forces = np.linalg.lstsq(rows, weight * np.array([1.0, *centre_of_mass(figure, q)[:2]]))[0]
        work -= np.concatenate(support.points(moved), axis=-2)[..., 2] @ forces
    return dict(zip(joints, ((work[::2] - work[1::2]) / (2.0 * DIFFERENCE)).tolist(), strict=True))


def note_on_weak_motors(torques: Mapping[str, float], strengths: Mapping[str, tuple[str, float]]) -> str:
    """Return a sentence on motors that are too weak for a pose, which is also logged as a warning; "" without any.

    torques: of the pose, by joint. strengths: name and largest torque of the motor of each joint [N m or N].
    """
    weak = [
        f"{name} ({strength:.3g} of {abs(torques[joint]):.3g} N m or N)"
        for joint, (name, strength) in strengths.items()
        if abs(torques[joint]) > strength
    ]
    if not weak:
        return ""
    note = f"These motors are too weak for the pose, so it will sink: {', '.join(weak)}."
    LOG.warning(note)
    return note
