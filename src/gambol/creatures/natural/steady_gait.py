"""The steady part of a filmed walk: whole strides after its first quarter."""

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.gait.natural import SteadyGait, WalkMotion, whole_strides
from gambol.spatial.rotation import Quaternion
from gambol.world import Film

Array = NDArray[np.float64]

SETTLING = 0.25
"""Fraction of a film that is not measured, since the creature may still be settling into its gait."""

REACH = 0.01
"""A slow foot stands up to this height above the ground, as a fraction of the height of the trunk.

Observers find stances from the speed and the way of a foot, since they hardly see whether it bears weight: within 26 ms
of those of force plates, for 95 % of a horse's footfalls [Starke and Clayton 2015]. Pads and toes of animals are
soft, those of creatures are not, so that they leave the ground for moments. The feet of the reference dog stood up to
0.16 of the height of its hips.
"""

NEEDED = ("centre", "feet", "push", "potential", "positive_power")
"""Signals that a film needs."""


def steady_gait(film: Film, world: int = 0) -> SteadyGait:
    """Return the whole strides of a world of a film after its first quarter, see whole_strides().

    film: film of a walk over level ground, with feet that film.axes names. Those that the ground never pushes are no
    feet here: films of animals also name the ends of heads and tails, which may touch the ground. Raises GambolError
    for a film without the signals of a walk, under a gravity that is not vertical, and for fewer than two whole
    strides.
    """
    if missing := [name for name in NEEDED if name not in film.signals]:
        raise GambolError(f'film "{film.name}" has no signal "{missing[0]}", so its gait cannot be measured')
    if not (feet := film.axes.get("feet", ())):
        raise GambolError(f'film "{film.name}" has no feet, so it has no strides')
    measured = film.of_worlds([world]).between(film.time[0] + SETTLING * film.duration, float(film.time[-1]))
    links = {name: _matrices(measured.quaternion[:, 0, k]) for k, name in enumerate(measured.link_names)}
    root = measured.parents.index(-1) if -1 in measured.parents else 0
    signals = {name: measured.signals[name][:, 0] for name in NEEDED}
    pushed = signals["push"].any(axis=0)
    used = np.flatnonzero(pushed | ~pushed.any())  # all, if none is pushed: then the gait has no strides
    feet, positions = tuple(feet[k] for k in used), signals["feet"][:, used]
    motion = WalkMotion(
        name=film.name,
        time=measured.time,
        root=measured.position[:, 0, root],
        centre=signals["centre"],
        trunk=links[measured.link_names[root]],
        links=links,
        feet=feet,
        foot_positions=positions,
        load=signals["push"][:, used],
        weight=_weight(film.name, signals["potential"], signals["centre"][:, 2]),
        reach=REACH,
        slid=_slid(measured, feet, links, positions),
        power=signals["positive_power"],
        force=_forces(measured, feet),
    )
    return whole_strides(motion)


def _weight(name: str, potential: Array, z: Array) -> float:
    """Return the weight [N] from the potential energy and the height of the centre of mass (F,)."""
    weight = float(potential @ z / (z @ z))
    if not weight > 0.0 or float(np.abs(potential - weight * z).max()) > 1e-3 * float(np.abs(potential).max()):
        raise GambolError(f'the gravity of film "{name}" is not vertical, so its gait is not compared with animals')
    return weight


def _matrices(quaternions: Array) -> Array:
    """Return the rotation matrices (F, 3, 3) of quaternions (F, 4)."""
    rows = Quaternion(*quaternions.T).rotation().rows
    return np.moveaxis(np.array([[np.broadcast_to(x, len(quaternions)) for x in row] for row in rows]), -1, 0)


def _slid(film: Film, feet: tuple[str, ...], links: dict[str, Array], foot_positions: Array) -> Array:
    """Return the distance that the material of each foot moved along the ground between frames (F - 1, n) [m].

    It is the motion of the material point that was the lowest, so rolling does not count as sliding.
    """
    slid: list[Array] = []
    for k, foot in enumerate(feet):
        R, x = links[foot], film.position[:, 0, film.link_names.index(foot)]
        local = np.einsum("fji,fj->fi", R, foot_positions[:, k] - x)
        moved = x[1:] + np.einsum("fij,fj->fi", R[1:], local[:-1]) - foot_positions[:-1, k]
        slid.append(np.hypot(moved[:, 0], moved[:, 1]))
    return np.stack(slid, axis=1)


def _forces(film: Film, feet: tuple[str, ...]) -> Array | None:
    """Return the force of the ground on each foot (F, n, 3) [N], None for a film without contacts."""
    if "contact_links" not in film.signals:
        return None
    links = film.signals["contact_links"][:, 0]
    force = np.nan_to_num(film.signals["contact_force"][:, 0])
    own = [(links[..., 0] == film.link_names.index(foot)) & (links[..., 1] < 0.0) for foot in feet]
    return np.stack([(force * each[..., None]).sum(axis=1) for each in own], axis=1)
