"""Ground forces of a walk by pair of legs, the fluctuation of their sum, and the economy of the walk.

Forces are those of the ground on the creature, divided by its weight. Axes follow the heading of the root: forward, to
the left and up. The medial force of a leg is positive toward the midline: it is positive for a left leg that is pushed
to the right. A leg stands while the ground pushes it up with more than MIN_STANCE_FORCE of the weight.

In running cockroaches the front legs brake, the hind legs drive, the middle legs first brake and then drive, and the
forces on all legs point toward the midline [Full, Blickhan and Ting 1991; Chen et al. 2006, figure 1B]. The lateral
force fluctuates less than half as much as the vertical one [Full and Tu 1990].
"""

import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gambol.creatures.gait_metrics import headings, strides
from gambol.errors import WorldError
from gambol.gait import GaitController, Leg
from gambol.world import Film, World

Array = NDArray[np.float64]
NAN = math.nan

MIN_STANCE_FORCE = 0.01
"""Vertical force above which a leg stands, as a fraction of the weight: 3 % of the load of a leg of a tripod."""

PAIR_NAMES = ("front", "middle", "back")


@dataclass(frozen=True)
class LegPairForces:
    """Forces on one leg of a pair, mean of left and right; NaN for a pair that never stands.

    All forces are divided by the weight. stance: fraction of the stride in which the leg stands. fore_aft, medial,
    vertical: means in the stance; fore_aft is negative in braking. early_fore_aft, late_fore_aft: means in the halves
    of the stance before and after the middle of its vertical impulse. most_aft, most_fore, most_lateral, most_medial,
    most_vertical: largest force in each direction, averaged over the strides. braking, driving, medial and vertical
    impulses: in one stride [N s]; braking is negative.
    """

    stance: float
    fore_aft: float
    medial: float
    vertical: float
    early_fore_aft: float
    late_fore_aft: float
    most_aft: float
    most_fore: float
    most_lateral: float
    most_medial: float
    most_vertical: float
    braking_impulse_n_s: float
    driving_impulse_n_s: float
    medial_impulse_n_s: float
    vertical_impulse_n_s: float


@dataclass(frozen=True)
class GroundForces:
    """Ground forces and economy of one world's walk, over whole strides; NaN if there is no whole stride.

    pairs: forces by name of the pair, such as "front". mean_fore_aft, mean_lateral, mean_vertical: mean of the sum of
    all ground forces: 0, 0 and 1 in a steady walk on level ground. trunk_vertical: mean vertical force on links that
    belong to no leg. fore_aft, lateral, vertical fluctuation: peak-to-peak range of the sum in a stride, averaged over
    the strides. These forces are divided by the weight. lateral_over_vertical: ratio of these fluctuations;
    lateral_over_vertical_rms: ratio of the standard deviations. motor_cost: (work of the motors - energy that joints
    return) / (weight x distance); positive_motor_cost: the same of their positive work only, as for muscles, which
    cannot store returned energy. damping_fraction, sliding_fraction: losses divided by the work of the motors.
    external_work_j_per_kg_m: work that lifts and accelerates the centre of mass, per mass and distance.
    elastic_fraction: energy that springs and the ground store and return in the strides, divided by the work of the
    motors.
    """

    pairs: dict[str, LegPairForces]
    mean_fore_aft: float
    mean_lateral: float
    mean_vertical: float
    trunk_vertical: float
    fore_aft_fluctuation: float
    lateral_fluctuation: float
    vertical_fluctuation: float
    lateral_over_vertical: float
    lateral_over_vertical_rms: float
    motor_cost: float
    positive_motor_cost: float
    damping_fraction: float
    sliding_fraction: float
    external_work_j_per_kg_m: float
    elastic_fraction: float


def measure_ground_forces(film: Film, world: World, *, settled: float | None = None) -> tuple[GroundForces, ...]:
    """Return the ground forces of each world of a film by run(..., contacts=True).

    film: film of a run; world: world of the run, with a gait and gravity. settled: time from which strides count [s];
    None: one cycle after the gait begins. Raises WorldError for a film without contacts, and for a world without a gait
    or without gravity.
    """
    gait = world.gait
    if not isinstance(gait, GaitController) or not gait.legs:
        raise WorldError(f'the world of film "{film.name}" has no gait with legs, so its ground forces have no strides')
    if not has_contacts(film):
        raise WorldError(f'film "{film.name}" has no contacts; record it by run(..., contacts=True)')
    if not _weight(world) > 0.0:
        raise WorldError("ground forces are divided by the weight; this world has no gravity")
    start = gait.begins + gait.cycle * gait.metabolism * gait.speed if settled is None else settled
    return tuple(_ground_forces(film.of_worlds([lane]), world, gait, start) for lane in range(film.worlds))


def has_contacts(film: Film) -> bool:
    """Return True for a film by run(..., contacts=True)."""
    return "contact_links" in film.signals


def without_contacts(film: Film) -> Film:
    """Return the film without its contacts."""
    return replace(film, signals={k: x for k, x in film.signals.items() if not k.startswith("contact_")})


def leg_forces(film: Film, legs: tuple[Leg, ...], lane: int = 0) -> Array:
    """Return the ground's force on each leg, and on all other links together, (legs + 1, F, 3) [N].

    film: a film with contacts. The components are forward, to the left and up, by the heading of the root in each
    frame.
    """
    links, force = film.signals["contact_links"][:, lane], np.nan_to_num(film.signals["contact_force"][:, lane])
    on_ground = (links[..., 1] < 0.0) & (links[..., 0] >= 0.0)
    of_legs = [np.isin(links[..., 0], [film.link_names.index(name) for name in leg.links]) for leg in legs]
    others = ~np.logical_or.reduce(of_legs)
    sums = np.array([np.sum(force * (own & on_ground)[..., None], axis=1) for own in (*of_legs, others)])
    heading = headings(film.quaternion[:, lane, 0])
    c, s = np.cos(heading), np.sin(heading)
    return np.stack([c * sums[..., 0] + s * sums[..., 1], c * sums[..., 1] - s * sums[..., 0], sums[..., 2]], axis=-1)


def _weight(world: World) -> float:
    g = world.gravity
    return world.figure.mass * (abs(g) if isinstance(g, (int, float)) else math.hypot(*g))


def _ground_forces(film: Film, world: World, gait: GaitController, settled: float) -> GroundForces:
    """Return the ground forces of a film of one world."""
    edges = strides(film, world, settled=settled).edges
    weight = _weight(world)
    forces = leg_forces(film, gait.legs) / weight
    ranks = sorted({leg.rank for leg in gait.legs})
    names = PAIR_NAMES if gait.ranks == len(PAIR_NAMES) else tuple(f"pair {rank + 1}" for rank in range(gait.ranks))
    pairs = {names[rank]: _pair(forces, film.time, edges, gait.legs, rank, weight) for rank in ranks}
    if len(edges) < 2:
        return GroundForces(pairs, *[NAN] * 15)
    a, b = int(edges[0]), int(edges[-1])
    total = forces.sum(axis=0)
    mean, spread = total[a:b].mean(axis=0), total[a:b].std(axis=0)
    ranges = [np.ptp(total[i:j], axis=0) for i, j in pairwise(edges)]
    fluctuation = np.mean(ranges, axis=0)
    gains = {name: film.signals[name][b, 0] - film.signals[name][a, 0] for name in ("motors", "damping", "sliding")}
    distance = float(np.hypot(*(film.signals["centre"][b, 0, :2] - film.signals["centre"][a, 0, :2])))
    mass, work = world.figure.mass, float(gains["motors"])
    return GroundForces(
        pairs,
        *(float(x) for x in mean),
        trunk_vertical=float(forces[-1, a:b, 2].mean()),
        fore_aft_fluctuation=float(fluctuation[0]),
        lateral_fluctuation=float(fluctuation[1]),
        vertical_fluctuation=float(fluctuation[2]),
        lateral_over_vertical=_ratio(fluctuation[1], fluctuation[2]),
        lateral_over_vertical_rms=_ratio(spread[1], spread[2]),
        motor_cost=_ratio(work, weight * distance),
        positive_motor_cost=_ratio(_integral(film, "positive_power", a, b), weight * distance),
        damping_fraction=_ratio(gains["damping"], work),
        sliding_fraction=_ratio(gains["sliding"], work),
        external_work_j_per_kg_m=_ratio(_external_work(film, a, b, weight / mass), distance),
        elastic_fraction=_ratio(_rises(film.signals["stored"][a : b + 1, 0]), work),
    )


def _ratio(x: float, y: float) -> float:
    return float(x / y) if y > 0.0 else NAN


def _integral(film: Film, name: str, a: int, b: int) -> float:
    """Return the integral of a signal over time between two frames, by the trapezoid rule."""
    return float(np.trapezoid(film.signals[name][a : b + 1, 0], film.time[a : b + 1]))


def _rises(energy: Array) -> float:
    """Return the sum of all increases of an energy (F,)."""
    return float(np.maximum(np.diff(energy), 0.0).sum())


def _external_work(film: Film, a: int, b: int, g: float) -> float:
    """Return the sum of all increases of the energy of the centre of mass between two frames, per mass [J/kg].

    g: gravity [m/s2]. Velocities are central differences of the positions in the film.
    """
    centre = film.signals["centre"][:, 0]
    velocity = np.gradient(centre, film.time, axis=0)
    return _rises((0.5 * np.sum(velocity**2, axis=1) + g * centre[:, 2])[a : b + 1])


def _pair(
    forces: Array, time: Array, edges: NDArray[np.intp], legs: tuple[Leg, ...], rank: int, weight: float
) -> LegPairForces:
    """Return the forces of the pair of legs with a rank. forces: forces of all legs / weight."""
    rows = [_leg(_with_medial(forces[i], leg), time, edges, weight) for i, leg in enumerate(legs) if leg.rank == rank]
    return LegPairForces(*(float(x) for x in np.mean(rows, axis=0)))


def _with_medial(force: Array, leg: Leg) -> Array:
    """Return forces (F, 3) of a leg, forward, medial and up."""
    return force * np.array([1.0, -1.0 if leg.side == "left" else 1.0, 1.0])


def _leg(force: Array, time: Array, edges: NDArray[np.intp], weight: float) -> list[float]:
    """Return the numbers of LegPairForces of one leg. force: forward, medial and up, divided by the weight (F, 3)."""
    if len(edges) < 2:
        return [NAN] * 15
    a, b = int(edges[0]), int(edges[-1])
    stands = force[a:b, 2] > MIN_STANCE_FORCE
    if not stands.any():
        return [NAN] * 15
    count, dt = len(edges) - 1, float(time[b] - time[a]) / (b - a)
    in_stance = force[a:b] * stands[:, None]
    mean = in_stance.sum(axis=0) / stands.sum()
    late = _late(force[a:b, 2], edges - a) & stands
    early = stands & ~late
    peaks = np.array([[f.min(axis=0), f.max(axis=0)] for f in (force[i:j] for i, j in pairwise(edges))]).mean(axis=0)
    impulse = weight * dt / count
    halves = [float(force[a:b, 0][half].mean()) if half.any() else NAN for half in (early, late)]
    return [
        float(stands.mean()),
        *mean.tolist(),
        *halves,
        *(float(peaks[k]) for k in ((0, 0), (1, 0), (0, 1), (1, 1), (1, 2))),
        float(np.minimum(force[a:b, 0], 0.0).sum() * impulse),
        float(np.maximum(force[a:b, 0], 0.0).sum() * impulse),
        float(force[a:b, 1].sum() * impulse),
        float(force[a:b, 2].sum() * impulse),
    ]


def _late(vertical: Array, edges: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return True for frames in the half stride after the middle of a leg's vertical impulse.

    vertical: force (F,). edges: edges of the strides, the first is 0. The middle is the circular mean of the phases,
    weighted with the force, over all strides.
    """
    phase: Array = np.concatenate([np.linspace(0.0, 1.0, int(j - i), endpoint=False) for i, j in pairwise(edges)])
    middle = np.angle(np.sum(np.maximum(vertical, 0.0) * np.exp(2j * math.pi * phase))) / (2.0 * math.pi)
    return (phase - middle) % 1.0 < 0.5
