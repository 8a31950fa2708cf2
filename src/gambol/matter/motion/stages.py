"""Explicit steps of a small mesh by one compiled program for each evaluation of forces.

A method of `integrate` alternates between formulas of one point and evaluations of forces, which depend on other points
too. The program of evaluation k computes the forces at a point, and then all that the method does up to its evaluation
k + 1, or to the end of the step: it is the method itself, called again with the forces of evaluations 1 to k. Positions
and velocities of the next evaluation are stored where the programs of other points read them. Two memories take turns.
"""

from collections.abc import Callable, Sequence
from dataclasses import astuple, replace
from functools import lru_cache
from typing import Any, TypeAlias, cast

import numpy as np

from gambol.integrate import INTEGRATORS, MotionState, System
from gambol.lanes import Program, ProgramSpec, Scalar
from gambol.matter.elements.contact import FrictionHold, Touch, contact_force
from gambol.matter.elements.hinge import Bend, bend_forces
from gambol.matter.elements.spring import Spring, spring_force
from gambol.matter.forces.field import ForceField
from gambol.matter.forces.layout import Array, ordered_sum, vector_at
from gambol.matter.motion.step_frame import EXPLICIT_SHARE, FLOWS, Frame
from gambol.matter.touch.gaps import ground_gap
from gambol.spatial.vector import ZERO, Vector

MAX_POINTS = 2048
"""Largest number of points: of 4,096, steps with forces from Python take no longer, and may have threads."""

MAX_SLOTS = 16
"""Largest number of springs, or of bends, at a point, so that programs stay small."""

SPRING_ROWS, BEND_ROWS = 4, 9
"""Rows of a spring: its other end, rest length, stiffness and damping. Rows of a bend: its corners, a Bend, and 1 for
the corner that is the point, 0 for the others."""

LOSSES = ("damping", "friction", "contact")
"""Entries of the ledger that these meshes have."""

Numbers: TypeAlias = list[Scalar]
Evaluation: TypeAlias = tuple[Numbers, Numbers]
"""The acceleration of a point, and the rates of LOSSES [W]."""


class _NextEvaluation(Exception):
    """Raised where a method needs forces that are not known yet: at positions q and velocities v."""

    def __init__(self, q: Numbers, v: Numbers) -> None:
        super().__init__()
        self.q, self.v = list(q), list(v)


def replayed(
    name: str, start: tuple[Numbers, Numbers, Numbers], known: Sequence[Evaluation], h: Scalar
) -> tuple[Numbers, Numbers, Numbers | None]:
    """Return q and v of the evaluation of a method after the known ones, and None; or q, v and w at the step's end.

    name: name of the method. start: q, v and w at the start of a step of h [s]. known: results of its evaluations.
    """
    results = iter(known)

    def derivatives(t: Scalar, q: Numbers, v: Numbers) -> Evaluation:
        for result in results:
            return result
        raise _NextEvaluation(q, v)

    try:
        end = INTEGRATORS[name].step(System(derivatives), 0.0, MotionState(*start), h).state
    except _NextEvaluation as needed:
        return needed.q, needed.v, None
    return list(end.q), list(end.v), list(end.w)


@lru_cache
def evaluations(name: str) -> int:
    """Return the number of evaluations of forces in a step of a method."""
    known = list[Evaluation]()
    while replayed(name, ([0.0], [0.0], []), known, 1.0)[2] is None:
        known.append(([0.0], []))
    return len(known)


def _evaluated(args: tuple[Vector, Vector], elements: Any, point: Any, around: Any, table: Any) -> Evaluation:
    """Return the acceleration of a point at x with velocity v, and its losses.

    elements: springs and bends. point: inverse mass [1/kg], weight [N], bound of friction [kg/s]. around: distance
    between rows in the table, and law of contact and gap of a ground, or None. table: memory of all points.
    """
    (x, v), (springs, bends), (inverse_mass, weight, bound), (stride, ground) = args, elements, point, around
    total, lost = weight, [0.0, 0.0, 0.0]
    for other, (rest, k, c) in springs:
        u = v - vector_at(table, other + 3.0 * stride, stride)
        f = spring_force(Spring(rest, k, c, 0.0, 0.0), x - vector_at(table, other, stride), u, u)
        total, lost[0] = total + f.force, lost[0] + 0.5 * f.damping
    for corners, bend, selected in bends:
        forces = bend_forces(bend, [vector_at(table, corner, stride) for corner in corners]).forces
        for force, factor in zip(forces, selected, strict=True):
            total = total + force * factor
    if ground is not None:
        touch, (gap, normal) = ground
        pressed = contact_force(touch, gap, normal, v, (gap, v), 0.0, FrictionHold(bound, 0.0))
        total, lost[1], lost[2] = total + pressed.force, pressed.friction, pressed.damping
    return list(total * inverse_mass), lost


def stage_program(name: str, stage: int, slots: tuple[int, int], ground: Any, lanes: int | None) -> Program:
    """Return the program of an evaluation of a method, see the head of this module.

    stage: index of the evaluation. slots: numbers of springs and bends at a point. ground: the ground, or None.
    """
    count, kind = evaluations(name), cast("type[Any]", type(ground))

    def advanced(
        memory: Any, elements: Any, point: Any, h: Scalar, stride: Scalar, law: Any, table: Any, *heights: Any
    ) -> tuple[Any]:
        args, start, known = memory
        contact = None
        if ground is not None:
            touch, numbers = law
            contact = touch, ground_gap(ground, numbers, heights[0] if heights else None, args[0], touch.thickness)
        now = _evaluated(args, elements, point, (stride, contact), table)
        begin = list(start[0]), list(start[1]), list(start[2])
        q, u, w = replayed(name, begin, [*((list(a), list(rates)) for a, rates in known[:stage]), now], h)
        if w is not None:
            begin = q, u, w
            q, u, _ = replayed(name, begin, [], h)
        return (((q, u), begin, [*known[:stage], now, *known[stage + 1 :]][: count - 1]),)

    losses = [0.0] * len(LOSSES)
    memory = ((ZERO, ZERO), (ZERO, ZERO, losses), [(ZERO, losses)] * (count - 1))
    springs = [(0.0, (0.0, 0.0, 0.0))] * slots[0]
    bends = [((0.0, 0.0, 0.0), Bend(0.0, 0.0, 0.0), (0.0, 0.0, 0.0))] * slots[1]
    law: Any = () if ground is None else (Touch(0.0, 0.0, 0.0, 0.0), ground.numbers())
    tables = 1 if ground is None or ground.table() is None else 2
    own = ground is None or kind.__module__.startswith("gambol.")
    key = (name, stage, slots, kind.__module__, kind.__qualname__) if own else None
    structures = (memory, (springs, bends), (0.0, ZERO, 0.0), 0.0, 0.0, law)
    return Program(ProgramSpec(f"mesh {name} {stage}", advanced, structures, tables, key), lanes=lanes)


class Stages:
    """Steps of a mesh by programs of evaluations. name: name of an explicit method. field: forces. h: step [s]."""

    def __init__(self, name: str, field: ForceField, h: float) -> None:
        self.field, columns = field, field.columns
        (springs, spring_rows), (bends, bend_rows) = _slots(field)
        slots = len(springs) // spring_rows, len(bends) // bend_rows
        ground = None if field.ground is None else field.surroundings.ground
        bound = EXPLICIT_SHARE / h * field.mass
        point = np.concatenate([field.free / field.mass, field.weight, bound])
        touch = field.surroundings.touch
        numbers = [] if ground is None else [*astuple(touch), *ground.numbers().values()]
        law, heights = np.array(numbers, float).reshape(-1, 1), None if ground is None else ground.table()
        shared = np.concatenate([springs, bends]), point, np.full((1, 1), h), np.full((1, 1), float(columns)), law
        self.count = evaluations(name)
        rows = 6 + 9 + 6 * (self.count - 1)
        self.memory = np.zeros((2, rows, columns))
        tables = [self.memory[k].reshape(-1) for k in (0, 1)]
        more = [] if heights is None else [heights]
        programs = [stage_program(name, k, slots, ground, field.lanes) for k in range(self.count)]
        self.runs: list[list[Callable[[], None]]] = [
            [
                program.bind(self.memory[k], *shared, out=[self.memory[1 - k]], tables=[tables[k], *more])
                for program in programs
            ]
            for k in (0, 1)
        ]

    @staticmethod
    def possible(name: str, field: ForceField) -> bool:
        """Return True if the steps of a method and a mesh can be taken by stages: it has springs and bends only."""
        others = (
            field.hinges.count, field.mesh.gas, field.mesh.twists, field.wind is not None and field.triangles.count,
            field.shapes, field.surroundings.self_touch, len(field.tethers.points), INTEGRATORS[name].stateful,
            field.count > MAX_POINTS,
        )  # fmt: skip
        return not any(others) and all(len(found) <= MAX_SLOTS * rows for found, rows in _slots(field))

    def advance(self, frame: Frame, steps: int) -> tuple[Frame, dict[str, float]]:
        """Return the frame after several steps, and the changes of the ledger's entries [J]."""
        start, turn = self.memory[0], 0
        start[:] = 0.0
        start[0:3] = start[6:9] = frame.x
        start[3:6] = start[9:12] = frame.v
        for _ in range(steps):
            for k in range(self.count):
                self.runs[turn][k]()
                turn = 1 - turn
        x, v, lost = (self.memory[turn][rows].copy() for rows in (slice(6, 9), slice(9, 12), slice(12, 15)))
        changes: dict[str, float] = dict.fromkeys(FLOWS, 0.0)
        changes |= {name: -ordered_sum(row[: self.field.count]) for name, row in zip(LOSSES, lost, strict=True)}
        return replace(frame, x=x, v=v), changes


def _slots(field: ForceField) -> tuple[tuple[Array, int], tuple[Array, int]]:
    """Return the springs and the bends at each point in slots, and the number of rows of a slot."""
    return (field.springs.rows(), SPRING_ROWS), (_bend_slots(field), BEND_ROWS)


def _bend_slots(field: ForceField) -> Array:
    """Return the bends at each point in slots of BEND_ROWS rows (9 slots, N). In empty slots they have no stiffness."""
    group, here = field.bends, np.arange(field.columns, dtype=float)
    used = group.sums.used[: int(group.sums.used.sum(axis=0).max(initial=0.0))]
    elements = group.sums.elements[: len(used)]
    corners, numbers = group.corners[:, elements], group.numbers[:, elements]  # (3, slots, N)
    corners = np.where(used > 0.0, corners, here)
    numbers = np.where(used > 0.0, numbers, np.array([1.0, 1.0, 0.0])[:, None, None])
    selected = np.where(used > 0.0, corners == here, 0.0)
    return np.concatenate([corners, numbers, selected]).transpose(1, 0, 2).reshape(-1, field.columns)
