"""Semi-implicit Euler steps of a cloth by one program for a step of one point: pages run it as WebAssembly.

    v' = v + h f(x, v)/m        x' = x + h v'

A lane is a point. It computes all springs and triangles at the point, and reads the other points from a table of the
step before. So no lane writes what another one reads, and the bits depend neither on the order of points nor on the
number of lanes. A hand pulls one point by a spring with a damper, whose force is limited.
"""

from dataclasses import astuple, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gambol.errors import WorldError
from gambol.integrate import INTEGRATORS, MotionState, System
from gambol.lanes import Program, ProgramSpec, Scalar, maximum, minimum, where
from gambol.matter.elements.contact import FrictionHold, Touch, contact_force
from gambol.matter.elements.spring import Spring, spring_force
from gambol.matter.elements.triangle import Wind, wind_force
from gambol.matter.forces.field import ForceField
from gambol.matter.forces.layout import Array, vector_at
from gambol.matter.forces.point_springs import NUMBERS
from gambol.matter.motion.step_frame import EXPLICIT_SHARE
from gambol.matter.touch.gaps import ground_gap
from gambol.spatial.vector import ZERO, Vector

METHOD = "semi-implicit euler"

STATE_ROWS = 11
"""Rows of a point: position [m], velocity [m/s], and the energies of LEDGER [J]."""

LEDGER = ("wind", "damping", "friction", "contact", "hand")
"""Energy that a point has received [J]: work of the wind, losses by dampers of springs, friction and dampers of
contacts, and work of the hand."""

MAX_HAND_WEIGHTS = 10.0
"""Maximum force of the hand, in weights of the whole mesh on Earth."""

EARTH = 9.81  # m/s2

NO_POINT = -1.0


@dataclass(frozen=True, slots=True)
class Hand:
    """A spring from a point to a target: index of the point (-1: none), target [m], stiffness, damping, largest force.

    In N/m, N s/m and N.
    """

    point: Scalar
    target: Vector
    stiffness: Scalar
    damping: Scalar
    largest: Scalar


@dataclass(frozen=True, slots=True)
class Inputs:
    """Inputs that all points share.

    stride: distance between the rows of a point in the table. step: length of a step [s]. held: 1 while pinned points
    are held, 0 if they are let go. gravity: acceleration of free fall [m/s2]. wind: see Wind. touch, ground: law of
    contact and numbers of the ground, or None without a ground. hand: see Hand.
    """

    stride: Scalar
    step: Scalar
    held: Scalar
    gravity: Vector
    wind: Wind
    touch: Any
    ground: Any
    hand: Hand


@dataclass(frozen=True, slots=True)
class Point:
    """The numbers of a point: index, mass [kg], inverse mass [1/kg], 1 if it is pinned, bound of friction [kg/s]."""

    index: Scalar
    mass: Scalar
    inverse_mass: Scalar
    pinned: Scalar
    bound: Scalar


def hand_force(hand: Hand, index: Scalar, x: Vector, v: Vector) -> Vector:
    """Return the force of a hand on a point of an index, at x with velocity v [N]."""
    pull = (hand.target - x) * hand.stiffness - v * hand.damping
    scale = minimum(1.0, hand.largest / maximum(pull.length(), 1e-12))
    return pull * where(hand.point == index, scale, 0.0)


def point_step(ground: Any) -> Any:
    """Return the function of a step of one point. ground: the ground, or None.

    Its arguments: state of the point; slots of springs and of triangles, which name points by the start of their rows
    in the table; numbers of the point; Inputs; table of the positions and velocities of all points. It returns the
    state after the step, and the energy before it [J].
    """

    def step(state: Any, slots: Any, point: Point, inputs: Inputs, table: Any) -> Any:
        q, u, ledger = state
        (springs, triangles), energy, stride = slots, [0.0], inputs.stride
        moves = where((point.pinned > 0.5) & (inputs.held > 0.5), 0.0, 1.0)

        def at(index: Scalar) -> tuple[Vector, Vector]:
            return vector_at(table, index, stride), vector_at(table, index + 3.0 * stride, stride)

        def derivatives(t: Scalar, position: list[Scalar], velocity: list[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
            x, v = Vector.of(position), Vector.of(velocity)
            total, damping, friction, contact = inputs.gravity * point.mass, 0.0, 0.0, 0.0
            energy[0] = 0.5 * point.mass * v.dot(v) - point.mass * inputs.gravity.dot(x)
            for other, (rest, k, c) in springs:
                there, speed = at(other)
                f = spring_force(Spring(rest, k, c, 0.0, 0.0), x - there, v - speed, ZERO)
                total, damping, energy[0] = total + f.force, damping + 0.5 * f.damping, energy[0] + 0.5 * f.energy
            blown = ZERO
            for corners in triangles:
                places = [at(corner) for corner in corners]
                blown = blown + wind_force(inputs.wind, [p for p, _ in places], [s for _, s in places])
            pulled = hand_force(inputs.hand, point.index, x, v)
            total = total + blown + pulled
            if ground is not None:
                gap, normal = ground_gap(ground, inputs.ground, None, x, inputs.touch.thickness)
                hold = FrictionHold(point.bound, 0.0)
                pressed = contact_force(inputs.touch, gap, normal, v, (gap, v), 0.0, hold)
                total, friction, contact = total + pressed.force, pressed.friction, pressed.damping
                energy[0] = energy[0] + pressed.energy
            powers = [blown.dot(v), -damping, -friction, -contact, pulled.dot(v)]
            return list(total * (point.inverse_mass * moves)), powers

        start = MotionState(list(q), [x * moves for x in u], list(ledger))
        end = INTEGRATORS[METHOD].step(System(derivatives), 0.0, start, inputs.step).state
        return (end.q, end.v, end.w), (energy[0],)

    return step


class PointSteps:
    """Steps of a mesh by points. field: its forces. h: length of a step [s].

    spec: the program of a step. elements, points: its second and third inputs, by column. corner_rows: True for rows of
    the elements that name points. inputs: its fourth input, as a tree of numbers. Raises WorldError for a mesh with
    other elements than springs and triangles, for tethers, for contacts other than those with a ground without heights,
    and for a step that is not above 0.
    """

    def __init__(self, field: ForceField, h: float) -> None:
        self.field, ground = field, None if field.ground is None else field.surroundings.ground
        self._check(h, ground)
        springs, triangles = field.springs.rows(), _triangle_rows(field)
        self.elements = np.concatenate([springs, triangles])
        names = np.zeros(len(springs), bool)
        names[:: 1 + NUMBERS] = True
        self.corner_rows = np.concatenate([names, np.ones(len(triangles), bool)])
        index, mass = np.arange(field.columns, dtype=float), field.mass[0]
        exists, pinned = index < field.count, np.isin(index, field.mesh.pins)
        self.points = np.array([index, mass, exists / mass, pinned, EXPLICIT_SHARE / h * mass])
        self.inputs = self._inputs(h, ground)
        slots = [(0.0, (0.0,) * NUMBERS)] * (len(springs) // (1 + NUMBERS)), [(0.0,) * 3] * (len(triangles) // 3)
        state = [0.0] * 3, [0.0] * 3, [0.0] * len(LEDGER)
        structures = (state, slots, Point(0.0, 0.0, 0.0, 0.0, 0.0), self.inputs)
        kind: Any = type(ground)
        own = ground is None or kind.__module__.startswith("gambol.")
        key = (len(springs), len(triangles), kind.__qualname__) if own else None
        self.spec = ProgramSpec("cloth point", point_step(ground), structures, 1, key)

    def _check(self, h: float, ground: Any) -> None:
        field = self.field
        others = {
            "hinges": field.hinges.count, "bends": field.bends.count, "gas": field.mesh.gas, "twist": field.mesh.twists,
            "shapes of links": field.shapes, "contacts with itself": field.surroundings.self_touch,
            "tethers": len(field.tethers.points), "springs that tear": np.isfinite(field.mesh.springs.tears_at).any(),
            "a ground with heights": ground is not None and ground.table() is not None,
        }  # fmt: skip
        if found := [name for name, present in others.items() if present]:
            raise WorldError(f'"{field.mesh.name}" has {", ".join(found)}; steps by points have springs and wind only')
        if not 0.0 < h < np.inf:
            raise WorldError(f"a step of {h} s is impossible; it must be above 0")

    def _inputs(self, h: float, ground: Any) -> Inputs:
        field, mesh = self.field, self.field.mesh
        around, air = field.surroundings, field.surroundings.air
        wind = (
            Wind(ZERO, 0.0, 0.0, 0.0) if air is None else Wind(Vector(*air.velocity), air.density, air.drag, air.lift)
        )
        stiffness = float(mesh.springs.stiffness.max(initial=0.0))
        damping = float(np.sqrt(stiffness * mesh.masses.min()))  # half of the critical damping of the lightest point
        hand = Hand(NO_POINT, ZERO, stiffness, damping, MAX_HAND_WEIGHTS * EARTH * float(mesh.masses.sum()))
        law = None if ground is None else Touch(*astuple(around.touch))
        numbers = None if ground is None else ground.numbers()
        return Inputs(float(field.columns), h, 1.0, Vector(*around.gravity), wind, law, numbers, hand)

    def start(self, position: ArrayLike, velocity: ArrayLike = 0.0) -> Array:
        """Return the state of points at positions and velocities (n, 3) [m, m/s], as columns (STATE_ROWS, N)."""
        x = self.field.column_array(np.asarray(position, float))
        v = self.field.column_array(np.broadcast_to(np.asarray(velocity, float), (self.field.count, 3)))
        return np.concatenate([x, v * self.field.free, np.zeros((len(LEDGER), self.field.columns))])

    def advance(self, state: Array, steps: int, inputs: Array, lanes: int | None = None) -> tuple[Array, Array]:
        """Return the state after several steps, and the energies of the points before the last one (N,) [J].

        state: (STATE_ROWS, N), not changed. inputs: leaves of Inputs (rows, 1). lanes: see Program.
        """
        program, energy = Program(self.spec, lanes=lanes), np.zeros((1, self.field.columns))
        for _ in range(steps):
            state, energy = program(
                state, self.elements, self.points, inputs, tables=[np.ascontiguousarray(state[:6]).reshape(-1)]
            )
        return state, energy[0]


def _triangle_rows(field: ForceField) -> Array:
    """Return the triangles at each point: for each slot three corners; in empty slots three times the point itself."""
    group, here = field.triangles, np.arange(field.columns, dtype=float)
    if field.wind is None or not group.count:
        return np.zeros((0, field.columns))
    used = group.sums.used[: int(group.sums.used.sum(axis=0).max(initial=0.0))]
    corners = group.corners[:, group.sums.elements[: len(used)]]  # (3, slots, N)
    return np.where(used > 0.0, corners, here).transpose(1, 0, 2).reshape(-1, field.columns)
