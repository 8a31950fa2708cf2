"""Gait metrics of a walk: speed, straightness, gait and cost.

They are taken over whole strides, from one lift of the left hind leg to a later one, so that motion with the period of
the stride cancels. A leg's phase is the time of its lift within the hind leg's stride, as in the table of Wilson's
rules; phases are averaged on the circle. [McKenna 1990, section 2.2]
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
from gambol.world.state import rest_state
from gambol.world.step import RUNNING
from gambol.world.world import World

Array = NDArray[np.float64]
NAN = math.nan
FULL_TURN = 2.0 * math.pi
SAMPLES = 64  # of a stride's sway: resolves up to 32 oscillations per stride, more than frames could show


@dataclass(frozen=True)
class Strides:
    """The strides of one world. edges: frames at which its left hind leg lifts; the last one ends the last stride.

    lifts: frames at which each leg lifts in that time; phases: of these lifts, as fractions of their strides.
    """

    edges: NDArray[np.intp]
    lifts: tuple[NDArray[np.intp], ...]
    phases: tuple[Array, ...]

    @property
    def count(self) -> int:
        """Number of whole strides."""
        return max(0, len(self.edges) - 1)


@dataclass(frozen=True)
class Walk:
    """Gait metrics of one world's walk; those that need a whole stride are NaN without one.

    Speed and drift are along and away from the initial heading, drift to the left counting as positive. duty_factor and
    phase: by leg. sway_mm: from side to side, mean of the strides; sway_per_stride: oscillations per stride of the
    strongest component. Energies are of the whole film [J], losses positive; unaccounted_energy_fraction is of the
    motors' work. realtime_factor: simulated over wall time, for all lanes together.
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
    """Return gait metrics of each world of a film that was run in a world.

    settled: when the gait counts as steady [s]; None: one cycle after the controller begins. A world that stopped is
    measured up to then. Raises GambolError for a film of another world, or without a controller's signals.
    """
    controller = _controller_of(film, world)
    cycle = controller.cycle * controller.metabolism * controller.speed
    settled_at = settled if settled is not None else controller.begins + cycle
    length = body_length(world)
    return tuple(_walk(_lane(film, w), controller, settled_at, length) for w in range(film.worlds))


def strides(film: Film, world: World, lane: int = 0, *, settled: float = 0.0) -> Strides:
    """Return the strides of one world (lane) of a film, from the left hind leg's first lift after `settled` [s]."""
    controller = _controller_of(film, world)
    film_of_lane = _lane(film, lane)
    return _strides(film_of_lane.time, film_of_lane.signals["stepping"][:, 0], hind_leg(controller.legs), settled)


def body_length(world: World) -> float:
    """Return the length along x of all links but the legs', with all joints at 0 [m]."""
    figure = world.figure
    limbs = {name for leg in (world.gait.legs if world.gait else ()) for name in leg.links}
    state = kinematics(figure, rest_state(world).q, [0.0] * figure.nv)
    spans = [
        (state.point_position(link.index, Vector(*p.position)).x, p.radius)
        for link in figure.links
        if link.name not in limbs
        for p in link.contact_points()
    ]
    return max(x + r for x, r in spans) - min(x - r for x, r in spans)


def hind_leg(legs: Sequence[Leg]) -> int:
    """Return the index of the left hind leg, or of the hindmost one where there is no left one."""
    return max(range(len(legs)), key=lambda i: (legs[i].side == "left", legs[i].rank))


def mean_phase(phases: Array) -> float:
    """Return the mean of phases on the circle, from 0 up to 1; NaN of none."""
    if not len(phases):
        return NAN
    mean = float(np.angle(np.exp(1j * FULL_TURN * phases).mean())) / FULL_TURN
    return round(mean, 12) % 1.0


def sway(time: Array, centre: Array, edges: NDArray[np.intp]) -> tuple[float, float]:
    """Return the mean lateral excursion in a stride [m], and the number of its oscillations per stride.

    time (F,) [s]; centre: positions (F, 3) [m]; edges: frames at which strides begin. The excursion is measured from
    the straight line between the positions at a stride's start and end.
    """
    excursions: list[float] = []
    power = np.zeros(SAMPLES // 2)
    for a, b in pairwise(edges):
        along = centre[b, :2] - centre[a, :2]
        share = (time[a : b + 1] - time[a]) / (time[b] - time[a])
        off = centre[a : b + 1, :2] - centre[a, :2] - share[:, None] * along
        distance = float(np.hypot(*along)) or 1.0
        sideways = (along[0] * off[:, 1] - along[1] * off[:, 0]) / distance
        excursions.append(float(np.ptp(sideways)))
        even = cast("Array", np.interp(np.arange(SAMPLES) / SAMPLES, share, sideways))
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
    """Return one world of a film, up to where it stopped."""
    film_of_lane = film.of_worlds([lane])
    status = film_of_lane.signals["status"][:, 0]
    stopped = np.flatnonzero((status != RUNNING) & (status != INTERRUPTED))
    return film_of_lane.between(-math.inf, float(film_of_lane.time[stopped[0]])) if len(stopped) else film_of_lane


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
    """Return the metrics of a film of one world."""
    signals = {name: values[:, 0] for name, values in film.signals.items()}
    cycles = _strides(film.time, signals["stepping"], hind_leg(controller.legs), settled)
    speed, drift, stride = _progress(film, cycles)
    duty = _duty(signals["stepping"], cycles)
    sideways, swings = sway(film.time, signals["centre"], cycles.edges)
    walking = film.time >= controller.begins
    gains = {name: float(values[-1] - values[0]) for name, values in signals.items() if np.ndim(values) == 1}
    work, wall = gains["motors"], gains["wall"]
    return Walk(
        speed_cm_per_s=100.0 * speed,
        body_lengths_per_s=speed / length,
        strides=cycles.count,
        stride_s=stride,
        duty_factor=dict(zip(film.leg_names, duty, strict=True)),
        phase=dict(zip(film.leg_names, map(mean_phase, cycles.phases), strict=True)),
        mean_feet=sum(duty),
        heading_drift_deg_per_s=math.degrees(drift),
        sway_mm=1e3 * sideways,
        sway_per_stride=swings,
        belly_clearance_mm=1e3 * float(signals["clearance"][walking].min()) if walking.any() else NAN,
        motor_work_j=work,
        outside_work_j=gains["outside"],
        damping_loss_j=gains["damping"],
        impact_loss_j=gains["impact"],
        sliding_loss_j=gains["sliding"],
        unaccounted_energy_fraction=abs(gains["unaccounted"] / work) if work else NAN,
        steps_taken=round(gains["taken"]),
        steps_rejected=round(gains["rejected"]),
        realtime_factor=film.duration / wall if wall > 0.0 else NAN,
    )


def _progress(film: Film, cycles: Strides) -> tuple[float, float, float]:
    """Return speed along the initial heading [m/s], turning rate [rad/s] and stride time [s], over whole strides."""
    if not cycles.count:
        return NAN, NAN, NAN
    a, b = cycles.edges[0], cycles.edges[-1]
    duration = float(film.time[b] - film.time[a])
    heading = headings(film.quaternion[:, 0, 0])
    displacement = film.signals["centre"][b, 0] - film.signals["centre"][a, 0]
    forward = float(displacement[0] * math.cos(heading[0]) + displacement[1] * math.sin(heading[0]))
    return forward / duration, float(heading[b] - heading[a]) / duration, duration / cycles.count


def _duty(stepping: Array, cycles: Strides) -> list[float]:
    """Return each leg's fraction of time in stance, over whole strides."""
    if not cycles.count:
        return [NAN] * stepping.shape[1]
    return [float(1.0 - share) for share in stepping[cycles.edges[0] : cycles.edges[-1]].mean(axis=0)]


def headings(quaternions: Array) -> Array:
    """Return the angle of x over the horizontal plane [rad], left of the world's x, continuous; quaternions (F, 4)."""
    w, x, y, z = quaternions.T
    return np.unwrap(np.arctan2(2.0 * (x * y + w * z), 1.0 - 2.0 * (y * y + z * z)))
