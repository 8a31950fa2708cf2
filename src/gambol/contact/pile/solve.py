"""Gauss-Seidel over the contacts of a pile: every contact in its turn meets Coulomb's law, as all the others stand.

A lane is a contact. Contacts of one colour share no body that can move, so a block of lanes is as good as one after the
other. Instead of a table of bodies there is a place for each side of each contact: a contact takes the velocities of
its bodies from where the contact before it has left them, and leaves them in its own places, from where the next one
takes them. The places are an output and a table of the program at once; blocks run one after the other. (order.py)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.contact.complementarity.cones.one_contact import Give
from gambol.contact.pile.conjugate import Conjugate
from gambol.contact.pile.order import Order
from gambol.contact.pile.place import Place, Side
from gambol.lanes import Program, Recipe, Scalar, gather, maximum, sqrt
from gambol.spatial import Motion, Rotation, Vector
from gambol.spatial.matrix import Matrix, Symmetric

Array = NDArray[np.float64]

NOWHERE = Vector(0.0, 0.0, 0.0)
STILL = Motion(NOWHERE, NOWHERE)
SIDE = Side(NOWHERE, 0.0, Symmetric(0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
BLANK = (0.0, 0.0, 0.0)
PLACE = Place(Rotation((BLANK, BLANK, BLANK)), SIDE, SIDE)
GIVE = Give.of(Matrix((BLANK, BLANK, BLANK)))
"""Nests that show the forms of the programs' arrays."""

SIDE_ROWS = 6

BOLD = 1.4
"""Times what a contact wants to change, it changes: 216 dull balls in a heap then take 52 sweeps instead of 127."""

FIRST_BOLD, LAST_BOLD = 5, 40
"""Sweeps between which contacts are bold. Few sweeps need it not, and a tower that could bend is not helped by it: ten
boxes take 100 sweeps if conjugate directions follow these, and thousands without. (conjugate.py)
"""

PATIENCE, STALLED, ENOUGH = 50, 0.8, 1e-6
"""Sweeps end where the best residual of so many is not below this part of that of as many before them, but is below so
many m/s: what is left then cannot be met, such as slips of several points that bodies would have to turn for.
"""


def prepared(normal: Vector, first: Side, second: Side) -> tuple[Place, Give]:
    """A contact's place, and how it gives way."""
    place = Place(Rotation.facing(normal), first, second)
    return place, Give.of(place.give())


def visited(
    place: Place,
    give: Give,
    law: tuple[Scalar, Scalar, Scalar],
    before: tuple[Scalar, Scalar],
    count: Scalar,
    p: Vector,
    table: Any,
) -> tuple[tuple[Motion, Motion], Vector, Scalar]:
    """The contact's turn: motions of its bodies afterwards, its impulse, and how much it changed a velocity [m/s].

    law: friction, the speed that the normal is to keep or exceed [m/s], and boldness. before: where the motions of its
    bodies are in the table; count: how far apart their rows are there.
    """
    first, second = (_motion(table, start, count) for start in before)
    u = place.velocity(first, second)
    wanted = give.answer(Vector(u.x, u.y, u.z - law[1]), law[0], p) - p
    change = (wanted * law[2]).with_component(2, maximum(wanted.z * law[2], -p.z))
    size = give.D.rows[0][0] + give.D.rows[1][1] + give.D.rows[2][2]
    return place.pushed(first, second, change), p + change, size * sqrt(change.dot(change))


def _changes(place: Place, p: Vector) -> tuple[tuple[Motion, Motion]]:
    """What an impulse alone does to the motions of both bodies."""
    return (place.pushed(STILL, STILL, p),)


def _speed(place: Place, first: Motion, second: Motion) -> tuple[Vector]:
    return (place.velocity(first, second),)


def _motion(table: Any, start: Scalar, count: Scalar) -> Motion:
    numbers = [gather(table, start + row * count) for row in range(SIDE_ROWS)]
    return Motion(Vector(*numbers[:3]), Vector(*numbers[3:]))


@dataclass(frozen=True)
class Solution:
    """What a solver found.

    velocity: of all bodies (6, bodies). impulses: of all contacts in their frames, normal last (3, columns) [N s].
    residual: by how much the last sweep still changed a velocity, at most [m/s]. sweeps: how many.
    """

    velocity: Array
    impulses: Array
    residual: float
    sweeps: int


class Solver:
    """The programs of contacts.

    lanes: see Program. most: sweeps, after which a solution is taken as it is.
    """

    def __init__(self, lanes: int | None, most: int) -> None:
        self.most = most
        forms = (PLACE, GIVE, (0.0, 0.0, 0.0), (0.0, 0.0), 0.0, NOWHERE)
        self.sweep = Program(Recipe("pile visit", visited, forms, 1, "visited"), lanes=lanes)
        self.prepare = Program(Recipe("pile prepare", prepared, (NOWHERE, SIDE, SIDE), 0, "prepared"), lanes=lanes)
        self.push = Program(Recipe("pile push", _changes, (PLACE, NOWHERE), 0, "push"), lanes=lanes)
        self.speed = Program(Recipe("pile speed", _speed, (PLACE, STILL, STILL), 0, "speed"), lanes=lanes)
        self.lanes = self.sweep.lanes

    def speeds(self, places: Array, order: Order, velocity: Array) -> Array:
        """u of all contacts (3, columns), normal last, from the velocities of bodies (6, bodies) [m/s]."""
        return self.speed(places, *(velocity.take(own, axis=1) for own in order.sides))[0]

    def pushed(self, places: Array, order: Order, velocity: Array, p: Array) -> Array:
        """Velocities of bodies (6, bodies) after impulses p (3, columns)."""
        changes = self.push(places, p)[0]
        return velocity + order.added_up(changes, velocity.shape[1])

    def solved(
        self, problem: tuple[Array, Array], order: Order, laws: Array, velocity: Array, p: Array, tolerance: float
    ) -> Solution:
        """Impulses that meet the laws of all contacts, and the velocities under them.

        problem: places and gives (rows, columns). laws: friction, target and boldness (3, columns). velocity: without
        impulses (6, bodies). p: impulses to start from (3, columns). tolerance: residual at which sweeps end [m/s].
        """
        store = order.stored(self.pushed(problem[0], order, velocity, p) if p.any() else velocity)
        impulses, change = p.copy(), np.zeros((1, order.columns))
        given = (*problem, laws, order.before, np.full((1, 1), float(order.columns)), impulses)
        sweep = self.sweep.repeated(*given, out=(store, impulses, change), tables=(store.reshape(-1),))
        residual, sweeps, conjugate, best = np.inf, 0, None, (np.inf, np.inf)
        while residual > tolerance and sweeps < self.most:
            laws[2] = BOLD if FIRST_BOLD <= sweeps < LAST_BOLD else 1.0
            sweep()
            residual, sweeps = float(change.max()), sweeps + 1
            best = best[0], min(best[1], residual)
            if sweeps % PATIENCE == 0:
                if STALLED * best[0] < best[1] < ENOUGH:
                    break
                best = best[1], np.inf
            if sweeps >= LAST_BOLD and residual > tolerance:
                if conjugate is None:
                    conjugate = Conjugate(order, store, impulses, velocity)
                else:
                    conjugate.further(change)
        return Solution(order.left(store, velocity), impulses, residual, sweeps)
