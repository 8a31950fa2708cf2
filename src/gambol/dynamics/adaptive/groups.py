"""The rigid groups of a figure between its active joints, as a hybrid body."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.adaptive.chain import Chain
from gambol.dynamics.adaptive.hybrid import RIGID, GroupJoints, HybridBody
from gambol.dynamics.adaptive.joints import NO_OFFSET, moved_poses
from gambol.dynamics.adaptive.link_places import climb
from gambol.dynamics.adaptive.parts import Parts
from gambol.dynamics.adaptive.tree import NONE

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]

ROOT = 0  # index of the root link


@dataclass(frozen=True)
class Groups:
    """A hybrid body, and the links and parts of the figure to which its joints and groups belong.

    links (n): index of the link of each joint; NONE: a rigid joint to a massless copy. front (n): the node of the
    assembly tree that is the group behind each joint. nodes (n - 1): nodes with active joints, in the order of links.
    number (nodes of the tree): index of the group, for the nodes of groups. before (nodes of the tree): the group
    before the joint, for nodes of active joints. levels: the nodes with active joints, see AssemblyTree.by_level().
    """

    parts: Parts
    body: HybridBody
    links: Indices
    front: Indices
    nodes: Indices
    number: Indices
    before: Indices
    levels: list[Indices]

    @cached_property
    def chain(self) -> Chain:
        """The steps of the assembly passes; constants of parts must not change as long as there are these groups."""
        before = self.before[self.nodes]
        return Chain(self.parts, self.front, self.nodes, (before, self.number[before]))

    @staticmethod
    def of(parts: Parts, active: Flags) -> "Groups":
        """Return the groups; active (nodes): True where a joint is active."""
        tree, inner = parts.tree, np.flatnonzero(active)
        first, tip = np.arange(len(active)), np.arange(len(active))  # the groups of the first and last bodies
        levels = tree.by_level(inner)
        for level in levels:
            A, B = tree.first[level], tree.second[level]
            first[level], tip[level] = first[A], np.where(tree.series[level], tip[B], tip[A])
        inner = inner[np.argsort(tree.rank[tree.second[inner]])]
        links = np.concatenate([[ROOT], tree.link[inner]])
        front = np.concatenate([[first[-1]], first[tree.second[inner]]])
        before, group_before = tip[tree.first[inner]], np.full(len(active), NONE)
        group_before[inner] = before
        number = np.zeros(len(active), np.int64)
        number[front] = np.arange(len(front))
        constants = np.where(links == NONE, NO_OFFSET[:, None], parts.joints.constants[:, links])
        constants[:, 1:] = moved_poses(constants[:, 1:], parts.tip_rotation[before], parts.tip_position[before])
        joints = GroupJoints(
            tuple(RIGID if i == NONE else str(parts.joints.kinds[i]) for i in links),
            constants,
            np.concatenate([[-1], number[before]]),
            parts.body[front].T,
            np.where(links == NONE, 0.0, parts.joints.rotors[links]),
            parts.joints.springs[:, links],
            (links != NONE) & parts.joints.sprung[links],
        )
        return Groups(parts, HybridBody(joints), links, front, inner, number, group_before, levels)

    def set_joint_forces(self, parts: Parts, tau: Array) -> None:
        """Set the joint forces of the hybrid body, without those of springs; tau (nv): forces of the figure."""
        self.body.set_forces(self._by_step(parts, tau), self._by_step(parts, parts.damping))

    def velocity_index(self, parts: Parts) -> Indices:
        """Return the index of each step in the velocities of the figure; NONE: the step has no velocity."""
        steps = np.full(self.body.steps, NONE)
        for block in self.body.blocks:
            for k, index in enumerate(parts.joints.v_indices(self.links[block.joints]).T):
                steps[self.body.first[block.joints] + k] = index
        return steps

    def read(self, parts: Parts, q: Array, v: Array) -> None:
        """Set the state of the hybrid body; q, v: coordinates and velocities of the figure."""
        of_blocks = [self.links[block.joints] for block in self.body.blocks]
        joints = parts.joints
        self.body.set_state(
            [q[joints.q_indices(k)].T for k in of_blocks], [v[joints.v_indices(k)].T for k in of_blocks]
        )

    def write(self, parts: Parts, q: Array, v: Array) -> None:
        """Write the state of the active joints into the state of the figure."""
        for block in self.body.blocks:
            links, n = self.links[block.joints], len(block.joints)
            q[parts.joints.q_indices(links)], v[parts.joints.v_indices(links)] = block.q[:, :n].T, block.v[:, :n].T

    def accelerations(self, parts: Parts, a_world: Array) -> Array:
        """Return the accelerations of the figure (nv) after place(): 0 for passive joints."""
        steps, a = self.body.accelerate(a_world), np.zeros(len(parts.tau))
        for block in self.body.blocks:
            for k, index in enumerate(parts.joints.v_indices(self.links[block.joints]).T):
                a[index] = steps[self.body.first[block.joints] + k]
        return a

    def take_momenta(self, old: "Groups", parts: Parts, v: Array) -> None:
        """Set velocities with which the momenta of the old groups are conserved.

        old: other groups after place(); each lies inside one of these groups. v: velocities of the figure.
        """
        nodes, n = old.front.copy(), len(old.front)
        R, r = np.tile(np.eye(3), (n, 1, 1)), np.zeros((n, 3))
        climb(parts, self.front, nodes, R, r)
        momenta = np.zeros((len(self.front), 6))
        np.add.at(momenta, self.number[nodes], _moved_forces(R, r, old.body.momenta()))
        rotors = (
            self._by_step(parts, v) * np.where(self.body.nv == 0, 0.0, self.body.joints.rotors)[self.body.step_joint]
        )
        self.body.take_momenta(momenta.T, rotors)

    def _by_step(self, parts: Parts, values: Array) -> Array:
        """Return values of the figure (nv) in the order of the steps of the hybrid body."""
        steps = np.zeros(self.body.steps)
        for block in self.body.blocks:
            for k, index in enumerate(parts.joints.v_indices(self.links[block.joints]).T):
                steps[self.body.first[block.joints] + k] = values[index]
        return steps


def _moved_forces(rotation: Array, position: Array, forces: Array) -> Array:
    """Return forces (n, 6) in frames A.

    rotation, position: poses of frames B in frames A. forces: the same forces in frames B (n, 6).
    """
    f = np.einsum("nij,nj->ni", rotation, forces[:, 3:])
    n = np.einsum("nij,nj->ni", rotation, forces[:, :3]) + np.cross(position, f)
    return np.concatenate([n, f], axis=1)
