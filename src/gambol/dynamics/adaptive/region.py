"""The choice of the active joints.

The error of a joint that is held for a time T is the largest change of speed that it would have at constant
accelerations:

    e^2 = max(v_j^2, (v_j + T q''_j)^2)             and for a part the weighted sum over its joints

For a part with all joints at rest this is T^2 times its metric. Making a part's joint active replaces the part by its
two parts, whose errors are not larger. So the joints of the parts with the largest errors are made active, until the
error of all passive joints is small enough, or there are enough active joints.
[Redon, Galoppo and Lin 2005, section 5.2]
"""

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.adaptive.choices import CHOSEN_FRACTION, STOPPED_FRACTION
from gambol.dynamics.adaptive.errors import PartErrors

Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]

LOOKAHEAD = 2
"""Accelerations are computed for this many times the chosen nodes: most will be chosen when the others are known."""


def greedy_region(errors: PartErrors, movable: Flags, limit: float, budget: int) -> tuple[Indices, float]:
    """Return the nodes with active joints, and the remaining squared error, summed over all passive joints.

    errors: errors of the parts; its accelerations are extended to all nodes that are chosen. movable: False for rigid
    joints, which do not count. limit: limit of the remaining error. budget: largest number of active joints.
    """
    while True:
        nodes = np.flatnonzero(errors.error > 0.0)[::-1]
        nodes = nodes[
            np.argsort(-errors.error[nodes], kind="stable")
        ]  # where errors are equal, a part before its parts
        left = np.append(np.cumsum(errors.joint_error[nodes][::-1])[::-1], 0.0)
        enough = int(np.argmax(left <= limit))
        count = min(enough, int(np.searchsorted(np.cumsum(movable[nodes]), budget, side="right")))
        known = errors.known[nodes[: LOOKAHEAD * count]]
        if known[:count].all():
            return nodes[:count], float(left[count])
        errors.add_accelerations(nodes[: len(known)][~known])


def chosen_region(errors: PartErrors, active: Flags, movable: Flags, limit: float, budget: int) -> tuple[Flags, float]:
    """Return new active nodes, and the remaining squared error; see greedy_region(), with CHOSEN_FRACTION of the limit.

    active: the present active nodes. Of their joints, only the slowest become passive, see STOPPED_FRACTION.
    """
    nodes, left = greedy_region(errors, movable, CHOSEN_FRACTION * limit, budget)
    chosen = np.zeros_like(active)
    chosen[nodes] = True
    stopping = np.flatnonzero(active & ~chosen)
    if not limit or not len(stopping):
        return chosen, left
    stopping = stopping[np.argsort(errors.joint_error[stopping], kind="stable")]
    lost = np.cumsum(errors.joint_error[stopping])
    kept = stopping[lost > STOPPED_FRACTION * limit]
    above = kept
    while len(above):  # the nodes between an active joint and the root are active, too
        chosen[above] = True
        above = np.unique(errors.tree.parent[above])
        above = above[above >= 0]
        above = above[~chosen[above]]
    return chosen, max(0.0, left - float(errors.joint_error[kept].sum()))
