"""Landing, standing and falling beside MuJoCo: both as accurate as each other, then the time."""

from collections.abc import Callable

import numpy as np

from benchmarks.contact.motion import Ours, Theirs, our_error, their_error
from benchmarks.contact.scenes import STEPS
from benchmarks.rows import Result, Row
from benchmarks.stopwatch import race, ratio, typical
from gambol.world import State
from gambol.world.encounters.touchable import contacts_of

NEARLY = 1.2
"""By how much an error may be larger and still count as equal: the median of 32 worlds is off by as much."""

RACED = 16  # worlds of MuJoCo in a timed run
REPEATS = 7


def landing(row: Row) -> Result:
    """A second of motion with contact, by code that holds as many worlds at once as there are lanes."""
    return _raced(row, None)


def landing_alone(row: Row) -> Result:
    """The same by code that holds one world."""
    return _raced(row, 1)


def _raced(row: Row, lanes: int | None) -> Result:
    step, peer_step = STEPS[row.model]
    errors = our_error(row.model, step, row.precision), their_error(row.model, peer_step)
    found = (
        f"error at 1 s {errors[0] * 1e3:.1f} mm, MuJoCo's {errors[1] * 1e3:.1f} mm in steps of {peer_step * 1e3:g} ms"
    )
    assert errors[0] < NEARLY * errors[1], f"{row.name}: {found}"
    ours, theirs = Ours(row.model, step, row.precision, row.worlds, lanes), Theirs(row.model, peer_step, RACED)
    drift = unaccounted(ours, ours.run())
    times = race(ours.run, theirs.run, repeats=REPEATS)
    steps = row.worlds / step
    world = ours.world
    may = contacts_of(world)
    result = Result(world.figure.nv, found, step, f"{min(may, world.most_contacts)} of {may}", peer="MuJoCo rollout")
    seconds, result.spread = typical(times[0])
    result.ns_per_step = seconds / steps * 1e9
    result.ratio = ratio(*times) * row.worlds / RACED
    result.peer_ns_per_step = typical(times[1])[0] / RACED * peer_step * 1e9
    result.compile_s, result.energy_drift = ours.engine.mover.seconds_to_make, drift
    result.more = {"error": errors[0], "peer_error": errors[1], "peer_step": peer_step}
    return result


def unaccounted(ours: Ours, after: State) -> float:
    """The energy that nothing accounts for after a second, over what went out of the motion: the median."""
    before, changes = ours.start, list[np.ndarray]()
    for state in (before, after):
        seen, books = ours.engine.see(state), state.living.ledger
        gone = np.array(books.damping + books.impact + books.sliding, float)
        there = np.array(seen.kinetic + seen.potential + seen.stored, float)
        made = np.array(books.motors + books.outside + books.stabilisation, float)
        changes += [there + gone - made, gone]
    lost, gone = changes[2] - changes[0], changes[3] - changes[1]
    return float(np.median(np.abs(lost) / np.abs(gone)))


CONTACT: dict[str, Callable[[Row], Result]] = {"landing": landing, "landing alone": landing_alone}
