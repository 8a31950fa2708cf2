"""The accelerations and errors of the parts of a figure at one state, as if no joint were held.

From the parts of active joints upward: responses, with numbers for the bias. Downward: acceleration and force at the
ends of each part, and so its metric. Passive parts are not entered; each costs one product with its Q.
"""

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.adaptive.joints import PlacedJoints
from gambol.dynamics.adaptive.parts import Parts, Z, velocity_products
from gambol.dynamics.adaptive.response import Joined, Response, bias_coordinates, joined
from gambol.dynamics.adaptive.tree import NONE

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]


class PartErrors:
    """The squared errors of parts if their joints are held for a time; see region.py.

    parts: constants of passive parts. active (nodes): True where a joint is active. front: the passive parts that are
    moved by active joints. q, v: state of the figure. time: [s]. known (nodes): True where the joint's acceleration is
    known. error (nodes): squared, of known nodes and their parts. rates (nodes, d): accelerations of known joints.
    root_rates (d): of the root's joint.
    """

    def __init__(self, parts: Parts, active: Flags, q: Array, v: Array, time: float) -> None:
        self.parts, self.tree, self.q, self.v, self.time = parts, parts.tree, q, v, time
        n = len(active)
        self.known, self.front = active.copy(), front_of(parts, active)
        self.levels = parts.tree.by_level(np.flatnonzero(active))
        self.z, self.error = np.zeros((n, Z)), np.zeros(n)
        self.rates = np.zeros((n, parts.joints.directions))
        self.root_rates = np.zeros(parts.joints.directions)
        self._P, self._B, self._tip_omega = np.zeros((n, 6)), np.zeros((n, 6)), np.zeros((n, 3))

    def evaluate(self, omega: Array, a_world: Array) -> None:
        """Compute the errors of active nodes and of the front.

        omega (front, 3): angular velocities of the first bodies, in their axes. a_world (6): acceleration of the world.
        """
        parts, front, w = self.parts, self.front, bias_coordinates(omega)
        self.z[front, 12:] = w
        self._P[front] = np.einsum("nij,nj->ni", parts.P[front], w)
        self._B[front] = np.einsum("nij,nj->ni", parts.B[front], w)
        self._tip_omega[front] = np.einsum("nji,nj->ni", parts.tip_rotation[front], omega)
        results = [self._join(level) for level in self.levels]
        self._accelerate_root(a_world)
        for level, result in zip(reversed(self.levels), reversed(results), strict=True):
            self._descend(level, result, one_state=True)
        self.error[front] = self._metric(front)
        for level in self.levels:
            parts_error = self.error[self.tree.first[level]] + self.error[self.tree.second[level]]
            self.error[level] = parts_error + self._joint_error(level)

    def open(self, nodes: Indices) -> None:
        """Compute the joint accelerations of passive parts, and the errors of their parts."""
        parts, tree, at_rest = self.parts, self.tree, np.zeros_like(self.v)
        placed = parts.joints.placed(tree.link[nodes], self.q, at_rest)
        A, B = parts.response(tree.first[nodes]), parts.response(tree.second[nodes])
        self._descend(nodes, joined(A, B, parts.terms(nodes, placed)))
        for part in (tree.first[nodes], tree.second[nodes]):
            self.error[part] = self._metric(part)
        self.known[nodes] = True

    def _join(self, level: Indices) -> Joined:
        """Return the parts of active nodes of one level joined, and keep their response."""
        A, B, series = self.tree.first[level], self.tree.second[level], self.tree.series[level]
        placed = self.parts.joints.placed(self.tree.link[level], self.q, self.v)
        c = velocity_products(placed, self._tip_omega[A].T)[:, :, None]
        terms = self.parts.joint_terms(self.tree.link[level], series, placed, c, np.ones((len(level), 1, 1)))
        result = joined(self._response(A), self._response(B), terms)
        self.parts.set_response(level, result.response)
        self._P[level], self._B[level] = result.response.P[:, :, 0], result.response.B[:, :, 0]
        self._tip_omega[level] = np.where(series[:, None], self._tip_omega[B], self._tip_omega[A])
        return result

    def _accelerate_root(self, a_world: Array) -> None:
        """Compute the acceleration of the root's joint and of the first body of all."""
        links, one = np.array([0]), np.ones((1, 1, 1))
        placed: PlacedJoints = self.parts.joints.placed(links, self.q, self.v)
        c = velocity_products(placed, np.zeros((3, 1)))[:, :, None]
        terms = self.parts.joint_terms(links, np.array([False]), placed, c, one)
        world = Response(*np.stack([0.0 * np.eye(6), np.eye(6), 0.0 * np.eye(6)])[:, None], *np.zeros((2, 1, 6, 1)))
        result = joined(world, self._response(np.array([-1])), terms)
        z = np.concatenate([a_world, np.zeros(6), [1.0]])
        self.z[-1, :12] = (result.second[0] @ z)[:12]
        self.root_rates = result.rates[0] @ z

    def _response(self, nodes: Indices) -> Response:
        """Return the responses of nodes at the present velocities."""
        parts = self.parts
        return Response(
            parts.J[nodes], parts.Y[nodes], parts.G[nodes], self._P[nodes][:, :, None], self._B[nodes][:, :, None]
        )

    def _descend(self, nodes: Indices, result: Joined, one_state: bool = False) -> None:
        """Set z of the parts of nodes, and the accelerations of their joints; one_state: w = 1 in the result."""
        z = np.concatenate([self.z[nodes, :12], np.ones((len(nodes), 1))], axis=1) if one_state else self.z[nodes]
        columns = 12 if one_state else Z
        for part, map_ in ((self.tree.first[nodes], result.first), (self.tree.second[nodes], result.second)):
            self.z[part, :columns] = np.einsum("nij,nj->ni", map_, z)[:, :columns]
        self.rates[nodes] = np.einsum("nij,nj->ni", result.rates, z)

    def _metric(self, nodes: Indices) -> Array:
        """Return the squared errors of passive parts; rounding may leave a negative number, which becomes 0."""
        z = self.z[nodes]
        return np.maximum(self.time**2 * np.einsum("ni,nij,nj->n", z, self.parts.Q[nodes], z), 0.0)

    def _joint_error(self, nodes: Indices) -> Array:
        """Return the squared errors of the joints of active nodes."""
        links, joints = self.tree.link[nodes], self.parts.joints
        v = joints.by_direction(links, self.v, 0.0)
        largest = np.maximum(abs(v), abs(v + self.time * self.rates[nodes]))
        return (joints.by_direction(links, self.parts.weights, 0.0) * largest**2).sum(axis=1)


def front_of(parts: Parts, active: Flags) -> Indices:
    """Return the passive parts that are moved by active joints: the rigid groups of the hybrid body."""
    parent = parts.tree.parent
    moved = active[parent] & (parent != NONE)
    moved[-1] = True
    return np.flatnonzero(moved & ~active)
