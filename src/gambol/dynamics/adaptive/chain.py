"""The chain of steps of the assembly passes: the directions of all active joints, with the arrays of the passes.

It belongs to one choice of active joints, and is used in each choice until they change.
"""

from collections.abc import Callable

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
from gambol.dynamics.adaptive.parts import Parts

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

UNIT_RESPONSE = np.concatenate([np.zeros(42), np.eye(6).ravel(), np.zeros(42)])
"""Values of a first part without effect: J = 0, Y = 1, G = 0."""


class Chain:
    """The steps of the assembly passes: the directions of all active joints, from the lowest node to the root's joint.

    nodes: nodes of the active joints, the lowest first. order: joints of the hybrid body, in the order of links. links:
    links of these joints, and the root. joint, direction: joint and direction of each step. inner, outer: first and
    last step of each joint. unit: the column for parts without effect. column: the column of each node; of_node,
    source: see _find_sources(). The columns of the results of the upward pass are the groups, then one column for parts
    without effect, then the steps. before (nodes): the group before each joint; tip (nodes, 3, 3), at (nodes, 3): pose
    of its last body in it. numbers: those of the steps, see STEP_ROWS; the caller writes all rows but the last. ends:
    results of the downward pass, see ENDS_ROWS.
    """

    def __init__(self, parts: Parts, front: Indices, nodes: Indices, before: tuple[Indices, Indices]) -> None:
        """front: the groups. nodes: nodes of active joints, in the order of links. before: for each of them the part
        before its joint, and the number of its group.
        """
        upward = np.argsort(nodes)
        self.tree, self.nodes, self.directions = parts.tree, nodes[upward], parts.joints.directions
        self.before = before[1][upward]
        tips = before[0][upward]
        self.tip, self.at = parts.tip_rotation[tips], parts.tip_position[tips]
        self.links = np.concatenate([parts.tree.link[self.nodes], [0]])
        self.order = np.concatenate([1 + upward, [0]])
        counts = np.where(self.links < 0, 1, np.maximum(parts.joints.nv[self.links], 1))
        self.outer = np.cumsum(counts) - 1
        self.inner = self.outer - counts + 1
        self.joint = np.repeat(np.arange(len(counts)), counts)
        self.steps = len(self.joint)
        self.direction = self.outer[self.joint] - np.arange(self.steps)
        self.unit = len(front)
        self.column = np.zeros(len(parts.tree.first), np.int64)
        self.column[front] = np.arange(self.unit)
        self.column[self.nodes] = self.unit + 1 + self.outer[:-1]
        self._find_sources()
        self._bind_passes()

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

    def _bind_passes(self) -> None:
        """Make the arrays of both passes, and bind the passes to them."""
        n, width = self.steps, self.unit + 1 + self.steps
        self.numbers, maps = np.zeros((STEP_ROWS, n)), np.zeros((MAP_ROWS, n))
        self.numbers[[0, 4, 8]] = 1.0
        self.numbers[26] = 1.0
        self.numbers[26, self.outer[:-1]] = self.tree.series[self.nodes]
        table = np.zeros((RESPONSE_ROWS, width))
        table[:, self.unit] = UNIT_RESPONSE
        parts = np.full((2, n), self.unit, float)
        parts[1] = self.unit + np.arange(n)  # the step before
        parts[0, self.outer[:-1]] = self.column[self.tree.first[self.nodes]]
        parts[1, self.inner[:-1]] = self.column[self.tree.second[self.nodes]]
        parts[1, self.inner[-1]] = self.column[-1]
        results = [table[:, self.unit + 1 :], maps]
        widths = [np.full((1, 1), float(x)) for x in (width, n + 1)]
        self._conquer: Callable[[], None] = conquer_pass().bind(
            parts, widths[0], self.numbers, out=results, tables=[table.reshape(-1)]
        )
        self.ends, source = np.zeros((ENDS_ROWS, n + 1)), self.source[None, ::-1].astype(float)
        self._responses, self._maps = table[:, : self.unit], maps
        self._backward = np.zeros((STEP_ROWS, n)), np.zeros((MAP_ROWS, n))
        self._divide: Callable[[], None] = divide_pass().bind(
            source, widths[1], *self._backward, out=[self.ends[:, :n]], tables=[self.ends.reshape(-1)]
        )

    def accelerations(self, responses: Array, a_world: Array) -> Array:
        """Return the joint accelerations (joints, d), and store the ends of all parts.

        responses: responses of the groups. a_world: acceleration of the world (6), instead of gravity.
        """
        self._responses[:] = responses
        self._conquer()
        for backward, forward in zip(self._backward, (self.numbers, self._maps), strict=True):
            backward[:] = forward[:, ::-1]
        self.ends[:6, -1] = a_world
        self._divide()
        rates = np.zeros((len(self.links), self.directions))
        rates[self.joint, self.direction] = self.ends[-1, : self.steps][::-1]
        return rates

    def ends_of(self, nodes: Indices) -> Array:
        """Return a_0 and f_1 (n, 12) of parts."""
        rows = np.arange(12) * (self.steps + 1)
        return self.ends.reshape(-1)[self.of_node[nodes][:, None] + rows]
