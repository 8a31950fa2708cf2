"""The hand of a live view: it pulls a point of a link by a spring to the pointer, see gambol.view.live.hand."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError, did_you_mean
from gambol.spatial.conversions import matrix_from_quaternion

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
    """The hand of one visitor.

    spring: spring and links that can be grabbed, see hand_of(). dt: length of a control step [s]. positions,
    quaternions: their first rows in a snapshot of the world.
    """

    def __init__(self, spring: Mapping[str, Any], dt: float, positions: int, quaternions: int) -> None:
        self.spring, self._dt = spring, dt
        self._positions, self._quaternions = positions, quaternions
        self.grabbed: Grab | None = None

    def link_of(self, name: str, action: str) -> int:
        """Return the index of a link that can be grabbed. Raises GambolError for others; action: for its message."""
        links = {link["name"]: int(link["link"]) for link in self.spring["links"]}
        if name not in links:
            raise GambolError(f'"{name}" is no link that can be {action}; {did_you_mean(name, links)}')
        return links[name]

    def grab(self, name: str, point: Sequence[float], target: Sequence[float]) -> None:
        """Pull a point of a link, in its frame [m], to a target in world axes [m].

        Raises GambolError for an unknown link, and for points that are not three finite numbers.
        """
        self.grabbed = Grab(name, self.link_of(name, "grabbed"), vector_of(point), vector_of(target))

    def aim(self, target: Sequence[float]) -> None:
        """Move the target of the grabbed point [m], if there is one. Raises GambolError as grab() does."""
        goal = vector_of(target)
        if self.grabbed is not None:
            self.grabbed.target = goal

    def release(self) -> None:
        """Let go."""
        self.grabbed = None

    def wrench(self, snapshot: Array, responses: Callable[[Array], Array]) -> Array:
        """Return the wrench of the next control step: an implicit step of the spring, limited.

        snapshot: of the state, (rows, 1). responses(wrench): accelerations of all links by a wrench on the grabbed one.
        """
        grab, spring, dt = self.grabbed, self.spring, self._dt
        assert grab is not None
        stiffness, damping = spring["stiffness"], spring["damping"]
        position, arm = self.place(snapshot, grab.link, grab.point)
        point = position + arm
        v: Array = np.zeros(3) if grab.last_position is None else (point - grab.last_position) / dt
        grab.last_position = point
        load: Array = stiffness * (grab.target - point - dt * v) - damping * v
        gain = dt * damping + dt * dt * stiffness
        inertia: Array = np.eye(3) + gain * _mobility(grab.link, arm, responses)
        force = np.asarray(np.linalg.solve(inertia, load), np.float64)
        force = force * min(1.0, spring["maxForce"] / max(float(np.linalg.norm(force)), np.finfo(float).tiny))
        grab.wrench = np.concatenate([np.cross(arm, force), force])
        return grab.wrench

    def place(self, snapshot: Array, link: int, point: Array) -> tuple[Array, Array]:
        """Return the position of a link's origin, and the arm from it to one of its points, in world axes [m]."""
        first = self._quaternions + 4 * link
        rotation = matrix_from_quaternion(snapshot[first : first + 4, 0])
        return snapshot[self._positions + 3 * link :][:3, 0], rotation @ point


def _mobility(link: int, arm: Array, responses: Callable[[Array], Array]) -> Array:
    """Return the matrix from a force on the end of an arm of a link to its acceleration [1/kg]."""
    columns = list[Array]()
    for force in np.eye(3):
        out = responses(np.concatenate([np.cross(arm, force), force]))
        turning, origin = out[6 * link : 6 * link + 6].reshape(2, 3)
        columns.append(origin + np.cross(turning, arm))
    return np.array(columns).T


def hand_data(grab: Grab | None) -> dict[str, Any] | None:
    """Return a grabbed point as data of the page; None for none."""
    if grab is None:
        return None
    arrays = {"point": grab.point, "target": grab.target, "wrench": grab.wrench}
    return {"link": grab.link, **{name: array.tolist() for name, array in arrays.items()}}


def vector_of(x: Sequence[float]) -> Array:
    """Return three numbers as an array. Raises GambolError for others, and for numbers that are not finite."""
    vector = np.asarray(x, float)
    if vector.shape != (3,) or not np.isfinite(vector).all():
        raise GambolError(f"{list(x)} must be three finite numbers")
    return vector
