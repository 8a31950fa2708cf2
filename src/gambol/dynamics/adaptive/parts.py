"""Stored quantities of each part of the assembly tree with passive joints: constant until one of these joints moves.

A passive part is rigid. Its response and its metric describe how its joints would accelerate if they were active; so
the error that holding them causes is known without visiting them. [Redon, Galoppo and Lin 2005, sections 4 and 5]
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.adaptive.joints import JointTable, PlacedJoints
from gambol.dynamics.adaptive.passes import rigid_inertia, velocity_product
from gambol.dynamics.adaptive.response import (
    BIASES,
    JointTerms,
    Response,
    bias_columns,
    centripetal_columns,
    joined,
    transforms,
    turns,
)
from gambol.dynamics.adaptive.tree import NONE, AssemblyTree
from gambol.figure import Figure
from gambol.lanes import leaves
from gambol.spatial.inertia import RigidInertia, gyroscopic
from gambol.spatial.matrix import Symmetric
from gambol.spatial.motion import Motion, Transform
from gambol.spatial.rotation import Rotation
from gambol.spatial.vector import Vector

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

Z = 12 + BIASES
"""Length of z, see response.py."""


class Parts:
    """The constants of all parts, by node of the tree.

    numbers: weights, tau and damping (nv) of AdaptiveDynamics. J, Y, G, P, B, Q: see response.py. body (10, n): mass,
    mass times centre and inertia of the rigid part, in the frame of its first body. tip_rotation, tip_position: pose of
    its last body in that frame; second_rotation, second_position: pose of the second part's first body in that frame.
    """

    def __init__(self, figure: Figure, tree: AssemblyTree, joints: JointTable, numbers: Sequence[Array]) -> None:
        n = len(tree.first)
        self.tree, self.joints = tree, joints
        self.weights, self.tau, self.damping = numbers
        self.J, self.G = np.zeros((n, 6, 6)), np.zeros((n, 6, 6))
        self.Y = np.broadcast_to(np.eye(6), (n, 6, 6)).copy()
        self.P, self.B = np.zeros((n, 6, BIASES)), np.zeros((n, 6, BIASES))
        self.Q = np.zeros((n, Z, Z))
        self.body = np.zeros((10, n))
        self.tip_rotation, self.second_rotation = (np.broadcast_to(np.eye(3), (n, 3, 3)).copy() for _ in range(2))
        self.tip_position, self.second_position = np.zeros((n, 3)), np.zeros((n, 3))
        bodies = np.flatnonzero((tree.first == NONE) & (tree.link != NONE))
        masses = [figure.links[int(i)].mass_properties for i in tree.link[bodies]]
        rigid = [RigidInertia.of(m.mass, Vector(*m.com), m.inertia) for m in masses]
        self.body[:, bodies] = np.array([leaves(inertia) for inertia in rigid], float).T
        self._set_bodies(bodies)

    def _set_bodies(self, bodies: Indices) -> None:
        """Set the responses of single bodies."""
        full = rigid_inertia(list(self.body[:, bodies]))
        for k in range(6):
            self.J[bodies, :, k] = np.stack(np.broadcast_arrays(*(full.column(k)[i] for i in range(6))), axis=1)
        self.P[bodies] = bias_columns(lambda omega: leaves(gyroscopic(full, omega)))

    def update(self, nodes: Indices, q: Array) -> None:
        """Compute the constants of inner nodes with joints that have stopped; q: coordinates of the figure."""
        for level in self.tree.by_level(nodes):
            placed = self.joints.placed(self.tree.link[level], q, np.zeros(len(self.tau)))
            self._set_poses(level, placed)
            A, B = self.tree.first[level], self.tree.second[level]
            result = joined(self.response(A), self.response(B), self.terms(level, placed))
            for name in ("J", "Y", "G", "P", "B"):
                getattr(self, name)[level] = getattr(result.response, name)
            weights = self.joints.by_direction(self.tree.link[level], self.weights, 0.0)
            self.Q[level] = result.metric(self.Q[A], self.Q[B], weights)

    def response(self, nodes: Indices) -> Response:
        """Return the responses of passive parts."""
        return Response(self.J[nodes], self.Y[nodes], self.G[nodes], self.P[nodes], self.B[nodes])

    def terms(self, nodes: Indices, placed: PlacedJoints) -> JointTerms:
        """Return the connections of the parts of inner nodes with passive joints."""
        tip, R = self.tip_rotation[self.tree.first[nodes]], placed.rotation
        c = np.zeros((len(nodes), 6, BIASES))
        c[:, 3:] = np.swapaxes(R, 1, 2) @ centripetal_columns(placed.position) @ turns(tip)
        series, links = self.tree.series[nodes], self.tree.link[nodes]
        return self.joint_terms(links, series, placed, c, turns(tip @ R))

    def joint_terms(
        self, links: Indices, series: NDArray[np.bool_], placed: PlacedJoints, c: Array, turn: Array
    ) -> JointTerms:
        """Return the connections of parts by the joints of links; series, c, turn: see JointTerms."""
        tau = np.zeros((len(links), self.joints.directions, c.shape[2]))
        tau[:, :, -1] = self.joints.by_direction(links, self.tau, 0.0)
        rotors = self.rotors(links)[:, :, None] * np.eye(self.joints.directions)
        X = transforms(placed.rotation, placed.position)
        return JointTerms(X, placed.subspace, rotors, c, tau, turn, series)

    def rotors(self, links: Indices) -> Array:
        """Return rotor inertias (n, d) of joints; 1 where there is no direction, so that D is regular."""
        inertias = np.where(links < 0, 0.0, self.joints.rotors[links])[:, None]
        exists = self.joints.by_direction(links, np.ones(len(self.tau)), 0.0) > 0.0
        return np.where(exists, inertias, 1.0)

    def _set_poses(self, nodes: Indices, placed: PlacedJoints) -> None:
        """Set the rigid bodies and poses of inner nodes with passive parts."""
        A, B = self.tree.first[nodes], self.tree.second[nodes]
        R = self.tip_rotation[A] @ placed.rotation
        r = self.tip_position[A] + np.einsum("nij,nj->ni", self.tip_rotation[A], placed.position)
        self.second_rotation[nodes], self.second_position[nodes] = R, r
        series = self.tree.series[nodes]
        R_tip, r_tip = R @ self.tip_rotation[B], r + np.einsum("nij,nj->ni", R, self.tip_position[B])
        self.tip_rotation[nodes] = np.where(series[:, None, None], R_tip, self.tip_rotation[A])
        self.tip_position[nodes] = np.where(series[:, None], r_tip, self.tip_position[A])
        moved = _rigid(self.body[:, B]).rotated(_rotation(R)).shifted(Vector.of(list(r.T)))
        self.body[:, nodes] = np.array(leaves(_rigid(self.body[:, A]) + moved))


def velocity_products(placed: PlacedJoints, omega: Array) -> Array:
    """Return the accelerations c (n, 6) of joints; omega (3, n): angular velocity of each parent, in its axes."""
    X = Transform(_rotation(placed.rotation), Vector.of(list(placed.position.T)))
    v_J, c_J = (Motion(Vector.of(list(m[:3])), Vector.of(list(m[3:]))) for m in (placed.velocity.T, placed.product.T))
    return np.stack(leaves(velocity_product(X, Vector.of(list(omega)), v_J, c_J)), axis=1)


def _rigid(rows: Array) -> RigidInertia:
    """Return n inertias, with arrays as components, from rows (10, n)."""
    return RigidInertia(rows[0], Vector.of(list(rows[1:4])), Symmetric(*rows[4:]))


def _rotation(R: Array) -> Rotation:
    return Rotation.of([[R[:, i, k] for k in range(3)] for i in range(3)])
