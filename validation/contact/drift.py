"""Contact in curved motions, where velocity-product terms and contact forces balance.

Frictionless contact does no work, so a puck on a drum, a ball round a post and a chain on ice conserve energy.
"""

from dataclasses import replace

import numpy as np

from gambol.collide.broad import Pair, allowed_pairs
from gambol.dynamics import kinematics, kinetic_energy, potential_energy
from gambol.figure import (
    Box,
    Capsule,
    Cylinder,
    Figure,
    Joint,
    JointSpring,
    Link,
    MassProperties,
    Part,
    Sphere,
    make_forest,
)
from gambol.figure.rotation import rotation_about
from validation.contact.answer import Answer, ContactProblem, MethodAnswers, method_answers
from validation.contact.scene import SOFT, TIME_STEPPING, Scene, Trajectory, flat, simulate
from validation.problem import Array

G, STEP, CONTROL_STEP = 9.81, 1e-3, 0.01
PRESS = 300.0  # N
NOTHING = MassProperties(1e-9, (0.0, 0.0, 0.0), ((1e-9, 0.0, 0.0), (0.0, 1e-9, 0.0), (0.0, 0.0, 1e-9)))
"""Mass properties of links that only connect joints."""

LINKS, LENGTH, RADIUS, BEND, SPIN = 5, 0.2, 0.02, 0.3, 5.0
"""The chain: number of links, their length and radius [m], angle of each joint [rad] and spin [rad/s]."""

SPRING = "the contact is a spring, which gives way at first and then oscillates: the work of 300 N over twice its depth"


def energies(scene: Scene, trajectory: Trajectory) -> tuple[Array, Array]:
    """Return kinetic and potential energies (T,) [J]."""
    states = [kinematics(scene.figure, list(q), list(v)) for q, v in zip(trajectory.q, trajectory.v, strict=True)]
    heights = [float(potential_energy(state, -scene.gravity[2])) for state in states]
    return np.array([float(kinetic_energy(state)) for state in states]), np.array(heights)


def farthest(values: Array) -> float:
    """Return the value with the largest distance from the first one."""
    return float(values[int(np.argmax(np.abs(values - values[0])))])


def puck() -> list[Answer]:
    """Return answers on a frictionless puck of 1 kg, pressed on a drum, on a rotating rail about its axis."""
    radius, speed = 0.5, np.sqrt(2.0 * 5.46)
    rail = Link("rail", "drum", Joint("revolute", (0.0, 0.0, 1.0)), (), NOTHING)
    drum = Link("drum", None, Joint("fixed"), (Part(Cylinder(radius - 0.01, 1.0), inertial=False),), flat(1.0, 1.0))
    arm = Joint("prismatic", (1.0, 0.0, 0.0))
    puck = Link("puck", "rail", arm, (Part(Sphere(0.01), inertial=False),), flat(1.0, 1e-9))
    figure = Figure("puck", (drum, rail, puck))
    scene = Scene(
        figure, gravity=(0.0, 0.0, 0.0), pairs=(Pair(1, 0, 3, 0),), springs={"puck": JointSpring(bias=-PRESS)}
    )
    v = np.array([speed / radius, 0.0])
    return pressed(scene, np.array([0.0, radius]), v, 1)


def pressed(scene: Scene, q: Array, v: Array, coordinate: int) -> list[Answer]:
    """Return answers on the energy of what a constant force presses on. coordinate: that against the force."""
    answers: list[Answer] = []
    for run in method_answers([*((name, STEP) for name in TIME_STEPPING), ("penalty", STEP)]):
        trajectory = simulate(scene, run.method, run.step, q, v, 3.0, CONTROL_STEP)
        total = energies(scene, trajectory)[0] + PRESS * (trajectory.q[:, coordinate] - q[coordinate])
        if run.method == "penalty":
            run = replace(run, limits={"energy": (SPRING, 2.0 * PRESS**2 / SOFT.stiffness / total[0])})
        answers.append(
            run.answer("energy, the farthest off in 3 s, of that at first", farthest(total) / total[0], 1.0, 1e-3)
        )
    return answers


def round_post() -> list[Answer]:
    """Return answers on a frictionless ball, pressed on a vertical cylinder, that moves round it and upwards."""
    post = Link(
        "post", None, Joint("fixed"), (Part(Cylinder(0.3, 3.0), (0.0, 0.0, 1.0), inertial=False),), flat(1.0, 1.0)
    )
    rail = Link("rail", "post", Joint("revolute", (0.0, 0.0, 1.0)), (), NOTHING)
    lift = Link("lift", "rail", Joint("prismatic", (0.0, 0.0, 1.0)), (), NOTHING)
    arm = Link("arm", "lift", Joint("prismatic", (1.0, 0.0, 0.0)), (), NOTHING)
    ball = Link("ball", "arm", Joint("spherical"), (Part(Sphere(0.1), density=800.0),))
    figure = Figure("round", (post, rail, lift, arm, ball))
    scene = Scene(figure, gravity=(0.0, 0.0, 0.0), pairs=(Pair(1, 0, 5, 0),), springs={"arm": JointSpring(bias=-PRESS)})
    q, v = np.zeros(figure.nq), np.zeros(figure.nv)
    q[:4], v[:2] = (0.0, 1.0, 0.4, 1.0), (5.0, 0.2)
    return pressed(scene, q, v, 2)


def chain(gravity: float) -> tuple[Scene, Array, Array]:
    """Return a bent chain of rods on ball joints on ice, spun about a fixed end, with its q and v."""
    rod = Part(Capsule(RADIUS, LENGTH), (LENGTH / 2, 0.0, 0.0), rotation_about("y", np.pi / 2), density=800.0)
    joints = [Joint("spherical", position=(LENGTH if k else 0.0, 0.0, 0.0 if k else RADIUS)) for k in range(LINKS)]
    links = [Link(f"rod {k}", f"rod {k - 1}" if k else None, joints[k], (rod,)) for k in range(LINKS)]
    q = np.ravel([[np.cos(0.5 * BEND * (k > 0)), 0.0, 0.0, np.sin(0.5 * BEND * (k > 0))] for k in range(LINKS)])
    v = np.zeros(3 * LINKS)
    v[2::3] = SPIN * np.array([1.0, 1.0 / 3.0, -2.0 / 3.0, 0.5, 0.5 / 3.0])
    return Scene(Figure("chain", tuple(links)), gravity=(0.0, 0.0, -gravity)), q, v


def spun_chain() -> list[Answer]:
    """Return answers on the energy gain of a chain in 5 s with weight, which does no work, and without weight."""
    answers: list[Answer] = []
    for run in method_answers([(name, STEP) for name in TIME_STEPPING]):
        gains: list[float] = []
        for gravity in (G, 0.0):
            scene, q, v = chain(gravity)
            motion, height = energies(scene, simulate(scene, run.method, run.step, q, v, 5.0, CONTROL_STEP))
            gains.append(float(motion[-1] + height[-1] - motion[0] - height[0]) / float(motion[0]))
        answers.append(run.answer("gain of energy in 5 s under weight, beside that without", *gains, 1e-3))
        answers.append(run.answer("gain of energy in 5 s under weight", gains[0], 0.0, 1e-3))
    return answers


def over_edge() -> list[Answer]:
    """Return answers on the energy of ten hinged rods that slide off a table, with plastic landings and mu = 0.3."""
    n, length, radius = 10, 0.1, 0.02
    rod = Part(Capsule(radius, length), (length / 2, 0.0, 0.0), rotation_about("y", np.pi / 2), density=800.0)
    hinge = Joint("revolute", (0.0, 1.0, 0.0), position=(length, 0.0, 0.0))
    rods = [Link(f"rod {k}", f"rod {k - 1}" if k else None, hinge if k else Joint("free"), (rod,)) for k in range(n)]
    top = Part(Box((1.0, 1.0, 0.2)), (0.0, 0.0, 0.6), inertial=False)
    table = Figure("table", (Link("table", None, Joint("fixed"), (top,), flat(1.0, 1.0)),))
    both = make_forest("edge", [table, Figure("chain", tuple(rods))])
    pairs = tuple(pair for pair in allowed_pairs(both) if "table" in pair.title(both))
    scene = Scene(both, 0.3, pairs=pairs, max_contacts=24)
    q = np.zeros(both.nq)
    q[0], q[4:7] = 1.0, (0.1, 0.0, 0.85)
    answers: list[Answer] = []
    for step in (1e-3, 5e-4):
        run = MethodAnswers("stepping", step, {})
        total = sum(energies(scene, simulate(scene, "stepping", step, q, np.zeros(both.nv), 1.2, CONTROL_STEP)))
        most, rises = total.max() / total[0], np.maximum(np.diff(total), 0.0).sum() / total[0]
        answers.append(run.answer("most energy at any time, of that at first", most, 1.0, 1e-9))
        answers.append(run.answer("all rises of energy between frames of 10 ms, of that at first", rises, 0.0, 1e-3))
    return answers


SMOOTH = "frictionless contact does no work, so energy is conserved"
PROBLEMS = (
    ContactProblem(
        "Puck on a drum",
        "A puck of 1 kg moves at 3.3 m/s on a drum of 1 m diameter. A force of 300 N presses it on.",
        SMOOTH,
        puck,
    ),
    ContactProblem(
        "Ball round a post",
        "A ball of 3.4 kg moves at 2 m/s round a cylinder of 0.6 m diameter. A force of 300 N presses it on.",
        SMOOTH,
        round_post,
    ),
    ContactProblem(
        "Chain spun on ice",
        "Five rods on ball joints rotate without friction about a fixed end, at 5 rad/s.",
        SMOOTH,
        spun_chain,
    ),
    ContactProblem(
        "Chain over an edge",
        "Ten rods on hinges fall onto a table, six of them beyond its edge, and slide down. The run lasts 1.2 s.",
        "contact and friction never add energy",
        over_edge,
    ),
)
