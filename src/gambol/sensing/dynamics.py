"""The forces and accelerations that sensors read, as a world computes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from gambol.lanes import Scalar
from gambol.spatial import Force, Motion, Vector


@dataclass(frozen=True, slots=True)
class SensedContact:
    """A possible contact of two links, or of a link with the ground.

    link, other: indices of the links; other is 0 for the ground. point: point in the world [m]. normal: from `other`
    towards `link`. gap: distance of the surfaces [m]; negative where they overlap. force: force on `link`, in world
    axes, 0 unless they touch [N].
    """

    link: int
    other: int
    point: Vector
    normal: Vector
    gap: Scalar
    force: Vector


class SensorDynamics(Protocol):
    """Forces and accelerations of a figure in a state; each is computed only if a sensor reads it."""

    @property
    def contacts(self) -> Sequence[SensedContact]:
        """All possible contacts."""
        ...

    @property
    def proper_accelerations(self) -> Sequence[Motion]:
        """Accelerations of all links' origins minus gravity, in link axes, by index of the link [rad/s2, m/s2].

        They are classical accelerations, not spatial ones; index 0 is the world.
        """
        ...

    @property
    def joint_wrenches(self) -> Sequence[Force]:
        """Wrench of the parent on each link through its joint, about the link's origin in link axes [N m, N].

        By index of the link; index 0 is the wrench of the figure on the world.
        """
        ...

    @property
    def actuator_forces(self) -> Sequence[Scalar]:
        """Forces of actuators, and of springs whose rest angles the controller moves, at all freedoms (nv)."""
        ...

    def actuator_force(self, name: str) -> Scalar:
        """Return the force of an actuator along its path [N], negative where it pulls; else at its joint [N m or N]."""
        ...

    def path_motion(self, name: str) -> tuple[Scalar, Scalar]:
        """Return length [m] and rate [m/s] of the path of an actuator."""
        ...

    def path_limit_force(self, name: str) -> Scalar:
        """Return the force of the limit of the path of an actuator, towards its range; 0 within the range [N]."""
        ...

    def joint_bounds(self, link: str) -> tuple[Scalar, Scalar]:
        """Return the limits of the joint of a link with one degree of freedom [rad or m]."""
        ...

    @property
    def limit_forces(self) -> Sequence[Scalar]:
        """Forces of rigid joint limits at all freedoms (nv)."""
        ...

    @property
    def kinetic_energy(self) -> Scalar:
        """Kinetic energy [J]."""
        ...

    @property
    def potential_energy(self) -> Scalar:
        """Potential energy of gravity, springs, actuators and soft contacts [J]."""
        ...
