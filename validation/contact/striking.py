"""Impacts in simulated worlds, and states in which friction presses a rod into the ground."""

import math

import numpy as np

from gambol.collide.broad import Pair
from gambol.figure import Figure, Joint, Link, Part, Sphere, make_forest
from validation.contact.answer import Answer, ContactProblem, method_answers
from validation.contact.scene import (
    TIME_STEPPING,
    TIP,
    Scene,
    flat,
    free_body,
    free_body_q,
    in_plane,
    simulate,
    world_velocity,
)
from validation.problem import Array
from validation.reference_data import reference_data

NONE = (0.0, 0.0, 0.0)


def oblique() -> list[Answer]:
    """Return answers on a ball of 1 kg and 1 m that strikes the floor; impulses follow from its velocity change."""
    answers: list[Answer] = []
    for run in method_answers([(name, 1e-3) for name in TIME_STEPPING]):
        for case in reference_data("oblique_sphere_impact"):
            scene = Scene(free_body("ball", Sphere(1.0)), case["mu"], case["e"], gravity=NONE)
            v = np.array([0.0, 0.0, 0.0, case["vx"], 0.0, case["vy"]])
            trajectory = simulate(scene, run.method, run.step, free_body_q(z=1.0 + 5e-4), v, 5e-3)
            w, after = (x[-1] for x in world_velocity(trajectory.q, trajectory.v))
            of = f"{case['mode']}s "
            answers.append(run.answer(f"p_n, it {of}[N s]", after[2] - case["vy"], case["Jn"], 1e-9))
            answers.append(run.answer(f"p_t, it {of}[N s]", after[0] - case["vx"], case["Jt"], 1e-9))
            answers.append(run.answer(f"spin after, it {of}[rad/s]", w[1], -case["wR_f"], 1e-9))
    return answers


def row_of_balls(masses: list[float]) -> Figure:
    """Return balls of 0.1 m radius on prismatic joints along x."""
    balls: list[Figure] = []
    for k, mass in enumerate(masses, 1):
        part = Part(Sphere(0.1), density=mass / (4.0 / 3.0 * math.pi * 1e-3), group=2, mask=2)
        balls.append(Figure(f"ball{k}", (Link(f"ball{k}", None, Joint("prismatic", (1.0, 0.0, 0.0)), (part,)),)))
    return make_forest("cradle", balls)


CRADLES: list[tuple[tuple[str, ...], float, list[float], list[float], float, list[float]]] = [
    (TIME_STEPPING, 5e-3, [1.0] * 3, [1.0, 0.0, 0.0], 1.0, [0.0, 0.0, 1.0]),
    (TIME_STEPPING, 5e-3, [1.0] * 5, [1.0, 1.0, 0.0, 0.0, 0.0], 1.0, [0.0, 0.0, 0.0, 1.0, 1.0]),
    (("impulse",), 0.0, [1.0] * 3, [1.0, 0.0, 0.0], 1.0, [0.0, 0.0, 1.0]),
    (("impulse",), 0.0, [1.0] * 5, [1.0, 1.0, 0.0, 0.0, 0.0], 1.0, [0.0, 0.0, 0.0, 1.0, 1.0]),
    (("stepping", "constraint"), 0.0, [1.0] * 3, [1.0, 0.0, 0.0], 1.0, [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]),
    (TIME_STEPPING, 0.0, [1.0, 2.0], [1.0, 0.0], 1.0, [-1.0 / 3.0, 2.0 / 3.0]),
    (TIME_STEPPING, 0.0, [1.0, 2.0], [1.0, 0.0], 0.5, [0.0, 0.5]),
    (TIME_STEPPING, 0.0, [1.0, 1.0], [1.0, 0.0], 0.5, [0.25, 0.75]),
]
"""Methods, gaps [m], masses [kg], speeds before [m/s], restitution, and speeds after by the law of the method."""


def cradle() -> list[Answer]:
    """Return answers on balls in a row: with gaps they collide in sequence, in contact by the law of the method."""
    answers: list[Answer] = []
    for methods, gap, masses, speeds, e, reference in CRADLES:
        n = len(masses)
        pairs = tuple(Pair(k, 0, k + 1, 0) for k in range(2, n + 1))
        scene = Scene(row_of_balls(masses), restitution=e, gravity=NONE, pairs=pairs, iterations=100)
        for run in method_answers([(name, 1e-3) for name in TIME_STEPPING if name in methods]):
            trajectory = simulate(scene, run.method, run.step, (0.2 + gap) * np.arange(n), np.array(speeds), 0.04)
            kind = "that touch" if gap == 0.0 else "apart"
            weights = ", ".join(f"{m:g}" for m in masses)
            what = f"speeds of {n} balls {kind}, of {weights} kg, e = {e:g} [m/s]"
            answers.append(run.worst(what, trajectory.v[-1].tolist(), reference, 1e-6))
    return answers


def rod_touching(angle: float) -> tuple[Array, float, float]:
    """Return the coordinates of a rod of 1 m on its lower end, at an angle, and that end from its centre (x, z)."""
    x, z = -0.5 * math.cos(angle), -0.5 * math.sin(angle)
    return np.array([angle, -x, -z + TIP]), x, z


def jammed() -> list[Answer]:
    """Return answers on a sliding rod in Painleve's region, where no acceleration is possible while it slides.

    With friction against its slip any normal force presses it in harder: c + mu b < 0. The solution is an impact
    without a collision: the slip stops at once, and the impact is inelastic. Its end is then at rest, so the rate
    follows from the moment of momentum about it: w = (v x r)_y / (I + r^2), and the energy decreases accordingly.
    """
    angle, mu, slip = 1.0, 3.0, 1.0
    rod = in_plane("rod", flat(1.0, 1.0 / 12.0), [(0.5, 0.0, 0.0), (-0.5, 0.0, 0.0)])
    q, x, z = rod_touching(angle)
    a, b, c = 1.0 + 12.0 * z * z, -12.0 * x * z, 1.0 + 12.0 * x * x
    way = math.copysign(1.0, b)
    assert c - mu * abs(b) < 0.0 < mu * a - abs(b)
    velocity = np.array([math.cos(angle), -math.sin(angle)]) * way * slip  # in the rod's axes
    turning = 12.0 * z * way * slip / (1.0 + 12.0 * (x * x + z * z))
    answers: list[Answer] = []
    for run in method_answers([(name, 1e-4) for name in TIME_STEPPING]):
        scene = Scene(rod, mu, gravity=(0.0, 0.0, -9.81))
        trajectory = simulate(scene, run.method, run.step, q, np.array([0.0, *velocity]), 1e-3)
        first = trajectory.v[1]
        energy = 0.5 * (trajectory.v[:, 0] ** 2 / 12.0 + (trajectory.v[:, 1:] ** 2).sum(1)) + 9.81 * trajectory.q[:, 2]
        answers.append(run.answer("turning after one step [rad/s]", first[0], turning, 5e-3))
        answers.append(run.answer("rise of energy [J]", max(np.max(np.diff(energy)), 0.0), 0.0, 1e-6))
        answers.append(run.answer("farthest speed [m/s]", np.abs(trajectory.v[:, 1:]).max(), slip, slip))
    return answers


PROBLEMS = (
    ContactProblem(
        "Oblique impact in a world", "A ball strikes the floor. It sticks or slips.", "closed form", oblique
    ),
    ContactProblem(
        "Newton's cradle in a world",
        "Balls in a row collide, in contact from the start or with gaps between them.",
        "closed form of each method's law",
        cradle,
    ),
    ContactProblem(
        "Painleve's rod",
        "A rod slides at 1 m/s at an angle of 1 rad, with mu = 3. No sliding motion is possible there.",
        "impact without collision: the slip stops at once",
        jammed,
    ),
)
