"""Where a joint puts its link at one value of its coordinates, and which motions it allows there.

Between parent P and link L lies the joint frame J. It shares the link's origin, and its axes are the link's, turned by
a constant so that the joint acts along coordinate axes: X_PL = X_PJ R_JL. All that depends on q is in X_PJ.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.lanes import Scalar
from gambol.spatial.factor import Turns
from gambol.spatial.motion import AT_REST, NO_FORCE, Force, Motion
from gambol.spatial.rotation import Rotation, product
from gambol.spatial.transform import Transform
from gambol.spatial.vector import Vector


@dataclass(frozen=True, slots=True)
class Bend:
    """How a column turns in the joint frame: along is dS_column / dq, where velocity `by` is the rate of that q."""

    column: int
    by: int
    along: Motion


@dataclass(frozen=True, slots=True)
class Placement:
    """A joint at one value of q.

    outer: rotations whose product is R_PJ; inner: constant ones whose product is R_JL. X_PJ: the joint frame in the
    parent. columns: the motions the joint allows, in J. bends: how columns that are not constant in J change.
    borne: the forces that the joint bears, in J, where the columns' constant components do not tell them.
    """

    outer: Turns
    inner: Turns
    X_PJ: Transform
    R_JL: Rotation
    columns: tuple[Motion, ...]
    bends: tuple[Bend, ...] = ()
    borne: tuple[Force, ...] = ()

    @staticmethod
    def of(outer: Turns, position: Vector, inner: Turns, columns: Sequence[Motion]) -> "Placement":
        """The placement whose transforms are the products of the given turns."""
        return Placement(outer, inner, Transform(product(outer), position), product(inner), tuple(columns))

    @property
    def X_PL(self) -> Transform:
        """The link in the parent."""
        return Transform(self.X_PJ.rotation @ self.R_JL, self.X_PJ.position)

    def motion(self, v: Sequence[Scalar]) -> Motion:
        """What the link moves relative to its parent at joint velocities v, in J."""
        return sum((S * speed for S, speed in zip(self.columns, v, strict=True)), AT_REST)

    def bending(self, v: Sequence[Scalar]) -> Motion:
        """What the change of the columns in J adds to the link's acceleration at joint velocities v."""
        return sum((bend.along * (v[bend.column] * v[bend.by]) for bend in self.bends), AT_REST)

    def to_joint(self, force: Force) -> Force:
        """A force from link to joint axes."""
        return Force(self.R_JL @ force.n, self.R_JL @ force.f)

    def to_link(self, motion: Motion) -> Motion:
        """A motion from joint to link axes."""
        back = self.R_JL.transpose
        return Motion(back @ motion.w, back @ motion.v)

    def constraints(self) -> tuple[Force, ...]:
        """The forces that the joint bears: a basis of those that have no power on any motion it allows, in J.

        The modes psi that complement the free modes phi: psi_i . phi_k = 0, 6 - nv of them. [Arnold 1997, 2.1.2]
        Found by Gauss-Jordan elimination of the columns, whose leading components are known while tracing.
        """
        if self.borne:
            return self.borne
        reduced: list[tuple[int, Motion]] = []
        for column in self.columns:
            for k, other in reduced:
                column = column + other * -column[k]
            k = _leading(column)
            unit = column * (1.0 / column[k])
            reduced = [(m, other + unit * -other[k]) for m, other in reduced] + [(k, unit)]
        leading = {k for k, _ in reduced}
        return tuple(_bearing(i, reduced) for i in range(6) if i not in leading)


def _leading(S: Motion) -> int:
    """A component of a column that never vanishes: a plain number other than 0."""
    return next(k for k in range(6) if isinstance(S[k], (int, float)) and S[k] != 0.0)


def _bearing(i: int, reduced: Sequence[tuple[int, Motion]]) -> Force:
    """The force along coordinate i, with what makes it powerless on columns whose leading components are 1."""
    force = NO_FORCE.with_component(i, 1.0)
    for k, S in reduced:
        force = force.with_component(k, -S[i])
    return force
