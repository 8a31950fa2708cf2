"""Bodies that roll, or slide until they roll: on slopes, on a table, in a circle."""

import numpy as np
from scipy.integrate import solve_ivp

from gambol.figure import Box, Cylinder, Figure, Joint, Link, Part, Sphere
from gambol.figure.rotation import rotation_about
from gambol.rigid import Body, Pile, PileStepper, SurfaceMaterial, initial_state
from validation.contact.answer import Answer, ContactProblem, MethodAnswers, method_answers
from validation.contact.scene import (
    TIME_STEPPING,
    Scene,
    free_body,
    free_body_q,
    rotations,
    simulate,
    slope_gravity,
    world_velocity,
)
from validation.problem import Array
from validation.reference_data import reference_data

G, R = 9.81, 0.1
BALL = free_body("ball", Sphere(R))
DEEP = 9.81e-6


def roller(shape: str) -> Figure:
    """Return a ball, or a cylinder with its axis along y, of 1 kg."""
    if shape == "sphere":
        return BALL
    density = 1.0 / (np.pi * R * R * 0.2)
    part = Part(Cylinder(R, 0.2), rotation=rotation_about("x", np.pi / 2), density=density)
    return Figure("roller", (Link("roller", None, Joint("free"), (part,)),))


def down() -> list[Answer]:
    """Return answers on motion down a slope from rest: rolling if friction suffices, else slipping."""
    answers: list[Answer] = []
    for run in method_answers([*((name, 5e-4) for name in TIME_STEPPING), ("penalty", 1e-3)]):
        for case in reference_data("rolling_down_incline"):
            scene = Scene(roller(case["shape"]), case["mu"], gravity=slope_gravity(case["theta_deg"]), damping=200.0)
            z = R - (DEEP if run.method == "penalty" else 0.0)
            trajectory = simulate(scene, run.method, run.step, free_body_q(z=z), np.zeros(6), 1.0)
            w, v = (x[-1] for x in world_velocity(trajectory.q, trajectory.v))
            of = f"{case['shape']}, {case['theta_deg']} degrees "
            answers.append(run.answer(f"speed after 1 s, {of}[m/s]", v[0], case["v_1s"], 1e-3 * case["v_1s"]))
            answers.append(run.answer(f"spin after 1 s, {of}[m/s]", w[1] * R, case["wR_1s"], 1e-3 * case["wR_1s"]))
            way = trajectory.q[-1, 4]
            answers.append(run.answer(f"way in 1 s, {of}[m]", way, case["dist_1s"], 1e-3 * case["dist_1s"]))
    return answers


SHOTS = [(np.array([2.0, 0.0]), np.zeros(2)), (np.array([2.0, 0.0]), np.array([-6.0, 0.0]))]
SHOTS.append((np.array([2.0, 0.0]), np.array([1.0, -3.0])))
"""Velocities along x and y [m/s]: of the ball, and of its rotation at the lowest point, reversed: w x R."""


def shots() -> list[Answer]:
    """Return answers on billiard shots that slide until they roll: without spin, with back spin, with oblique spin.

    The slip v - r keeps its direction and decreases at 7/2 mu g; v has then changed by 2/7 of it.
    """
    mu, answers = 0.2, list[Answer]()
    for run in method_answers([*((name, 5e-4) for name in TIME_STEPPING), ("penalty", 1e-3)]):
        for v0, r0 in SHOTS:
            slip = v0 - r0
            speed = float(np.hypot(*slip))
            t = 2.0 * speed / (7.0 * mu * G)
            rolling = v0 - 2.0 / 7.0 * slip
            place = v0 * t - 0.5 * mu * G * t * t * slip / speed
            z = R - (DEEP if run.method == "penalty" else 0.0)
            v = np.array([-r0[1] / R, r0[0] / R, 0.0, *v0, 0.0])
            trajectory = simulate(Scene(BALL, mu, damping=200.0), run.method, run.step, free_body_q(z=z), v, t + 0.2)
            after = world_velocity(trajectory.q, trajectory.v)[1][-1]
            ways = trajectory.q[-1, 4:6] - rolling * (trajectory.t[-1] - t)
            of = f"from r = ({r0[0]:g}, {r0[1]:g}) m/s "
            for k, axis in enumerate("xy"[: 2 if r0[1] else 1]):
                answers.append(run.answer(f"speed {axis} rolling, {of}[m/s]", after[k], rolling[k], 1e-3))
                answers.append(run.answer(f"{axis} where it rolls, {of}[m]", ways[k], place[k], 1e-3))
    return answers


def across_reference(mu: float, degrees: float, v0: Array, seconds: float) -> Array:
    """Return position and velocity of a ball that slides across a slope: the slip changes direction until it rolls."""
    down, normal_force = G * np.sin(np.radians(degrees)), G * np.cos(np.radians(degrees))

    def sliding(t: float, y: Array) -> Array:
        pull = -mu * normal_force * y[4:] / np.hypot(*y[4:])
        fall = np.array([down, 0.0])
        return np.concatenate([y[2:4], fall + pull, fall + 3.5 * pull])

    def rolls(t: float, y: Array) -> float:
        return float(np.hypot(*y[4:])) - 1e-7

    rolls.terminal = True
    first = solve_ivp(sliding, (0.0, seconds), [0.0, 0.0, *v0, *v0], events=rolls, rtol=1e-11, atol=1e-12)
    y, left = first.y[:4, -1], seconds - first.t[-1]
    a = np.array([5.0 / 7.0 * down, 0.0])
    return np.concatenate([y[:2] + y[2:] * left + 0.5 * a * left * left, y[2:] + a * left])


def across() -> list[Answer]:
    """Return answers on a ball without spin, thrown across a slope."""
    mu, degrees, v0 = 0.25, 15.0, np.array([0.0, 2.0])
    reference = across_reference(mu, degrees, v0, 1.0)
    answers: list[Answer] = []
    for run in method_answers([*((name, 2.5e-4) for name in TIME_STEPPING), ("penalty", 1e-3)]):
        scene = Scene(BALL, mu, gravity=slope_gravity(degrees), damping=200.0)
        z = R - (DEEP if run.method == "penalty" else 0.0)
        trajectory = simulate(scene, run.method, run.step, free_body_q(z=z), np.array([0.0] * 3 + [*v0, 0.0]), 1.0)
        ours = [*trajectory.q[-1, 4:6], *world_velocity(trajectory.q, trajectory.v)[1][-1, :2]]
        names = ["x after 1 s [m]", "y after 1 s [m]", "speed x after 1 s [m/s]", "speed y after 1 s [m/s]"]
        answers += [run.answer(*row, 1e-3) for row in zip(names, ours, reference, strict=True)]
    return answers


def steady_spin(lean: float, rate: float, radius: float, half: float) -> float:
    """Return the spin about its axis at which a disc rolls in a circle with constant lean.

    With e3 its axis, at `lean` from the vertical, and C, A its moments per mass, the centre moves at w = s a - O d sin,
    and moments about it give  -a (w O sin + g cos) + d (g sin - w O cos) = O sin (C s - A O cos).
    """
    a, d, O, c, s = radius, half, rate, np.cos(lean), np.sin(lean)
    C, A = 0.5 * a * a, 0.25 * a * a + d * d / 3.0
    per_w = -O * (a * s + d * c)
    rest = G * (d * s - a * c) - per_w * O * d * s + A * O * O * s * c
    return float(rest / (C * O * s - per_w * a))


def coin() -> list[Answer]:
    """Return answers on a disc that rolls in a circle, started at its steady motion."""
    a, half, lean, rate, seconds = 0.1, 0.002, np.radians(70.0), 6.0, 1.0
    spin = steady_spin(lean, rate, a, half)
    disc = free_body("disc", Cylinder(a, 2.0 * half))
    q = np.array([np.cos(lean / 2), 0.0, np.sin(lean / 2), 0.0, 0.0, 0.0, a * np.sin(lean) + half * np.cos(lean)])
    # in the disc's axes, of which x points down it: the vertical is -sin x + cos z
    w = np.array([-rate * np.sin(lean), 0.0, spin])
    v = np.cross(w, np.array([-a, 0.0, half]))
    answers: list[Answer] = []
    for run in method_answers([*((name, step) for name in TIME_STEPPING for step in (1e-3, 2e-4)), ("penalty", 1e-3)]):
        scene = Scene(disc, 1.0, feet=("disc",), damping=200.0, tolerance=1e-9)
        lower = np.eye(7)[6] * (DEEP if run.method == "penalty" else 0.0)
        trajectory = simulate(scene, run.method, run.step, q - lower, np.concatenate([w, v]), seconds, 1e-3)
        axis = rotations(trajectory.q[:, :4])[:, :, 2]
        turned = np.unwrap(np.arctan2(axis[:, 1], axis[:, 0]))[-1]
        leans = np.arccos(axis[:, 2])
        worst = leans[int(np.argmax(np.abs(leans - lean)))]
        answers.append(run.answer("lean, the farthest off in 1 s [rad]", worst, lean, 1e-3))
        answers.append(run.answer("way round in 1 s [rad]", turned, rate * seconds, 1e-3))
    return answers


def board() -> list[Answer]:
    """Return answers on SimBenchmark's rolling scene; a friction pyramid instead of a cone would deflect the board."""
    case, grid = reference_data("simbenchmark_rolling"), np.arange(5) * 2.0 - 4.0
    bodies = [Body(Box((20.0, 20.0, 1.0)), 10.0, "board"), *[Body(Sphere(0.5), 1.0, "ball")] * 25]
    pile = Pile(
        bodies, surface_pairs={("board", "ground"): SurfaceMaterial(0.4), ("board", "ball"): SurfaceMaterial(0.8)}
    )
    way = np.array(case["direction_xy"])
    push = np.zeros((26, 6))
    push[0, 3:5] = 150.0 * way
    state = initial_state(pile, [[0.0, 0.0, 0.5], *([x, y, 1.5] for x in grid for y in grid)])
    state = PileStepper(pile).advance(state, round(4.0 / pile.step), push)
    run = MethodAnswers("pile", pile.step, {})
    answers = [run.answer("speed of the balls after 4 s [m/s]", state.velocity[3:5, 2] @ way, case["v_ball_4s"], 1e-3)]
    answers.append(run.answer("speed of the board [m/s]", state.velocity[3:5, 1] @ way, case["v_box_4s"], 1e-3))
    aside = state.velocity[4, 1] * way[0] - state.velocity[3, 1] * way[1]
    return [*answers, run.answer("its speed aside [m/s]", aside, 0.0, 1e-3)]


PROBLEMS = (
    ContactProblem("Rolling down a slope", "A ball and a cylinder are released on slopes.", "closed form", down),
    ContactProblem("Sliding to rolling", "A billiard ball starts at 2 m/s, with mu = 0.2.", "closed form", shots),
    ContactProblem(
        "A ball across a slope",
        "A ball without spin is thrown at 2 m/s across a slope of 15 degrees, with mu = 0.25. Its slip changes "
        "direction until it rolls.",
        "the equations of slip, solved by scipy to 1e-11",
        across,
    ),
    ContactProblem(
        "Balls on a board",
        "A board with 25 balls on it is pushed over the ground, at 60 degrees from x (SimBenchmark).",
        "closed form",
        board,
    ),
    ContactProblem(
        "Coin in a circle",
        "A disc of 10 cm radius and 4 mm thickness leans inwards by 20 degrees and rolls in a circle at 6 rad/s.",
        "closed form of steady rolling",
        coin,
    ),
)
