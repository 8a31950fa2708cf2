"""Measures of any creature's walk: speed, strides, falls and costs, from a film and a CreatureEntry.

A limb stands while the ground pushes one of its links. Contacts and flights that are shorter than MIN_DURATION
sqrt(height / g) do not count. Strides begin with the touchdowns of one limb; measures are averages over whole strides
of the last three quarters of the film, before a fall.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gambol.creatures.entry import CreatureEntry
from gambol.gait.stances import MIN_DURATION, beginnings, mean_phase, stance_of, strides_between
from gambol.spatial import Vector
from gambol.spatial.rotation import Quaternion
from gambol.world import Film, World
from gambol.world.events.ledger import unaccounted_fraction
from gambol.world.run import INTERRUPTED
from gambol.world.step import RUNNING

Array = NDArray[np.float64]
NAN = math.nan
SETTLING = 0.25
"""Fraction of a film that is not measured, since the creature may still be settling into its gait."""


@dataclass(frozen=True)
class CreatureMeasures:
    """Measures of one world's walk; measures of strides are NaN without two strides.

    speed_m_per_s: horizontal distance from start to end, divided by the time. fell: True if the trunk's centre of mass
    came below the fall height; fell_at_s: time of the fall; last_limb: the limb that stood last before the fall.
    stride_s, stride_m: time and length of a stride. duty_factor: fraction of the stride in which a limb stands; phase:
    phase of its touchdown in the stride; by limb. flight: fraction of time in which no limb stands. cost_of_transport:
    positive work of the actuators / (weight x distance); energy that joints return does not count. froude_number: v^2 /
    (g height). Energies are those of the whole film [J], losses positive. unaccounted_energy_fraction: see
    unaccounted_fraction(). realtime_factor: simulated time / wall time, for all worlds together.
    """

    speed_m_per_s: float
    fell: bool
    fell_at_s: float
    last_limb: str
    duration_s: float
    strides: int
    stride_s: float
    stride_m: float
    duty_factor: dict[str, float]
    phase: dict[str, float]
    flight: float
    froude_number: float
    cost_of_transport: float
    motor_work_j: float
    outside_work_j: float
    damping_loss_j: float
    impact_loss_j: float
    sliding_loss_j: float
    numerical_damping_j: float
    unaccounted_energy_fraction: float
    realtime_factor: float


def measure_creature(film: Film, world: World, entry: CreatureEntry) -> tuple[CreatureMeasures, ...]:
    """Return the measures of each world of a film. world: world of the film; entry: the creature's entry."""
    return tuple(_measures(film.of_worlds([lane]), world, entry) for lane in range(film.worlds))


def with_limbs(film: Film, world: World, entry: CreatureEntry) -> Film:
    """Return the film with the creature's limbs, and a signal "stepping" (F, W, limbs): 1 while a limb is in the air.

    Pictures then show the stepping pattern. A film that has limbs, and a film of a creature without limbs, is returned
    unchanged.
    """
    if film.limb_names or not entry.limbs:
        return film
    stances = [_stances(film.of_worlds([lane]), world, entry) for lane in range(film.worlds)]
    stepping = 1.0 - np.stack([np.stack(list(limbs.values()), axis=-1) for limbs in stances], axis=1).astype(float)
    return replace(film, limb_names=tuple(entry.limbs), signals=film.signals | {"stepping": stepping})


def trunk_height(film: Film, world: World, entry: CreatureEntry) -> Array:
    """Return the height of the trunk's centre of mass above the ground (F, W) [m]."""
    link = world.figure.link(entry.trunk)
    components = (film.quaternion[:, :, link.index - 1, k] for k in range(4))
    offset = Quaternion(*components).rotation() @ Vector(*link.mass_properties.com)
    px, py, pz = (film.position[:, :, link.index - 1, k] + np.asarray(part) for k, part in enumerate(offset))
    ground = world.ground
    return pz - np.asarray(ground.surface(ground.numbers(), ground.table(), px, py).height)


def _measures(film: Film, world: World, entry: CreatureEntry) -> CreatureMeasures:
    """Return the measures of a film of one world."""
    stances = _stances(film, world, entry)
    end, fell = _end(film, world, entry)
    edges = _edges(film.time[:end], stances, world, entry)
    a, b = (edges[0], edges[-1]) if len(edges) > 1 else (0, end - 1)
    walk = strides_between(edges, [beginnings(stance) for stance in stances.values()], film.time)
    strides, time = walk.count, float(film.time[b] - film.time[a])
    distance, speed = _progress(film, a, b)
    standing = {limb: stance[a:b] for limb, stance in stances.items()}
    supported = np.logical_or.reduce([np.zeros(b - a, bool), *standing.values()])
    gains = {name: float(x[-1, 0] - x[0, 0]) for name, x in film.signals.items() if np.ndim(x) == 2}
    work = gains["motors"]
    g = _gravity(world)
    weight = g * sum(float(link.mass_properties.mass) for link in world.figure.links)
    travelled = _progress(film, 0, end - 1)[0]
    return CreatureMeasures(
        speed_m_per_s=speed,
        fell=fell,
        fell_at_s=float(film.time[end - 1]) if fell else NAN,
        last_limb=_last_limb(stances, end) if fell else "",
        duration_s=film.duration,
        strides=strides,
        stride_s=time / strides if strides else NAN,
        stride_m=distance / strides if strides else NAN,
        duty_factor={limb: float(on.mean()) if strides else NAN for limb, on in standing.items()},
        phase=dict(zip(stances, map(mean_phase, walk.phases), strict=True)),
        flight=1.0 - float(supported.mean()) if strides and standing else NAN,
        froude_number=speed * speed / (g * entry.height) if g > 0.0 else NAN,
        cost_of_transport=_positive_work(film) / (weight * travelled) if weight * travelled > 0.0 else NAN,
        motor_work_j=work,
        outside_work_j=gains["outside"],
        damping_loss_j=gains["damping"],
        impact_loss_j=gains["impact"],
        sliding_loss_j=gains["sliding"],
        numerical_damping_j=gains.get("numerical_damping", 0.0),  # old films do not have it
        unaccounted_energy_fraction=float(unaccounted_fraction(film.signals)[0]),
        realtime_factor=film.duration / gains["wall"] if gains["wall"] > 0.0 else NAN,
    )


def _gravity(world: World) -> float:
    g = world.gravity
    return abs(g) if isinstance(g, (int, float)) else math.hypot(*g)


def _positive_work(film: Film) -> float:
    """Return the positive work of motors and actuators, without energy that joints return [J]."""
    return float(np.trapezoid(film.signals["positive_power"][:, 0], film.time))


def _progress(film: Film, a: int, b: int) -> tuple[float, float]:
    """Return the horizontal distance between two frames [m], and the mean speed between them [m/s]."""
    distance = float(np.hypot(*(film.signals["centre"][b, 0, :2] - film.signals["centre"][a, 0, :2])))
    time = float(film.time[b] - film.time[a])
    return distance, distance / time if time > 0.0 else NAN


def _end(film: Film, world: World, entry: CreatureEntry) -> tuple[int, bool]:
    """Return the number of frames up to a fall, or a stop by numerical failure; and True if there is one."""
    status = film.signals["status"][:, 0]
    low = ~(trunk_height(film, world, entry)[:, 0] >= entry.fall_height)
    ended = np.flatnonzero(low | ((status != RUNNING) & (status != INTERRUPTED)))
    return (int(ended[0]) + 1, True) if len(ended) else (len(film.time), False)


def _stances(film: Film, world: World, entry: CreatureEntry) -> dict[str, NDArray[np.bool_]]:
    """Return a mask (F,) for each limb, True in frames in which it stands, of a film of one world."""
    g = _gravity(world)
    brief = MIN_DURATION * math.sqrt(entry.height / g) if g > 0.0 else 0.0
    stances: dict[str, NDArray[np.bool_]] = {}
    for limb, links in entry.limbs.items():
        push = sum(film.signals["push"][:, 0, world.surface.feet.index(link)] for link in links)
        stances[limb] = stance_of(np.asarray(push), film.time, brief)
    return stances


def _edges(time: Array, stances: dict[str, NDArray[np.bool_]], world: World, entry: CreatureEntry) -> NDArray[np.intp]:
    """Return the frames at which strides begin, after the time of settling."""
    if not len(time):
        return np.empty(0, np.intp)
    settled = time[0] + SETTLING * (time[-1] - time[0])
    if entry.stride_limb:
        edges = beginnings(stances[entry.stride_limb][: len(time)])
        return edges[time[edges] >= settled]
    starts = np.arange(settled, time[-1] + 1e-9, entry.period(world))
    return np.searchsorted(time, starts - 1e-9)


def _last_limb(stances: dict[str, NDArray[np.bool_]], end: int) -> str:
    """Return the limb that stood last before a frame; empty if none did."""
    last = {limb: int(np.flatnonzero(stance[:end])[-1]) for limb, stance in stances.items() if stance[:end].any()}
    return max(last, key=lambda limb: last[limb]) if last else ""
