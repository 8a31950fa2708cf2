"""The birth of particles: from the sources of emitters, and at points of events.

Random numbers come from a generator with the seed (seed, stream, emitter, step), so a stored state has the same future.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.matter.particles.emitter import Emitter
from gambol.matter.particles.state import ROW_COUNT, ROWS
from gambol.spatial import Quaternion

Array = NDArray[np.float64]

SOURCE, EVENT, TOUCH, DEATH = range(4)
"""Streams of random numbers."""


@dataclass(frozen=True)
class Birth:
    """The newborn particles of a step.

    rows (12, n): see state.ROWS. durations (n,): durations of their first steps [s]. requested: number of newborn
    particles without the limit of the capacity.
    """

    rows: Array
    durations: Array
    requested: int

    @property
    def count(self) -> int:
        """Number of newborn particles."""
        return self.rows.shape[1]


NO_BIRTH = Birth(np.zeros((ROW_COUNT, 0)), np.zeros(0), 0)


@dataclass(frozen=True)
class Spawner:
    """Makes particles.

    emitters: (name, emitter) pairs; their order gives the kinds. links: names of links. seed, capacity: see
    ParticleSystem.
    """

    emitters: Sequence[tuple[str, Emitter]]
    links: Sequence[str]
    seed: int
    capacity: int

    def from_sources(
        self, period: tuple[int, float, float], alive_count: int, born_count: int, motions: Array
    ) -> Birth:
        """Return the particles that sources emit in a step.

        period: index of the step, its begin and its duration [s]. alive_count, born_count: numbers of particles alive
        and born so far. motions: motions of the links (links, 13). Births are evenly spaced in the step; each uses the
        pose of the link at its time.
        """
        step, begin, h = period
        births: list[Birth] = []
        for kind, (_, emitter) in enumerate(self.emitters):
            count = emitter.count(begin, begin + h) if emitter.source is not None else 0
            if not count or emitter.source is None:
                continue
            rng = np.random.default_rng([self.seed, SOURCE, kind, step])
            elapsed = h * rng.uniform(size=count)
            points = emitter.source.sample(rng, count)
            axes = np.tile(emitter.unit_direction, (count, 1))
            carried = np.zeros((count, 3))
            if emitter.link is not None:
                points, axes, carried = _on_link(motions[self.links.index(emitter.link)], points, axes, elapsed)
            births.append(self._make(rng, kind, points, emitter.velocities(rng, axes) + carried, h - elapsed))
        return self.limited(births, alive_count, born_count)

    def at_points(self, stream: int, kind: int, step: int, points: Array, motion: tuple[Array, Array]) -> Birth:
        """Return particles of a kind at points (n, 3) [m]; the first step lasts no time.

        stream: stream of random numbers. step: index of the step. motion: unit axes of the velocities (n, 3), and
        velocities that are added (n, 3) [m/s].
        """
        rng = np.random.default_rng([self.seed, stream, kind, step])
        velocities = self.emitters[kind][1].velocities(rng, motion[0]) + motion[1]
        return self._make(rng, kind, points, velocities, np.zeros(len(points)))

    def _make(self, rng: np.random.Generator, kind: int, points: Array, velocities: Array, durations: Array) -> Birth:
        emitter, n = self.emitters[kind][1], len(points)
        rows = np.zeros((ROW_COUNT, n))
        rows[ROWS["position"]], rows[ROWS["velocity"]] = points.T, velocities.T
        rows[ROWS["lifetime"]], rows[ROWS["radius"]] = emitter.lifetime.sample(rng, n), emitter.radius.sample(rng, n)
        rows[ROWS["mass"]], rows[ROWS["kind"]] = emitter.mass(rows[ROWS["radius"]]), kind
        return Birth(rows, durations, n)

    def limited(self, births: Sequence[Birth], alive_count: int, born_count: int) -> Birth:
        """Return several births as one, within the capacity, with the numbers of the particles."""
        if not births:
            return NO_BIRTH
        free_capacity = max(0, self.capacity - alive_count)
        rows = np.concatenate([b.rows for b in births], axis=1)[:, :free_capacity]
        rows[ROWS["number"]] = born_count + np.arange(rows.shape[1])
        durations = np.concatenate([b.durations for b in births])[:free_capacity]
        return Birth(rows, durations, sum(b.requested for b in births))


def _on_link(motion: Array, points: Array, axes: Array, elapsed: Array) -> tuple[Array, Array, Array]:
    """Return points, axes and velocities of the link in the world.

    motion: motion of the link (13,). elapsed: times [s].
    """
    position, quaternion, angular, linear = motion[:3], motion[3:7], motion[7:10], motion[10:]
    R = np.array(Quaternion(*quaternion).rotation().rows)
    offsets = points @ R.T
    carried = linear + np.cross(angular, offsets)
    return position + offsets + carried * elapsed[:, None], axes @ R.T, carried
