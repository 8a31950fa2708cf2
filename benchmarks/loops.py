"""Rows of coupled four-bar windows: compile time and speed by the number of loops."""

import numpy as np

from benchmarks.rows import Result, Row
from benchmarks.timing import median_and_spread, time_interleaved
from validation.linkages import windows, windows_state
from validation.movement import Run, energy, simulation_program

H = 1e-3
STEPS = 200
CHECKED_STEPS = 1000  # until a first singular position is passed
MAX_DRIFT = 1e-6  # 100 times that of RK4 without singular positions


def windows_row(row: Row) -> Result:
    """Check the energy of a swing through a singular position, then time steps of RK4 with projection."""
    figure = windows(int(row.model.split()[0]))
    program = simulation_program(figure, Run(H))
    q, v = windows_state(figure, 0.0, 1.0)
    start = [np.repeat(x[:, None], row.worlds, axis=1) for x in (q, v)]
    end = program(*start, np.full((1, 1), float(CHECKED_STEPS)))
    before, after = energy(figure, q, v), energy(figure, end[0][:, 0], end[1][:, 0])
    drift = abs(after - before) / abs(before)
    assert drift < MAX_DRIFT, f"the energy changed by {drift:.1g} of itself"
    (times,) = time_interleaved(lambda: program(*start, np.full((1, 1), float(STEPS))))
    seconds, spread = median_and_spread(times)
    return Result(
        figure.nv,
        f"energy to {drift:.0e} through a singular position",
        H,
        ns_per_step=1e9 * seconds / (STEPS * row.worlds),
        spread=spread,
        compile_s=program.compile_seconds,
        energy_drift=drift,
        more={"operations": float(program.operations)},
    )


LOOPS = {"loops": windows_row}
