"""Stored quantities of each part of the assembly tree with passive joints: constant until one of these joints moves.

A passive part is rigid. Its response and its metric describe how its joints would accelerate if they were active; so
the error that holding them causes is known without visiting them. [Redon, Galoppo and Lin 2005, sections 4 and 5]
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.adaptive.bias import bias_columns
from gambol.dynamics.adaptive.bias_pass import LAST_ROWS, bias_pass
from gambol.dynamics.adaptive.closing_pass import (
    DIRECTION_NUMBERS,
    JOINT_NUMBERS,
    PART,
    PART_LANES,
    PART_ROWS,
    Z,
    closing_pass,
    connection,
)
from gambol.dynamics.adaptive.joints import JointTable, PlacedJoints
from gambol.dynamics.adaptive.passes import rigid_inertia, velocity_product
from gambol.dynamics.adaptive.tree import NONE, AssemblyTree
from gambol.figure import Figure
from gambol.lanes import leaves
from gambol.spatial.inertia import RigidInertia, gyroscopic
from gambol.spatial.motion import Motion, Transform
from gambol.spatial.rotation import Rotation
from gambol.spatial.vector import Vector

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

SECTIONS = [slice(*ends) for ends in pairwise(np.cumsum([0, *(len(leaves(piece)) for piece in PART)]).tolist())]
"""The rows of J, Y, G, P, B, Q, body, and rotation and position of the last body in the numbers of a part."""


FORCE_TOLERANCE = 1e-4
"""Relative change of the force on a link, below which it is not set anew: the ground's forces on resting links are
never quite constant."""

LAST_COLUMNS = [
    slice(section.stop - size, section.stop) for section, size in zip(SECTIONS[3:6], (6, 6, Z), strict=True)
]
"""The rows of the last columns of P, B and Q."""


class Parts:
    """The constants of all parts, by node of the tree.

    weights, tau, damping (nv): see AdaptiveDynamics. directions: largest number of degrees of freedom of a joint but
    the root's. body_node (L): the node of each link. numbers (n, PART_ROWS): the numbers of each part, see PART.
    connections (n, rows): of its two parts, see connection(). node_v, node_weight (n, d): index in the velocities and
    weight of each direction of the joint between the parts; NONE and 0 where there is none.
    """

    def __init__(self, figure: Figure, tree: AssemblyTree, joints: JointTable, numbers: Sequence[Array]) -> None:
        n = len(tree.first)
        self.tree, self.joints = tree, joints
        self.directions = max(1, int(joints.nv[1:].max(initial=0)))
        self.weights, self.tau, self.damping = numbers
        self.numbers = np.zeros((n, PART_ROWS))
        self.connections = np.zeros((n, len(leaves(connection(self.directions)))))
        self._column = np.zeros(n, np.int64)
        bodies = np.flatnonzero((tree.first == NONE) & (tree.link != NONE))
        self.body_node = np.zeros(len(figure.links), np.int64)
        self.body_node[tree.link[bodies]] = bodies
        J, Y, G, P, B, Q, body, rotation, position = (self.numbers[:, section] for section in SECTIONS)
        self.J, self.Y, self.G, self.Q, self.body = J, Y, G, Q, body
        self.P, self.B = P.reshape(n, -1, 6), B.reshape(n, -1, 6)
        self.tip_rotation, self.tip_position = rotation.reshape(n, 3, 3), position
        self.second_rotation, self.second_position = self.connections[:, :9].reshape(n, 3, 3), self.connections[:, 9:12]
        Y[:], rotation[:] = np.eye(6).ravel(), np.eye(3).ravel()
        self._set_bodies(figure, bodies)
        moving = np.where(tree.first == NONE, NONE, tree.link)
        index: Array = np.arange(figure.nv, dtype=float)
        self.node_v: Indices = joints.by_direction(moving, index, NONE).astype(np.int64)
        self.node_weight = joints.by_direction(moving, self.weights, 0.0)

    def _set_bodies(self, figure: Figure, bodies: Indices) -> None:
        """Set the numbers of single bodies."""
        masses = [figure.links[int(i)].mass_properties for i in self.tree.link[bodies]]
        rigid = [RigidInertia.of(m.mass, Vector(*m.com), m.inertia) for m in masses]
        self.body[bodies] = np.array([leaves(inertia) for inertia in rigid], float)
        full = rigid_inertia(list(self.body[bodies].T))
        upper = [full.column(k)[i] for i in range(6) for k in range(i, 6)]
        self.J[bodies] = np.stack(np.broadcast_arrays(*upper), axis=1)
        self.P[bodies] = bias_columns(lambda omega: leaves(gyroscopic(full, omega))).transpose(0, 2, 1)

    def set_forces(self, forces: Array, tau: Array, passive: Indices, q: Array) -> None:
        """Set forces on links (L, 6), in link coordinates, and joint forces tau (nv), without those of springs.

        passive: nodes with passive joints, of which those that feel a change are computed anew. q: see update(). A
        force is set anew if it differs by more than FORCE_TOLERANCE from the one that was set last.
        """
        changed, used = np.zeros(len(self.tree.first), bool), -self.P[self.body_node, -1]
        sizes = np.maximum((used**2).sum(axis=1), (forces**2).sum(axis=1))
        links = np.flatnonzero(((forces - used) ** 2).sum(axis=1) > FORCE_TOLERANCE**2 * sizes)
        nodes = self.body_node[links]
        changed[nodes] = True
        self.P[nodes, -1] = -forces[links]
        before, after = (self.joints.by_direction(self.tree.link[passive], x, 0.0) for x in (self.tau, tau))
        changed[passive] |= (before != after).any(axis=1)
        self.tau = tau
        for level in self.tree.by_level(passive):
            changed[level] |= changed[self.tree.first[level]] | changed[self.tree.second[level]]
        self._update_biases(passive[changed[passive]], q)

    def _update_biases(self, nodes: Indices, q: Array) -> None:
        """Compute the constants of inner nodes that depend on forces; q: coordinates of the figure."""
        if not len(nodes):
            return
        nodes = self.tree.in_blocks(nodes, PART_LANES)
        n, at_rest, rows = len(nodes), np.zeros(len(self.tau)), 12 + self.directions
        children, outside = self._place_in_table(nodes)
        width = n + len(outside)
        table, connected = np.empty((LAST_ROWS, width)), np.empty((rows, n))
        table[:, n:] = np.concatenate([self.numbers[outside, column] for column in LAST_COLUMNS], axis=1).T
        starts = [*(children * PART_ROWS), nodes * self.connections.shape[1], *self._column[children]]
        links = self.tree.link[nodes]
        weights = self.node_weight[nodes]
        bias_pass(self.directions).bind(
            np.array(starts, float),
            np.full((1, n), float(width)),
            self.tree.series[nodes][None].astype(float),
            *(np.ascontiguousarray(x[:, : self.directions].T) for x in (self.joint_forces(links, q, at_rest), weights)),
            out=[table[:, :n], connected],
            tables=[self.numbers.reshape(-1), self.connections.reshape(-1), table.reshape(-1)],
        )()
        for column, values in zip(LAST_COLUMNS, np.split(table[:, :n].T, [6, 12], axis=1), strict=True):
            self.numbers[nodes, column] = values
        self.connections[nodes, 12 + (Z - 1) * rows : 12 + Z * rows] = connected.T

    def _place_in_table(self, nodes: Indices) -> tuple[Indices, Indices]:
        """Set the columns of nodes and their parts in a table; return the parts, and those that are no such nodes."""
        children = np.array([self.tree.first[nodes], self.tree.second[nodes]])
        self._column[children] = -1
        self._column[nodes] = np.arange(len(nodes))
        outside = children[self._column[children] < 0]
        self._column[outside] = len(nodes) + np.arange(len(outside))
        return children, outside

    def joint_forces(self, links: Indices, q: Array, v: Array) -> Array:
        """Return the joint forces (n, d) of links, with those of dampers and springs."""
        constant = self.joints.by_direction(links, self.tau - self.damping * v, 0.0)
        return constant + self.joints.spring_forces(links, q, v)

    def update(self, nodes: Indices, q: Array) -> None:
        """Compute the constants of inner nodes with joints that have stopped; q: coordinates of the figure."""
        if not len(nodes):
            return
        nodes = self.tree.in_blocks(nodes, PART_LANES)
        n, (children, outside) = len(nodes), self._place_in_table(nodes)
        width = n + len(outside)
        table = np.empty((PART_ROWS, width))
        table[:, n:] = self.numbers[outside].T
        connections = np.empty((self.connections.shape[1], n))
        closing_pass(self.directions).bind(
            self._column[children].astype(float),
            np.full((1, n), float(width)),
            self._joint_numbers(nodes, q),
            out=[table[:, :n], connections],
            tables=[table.reshape(-1)],
        )()
        self.numbers[nodes], self.connections[nodes] = table[:, :n].T, connections.T

    def _joint_numbers(self, nodes: Indices, q: Array) -> Array:
        """Return the numbers of the joints between the parts of nodes, as closing_pass() takes them."""
        links, joints, n = self.tree.link[nodes], self.joints, len(nodes)
        at_rest = np.zeros(len(self.tau))
        placed = joints.placed(links, q, at_rest)
        by_direction = [
            *np.moveaxis(placed.subspace, 1, 0),
            self.joint_forces(links, q, at_rest),
            self.rotors(links),
            joints.by_direction(links, self.weights, 0.0),
        ]
        numbers = np.empty((JOINT_NUMBERS + self.directions * DIRECTION_NUMBERS, n))
        numbers[:9], numbers[9:12] = placed.rotation.reshape(n, 9).T, placed.position.T
        numbers[12] = self.tree.series[nodes]
        numbers[JOINT_NUMBERS:] = np.array(by_direction).transpose(2, 0, 1)[: self.directions].reshape(-1, n)
        return numbers

    def rotors(self, links: Indices) -> Array:
        """Return rotor inertias (n, d) of joints; 1 where there is no direction, so that D is regular."""
        inertias = np.where(links < 0, 0.0, self.joints.rotors[links])[:, None]
        exists = self.joints.by_direction(links, np.ones(len(self.tau)), 0.0) > 0.0
        return np.where(exists, inertias, 1.0)


def velocity_products(placed: PlacedJoints, omega: Array) -> Array:
    """Return the accelerations c (n, 6) of joints; omega (3, n): angular velocity of each parent, in its axes."""
    X = Transform(_rotation(placed.rotation), Vector.of(list(placed.position.T)))
    v_J, c_J = (Motion(Vector.of(list(m[:3])), Vector.of(list(m[3:]))) for m in (placed.velocity.T, placed.product.T))
    return np.stack(leaves(velocity_product(X, Vector.of(list(omega)), v_J, c_J)), axis=1)


def _rotation(R: Array) -> Rotation:
    return Rotation.of([[R[:, i, k] for k in range(3)] for i in range(3)])
