"""The rows of all contacts, joint limits and loops of a figure, as tiles of three rows and three degrees of freedom.

    u = L v        w = Z u        du = D^-1 Z^T p        A = Z D^-1 Z^T        (stepping/rows.py)

Loops over contacts and over tiles stay loops in a program, so that its code does not grow with the number of contacts.
Contacts whose rows have the same structure share the code of their rows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

from gambol.collide.gap import FAR
from gambol.contact.complementarity.cones.tiled_problem import is_rolled
from gambol.contact.complementarity.cones.tiles import TileIndex, Tiles, plus_product, set_tile, tile_of
from gambol.contact.stepping import CORRECTION_SWEEPS, Constraints, correction_targets
from gambol.contact.stepping.contact import Contact
from gambol.contact.stepping.rows import Row, axes, make_row, point_rows, without_noise
from gambol.dynamics import Kinematics
from gambol.dynamics.forward import Factors
from gambol.lanes import Array, Records, Scalar, array, empty, maximum, repeat, when, where
from gambol.spatial import Matrix, Vector
from gambol.spatial.dense import Numbers
from gambol.spatial.vector import ZERO

NOTHING = Matrix.of([[0.0] * 3] * 3)


def _tile_count(freedoms: int) -> int:
    """Return the number of tiles of three for all degrees of freedom; one tile of zeros for a figure without any."""
    return max(1, -(-freedoms // 3))


@dataclass(frozen=True, slots=True)
class ConstraintRows:
    """Rows z in tiles: three for each contact (two tangents, then the normal), limits, loops, rows of zeros that fill
    the last tile, then a second copy of the rows of contacts that may stick.

    numbers: of the tiles, see Tiles. D_inverse: D^-1 (nv).
    """

    numbers: Array
    D_inverse: Numbers

    @staticmethod
    def of(state: Kinematics, factors: Factors, constraints: Constraints) -> "ConstraintRows":
        """Return the rows of all constraints but dry friction; rows of contacts with a gap of FAR are 0."""
        contacts, nv = constraints.contacts, len(factors.D_inverse)
        sticky = sum(contact.held is not None for contact in contacts)
        single = [(limit.J, limit.gap) for limit in constraints.limits]
        single += [(J, 0.0) for J in without_noise(constraints.loops)]
        tiles = len(contacts) + -(-len(single) // 3)
        rows = ConstraintRows(empty(9 * (tiles + sticky) * _tile_count(nv)), list(factors.D_inverse))
        Z = rows.tiles
        Z.each(0, tiles, lambda i, k: Z.write(i, k, NOTHING))
        freedoms = axes(state)

        def contact_rows(i: TileIndex, contact: Contact) -> None:
            normal, *tangents = point_rows(state, freedoms, contact)
            for n, J in enumerate((*tangents, normal)):
                rows.store(i, n, make_row(J, factors))

        _for_contacts(Z, contacts, contact_rows)
        for n, (J, gap) in enumerate(single):
            when(gap < FAR, partial(rows.store_joint_row, n + 3 * len(contacts), J, factors))
        Z.each(0, sticky, lambda i, k: Z.write(i + tiles, k, Z[i, k]))
        return rows

    @property
    def tiles(self) -> Tiles:
        """The tiles of z."""
        columns = _tile_count(len(self.D_inverse))
        rows = len(self.numbers) // (9 * columns)
        return Tiles(self.numbers, rows, columns, is_rolled(rows))

    def __len__(self) -> int:
        return 3 * self.tiles.rows

    def store(self, i: TileIndex, n: int, row: Row) -> None:
        """Replace row n of tile i; entries that are 0 by structure stay as they are."""
        for freedom, z in row.z.items():
            self.numbers[(i * self.tiles.columns + freedom // 3) * 9 + (3 * n + freedom % 3)] = z

    def store_joint_row(self, row: int, J: Mapping[int, Scalar], factors: Factors) -> None:
        """Replace a row of joints. J: its entries by index of the degree of freedom."""
        self.store(row // 3, row % 3, make_row(J, factors))

    def speeds(self, u: Sequence[Scalar]) -> Array:
        """Return the speeds along all rows at velocities u (nv)."""
        Z, result = self.tiles, self.tiles.vector()
        velocities = self._freedoms(u)
        Z.loop(0, Z.rows, lambda i, _: set_tile(result, i, Z.row_times(i, velocities)))
        return result

    def velocity_change(self, p: Sequence[Scalar]) -> Numbers:
        """Return the change of u (nv) by impulses p along all rows."""
        Z, impulses, change = self.tiles, array(p), empty(3 * self.tiles.columns)

        def sum_of(k: TileIndex) -> Vector:
            return Z.loop(0, Z.rows, lambda i, total: Z[i, k].transpose.times(tile_of(impulses, i), total), ZERO)

        Z.loop(0, Z.columns, lambda k, _: set_tile(change, k, sum_of(k)))
        return [d * x for d, x in zip(self.D_inverse, change.slice(0, len(self.D_inverse)), strict=True)]

    def _freedoms(self, values: Sequence[Scalar]) -> Array:
        """Return numbers of all degrees of freedom as tiles, filled up with zeros."""
        return array([*values, *[0.0] * (3 * _tile_count(len(values)) - len(values))])

    def _scaled(self) -> Tiles:
        """Return D^-1 z."""
        Z, D = self.tiles, self._freedoms(self.D_inverse)
        S = Tiles.empty(Z.rows, Z.columns, rolled=Z.rolled)

        def scale(i: TileIndex, k: TileIndex) -> None:
            d = tile_of(D, k)
            S.write(i, k, Matrix.of([[x * y for x, y in zip(row, d, strict=True)] for row in Z[i, k].rows]))

        Z.each(0, Z.rows, scale)
        return S

    def matrix(self, mask: Sequence[Scalar]) -> Tiles:
        """Return the Delassus matrix A, with 0 in rows and columns that take no part.

        mask: 1 for each row that takes part, else 0.
        """
        Z, S, masks = self.tiles, self._scaled(), array(mask)
        A = Tiles.empty(Z.rows, Z.rows, rolled=Z.rolled)
        A.each(0, A.rows, lambda i, j: A.write(i, j, NOTHING))

        def entry(i: TileIndex, j: TileIndex) -> None:
            def add(k: TileIndex, total: Matrix) -> Matrix:
                return plus_product(total, Z[i, k], S[j, k].transpose)

            sums, rows, columns = Z.loop(0, Z.columns, add, NOTHING), tile_of(masks, i), tile_of(masks, j)
            pairs = zip(rows, sums.rows, strict=True)
            tile = Matrix.of([[x * (y * a) for y, a in zip(columns, row, strict=True)] for x, row in pairs])
            A.write(i, j, tile)
            A.write(j, i, tile.transpose)

        def takes_part(i: TileIndex) -> Scalar:
            x = tile_of(masks, i)
            return x.x + x.y + x.z > 0.5

        def row(i: TileIndex) -> None:
            A.loop(0, i + 1, lambda j, _: when(takes_part(j), lambda: entry(i, j)))

        A.loop(0, A.rows, lambda i, _: when(takes_part(i), lambda: row(i)))
        return A

    def depth_correction(self, contacts: int, gaps: Sequence[Scalar], slack: Scalar) -> Numbers:
        """Return the change of u (nv) that reduces penetrations deeper than the slack, see stepping/corrections.py.

        gaps: gaps of contacts and limits; contacts: number of contacts. Each row is corrected on its own, in sweeps.
        """
        Z, S, n = self.tiles, self._scaled(), len(self)
        targets: Numbers = [-1.0] * n
        normals = [*range(2, 3 * contacts, 3), *range(3 * contacts, n)]
        for row, target in zip(normals, correction_targets(gaps, slack), strict=False):
            targets[row] = target
        wanted, x, u = array(targets), array([0.0] * n), self._freedoms([0.0] * len(self.D_inverse))

        def row_dot(i: TileIndex, row: int, values: Callable[[TileIndex], Vector]) -> Scalar:
            return Z.loop(0, Z.columns, lambda k, total: Vector(*Z[i, k].rows[row]).dot(values(k), total), 0.0)

        def correct(i: TileIndex, row: int) -> None:
            target, before = wanted[3 * i + row], x[3 * i + row]
            inverse_mass = row_dot(i, row, lambda k: Vector(*S[i, k].rows[row]))
            takes_part = (target >= 0.0) & (inverse_mass > 0.0)
            step = (target - row_dot(i, row, partial(tile_of, u))) / where(takes_part, inverse_mass, 1.0)
            after = where(takes_part, maximum(before + step, 0.0), 0.0)
            x[3 * i + row] = after

            def move(k: TileIndex) -> None:
                set_tile(u, k, tile_of(u, k) + Vector(*S[i, k].rows[row]) * (after - before))

            Z.loop(0, Z.columns, lambda k, _: move(k))

        def sweep(count: Scalar) -> Scalar:
            Z.loop(0, contacts, lambda i, _: correct(i, 2))
            for row in range(3):
                Z.loop(contacts, Z.rows, lambda i, _, row=row: correct(i, row))
            return count

        repeat(CORRECTION_SWEEPS, sweep, 0.0)
        return u.slice(0, len(self.D_inverse))


def _for_contacts(Z: Tiles, contacts: Sequence[Contact], step: Callable[[TileIndex, Contact], None]) -> None:
    """Call step(i, contact) for all contacts with a gap below FAR; consecutive contacts of equal structure share a
    loop.
    """
    first = 0
    for _, group in groupby(contacts, lambda contact: contact.structure):
        last = first + len(equal := list(group))
        Z.loop(first, last, partial(_near_contact, Records.of(equal) if Z.rolled else equal, first, step))
        first = last


def _near_contact(contacts: Any, first: int, step: Callable[[TileIndex, Contact], None], i: TileIndex, _: Any) -> None:
    """Call step(i, contact) if the gap of contact i - first is below FAR. contacts: list of contacts, or Records."""
    contact: Contact = contacts[i - first]
    when(contact.gap < FAR, lambda: step(i, contacts[i - first]))
