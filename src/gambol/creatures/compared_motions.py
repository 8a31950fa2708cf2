"""Motions of a world with steps of several lengths, from the same random states and with the same random commands.

Actuators that follow commands get random ones, uniform in their range, and new ones in each control step. Worlds that
stop, or have more contacts than the capacity, are infinitely far from others.
"""

import math
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gambol.figure import PlacedLink
from gambol.spatial.conversions import matrix_from_quaternion
from gambol.world import Engine, State, World, start
from gambol.world.context import PHYSICAL_SIGNS
from gambol.world.events.ledger import STORES

Array = NDArray[np.float64]

WORLDS = 32
"""Number of initial states: the median of 32 errors is known to 20 percent."""

JITTER = 0.05
"""Standard deviation of the joint angles at the start [rad or m]."""

BLOCK = 16
"""Number of worlds that wait for each other: those of a SIMD register of AVX-512 in float32."""

DURATION = 0.5
"""Duration of the compared motions [s], about one stride or one landing. After a longer time, motions with contact
diverge by themselves, and a distance says little about the steps."""


@dataclass(frozen=True)
class RandomInputs:
    """What is random in the compared motions: joint angles, and commands up to a fraction of their range."""

    seed: int
    commands: float


@dataclass
class ComparedMotions:
    """The compared motions of a world.

    engine: engine of the world; first: initial states of all worlds; inputs: what is random. tolerance: permitted
    violation of the contact laws, None for that of the world. ends: final states, by the number of steps in a control
    step or by the tolerance. contacts: largest number of contacts at the end of a control step, likewise; empty where
    all contacts fit.
    """

    engine: Engine
    first: State
    inputs: RandomInputs
    tolerance: float | None = None
    ends: dict[float, State] = field(default_factory=dict[float, State])
    contacts: dict[float, int] = field(default_factory=dict[float, int])

    @staticmethod
    def of(world: World, inputs: RandomInputs, *, optimised: bool = False) -> "ComparedMotions":
        """Return the motions of a world, of which none is simulated yet.

        optimised: False for programs that are not optimised, True for the default of CpuTarget.
        """
        from gambol.lanes.cpu import CpuTarget

        engine = Engine(world, target=CpuTarget() if optimised else CpuTarget(optimised=False))
        return ComparedMotions(engine, start(world, WORLDS, jitter=JITTER, seed=inputs.seed), inputs)

    @property
    def control_steps(self) -> int:
        """Number of control steps of a motion."""
        return round(DURATION / self.engine.world.timing.control_step)

    def by_step(self, count: int) -> Array:
        """Return the positions at the end of a motion of `count` steps in a control step, see _positions()."""
        if count not in self.ends:
            state = self.first.copied()
            state.step_state.clock.step[:] = self.engine.world.timing.control_step / count
            given = {} if self.tolerance is None else {"tolerance": self.tolerance}
            self._simulate(count, state, self.engine.numbers(**given))
        return self._positions(self.ends[count])

    def by_tolerance(self, tolerance: float) -> Array:
        """Return the same of a motion with a tolerance."""
        if tolerance not in self.ends:
            self._simulate(tolerance, self.first.copied(), self.engine.numbers(tolerance=tolerance))
        return self._positions(self.ends[tolerance])

    def steps_waited(self, count: int) -> float:
        """Return the number of steps in a control step for which worlds wait.

        It is the mean over blocks of the most that a world takes in the whole motion, divided by its control steps.
        """
        taken = np.array(self.ends[count].step_state.clock.taken, float).reshape(-1, BLOCK)
        return float(taken.max(axis=1).mean()) / self.control_steps

    def over_capacity(self, count: int) -> NDArray[np.bool_]:
        """Return which worlds had more contacts than the capacity (W)."""
        return _exceeded_capacity(self.ends[count])

    def unsolved(self, count: int) -> float:
        """Return the fraction of steps with unsolved contacts."""
        memory, clock = self.ends[count].step_state.memory, self.ends[count].step_state.clock
        if memory.contact_cache is None:
            return 0.0
        return float(np.sum(memory.contact_cache.unsolved) / max(np.sum(clock.taken), 1.0))

    def imbalance(self, count: int) -> float:
        """Return the median of |energy without a physical cause| / (sum of all changes of energy) over worlds."""
        before, after = (self._energies_and_work(state) for state in (self.first, self.ends[count]))
        changes = {name: after[name] - before[name] for name in before}
        unexplained = sum((sign * changes[name] for name, sign in PHYSICAL_SIGNS.items()), 0.0)
        unexplained = sum((changes[name] for name in STORES), -unexplained)
        turned_over = sum(map(abs, changes.values()))
        return float(np.median(abs(unexplained) / np.maximum(turned_over, np.finfo(float).tiny)))

    def _energies_and_work(self, state: State) -> dict[str, Array]:
        """Return the energies of a state, and the entries of its ledger with a physical cause (W) [J], by name."""
        snapshot, ledger = self.engine.observe(state), state.step_state.ledger
        energies = {name: getattr(snapshot, name) for name in STORES}
        entries = energies | {name: getattr(ledger, name) for name in PHYSICAL_SIGNS}
        return {name: np.asarray(x, float) for name, x in entries.items()}

    def _simulate(self, key: float, state: State, numbers: Array) -> None:
        """Store the end of a motion from a state, which is advanced in place, and its number of contacts."""
        pattern: Any = self.engine.number_rows["control"].get("pattern")
        is_commanded = isinstance(pattern, dict) and "command" in pattern
        rows = cast("list[int]", pattern["command"]) if is_commanded else []
        random, largest = np.random.default_rng(self.inputs.seed), self.inputs.commands
        numbers = np.repeat(numbers, WORLDS, axis=1) if rows else numbers
        cache, near = state.step_state.memory.contact_cache, list[int]()
        for control_step in range(1, self.control_steps + 1):
            if rows:
                numbers[rows] = random.uniform(-largest, largest, (len(rows), WORLDS))
            self.engine.advance(state, control_step, numbers)
            if cache is not None and cache.indices:
                near.append(int(np.sum(np.array(cache.indices) >= 0.0, axis=0).max()))
        self.ends[key] = state
        if near:
            self.contacts[key] = max(near)

    def _positions(self, state: State) -> Array:
        """Return the positions of three points of each link (W, links, 3, 3) [m]; infinite in worlds that failed."""
        snapshot, links = self.engine.observe(state), self.engine.world.figure.links
        origins, quaternions = (
            np.array(x, float).reshape(len(links), n, -1).transpose(2, 0, 1)
            for x, n in ((snapshot.positions, 3), (snapshot.quaternions, 4))
        )
        points = np.array([_points_of(link) for link in links])
        rotated = np.einsum("wlij,lkj->wlki", matrix_from_quaternion(quaternions), points)
        positions = origins[:, :, None] + rotated
        is_stopped = np.asarray(state.step_state.clock.status) != 0.0
        positions[is_stopped | _exceeded_capacity(state)] = math.inf
        return positions


def _exceeded_capacity(state: State) -> NDArray[np.bool_]:
    """Return which worlds of a state have had more contacts than the capacity in any of their steps (W)."""
    cache = state.step_state.memory.contact_cache
    steps: Any = cache.over_capacity if cache is not None else []
    return np.array(steps[0] if steps else np.zeros(WORLDS)) > 0.0


def _points_of(link: PlacedLink) -> Array:
    """Return three points of a link (3, 3), in its frame: from its centre of mass by its radius of gyration [m]."""
    m = link.mass_properties
    radius = math.sqrt(0.5 * np.trace(np.array(m.inertia)) / m.mass) if m.mass else 0.0
    return np.array(m.com) + radius * np.eye(3)


def median_distance(positions: Array, others: Array, size: Any) -> float:
    """Return the median over worlds of the mean distance between points of links, in figure sizes."""
    lengths = np.linalg.norm(positions - others, axis=-1)
    return float(np.median(np.where(np.isfinite(lengths), lengths, math.inf).mean(axis=(1, 2)))) / float(size)
