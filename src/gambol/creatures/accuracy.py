"""Steps, iterations and contact capacity with which a world meets an accuracy.

The world is simulated from several initial states, with steps of h, h/2, h/3, h/4, ...; with error control the
tolerance is varied instead. The error of steps of h is the distance to the motion with steps of h/4, divided by the
figure's size; where errors are proportional to h, that distance is 3/4 of the error. The longest step is chosen at
which the error is at most the accuracy and energy balances, also for the next two shorter steps: one small distance
alone can be chance. The contact method then gets the fewest iterations, and the largest permitted violation of the
contact laws, that meet the accuracy, too: where steps are long, it is a waste to solve each of them exactly.

Actuators that follow commands get random ones, uniform in their range, and new ones in each control step.
"""

import math
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gambol.contact.generation.contact_set import contact_count
from gambol.contact.method import with_capacity
from gambol.errors import WorldError
from gambol.figure import PlacedLink
from gambol.spatial.conversions import matrix_from_quaternion
from gambol.world import Engine, State, Timing, World, start
from gambol.world.capacity import GrowingCapacity
from gambol.world.context import PHYSICAL_SIGNS
from gambol.world.events.convergence import MAX_UNSOLVED_FRACTION
from gambol.world.events.ledger import RELATIVE_TOLERANCE, STORES

Array = NDArray[np.float64]

WORLDS = 32
"""Number of initial states: the median of 32 errors is known to 20 percent."""

JITTER = 0.05
"""Standard deviation of the joint angles at the start [rad or m]."""

DURATION = 0.5
"""Duration of the compared motions [s], about one stride or one landing. After a longer time, motions with contact
diverge by themselves, and a distance says little about the steps."""

MAX_PASSIVE_STEP = 1.0 / 30.0
"""Longest step, and control step in the compared motions, of a world without a controller [s]."""

MAX_PASSIVE_DIVISION = 8
"""Largest number of control steps in MAX_PASSIVE_STEP: a world has up to 240 a second, at which films show it."""

REFINEMENT = 4.0
"""Ratio of a step to the step of its reference motion."""

FIRST_ORDER = REFINEMENT / (REFINEMENT - 1.0)
"""Error of a step divided by the distance to its reference motion, for errors proportional to the step."""

DIVISIONS = tuple(n for k in range(12) for n in ((2**k,) if k == 0 else (2**k, 3 * 2 ** (k - 1))))
"""Numbers of steps into which a control step is divided: 1, 2, 3, 4, 6, 8, 12, ... 2048, 3072."""

TOLERANCES = tuple(10.0 ** (-0.5 * k) for k in range(4, 23))
"""Tolerances of steps with error control: from 1e-2 to 1e-11, two for each factor of 10."""

TOLERANCE_STEPS = 2
"""Number of entries of TOLERANCES from a tolerance to that of its reference motion, a tenth."""

ITERATIONS = (4, 6, 8, 12, 16)
"""Iterations of a contact method that are tried, the fewest first, if they are fewer than those of the world. Steps
that they leave unsolved get further ones, see contact/stepping/solve.py."""

CONTACT_TOLERANCES = (3e-2, 1e-2, 3e-3)
"""Permitted violations of the contact laws that are tried, the largest first, if they are larger than that of the
world, in units of sqrt(g L) for a figure of size L. With the largest, an ant and a humanoid with random torques sink in
as little as with 1e-3, since sweeps go on until estimated errors are small (docs/measurements/random-torques.md)."""

SPARE_CONTACTS = 4.0 / 3.0
"""Contact capacity divided by the largest number of contacts in the compared motions."""


@dataclass(frozen=True)
class AccuracyFit:
    """The settings with which a world meets an accuracy, and what was tried.

    world: the world with these settings. error: its estimated error, in sizes of the figure. tried: estimated error by
    the length of fixed steps [s], or by the tolerance of steps with error control.
    """

    world: World
    error: float
    tried: dict[float, float]


def fit_accuracy(world: World, accuracy: float, seed: int = 0, commands: float = 1.0) -> AccuracyFit:
    """Return the settings of a world with the longest steps that meet an accuracy.

    accuracy: largest median distance of links from the motion of exact steps after half a second, in sizes of the
    figure, from 1e-6 to 0.1. The distance of a world is the mean over three points of each link, as far from its centre
    of mass as its radius of gyration; worlds differ by random joint angles. seed: seed of these angles. Fixed steps
    divide the control step of the controller. Without a controller they are at most 1/30 s, and control steps as long,
    or 1/240 s for shorter steps. With fixed steps, energy without a physical cause is at most 1 % in the median, and
    the iterations of the contact method are the fewest, and then its tolerance the largest, that meet the accuracy,
    too, with no more unsolved steps. The contact capacity is what the compared motions need, and a third more; it grows
    by itself where that is too small. commands: the largest random command of actuators that follow commands, as a
    fraction of its range, 0 to 1. Raises WorldError for an accuracy that cannot be, or that is not met.
    """
    if not 1e-6 <= accuracy <= 0.1:
        raise WorldError(f"an accuracy of {accuracy} is not possible; give 1e-6 to 0.1 of the figure's size")
    adaptive = world.timing.integrator.adaptive and not world.method.scheme.fixed_step
    excitation = _Excitation(seed, commands)
    return (_fit_tolerance if adaptive else _fit_step)(world, accuracy, excitation)


@dataclass(frozen=True)
class _Excitation:
    """What is random in the compared motions: joint angles, and commands up to a fraction of their range."""

    seed: int
    commands: float


@dataclass
class _Motions:
    """The compared motions of a world.

    engine: engine of the world; first: initial states of all worlds; excitation: random commands. tolerance: permitted
    violation of the contact laws, None for that of the world.
    """

    engine: Engine
    first: State
    excitation: _Excitation
    tolerance: float | None = None
    ends: dict[float, State] = field(default_factory=dict[float, State])
    contacts: int | None = None

    @staticmethod
    def of(world: World, excitation: _Excitation) -> "_Motions":
        return _Motions(Engine(world), start(world, WORLDS, jitter=JITTER, seed=excitation.seed), excitation)

    def by_step(self, count: int) -> Array:
        """Return the positions at the end of a motion of `count` steps in a control step, see _positions()."""
        if count not in self.ends:
            state = self.first.copied()
            state.step_state.clock.step[:] = self.engine.world.timing.control_step / count
            given = {} if self.tolerance is None else {"tolerance": self.tolerance}
            self.ends[count] = self._advanced(state, self.engine.numbers(**given))
        return self._positions(self.ends[count])

    def by_tolerance(self, tolerance: float) -> Array:
        """Return the same of a motion with a tolerance."""
        if tolerance not in self.ends:
            self.ends[tolerance] = self._advanced(self.first.copied(), self.engine.numbers(tolerance=tolerance))
        return self._positions(self.ends[tolerance])

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

    def _advanced(self, state: State, numbers: Array) -> State:
        pattern: Any = self.engine.number_rows["control"].get("pattern")
        is_commanded = isinstance(pattern, dict) and "command" in pattern
        rows = cast("list[int]", pattern["command"]) if is_commanded else []
        random, largest = np.random.default_rng(self.excitation.seed), self.excitation.commands
        numbers = np.repeat(numbers, WORLDS, axis=1) if rows else numbers
        advancer = GrowingCapacity(self.engine, numbers)
        for control_step in range(1, round(DURATION / self.engine.world.timing.control_step) + 1):
            if rows:
                numbers[rows] = random.uniform(-largest, largest, (len(rows), WORLDS))
            advancer.advance(state, control_step)
            cache = state.step_state.memory.contact_cache
            if cache is not None and cache.indices:
                near = int(np.sum(np.array(cache.indices) >= 0.0, axis=0).max())
                self.contacts = max(self.contacts or 0, near)
        return state

    def _positions(self, state: State) -> Array:
        """Return the positions of three points of each link (W, links, 3, 3) [m]; infinite in worlds that stopped."""
        snapshot, links = self.engine.observe(state), self.engine.world.figure.links
        origins, quaternions = (
            np.array(x, float).reshape(len(links), n, -1).transpose(2, 0, 1)
            for x, n in ((snapshot.positions, 3), (snapshot.quaternions, 4))
        )
        points = np.array([_points_of(link) for link in links])
        rotated = np.einsum("wlij,lkj->wlki", matrix_from_quaternion(quaternions), points)
        positions = origins[:, :, None] + rotated
        positions[np.asarray(state.step_state.clock.status) != 0.0] = math.inf
        return positions


def _fit_step(world: World, accuracy: float, excitation: _Excitation) -> AccuracyFit:
    """Return the longest fixed steps of a world that meet an accuracy, and the cheapest solver with such steps."""
    passive = world.controller is None
    control_step = MAX_PASSIVE_STEP if passive else world.timing.control_step
    trial = replace(world, timing=replace(world.timing, control_step=control_step, step=control_step))
    motions, errors, met = _Motions.of(trial, excitation), dict[int, float](), dict[int, bool]()
    for count in DIVISIONS[: -2 * int(math.log2(REFINEMENT))]:
        reference = motions.by_step(int(REFINEMENT) * count)
        errors[count] = FIRST_ORDER * _distance(motions.by_step(count), reference, world.size)
        met[count] = errors[count] <= accuracy and motions.imbalance(count) <= RELATIVE_TOLERANCE
        if (chosen := _first_met(met)) is not None:
            break
    else:
        raise _not_met(accuracy, {control_step / n: x for n, x in errors.items()}, "steps of {:.3g} s")
    fitted, error = _with_cheapest_solver(trial, motions, chosen, accuracy)
    step = control_step / chosen
    divisor = max(n for n in DIVISIONS if chosen % n == 0 and n <= MAX_PASSIVE_DIVISION) if passive else 1
    timing = replace(fitted.timing, control_step=control_step / divisor, step=step)
    fitted = replace(_with_fitted_capacity(fitted, motions.contacts), timing=timing)
    return AccuracyFit(fitted, error, {control_step / n: x for n, x in errors.items()})


def _with_cheapest_solver(trial: World, motions: _Motions, count: int, accuracy: float) -> tuple[World, float]:
    """Return a world with the fewest iterations, then the largest tolerance, that meet an accuracy; and its error."""
    reference, method = motions.by_step(int(REFINEMENT) * count), cast("Any", trial.method)
    most_unsolved = max(motions.unsolved(count), MAX_UNSOLVED_FRACTION)

    def error_of(tried: _Motions) -> float:
        return FIRST_ORDER * _distance(tried.by_step(count), reference, trial.size)

    def is_met(tried: _Motions) -> bool:
        is_near = error_of(tried) <= accuracy
        return is_near and tried.imbalance(count) <= RELATIVE_TOLERANCE and tried.unsolved(count) <= most_unsolved

    fitted, best, iterations = trial, motions, getattr(method, "iterations", 0)
    for fewer in (n for n in ITERATIONS if n < iterations):
        world = replace(trial, contact=replace(method, iterations=fewer))
        tried = _Motions(Engine(world), motions.first, motions.excitation)
        if is_met(tried):
            fitted, best = world, tried
            break
    for tolerance in (x for x in CONTACT_TOLERANCES if iterations and x > trial.timing.tolerance):
        tried = replace(best, tolerance=tolerance, ends={})
        if is_met(tried):
            return replace(fitted, timing=replace(fitted.timing, tolerance=tolerance)), error_of(tried)
    return fitted, error_of(best)


def _fit_tolerance(world: World, accuracy: float, excitation: _Excitation) -> AccuracyFit:
    """Return the largest tolerance of a world with error control that meets an accuracy."""
    motions, errors, met = _Motions.of(world, excitation), dict[float, float](), dict[float, bool]()
    for tolerance, finer in zip(TOLERANCES, TOLERANCES[TOLERANCE_STEPS:], strict=False):
        distance = _distance(motions.by_tolerance(tolerance), motions.by_tolerance(finer), world.size)
        errors[tolerance] = distance / (1.0 - finer / tolerance)
        met[tolerance] = errors[tolerance] <= accuracy
        if (chosen := _first_met(met)) is not None:
            timing: Timing = replace(world.timing, tolerance=chosen)
            return AccuracyFit(replace(world, timing=timing), errors[chosen], errors)
    raise _not_met(accuracy, errors, "a tolerance of {:.3g}")


def _points_of(link: PlacedLink) -> Array:
    """Return three points of a link (3, 3), in its frame: from its centre of mass by its radius of gyration [m]."""
    m = link.mass_properties
    radius = math.sqrt(0.5 * np.trace(np.array(m.inertia)) / m.mass) if m.mass else 0.0
    return np.array(m.com) + radius * np.eye(3)


def _distance(positions: Array, others: Array, size: Any) -> float:
    """Return the median over worlds of the mean distance between points of links, in figure sizes."""
    lengths = np.linalg.norm(positions - others, axis=-1)
    return float(np.median(np.where(np.isfinite(lengths), lengths, math.inf).mean(axis=(1, 2)))) / float(size)


def _first_met(met: dict[Any, bool]) -> Any:
    """Return the first of the last three settings if all three meet the accuracy, else None. met: by setting."""
    last = list(met)[-3:]
    return last[0] if len(last) == 3 and all(met[setting] for setting in last) else None


def _not_met(accuracy: float, errors: dict[float, float], form: str) -> WorldError:
    best = min(errors, key=lambda setting: errors[setting])
    return WorldError(
        f"an accuracy of {accuracy:g}, with energy that balances to {100.0 * RELATIVE_TOLERANCE:g} %, is not met: the "
        f"smallest error is {errors[best]:.3g}, with {form.format(best)}; give a larger accuracy, or another contact "
        "method"
    )


def _with_fitted_capacity(world: World, contacts: int | None) -> World:
    """Return a world with the capacity for some contacts and a third more, but at most for all possible contacts."""
    if contacts is None:
        return world
    capacity = min(math.ceil(SPARE_CONTACTS * max(contacts, 1)), contact_count(world.scene))
    return replace(world, contact=with_capacity(world.method, capacity))
