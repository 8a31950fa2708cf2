"""The continuum snake of PyElastica, side by side with a chain of 50 segments.

`python -m validation.creatures.continuum_snake` compares them. A rod of 0.35 m creeps by muscle torques of a travelling
wave, at a Froude number of 0.1, with friction that differs forward, backward and sideways. The case is the example
ContinuumSnakeCase of PyElastica [Zhang et al. 2021, Gazzola et al. 2018], whose numbers are those below. PyElastica has
a Cosserat rod of 50 elements; here are 50 rigid segments with 49 vertical hinges, and the rod's bending stiffness E I /
l as their springs. Shear, stretching, twist, bending in the vertical plane, and the rod's damping of 0.002 1/s are left
out. Both have Hu's law of friction.

Without PyElastica, only gambol's snake runs, and is compared with the recorded speed.
"""

import math
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from scipy.interpolate import BSpline

from gambol.actuation import TorqueMotor
from gambol.contact import ContactParameters, Penalty, SurfaceProperties
from gambol.control.controller import Senses
from gambol.control.feedback import FeedbackController
from gambol.creatures.crawlers import Body, chain_figure
from gambol.creatures.crawlers.body import joint_link
from gambol.figure import AnisotropicFriction, JointSpring
from gambol.lanes import Scalar, minimum, sin
from gambol.world import Film, InitialState, Timing, World, run, start

SEGMENTS, LENGTH, PERIOD, PERIODS = 50, 0.35, 2.0, 11
RADIUS, DENSITY, YOUNG, GRAVITY, FROUDE = 0.011 * LENGTH, 1000.0, 1e6, 9.80665, 0.1
MU = LENGTH / (PERIOD**2 * GRAVITY * FROUDE)
SCALES = AnisotropicFriction(MU, 1.5 * MU, 2.0 * MU)
COEFFICIENTS = (3.4e-3, 3.3e-3, 4.2e-3, 2.6e-3, 3.6e-3, 3.5e-3)
"""Of the cubic B-spline of muscle torque along the body, from the head [N m]; one wave lies on the body."""

RECORDED = 0.027834
"""Speed of PyElastica 1.0.0's snake after the first period [m/s]: elastica() in Python 3.11 with NumPy 2.4, Numba 0.68.
It takes 57 s there for 220 000 steps of 0.1 ms."""

SPEED_TOLERANCE = 0.1
"""Largest relative difference between the two speeds."""

STEP = 2e-4
"""Step of the explicit integrator [s]: below 2.8 over the highest bending frequency of the chain, 5000 1/s."""

SINK = 0.05
"""Depth to which the weight of a segment presses it into the ground, as a share of the radius. PyElastica's is 0.8."""

CREEP = 5e-4
"""Speed below which friction is viscous [m/s]: a fiftieth of the snake's speed."""


@dataclass(frozen=True)
class Result:
    """A run: speed of the centre of mass after the first period [m/s], and wall time without compiling [s]."""

    speed: float
    wall: float


def torques() -> np.ndarray:
    """Return the amplitude of the torque at each joint, from the head [N m]."""
    knots = [0.0] * 3 + [*np.linspace(0.0, 1.0, len(COEFFICIENTS) - 2)] + [1.0] * 3
    return BSpline(knots, COEFFICIENTS, 3)(np.arange(1, SEGMENTS) / SEGMENTS)


@dataclass(frozen=True)
class MuscleLaw:
    """Torques beta_k sin(2 pi (t / T - s_k)) min(t / T, 1) at joint k from the head, at the share s_k of the length."""

    amplitudes: tuple[float, ...]
    required_senses: tuple[str, ...] = ()

    def numbers(self) -> dict[str, Any]:
        """Return no numbers: all are compiled in."""
        return {}

    def memory(self) -> Any:
        """Return no memory."""
        return ()

    def commands(
        self, numbers: Mapping[str, Any], memory: Any, senses: Senses, dt: Scalar
    ) -> tuple[Sequence[Scalar], Any]:
        """Return the torques in the middle of the control step [N m]."""
        turns = (senses.time + 0.5 * dt) * (1.0 / PERIOD)
        ramp = minimum(turns, 1.0)
        shares = [(k + 1) / SEGMENTS for k in range(SEGMENTS - 1)]
        return [
            ramp * (a * sin((turns - s) * (2.0 * math.pi))) for a, s in zip(self.amplitudes, shares, strict=True)
        ], memory

    def structure(self) -> tuple[Any, ...]:
        """Return the amplitudes."""
        return self.amplitudes


def chain_world() -> World:
    """Return the world of gambol's snake."""
    body = Body(SEGMENTS, LENGTH, lambda _: RADIUS, SCALES, ("yaw",), DENSITY)
    figure = chain_figure("continuum snake", body)
    joints = [joint_link(body, "yaw", k) for k in range(SEGMENTS - 1)]
    bending = YOUNG * 0.25 * math.pi * RADIUS**4 / body.spacing
    law = MuscleLaw(tuple(float(x) for x in torques()))
    motors = {name: TorqueMotor(-0.01, 0.01, joints=(name,)) for name in joints}
    weight = figure.mass * GRAVITY / SEGMENTS
    stiffness = weight / (SINK * RADIUS)
    ground = ContactParameters(
        stiffness=stiffness,
        alpha=0.0,
        beta=1.0,
        damping=2.0 * math.sqrt(stiffness * weight / GRAVITY),
        deepest=RADIUS,
        restitution=1.0,
        restitution_speed=1.0,
        friction=SCALES.sideways,
        bristle_stiffness=1.0,
        bristle_damping=0.0,
        skid_damping=SCALES.sideways * weight / CREEP,
    )
    height = RADIUS * (1.0 - SINK)
    return World(
        figure,
        {name: JointSpring(stiffness=bending) for name in joints},
        surface=SurfaceProperties(ground),
        contact=Penalty(),
        controller=FeedbackController(law, motors),
        gravity=GRAVITY,
        timing=Timing(5.0 * STEP, STEP, "rk4"),
        initial=InitialState((1.0, 0.0, 0.0, 0.0, 0.0, 0.0, height, *[0.0] * (figure.nq - 7))),
    )


def gambol(periods: int = PERIODS) -> tuple[Result, Film]:
    """Return the result of gambol's snake, and its film."""
    world = chain_world()
    run(world, start(world), 5.0 * STEP)  # compiles
    state, begun = start(world), time.perf_counter()
    film = run(world, state, periods * PERIOD, rate=100)
    wall = time.perf_counter() - begun
    return Result(mean_speed(film.time, film.position[:, 0].mean(axis=1)), wall), film


def mean_speed(times: np.ndarray, centres: np.ndarray) -> float:
    """Return the distance of a centre of mass (F, 3) after the first period, over time [m/s]."""
    first = int(np.searchsorted(times, PERIOD))
    return float(np.linalg.norm(centres[-1] - centres[first]) / (times[-1] - times[first]))


def elastica(periods: int = PERIODS) -> Result:
    """Return the result of PyElastica's snake: a Cosserat rod along z, with y up."""
    ea: Any = import_module("elastica")
    parts = (ea.BaseSystemCollection, ea.Forcing, ea.Damping, ea.CallBacks, ea.Contact)
    simulator, up, step = type("Simulator", parts, {})(), np.array([0.0, 1.0, 0.0]), 1e-4
    rod = ea.CosseratRod.straight_rod(
        SEGMENTS, np.zeros(3), np.array([0.0, 0.0, 1.0]), up, LENGTH, RADIUS, DENSITY,
        youngs_modulus=YOUNG, shear_modulus=YOUNG / 1.5,
    )  # fmt: skip
    plane = ea.Plane(plane_origin=-RADIUS * up, plane_normal=up)
    simulator.append(rod)
    simulator.append(plane)
    simulator.add_forcing_to(rod).using(ea.GravityForces, acc_gravity=-GRAVITY * up)
    simulator.add_forcing_to(rod).using(
        ea.MuscleTorques, base_length=LENGTH, b_coeff=np.array(COEFFICIENTS), period=PERIOD, wave_number=2.0 * np.pi,
        phase_shift=0.0, rest_lengths=rod.rest_lengths, ramp_up_time=PERIOD, direction=up, with_spline=True,
    )  # fmt: skip
    kinetic = np.array([SCALES.forward, SCALES.backward, SCALES.sideways])
    simulator.detect_contact_between(rod, plane).using(
        ea.RodPlaneContactWithAnisotropicFriction, k=1.0, nu=1e-6, slip_velocity_tol=1e-8,
        static_mu_array=np.zeros(3), kinetic_mu_array=kinetic,
    )  # fmt: skip
    simulator.dampen(rod).using(ea.AnalyticalLinearDamper, damping_constant=2e-3, time_step=step)
    simulator.finalize()
    stepper, now, rows, begun = ea.PositionVerlet(), 0.0, list[tuple[float, Any]](), time.perf_counter()
    for k in range(round(periods * PERIOD / step)):
        if k % 100 == 0:
            rows.append((now, rod.compute_position_center_of_mass().copy()))
        now = stepper.step(simulator, now, step)
    wall = time.perf_counter() - begun
    rows.append((now, rod.compute_position_center_of_mass().copy()))
    return Result(mean_speed(np.array([t for t, _ in rows]), np.array([x for _, x in rows])), wall)


def say(line: str) -> None:
    """Write a line."""
    sys.stdout.write(line + "\n")


def main() -> None:
    """Print both speeds and wall times; exit with an error if they differ by more than SPEED_TOLERANCE."""
    ours, film = gambol()
    say(f"gambol      {ours.speed * 1e3:.2f} mm/s   {ours.wall:.1f} s")
    unaccounted = abs(float(film.signals["unaccounted"][-1, 0])) / float(film.signals["motors"][-1, 0])
    say(f"            unaccounted energy {unaccounted:.1e} of the muscles' work")
    peer = RECORDED
    if find_spec("elastica") is not None:
        theirs = elastica()
        peer = theirs.speed
        say(f"PyElastica  {peer * 1e3:.2f} mm/s   {theirs.wall:.1f} s")
    difference = ours.speed / peer - 1.0
    say(f"difference  {difference:+.1%} of {peer * 1e3:.2f} mm/s")
    if abs(difference) > SPEED_TOLERANCE:
        raise SystemExit(f"the speeds differ by more than {SPEED_TOLERANCE:.0%}")


if __name__ == "__main__":
    main()
