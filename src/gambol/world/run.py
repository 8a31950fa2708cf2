"""Running worlds to a film, and saying why one of them stopped before its time."""

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
from gambol.world.checks import check_memory
from gambol.world.closing_start import close_start
from gambol.world.events.books import tell_of_books
from gambol.world.events.unmet import tell_of_limits, tell_of_unmet
from gambol.world.events.watch import Measure, Watch, watches
from gambol.world.events.watcher import Watcher
from gambol.world.film import Film
from gambol.world.growing import Growing
from gambol.world.record import Recorder
from gambol.world.state import Engine, State, resting
from gambol.world.step import NOT_FINITE, RUNNING, UNDERFLOW
from gambol.world.stiff_start import check_springs
from gambol.world.world import World

Array = NDArray[Any]
Progress = Callable[[int, int], None]  # told how many frames are done, and of how many

RATE = 1200.0
"""Frames of a film per simulated second: 60 in the shortest step of the roach, so phases are known within a percent."""


ENDLESS = 1e300
"""Frames of a film whose time is too long to count them."""

INTERRUPTED = 3.0
"""The status, in a film's last frame, of worlds that ran well until their run was interrupted."""

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
    events: Mapping[str, Watch | Measure] | None = None,
    progress: Progress | None = None,
) -> Film:
    """Move all worlds of a state on by a time [s] and film them. The state is moved in place: run it again to go on.

    rate: frames per simulated second, of which a whole number of the controller's must fit in one. numbers: of the
    worlds, (rows, 1) or (rows, W), as from Engine.numbers(); None: the world's own. events: by name, measures of (q, v)
    to watch for passing 0; see Watch, and film.events for what happened. progress(done, frames) is called after every
    frame. The film's signals are listed at record.Recorder.
    A world that stops stays where it was and is reported by a StoppedWarning; the others go on. Ctrl-C ends the run
    with the film so far, and with a StoppedWarning: see was_interrupted(). Steps whose equations, or laws of contact,
    were not met are told by a ConvergenceWarning at the end, and collisions that rebounded less than the world's
    hypothesis says, as it would have added energy, by a RestitutionWarning; energy that no one can account for, and
    impacts or friction that gave some, by a BooksWarning. A start whose loops are open is closed
    before the first frame, which an OpenLoopWarning tells. Raises WorldError for what cannot be run.
    """
    every, frames = _frames(world, seconds, rate)
    state = _checked(world, state, frames)
    engine = Engine(world, _precision(state), lanes=1 if state.rows.shape[1] == 1 else None)
    given = engine.numbers() if numbers is None else numbers
    close_start(world, state, given)
    check_springs(world, state, given)
    recorder = Recorder(state, frames)
    recorder.prepare(given)
    watcher = Watcher(engine, watches(events), given, threads) if events else None
    _ = watcher.programs if watcher else engine.mover  # compiled before the clock starts
    first, begun = int(state.living.clock.frame.max()), state.copied()
    whole = _recorded(
        recorder, state, range(first, first + frames * every, every), progress, _mover(engine, given, threads, watcher)
    )
    happened = sorted(watcher.happened, key=lambda one: (one.time, one.lane)) if watcher else ()
    film = replace(recorder.film(), events=tuple(happened))
    tell_of_unmet(begun, state, film)
    tell_of_limits(begun, state)
    tell_of_books(film)
    return film if whole else _marked(film, seconds)


def _mover(engine: Engine, numbers: Array, threads: int, watcher: Watcher | None) -> Callable[[State, int], float]:
    """A function that moves a state to a frame, watched or not, and tells the time it took [s].

    Only frames that are not watched are made again with more room for contacts where there is too little.
    """
    growing = Growing(engine, numbers, threads)

    def move(state: State, frame: int) -> float:
        started = perf_counter()
        if watcher:
            watcher.move(state, frame)
        else:
            growing.move(state, frame)
        return perf_counter() - started

    return move


def _recorded(
    recorder: Recorder, state: State, frames: range, progress: Progress | None, move: Callable[[State, int], float]
) -> bool:
    """Record every frame; whether this was not interrupted."""
    wall, stopped = 0.0, state.living.clock.status > RUNNING
    try:
        recorder.add(state, frames[0], wall)
        for done, frame in enumerate(frames[1:], start=1):
            wall += move(state, frame)
            recorder.add(state, frame, wall)
            if progress:
                progress(done, len(frames) - 1)
            now = state.living.clock.status > RUNNING
            for lane in np.flatnonzero(now & ~stopped):
                warnings.warn(str(stop_of(state, int(lane))), StoppedWarning, stacklevel=3)
            stopped = now
            if stopped.all():
                break
    except KeyboardInterrupt:
        return False
    return True


def _marked(film: Film, seconds: float) -> Film:
    """A film whose last frame says that it was interrupted."""
    status = film.signals["status"][-1]
    status[status == RUNNING] = INTERRUPTED
    text = f"interrupted after {film.duration:.4f} s of {seconds:g} s; the film holds what was done"
    warnings.warn(text, StoppedWarning, stacklevel=3)
    return film


def _frames(world: World, seconds: float, rate: float) -> tuple[int, int]:
    """How many frames of the controller there are between two of the film, and how many the film has."""
    if not 0.0 < seconds < float("inf"):
        raise WorldError(f"a run of {seconds} s is not possible; give a time of more than 0 s")
    own = 1.0 / world.timing.frame
    every = round(own / rate) if 0.0 < rate <= own * (1.0 + 1e-6) else 0
    if every < 1 or abs(own / every - rate) > 1e-6 * rate:
        nearest = own / max(1, round(own / rate)) if rate > 0.0 else own
        raise WorldError(
            f"a film cannot have {rate:g} frames/s here: the controller decides {own:g} times a second, and a whole "
            f"number of decisions must fit in a frame; {nearest:g} would do"
        )
    return every, int(min(seconds * rate * (1.0 + 1e-12) + 1e-6, ENDLESS)) + 1


def _precision(state: State) -> Precision:
    return "float32" if state.rows.dtype == np.float32 else "float64"


def _place(world: World, row: int) -> str:
    """What a row of a state holds, in words."""
    nq, nv = world.figure.nq, world.figure.nv
    for link in world.figure.links:
        if link.q.start <= row < link.q.stop:
            return f'q[{row}], a position of link "{link.name}"'
        if link.v.start <= row - nq < link.v.stop:
            return f'v[{row - nq}], a velocity of link "{link.name}"'
    return f"row {row}, of the memory that follows the {nq} positions and {nv} velocities"


def _checked(world: World, state: State, frames: int) -> State:
    """The state in this world. A start that is not finite and a film too large to hold are refused."""
    rows, worlds = state.rows.shape
    if rows != len(leaves(resting(world))):
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
    """Why a world of a state stopped, judged by what moves fastest and what is deepest in the ground."""
    status = float(state.living.clock.status[lane])
    q, v = state.q[lane].astype(float), state.v[lane].astype(float)
    cause = f"{_fastest(state.world, v)}, and {_deepest(state.world, q)}"
    return Stop(lane, float(state.time[lane]), REASONS[status], cause)


def was_interrupted(film: Film) -> bool:
    """Whether a film ends early because its run was interrupted, as by Ctrl-C."""
    status = film.signals.get("status")
    return status is not None and len(status) > 0 and bool((status[-1] == INTERRUPTED).any())


def _fastest(world: World, v: NDArray[Any]) -> str:
    """The joint that moves fastest, lengths counted in sizes of the figure."""
    best = (-1.0, "nothing moves")
    for link in world.figure.links:
        units = JOINTS[link.joint.kind].v_units
        for kind in dict.fromkeys(units):
            speed = math.hypot(*(x for x, unit in zip(v[link.v], units, strict=True) if unit == kind))
            relative = speed / (world.size if kind == "m/s" else 1.0)
            best = max(best, (relative, f'the fastest joint is that of "{link.name}" ({speed:.3g} {kind})'))
    return best[1]


def _deepest(world: World, q: NDArray[Any]) -> str:
    """The link that is deepest in the ground."""
    state = kinematics(world.figure, [float(x) for x in q], [0.0] * world.figure.nv)
    numbers, table = world.ground.numbers(), world.ground.table()
    deepest, name = 0.0, ""
    for link in world.figure.links:
        for point in link.contact_points() if world.figure.moves(link.index) else ():
            p = state.point_position(link.index, Vector(*point.position))
            depth = float(world.ground.surface(numbers, table, p.x, p.y).depth(p.z)) + point.radius
            if depth > deepest:
                deepest, name = depth, link.name
    return f'the deepest contact is that of "{name}" ({deepest * 1e3:.3g} mm)' if name else "nothing touches the ground"
