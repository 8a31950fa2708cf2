"""Semi-implicit Euler steps of meshes and balls by programs for one point: pages run them as WebAssembly.

    v' = v + h f(x, v)/m        x' = x + h v'        w' = w + h tau(x, v)/I  (of balls)

A lane is a point. It computes all springs and triangles at the point, and reads the other points from a table of the
step before. So no lane writes what another one reads, and the bits depend neither on the order of points nor on the
number of lanes. Hinges and contacts come first, see point_elements.py. A ball is a point of the mesh with a radius; it
turns. A hand pulls one point by a spring with a damper, whose force is limited.
"""

from dataclasses import dataclass
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
from gambol.matter.forces.layout import Array, Indices, vector_at
from gambol.matter.forces.point_springs import NUMBERS
from gambol.matter.motion.balls import Ball
from gambol.matter.motion.point_elements import EXTRA_ROWS, point_elements
from gambol.matter.motion.step_frame import EXPLICIT_SHARE
from gambol.matter.touch.gaps import ground_gap
from gambol.spatial.vector import ZERO, Vector

METHOD = "semi-implicit euler"

LEDGER = ("wind", "damping", "friction", "contact", "hand")
"""Energy that a point has received [J]: work of the wind, losses by dampers of springs and hinges, friction and dampers
of contacts, and work of the hand."""

STATE_ROWS, TURNING_ROWS = 11, 14
"""Rows of a point: position [m], velocity [m/s], and the energies of LEDGER [J]; in steps with hinges or contacts also
angular velocity [rad/s], which is 0 for points that are no balls."""

MAX_HAND_WEIGHTS = 10.0
"""Maximum force of the hand, in weights of the whole mesh on Earth."""

EARTH = 9.81  # m/s2

NO_POINT = -1.0

SLIDING_INERTIA = 3.5
"""Inverse mass of a ball's surface along itself, times its mass: 1 + m r2/I with I = 2/5 m r2."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A spring from a point to a target: index of the point (-1: none), target [m], stiffness, damping, largest force.

    In N/m, N s/m and N; the damping is that of the lightest point, see Point.grip.
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
    are held, 0 if they are let go. gravity: acceleration of free fall [m/s2]. wind: see Wind. ground: numbers of the
    ground, or None without a ground. hand: see Hand.
    """

    stride: Scalar
    step: Scalar
    held: Scalar
    gravity: Vector
    wind: Wind
    ground: Any
    hand: Hand


@dataclass(frozen=True, slots=True)
class Point:
    """The numbers of a point.

    index; mass [kg]; inverse mass [1/kg]; 1 if it is pinned; bound of friction [kg/s]; grip: factor of the hand's
    damping; touch: its law of contact with the ground; inertia [kg m2] and its inverse, 0 for points that do not turn.
    """

    index: Scalar
    mass: Scalar
    inverse_mass: Scalar
    pinned: Scalar
    bound: Scalar
    grip: Scalar
    touch: Touch
    inertia: Scalar
    inverse_inertia: Scalar


def hand_force(hand: Hand, point: Point, x: Vector, v: Vector) -> Vector:
    """Return the force of a hand on a point, at x with velocity v [N]."""
    pull = (hand.target - x) * hand.stiffness - v * (hand.damping * point.grip)
    scale = minimum(1.0, hand.largest / maximum(pull.length(), 1e-12))
    return pull * where(hand.point == point.index, scale, 0.0)


def pulled_by_springs(springs: Any, at: Any, x: Vector, v: Vector, sums: tuple[Vector, Scalar, Scalar]) -> Any:
    """Add the springs of a point to force [N], losses of dampers [W] and energy [J]. at(index): place and velocity."""
    total, damping, energy = sums
    for other, (rest, k, c) in springs:
        there, speed = at(other)
        f = spring_force(Spring(rest, k, c, 0.0, 0.0), x - there, v - speed, ZERO)
        total, damping, energy = total + f.force, damping + 0.5 * f.damping, energy + 0.5 * f.energy
    return total, damping, energy


def blown_by(wind: Wind, triangles: Any, at: Any) -> Vector:
    """Return the force of the wind on a point by its triangles [N]. at(index): place and velocity of a corner."""
    blown = ZERO
    for corners in triangles:
        places = [at(corner) for corner in corners]
        blown = blown + wind_force(wind, [p for p, _ in places], [s for _, s in places])
    return blown


def pressed_by(ground: Any, numbers: Any, point: Point, x: Vector, v: Vector, spin: Vector) -> Any:
    """Return the force of the ground on a point, see PointForce, and its moment about the point [N m]."""
    gap, normal = ground_gap(ground, numbers, None, x, point.touch.thickness)
    arm = normal * (-gap - 0.5 * point.touch.thickness)
    slip = v + spin.cross(arm)
    pressed = contact_force(point.touch, gap, normal, slip, (gap, slip), 0.0, FrictionHold(point.bound, 0.0))
    return pressed, arm.cross(pressed.force)


def point_step(ground: Any, turns: bool) -> Any:
    """Return the function of a step of one point. ground: the ground, or None. turns: True for states with spin.

    Its arguments: state of the point; slots of springs and of triangles, which name points by the start of their rows
    in the table, and, for states with spin, what elements give, see EXTRA_ROWS; numbers of the point; Inputs; table of
    the states of all points. It returns the state after the step, and the energy before it [J].
    """

    def step(state: Any, slots: Any, point: Point, inputs: Inputs, table: Any) -> Any:
        (q, u, ledger), spin, stride = state[:3], Vector.of(state[3]) if turns else ZERO, inputs.stride
        force, torque, given = slots[2] if turns else (ZERO, ZERO, (0.0,) * 4)
        turning, energy, moves = [torque], [given[0]], where((point.pinned > 0.5) & (inputs.held > 0.5), 0.0, 1.0)

        def at(index: Scalar) -> tuple[Vector, Vector]:
            return vector_at(table, index, stride), vector_at(table, index + 3.0 * stride, stride)

        def derivatives(t: Scalar, position: list[Scalar], velocity: list[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
            x, v, (_, damping, friction, contact) = Vector.of(position), Vector.of(velocity), given
            own = 0.5 * point.mass * v.dot(v) - point.mass * inputs.gravity.dot(x)
            own = own + given[0] + 0.5 * point.inertia * spin.dot(spin)
            sums = (inputs.gravity * point.mass + force, damping, own)
            total, damping, energy[0] = pulled_by_springs(slots[0], at, x, v, sums)
            blown, pulled = blown_by(inputs.wind, slots[1], at), hand_force(inputs.hand, point, x, v)
            total = total + blown + pulled
            if ground is not None:
                pressed, moment = pressed_by(ground, inputs.ground, point, x, v, spin)
                total, turning[0] = total + pressed.force, torque + moment
                friction, contact = friction + pressed.friction, contact + pressed.damping
                energy[0] = energy[0] + pressed.energy
            powers = [blown.dot(v), -damping, -friction, -contact, pulled.dot(v)]
            return list(total * (point.inverse_mass * moves)), powers

        start = MotionState(list(q), [x * moves for x in u], list(ledger))
        end = INTEGRATORS[METHOD].step(System(derivatives), 0.0, start, inputs.step).state
        turned = (list(spin + turning[0] * (inputs.step * point.inverse_inertia)),) if turns else ()
        return (end.q, end.v, end.w, *turned), (energy[0],)

    return step


class PointSteps:
    """Steps of a mesh by points.

    field: its forces. h: length of a step [s]. balls: the balls that are its last points. every: number of steps in a
    control step, in which pairs that may touch are found once. Pieces of the mesh touch each other if its surroundings
    have contacts of surfaces; balls touch triangles and the ground.

    spec: the program of a step. rows: number of rows of a state. elements, points: its second and third inputs, by
    column. corner_rows: True for rows of the elements that name points. groups: hinges, and pairs that may touch.
    inverse_bounds: of friction, of all points [s/kg]. inputs: its fourth input, as a tree of numbers. Raises WorldError
    for other elements than springs, hinges and triangles, for tethers, for contacts of points with each other or with
    a ground with heights, and for a step that is not above 0.
    """

    def __init__(self, field: ForceField, h: float, balls: tuple[Ball, ...] = (), every: int = 1) -> None:
        self.field, self.every, ground = field, every, None if field.ground is None else field.surroundings.ground
        self._check(h, ground)
        springs, triangles = field.springs.rows(), _triangle_rows(field)
        index, mass = np.arange(field.columns, dtype=float), field.mass[0]
        exists, pinned = index < field.count, np.isin(index, field.mesh.pins)
        sliding, inertia = np.ones(field.columns), np.zeros(field.columns)
        touch = field.surroundings.touch
        laws = np.array([[touch.stiffness], [touch.damping], [touch.friction], [touch.thickness]]).repeat(len(index), 1)
        first = field.count - len(balls)
        for k, ball in enumerate(balls, first):
            sliding[k], inertia[k] = SLIDING_INERTIA, ball.inertia
            laws[:, k] = ball.touch.stiffness, ball.touch.damping, ball.touch.friction, 2.0 * ball.radius
        self.inverse_bounds = sliding * exists * h / (EXPLICIT_SHARE * mass)
        bound = EXPLICIT_SHARE / h * mass / sliding
        inverse_inertia = np.divide(1.0, inertia, out=np.zeros_like(inertia), where=inertia > 0.0)
        grip = np.sqrt(mass / field.mesh.masses.min())
        self.points = np.array([index, mass, exists / mass, pinned, bound, grip, *laws, inertia, inverse_inertia])
        self.inputs = self._inputs(h, ground)
        self.groups = point_elements(field, balls)
        self.turns = bool(self.groups or balls)
        self.rows = TURNING_ROWS if self.turns else STATE_ROWS
        extra = np.zeros((EXTRA_ROWS * self.turns, field.columns))
        self.elements = np.concatenate([springs, triangles, extra])
        names = np.zeros(len(springs), bool)
        names[:: 1 + NUMBERS] = True
        self.corner_rows = np.concatenate([names, np.ones(len(triangles), bool), np.zeros(len(extra), bool)])
        self.spec = self._spec(len(springs), len(triangles), ground)

    def _spec(self, springs: int, triangles: int, ground: Any) -> ProgramSpec:
        slots: Any = ([(0.0, (0.0,) * NUMBERS)] * (springs // (1 + NUMBERS)), [(0.0,) * 3] * (triangles // 3))
        state: Any = ([0.0] * 3, [0.0] * 3, [0.0] * len(LEDGER))
        if self.turns:
            slots, state = (*slots, (ZERO, ZERO, (0.0,) * 4)), (*state, [0.0] * 3)
        point = Point(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, Touch(0.0, 0.0, 0.0, 0.0), 0.0, 0.0)
        kind = "" if ground is None else f"{type(ground).__module__}.{type(ground).__qualname__}"
        key = (springs, triangles, kind, self.turns) if not kind or kind.startswith("gambol.") else None
        return ProgramSpec("cloth point", point_step(ground, self.turns), (state, slots, point, self.inputs), 1, key)

    def _check(self, h: float, ground: Any) -> None:
        field, touching = self.field, self.field.surroundings.self_touch
        others = {
            "bends": field.bends.count, "gas": field.mesh.gas, "twist": field.mesh.twists,
            "shapes of links": field.shapes, "contacts of points with each other": touching and not touching.surfaces,
            "tethers": len(field.tethers.points), "springs that tear": np.isfinite(field.mesh.springs.tears_at).any(),
            "a ground with heights": ground is not None and ground.table() is not None,
        }  # fmt: skip
        if found := [name for name, present in others.items() if present]:
            raise WorldError(
                f'"{field.mesh.name}" has {", ".join(found)}; steps by points have springs, hinges, wind and contacts '
                "of surfaces only"
            )
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
        numbers = None if ground is None else ground.numbers()
        return Inputs(float(field.columns), h, 1.0, Vector(*around.gravity), wind, numbers, hand)

    def start(self, position: ArrayLike, velocity: ArrayLike = 0.0) -> Array:
        """Return the state of points at positions and velocities (n, 3) [m, m/s], as columns (rows, N)."""
        x = self.field.column_array(np.asarray(position, float))
        v = self.field.column_array(np.broadcast_to(np.asarray(velocity, float), (self.field.count, 3)))
        return np.concatenate([x, v * self.field.free, np.zeros((self.rows - 6, self.field.columns))])

    def candidates(self, state: Array) -> list[Indices]:
        """Return the points of hinges, and of pairs that may touch in a control step (p, 4), by group."""
        expected = state[:3] + self.every * float(self.inputs.step) * state[3:6]
        return [group.candidates(state[:3], expected) for group in self.groups]

    def advance(self, state: Array, steps: int, inputs: Array, lanes: int | None = None) -> tuple[Array, Array]:
        """Return the state after several steps, and the energies of the points before the last one (N,) [J].

        state: (rows, N), not changed. inputs: leaves of Inputs (rows, 1). lanes: see Program.
        """
        program, energy, elements = Program(self.spec, lanes=lanes), np.zeros((1, self.field.columns)), self.elements
        start, near = state, list[Indices]()
        for step in range(steps):
            if step % self.every == 0:
                start, near = state, self.candidates(state)
            if self.turns:
                elements = self.elements.copy()
                tables = [np.ascontiguousarray(each).reshape(-1) for each in (state, start)]
                for group, corners in zip(self.groups, near, strict=True):
                    group.add(tables, corners, self.inverse_bounds, elements[-EXTRA_ROWS:], lanes)
            table = np.ascontiguousarray(state).reshape(-1)
            state, energy = program(state, elements, self.points, inputs, tables=[table])
        return state, energy[0]


def _triangle_rows(field: ForceField) -> Array:
    """Return the triangles at each point: for each slot three corners; in empty slots three times the point itself."""
    group, here = field.triangles, np.arange(field.columns, dtype=float)
    if field.wind is None or not group.count:
        return np.zeros((0, field.columns))
    used = group.sums.used[: int(group.sums.used.sum(axis=0).max(initial=0.0))]
    corners = group.corners[:, group.sums.elements[: len(used)]]  # (3, slots, N)
    return np.where(used > 0.0, corners, here).transpose(1, 0, 2).reshape(-1, field.columns)
