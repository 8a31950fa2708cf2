"""An independent reading of films by their poses alone: places, heights and energies of a figure's parts, with NumPy.

The signals of films are tested against it, so nothing here uses the formulas of gambol.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from gambol.figure import Figure
from gambol.figure.link import Part
from gambol.world import Film

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Reading:
    """A figure in the poses of one world of a film. F frames."""

    film: Film
    figure: Figure
    world: int = 0

    def place(self, link: str) -> Array:
        """The origin of a link (F, 3) [m]."""
        return self.film.position[:, self.world, self.film.link_names.index(link)]

    def turn(self, link: str) -> Array:
        """The rotation of a link to world axes (F, 3, 3)."""
        quaternion = self.film.quaternion[:, self.world, self.film.link_names.index(link)]
        return Rotation.from_quat(quaternion, scalar_first=True).as_matrix()

    def masses(self) -> Iterator[tuple[str, float, Array, Array, Array]]:
        """Each link with mass: name, mass [kg], centre of mass (F, 3), rotation of and inertia about it."""
        for link in self.figure.links:
            own = link.mass_properties
            if own.mass > 0.0:
                turn = self.turn(link.name)
                yield link.name, own.mass, self.place(link.name) + turn @ np.array(own.com), turn, np.array(own.inertia)

    def centre(self) -> Array:
        """The centre of mass of all links (F, 3) [m]."""
        total = sum(mass for _, mass, *_ in self.masses())
        return sum(mass * place for _, mass, place, *_ in self.masses()) / total

    def potential(self, gravity: float) -> Array:
        """Energy of height (F,) [J]; gravity [m/s2]."""
        return sum(mass * gravity * place[:, 2] for _, mass, place, *_ in self.masses())

    def bottoms(self, link: str) -> Array:
        """The lowest points of the corners of all parts of a link that touch the ground (F, C, 3) [m]."""
        found = [np.empty((len(self.film.time), 0, 3))]
        for part in (part for part in self.figure.link(link).parts if part.contact_points()):
            corners, radius = corners_of(part)
            in_link = np.array(part.position) + corners @ np.array(part.rotation).T
            turned = np.einsum("fij,cj->fci", self.turn(link), in_link)
            found.append(self.place(link)[:, None] + turned - [0.0, 0.0, radius])
        return np.concatenate(found, axis=1)

    def kinetic(self) -> Array:
        """Energy of motion by the mean speeds between a frame and the next, rotors of joints included (F - 1,) [J]."""
        time, energy = np.diff(self.film.time), np.zeros(len(self.film.time) - 1)
        spins = {link.name: self._spin(link.name) for link in self.figure.links}
        for name, mass, place, turn, inertia in self.masses():
            speed = np.diff(place, axis=0) / time[:, None]
            middle = Rotation.from_rotvec(spins[name] * time[:, None] / 2) * Rotation.from_matrix(turn[:-1])
            own = middle.inv().apply(spins[name])
            energy += 0.5 * mass * (speed**2).sum(axis=1) + 0.5 * np.einsum("fi,ij,fj->f", own, inertia, own)
        rotors = ((link.joint.armature, link.name) for link in self.figure.links if link.joint.armature)
        return energy + sum(0.5 * inertia * (np.diff(self.coordinate(name)) / time) ** 2 for inertia, name in rotors)

    def _spin(self, link: str) -> Array:
        """The mean angular velocity of a link between frames, in world axes (F - 1, 3) [rad/s]."""
        turn = Rotation.from_matrix(self.turn(link))
        return (turn[1:] * turn[:-1].inv()).as_rotvec() / np.diff(self.film.time)[:, None]

    def coordinate(self, name: str) -> Array:
        """The angle or the slide of a revolute or a prismatic joint (F,) [rad or m]."""
        link = self.figure.link(name)
        home, axis = np.array(link.joint.rotation), np.array(link.joint.axis)
        parent = self.figure.links[link.parent_index - 1].name
        if link.joint.kind == "prismatic":
            moved = np.einsum("fji,fj->fi", self.turn(parent), self.place(name) - self.place(parent))
            return (moved - np.array(link.joint.position)) @ home @ axis
        turned = home.T @ np.swapaxes(self.turn(parent), 1, 2) @ self.turn(name)
        return np.unwrap(Rotation.from_matrix(turned).as_rotvec() @ axis)


def corners_of(part: Part) -> tuple[Array, float]:
    """Points (C, 3) of a shape in its own axes, and the radius of the balls about them that it is the hull of [m]."""
    size = part.shape.sizes
    match part.shape.kind:
        case "sphere":
            return np.zeros((1, 3)), size[0]
        case "capsule":
            return np.array([[0.0, 0.0, -size[1] / 2], [0.0, 0.0, size[1] / 2]]), size[0]
        case "box":
            signs = np.array(np.meshgrid(*[[-0.5, 0.5]] * 3)).reshape(3, -1).T
            return signs * size, 0.0
        case "frustum":
            around = np.arange(8) * np.pi / 4
            rim = np.stack([np.cos(around), np.sin(around), 0.0 * around], axis=1)
            return np.concatenate([end * rim + [0.0, 0.0, z] for end, z in _ends(*size)]), 0.0
    raise AssertionError(f"where are the corners of a {part.shape.kind}?")


def _ends(base: float, top: float, length: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Radius and height of the two ends of a frustum."""
    return (base, -length / 2), (top, length / 2)
