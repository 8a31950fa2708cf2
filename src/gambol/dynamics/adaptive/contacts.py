"""Forces on points of links, such as those of the ground: one pass over the points, whichever groups carry them.

    outward   X_W = X_WP X_PJ                    the pose of each group in the world
    points    f = force(X_W, v, point)           the sum over the points of each group is added to its bias force

The number of points does not decrease as joints become passive, but a point costs far less than a joint.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.adaptive.hybrid import HybridBody, Run
from gambol.dynamics.adaptive.link_places import LinkPlaces
from gambol.dynamics.adaptive.passes import POSE_ROWS, entries, motion_of, pose_pass, transform_of
from gambol.figure import Triple
from gambol.lanes import Program, ProgramSpec, Scalar, leaves
from gambol.spatial.motion import Force, Motion, Transform
from gambol.spatial.vector import Vector

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Numbers = Sequence[Scalar]


class PointForces(Protocol):
    """A law of forces on points of links."""

    @property
    def points(self) -> Sequence[tuple[int, Triple, float]]:
        """Link index (0 is the root), position in the link [m] and radius [m] of each point, which is a ball."""
        ...

    @property
    def table(self) -> Array | None:
        """Numbers that the law reads, or None."""
        ...

    def force(self, pose: Transform, velocity: Motion, position: Vector, radius: Scalar, table: Any) -> Force:
        """Return the force on a body at a point, in body coordinates.

        pose, velocity: pose of the body in the world, its velocity in body coordinates. position, radius: ball in the
        body. table: as in the class.
        """
        ...


def point_program(law: PointForces) -> Program:
    """Return the program of the forces (6) on bodies at points.

    It takes the column of the body in two tables, the widths of the tables, position and radius of the point; and the
    tables of poses and velocities, and that of the law.
    """

    def forces(column: Scalar, widths: Numbers, position: Numbers, radius: Scalar, *tables: Any) -> Any:
        pose = transform_of(entries(tables[0], widths[0], column, POSE_ROWS))
        velocity = motion_of(entries(tables[1], widths[1], column, 6))
        return (leaves(law.force(pose, velocity, Vector.of(position), radius, tables[2])),)

    return Program(ProgramSpec("point forces", forces, (0.0, [0.0] * 2, [0.0] * 3, 0.0), 3))


class PlacedPoints:
    """Points of links, placed in the groups of a hybrid body, with the poses of all groups in the world.

    places: the points in groups. body: the hybrid body. numbers (nodes): index of the group, for nodes that are groups.
    group (m): index of the group of each point. rotation (m, 3, 3), position (m, 3): pose of the point's link in the
    group. order: the given points by group; all arrays are in this order. placed (m, 3), radius (m): the balls in their
    groups. column (m): column of each point's group in the tables of poses and motions. forces (6, m or more): forces
    on the groups at the points.
    """

    def __init__(self, places: LinkPlaces, body: HybridBody, numbers: Indices) -> None:
        group = numbers[places.node][places.of_link]
        self.count, self.body = len(group), body
        self.order = np.argsort(group, kind="stable")
        of_link = places.of_link[self.order]
        self.link, self.radius, at = places.link[self.order], places.radius[self.order], places.at[self.order]
        self.rotation, self.position = places.rotation[of_link], places.position[of_link]
        self.placed = self.position + (self.rotation @ at[:, :, None])[:, :, 0]
        self.group = group[self.order]
        self.column = body.last[self.group]
        self.width = body.steps + 1
        self.poses = np.zeros((POSE_ROWS, self.width))
        self.poses[:9, -1] = np.eye(3).ravel()
        self.forces = np.zeros((6, self.count))
        index = np.array([body.column, body.parent], float)
        widths = np.array([[float(body.table.shape[1])], [float(self.width)]])
        tables = [body.table.reshape(-1), self.poses.reshape(-1)]
        self.place_groups = pose_pass().bind(index, widths, out=[self.poses[:, :-1]], tables=tables)

    def bind(self, program: Program, table: Array | None) -> tuple[Run, Array]:
        """Return a bound program of the points, see point_program(), and its results; place_groups() comes before it.

        table: numbers that the law reads, or None.
        """
        filled = np.minimum(np.arange(-(-self.count // program.lanes) * program.lanes), self.count - 1)
        results = np.zeros((program.outputs[0], len(filled)))
        run = program.bind(
            self.column[filled][None].astype(float),
            np.full((2, len(filled)), float(self.width)),
            np.ascontiguousarray(self.placed[filled].T),
            self.radius[filled][None],
            out=[results],
            tables=[
                self.poses.reshape(-1),
                self.body.motions.reshape(-1),
                np.zeros(1) if table is None else table,
            ],
        )
        return run, results

    def link_forces(self, links: int) -> Array:
        """Return the forces on all links (L, 6), in link coordinates, from those on groups."""
        n, f = self.forces[:3, : self.count].T, self.forces[3:, : self.count].T
        at_link = np.concatenate([n - np.cross(self.position, f), f], axis=1).reshape(-1, 2, 3)
        turned = np.einsum("nji,nkj->nki", self.rotation, at_link).reshape(-1, 6)
        return np.array([np.bincount(self.link, row, links) for row in turned.T], float).T


class GroupPoints(PlacedPoints):
    """The points of a hybrid body on which compliant forces act.

    program: see point_program(). law: its law. places, body, numbers: see PlacedPoints.
    """

    def __init__(
        self, program: Program, law: PointForces, places: LinkPlaces, body: HybridBody, numbers: Indices
    ) -> None:
        super().__init__(places, body, numbers)
        self._forces, self.forces = self.bind(program, law.table)
        self.starts = np.flatnonzero(np.diff(self.group, prepend=-1))
        self.columns = self.column[self.starts]

    def apply(self) -> None:
        """Add the forces on all points to the bias forces of their groups; after the velocities are known."""
        self.place_groups()
        self._forces()
        self.body.motions[12:, self.columns] -= np.add.reduceat(self.forces[:, : self.count], self.starts, axis=1)
