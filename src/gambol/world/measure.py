"""Measures of a walk: how fast, how straight, in what gait, and at what cost.

They are taken over whole strides, from one lift of the left hind leg to a later one, so that what swings with the
stride cancels. A leg's phase is when it lifts within the hind leg's stride, as in the table of Wilson's rules; phases
are averaged on the circle. [McKenna 1990, section 2.2]
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

import numpy as np
from numpy.typing import NDArray

from gambol.control import GaitController, Leg
from gambol.dynamics import kinematics
from gambol.errors import GambolError
from gambol.spatial import Vector
from gambol.world.film import Film
from gambol.world.run import INTERRUPTED
from gambol.world.state import resting
from gambol.world.step import RUNNING
from gambol.world.world import World

Array = NDArray[np.float64]
NAN = math.nan
FULL_TURN = 2.0 * math.pi
SAMPLES = 64  # of a stride's sway: tells swings of up to 32 per stride apart, more than frames could show


@dataclass(frozen=True)
class Strides:
    """The strides of one world: edges: the frames at which its left hind leg lifts; the last one ends the last stride.

    lifts: frames at which each leg lifts in that time; phases: of these lifts, as shares of the stride they fall in.
    """

    edges: NDArray[np.intp]
    lifts: tuple[NDArray[np.intp], ...]
    phases: tuple[Array, ...]

    @property
    def count(self) -> int:
        """How many whole strides there are."""
        return max(0, len(self.edges) - 1)


@dataclass(frozen=True)
class Walk:
    """The measures of one world's walk; what could not be measured, for want of a whole stride, is NaN.

    Speed and drift are along and away from the initial heading, drift to the left counting as positive. duty_factor and
    phase: by leg. sway_mm: from side to side, mean of the strides; sway_per_stride: swings to and fro per stride,
    of the strongest. Energies are of the whole film [J], losses positive; unaccounted_energy_fraction is of the motors'
    work. realtime_factor: simulated over wall time, for all lanes together.
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
    unaccounted_energy_fraction: float
    steps_taken: int
    steps_rejected: int
    realtime_factor: float


def measure(film: Film, world: World, *, settled: float | None = None) -> tuple[Walk, ...]:
    """The measures of each world of a film that was run in a world.

    settled: when the gait counts as steady [s]; None: one cycle after the controller begins. A world that stopped is
    measured up to then. Raises GambolError for a film of another world, or without a controller's signals.
    """
    controller = _controller_of(film, world)
    cycle = controller.cycle * controller.metabolism * controller.speed
    since = settled if settled is not None else controller.begins + cycle
    length = body_length(world)
    return tuple(_walk(_lane(film, w), controller, since, length) for w in range(film.worlds))


def strides(film: Film, world: World, lane: int = 0, *, settled: float = 0.0) -> Strides:
    """The strides of one world of a film, from the left hind leg's first lift after it settled [s]."""
    controller = _controller_of(film, world)
    one = _lane(film, lane)
    return _strides(one.time, one.signals["stepping"][:, 0], hind(controller.legs), settled)


def body_length(world: World) -> float:
    """Length of the trunk along x with all joints at 0 [m]: of all links but the legs'."""
    figure = world.figure
    limbs = {name for leg in (world.gait.legs if world.gait else ()) for name in leg.links}
    state = kinematics(figure, resting(world).q, [0.0] * figure.nv)
    spans = [
        (state.point_position(link.index, Vector(*p.position)).x, p.radius)
        for link in figure.links
        if link.name not in limbs
        for p in link.contact_points()
    ]
    return max(x + r for x, r in spans) - min(x - r for x, r in spans)


def hind(legs: Sequence[Leg]) -> int:
    """The left hind leg, or the hindmost one where no left one is left."""
    return max(range(len(legs)), key=lambda i: (legs[i].side == "left", legs[i].rank))


def mean_phase(phases: Array) -> float:
    """Mean of phases on the circle, from 0 up to 1; NaN of none."""
    if not len(phases):
        return NAN
    mean = float(np.angle(np.exp(1j * FULL_TURN * phases).mean())) / FULL_TURN
    return round(mean, 12) % 1.0


def sway(time: Array, centre: Array, edges: NDArray[np.intp]) -> tuple[float, float]:
    """Mean excursion from side to side in a stride [m], and how many times it goes to and fro in one.

    The side is told from the straight line between where the centre is at a stride's start and at its end.
    """
    excursions: list[float] = []
    power = np.zeros(SAMPLES // 2)
    for a, b in pairwise(edges):
        along = centre[b, :2] - centre[a, :2]
        share = (time[a : b + 1] - time[a]) / (time[b] - time[a])
        off = centre[a : b + 1, :2] - centre[a, :2] - share[:, None] * along
        distance = float(np.hypot(*along)) or 1.0
        aside = (along[0] * off[:, 1] - along[1] * off[:, 0]) / distance
        excursions.append(float(np.ptp(aside)))
        even = cast("Array", np.interp(np.arange(SAMPLES) / SAMPLES, share, aside))
        power += np.abs(np.fft.rfft(even)[1:]) ** 2
    if not excursions:
        return NAN, NAN
    return float(np.mean(excursions)), float(1 + np.argmax(power)) if power.any() else NAN


def _controller_of(film: Film, world: World) -> GaitController:
    controller = world.gait
    if controller is None or "stepping" not in film.signals:
        raise GambolError(f'film "{film.name}" is of no walk: a controller must step, and be filmed by run()')
    if film.leg_names != tuple(leg.name for leg in controller.legs):
        raise GambolError(f'film "{film.name}" is of a figure with the legs {film.leg_names}, not of this world\'s')
    return controller


def _lane(film: Film, lane: int) -> Film:
    """One world of a film, up to where it stopped."""
    one = film.of_worlds([lane])
    status = one.signals["status"][:, 0]
    stopped = np.flatnonzero((status != RUNNING) & (status != INTERRUPTED))
    return one.between(-math.inf, float(one.time[stopped[0]])) if len(stopped) else one


def _strides(time: Array, stepping: Array, reference: int, settled: float) -> Strides:
    lifts = [1 + np.flatnonzero((leg[1:] > 0.5) & (leg[:-1] < 0.5)) for leg in stepping.T]
    edges = lifts[reference][time[lifts[reference]] >= settled]
    if len(edges) < 2:
        none = tuple(np.empty(0, np.intp) for _ in lifts)
        return Strides(edges, none, tuple(np.empty(0) for _ in lifts))
    within = tuple(leg[(leg >= edges[0]) & (leg < edges[-1])] for leg in lifts)
    phases: list[Array] = []
    for leg in within:
        stride = np.searchsorted(edges, leg, side="right") - 1
        start, end = time[edges[stride]], time[edges[stride + 1]]
        phases.append((time[leg] - start) / (end - start))
    return Strides(edges, within, tuple(phases))


def _walk(film: Film, controller: GaitController, settled: float, length: float) -> Walk:
    """The measures of a film of one world."""
    signals = {name: values[:, 0] for name, values in film.signals.items()}
    found = _strides(film.time, signals["stepping"], hind(controller.legs), settled)
    speed, drift, stride = _progress(film, found)
    duty = _duty(signals["stepping"], found)
    aside, swings = sway(film.time, signals["centre"], found.edges)
    walking = film.time >= controller.begins
    gained = {name: float(values[-1] - values[0]) for name, values in signals.items() if np.ndim(values) == 1}
    work, wall = gained["motors"], gained["wall"]
    return Walk(
        speed_cm_per_s=100.0 * speed,
        body_lengths_per_s=speed / length,
        strides=found.count,
        stride_s=stride,
        duty_factor=dict(zip(film.leg_names, duty, strict=True)),
        phase=dict(zip(film.leg_names, map(mean_phase, found.phases), strict=True)),
        mean_feet=sum(duty),
        heading_drift_deg_per_s=math.degrees(drift),
        sway_mm=1e3 * aside,
        sway_per_stride=swings,
        belly_clearance_mm=1e3 * float(signals["clearance"][walking].min()) if walking.any() else NAN,
        motor_work_j=work,
        outside_work_j=gained["outside"],
        damping_loss_j=gained["damping"],
        impact_loss_j=gained["impact"],
        sliding_loss_j=gained["sliding"],
        unaccounted_energy_fraction=abs(gained["unaccounted"] / work) if work else NAN,
        steps_taken=round(gained["taken"]),
        steps_rejected=round(gained["rejected"]),
        realtime_factor=film.duration / wall if wall > 0.0 else NAN,
    )


def _progress(film: Film, found: Strides) -> tuple[float, float, float]:
    """Speed along the initial heading [m/s], turning rate [rad/s] and time of a stride [s], over whole strides."""
    if not found.count:
        return NAN, NAN, NAN
    a, b = found.edges[0], found.edges[-1]
    took = float(film.time[b] - film.time[a])
    ahead = headings(film.quaternion[:, 0, 0])
    way = film.signals["centre"][b, 0] - film.signals["centre"][a, 0]
    forward = float(way[0] * math.cos(ahead[0]) + way[1] * math.sin(ahead[0]))
    return forward / took, float(ahead[b] - ahead[a]) / took, took / found.count


def _duty(stepping: Array, found: Strides) -> list[float]:
    """The share of whole strides that each leg stands."""
    if not found.count:
        return [NAN] * stepping.shape[1]
    return [float(1.0 - share) for share in stepping[found.edges[0] : found.edges[-1]].mean(axis=0)]


def headings(quaternions: Array) -> Array:
    """Angle of x over the horizontal plane [rad], left of the world's x, without jumps; quaternions (F, 4)."""
    w, x, y, z = quaternions.T
    return np.unwrap(np.arctan2(2.0 * (x * y + w * z), 1.0 - 2.0 * (y * y + z * z)))
