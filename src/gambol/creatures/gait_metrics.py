"""Gait metrics of a walk under a gait controller: speed, straightness, gait and cost.

They are averages over whole strides of the left hind leg, from lift to lift as the controller decides it, so that
motion with the period of the stride cancels. The phase of a leg is the time of its lift within the hind leg's stride,
as in the table of Wilson's rules; the mean of phases is their circular mean. [McKenna 1990, section 2.2]
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import kinematics
from gambol.errors import GambolError
from gambol.gait import GaitController, Leg
from gambol.gait.stances import Strides, beginnings, mean_phase, strides_between
from gambol.spatial import Vector
from gambol.world.events.ledger import unaccounted_fraction
from gambol.world.film import Film
from gambol.world.rest_state import rest_state
from gambol.world.run import INTERRUPTED
from gambol.world.step import RUNNING
from gambol.world.world import World

Array = NDArray[np.float64]
NAN = math.nan
STRIDE_SAMPLES = 64  # samples of the sway in a stride: enough for 32 oscillations per stride


@dataclass(frozen=True)
class Walk:
    """Gait metrics of one world's walk. Metrics of strides are NaN if there is no whole stride.

    Speeds are along the initial heading; the heading drift is positive to the left. duty_factor, phase: by leg.
    mean_feet: mean number of feet in stance. sway_mm: mean peak-to-peak lateral motion in a stride. sway_per_stride:
    oscillations per stride of the strongest component of the sway. Energies are those of the whole film [J], losses
    positive. unaccounted_energy_fraction: as a fraction of the energy turned over, see world/events/ledger.py.
    realtime_factor: simulated time / wall time, for all lanes together.
    """

    speed_cm_per_s: float
    body_lengths_per_s: float
    strides: int
    stride_s: float
    duty_factor: dict[str, float]
    phase: dict[str, float]
    mean_feet: float
    heading_drift_deg_per_s: float
    sway_mm: float
    sway_per_stride: float
    belly_clearance_mm: float
    motor_work_j: float
    outside_work_j: float
    damping_loss_j: float
    impact_loss_j: float
    sliding_loss_j: float
    numerical_damping_j: float
    unaccounted_energy_fraction: float
    steps_taken: int
    steps_rejected: int
    realtime_factor: float


def measure(film: Film, world: World, *, settled: float | None = None) -> tuple[Walk, ...]:
    """Return the gait metrics of each world of a film.

    film: film of a run; world: that of the run. settled: time from which the gait is steady [s]; None: one cycle after
    the controller begins. A world that stopped is measured up to that time. Raises GambolError for a film of another
    world, or without the signals of a controller.
    """
    controller = _controller_of(film, world)
    cycle = controller.cycle * controller.metabolism * controller.speed
    settled_at = settled if settled is not None else controller.begins + cycle
    length = body_length(world)
    return tuple(_walk(_film_of_lane(film, w), controller, settled_at, length) for w in range(film.worlds))


def strides(film: Film, world: World, lane: int = 0, *, settled: float = 0.0) -> Strides:
    """Return the strides of one world of a film: they begin with lifts of the left hind leg; the events are all lifts.

    film, world: see measure(). lane: index of the world. settled: time from which strides count [s].
    """
    controller = _controller_of(film, world)
    film_of_lane = _film_of_lane(film, lane)
    return _strides(film_of_lane.time, film_of_lane.signals["stepping"][:, 0], hind_leg(controller.legs), settled)


def body_length(world: World) -> float:
    """Return the extent along x of the links that belong to no leg, with all joints at 0 [m]."""
    figure = world.figure
    leg_links = {name for leg in (world.gait.legs if world.gait else ()) for name in leg.links}
    state = kinematics(figure, rest_state(world).q, [0.0] * figure.nv)
    spans = [
        (state.point_position(link.index, Vector(*p.position)).x, p.radius)
        for link in figure.links
        if link.name not in leg_links
        for p in link.contact_points()
    ]
    return max(x + r for x, r in spans) - min(x - r for x, r in spans)


def hind_leg(legs: Sequence[Leg]) -> int:
    """Return the index of the left hind leg, or of the hindmost leg if there is no left leg."""
    return max(range(len(legs)), key=lambda i: (legs[i].side == "left", legs[i].rank))


def sway(time: Array, centre: Array, edges: NDArray[np.intp]) -> tuple[float, float]:
    """Return the mean lateral excursion in a stride [m], and the number of its oscillations per stride.

    time (F,) [s]; centre: positions (F, 3) [m]; edges: frames at which strides begin. The excursion is peak to peak,
    from the straight line between the positions at the start and the end of a stride.
    """
    excursions: list[float] = []
    power = np.zeros(STRIDE_SAMPLES // 2)
    for a, b in pairwise(edges):
        path = centre[b, :2] - centre[a, :2]
        fraction = (time[a : b + 1] - time[a]) / (time[b] - time[a])
        deviation = centre[a : b + 1, :2] - centre[a, :2] - fraction[:, None] * path
        distance = float(np.hypot(*path)) or 1.0
        sideways = (path[0] * deviation[:, 1] - path[1] * deviation[:, 0]) / distance
        excursions.append(float(np.ptp(sideways)))
        samples = cast("Array", np.interp(np.arange(STRIDE_SAMPLES) / STRIDE_SAMPLES, fraction, sideways))
        power += np.abs(np.fft.rfft(samples)[1:]) ** 2
    if not excursions:
        return NAN, NAN
    return float(np.mean(excursions)), float(1 + np.argmax(power)) if power.any() else NAN


def _controller_of(film: Film, world: World) -> GaitController:
    controller = world.gait
    if not isinstance(controller, GaitController) or "stepping" not in film.signals:
        raise GambolError(
            f'film "{film.name}" shows no walk: it must be a film by run() of a world with a gait controller'
        )
    if film.limb_names != tuple(leg.name for leg in controller.legs):
        raise GambolError(
            f'film "{film.name}" is of a figure with the legs {film.limb_names}, which are not those of this world'
        )
    return controller


def _film_of_lane(film: Film, lane: int) -> Film:
    """Return the film of one world, up to the time at which it stopped."""
    film_of_lane = film.of_worlds([lane])
    status = film_of_lane.signals["status"][:, 0]
    stopped = np.flatnonzero((status != RUNNING) & (status != INTERRUPTED))
    return film_of_lane.between(-math.inf, float(film_of_lane.time[stopped[0]])) if len(stopped) else film_of_lane


def _strides(time: Array, stepping: Array, reference: int, settled: float) -> Strides:
    lifts = [beginnings(leg > 0.5) for leg in stepping.T]
    return strides_between(lifts[reference][time[lifts[reference]] >= settled], lifts, time)


def _walk(film: Film, controller: GaitController, settled: float, length: float) -> Walk:
    """Return the gait metrics of a film of one world. length: length of its body [m]."""
    signals = {name: values[:, 0] for name, values in film.signals.items()}
    walk_strides = _strides(film.time, signals["stepping"], hind_leg(controller.legs), settled)
    speed, drift, stride = _progress(film, walk_strides)
    duty_factors = _duty_factors(signals["stepping"], walk_strides)
    excursion, oscillations = sway(film.time, signals["centre"], walk_strides.edges)
    walking = film.time >= controller.begins
    gains = {name: float(values[-1] - values[0]) for name, values in signals.items() if np.ndim(values) == 1}
    work, wall = gains["motors"], gains["wall"]
    return Walk(
        speed_cm_per_s=100.0 * speed,
        body_lengths_per_s=speed / length,
        strides=walk_strides.count,
        stride_s=stride,
        duty_factor=dict(zip(film.limb_names, duty_factors, strict=True)),
        phase=dict(zip(film.limb_names, map(mean_phase, walk_strides.phases), strict=True)),
        mean_feet=sum(duty_factors),
        heading_drift_deg_per_s=math.degrees(drift),
        sway_mm=1e3 * excursion,
        sway_per_stride=oscillations,
        belly_clearance_mm=1e3 * float(signals["clearance"][walking].min()) if walking.any() else NAN,
        motor_work_j=work,
        outside_work_j=gains["outside"],
        damping_loss_j=gains["damping"],
        impact_loss_j=gains["impact"],
        sliding_loss_j=gains["sliding"],
        numerical_damping_j=gains.get("numerical_damping", 0.0),  # old films do not have it
        unaccounted_energy_fraction=float(unaccounted_fraction(film.signals)[0]),
        steps_taken=round(gains["taken"]),
        steps_rejected=round(gains["rejected"]),
        realtime_factor=film.duration / wall if wall > 0.0 else NAN,
    )


def _progress(film: Film, walk_strides: Strides) -> tuple[float, float, float]:
    """Return speed along the initial heading [m/s], turning rate [rad/s] and stride time [s], over whole strides."""
    if not walk_strides.count:
        return NAN, NAN, NAN
    a, b = walk_strides.edges[0], walk_strides.edges[-1]
    duration = float(film.time[b] - film.time[a])
    heading = headings(film.quaternion[:, 0, 0])
    displacement = film.signals["centre"][b, 0] - film.signals["centre"][a, 0]
    forward = float(displacement[0] * math.cos(heading[0]) + displacement[1] * math.sin(heading[0]))
    return forward / duration, float(heading[b] - heading[a]) / duration, duration / walk_strides.count


def _duty_factors(stepping: Array, walk_strides: Strides) -> list[float]:
    """Return each leg's fraction of time in stance, over whole strides."""
    if not walk_strides.count:
        return [NAN] * stepping.shape[1]
    return [float(1.0 - fraction) for fraction in stepping[walk_strides.edges[0] : walk_strides.edges[-1]].mean(axis=0)]


def headings(quaternions: Array) -> Array:
    """Return the headings [rad]: angles from the world's x axis to the body's, to the left, without jumps.

    quaternions: quaternions of the root (F, 4).
    """
    w, x, y, z = quaternions.T
    return np.unwrap(np.arctan2(2.0 * (x * y + w * z), 1.0 - 2.0 * (y * y + z * z)))
