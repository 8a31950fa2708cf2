"""Problems of one mass on a spring: the digits of every integrator, and the damped spring in closed form."""

import numpy as np

from gambol.figure import Figure, Joint, JointSpring, Link, MassProperties
from gambol.world import Engine, Timing, World, start
from validation.given import given
from validation.problem import Problem, Row

METHODS = {
    "euler": "explicit euler",
    "symplectic_euler": "semi-implicit euler",
    "velocity_verlet": "velocity verlet",
    "midpoint_rk2": "midpoint",
    "rk4": "rk4",
    "implicit_euler": "implicit euler",
}
"""The references' names of integrators, and ours."""


def sprung(stiffness: float, damping: float, timing: Timing) -> World:
    """One kilogram that slides on a spring."""
    mass = Link("mass", None, Joint("sliding", (1.0, 0.0, 0.0)), (), MassProperties(1.0))
    spring = JointSpring(stiffness=stiffness, damping=damping)
    return World(Figure("oscillator", (mass,)), {"mass": spring}, gravity=0.0, timing=timing)


def place(world: World, frames: int) -> tuple[float, float]:
    """Where the mass is, and how fast, some frames after it was let go 1 m from rest."""
    state = start(world, angles={"mass": 1.0})
    Engine(world, lanes=1).move(state, frames)
    return float(state.q[0, 0]), float(state.v[0, 0])


def digits() -> list[Row]:
    """x and v of x'' = -x at 20 s: not near the truth but exactly what each method makes of it."""
    found: list[Row] = []
    for name, steps in given("integrators_on_oscillator").items():
        for h, expected in steps.items():
            timing = Timing(frame=0.1, step=float(h), method=METHODS[name])
            x, v = place(sprung(1.0, 0.0, timing), 200)
            found.append(Row(f"x, {METHODS[name]}, steps of {h} s [m]", x, expected["x"], 1e-9))
            found.append(Row(f"v, {METHODS[name]}, steps of {h} s [m/s]", v, expected["v"], 1e-9))
    return found


def damped() -> list[Row]:
    """m = 1 kg, k = 100 N/m, from loose to over-damped."""
    found: list[Row] = []
    for name, places in given("damped_oscillator").items():
        c = float(name.removeprefix("m1_k100_c"))
        world = sprung(100.0, c, Timing(frame=0.01, step=1e-3, method="rkf45", tolerance=1e-12))
        for t, expected in places.items():
            x, _ = place(world, round(float(t) / 0.01))
            found.append(Row(f"x at {t} s, c = {c:g} N s/m [m]", x, expected, 1e-9))
    return found


def frequency() -> list[Row]:
    """Verlet's own frequency, sin(W h / 2) = w h / 2: the phase after 1000 s shows it."""
    h, W = 0.1, given("integrator_theory")["verlet_numeric_frequency_h0_1_w1"]
    x, _ = place(sprung(1.0, 0.0, Timing(frame=0.1, step=h, method="verlet")), 10_000)
    return [Row("x after 10,000 steps of 0.1 s [m]", x, float(np.cos(W * 1000.0)), 1e-9)]


PROBLEMS = (
    Problem(
        "Integrators on an oscillator",
        "1 kg on 1 N/m, let go at 1 m, 20 s at fixed steps.",
        "each method's recurrence, worked out apart",
        digits,
        method="every integrator",
    ),
    Problem("Damped spring", "1 kg on 100 N/m with four dampers; RKF45, 1e-12.", "closed form", damped, method="rkf45"),
    Problem(
        "Verlet's frequency",
        "The oscillator for 10,000 steps of Stoermer and Verlet.",
        "sin(W h / 2) = w h / 2",
        frequency,
        method="verlet",
    ),
)
