"""Initial states of worlds: at rest or as given, on the ground, with random disturbances."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics.loops import assembled
from gambol.dynamics.tangent import check_orientations
from gambol.errors import WorldError, did_you_mean
from gambol.figure import JOINTS, PlacedLink
from gambol.lanes import Precision, leaves
from gambol.world.actuator_forces import initial_inputs
from gambol.world.checks import check_worlds
from gambol.world.observe import depth_of
from gambol.world.rest_state import rest_state
from gambol.world.state import State
from gambol.world.timing import MIN_TOLERANCE
from gambol.world.world import World

Array = NDArray[Any]
Values: TypeAlias = Sequence[float] | Array
Positions: TypeAlias = Values | Mapping[str, Values]

DROP = 0.001
"""Default height of the lowest point above the ground [m]."""


def start(
    world: World,
    worlds: int = 1,
    *,
    q: Values | None = None,
    v: Values | None = None,
    position: Positions | None = None,
    angles: Mapping[str, float] | None = None,
    on_ground: Values | None = None,
    drop: float | None = None,
    jitter: float = 0.0,
    seed: int = 0,
    precision: Precision = "float64",
) -> State:
    """Return the state of some worlds at time 0.

    worlds: number of worlds. q, v: positions (nq,) or (W, nq) and velocities (nv,) or (W, nv); None: q and v of
    World.initial, else every joint at rest. position: position of a free root [m], (3,) or (W, 3); or positions of
    several free links by name, each in the frame of its free joint. angles: angles of joints, by link name [rad or m].
    on_ground: x and y of the free root in the world [m], (2,) or (W, 2); its height is then such that the lowest point
    of the figure is `drop` above the ground. drop: this height [m], 0.001 if None; without on_ground, the root keeps
    its x and y. jitter: standard deviation of a normally distributed disturbance of every joint with one coordinate
    [rad or m]; loops that the disturbance opens are closed again here if World.initial has a q. seed: seed of the
    disturbance. precision: "float64" or "float32". Raises WorldError or FigureError for invalid arguments.
    """
    if precision not in MIN_TOLERANCE:
        raise WorldError(f'precision "{precision}" is unknown; {did_you_mean(precision, MIN_TOLERANCE)}')
    if worlds < 1 or not 0.0 <= jitter < np.inf:
        raise WorldError(
            f"there cannot be {worlds} worlds with a jitter of {jitter}; give at least one world and a jitter >= 0"
        )
    figure, column = world.figure, np.array(leaves(rest_state(world)), precision)
    check_worlds(worlds, column.nbytes)
    rows = np.repeat(column[:, None], worlds, axis=1)
    _set_rows(rows[: figure.nq], world.initial.q if q is None else q, "q")
    _set_rows(rows[figure.nq : figure.nq + figure.nv], world.initial.v if v is None else v, "v")
    for name, angle in (angles or {}).items():
        rows[_coordinate_index(figure.link(name))] = angle
    for link, position_of_link in _positions_by_link(world, position, worlds):
        rows[link.q.start + 4 : link.q.stop] = position_of_link.T.reshape(3, -1)
    if on_ground is not None or drop is not None:
        _place_on_ground(world, rows, on_ground, DROP if drop is None else drop)
    if not np.isfinite(rows[: figure.nq + figure.nv]).all():
        raise WorldError(f"the initial state is not finite: position {position} m, angles {angles}, q {q}, v {v}")
    check_orientations(figure, rows[: figure.nq])
    if jitter:
        _disturb(world, rows, jitter, seed)
    return _with_numbered_sensors(_with_initial_actuators(State(world, rows)))


def _with_numbered_sensors(state: State) -> State:
    """Return the state with the index of each world, on which the noise of its sensors depends."""
    if (sensors := state.step_state.memory.sensors) is not None:
        cast("Array", sensors.world)[:] = np.arange(state.rows.shape[1])
    return state


def _with_initial_actuators(state: State) -> State:
    """Return the state with its actuators in their initial states at its positions and velocities."""
    inputs = initial_inputs(state.world, list(state.q.T.astype(float)), list(state.v.T.astype(float)))
    for name, actuator, at in inputs:
        if problem := actuator.start_problem(actuator.numbers(), at):
            raise WorldError(f'the actuator "{name}" {problem}')
        for entry, value in at.state.items():
            state.step_state.memory.actuators[name][entry][:] = value
    return state


def _set_rows(rows: Array, values: Values, name: str) -> None:
    """Set rows (n, W) to values (n,) or (W, n); no effect without values. name: for the message."""
    array = np.asarray(values, float)
    if not array.size:
        return
    if array.shape not in (rows.shape[:1], rows.shape[::-1]):
        n, worlds = rows.shape
        raise WorldError(f"{name} has shape ({n},), or ({worlds}, {n}) for {worlds} worlds, not {array.shape}")
    rows[:] = array.T.reshape(len(rows), -1)


def _positions_by_link(world: World, positions: Positions | None, worlds: int) -> Iterator[tuple[PlacedLink, Array]]:
    """Yield free links with their initial positions, (3,) or (worlds, 3) [m]."""
    if positions is None:
        return
    named = positions if isinstance(positions, Mapping) else {world.figure.root.name: positions}
    for name, position in named.items():
        link, p = world.figure.link(name), np.asarray(position, float)
        if link.joint.kind != "free":
            if isinstance(positions, Mapping):
                raise WorldError(f'link "{name}" has a "{link.joint.kind}" joint; only free joints take a position')
            if p.any():
                raise WorldError(f'the root "{name}" has a "{link.joint.kind}" joint; only a free root has a position')
            continue
        if p.shape not in ((3,), (worlds, 3)):
            raise WorldError(f"a position has shape (3,), or ({worlds}, 3) for {worlds} worlds, not {p.shape}")
        yield link, p


def _coordinate_index(link: PlacedLink) -> int:
    """Return the index in q of the coordinate of a joint with one coordinate. Raises WorldError for other joints."""
    if JOINTS[link.joint.kind].nq != 1:
        raise WorldError(f'link "{link.name}" has a "{link.joint.kind}" joint, which has no single angle')
    return link.q.start


def _place_on_ground(world: World, rows: Array, xy: Values | None, drop: float) -> None:
    """Move the free root of each world, in place, so that the figure's lowest point is `drop` above the ground [m].

    xy: world coordinates of the root (2,) or (W, 2) [m]; None: unchanged.
    """
    root, worlds = world.figure.root, rows.shape[1]
    if root.joint.kind != "free" or not world.has_ground:
        raise WorldError(f'"{world.figure.name}" needs a free root and a ground, to be placed on it')
    in_joint = rows[root.q.start + 4 : root.q.stop]
    R, origin = np.array(root.joint.rotation, float), np.array(root.joint.position, float)
    position = (R @ in_joint).T + origin
    if xy is not None:
        xy_array = np.asarray(xy, float)
        if xy_array.shape not in ((2,), (worlds, 2)):
            raise WorldError(f"on_ground has shape (2,), or ({worlds}, 2) for {worlds} worlds, not {xy_array.shape}")
        position[:, :2] = xy_array
    position[:, 2] = 0.0
    in_joint[:] = R.T @ (position - origin).T
    distinct, index = np.unique(rows[: world.figure.nq], axis=1, return_inverse=True)
    heights = np.array([depth_of(world, column.tolist()) + drop for column in distinct.T])
    position[:, 2] = heights[index.reshape(-1)]
    in_joint[:] = R.T @ (position - origin).T


def _disturb(world: World, rows: Array, jitter: float, seed: int) -> None:
    """Add normally distributed disturbances to the joints with one coordinate, in place; then close loops.

    Loops are closed only if World.initial has a q.
    """
    random = np.random.default_rng(seed)
    for link in world.figure.links:
        if JOINTS[link.joint.kind].nq == 1:
            rows[link.q.start] += jitter * random.standard_normal(rows.shape[1])
    if world.initial.q and world.figure.constraints:
        locked = [world.figure.root.name] if world.figure.prescribed else []
        for q in rows[: world.figure.nq].T:
            q[:] = assembled(world.figure, q.tolist(), locked=locked)
