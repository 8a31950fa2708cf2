"""The accelerations and errors of the parts of a figure at one state, if no joint were held.

The upward pass starts from the parts between active joints. It computes the responses of larger parts, with biases at
the present velocities. The downward pass computes acceleration and force at the ends of each part, which give its
metric (assembly_passes.py). The inside of passive parts is not visited: each part costs one product with its Q.
"""

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.adaptive.assembly_passes import (
    ENDS_ROWS,
    MAP_ROWS,
    RESPONSE_ROWS,
    STEP_ROWS,
    conquer_pass,
    divide_pass,
)
from gambol.dynamics.adaptive.bias import bias_coordinates
from gambol.dynamics.adaptive.closing_pass import UPPER_6, Z, full
from gambol.dynamics.adaptive.groups import Groups
from gambol.dynamics.adaptive.parts import Parts, velocity_products
from gambol.lanes import unflatten

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]

UNIT_RESPONSE = np.concatenate([np.zeros(42), np.eye(6).ravel(), np.zeros(42)])
"""Values of a first part without effect: J = 0, Y = 1, G = 0."""


FULL_ROWS = np.array(full(unflatten(UPPER_6, iter(range(21))))).ravel()
"""For each entry of a symmetric 6 x 6 matrix, its place in the rows of the upper triangle."""

PAIRS = np.triu_indices(Z)
FACTORS = np.where(PAIRS[0] == PAIRS[1], 1.0, 2.0)


class PartErrors:
    """The squared errors of parts if their joints are held for a time; see region.py.

    parts: constants of passive parts. groups: the hybrid body after place(). q, v: state of the figure. time: the time
    for which joints are held [s]. a_world (6): acceleration of the world. known (nodes): True where the joint's
    acceleration is known. error (nodes): squared errors of known nodes and their parts, else 0. joint_error (nodes):
    squared errors of the joints of known nodes; of their parts with unknown accelerations, the errors of all joints.
    rates (nodes, d): accelerations of known joints. root_rates (d): accelerations of the root.
    """

    def __init__(self, parts: Parts, groups: Groups, q: Array, v: Array, time: float, a_world: Array) -> None:
        self.parts, self.tree, self.q, self.v, self.time = parts, parts.tree, q, v, time
        n = len(parts.tree.first)
        self.known = np.zeros(n, bool)
        self.known[groups.nodes] = True
        self.ends, self.omega = np.zeros((n, 12)), np.zeros((n, 3))
        self.error, self.joint_error = np.zeros(n), np.zeros(n)
        self.rates, self.root_rates = np.zeros((n, parts.joints.directions)), np.zeros(parts.joints.directions)
        front, omega = groups.front, groups.body.velocities()[:3].T
        self.omega[front] = omega
        nodes = np.sort(groups.nodes)
        chain = _Chain(parts, groups, nodes)
        rates = chain.accelerations(self._responses(front), self._steps(groups, chain, omega), a_world)
        self.ends[front] = chain.ends_of(front)
        self.rates[nodes], self.root_rates = rates[:-1], rates[-1]
        self._set_errors(front)
        self.joint_error[nodes] = self._joint_error(nodes)
        for level in self.tree.by_level(nodes):
            parts_error = self.error[self.tree.first[level]] + self.error[self.tree.second[level]]
            self.error[level] = self.joint_error[level] + parts_error

    def add_accelerations(self, nodes: Indices) -> None:
        """Compute the joint accelerations of passive parts, and the errors of their parts."""
        first, second, connection = self.tree.first[nodes], self.tree.second[nodes], self.parts.connections[nodes]
        by_z = connection[:, 12 : 12 + (12 + self.parts.directions) * Z].reshape(len(nodes), -1, Z)
        values = (by_z @ self._z(nodes)[:, :, None])[:, :, 0]
        self.ends[first, :6], self.ends[first, 6:] = self.ends[nodes, :6], values[:, :6]
        self.ends[second, :6] = values[:, 6:12]
        self.ends[second, 6:] = np.where(self.tree.series[nodes, None], self.ends[nodes, 6:], 0.0)
        self.omega[first] = self.omega[nodes]
        self.omega[second] = np.einsum("nji,nj->ni", self.parts.second_rotation[nodes], self.omega[nodes])
        self.rates[nodes, : self.parts.directions] = values[:, 12:]
        for part in (first, second):
            self._set_errors(part)
            self.error[part] = np.minimum(self.error[part], self.error[nodes])  # rounding may have made it larger
        self.joint_error[nodes] = self._joint_error(nodes)
        self.known[nodes] = True

    def _z(self, nodes: Indices) -> Array:
        return np.concatenate([self.ends[nodes], bias_coordinates(self.omega[nodes])], axis=1)

    def _responses(self, front: Indices) -> Array:
        """Return the responses of the groups (rows, n) at the present velocities."""
        parts, w = self.parts, bias_coordinates(self.omega[front])
        p, b = (np.einsum("nij,nj->ni", M[front], w) for M in (parts.P, parts.B))
        J, G = parts.J[front][:, FULL_ROWS], parts.G[front][:, FULL_ROWS]
        return np.concatenate([J, p, parts.Y[front], G, b], axis=1).T

    def _steps(self, groups: Groups, chain: "_Chain", omega: Array) -> Array:
        """Return the numbers of the steps (rows, steps) of a chain; omega (groups, 3): angular velocities."""
        parts, links = self.parts, chain.links
        placed = parts.joints.placed(links, self.q, self.v)
        before = groups.before[chain.nodes]
        at_tip = np.einsum("nji,nj->in", parts.tip_rotation[before], omega[groups.number[before]])
        c = velocity_products(placed, np.concatenate([at_tip, np.zeros((3, 1))], axis=1))
        steps = np.zeros((len(chain.joint), STEP_ROWS))
        steps[:, :9] = np.eye(3).ravel()
        outer = np.flatnonzero(chain.direction == 0)
        steps[outer, :9], steps[outer, 9:12] = placed.rotation.reshape(-1, 9), placed.position
        steps[outer, 12:18] = c
        steps[:, 18:24] = placed.subspace[chain.joint, :, chain.direction]
        steps[:, 24] = parts.joint_forces(links, self.q, self.v)[chain.joint, chain.direction]
        steps[:, 25] = parts.rotors(links)[chain.joint, chain.direction]
        steps[:, 26] = 1.0
        steps[outer[:-1], 26] = self.tree.series[chain.nodes]
        return np.ascontiguousarray(steps.T)

    def _set_errors(self, nodes: Indices) -> None:
        """Set the squared errors of passive parts; rounding may leave a negative number, which becomes 0."""
        z = self._z(nodes)
        squares = (self.parts.Q[nodes] * z[:, PAIRS[0]] * z[:, PAIRS[1]]) @ FACTORS
        self.error[nodes] = self.joint_error[nodes] = np.maximum(self.time**2 * squares, 0.0)

    def _joint_error(self, nodes: Indices) -> Array:
        """Return the squared errors of the joints of active nodes."""
        links, joints = self.tree.link[nodes], self.parts.joints
        v = joints.by_direction(links, self.v, 0.0)
        largest = np.maximum(abs(v), abs(v + self.time * self.rates[nodes]))
        return (joints.by_direction(links, self.parts.weights, 0.0) * largest**2).sum(axis=1)


class _Chain:
    """The steps of the assembly passes: the directions of all active joints, from the lowest node to the root's joint.

    nodes: nodes of the active joints, the lowest first. links: links of these joints, and the root. joint, direction:
    joint and direction of each step. inner, outer: first and last step of each joint. unit: the column for parts
    without effect. column: the column of each node; of_node, source: see _find_sources(). The columns of the results of
    the upward pass are the groups, then one column for parts without effect, then the steps.
    """

    def __init__(self, parts: Parts, groups: Groups, nodes: Indices) -> None:
        self.tree, self.nodes, self.directions = parts.tree, nodes, parts.joints.directions
        self.links = np.concatenate([parts.tree.link[nodes], [0]])
        counts = np.where(self.links < 0, 1, np.maximum(parts.joints.nv[self.links], 1))
        self.outer = np.cumsum(counts) - 1
        self.inner = self.outer - counts + 1
        self.joint = np.repeat(np.arange(len(counts)), counts)
        self.steps = len(self.joint)
        self.direction = self.outer[self.joint] - np.arange(self.steps)
        self.unit = len(groups.front)
        self.column = np.zeros(len(parts.tree.first), np.int64)
        self.column[groups.front] = np.arange(self.unit)
        self.column[nodes] = self.unit + 1 + self.outer[:-1]
        self._find_sources()

    def _find_sources(self) -> None:
        """Set the sources of a_0 and f_1 for each step and each group.

        A source is an index in the table of results of the downward pass, which runs from the last step to the first;
        its last column is the world. Nodes inside groups have no source, -1.
        """
        first, second = self.tree.first[self.nodes], self.tree.second[self.nodes]
        width = self.steps + 1
        of_node = np.full(len(self.column), -1)  # the parts of a node read the results of its steps
        of_node[first] = self.steps - 1 - self.outer[:-1]
        of_node[second] = self.steps - 1 - self.inner[:-1] + 12 * width
        of_node[-1] = self.steps - 1 - self.inner[-1] + 12 * width
        self.of_node = of_node
        above = np.arange(self.steps) + 1  # a step that is not the outermost of its joint reads from the next one
        self.source = self.steps - 1 - above + 12 * width
        self.source[self.outer[:-1]] = of_node[self.nodes]
        self.source[self.outer[-1]] = self.steps

    def accelerations(self, responses: Array, steps: Array, a_world: Array) -> Array:
        """Return the joint accelerations (joints, d), and store the ends of all parts.

        responses: responses of the groups; steps: numbers of the steps, see _steps().
        """
        width = self.unit + 1 + self.steps
        table = np.zeros((RESPONSE_ROWS, width))
        table[:, : self.unit], table[:, self.unit] = responses, UNIT_RESPONSE
        parts = np.full((2, self.steps), self.unit, float)
        parts[1] = self.unit + np.arange(self.steps)  # the step before
        parts[0, self.outer[:-1]] = self.column[self.tree.first[self.nodes]]
        parts[1, self.inner[:-1]] = self.column[self.tree.second[self.nodes]]
        parts[1, self.inner[-1]] = self.column[-1]
        maps = np.zeros((MAP_ROWS, self.steps))
        conquer_pass().bind(
            parts,
            np.full((1, 1), float(width)),
            steps,
            out=[table[:, self.unit + 1 :], maps],
            tables=[table.reshape(-1)],
        )()
        self.ends = np.zeros((ENDS_ROWS, self.steps + 1))
        self.ends[:6, -1] = a_world
        backward = [np.ascontiguousarray(x[:, ::-1]) for x in (self.source[None].astype(float), steps, maps)]
        ends_width = np.full((1, 1), float(self.steps + 1))
        divide_pass().bind(
            backward[0],
            ends_width,
            *backward[1:],
            out=[self.ends[:, : self.steps]],
            tables=[self.ends.reshape(-1)],
        )()
        rates = np.zeros((len(self.links), self.directions))
        rates[self.joint, self.direction] = self.ends[-1, : self.steps][::-1]
        return rates

    def ends_of(self, nodes: Indices) -> Array:
        """Return a_0 and f_1 (n, 12) of parts."""
        rows = np.arange(12) * (self.steps + 1)
        return self.ends.reshape(-1)[self.of_node[nodes][:, None] + rows]
