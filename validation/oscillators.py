"""Problems of one mass on a spring: the exact recurrence of every integrator, and the damped spring."""

import numpy as np

from gambol.figure import Figure, Joint, JointSpring, Link, MassProperties
from gambol.world import Engine, Timing, World, start
from validation.problem import Problem, Row
from validation.reference_data import reference_data

METHODS = {
    "euler": "explicit euler",
    "symplectic_euler": "semi-implicit euler",
    "velocity_verlet": "velocity verlet",
    "midpoint_rk2": "midpoint",
    "rk4": "rk4",
    "implicit_euler": "implicit euler",
}
"""Names of integrators in the reference data, and in gambol."""


def sprung(stiffness: float, damping: float, timing: Timing) -> World:
    """Return the world of a mass of 1 kg on a prismatic joint with a spring."""
    mass = Link("mass", None, Joint("prismatic", (1.0, 0.0, 0.0)), (), MassProperties(1.0))
    spring = JointSpring(stiffness=stiffness, damping=damping)
    return World(Figure("oscillator", (mass,)), {"mass": spring}, gravity=0.0, timing=timing)


def position_and_velocity(world: World, control_steps: int) -> tuple[float, float]:
    """Return position and velocity of the mass some control steps after its release at 1 m."""
    state = start(world, angles={"mass": 1.0})
    Engine(world, lanes=1).advance(state, control_steps)
    return float(state.q[0, 0]), float(state.v[0, 0])


def digits() -> list[Row]:
    """Return rows on x and v of x'' = -x at 20 s, compared with the recurrence of each method."""
    rows: list[Row] = []
    for name, steps in reference_data("integrators_on_oscillator").items():
        for h, expected in steps.items():
            timing = Timing(control_step=0.1, step=float(h), method=METHODS[name])
            x, v = position_and_velocity(sprung(1.0, 0.0, timing), 200)
            rows.append(Row(f"x, {METHODS[name]}, steps of {h} s [m]", x, expected["x"], 1e-9))
            rows.append(Row(f"v, {METHODS[name]}, steps of {h} s [m/s]", v, expected["v"], 1e-9))
    return rows


def damped() -> list[Row]:
    """Return rows on m = 1 kg, k = 100 N/m, from under-damped to over-damped."""
    rows: list[Row] = []
    for name, places in reference_data("damped_oscillator").items():
        c = float(name.removeprefix("m1_k100_c"))
        world = sprung(100.0, c, Timing(control_step=0.01, step=1e-3, method="rkf45", tolerance=1e-12))
        for t, expected in places.items():
            x, _ = position_and_velocity(world, round(float(t) / 0.01))
            rows.append(Row(f"x at {t} s, c = {c:g} N s/m [m]", x, expected, 1e-9))
    return rows


def frequency() -> list[Row]:
    """Return the row on Verlet's numerical frequency, sin(W h / 2) = w h / 2, from the phase after 1000 s."""
    h, W = 0.1, reference_data("integrator_theory")["verlet_numeric_frequency_h0_1_w1"]
    x, _ = position_and_velocity(sprung(1.0, 0.0, Timing(control_step=0.1, step=h, method="verlet")), 10_000)
    return [Row("x after 10,000 steps of 0.1 s [m]", x, float(np.cos(W * 1000.0)), 1e-9)]


PROBLEMS = (
    Problem(
        "Integrators on an oscillator",
        "A mass of 1 kg on a spring of 1 N/m is released at 1 m and moves for 20 s, at fixed steps.",
        "the recurrence of each method, computed separately",
        digits,
        method="every integrator",
    ),
    Problem(
        "Damped spring",
        "A mass of 1 kg on a spring of 100 N/m, with each of four dampers. RKF45, tolerance 1e-12.",
        "closed form",
        damped,
        method="rkf45",
    ),
    Problem(
        "Verlet's frequency",
        "The mass of 1 kg on a spring of 1 N/m, for 10,000 steps of the Stoermer-Verlet method.",
        "sin(W h / 2) = w h / 2",
        frequency,
        method="verlet",
    ),
)
