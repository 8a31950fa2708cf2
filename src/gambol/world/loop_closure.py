"""Closure of open loops in an initial state, with a warning.

Steps keep closed loops closed. The first step would also close open ones, but the energy of that motion would be
missing from the ledger.
"""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import Kinematics, kinematics, kinetic_energy, potential_energy
from gambol.dynamics.loops import assembled, projected_velocity, rows
from gambol.errors import FigureError
from gambol.figure import Figure
from gambol.lanes import Precision, unflatten
from gambol.world.events.convergence import name_lanes
from gambol.world.state import State
from gambol.world.world import World

Array = NDArray[Any]

OPEN_LOOP_TOLERANCE: dict[Precision, float] = {"float64": 1e-6, "float32": 1e-4}
"""Error of a loop constraint [m or rad], or rate of the error [m/s or rad/s], above which a loop counts as open. It is
a hundred times the error after a step, and a hundred times the rounding of a file with eight digits."""


class OpenLoopWarning(UserWarning):
    """An initial state had open loops, or velocities that open them; they were closed before the run."""


def close_loops(world: World, state: State, numbers: Array) -> None:
    """Close open loops of a state in place, in all its worlds, with an OpenLoopWarning.

    world: world of the state. numbers: inputs of the worlds, (rows, 1) or (rows, W). Raises FigureError for loops that
    cannot be closed.
    """
    if not world.figure.constraints:
        return
    gaps, speeds = _loop_errors(
        _kinematics(world, list(numbers), list(state.q.T), list(state.v.T)), state.rows.shape[1]
    )
    lanes = np.flatnonzero(
        (gaps > OPEN_LOOP_TOLERANCE[state.precision]) | (speeds > OPEN_LOOP_TOLERANCE[state.precision])
    )
    if not len(lanes):
        return
    energies = np.array([_close_lane(world, state, numbers, int(lane)) for lane in lanes])
    worst = int(np.argmax(abs(energies[:, 1] - energies[:, 0])))
    warnings.warn(
        f"{name_lanes(lanes)} started with open loops: their constraints were violated by up to "
        f"{gaps[lanes].max():.3g} m or rad and {speeds[lanes].max():.3g} m/s or rad/s. They were closed first, "
        f"which changed the kinetic and potential energy by up to {energies[worst, 1] - energies[worst, 0]:.3g} J. "
        "Start at coordinates from assembled(), with velocities that satisfy the constraints",
        OpenLoopWarning,
        stacklevel=3,
    )


def _figure_of(world: World, numbers: Sequence[Any]) -> tuple[Figure, Any]:
    """Return the figure and the gravity of a world with some inputs; numbers: rows of the inputs."""
    inputs: dict[str, Any] = unflatten(world.numbers(), iter(list(numbers)))
    return world.with_parameters(inputs["parameters"]).figure, inputs["gravity"]


def _kinematics(world: World, numbers: Sequence[Any], q: Sequence[Any], v: Sequence[Any]) -> Kinematics:
    """Return the kinematics of the figure at coordinates q (nq) and velocities v (nv), of floats or arrays (W,)."""
    return kinematics(_figure_of(world, numbers)[0], list(q), list(v))


def _loop_errors(state: Kinematics, worlds: int) -> tuple[Array, Array]:
    """Return the largest error of all loop constraints, and the largest rate of an error, (W,) each."""
    constraint_rows = rows(state)
    errors = [
        [np.broadcast_to(abs(np.asarray(x, float)), worlds) for x in (row.gap, row.speed)] for row in constraint_rows
    ]
    return np.max([gap for gap, _ in errors], axis=0), np.max([speed for _, speed in errors], axis=0)


def _close_lane(world: World, state: State, numbers: Array, lane: int) -> tuple[float, float]:
    """Close the loops of one world in place; return its energy before and after [J]."""
    inputs = numbers[:, lane if numbers.shape[1] > 1 else 0].astype(float).tolist()
    figure, gravity = _figure_of(world, inputs)
    q, v = (x[lane].astype(float).tolist() for x in (state.q, state.v))
    prescribed = [figure.root.name] if figure.prescribed else []
    before = kinematics(figure, q, v)
    try:
        assembled_state = kinematics(figure, assembled(figure, q, prescribed), v)
    except FigureError as error:
        raise FigureError(f"the initial state of lane {lane}: {error}") from error
    after = kinematics(
        figure,
        assembled_state.q,
        projected_velocity(assembled_state, locked=[figure.link(name).index for name in prescribed]),
    )
    state.q[lane], state.v[lane] = after.q, after.v
    energy_before, energy_after = (float(kinetic_energy(x) + potential_energy(x, gravity)) for x in (before, after))
    return energy_before, energy_after
