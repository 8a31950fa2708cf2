"""The steady part of a walk: whole strides of a film, in axes along the path, with stances and loads of the feet."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import STANDARD_GRAVITY
from gambol.errors import GambolError
from gambol.gait.stances import BRIEF, beginnings, stance_of
from gambol.spatial.rotation import Quaternion
from gambol.world import Film

Array = NDArray[np.float64]

SETTLING = 0.25
"""Fraction of a film that is not measured, since the creature may still be settling into its gait."""

MIN_STRIDES = 2
"""Least number of whole strides from which a gait is measured."""

NEEDED = ("centre", "feet", "push", "potential", "positive_power")
"""Signals that a film needs."""

ONE_PLACE = 0.1
"""Two feet are a pair if their mean positions along the path differ by less than this, over the height [1]."""


@dataclass(frozen=True)
class SteadyGait:
    """Whole strides of one world. F frames, feet of n links; axes are along the path, to the left, and up.

    time (F,) [s]. centre (F, 3): centre of mass [m]. trunk (F, 3, 3): rotation of the root link. links: rotations (F,
    3, 3) of all links by name. feet: names of the links. places (F, n, 3): lowest point of each foot [m]. stance (F,
    n). load (F, n): normal force of the ground [N]. slide (n,): distance by which each foot slid while it stood [m].
    power (F,): positive power of all motors [W]. force (F, n, 3): force of the ground on each foot [N], None for a film
    without contacts. edges: frames at which strides begin, and the frame at which the last stride ends; the first is 0.
    pairs: indices of the feet of each pair from the front to the back, left before right. weight [N], height: height of
    the trunk above the standing feet [m].
    """

    time: Array
    centre: Array
    trunk: Array
    links: dict[str, Array]
    feet: tuple[str, ...]
    places: Array
    stance: NDArray[np.bool_]
    load: Array
    slide: Array
    power: Array
    force: Array | None
    edges: NDArray[np.intp]
    pairs: tuple[tuple[int, ...], ...]
    weight: float
    height: float

    @property
    def mass(self) -> float:
        """The mass, under standard gravity [kg]."""
        return self.weight / STANDARD_GRAVITY

    @property
    def duration(self) -> float:
        """The time of all strides [s]."""
        return float(self.time[-1] - self.time[0])

    @property
    def strides(self) -> int:
        """The number of whole strides."""
        return len(self.edges) - 1

    @property
    def frequency(self) -> float:
        """The frequency of strides [Hz]."""
        return self.strides / self.duration

    @property
    def distance(self) -> float:
        """The distance covered [m]."""
        return float(self.centre[-1, 0] - self.centre[0, 0])

    @property
    def speed(self) -> float:
        """The mean speed [m/s]."""
        return self.distance / self.duration

    def phases(self, foot: int) -> Array:
        """Return the landings of a foot, as fractions of the stride (landings,)."""
        landings = beginnings(self.stance[:, foot])
        stride = np.clip(np.searchsorted(self.edges, landings, side="right") - 1, 0, self.strides - 1)
        start, end = self.time[self.edges[stride]], self.time[self.edges[stride + 1]]
        return (self.time[landings] - start) / (end - start)


def steady_gait(film: Film, world: int = 0) -> SteadyGait:
    """Return the whole strides of a world of a film after its first quarter.

    Strides begin with the landings of the foot that lands most regularly, mostly the hindmost left foot. film: film of
    a walk over level ground, with feet that film.axes names. Raises GambolError for a film without the signals of a
    walk, under a gravity that is not vertical, and for fewer than two whole strides.
    """
    if missing := [name for name in NEEDED if name not in film.signals]:
        raise GambolError(f'film "{film.name}" has no signal "{missing[0]}", so its gait cannot be measured')
    if not (feet := film.axes.get("feet", ())):
        raise GambolError(f'film "{film.name}" has no feet, so it has no strides')
    one = film.of_worlds([world]).between(film.time[0] + SETTLING * film.duration, float(film.time[-1]))
    places, push = one.signals["feet"][:, 0], one.signals["push"][:, 0]
    weight = _weight(film.name, one.signals["potential"][:, 0], one.signals["centre"][:, 0, 2])
    standing = push.sum(axis=1) > 0.0
    if not standing.any():
        raise GambolError(f'film "{film.name}" shows no foot that bears weight, so it has no strides')
    ground = float((places[..., 2] * push).sum() / push.sum())
    height = float(one.position[:, 0, _root(one), 2].mean()) - ground
    brief = BRIEF * (max(height, 0.0) / STANDARD_GRAVITY) ** 0.5
    stance = np.stack([stance_of(push[:, k], one.time, brief) for k in range(len(feet))], axis=1)
    axes = _axes_of_way(one.signals["centre"][:, 0])
    mean_places = ((places - one.signals["centre"]) @ axes.T).mean(axis=0)
    edges = _edges(one, stance, mean_places)
    return _strides(one, axes, stance, edges, _pairs(mean_places, height), weight, height)


def _root(film: Film) -> int:
    return film.parents.index(-1) if -1 in film.parents else 0


def _weight(name: str, potential: Array, z: Array) -> float:
    """Return the weight [N] from the potential energy and the height of the centre of mass (F,)."""
    weight = float(potential @ z / (z @ z))
    if not weight > 0.0 or float(np.abs(potential - weight * z).max()) > 1e-3 * float(np.abs(potential).max()):
        raise GambolError(f'the gravity of film "{name}" is not vertical, so its gait is not compared with animals')
    return weight


def _axes_of_way(centre: Array) -> Array:
    """Return axes along the direction from start to end, to the left, and up, as rows (3, 3). centre (F, 3) [m]."""
    x, y = centre[-1, :2] - centre[0, :2]
    length = float(np.hypot(x, y)) or 1.0
    c, s = x / length, y / length
    return np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])


def _edges(one: Film, stance: NDArray[np.bool_], mean_places: Array) -> NDArray[np.intp]:
    """Return the landings of the foot that lands most regularly.

    Of several equally regular feet it is the hindmost left one.

    one: film of one world. mean_places (n, 3): mean positions of the feet from the centre of mass, along the axes of
    the path [m].
    """
    landings = [beginnings(stance[:, k]) for k in range(len(mean_places))]
    most = max(map(len, landings))
    if most <= MIN_STRIDES:
        raise GambolError(
            f'film "{one.name}" has {max(0, most - 1)} whole strides after its first quarter; a gait is measured of '
            f"{MIN_STRIDES} or more: film it for longer"
        )

    def irregularity(k: int) -> tuple[float, bool, float]:
        periods = np.diff(one.time[landings[k]])
        return round(float(periods.std() / periods.mean()), 2), mean_places[k, 1] < 0.0, float(mean_places[k, 0])

    return landings[min((k for k in range(len(landings)) if len(landings[k]) > MIN_STRIDES), key=irregularity)]


def _strides(
    film: Film,
    axes: Array,
    stance: NDArray[np.bool_],
    edges: NDArray[np.intp],
    pairs: tuple[tuple[int, ...], ...],
    weight: float,
    height: float,
) -> SteadyGait:
    """Return the strides between the first and the last edge."""
    part, feet = slice(int(edges[0]), int(edges[-1]) + 1), film.axes["feet"]
    rotations = {name: axes @ _matrices(film.quaternion[part, 0, k]) for k, name in enumerate(film.link_names)}
    places = film.signals["feet"][part, 0]
    return SteadyGait(
        time=film.time[part],
        centre=film.signals["centre"][part, 0] @ axes.T,
        trunk=rotations[film.link_names[_root(film)]],
        links=rotations,
        feet=feet,
        places=places @ axes.T,
        stance=stance[part],
        load=film.signals["push"][part, 0],
        slide=_slides(film, feet, places, stance[part], part),
        power=film.signals["positive_power"][part, 0],
        force=_forces(film, feet, axes, part),
        edges=edges - edges[0],
        pairs=pairs,
        weight=weight,
        height=height,
    )


def _matrices(quaternions: Array) -> Array:
    """Return the rotation matrices (F, 3, 3) of quaternions (F, 4)."""
    rows = Quaternion(*quaternions.T).rotation().rows
    return np.moveaxis(np.array([[np.broadcast_to(x, len(quaternions)) for x in row] for row in rows]), -1, 0)


def _slides(film: Film, feet: tuple[str, ...], places: Array, stance: NDArray[np.bool_], part: slice) -> Array:
    """Return the distance that the material of each foot slid over the ground while it stood (n,) [m].

    Between two frames it is the motion of the material point that was the lowest, so rolling does not count as sliding.
    """
    slides: list[float] = []
    for k, foot in enumerate(feet):
        link = film.link_names.index(foot)
        R, x = _matrices(film.quaternion[part, 0, link]), film.position[part, 0, link]
        local = np.einsum("fji,fj->fi", R, places[:, k] - x)
        moved = x[1:] + np.einsum("fij,fj->fi", R[1:], local[:-1]) - places[:-1, k]
        stands = stance[1:, k] & stance[:-1, k]
        slides.append(float(np.hypot(moved[:, 0], moved[:, 1])[stands].sum()))
    return np.array(slides)


def _forces(film: Film, feet: tuple[str, ...], axes: Array, part: slice) -> Array | None:
    """Return the force of the ground on each foot along the axes (F, n, 3) [N], None for a film without contacts."""
    if "contact_links" not in film.signals:
        return None
    links = film.signals["contact_links"][part, 0]
    force = np.nan_to_num(film.signals["contact_force"][part, 0])
    own = [(links[..., 0] == film.link_names.index(foot)) & (links[..., 1] < 0.0) for foot in feet]
    return np.stack([(force * each[..., None]).sum(axis=1) @ axes.T for each in own], axis=1)


def _pairs(mean_places: Array, height: float) -> tuple[tuple[int, ...], ...]:
    """Return the indices of the feet of each pair from the front to the back, left before right.

    mean_places (n, 3): mean positions of the feet from the centre of mass, along the axes [m].
    """
    order = sorted(range(len(mean_places)), key=lambda k: -float(mean_places[k, 0]))
    pairs: list[list[int]] = []
    for k in order:
        near = pairs and mean_places[pairs[-1][0], 0] - mean_places[k, 0] < ONE_PLACE * height
        if near and len(pairs[-1]) < 2 and mean_places[pairs[-1][0], 1] * mean_places[k, 1] < 0.0:
            pairs[-1].append(k)
        else:
            pairs.append([k])
    return tuple(tuple(sorted(pair, key=lambda k: -float(mean_places[k, 1]))) for pair in pairs)
