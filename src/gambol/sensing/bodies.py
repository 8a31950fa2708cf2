"""Sensors of several links together: centre of mass, momentum, energy; and the clock.

    c = sum m_i c_i / m        v = sum m_i v_i / m        L = sum (I_i w_i + m_i (c_i - c) x (v_i - v))

The sums are over a link and all links that it carries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gambol.collide import Ground
from gambol.errors import WorldError, did_you_mean
from gambol.figure import Figure
from gambol.lanes import Scalar, total
from gambol.sensing.mounted import XYZ
from gambol.sensing.sensor import DYNAMICS, VELOCITIES, Sensor, SensorInput
from gambol.spatial import Rotation, Vector
from gambol.spatial.rotation import is_constant
from gambol.spatial.vector import ZERO


@dataclass(frozen=True)
class _Body:
    """A link with mass: its mass [kg], centre of mass in the world [m], rotation, inertia, and index."""

    mass: Scalar
    com: Vector
    rotation: Rotation
    inertia: Any
    index: int


def _carried(at: SensorInput, link: str) -> Iterator[_Body]:
    """Yield the bodies with mass among a link and all links that it carries."""
    top = at.figure.link(link).index
    for placed in at.figure.links:
        m = placed.mass_properties
        if is_constant(m.mass, 0.0) or top not in {x.index for x in at.figure.path_to_root(placed.index)}:
            continue
        pose = at.state.poses[placed.index]
        yield _Body(m.mass, pose @ Vector(*m.com), pose.rotation, m.inertia, placed.index)


def _mean(bodies: list[_Body], vectors: list[Vector]) -> Vector:
    """Return the mean of vectors, weighted by masses."""
    mass = total(body.mass for body in bodies)
    return sum((x * body.mass for body, x in zip(bodies, vectors, strict=True)), ZERO) * (1.0 / mass)


def _velocities(at: SensorInput, bodies: list[_Body]) -> list[Vector]:
    """Return the velocities of the centres of mass in world axes [m/s]."""
    links = at.figure.links
    return [at.state.point_velocity(b.index, Vector(*links[b.index - 1].mass_properties.com)) for b in bodies]


@dataclass(frozen=True)
class CentreOfMass(Sensor):
    """The centre of mass of a link and all that it carries, in the world [m] (MuJoCo: subtreecom)."""

    kind: ClassVar[str] = "centre_of_mass"
    link: str

    @property
    def readings(self) -> tuple[str, ...]:
        """Three coordinates."""
        return XYZ

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise FigureError for an unknown link, WorldError for links without mass."""
        Sensor.check(self, name, figure, ground)
        top = figure.link(self.link).index
        carried = [x for x in figure.links if top in {y.index for y in figure.path_to_root(x.index)}]
        if all(is_constant(x.mass_properties.mass, 0.0) for x in carried):
            raise WorldError(f'the sensor "{name}" reads the centre of mass of "{self.link}", which has no mass')

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the centre of mass."""
        bodies = list(_carried(at, self.link))
        return list(_mean(bodies, [body.com for body in bodies]))


@dataclass(frozen=True)
class CentreVelocity(CentreOfMass):
    """The velocity of the centre of mass of a link and all that it carries [m/s] (MuJoCo: subtreelinvel)."""

    kind: ClassVar[str] = "centre_velocity"
    needs: ClassVar[tuple[str, ...]] = (VELOCITIES,)

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the velocity, in world axes."""
        bodies = list(_carried(at, self.link))
        return list(_mean(bodies, _velocities(at, bodies)))


@dataclass(frozen=True)
class AngularMomentum(CentreVelocity):
    """The angular momentum of a link and all that it carries about their centre of mass (MuJoCo: subtreeangmom).

    In world axes [kg m2/s]; without the angular momentum of rotors.
    """

    kind: ClassVar[str] = "angular_momentum"

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the angular momentum."""
        bodies = list(_carried(at, self.link))
        velocities = _velocities(at, bodies)
        c, v = _mean(bodies, [body.com for body in bodies]), _mean(bodies, velocities)
        momentum = ZERO
        for body, velocity in zip(bodies, velocities, strict=True):
            spin = Rotation.of(body.inertia) @ at.state.velocities[body.index].w
            momentum = momentum + body.rotation @ spin + ((body.com - c) * body.mass).cross(velocity - v)
        return list(momentum)


ENERGIES = ("kinetic", "potential")
"""The energies that a sensor may read."""


@dataclass(frozen=True)
class Energy(Sensor):
    """The energies of the world [J] (MuJoCo: e_kinetic, e_potential).

    parts: "kinetic" or "potential" or both, in any order. The potential energy is the sum of the energies of gravity (0
    for mass at the origin), springs, actuators, and soft contacts.
    """

    kind: ClassVar[str] = "energy"
    needs: ClassVar[tuple[str, ...]] = (DYNAMICS,)
    parts: tuple[str, ...] = ENERGIES

    @property
    def readings(self) -> tuple[str, ...]:
        """The parts."""
        return self.parts

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise WorldError for unknown energies."""
        for part in self.parts:
            if part not in ENERGIES:
                raise WorldError(f'the sensor "{name}" reads the energy "{part}"; {did_you_mean(part, ENERGIES)}')

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the energies."""
        values = {"kinetic": at.dynamics.kinetic_energy, "potential": at.dynamics.potential_energy}
        return [values[part] for part in self.parts]


@dataclass(frozen=True)
class TimeSensor(Sensor):
    """The time of the world [s] (MuJoCo: clock)."""

    kind: ClassVar[str] = "clock"

    @property
    def readings(self) -> tuple[str, ...]:
        """The time."""
        return ("time",)

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Do nothing: every world has a time."""

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the time."""
        return [at.time]
