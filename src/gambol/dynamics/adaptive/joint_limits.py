"""Hard limits of the active joints of a hybrid body: the joints that are near a limit, and how near."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.adaptive.hybrid import Block, HybridBody
from gambol.errors import WorldError
from gambol.figure import JOINTS, Figure, JointSpring

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

MARGIN = 0.01
"""Distance from a limit from which on it is part of the contact problem [rad or m]; it acts only when it is reached."""

STEPS_AHEAD = 2.0
"""A limit that would be reached in this many steps at the present speed is part of the problem, too."""


def hard_limits(figure: Figure, springs: Mapping[str, tuple[JointSpring, ...]]) -> Array:
    """Return lower and upper limits (2, L) of joints with one degree of freedom; infinite for others.

    Raises WorldError for limits of joints with several degrees of freedom that no spring could hold.
    """
    limits = np.array([[-np.inf], [np.inf]]) * np.ones(len(figure.links))
    for k, link in enumerate(figure.links):
        given = springs.get(link.name, ())
        if len(given) == 1 and JOINTS[link.joint.kind].nv == 1:
            limits[:, k] = given[0].lower, given[0].upper
        elif any(np.isfinite([s.lower, s.upper]).any() and not s.limit_stiffness for s in given):
            raise WorldError(
                f'adaptive dynamics of "{figure.name}": limits of "{link.name}" cannot be hard, since its '
                f"{link.joint.kind} joint has several degrees of freedom; give them a limit_stiffness"
            )
    return limits


def without_limits(
    figure: Figure, springs: Mapping[str, tuple[JointSpring, ...]]
) -> dict[str, tuple[JointSpring, ...]]:
    """Return springs without the soft limits of joints with one degree of freedom."""
    kinds = {link.name: link.joint.kind for link in figure.links}
    return {
        name: tuple(
            replace(spring, lower=-np.inf, upper=np.inf) if JOINTS[kinds[name]].nv == 1 else spring for spring in given
        )
        for name, given in springs.items()
    }


@dataclass(frozen=True, slots=True)
class NearLimits:
    """Limits that can be reached in a step: of which joint (k), 1 for a lower and -1 for an upper one, and how far."""

    joint: Indices
    sign: Array
    distance: Array


class GroupLimits:
    """The limits of the joints of a hybrid body; links (n): index of the link of each joint, limits: hard_limits()."""

    def __init__(self, body: HybridBody, links: Indices, limits: Array) -> None:
        of_joint: Array = np.where(links >= 0, limits[:, links], np.array([[-np.inf], [np.inf]]))
        has = np.isfinite(of_joint[0]) | np.isfinite(of_joint[1])
        self._blocks: list[tuple[Block, Indices, Array]] = []
        for block in body.blocks:
            at = np.flatnonzero(has[block.joints])
            if len(at):
                self._blocks.append((block, at, of_joint[:, block.joints[at]]))

    def near(self, h: float) -> NearLimits:
        """Return the limits that are near in the present state; h: length of a step [s]."""
        joints, signs, distances = [np.zeros(0, int)], [np.zeros(0)], [np.zeros(0)]
        for block, at, limits in self._blocks:
            q, v = block.q[0, at], block.v[0, at]
            below, above = q - limits[0], limits[1] - q
            is_lower = below < above
            distance = np.minimum(below, above)
            near = distance < MARGIN + STEPS_AHEAD * h * abs(v)
            joints.append(block.joints[at[near]])
            signs.append(np.where(is_lower, 1.0, -1.0)[near])
            distances.append(distance[near])
        return NearLimits(np.concatenate(joints), np.concatenate(signs), np.concatenate(distances))


NO_LIMITS = NearLimits(np.zeros(0, int), np.zeros(0), np.zeros(0))
