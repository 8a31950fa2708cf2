"""Points of links in the rigid groups of a figure, kept from one choice of active joints to the next.

A group that stays a group keeps the poses of its links; one that is joined with others is moved as a whole. So only the
links of groups that are divided are placed anew, from the link up to its group.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.adaptive.parts import Parts
from gambol.figure import Triple

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


class LinkPlaces:
    """The groups of links with points, and the poses of these links in them.

    points: link index (0 is the root), position in the link [m] and radius [m] of each point. link (m), at (m, 3),
    radius (m): the same as arrays. of_link (m): place of each point's link in the following arrays. node (k): the node
    of the assembly tree that is the group of each link; rotation (k, 3, 3), position (k, 3): pose of the link in it.
    """

    def __init__(self, parts: Parts, points: Sequence[tuple[int, Triple, float]]) -> None:
        links, places, radii = zip(*points, strict=True) if points else ((), (), ())
        self.link, self.radius = np.array(links, int), np.array(radii, float)
        self.at = np.array(places, float).reshape(-1, 3)
        each, self.of_link = np.unique(self.link, return_inverse=True)
        self._parts, self._body = parts, parts.body_node[each]
        self.node, n = self._body.copy(), len(each)
        self.rotation, self.position = np.tile(np.eye(3), (n, 1, 1)), np.zeros((n, 3))

    def update(self, front: Indices, active: Indices) -> None:
        """Place the links in other groups, after each choice of active joints.

        front: the nodes that are groups. active: the nodes with active joints.
        """
        is_active = np.zeros(len(self._parts.tree.parent), bool)
        is_active[active] = True
        divided = np.flatnonzero(is_active[self.node])
        self.node[divided] = self._body[divided]
        self.rotation[divided], self.position[divided] = np.eye(3), 0.0
        climb(self._parts, front, self.node, self.rotation, self.position)


def climb(parts: Parts, front: Indices, nodes: Indices, rotation: Array, position: Array) -> None:
    """Replace parts by the groups that contain them.

    front: the nodes that are groups. nodes (n): parts inside groups. rotation (n, 3, 3), position (n, 3): poses in the
    first bodies of the parts, which become poses in those of the groups. All three are changed in place.
    """
    tree = parts.tree
    is_front = np.zeros(len(tree.parent), bool)
    is_front[front] = True
    inside = np.flatnonzero(~is_front[nodes])
    while len(inside):
        above = tree.parent[nodes[inside]]
        in_second = tree.second[above] == nodes[inside]
        which, at = inside[in_second], above[in_second]
        turn = parts.second_rotation[at]
        position[which] = parts.second_position[at] + (turn @ position[which][:, :, None])[:, :, 0]
        rotation[which] = turn @ rotation[which]
        nodes[inside] = above
        inside = inside[~is_front[above]]
