"""All forces on the points of a mesh at one time, their energies, and the power that they add or dissipate."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.matter.forces.elements import (
    Elements,
    contact_springs,
    mesh_bends,
    mesh_hinges,
    triangles_of,
)
from gambol.matter.forces.layout import Array, Indices, ordered_sum, padded_count, padded_rows
from gambol.matter.forces.point_springs import PointSprings
from gambol.matter.forces.programs import mesh_program
from gambol.matter.forces.surroundings import Surroundings
from gambol.matter.forces.twisted_rods import TwistedRods
from gambol.matter.mesh import SpringMesh
from gambol.matter.particles.obstacles import PlacedShape
from gambol.matter.touch.contact_forces import (
    DAMPING,
    ENERGY,
    FORCE,
    FRICTION,
    SUPPORT,
    ContactForces,
    contact_forces,
)
from gambol.matter.touch.gaps import Gaps, PointQuery, ShapeGaps, gaps_to_ground
from gambol.matter.touch.link_response import LinkResponse
from gambol.matter.touch.point_gaps import PartGaps, TriangleBoxes
from gambol.matter.touch.surface_gaps import SurfaceFinder, SurfacePairs
from gambol.matter.touch.tether import Tethers, link_motion, tether_force
from gambol.spatial import Vector


@dataclass(frozen=True, eq=False)
class Conditions:
    """The inputs that change between steps of a mesh.

    intact: 1 for intact springs, 0 for broken ones (m,). whole: 1 for intact triangles, else 0 (t,). motions: motions
    of links at the start of the step, see LinkMotion (links, 13). elapsed: time since the start of the step [s]. pairs:
    springs of points that touch, or None. surfaces: pairs of surfaces that may touch, or None. response: response of
    the links to the mesh, or None if their velocities are constant. touching: False to leave out all contacts. twist:
    twist of rods at the start of the step (rods,) [rad].
    """

    intact: Array
    whole: Array
    motions: Array = field(default_factory=lambda: np.zeros((0, 13)))
    elapsed: float = 0.0
    pairs: Elements | None = None
    surfaces: SurfacePairs | None = None
    response: LinkResponse | None = None
    touching: bool = True
    twist: Array = field(default_factory=lambda: np.zeros(0))


@dataclass(frozen=True, eq=False)
class Forces:
    """Forces at one time.

    total: sum of all forces (3, N) [N]. energies: energies of elements, by kind [J]. damping, friction, contact: losses
    of each element [W]. wind, support: power of the wind, and of moving tethers and obstacles [W]. contacts: contacts
    with ground and links. tether: forces on tethered points (3, m) [N]. volume: volume of the gas [m3].
    """

    total: Array
    energies: dict[str, Array]
    damping: list[Array]
    friction: list[Array]
    contact: list[Array]
    wind: float
    support: float
    contacts: list[ContactForces]
    tether: Array
    volume: float

    def powers(self) -> list[float]:
        """Return the rates of the ledger's entries: wind, damping, friction, contact, support [W]."""
        losses = (-sum(map(ordered_sum, rows), 0.0) for rows in (self.damping, self.friction, self.contact))
        return [self.wind, *losses, self.support]

    def energy(self) -> float:
        """Return the energy stored in springs, hinges, bends, gas, contacts and tethers [J]."""
        return sum((ordered_sum(rows) for rows in self.energies.values()), 0.0)


class ForceField:
    """The programs of a mesh in its surroundings.

    mesh: the mesh. surroundings: external actions on it. shapes: shapes of links, which it touches. tethers: points
    that links hold. lanes, threads: see Program; they change no bit of the result. Columns of arrays are points, filled
    up to whole blocks of lanes. mass: (1, N) [kg]; free: 1 for points that move, 0 for pinned and empty columns (1, N).
    """

    def __init__(
        self,
        mesh: SpringMesh,
        surroundings: Surroundings | None = None,
        shapes: tuple[PlacedShape, ...] = (),
        tethers: Tethers | None = None,
        lanes: int | None = None,
        threads: int = 1,
    ) -> None:
        self.mesh, self.surroundings = mesh, surroundings or Surroundings()
        self.lanes, self.threads = lanes, threads
        self.count = len(mesh.points)
        self.columns = padded_count(self.count)
        self.mass = padded_rows(mesh.masses[None], self.columns)
        self.free = np.zeros((1, self.columns))
        self.free[0, : self.count] = 1.0
        self.free[0, mesh.pins] = 0.0
        self.weight = self.mass * np.array(self.surroundings.gravity, float)[:, None] * (self.free > 0.0)
        self.springs, self.hinges = PointSprings.of(mesh, self.columns), mesh_hinges(mesh, self.columns)
        self._unbroken: tuple[Array, Array] | None = None
        self.bends, self.triangles = mesh_bends(mesh, self.columns), triangles_of(mesh.triangles, self.columns)
        self.shell = self.triangles if mesh.enclosing is None else triangles_of(mesh.shell, self.columns)
        touch = self.surroundings.touch
        self.ground = gaps_to_ground(self.surroundings.ground, touch.thickness, lanes)
        self.shapes = [ShapeGaps(shape, touch.thickness, lanes) for shape in shapes]
        near_triangles = shapes if len(mesh.triangles) else ()
        self.parts = [PartGaps(shape, mesh.triangles, touch.thickness, lanes) for shape in near_triangles]
        self_touch = self.surroundings.self_touch
        self.surfaces = SurfaceFinder(mesh, self_touch.law, lanes) if self_touch and self_touch.surfaces else None
        self.tethers = tethers or Tethers.of((), (), mesh.points, np.zeros((0, 13)))
        air = self.surroundings.air
        self.wind = None if air is None else np.array([*air.velocity, air.density, air.drag, air.lift]).reshape(-1, 1)
        self.rods = TwistedRods.of(mesh)
        self.rest_volume = 0.0
        if mesh.gas is not None:
            self.rest_volume = mesh.gas.rest_volume or mesh.volume(mesh.points)

    def column_array(self, rows: Array) -> Array:
        """Return values of points (n, 3) as columns (3, N)."""
        return padded_rows(np.asarray(rows, float).T, self.columns)

    def run(self, name: str, *inputs: Any, tables: tuple[Array, ...] = (), out: Any = None) -> tuple[Array, ...]:
        """Run a program of the mesh; see mesh_program()."""
        return mesh_program(name, self.lanes)(*inputs, tables=tables, out=out, threads=self.threads)

    @property
    def stride(self) -> Array:
        """The distance between rows of points in a table, as an input of programs."""
        return np.full((1, 1), float(self.columns))

    def pairs_of(self, pairs: Indices) -> Elements | None:
        """Return the springs of points of the mesh that touch (m, 2), or None without any."""
        law = self.surroundings.self_touch
        if law is None or not len(pairs):
            return None
        return contact_springs(pairs, (law.diameter, law.stiffness, law.damping, law.friction), self.columns)

    @property
    def options(self) -> tuple[int | None, int]:
        """The lanes and threads of programs."""
        return self.lanes, self.threads

    def spring_numbers(self, intact: Array) -> Array:
        """Return the numbers of unbroken springs by point, see PointSprings. intact: (m,), not changed afterwards."""
        if self._unbroken is None or self._unbroken[0] is not intact:
            self._unbroken = intact, self.springs.without_broken(intact)
        return self._unbroken[1]

    def forces(self, query: PointQuery, now: Conditions) -> Forces:
        """Return all forces on a mesh.

        query: positions and velocities. now: conditions of the step.
        """
        x, v, lag = (np.ascontiguousarray(a).reshape(-1) for a in (query.x, query.v, query.v_lag))
        total = self.weight.copy()
        energies, damping, friction = dict[str, Array](), list[Array](), list[Array]()
        if self.springs.count:
            numbers = self.spring_numbers(now.intact)
            energies["springs"], lost = self.springs.add_forces(numbers, query.x, query.v, total, self.options)
            damping.append(lost)
        if now.pairs:
            measures = self._run_group("springs", now.pairs, now.pairs.numbers, (x, v, lag), total)
            energies["touching"] = measures[0]
            damping.append(measures[1])
            friction.append(measures[2])
        if self.hinges.count:
            measures = self._run_group("hinges", self.hinges, self.hinges.numbers, (x, v), total)
            energies["hinges"] = measures[0]
            damping.append(measures[1])
        if self.bends.count:
            energies["bends"] = self._run_group("bends", self.bends, self.bends.numbers, (x,), total)[0]
        wind = self.add_wind(query, now, total)
        volume = self._add_gas(x, total, energies)
        self.rods.add_forces(query.x, now.twist, total, energies)
        touch = self.surroundings.touch
        contacts = [contact_forces(gaps, query, gaps.law or touch, self.lanes) for gaps in self.gaps(query, now)]
        for contact in contacts:
            contact.places.add_to(total, contact.rows[FORCE])
            energies.setdefault("contacts", np.zeros(0))
            energies["contacts"] = np.concatenate([energies["contacts"], contact.rows[ENERGY]])
        tether, work = self._add_tethers(query, now, total, (energies, damping))
        support = work + sum((ordered_sum(c.rows[SUPPORT]) for c in contacts), 0.0)
        friction += [c.rows[FRICTION] for c in contacts]
        contact_losses = [c.rows[DAMPING] for c in contacts]
        return Forces(total, energies, damping, friction, contact_losses, wind, support, contacts, tether, volume)

    def _run_group(
        self, name: str, group: Elements, numbers: Array, tables: tuple[Array, ...], total: Array
    ) -> NDArray[np.float64]:
        """Add the forces of elements to a total, in place; return their measures without empty columns."""
        _, measures = self.run(
            name, numbers, group.corners, self.stride, tables=tables, out=[group.contributions, None]
        )
        group.sums.add(group.table, total, self.lanes, self.threads)
        return measures[:, : group.count]

    def add_wind(self, query: PointQuery, now: Conditions, total: Array) -> float:
        """Add the forces of the wind to a total (3, N), in place; return their power [W]."""
        if self.wind is None or not self.triangles.count:
            return 0.0
        t = self.triangles
        whole = padded_rows(now.whole[None], t.sums.columns)
        tables = query.x.reshape(-1), np.ascontiguousarray(query.v_air).reshape(-1)
        self.run("wind", self.wind, t.corners, self.stride, whole, tables=tables, out=[t.contributions])
        force = np.zeros_like(total)
        t.sums.add(t.table, force, self.lanes, self.threads)
        total += force
        return ordered_sum(force * query.v)

    def volume_gradient(self, x: Array) -> tuple[Array, float]:
        """Return the gradient of the enclosed volume (3, N) [m2], and the volume [m3]; x: positions (3 N)."""
        t = self.shell
        k = int(self.mesh.shell[0, 0])
        middle = np.repeat(x.reshape(3, -1)[:, k : k + 1], self.columns, axis=1)
        _, contributions = self.run(
            "areas",
            t.corners,
            self.stride,
            tables=((x - middle.reshape(-1)),),
            out=[t.contributions, None],
        )
        gradient = np.zeros((3, self.columns))
        t.sums.add(t.table, gradient, self.lanes, self.threads)
        return gradient, ordered_sum(contributions[:, : t.count])

    def gas_pressure(self, volume: float) -> float:
        """Return the pressure of the gas above that outside at a volume [Pa]."""
        gas = self.mesh.gas
        return 0.0 if gas is None else gas.pressure - gas.bulk * (volume / self.rest_volume - 1.0)

    def _add_gas(self, x: Array, total: Array, energies: dict[str, Array]) -> float:
        gas = self.mesh.gas
        if gas is None:
            return 0.0
        gradient, volume = self.volume_gradient(x)
        total += self.gas_pressure(volume) * gradient
        change = volume - self.rest_volume
        energies["gas"] = np.array([0.5 * gas.bulk / self.rest_volume * change * change - gas.pressure * change])
        return volume

    def moved_links(self, now: Conditions) -> Array:
        """Return the motions of links (links, 13) after the time that has elapsed, at constant velocities."""
        if not now.elapsed or not len(now.motions):
            return now.motions
        motion = link_motion(now.motions.T)
        position = motion.position + motion.linear * now.elapsed
        spin = motion.angular * now.elapsed
        q = type(motion.orientation).exponential(spin) @ motion.orientation
        rows = [*position, q.w, q.x, q.y, q.z, *motion.angular, *motion.linear]
        return np.array(rows).T

    def gaps(self, query: PointQuery, now: Conditions) -> list[Gaps]:
        """Return the gaps of points to the ground and to links near them, and of the mesh to itself."""
        if not now.touching:
            return []
        self_gaps = self.surfaces.gaps(query, now.surfaces) if self.surfaces and now.surfaces else []
        motions = self.moved_links(now)
        gaps_to_links = [shape.find(query, motions[shape.link]) for shape in self.shapes]
        if self.parts:
            boxes = TriangleBoxes.of(query, self.mesh.triangles, now.whole)
            gaps_to_links += [
                part.find(query, (now.motions[k], motions[k]), boxes) for part in self.parts for k in (part.link,)
            ]
        near = [*(gaps for gaps in gaps_to_links if gaps is not None), *self_gaps]
        return near if self.ground is None else [self.ground.find(query), *near]

    def _add_tethers(
        self, query: PointQuery, now: Conditions, total: Array, stores: tuple[dict[str, Array], list[Array]]
    ) -> tuple[Array, float]:
        """Add the forces of tethers; return them, and the power of their targets [W]."""
        t = self.tethers
        if not len(t.points):
            return np.zeros((3, 0)), 0.0
        target, speed = t.targets(self.moved_links(now))
        r, u = query.x[:, t.points] - target, query.v[:, t.points] - speed
        force = np.array(list(tether_force(t.stiffness, t.damping, Vector(*r), Vector(*u))))
        for c in range(3):
            np.add.at(total[c], t.points, force[c])
        stores[0]["tethers"] = 0.5 * t.stiffness * (r * r).sum(axis=0)
        stores[1].append(t.damping * (u * u).sum(axis=0))
        return force, ordered_sum(force * speed)
