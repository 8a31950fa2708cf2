"""A hybrid body: the rigid groups of links between active joints, moved by the passes of passes.py.

Its cost is proportional to the number of active joints, not of all joints. [Redon, Galoppo and Lin 2005, section 4]
When joints become passive, an impulse brings their speeds to 0 and conserves the momentum of all bodies: the new
velocities u of the groups minimise the kinetic energy of the change,

    sum (u - v)^T I (u - v) / 2 + sum a_r (u_j - v_j)^2 / 2 = min

which is forward dynamics with -I v as bias force, a_r v_j as joint force and no velocities.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.adaptive.joints import advancing, placing, rating
from gambol.dynamics.adaptive.passes import (
    ANSWER_ROWS,
    ARTICULATED_ROWS,
    DIRECTION_ROWS,
    JOINT_ROWS,
    acceleration_pass,
    inertia_pass,
    rigid_inertia,
    velocity_pass,
)
from gambol.dynamics.adaptive.springs import numbers_of, springing
from gambol.figure import JOINTS
from gambol.lanes import leaves
from gambol.spatial.motion import Motion
from gambol.spatial.vector import Vector

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Run = Callable[[], None]

IDENTITY_COLUMN = np.concatenate([np.eye(3).ravel(), np.zeros(JOINT_ROWS - 9)])
RIGID_INERTIA = 1.0  # rotor inertia of a step without a direction, so that its acceleration is 0 / 1
RIGID = "fixed"


@dataclass(frozen=True)
class GroupJoints:
    """The joints of a hybrid body, parents first; each has the group of links behind it.

    kinds: names in JOINTS. constants (rows, n): see joints.py; with the pose of the joint in the group before it.
    parent (n): the joint of the group before it; -1: the world. bodies (10, n): mass, mass times centre and inertia of
    each group about the origin of its first link. rotors (n): inertia of each joint's rotor. springs (rows, n): numbers
    of springs, see springs.py. sprung (n): True for joints with springs.
    """

    kinds: tuple[str, ...]
    constants: Array
    parent: Indices
    bodies: Array
    rotors: Array
    springs: Array
    sprung: NDArray[np.bool_]


@dataclass(frozen=True)
class Block:
    """The joints of one kind: their indices, their state, and the bound programs that place and advance them.

    bind_rate: binds `rate`. spring: computes the forces of springs; None: there are none. effort: columns of the
    joints' first steps in the table of joint forces. tau (nv, n): forces of springs.
    """

    joints: Indices
    q: Array
    v: Array
    step: Array
    place: Run
    advance: Run
    bind_rate: Callable[[], Run]
    spring: Run | None
    effort: Indices
    tau: Array

    @cached_property
    def rate(self) -> Run:
        """The program of the changes of velocities along fixed axes, which only rigid contacts need."""
        return self.bind_rate()


class HybridBody:
    """The state of a hybrid body, and its motion under gravity, constant joint forces, springs and forces on points.

    joints: its joints, with their groups. add_forces: adds forces to the bias forces of groups, when their velocities
    are known; None: nothing does. column, parent, direction (steps): columns of each step's joint in `table`, of the
    step before it, and of its direction in `subspace`. effort: joint forces, rotor inertias and dampings, from the last
    step to the first. answers (8, steps): W, x and D^-1, from the last step to the first.
    """

    def __init__(self, joints: GroupJoints) -> None:
        self.joints = joints
        self.nv = np.array([JOINTS[kind].nv for kind in joints.kinds])
        steps = np.maximum(self.nv, 1)
        self.last = np.cumsum(steps) - 1
        self.first = self.last - steps + 1
        n = self.steps = int(steps.sum())
        self.step_joint = np.repeat(np.arange(len(steps)), steps)
        self.motions, self.accelerations = np.zeros((18, n + 1)), np.zeros((7, n + 1))
        self.effort = np.array([np.zeros(n), joints.rotors[self.step_joint][::-1], np.zeros(n)])
        self.effort[1, n - 1 - self.first[self.nv == 0]] = RIGID_INERTIA
        self._constant_tau = np.zeros(n)
        self.step_length = 0.0
        self.add_forces: Run | None = None
        self.impulses: Callable[[float, Array], None] | None = None
        self._lay_out_blocks()
        self._bind_passes()

    def set_state(self, q: list[Array], v: list[Array]) -> None:
        """Set the state.

        q, v: coordinates (nq, n) and velocities (nv, n) of the joints of each kind, in the order of blocks.
        """
        for block, x, u in zip(self.blocks, q, v, strict=True):
            n = len(block.joints)
            block.q[:, :n], block.v[:, :n] = x, u

    def place(self) -> None:
        """Compute poses and velocities of all groups, and all forces on them."""
        self.effort[0] = self._constant_tau
        for block in self.blocks:
            block.place()
            if block.spring:
                block.spring()
                for k, tau in enumerate(block.tau[:, : len(block.joints)]):
                    self.effort[0, block.effort - k] = self._constant_tau[block.effort - k] + tau
        self._velocities()
        if self.add_forces:
            self.add_forces()

    def accelerate(self, a_world: Array) -> Array:
        """Return the accelerations of all steps after place().

        a_world: acceleration of the world (6), instead of gravity.
        """
        self.accelerations[:6, -1] = a_world
        self._inertias()
        self._accelerations()
        return self.accelerations[6, :-1]

    def advance(self, h: float, count: int, a_world: Array) -> None:
        """Advance the state by `count` steps of length h [s]; a_world: see accelerate()."""
        for block in self.blocks:
            block.step[:] = h
        for _ in range(count):
            self.prepare(h, a_world)
            for block in self.blocks:
                block.advance()

    def prepare(self, h: float, a_world: Array) -> None:
        """Compute the accelerations and contact forces of a step of length h [s]; a_world: see accelerate()."""
        self.step_length = h
        self.place()
        if self.impulses:
            self.impulses(h, a_world)
        else:
            self.accelerate(a_world)

    def add_joint_forces(self, steps: Indices, forces: Array) -> None:
        """Add forces to those of steps, until place() computes all forces anew."""
        self.effort[0, self.steps - 1 - steps] += forces

    def velocities(self) -> Array:
        """Return the velocities (6, n) of the groups after place(), in the axes of their first links."""
        return self.motions[:6, self.last]

    def momenta(self) -> Array:
        """Return the momenta (n, 6) of the groups after place(), about the origins of their first links."""
        inertia, v = rigid_inertia(list(self.joints.bodies)), self.velocities()
        h = inertia @ Motion(Vector.of(list(v[:3])), Vector.of(list(v[3:])))
        return np.stack(leaves(h), axis=1)

    def take_momenta(self, momenta: Array, rotor_momenta: Array) -> None:
        """Set the velocities so that the momenta of all groups (6, n) and of rotors (steps) are conserved."""
        self.place()
        self.motions[6:] = 0.0
        self.motions[12:, self.last] = -momenta
        forces = self._constant_tau[::-1].copy(), self.effort[2, ::-1].copy()
        self.set_forces(rotor_momenta, np.zeros(self.steps))
        self.accelerate(np.zeros(6))
        self.set_forces(*forces)
        for block in self.blocks:
            for k in range(len(block.v)):
                block.v[k, : len(block.joints)] = self.accelerations[6, self.first[block.joints] + k]

    def set_forces(self, tau: Array, damping: Array) -> None:
        """Set the joint forces, without those of springs, and the damping of all steps."""
        self.effort[[0, 2]] = tau[::-1], damping[::-1]
        self._constant_tau = tau[::-1].copy()

    def _lay_out_blocks(self) -> None:
        """Make the tables of joints and directions, one block of columns for each kind."""
        kinds = self.joints.kinds
        groups = {k: np.array([i for i, kind in enumerate(kinds) if kind == k]) for k in dict.fromkeys(kinds)}
        lanes = 1 if RIGID in groups and len(groups) == 1 else placing(next(k for k in groups if k != RIGID)).lanes
        padded = {k: -(-len(joints) // lanes) * lanes for k, joints in groups.items()}
        self.table = np.zeros((JOINT_ROWS, sum(padded.values()) + 1))
        self.table[:] = IDENTITY_COLUMN[:, None]
        self.subspace = np.zeros((DIRECTION_ROWS, sum(padded[k] * JOINTS[k].nv for k in groups) + 1))
        self.rates = np.zeros((1, self.subspace.shape[1]))
        self.joint_column, self.step_column = np.zeros(len(kinds), np.int64), np.full(self.steps, -1)
        self.blocks: list[Block] = []
        column = direction = 0
        for kind, joints in groups.items():
            self.joint_column[joints] = column + np.arange(len(joints))
            if kind == RIGID:
                self.table[:12, self.joint_column[joints]] = self.joints.constants[:12, joints]
            for k in range(JOINTS[kind].nv):
                self.step_column[self.first[joints] + k] = direction + k * padded[kind] + np.arange(len(joints))
            if kind != RIGID:
                self.blocks.append(self._block(kind, joints, column, direction, padded[kind]))
            column, direction = column + padded[kind], direction + padded[kind] * JOINTS[kind].nv

    def _block(self, kind: str, joints: Indices, column: int, direction: int, width: int) -> Block:
        """Return the block of joints of a kind; the columns that fill the last vector are copies of the last joint."""
        row = JOINTS[kind]
        filled = joints[np.minimum(np.arange(width), len(joints) - 1)]
        q, v = np.repeat(np.array(row.rest)[:, None], width, axis=1), np.zeros((row.nv, width))
        constants = np.ascontiguousarray(self.joints.constants[:, filled])
        starts = [direction + k * width for k in range(row.nv)]
        placed = [self.table[:, column : column + width], *(self.subspace[:, s : s + width] for s in starts)]
        index = 6.0 * (self.steps + 1) + self.first[filled] + np.arange(row.nv)[:, None]
        step = np.zeros((1, width))
        place = placing(kind).bind(q, v, constants, out=placed)
        advance = advancing(kind).bind(q, v, index, step, out=[q, v], tables=[self.accelerations.reshape(-1)])
        rates = self.rates[0, direction : direction + row.nv * width].reshape(row.nv, width)
        accelerations = self.accelerations.reshape(-1)

        def bind_rate() -> Run:
            return rating(kind).bind(v, index, out=[rates], tables=[accelerations])

        tau, spring = np.zeros((row.nv, width)), None
        if self.joints.sprung[joints].any():
            numbers = np.ascontiguousarray(numbers_of(kind, self.joints.springs[:, filled]))
            spring = springing(kind).bind(q, v, numbers, out=[tau])
        return Block(joints, q, v, step, place, advance, bind_rate, spring, self.steps - 1 - self.first[joints], tau)

    def _bind_passes(self) -> None:
        """Bind the three passes to the tables. Column n of the tables of results is the world."""
        n, joint, t = self.steps, self.step_joint, np.arange(self.steps)
        is_first, is_last = self.first[joint] == t, self.last[joint] == t
        column = np.where(is_first, self.joint_column[joint], self.table.shape[1] - 1)
        parent_joint = self.joints.parent[joint]
        parent = np.where(is_first, np.where(parent_joint < 0, n, self.last[parent_joint]), t - 1)
        self.column, self.parent = column, parent
        bodies = np.concatenate([self.joints.bodies, np.zeros((10, 1))], axis=1)
        body = np.where(is_last, joint, len(self.last))
        direction = np.where(self.step_column < 0, self.subspace.shape[1] - 1, self.step_column)
        child, sibling = self._children(is_last)
        articulated, responses = np.zeros((ARTICULATED_ROWS, n + 1)), np.zeros((ANSWER_ROWS, n))
        self.direction, self.answers = direction, responses
        tables = (self.table, self.subspace, bodies, self.motions, articulated, responses, self.accelerations)
        J, S, B, M, A, W, a = (table.reshape(-1) for table in tables)
        width = {id(flat): table.shape[1] for flat, table in zip((J, S, B, M, A, W, a), tables, strict=True)}

        def widths(*flat: Array) -> Array:
            return np.array([[float(width[id(x)])] for x in flat])

        self._velocities = velocity_pass().bind(
            _rows(column, body, parent), widths(J, B, M), out=[self.motions[:, :n]], tables=[J, B, M]
        )
        inward = _rows(*(x[::-1] for x in (column, direction, body, t, child, sibling)))
        self._inertias = inertia_pass().bind(
            inward, widths(J, S, B, M, A), self.effort, out=[articulated[:, :n], responses], tables=[J, S, B, M, A]
        )
        self._accelerations = acceleration_pass().bind(
            _rows(column, direction, t, n - 1 - t, parent),
            widths(J, S, M, W, a),
            out=[self.accelerations[:, :n]],
            tables=[J, S, M, W, a],
        )

    def _children(self, is_last: NDArray[np.bool_]) -> tuple[Indices, Indices]:
        """Return, for each step, the columns of its first child and next sibling in the inward pass; n: no such node.

        The inward pass is from the last step to the first: step t has column n - 1 - t.
        """
        n, t = self.steps, np.arange(self.steps)
        child, sibling = np.where(is_last, n, n - 2 - t), np.full(n, n)
        order = np.lexsort((self.first, self.joints.parent))
        parent, first = self.joints.parent[order], self.first[order]
        same = parent[1:] == parent[:-1]
        sibling[first[:-1][same]] = n - 1 - first[1:][same]
        is_first_child = np.concatenate([[True], ~same]) & (parent >= 0)
        child[self.last[parent[is_first_child]]] = n - 1 - first[is_first_child]
        return child, sibling


def _rows(*indices: Indices) -> Array:
    return np.array(indices, float)
