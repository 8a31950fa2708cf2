"""The linear system of an implicit step of a mesh together with the links that it touches and that hold it.

    [ A        -C B         ] [du]   [r_u]        B = J G: velocity of a link's material at a contact
    [-B^T C     1 + B^T C B ] [dz] = [r_z]        r_z = G^T P - z

C is the matrix of a contact or a tether, z the coordinates in which links have a mass of 1, see LinkResponse. So
contacts of points with light links are as stable as contacts with heavy links.
"""

from dataclasses import dataclass

import numpy as np

from gambol.matter.forces.field import Conditions, ForceField, Forces
from gambol.matter.forces.layout import Array
from gambol.matter.motion.conjugate_gradients import conjugate_gradients
from gambol.matter.motion.linear_system import StepMatrix
from gambol.matter.touch.contact_forces import MATRIX
from gambol.matter.touch.gaps import PointQuery
from gambol.matter.touch.link_response import LinkResponse
from gambol.matter.touch.places import Places


@dataclass(frozen=True, eq=False)
class LinkContacts:
    """Contacts or tethers of places of a mesh with a link: the places, C (6, m), B (3, m, n)."""

    places: Places
    matrix: Array
    columns: Array

    def times_b(self, z: Array) -> Array:
        """Return B z: the velocity of the link at the places (3, m)."""
        return np.asarray((np.moveaxis(self.columns, 2, 0) * z[:, None, None]).sum(axis=0), float)

    def times_c(self, velocities: Array) -> Array:
        """Return C times velocities at the places (3, m)."""
        (x, y, w), (xx, xy, xz, yy, yz, zz) = velocities, self.matrix
        return np.array([xx * x + xy * y + xz * w, xy * x + yy * y + yz * w, xz * x + yz * y + zz * w])

    def times_b_transposed(self, values: Array) -> Array:
        """Return B^T of values at the points (3, m), as (n,)."""
        return np.asarray((self.columns * values[:, :, None]).reshape(-1, self.columns.shape[2]).sum(axis=0), float)

    def block(self) -> Array:
        """Return B^T C B (n, n)."""
        units = np.eye(self.columns.shape[2])
        return np.array([self.times_b_transposed(self.times_c(self.times_b(unit))) for unit in units])


def link_contacts(
    field: ForceField, forces: Forces, query: PointQuery, now: Conditions, response: LinkResponse
) -> LinkContacts | None:
    """Return the contacts and tethers of a mesh with links that move, or None without any."""
    motions, t, h = field.moved_links(now), field.tethers, query.h
    groups = [(c.link, c.places, c.rows[MATRIX]) for c in forces.contacts if c.link >= 0]
    for link in np.unique(t.links).tolist():
        tethered = np.flatnonzero(t.links == link)
        matrix = np.zeros((6, len(tethered)))
        matrix[[0, 3, 5]] = h * h * t.stiffness[tethered] + h * t.damping[tethered]
        groups.append((link, Places.at_points(t.points[tethered]), matrix))
    link_terms = list[tuple[Places, Array, Array]]()
    for link, places, matrix in groups:
        G = response.factor[link]
        if G.any():
            arm = places.of(query.x) - motions[link, :3, None]
            (x, y, z), (wx, wy, wz) = arm[:, :, None], G[:3]
            across = np.array([wy * z - wz * y, wz * x - wx * z, wx * y - wy * x])
            link_terms.append((places, matrix, G[3:, None, :] + across))
    if not link_terms:
        return None
    places, matrices, columns = zip(*link_terms, strict=True)
    return LinkContacts(Places.joined(places), np.concatenate(matrices, axis=1), np.concatenate(columns, axis=1))


class CoupledSystem:
    """The system of a step. A: matrix of the mesh. contacts: contacts with links that move. links: size of z."""

    def __init__(self, A: StepMatrix, contacts: LinkContacts | None, links: int) -> None:
        self.A, self.contacts, self.links = A, contacts, links
        self.inverse = inverse(np.eye(links) + (contacts.block() if contacts else 0.0))

    def times(self, p: Array) -> Array:
        """Return the product with a vector of u and z (3 N + n,)."""
        u, z = self.split(p)
        result, coordinates = self.A.times(u), z.copy()
        if self.contacts:
            link_velocities = self.contacts.times_b(z)
            self.contacts.places.add_to(result, -self.contacts.times_c(link_velocities))
            coordinates -= self.contacts.times_b_transposed(
                self.contacts.times_c(self.contacts.places.of(u) - link_velocities)
            )
        result *= self.A.field.free
        return np.concatenate([result.reshape(-1), coordinates])

    def preconditioned(self, r: Array) -> Array:
        """Return the inverse blocks of points and of links times a residual."""
        u, z = self.split(r)
        return np.concatenate([self.A.preconditioned(u).reshape(-1), (self.inverse * z[:, None]).sum(axis=0)])

    def split(self, p: Array) -> tuple[Array, Array]:
        """Return the parts of a vector: u (3, N) and z (n,)."""
        size = len(p) - self.links
        return p[:size].reshape(3, -1), p[size:]


def solve_coupled(
    A: StepMatrix,
    contacts: LinkContacts | None,
    residuals: tuple[Array, Array],
    guess: Array,
    limits: tuple[float, int],
) -> tuple[Array, Array, int]:
    """Return the change of velocities of points (3, N), the change of z (n,), and the number of iterations.

    residuals: r_u (3, N) and r_z (n,). guess: velocities from which conjugate gradients begin (3, N). limits: tolerance
    and largest number of iterations of conjugate gradients.
    """
    system = CoupledSystem(A, contacts, len(residuals[1]))
    start = np.concatenate([guess.reshape(-1), np.zeros(system.links)])
    b = np.concatenate([residuals[0].reshape(-1), residuals[1]]) - system.times(start)
    solved = conjugate_gradients(system.times, system.preconditioned, b, *limits)
    return *system.split(start + solved.x), solved.iterations


def inverse(matrix: Array) -> Array:
    """Return the inverse of a symmetric positive definite matrix, by Gauss-Jordan elimination in a fixed order."""
    n = len(matrix)
    rows = np.concatenate([matrix, np.eye(n)], axis=1)
    for k in range(n):
        pivot = rows[k] / rows[k, k]
        rows = rows - rows[:, k : k + 1] * pivot
        rows[k] = pivot
    return np.ascontiguousarray(rows[:, n:])
