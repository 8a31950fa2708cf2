"""Landing, standing and falling compared with MuJoCo: times at equal accuracy."""

from collections.abc import Callable
from time import process_time

import numpy as np

from benchmarks.contact.motion import GambolWorlds, MujocoWorlds, our_error, their_error
from benchmarks.contact.published import equivalent_cores
from benchmarks.contact.scenes import STEPS
from benchmarks.contact.variants import VARIANTS
from benchmarks.rows import Result, Row
from benchmarks.timing import median_and_spread, ratio, time_interleaved
from gambol.contact.generation.contact_set import contact_count
from gambol.world import State

MAX_ERROR_RATIO = 1.2
"""Factor up to which errors count as equal, at each time: the uncertainty of the medians of 256 worlds."""

TIMED_WORLDS = 16  # MuJoCo's worlds in a timed run
REPEATS = 7


def landing(row: Row) -> Result:
    """Measure 1 s of motion with contact, with vectorised code: one world per lane."""
    return _time_landing(row, None)


def landing_alone(row: Row) -> Result:
    """Measure the same with scalar code: one world after the other, as MuJoCo computes them."""
    return _time_landing(row, 1)


def _time_landing(row: Row, lanes: int | None) -> Result:
    step, peer_step = STEPS[row.model]
    errors = our_error(row.model, step, row.precision), their_error(row.model, peer_step)
    texts = [", ".join(f"{x * 1e3:.1f}" for x in each) for each in errors]
    found = f"errors {texts[0]} mm at 0.5, 1, 2 s, MuJoCo's {texts[1]} mm in steps of {peer_step * 1e3:g} ms"
    assert (errors[0] < MAX_ERROR_RATIO * errors[1]).all(), f"{row.name}: {found}"
    ours, theirs = (
        GambolWorlds(row.model, step, row.precision, row.worlds, lanes),
        MujocoWorlds(row.model, peer_step, TIMED_WORLDS),
    )
    drift = unaccounted(ours, ours.run())
    times = time_interleaved(ours.run, theirs.run, repeats=REPEATS, clock=process_time)
    steps = row.worlds / step
    world = ours.world
    possible = contact_count(world.scene)
    result = Result(
        world.figure.nv, found, step, f"{min(possible, world.contact_capacity)} of {possible}", peer="MuJoCo rollout"
    )
    seconds, result.spread = median_and_spread(times[0])
    result.ns_per_step = seconds / steps * 1e9
    result.ratio = ratio(*times) * row.worlds / TIMED_WORLDS
    result.peer_ns_per_step = median_and_spread(times[1])[0] / TIMED_WORLDS * peer_step * 1e9
    result.compile_s, result.energy_drift = ours.engine.advance_program.compile_seconds, drift
    result.more = {"error": errors[0].max(), "peer_error": errors[1].max(), "peer_step": peer_step}
    figure = VARIANTS[row.model].scene if row.model in VARIANTS else row.model
    result.more |= equivalent_cores(figure, row.precision, result.ns_per_step)
    return result


def unaccounted(ours: GambolWorlds, after: State) -> float:
    """Return the median unaccounted energy after 1 s, relative to the energy dissipated."""
    before, changes = ours.start, list[np.ndarray]()
    for state in (before, after):
        seen, ledger = ours.engine.observe(state), state.step_state.ledger
        dissipated = np.array(ledger.damping + ledger.impact + ledger.sliding, float)
        energy = np.array(seen.kinetic + seen.potential + seen.stored, float)
        supplied = np.array(ledger.motors + ledger.outside + ledger.stabilisation, float)
        changes += [energy + dissipated - supplied, dissipated]
    lost, dissipated = changes[2] - changes[0], changes[3] - changes[1]
    return float(np.median(np.abs(lost) / np.abs(dissipated)))


CONTACT: dict[str, Callable[[Row], Result]] = {"landing": landing, "landing alone": landing_alone}
