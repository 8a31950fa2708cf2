"""The accelerations and errors of the parts of a figure at one state, if no joint were held.

The upward pass starts from the parts between active joints. It computes the responses of larger parts, with biases at
the present velocities. The downward pass computes acceleration and force at the ends of each part, which give its
metric (assembly_passes.py). The inside of passive parts is not visited: each part costs one product with its Q.
"""

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.adaptive.bias import bias_coordinates
from gambol.dynamics.adaptive.closing_pass import UPPER_6, Z, full
from gambol.dynamics.adaptive.groups import Groups
from gambol.dynamics.adaptive.parts import Parts
from gambol.lanes import unflatten

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]

FULL_ROWS = np.array(full(unflatten(UPPER_6, iter(range(21))))).ravel()
"""For each entry of a symmetric 6 x 6 matrix, its place in the rows of the upper triangle."""

NO_GROWTH = 1e-9
"""Change of speed below which a group does not accelerate [rad/s, m/s]."""

PAIRS = np.tril_indices(Z)[::-1]
FACTORS = np.where(PAIRS[0] == PAIRS[1], 1.0, 2.0)


class PartErrors:
    """The squared errors of parts if their joints are held for a time; see region.py.

    parts: constants of passive parts. groups: the hybrid body after place(). state: q and v of the figure. time: the
    time for which joints are held [s]. a_world (6): acceleration of the world. missed (nodes): squares of the speeds
    that groups have missed so far; None: they do not count. elapsed: see _count(). total_missed: sum of `missed` over
    the groups. known (nodes): True where the joint's acceleration is known. error (nodes): squared errors of known
    nodes and their parts, else 0. joint_error (nodes): squared errors of the joints of known nodes; of their parts with
    unknown accelerations, the errors of all joints. rates (nodes, d): accelerations of known joints. scale (nodes):
    factor of the errors of groups that have missed speeds. missed (nodes): squares of the speeds that have been missed
    so far, and of those that are lost if active joints stop. root_rates (d): accelerations of the root.
    """

    def __init__(
        self,
        parts: Parts,
        groups: Groups,
        state: tuple[Array, Array],
        time: float,
        a_world: Array,
        missed: Array | None = None,
        elapsed: bool = False,
    ) -> None:
        q, v = state
        self.parts, self.tree, self.q, self.v, self.time = parts, parts.tree, q, v, time
        n = len(parts.tree.first)
        self.known = np.zeros(n, bool)
        self.known[groups.nodes] = True
        self.ends, self.omega = np.zeros((n, 12)), np.zeros((n, 3))
        self.error, self.joint_error, self.missed, self.scale = np.zeros(n), np.zeros(n), np.zeros(n), np.ones(n)
        self.rates, self.root_rates = np.zeros((n, parts.joints.directions)), np.zeros(parts.joints.directions)
        front, omega = groups.front, groups.body.velocities()[:3].T
        self.omega[front] = omega
        chain = groups.chain
        nodes = chain.nodes
        self._write_steps(groups, omega)
        rates = chain.accelerations(self._responses(front), a_world)
        self.ends[front] = chain.ends_of(front)
        self.rates[nodes], self.root_rates = rates[:-1], rates[-1]
        self._set_errors(front)
        if missed is not None:
            self._count(front, missed[front], elapsed)
        self.total_missed = float(self.missed[front].sum())
        self.joint_error[nodes] = self._joint_error(nodes)
        stopped = (parts.node_weight[nodes] * v[parts.node_v[nodes]] ** 2).sum(axis=1)
        self.missed[nodes] = stopped
        for level in groups.levels:
            first, second = self.tree.first[level], self.tree.second[level]
            self.error[level] = self.joint_error[level] + (self.error[first] + self.error[second])
            self.missed[level] += self.missed[first] + self.missed[second]

    def _count(self, front: Indices, missed: Array, elapsed: bool) -> None:
        """Count the speeds that groups have missed so far; they are supposed to have the directions of what comes.

        missed: their squares until the last choice. elapsed: True adds what they have missed since, for the time for
        which joints are held. A group that would miss E more misses M + E: all its joints are scaled by (M + E) / E.
        """
        already, growth = np.sqrt(missed), np.sqrt(self.error[front])
        if elapsed:
            already = already + growth
        self.missed[front] = already**2
        self.scale[front] = 1.0 + already / np.maximum(growth, NO_GROWTH)
        self.error[front] = self.joint_error[front] = (already + growth) ** 2

    def add_accelerations(self, nodes: Indices) -> None:
        """Compute the joint accelerations of passive parts, and the errors of their parts."""
        tree, parts, n = self.tree, self.parts, len(nodes)
        both = np.concatenate([tree.first[nodes], tree.second[nodes]])
        by_z = parts.connections[nodes, 12 : 12 + (12 + parts.directions) * Z].reshape(n, Z, -1)
        values = (self._z(nodes)[:, None] @ by_z)[:, 0]
        ends, omega = np.empty((2 * n, 12)), np.empty((2 * n, 3))
        ends[:n, :6], ends[:n, 6:], ends[n:, :6] = self.ends[nodes, :6], values[:, :6], values[:, 6:12]
        ends[n:, 6:] = self.ends[nodes, 6:] * tree.series[nodes, None]
        omega[:n] = self.omega[nodes]
        omega[n:] = (omega[:n, None] @ parts.second_rotation[nodes])[:, 0]
        self.ends[both], self.omega[both] = ends, omega
        self.rates[nodes, : parts.directions] = values[:, 12:]
        self.scale[both] = np.tile(self.scale[nodes], 2)
        self._set_errors(both)
        limit = self.error[nodes]
        self.error[both] = np.minimum(self.error[both], np.concatenate([limit, limit]))  # rounding may make it larger
        self.joint_error[nodes] = self._joint_error(nodes)
        share = self.missed[nodes] / np.maximum(limit, NO_GROWTH**2)
        self.missed[both] = np.tile(share, 2) * self.error[both]
        self.known[nodes] = True

    def _z(self, nodes: Indices) -> Array:
        return np.concatenate([self.ends[nodes], bias_coordinates(self.omega[nodes])], axis=1)

    def _responses(self, front: Indices) -> Array:
        """Return the responses of the groups (rows, n) at the present velocities."""
        parts, w = self.parts, bias_coordinates(self.omega[front])
        p, b = (np.einsum("nji,nj->ni", M[front], w) for M in (parts.P, parts.B))
        J, G = parts.J[front][:, FULL_ROWS], parts.G[front][:, FULL_ROWS]
        return np.concatenate([J, p, parts.Y[front], G, b], axis=1).T

    def _write_steps(self, groups: Groups, omega: Array) -> None:
        """Write the numbers of the steps of the groups' chain; omega (groups, 3): angular velocities.

        They are those of the hybrid body after place(), with poses and accelerations c relative to the last body of the
        group before each joint instead of its first.
        """
        body, chain = groups.body, groups.chain
        tip, at, w = chain.tip, chain.at, omega[chain.before]
        table = body.table[:, body.joint_column[chain.order]]
        R, r = table[:9].T.reshape(-1, 3, 3).copy(), table[9:12].T.copy()
        inward = w * (w * at).sum(axis=1)[:, None] - at * (w * w).sum(axis=1)[:, None]
        c = body.motions[6:12, body.first[chain.order]]
        c[3:, :-1] -= (inward[:, None] @ R[:-1])[:, 0].T
        r[:-1] = ((r[:-1] - at)[:, None] @ tip)[:, 0]
        R[:-1] = tip.transpose(0, 2, 1) @ R[:-1]
        steps, outer = chain.numbers, chain.outer
        steps[:9, outer], steps[9:12, outer], steps[12:18, outer] = R.reshape(-1, 9).T, r.T, c
        step = body.first[chain.order[chain.joint]] + chain.direction
        column = body.direction[step]
        steps[18:24] = body.subspace[:6, column]
        tau, rotor, damping = body.effort[:, body.steps - 1 - step]
        steps[24], steps[25] = tau - damping * body.subspace[6, column], rotor

    def _set_errors(self, nodes: Indices) -> None:
        """Set the squared errors of passive parts; rounding may leave a negative number, which becomes 0."""
        z = self._z(nodes)
        squares = (self.parts.Q[nodes] * z[:, PAIRS[0]] * z[:, PAIRS[1]]) @ FACTORS
        self.error[nodes] = self.joint_error[nodes] = np.maximum((self.scale[nodes] * self.time) ** 2 * squares, 0.0)

    def _joint_error(self, nodes: Indices) -> Array:
        """Return the squared errors of the joints of active nodes."""
        index = self.parts.node_v[nodes]
        v = np.where(index >= 0, self.v[index], 0.0)
        after = v + (self.scale[nodes] * self.time)[:, None] * self.rates[nodes]
        return (self.parts.node_weight[nodes] * np.maximum(v * v, after * after)).sum(axis=1)
