"""The hand of a live view: it pulls a point of a link by a spring to the pointer, see gambol.view.live.hand.

Its program has an external wrench on each link that can move, and is compiled when the hand first grabs. It advances
the world only while the hand holds a link, so a world that nobody pulls has the bits of its own program.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError, did_you_mean
from gambol.lanes import Program
from gambol.spatial.conversions import matrix_from_quaternion
from gambol.view.live.hand import hand_of, with_wrenches
from gambol.view.live.numbers import number_names
from gambol.view.scene.framing import frame_film
from gambol.view.still import posture_film
from gambol.world import Engine, State
from gambol.world.capacity import GrowingCapacity
from gambol.world.observe import observe_wrench_accelerations, snapshot_rows
from gambol.world.own_control import Advancer

Array = NDArray[Any]


@dataclass
class Grab:
    """A grabbed point. name: of its link; link: index; point: in the link's frame [m]; target: in world axes [m].

    last_position: of the point at the last control step [m], None at first. wrench: moment about the link's origin and
    force of the last control step [N m, N].
    """

    name: str
    link: int
    point: Array
    target: Array
    last_position: Array | None = None
    wrench: Array = field(default_factory=lambda: np.zeros(6))


class Hand:
    """An advancer of a world, which takes the steps in which the hand holds a link; `inner` takes all others.

    engine, numbers: engine of the world itself and its inputs (rows, 1), which may change. inner: advances it.
    """

    def __init__(self, engine: Engine, numbers: Array, inner: Advancer) -> None:
        self._own, self._numbers, self._inner = engine, numbers, inner
        self.grabbed: Grab | None = None

    @cached_property
    def spring(self) -> dict[str, Any]:
        """The spring and the links that can be grabbed, see hand_of()."""
        figure = self._own.world.figure
        return hand_of(self._own.world, frame_film(posture_film(figure)).size)

    @cached_property
    def _engine(self) -> Engine:
        return Engine(with_wrenches(self._own.world), self._own.precision, self._own.lanes)

    @cached_property
    def _accelerations(self) -> Program:
        return self._engine.observer("wrench accelerations", observe_wrench_accelerations)

    @cached_property
    def _pulled(self) -> tuple[list[str], Array, GrowingCapacity]:
        """The names of the inputs of the hand's program, their values, and what advances the world by it."""
        numbers = self._engine.numbers()
        return list(number_names(self._engine.numbers_template)), numbers, GrowingCapacity(self._engine, numbers)

    @cached_property
    def _rows(self) -> list[tuple[int, int]]:
        """Rows of the inputs that both programs have: of the hand's, and of the world's own."""
        own = {name: row for row, name in enumerate(number_names(self._own.numbers_template))}
        return [(row, own[name]) for row, name in enumerate(self._pulled[0]) if name in own]

    def prepare(self) -> None:
        """Compile the programs of the hand."""
        _ = self._engine.advance_program, self._accelerations

    def grab(self, name: str, point: Sequence[float], target: Sequence[float]) -> None:
        """Pull a point of a link, in its frame [m], to a target in world axes [m].

        Raises GambolError for an unknown link, and for points that are not three finite numbers.
        """
        links = {link["name"]: int(link["link"]) for link in self.spring["links"]}
        if name not in links:
            raise GambolError(f'"{name}" is no link that can be grabbed; {did_you_mean(name, links)}')
        self.grabbed = Grab(name, links[name], _vector(point), _vector(target))

    def aim(self, target: Sequence[float]) -> None:
        """Move the target of the grabbed point [m], if there is one. Raises GambolError as grab() does."""
        goal = _vector(target)
        if self.grabbed is not None:
            self.grabbed.target = goal

    def release(self) -> None:
        """Let go."""
        self.grabbed = None

    def advance(self, state: State, until: int) -> None:
        """Advance a state in place to control step `until`."""
        if self.grabbed is None:
            return self._inner.advance(state, until)
        names, numbers, advancer = self._pulled
        for row, own in self._rows:
            numbers[row] = self._numbers[own]
        first = names.index(f"wrenches.{self.grabbed.name}[0]")
        before = numbers[first : first + 6].copy()
        self.grabbed.wrench = self._wrench(self.grabbed, state, first)
        numbers[first : first + 6, 0] = before[:, 0] + self.grabbed.wrench
        advancer.advance(state, until)
        numbers[first : first + 6] = before
        return None

    def _wrench(self, grab: Grab, state: State, first: int) -> Array:
        """Return the wrench of the next control step: an implicit step of the spring, limited. first: its first row."""
        spring, dt = self.spring, self._own.world.timing.control_step
        stiffness, damping = spring["stiffness"], spring["damping"]
        position, arm = self._position(grab, state)
        point = position + arm
        v: Array = np.zeros(3) if grab.last_position is None else (point - grab.last_position) / dt
        grab.last_position = point
        load: Array = stiffness * (grab.target - point - dt * v) - damping * v
        gain = dt * damping + dt * dt * stiffness
        inertia: Array = np.eye(3) + gain * self._mobility(grab, state, arm, first)
        force = np.asarray(np.linalg.solve(inertia, load), np.float64)
        force = force * min(1.0, spring["maxForce"] / max(float(np.linalg.norm(force)), np.finfo(float).tiny))
        return np.concatenate([np.cross(arm, force), force])

    def _position(self, grab: Grab, state: State) -> tuple[Array, Array]:
        """Return the position of the grabbed link's origin, and the arm from it to the point, in world axes [m]."""
        snapshot = self._own.observe_program(state.rows, self._numbers, tables=self._own.tables)[0][:, 0]
        rows = snapshot_rows(self._own.world)
        positions, quaternions = snapshot[rows["positions"]], snapshot[rows["quaternions"]]
        rotation = matrix_from_quaternion(quaternions[4 * grab.link : 4 * grab.link + 4])
        return positions[3 * grab.link : 3 * grab.link + 3], rotation @ grab.point

    def _mobility(self, grab: Grab, state: State, arm: Array, first: int) -> Array:
        """Return the matrix from a force on the grabbed point to its acceleration [1/kg]."""
        numbers, columns = np.zeros_like(self._pulled[1]), list[Array]()
        for force in np.eye(3):
            numbers[first : first + 6, 0] = [*np.cross(arm, force), *force]
            (out,) = self._accelerations(state.rows, numbers, tables=self._own.tables)
            turning, origin = out[6 * grab.link : 6 * grab.link + 6, 0].reshape(2, 3)
            columns.append(origin + np.cross(turning, arm))
        return np.array(columns).T


def hand_data(grab: Grab | None) -> dict[str, Any] | None:
    """Return a grabbed point as data of the page; None for none."""
    if grab is None:
        return None
    arrays = {"point": grab.point, "target": grab.target, "wrench": grab.wrench}
    return {"link": grab.link, **{name: array.tolist() for name, array in arrays.items()}}


def _vector(x: Sequence[float]) -> Array:
    """Return three numbers as an array. Raises GambolError for others, and for numbers that are not finite."""
    vector = np.asarray(x, float)
    if vector.shape != (3,) or not np.isfinite(vector).all():
        raise GambolError(f"{list(x)} must be three finite numbers")
    return vector
