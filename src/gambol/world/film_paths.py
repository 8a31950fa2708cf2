"""Paths of actuators, such as muscles: their numbers in a snapshot of a world, and the muscles of a film."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.actuation import DrawnPath
from gambol.dynamics import Kinematics
from gambol.figure import JOINTS
from gambol.lanes import Scalar, clamp, maximum, where
from gambol.world.actuator_forces import driven_actuators, initial_inputs
from gambol.world.context import StepContext, StepState
from gambol.world.film import FilmMuscle
from gambol.world.world import World

Array = NDArray[np.float64]

SPECIFIC_TENSION = 3e5
"""Force of a muscle divided by its cross-section [Pa], which relates the strength of a muscle to its width in films.

Vertebrate muscle pulls with 0.2 to 0.35 MPa."""
MIN_WIDTH, MAX_WIDTH = 0.006, 0.06
"""Limits of the width of a muscle in films, as fractions of the figure's size."""

SCALARS = 3
"""Number of scalars before the points of a path: activation, force divided by strength, strength [N]."""


@dataclass(frozen=True, slots=True)
class FilmPath:
    """A path of an actuator in films.

    name: its name. lines: number of points of each of its lines. links: indices of the links of the actuator's joints.
    """

    name: str
    lines: tuple[int, ...]
    links: tuple[int, ...]

    @property
    def count(self) -> int:
        """Number of entries of the path in a snapshot."""
        return SCALARS + 3 * sum(self.lines)


def film_paths(world: World) -> tuple[FilmPath, ...]:
    """Return the paths of the actuators of a world that have some, in the order of the actuators."""
    paths: list[FilmPath] = []
    q = [x for link in world.figure.links for x in JOINTS[link.joint.kind].rest]
    for name, actuator, at in initial_inputs(world, q, [0.0] * world.figure.nv):
        for drawn in actuator.drawn_paths(actuator.numbers(), at):
            lines, links = tuple(len(line) for line in drawn.lines), tuple(link.index for link in at.links)
            paths.append(FilmPath(f"{name} {drawn.name}".rstrip(), lines, links))
    return tuple(paths)


def path_numbers(context: StepContext, state: Kinematics, step_state: StepState) -> list[Scalar]:
    """Return the numbers of all paths at a moment, one path after the other: scalars, then points of its lines."""
    numbers: list[Scalar] = []
    moment = step_state.clock.moment(context.world.timing.control_step)
    for driven in driven_actuators(context, state, step_state.q, step_state.memory, moment):
        for drawn in driven.actuator.drawn_paths(driven.numbers, driven.input):
            numbers += numbers_of_path(drawn)
    return numbers


def numbers_of_path(drawn: DrawnPath) -> list[Scalar]:
    """Return the numbers of one path: activation, force divided by strength, strength, and points of its lines."""
    relative_force = where(drawn.strength > 0.0, drawn.force / maximum(drawn.strength, 1e-12), 0.0)
    scalars = [clamp(drawn.activation, 0.0, 1.0), clamp(relative_force, 0.0, 1.0), drawn.strength]
    return [*scalars, *(x for line in drawn.lines for point in line for x in point)]


def film_muscles(world: World, values: NDArray[Any]) -> tuple[FilmMuscle, ...]:
    """Return the muscles of a film. values (F, W, numbers): values of path_numbers(), in each frame.

    In frames of worlds that became non-finite, the muscle has its first position.
    """
    muscles: list[FilmMuscle] = []
    first = 0
    for path in film_paths(world):
        part = values[..., first : first + path.count]
        first += path.count
        for w in range(values.shape[1]):
            muscles += _muscles(path, np.asarray(part[:, w], float), w, world.size)
    return tuple(muscles)


def _muscles(path: FilmPath, values: Array, world: int, size: float) -> Sequence[FilmMuscle]:
    """Return the lines of a path in one world. values (F, numbers); size: size of the figure [m]."""
    if not len(values) or not np.isfinite(values[0]).all():
        return ()
    finite = np.asarray(np.isfinite(values).all(axis=1))
    shown = np.where(finite[:, None], values, values[:1])
    activation, force, strength = shown[:, 0], shown[:, 1], float(shown[0, 2])
    thickness = 2.0 * np.sqrt(strength / SPECIFIC_TENSION / np.pi)
    width = float(np.clip(thickness, MIN_WIDTH * size, MAX_WIDTH * size))
    lines: list[FilmMuscle] = []
    first = SCALARS
    for points in path.lines:
        line = shown[:, first : first + 3 * points].reshape(len(shown), points, 3).astype(np.float32)
        first += 3 * points
        scalars = (activation.astype(np.float32), force.astype(np.float32))
        lines.append(FilmMuscle(path.name, line, *scalars, width, world))
    return lines
