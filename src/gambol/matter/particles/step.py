"""The step of a particle system, in lanes over particles.

A first program moves all particles. A second program repeats the step of the particles that touch something and returns
their touches. Most particles touch nothing, and storing the touches of all would take longer than the step.

Particles are born, move (motion.py) and bounce (bounce.py); dead particles are removed, and touches and deaths have
children.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError, did_you_mean
from gambol.lanes import Precision, Program, ProgramSpec, gather, leaves, unflatten
from gambol.matter.particles.birth import DEATH, EVENT, TOUCH, Birth, Spawner
from gambol.matter.particles.bounce import MAX_BOUNCES, NO_TOUCH, SurfaceLaw, Touch, resolved
from gambol.matter.particles.emitter import DIE, KIND_SIZE, kind_rows
from gambol.matter.particles.fields import curve_table, numbers_of, structure_of
from gambol.matter.particles.motion import Drag, Particle, free_motion, potential
from gambol.matter.particles.obstacles import LINK_NUMBERS, LinkMotion, ObstacleInputs, Obstacles
from gambol.matter.particles.state import ROWS, ParticleLedger, ParticleState
from gambol.matter.particles.system import ParticleSystem
from gambol.spatial import Quaternion, Vector
from gambol.spatial.vector import ZERO

Array = NDArray[np.float64]
Indices = NDArray[np.intp]
INPUT_ROWS = ROWS["number"]


@dataclass(frozen=True)
class ParticleStep:
    """The result of a step.

    state: state after the step. touches: arrays by name, with a row for each touch: "number" (of the particle), "kind",
    "obstacle" (0: the ground, else 1 + index of the shape), "point" (n, 3) [m], "normal" (n, 3), "speed" of approach
    [m/s], "impulse" on the obstacle (n, 3) [N s]. A particle may touch twice; if the ground is the only obstacle, both
    touches are one row.
    """

    state: ParticleState
    touches: Mapping[str, NDArray[Any]]


class ParticleStepper:
    """The compiled step of a particle system.

    system: its emitters, fields and obstacles. precision, lanes, threads: precision, lanes and threads of the program;
    results do not depend on lanes and threads.
    """

    def __init__(
        self, system: ParticleSystem, precision: Precision = "float64", lanes: int | None = None, threads: int = 1
    ) -> None:
        self.system, self.threads = system, threads
        self.obstacles = Obstacles.of(system.ground, system.figure)
        emitters = tuple(system.emitters.items())
        self.spawner = Spawner(emitters, self.obstacles.links, system.seed, system.capacity)
        self._dies = np.array([emitter.on_touch == DIE for _, emitter in emitters])
        self._field_numbers, ground = numbers_of(system.fields), system.ground.table()
        kinds = np.array([kind_rows(emitter) for _, emitter in emitters], float).reshape(-1)
        self._tables = [kinds, curve_table(system.fields), np.zeros(1) if ground is None else ground]
        links = [LinkMotion(ZERO, Quaternion(1.0, 0.0, 0.0, 0.0), ZERO, ZERO) for _ in self.obstacles.links]
        particle = Particle(ZERO, ZERO, 0.0, 0.0, 0.0, 0.0, 0.0)
        inputs = (particle, 0.0, self._field_numbers, system.ground.numbers(), links)
        key = (structure_of(system.fields), self.obstacles.structure())
        self._scratch: list[NDArray[Any]] = []
        moving = ProgramSpec("particles", self._motion, inputs, 3, repr(key))
        touching = ProgramSpec("touches of particles", self._touching, inputs, 3, repr(key))
        self._program, self._touch_program = (Program(spec, precision, lanes) for spec in (moving, touching))

    def _motion(self, *inputs: Any) -> tuple[Any, ...]:
        """Return position and velocity, touched obstacles, and loss by drag and potential energy, of one particle."""
        moved, touches, losses = self._traced(*inputs)
        return moved, [touch.obstacle for touch in touches], losses

    def _touching(self, *inputs: Any) -> tuple[Any]:
        """Return the touches of one particle."""
        return (self._traced(*inputs)[1],)

    def _traced(
        self, particle: Particle, h: Any, fields: Any, ground: Any, links: Any, *tables: Any
    ) -> tuple[Any, list[Touch], Any]:
        """Return position and velocity, touches, and loss by drag and potential energy, of one particle."""
        kinds, curves, heights = tables
        c, k, e, mu, rest_speed = (gather(kinds, particle.kind * float(KIND_SIZE) + float(n)) for n in range(KIND_SIZE))
        x, v, drag_loss = free_motion(particle, h, Drag(c, k), self.system.fields, (fields, curves))
        law, inputs = SurfaceLaw(e, mu, rest_speed), ObstacleInputs(ground, heights, links)
        x, v, touches = resolved(particle, (x, v), h, law, self.obstacles, inputs)
        return (x, v), touches, (drag_loss, potential(self.system.fields, fields, x) * particle.mass)

    def step(self, state: ParticleState, h: float, links: Array | None = None) -> ParticleStep:
        """Return the state after a step, and its touches; the given state is not changed.

        h: the step [s]. links: motion of the figure's links in the step (links, 13), see obstacles.motion_between().
        Raises WorldError for a step that is not positive, and for links of another shape.
        """
        motions = self._checked(links, h)
        births = self.spawner.from_sources((state.steps, state.time, h), len(state), state.born, motions)
        rows = np.concatenate([state.rows, births.rows], axis=1) if births.count else state.rows
        durations = np.concatenate([np.full(len(state), h), births.durations])
        after = np.empty(rows.shape)  # contiguous rows, for any layout of the state
        obstacles, (drag_loss, potential_energy) = self._move(rows, durations, motions, after[:6])
        after[6:] = rows[6:]
        after[ROWS["age"]] += durations
        moved = after[:6]
        at_all = np.flatnonzero((obstacles >= 0.0).any(axis=0))
        touches = self._touches_of(rows[:, at_all], durations[at_all], motions)
        in_touch = [np.flatnonzero(np.asarray(touch.obstacle) >= 0.0) for touch in touches]
        touched = [at_all[places] for places in in_touch]
        dead = (after[ROWS["age"]] >= after[ROWS["lifetime"]]) | ~np.isfinite(moved).all(axis=0)
        for at in touched:
            dead[at] |= self._dies[after[ROWS["kind"], at].astype(np.intp)]
        energy = 0.5 * after[ROWS["mass"], dead] * (moved[3:, dead] ** 2).sum(axis=0) + potential_energy[dead]
        ledger = _advanced(state.ledger, self._energies(births.rows), energy, drag_loss)
        for touch, places in zip(touches, in_touch, strict=True):
            ledger = _touched(ledger, np.asarray(touch.loss)[places], np.asarray(touch.work)[places])
        not_created = state.not_created + births.requested - births.count
        living = after[:, ~dead] if dead.any() else after
        survivors = ParticleState(
            living, state.steps + 1, state.time + h, state.born + births.count, not_created, ledger
        )
        rows_of = [_touches(after, *each) for each in zip(touches, in_touch, touched, strict=True)]
        event_rows = {name: np.concatenate([rows[name] for rows in rows_of]) for name in rows_of[0]}
        return ParticleStep(self._with_children(survivors, after, (touches, at_all), dead), event_rows)

    def emit(
        self, state: ParticleState, name: str, points: Array, axes: Array | None = None, carried: Array | None = None
    ) -> ParticleState:
        """Return the state in which a particle of an emitter is born at each given point, such as contact points.

        name: name of the emitter. points (n, 3) [m]. axes (n, 3): unit axes of the cone of velocities; None: the
        direction of the emitter. carried (n, 3): added velocities [m/s]. Raises WorldError for an unknown emitter.
        """
        if name not in self.system.emitters:
            raise WorldError(f'there is no emitter "{name}"; {did_you_mean(name, self.system.emitters)}')
        return self._with_births(state, [self._at_points(state, EVENT, name, np.atleast_2d(points), axes, carried)])

    def energy(self, state: ParticleState) -> float:
        """Return kinetic and potential energy of the living particles [J]."""
        return float(self._energies(state.rows).sum())

    def _energies(self, rows: Array) -> Array:
        """Return the energy of each particle [J]."""
        per_mass = potential(self.system.fields, self._field_numbers, Vector(*rows[:3]))
        return rows[ROWS["mass"]] * (0.5 * (rows[3:6] ** 2).sum(axis=0) + per_mass)

    def _checked(self, links: Array | None, h: float) -> Array:
        if not 0.0 < h < np.inf:
            raise WorldError(f"particles cannot take a step of {h} s; give a time above 0")
        count = len(self.obstacles.links)
        motions = np.zeros((0, LINK_NUMBERS)) if links is None else links
        if motions.shape != (count, LINK_NUMBERS):
            raise WorldError(
                f"the motion of the figure's {count} links has shape ({count}, {LINK_NUMBERS}), not {motions.shape}; "
                "see motion_between()"
            )
        return motions

    def _move(self, rows: Array, durations: Array, motions: Array, moved: Array) -> tuple[Array, Array]:
        """Store positions and velocities after the step in `moved` (6, n).

        Returns touched obstacles (touches, n), and loss by drag and potential energy (2, n) [J].
        """
        count = rows.shape[1]
        if not count:
            return np.zeros((1, 0)), np.zeros((2, 0))
        target = moved if self._program.dtype == moved.dtype else None
        arrays, out = self._inputs(rows, durations, motions), [target, *self._scratch_of(count)]
        found, obstacles, losses = self._program(*arrays, out=out, tables=self._tables, threads=self.threads)
        if target is None:
            moved[:] = found
        return obstacles, losses.astype(float, copy=False)

    def _touches_of(self, rows: Array, durations: Array, motions: Array) -> list[Touch]:
        """Return the touches of particles in their step, as arrays."""
        example = [NO_TOUCH] * (MAX_BOUNCES if self.obstacles.shapes else 1)
        if not rows.shape[1]:
            return unflatten(example, iter(np.zeros((len(leaves(example)), 0))))
        arrays = self._inputs(rows, durations, motions)
        (touches,) = self._touch_program(*arrays, tables=self._tables, threads=self.threads)
        return unflatten(example, iter(touches.astype(float, copy=False)))

    def _inputs(self, rows: Array, durations: Array, motions: Array) -> list[NDArray[Any]]:
        shared = [leaves(self._field_numbers), leaves(self.system.ground.numbers()), motions.reshape(-1)]
        numbers = [np.array(each, self._program.dtype)[:, None] for each in shared]
        arrays = [rows[:INPUT_ROWS], durations[None]]
        return [np.ascontiguousarray(a, self._program.dtype) for a in arrays] + numbers

    def _scratch_of(self, n: int) -> list[NDArray[Any]]:
        """Return the memory for obstacles and losses of n particles, which the next step overwrites."""
        if not self._scratch or self._scratch[0].shape[1] != n:
            self._scratch = [np.empty((count, n), self._program.dtype) for count in self._program.outputs[1:]]
        return self._scratch

    def _at_points(
        self, state: ParticleState, stream: int, name: str, points: Array, axes: Array | None, carried: Array | None
    ) -> Birth:
        kind = list(self.system.emitters).index(name)
        direction = np.tile(self.system.emitters[name].unit_direction, (len(points), 1))
        motion = direction if axes is None else axes, np.zeros_like(points) if carried is None else carried
        return self.spawner.at_points(stream, kind, state.steps, points, motion)

    def _with_births(self, state: ParticleState, births: list[Birth]) -> ParticleState:
        """Return the state with particles that were born at its time."""
        birth = self.spawner.limited(births, len(state), state.born)
        ledger = replace(state.ledger, born=state.ledger.born + float(self._energies(birth.rows).sum()))
        not_created = state.not_created + birth.requested - birth.count
        rows = np.concatenate([state.rows, birth.rows], axis=1)
        return replace(state, rows=rows, born=state.born + birth.count, not_created=not_created, ledger=ledger)

    def _with_children(
        self, state: ParticleState, rows: Array, in_touch: tuple[list[Touch], Indices], dead: NDArray[np.bool_]
    ) -> ParticleState:
        """Return the state with the children of touches and deaths.

        rows, dead: rows of all particles, and True for dead ones. in_touch: touches, and indices of their particles.
        """
        births: list[Birth] = []
        kinds, (touches, at_all) = rows[ROWS["kind"]].astype(np.intp), in_touch
        for kind, emitter in enumerate(self.system.emitters.values()):
            if emitter.children_at_touch is not None:
                name, count = emitter.children_at_touch
                is_fast = [(t.speed > emitter.rest_speed) & (t.obstacle >= 0.0) for t in touches]
                first = np.select(is_fast, [np.full(len(at_all), k) for k in range(len(touches))], -1)
                at = np.flatnonzero((kinds[at_all] == kind) & (first >= 0))
                point, normal = (_array_of([getattr(t, n) for t in touches], first, at) for n in ("point", "normal"))
                at_each = np.repeat(point, count, axis=0), np.repeat(normal, count, axis=0)
                births.append(self._at_points(state, TOUCH, name, *at_each, None))
            if emitter.children_at_death is not None:
                name, count = emitter.children_at_death
                at = np.flatnonzero((kinds == kind) & dead)
                position, velocity = (np.repeat(rows[each].T[at], count, axis=0) for each in (slice(3), slice(3, 6)))
                births.append(self._at_points(state, DEATH, name, position, None, velocity))
        return self._with_births(state, births) if births else state


def _advanced(ledger: ParticleLedger, born: Array, dead: Array, drag_loss: Array) -> ParticleLedger:
    """Return the ledger after a step without its touches. born, dead: energies of particles [J]."""
    return replace(
        ledger,
        born=ledger.born + float(born.sum()),
        dead=ledger.dead + float(np.nansum(dead)),
        drag=ledger.drag + float(np.nansum(drag_loss)),
    )


def _touched(ledger: ParticleLedger, loss: Array, work: Array) -> ParticleLedger:
    """Return the ledger after touches. loss: loss in the touches; work: work of moving obstacles [J]."""
    return replace(
        ledger,
        touch=ledger.touch + float(np.nansum(loss)),
        obstacles=ledger.obstacles + float(np.nansum(work)),
    )


def _touches(rows: Array, touch: Touch, places: Indices, at: Indices) -> dict[str, NDArray[Any]]:
    """Return the touches of a step, see ParticleStep. places: indices in the arrays of the touch; at: of particles."""
    vectors = {"point": touch.point, "normal": touch.normal, "impulse": touch.impulse}
    return {
        "number": rows[ROWS["number"], at].astype(np.intp),
        "kind": rows[ROWS["kind"], at].astype(np.intp),
        "obstacle": np.asarray(touch.obstacle)[places].astype(np.intp),
        "speed": np.asarray(touch.speed)[places],
        **{name: _array(vector, places) for name, vector in vectors.items()},
    }


def _array_of(vectors: list[Vector], chosen: Indices, at: Indices) -> Array:
    """Return one of several vectors for some particles (n, 3). chosen: its index for each; at: the particles."""
    return np.choose(chosen[at][:, None], [_array(vector, at) for vector in vectors])


def _array(vector: Vector, at: Indices) -> Array:
    """Return some of many vectors as an array (n, 3). at: their indices."""
    return np.stack([np.asarray(component)[at] for component in vector], axis=1)
