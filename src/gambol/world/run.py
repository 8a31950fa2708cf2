"""Runs of worlds to a film, and reports of worlds that stopped early."""

import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import kinematics
from gambol.dynamics.tangent import check_orientations
from gambol.errors import WorldError
from gambol.figure import JOINTS
from gambol.lanes import Precision, leaves
from gambol.spatial import Vector
from gambol.world.capacity import GrowingCapacity
from gambol.world.checks import check_memory
from gambol.world.events.convergence import warn_of_restitution, warn_of_unsolved
from gambol.world.events.detector import EventDetector
from gambol.world.events.ledger import warn_of_imbalance
from gambol.world.events.zero_crossing import EventFunction, ZeroCrossing, zero_crossings
from gambol.world.film import Film
from gambol.world.loop_closure import close_loops
from gambol.world.record import Recorder
from gambol.world.state import Engine, State, rest_state
from gambol.world.step import NOT_FINITE, RUNNING, UNDERFLOW
from gambol.world.stiff_start import check_springs
from gambol.world.world import World

Array = NDArray[Any]
Progress = Callable[[int, int], None]  # called with the number of frames done, and of all

RATE = 1200.0
"""Frames of a film per simulated second: 60 in the roach's shortest leg step, so phases are within a percent."""


ENDLESS = 1e300
"""Frames of a film whose time is too long to count them."""

INTERRUPTED = 3.0
"""Status, in a film's last frame, of worlds that were running when their run was interrupted."""

REASONS = {NOT_FINITE: "its motion became infinite or not a number", UNDERFLOW: "its step became too small"}


class StoppedWarning(UserWarning):
    """A world stopped, or a whole run was interrupted, before its time; the film holds what was done."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a world stopped: lane: its number, from 0; time [s]; reason, cause: in words."""

    lane: int
    time: float
    reason: str
    cause: str

    def __str__(self) -> str:
        return f"lane {self.lane} stopped at {self.time:.4f} s and stays there: {self.reason}; {self.cause}"


def run(
    world: World,
    state: State,
    seconds: float,
    *,
    rate: float = RATE,
    numbers: Array | None = None,
    threads: int = 1,
    events: Mapping[str, ZeroCrossing | EventFunction] | None = None,
    progress: Progress | None = None,
) -> Film:
    """Advance all worlds of a state by a time [s] and film them. The state changes in place: run it again to go on.

    world: of the state. rate: frames per simulated second; each takes a whole number of control steps. numbers: inputs
    of the worlds, (rows, 1) or (rows, W), see Engine.numbers(); None: the world's own. threads: at once. events: by
    name, see ZeroCrossing and film.events. progress(done, frames) is called after every frame. record.Recorder lists
    the film's signals. A world that stops stays where it was, with a StoppedWarning; the others go on. Ctrl-C ends the
    run with the film so far and a StoppedWarning: see was_interrupted(). At the end a ConvergenceWarning reports steps
    that violate their equations or laws of contact, a RestitutionWarning collisions with reduced restitution, a
    LedgerWarning unaccounted energy, and impacts or friction that added some. Open loops of the start are closed first,
    with an OpenLoopWarning. Raises WorldError for what cannot be run.
    """
    every, frames = _frames(world, seconds, rate)
    state = _checked(world, state, frames)
    engine = Engine(world, _precision(state), lanes=1 if state.rows.shape[1] == 1 else None)
    inputs = engine.numbers() if numbers is None else numbers
    close_loops(world, state, inputs)
    check_springs(world, state, inputs)
    recorder = Recorder(state, frames)
    recorder.prepare(inputs)
    detector = EventDetector(engine, zero_crossings(events), inputs, threads) if events else None
    _ = detector.programs if detector else engine.advance_program  # compiled before the clock starts
    first, initial = int(state.step_state.clock.control_steps.max()), state.copied()
    steps, advance = range(first, first + frames * every, every), _advancer(engine, inputs, threads, detector)
    completed = _recorded(recorder, state, steps, progress, advance)
    records = sorted(detector.records, key=lambda record: (record.time, record.lane)) if detector else ()
    film = replace(recorder.film(), events=tuple(records))
    warn_of_unsolved(initial, state, film)
    warn_of_restitution(initial, state)
    warn_of_imbalance(film)
    return film if completed else _marked_interrupted(film, seconds)


def _advancer(
    engine: Engine, numbers: Array, threads: int, detector: EventDetector | None
) -> Callable[[State, int], float]:
    """Return a function that advances a state to a control step, with or without events, and returns its wall time [s].

    Only control steps without events are repeated with a larger capacity for contacts.
    """
    growing = GrowingCapacity(engine, numbers, threads)

    def advance(state: State, until: int) -> float:
        started = perf_counter()
        if detector:
            detector.advance(state, until)
        else:
            growing.advance(state, until)
        return perf_counter() - started

    return advance


def _recorded(
    recorder: Recorder, state: State, steps: range, progress: Progress | None, advance: Callable[[State, int], float]
) -> bool:
    """Record every frame; return True unless interrupted."""
    wall, stopped = 0.0, state.step_state.clock.status > RUNNING
    try:
        recorder.add(state, steps[0], wall)
        for done, until in enumerate(steps[1:], start=1):
            wall += advance(state, until)
            recorder.add(state, until, wall)
            if progress:
                progress(done, len(steps) - 1)
            now = state.step_state.clock.status > RUNNING
            for lane in np.flatnonzero(now & ~stopped):
                warnings.warn(str(stop_of(state, int(lane))), StoppedWarning, stacklevel=3)
            stopped = now
            if stopped.all():
                break
    except KeyboardInterrupt:
        return False
    return True


def _marked_interrupted(film: Film, seconds: float) -> Film:
    """Return the film with its last frame marked as interrupted."""
    status = film.signals["status"][-1]
    status[status == RUNNING] = INTERRUPTED
    text = f"interrupted after {film.duration:.4f} s of {seconds:g} s; the film holds what was done"
    warnings.warn(text, StoppedWarning, stacklevel=3)
    return film


def _frames(world: World, seconds: float, rate: float) -> tuple[int, int]:
    """Return the number of control steps between two frames of the film, and the number of its frames."""
    if not 0.0 < seconds < float("inf"):
        raise WorldError(f"a run of {seconds} s is not possible; give a time of more than 0 s")
    control_rate = 1.0 / world.timing.control_step
    every = round(control_rate / rate) if 0.0 < rate <= control_rate * (1.0 + 1e-6) else 0
    if every < 1 or abs(control_rate / every - rate) > 1e-6 * rate:
        nearest = control_rate / max(1, round(control_rate / rate)) if rate > 0.0 else control_rate
        raise WorldError(
            f"a film cannot have {rate:g} frames/s here: the controller decides {control_rate:g} times a second, and a "
            f"whole number of decisions must fit in a frame; {nearest:g} would do"
        )
    return every, int(min(seconds * rate * (1.0 + 1e-12) + 1e-6, ENDLESS)) + 1


def _precision(state: State) -> Precision:
    return "float32" if state.rows.dtype == np.float32 else "float64"


def _place(world: World, row: int) -> str:
    """Return in words what a row of a state holds."""
    nq, nv = world.figure.nq, world.figure.nv
    for link in world.figure.links:
        if link.q.start <= row < link.q.stop:
            return f'q[{row}], a position of link "{link.name}"'
        if link.v.start <= row - nq < link.v.stop:
            return f'v[{row - nq}], a velocity of link "{link.name}"'
    return f"row {row}, of the memory that follows the {nq} positions and {nv} velocities"


def _checked(world: World, state: State, frames: int) -> State:
    """Return the state in this world; raise for a start that is not finite and a film too large for memory."""
    rows, worlds = state.rows.shape
    if rows != len(leaves(rest_state(world))):
        raise WorldError(f"a state of {rows} rows is not of this world; make it with start() for the world that is run")
    bad = np.flatnonzero(~np.isfinite(state.rows).all(axis=0))
    if len(bad):
        where = _place(world, int(np.flatnonzero(~np.isfinite(state.rows[:, bad[0]]))[0]))
        raise WorldError(f"the start of lane {bad[0]} is not finite: {where}; {len(bad)} of {worlds} lanes are not")
    check_orientations(world.figure, state.rows[: world.figure.nq])
    size = 8.0 * frames * worlds * (7 * len(world.figure.links) + 7 * len(world.feet) + 24)
    cure = "give a lower rate, less time or fewer worlds, or move the state without a film by Engine.move"
    check_memory(f"{frames:.10g} frames of {worlds} worlds", size, cure)
    return State(world, state.rows)


def stop_of(state: State, lane: int) -> Stop:
    """Return why a world of a state stopped, judged by what moves fastest and what is deepest in the ground."""
    status = float(state.step_state.clock.status[lane])
    q, v = state.q[lane].astype(float), state.v[lane].astype(float)
    cause = f"{_fastest(state.world, v)}, and {_deepest(state.world, q)}"
    return Stop(lane, float(state.time[lane]), REASONS[status], cause)


def was_interrupted(film: Film) -> bool:
    """True where a film ends early because its run was interrupted, as by Ctrl-C."""
    status = film.signals.get("status")
    return status is not None and len(status) > 0 and bool((status[-1] == INTERRUPTED).any())


def _fastest(world: World, v: NDArray[Any]) -> str:
    """Return in words the fastest joint; lengths count in sizes of the figure."""
    best = (-1.0, "nothing moves")
    for link in world.figure.links:
        units = JOINTS[link.joint.kind].v_units
        for kind in dict.fromkeys(units):
            speed = math.hypot(*(x for x, unit in zip(v[link.v], units, strict=True) if unit == kind))
            relative = speed / (world.size if kind == "m/s" else 1.0)
            best = max(best, (relative, f'the fastest joint is that of "{link.name}" ({speed:.3g} {kind})'))
    return best[1]


def _deepest(world: World, q: NDArray[Any]) -> str:
    """Return in words the link deepest in the ground."""
    state = kinematics(world.figure, [float(x) for x in q], [0.0] * world.figure.nv)
    numbers, table = world.ground.numbers(), world.ground.table()
    deepest, name = 0.0, ""
    for link in world.figure.links:
        for point in link.contact_points() if world.figure.can_move(link.index) else ():
            p = state.point_position(link.index, Vector(*point.position))
            depth = float(world.ground.surface(numbers, table, p.x, p.y).depth(p.z)) + point.radius
            if depth > deepest:
                deepest, name = depth, link.name
    return f'the deepest contact is that of "{name}" ({deepest * 1e3:.3g} mm)' if name else "nothing touches the ground"
