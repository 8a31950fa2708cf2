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
from gambol.dynamics.adaptive.groups import Groups
from gambol.dynamics.adaptive.parts import Parts, Z, velocity_products
from gambol.dynamics.adaptive.response import bias_coordinates, joined

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]

UNIT_RESPONSE = np.concatenate([np.zeros(42), np.eye(6).ravel(), np.zeros(42)])
"""Values of a first part without effect: J = 0, Y = 1, G = 0."""


class PartErrors:
    """The squared errors of parts if their joints are held for a time; see region.py.

    parts: constants of passive parts. groups: the hybrid body after place(). q, v: state of the figure. time: the time
    for which joints are held [s]. a_world (6): acceleration of the world. known (nodes): True where the joint's
    acceleration is known. error (nodes): squared errors of known nodes and their parts. rates (nodes, d): accelerations
    of known joints. root_rates (d): accelerations of the root.
    """

    def __init__(self, parts: Parts, groups: Groups, q: Array, v: Array, time: float, a_world: Array) -> None:
        self.parts, self.tree, self.q, self.v, self.time = parts, parts.tree, q, v, time
        n = len(parts.tree.first)
        self.known = np.zeros(n, bool)
        self.known[groups.nodes] = True
        self.z, self.error = np.zeros((n, Z)), np.zeros(n)
        self.rates, self.root_rates = np.zeros((n, parts.joints.directions)), np.zeros(parts.joints.directions)
        front, omega = groups.front, groups.body.velocities()[:3].T
        self.z[front, 12:] = bias_coordinates(omega)
        nodes = np.sort(groups.nodes)
        chain = _Chain(parts, groups, nodes)
        rates = chain.accelerations(self._responses(front), self._steps(groups, chain, omega), a_world)
        self.z[front, :12] = chain.ends_of(front)
        self.rates[nodes], self.root_rates = rates[:-1], rates[-1]
        self.error[front] = self._metric(front)
        joint_errors = self._joint_error(nodes)
        for node, error in zip(nodes.tolist(), joint_errors.tolist(), strict=True):
            self.error[node] = error + self.error[self.tree.first[node]] + self.error[self.tree.second[node]]

    def add_accelerations(self, nodes: Indices) -> None:
        """Compute the joint accelerations of passive parts, and the errors of their parts."""
        parts, tree, at_rest = self.parts, self.tree, np.zeros_like(self.v)
        placed = parts.joints.placed(tree.link[nodes], self.q, at_rest)
        A, B = parts.response(tree.first[nodes]), parts.response(tree.second[nodes])
        result = joined(A, B, parts.terms(nodes, placed))
        z = self.z[nodes]
        for part, map_ in ((tree.first[nodes], result.first), (tree.second[nodes], result.second)):
            self.z[part] = np.einsum("nij,nj->ni", map_, z)
            self.error[part] = self._metric(part)
        self.rates[nodes] = np.einsum("nij,nj->ni", result.rates, z)
        self.known[nodes] = True

    def _responses(self, front: Indices) -> Array:
        """Return the responses of the groups (rows, n) at the present velocities."""
        parts, w = self.parts, self.z[front, 12:]
        p, b = (np.einsum("nij,nj->ni", M[front], w) for M in (parts.P, parts.B))
        J, Y, G = (M[front].reshape(-1, 36) for M in (parts.J, parts.Y, parts.G))
        return np.concatenate([J, p, Y, G, b], axis=1).T

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
        values = parts.joints.by_direction(links, parts.tau - parts.damping * self.v, 0.0)
        steps[:, 24] = values[chain.joint, chain.direction]
        steps[:, 25] = parts.rotors(links)[chain.joint, chain.direction]
        steps[:, 26] = 1.0
        steps[outer[:-1], 26] = self.tree.series[chain.nodes]
        return np.ascontiguousarray(steps.T)

    def _metric(self, nodes: Indices) -> Array:
        """Return the squared errors of passive parts; rounding may leave a negative number, which becomes 0."""
        z = self.z[nodes]
        squares = np.einsum("ni,ni->n", z, (self.parts.Q[nodes] @ z[:, :, None])[:, :, 0])
        return np.maximum(self.time**2 * squares, 0.0)

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
