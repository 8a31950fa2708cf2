"""Simulation of worlds to a film, and reports of worlds that stopped early."""

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
from gambol.lanes import leaves
from gambol.spatial import Vector
from gambol.world.capacity import GrowingCapacity
from gambol.world.checks import check_size
from gambol.world.device_state import DeviceAdvancer, DeviceState
from gambol.world.events.convergence import warn_of_restitution, warn_of_unsolved
from gambol.world.events.detector import EventDetector
from gambol.world.events.ground import warn_of_ground_without_stiffness
from gambol.world.events.ledger import contact_may_add_energy, warn_of_imbalance
from gambol.world.events.zero_crossing import EventFunction, ZeroCrossing, zero_crossings
from gambol.world.film import Film
from gambol.world.film.large import free_space
from gambol.world.loop_closure import close_loops
from gambol.world.own_control import Advancer, ControlFunction, ControlLoop, control_steps_per_call
from gambol.world.record import Recorder
from gambol.world.rest_state import rest_state
from gambol.world.state import Engine, State
from gambol.world.step import NOT_FINITE, RUNNING, UNDERFLOW
from gambol.world.stiff_ground import warn_of_stiff_ground
from gambol.world.stiff_start import check_springs
from gambol.world.world import World

Array = NDArray[Any]
Progress = Callable[[int, int], None]  # called with the number of completed frames, and of all

DEFAULT_RATE = 1200.0
"""Frames per simulated second: 60 frames in the shortest leg step of the roach, so that phases are accurate to 1 %."""


MAX_FRAMES = 1e300
"""Upper limit of the number of frames, so that it fits in an integer for any time."""

INTERRUPTED = 3.0
"""Status in the last frame of a film, of worlds that were running when the run was interrupted."""

REASONS = {NOT_FINITE: "its motion became infinite or NaN", UNDERFLOW: "its step became too small"}


class StoppedWarning(UserWarning):
    """A world stopped early, or the run was interrupted; the film ends with the last frame before that."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A world that stopped early. lane: its index; time: when it stopped [s]; reason, cause: texts."""

    lane: int
    time: float
    reason: str
    cause: str

    def __str__(self) -> str:
        return f"lane {self.lane} stopped at {self.time:.4f} s and stays there: {self.reason}; {self.cause}"


def run(
    world: World,
    state: State | DeviceState,
    seconds: float,
    *,
    rate: float | None = None,
    numbers: Array | None = None,
    threads: int = 1,
    events: Mapping[str, ZeroCrossing | EventFunction] | None = None,
    progress: Progress | None = None,
    contacts: bool = False,
    coordinates: bool = False,
    control: ControlFunction | None = None,
    control_rate: float | None = None,
) -> Film:
    """Advance all worlds of a state in place, and return a film. A further call continues from the state.

    world: world of the state; a DeviceState is advanced on its graphics processor. seconds: time to simulate [s]. rate:
    frames per simulated second; a frame lasts a whole number of control steps; None: 1200 if that is possible, else one
    frame for each control step. numbers: inputs of the worlds, (rows, 1) or (rows, W), see Engine.numbers(); None:
    inputs of the world itself. threads: number of threads. events: zero crossings to detect, by name; see film.events.
    progress(done, frames): called after every frame. contacts: True to record contacts, see Film.contacts().
    coordinates: True to record q, v and torques. control: a function of time, q and v that returns the commands of the
    actuators in every control step, see ControlFunction. control_rate: calls of this function per simulated second;
    commands are constant between two calls, for a whole number of control steps; None: in every control step. For the
    signals see record.Recorder. A world that stops remains in its last state, with a StoppedWarning; the other worlds
    continue. Ctrl-C ends the run early, with a StoppedWarning, see was_interrupted(); the state is then that of the
    film's last frame. Open loops of the initial state are closed, with an OpenLoopWarning. At the end a
    ConvergenceWarning reports steps that violate their equations or laws of contact, a RestitutionWarning reports
    reduced restitution, a LedgerWarning unaccounted energy, and a GroundWarning a fall through a ground without
    stiffness. At the start a GroundWarning reports a ground too stiff for the least step. Raises WorldError for invalid
    arguments.
    """
    steps_per_frame, frames = _frames(world, seconds, rate)
    on_device, state = (state, state.to_cpu()) if isinstance(state, DeviceState) else (None, state)
    hold = control_steps_per_call(world, control_rate) if control is not None else 1
    state = _checked(world, state, frames)
    engine = Engine(world, state.precision, lanes=1 if state.rows.shape[1] == 1 else None)
    inputs = engine.numbers() if numbers is None else numbers
    if control is not None:
        inputs = np.repeat(inputs, state.rows.shape[1] if inputs.shape[1] == 1 else 1, axis=1)
    close_loops(world, state, inputs)
    check_springs(world, state, inputs)
    warn_of_stiff_ground(world, state)
    recorder = Recorder(state, frames, contacts=contacts, coordinates=coordinates)
    recorder.prepare(inputs)
    detector = EventDetector(engine, zero_crossings(events), inputs, threads) if events else None
    advancer: Advancer = detector or GrowingCapacity(engine, inputs, threads)
    if on_device is not None:
        advancer = DeviceAdvancer.of(engine, on_device, state, inputs, has_events=detector is not None)
    if control is not None:
        advancer = ControlLoop(engine, inputs, control, advancer, hold)
    _ = detector.programs if detector else engine.advance_program  # compiled before the clock starts
    first, initial = int(state.step_state.clock.control_steps.max()), state.copied()
    steps = range(first, first + frames * steps_per_frame, steps_per_frame)
    completed = _record_frames(recorder, state, steps, progress, advancer)
    if on_device is not None:
        on_device.rows.set_rows(0, state.rows)
    records = sorted(detector.records, key=lambda record: (record.time, record.lane)) if detector else []
    try:
        film = recorder.film()
    except KeyboardInterrupt:  # all frames are recorded, so that the film can be made again
        film, completed = recorder.film(), False
    if not completed:  # events after the last frame happen again when the run is continued
        records = [record for record in records if record.time <= film.time[-1] * (1.0 + 1e-12)]
    film = replace(film, events=tuple(records))
    warn_of_unsolved(initial, state, film)
    warn_of_restitution(initial, state)
    warn_of_ground_without_stiffness(initial, state)
    warn_of_imbalance(film, contact_adds=contact_may_add_energy(state.world))
    return film if completed else marked_interrupted(film, seconds)


def _record_frames(
    recorder: Recorder, state: State, steps: range, progress: Progress | None, advancer: Advancer
) -> bool:
    """Advance the state to the control step of each frame and record it; return False if interrupted.

    After an interruption the state is that of the last frame, so that a further run continues from there.
    """
    wall, stopped = 0.0, state.step_state.clock.status > RUNNING
    recorder.add(state, steps[0], wall)
    try:
        for done, until in enumerate(steps[1:], start=1):
            started = perf_counter()
            advancer.advance(state, until)
            wall += perf_counter() - started
            recorder.add(state, until, wall)
            if progress:
                progress(done, len(steps) - 1)
            stopped_now = state.step_state.clock.status > RUNNING
            for lane in np.flatnonzero(stopped_now & ~stopped):
                warnings.warn(str(stop_of(state, int(lane))), StoppedWarning, stacklevel=3)
            stopped = stopped_now
            if stopped.all():
                break
    except KeyboardInterrupt:
        recorder.restore(state)
        return False
    return True


def marked_interrupted(film: Film, seconds: float) -> Film:
    """Return the film with its last frame marked as interrupted, and warn."""
    status = film.signals["status"][-1]
    status[status == RUNNING] = INTERRUPTED
    text = f"interrupted after {film.duration:.4f} s of {seconds:g} s; the film ends there"
    warnings.warn(text, StoppedWarning, stacklevel=3)
    return film


def _frames(world: World, seconds: float, given_rate: float | None) -> tuple[int, int]:
    """Return the number of control steps per frame of a film, and the number of frames."""
    if not 0.0 < seconds < float("inf"):
        raise WorldError(f"a run of {seconds} s is not possible; give a time of more than 0 s")
    control_rate = 1.0 / world.timing.control_step
    rate = min(DEFAULT_RATE, control_rate) if given_rate is None else given_rate
    steps_per_frame = round(control_rate / rate) if 0.0 < rate <= control_rate * (1.0 + 1e-6) else 0
    if steps_per_frame < 1 or abs(control_rate / steps_per_frame - rate) > 1e-6 * rate:
        nearest = control_rate / max(1, round(control_rate / rate)) if rate > 0.0 else control_rate
        raise WorldError(
            f"a film of this world cannot have {rate:g} frames/s: there are {control_rate:g} control steps per second, "
            f"and a frame must last a whole number of them; {nearest:g} is possible"
        )
    return steps_per_frame, int(min(seconds * rate * (1.0 + 1e-12) + 1e-6, MAX_FRAMES)) + 1


def _describe_row(world: World, row: int) -> str:
    """Return a description of the quantity in a row of a state."""
    nq, nv = world.figure.nq, world.figure.nv
    for link in world.figure.links:
        if link.q.start <= row < link.q.stop:
            return f'q[{row}], a position of link "{link.name}"'
        if link.v.start <= row - nq < link.v.stop:
            return f'v[{row - nq}], a velocity of link "{link.name}"'
    return f"row {row}, after the {nq} positions and {nv} velocities"


def _checked(world: World, state: State, frames: int) -> State:
    """Return the state with this world as its world.

    Raises WorldError for a state of another world or with non-finite numbers, and for a film too large for the disk.
    """
    rows, worlds = state.rows.shape
    if rows != len(leaves(rest_state(world))):
        raise WorldError(
            f"a state of {rows} rows is not of this world; create it with start() for the world that is run"
        )
    bad = np.flatnonzero(~np.isfinite(state.rows).all(axis=0))
    if len(bad):
        location = _describe_row(world, int(np.flatnonzero(~np.isfinite(state.rows[:, bad[0]]))[0]))
        raise WorldError(
            f"the initial state of lane {bad[0]} is not finite: {location}; {len(bad)} of {worlds} lanes are not"
        )
    check_orientations(world.figure, state.rows[: world.figure.nq])
    size = 8.0 * frames * worlds * (7 * len(world.figure.links) + 7 * len(world.surface.feet) + 24)
    advice = "give a lower rate, less time or fewer worlds, or advance the state without a film by Engine.advance"
    check_size(f"{frames:.10g} frames of {worlds} worlds", size, free_space(), advice)
    return State(world, state.rows)


def stop_of(state: State, lane: int) -> Stop:
    """Return the reason why a world stopped, and a cause, which names its fastest joint and its deepest contact."""
    status = float(state.step_state.clock.status[lane])
    q, v = state.q[lane].astype(float), state.v[lane].astype(float)
    cause = f"{_fastest(state.world, v)}, and {_deepest(state.world, q)}"
    return Stop(lane, float(state.time[lane]), REASONS[status], cause)


def was_interrupted(film: Film) -> bool:
    """Return True if a film ends early because its run was interrupted, as by Ctrl-C."""
    status = film.signals.get("status")
    return status is not None and len(status) > 0 and bool((status[-1] == INTERRUPTED).any())


def _fastest(world: World, v: NDArray[Any]) -> str:
    """Return a description of the fastest joint; linear speeds are compared in sizes of the figure per second."""
    fastest = (-1.0, "nothing moves")
    for link in world.figure.links:
        units = JOINTS[link.joint.kind].v_units
        for kind in dict.fromkeys(units):
            speed = math.hypot(*(x for x, unit in zip(v[link.v], units, strict=True) if unit == kind))
            relative = speed / (world.size if kind == "m/s" else 1.0)
            fastest = max(fastest, (relative, f'the fastest joint is that of "{link.name}" ({speed:.3g} {kind})'))
    return fastest[1]


def _deepest(world: World, q: NDArray[Any]) -> str:
    """Return a description of the deepest contact with the ground."""
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
