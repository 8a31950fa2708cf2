"""The choice of the active joints.

From the root of the assembly tree on, the joint of the part with the largest error is made active next.

The error of a joint that is held for a time T is the largest change of speed that it would have at constant
accelerations:

    e^2 = max(v_j^2, (v_j + T q''_j)^2)             and for a part the weighted sum over its joints

For a part with all joints at rest this is T^2 times its metric. Making a part's joint active replaces the part by its
two parts. This ends when the error of all passive joints is small enough, or when there are enough active joints.
[Redon, Galoppo and Lin 2005, section 5.2]
"""

from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.adaptive.errors import PartErrors
from gambol.dynamics.adaptive.tree import NONE, AssemblyTree

Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]


def greedy_region(
    tree: AssemblyTree, errors: PartErrors, movable: Flags, limit: float, budget: int
) -> tuple[Indices, float]:
    """Return the nodes with active joints, and the remaining squared error, summed over all passive joints.

    errors: errors of the parts. A node with unknown joint acceleration can be chosen, but not its parts. movable: False
    for rigid joints, which do not count. limit: limit of the remaining error. budget: largest number of active joints.
    """
    error = errors.error
    chosen: list[int] = []
    heap = [(-error.item(-1), len(error) - 1)]
    left, count = error.item(-1), 0
    while heap and left > limit:
        node = heap[0][1]
        if count + movable.item(node) > budget:
            break
        heappop(heap)
        if tree.first.item(node) == NONE or not error.item(node) > 0.0:
            continue
        chosen.append(node)
        count += int(movable.item(node))
        if errors.known.item(node):
            left -= error.item(node)
            for part in (tree.first.item(node), tree.second.item(node)):
                left += error.item(part)
                heappush(heap, (-error.item(part), part))
    # summed anew, since differences of large errors lose their digits
    return np.array(chosen, np.int64), -sum(negative for negative, _ in heap)
