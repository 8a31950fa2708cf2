"""Contact that holds a curved motion, in which velocity-product forces and contact work against each other.

What is smooth does no work, so the energy of a puck on a drum, of a ball round a post and of a chain on ice stays.
"""

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
    gathered,
)
from gambol.figure.rotation import rotation_about
from validation.contact.answer import Answer, ContactProblem, Sheet, sheets
from validation.contact.scene import LARGE, Scene, Track, flat, tracked
from validation.problem import Array

G, STEP, FRAME = 9.81, 1e-3, 0.01
PRESS = 300.0  # N
NOTHING = MassProperties(1e-9, (0.0, 0.0, 0.0), ((1e-9, 0.0, 0.0), (0.0, 1e-9, 0.0), (0.0, 0.0, 1e-9)))
"""Of links that only carry a joint."""

LINKS, LENGTH, RADIUS, BEND, SPIN = 5, 0.2, 0.02, 0.3, 5.0
"""Of the chain: links [1], their length and radius [m], angle at each joint [rad] and spin [rad/s]."""

SPRING = "the ground is a spring, which gives way at first and swings"
LIMITS = {"penalty": {"energy": (SPRING, 3.3e-2)}}
"""What the force of 300 N does and takes on twice the depth of 3e-4 m is 3.3e-2 of the energy."""


def energies(scene: Scene, track: Track) -> tuple[Array, Array]:
    """Energies of motion and of height (T,) [J]."""
    states = [kinematics(scene.figure, list(q), list(v)) for q, v in zip(track.q, track.v, strict=True)]
    heights = [float(potential_energy(state, -scene.gravity[2])) for state in states]
    return np.array([float(kinetic_energy(state)) for state in states]), np.array(heights)


def farthest(values: Array) -> float:
    """The value that is farthest from the first one."""
    return float(values[int(np.argmax(np.abs(values - values[0])))])


def puck() -> list[Answer]:
    """A smooth puck of 1 kg that a force presses on a drum, on a rail that turns about the drum's axis."""
    radius, speed = 0.5, np.sqrt(2.0 * 5.46)
    rail = Link("rail", "drum", Joint("rotary", (0.0, 0.0, 1.0)), (), NOTHING)
    drum = Link("drum", None, Joint("fixed"), (Part(Cylinder(radius - 0.01, 1.0), inertial=False),), flat(1.0, 1.0))
    arm = Joint("sliding", (1.0, 0.0, 0.0))
    puck = Link("puck", "rail", arm, (Part(Sphere(0.01), inertial=False),), flat(1.0, 1e-9))
    figure = Figure("puck", (drum, rail, puck))
    scene = Scene(
        figure, gravity=(0.0, 0.0, 0.0), pairs=(Pair(1, 0, 3, 0),), springs={"puck": JointSpring(bias=-PRESS)}
    )
    v = np.array([speed / radius, 0.0])
    found: list[Answer] = []
    for sheet in sheets([*((name, STEP) for name in LARGE), ("penalty", STEP)], LIMITS):
        track = tracked(scene, sheet.method, sheet.step, np.array([0.0, radius]), v, 3.0, FRAME)
        total = energies(scene, track)[0] + PRESS * (track.q[:, 1] - radius)
        found.append(
            sheet.answer("energy, the farthest off in 3 s, of that at first", farthest(total) / total[0], 1.0, 1e-3)
        )
    return found


def round_post() -> list[Answer]:
    """A smooth ball that a force presses on an upright cylinder, going round it and upwards."""
    post = Link(
        "post", None, Joint("fixed"), (Part(Cylinder(0.3, 3.0), (0.0, 0.0, 1.0), inertial=False),), flat(1.0, 1.0)
    )
    rail = Link("rail", "post", Joint("rotary", (0.0, 0.0, 1.0)), (), NOTHING)
    lift = Link("lift", "rail", Joint("sliding", (0.0, 0.0, 1.0)), (), NOTHING)
    arm = Link("arm", "lift", Joint("sliding", (1.0, 0.0, 0.0)), (), NOTHING)
    ball = Link("ball", "arm", Joint("spherical"), (Part(Sphere(0.1), density=800.0),))
    figure = Figure("round", (post, rail, lift, arm, ball))
    scene = Scene(figure, gravity=(0.0, 0.0, 0.0), pairs=(Pair(1, 0, 5, 0),), springs={"arm": JointSpring(bias=-PRESS)})
    q, v = np.zeros(figure.nq), np.zeros(figure.nv)
    q[:4], v[:2] = (0.0, 1.0, 0.4, 1.0), (5.0, 0.2)
    found: list[Answer] = []
    for sheet in sheets([(name, STEP) for name in LARGE]):
        track = tracked(scene, sheet.method, sheet.step, q, v, 3.0, FRAME)
        total = energies(scene, track)[0] + PRESS * (track.q[:, 2] - 0.4)
        found.append(
            sheet.answer("energy, the farthest off in 3 s, of that at first", farthest(total) / total[0], 1.0, 1e-3)
        )
    return found


def chain(gravity: float) -> tuple[Scene, Array, Array]:
    """Rods on ball joints, flat on smooth ice and bent, spun about a fixed end; their coordinates and velocities."""
    rod = Part(Capsule(RADIUS, LENGTH), (LENGTH / 2, 0.0, 0.0), rotation_about("y", np.pi / 2), density=800.0)
    joints = [Joint("spherical", position=(LENGTH if k else 0.0, 0.0, 0.0 if k else RADIUS)) for k in range(LINKS)]
    links = [Link(f"rod {k}", f"rod {k - 1}" if k else None, joints[k], (rod,)) for k in range(LINKS)]
    q = np.ravel([[np.cos(0.5 * BEND * (k > 0)), 0.0, 0.0, np.sin(0.5 * BEND * (k > 0))] for k in range(LINKS)])
    v = np.zeros(3 * LINKS)
    v[2::3] = SPIN * np.array([1.0, 1.0 / 3.0, -2.0 / 3.0, 0.5, 0.5 / 3.0])
    return Scene(Figure("chain", tuple(links)), gravity=(0.0, 0.0, -gravity)), q, v


def spun_chain() -> list[Answer]:
    """What part of its energy a chain gains in 5 s under its weight, which does no work, and without weight."""
    found: list[Answer] = []
    for sheet in sheets([(name, STEP) for name in LARGE]):
        gained: list[float] = []
        for gravity in (G, 0.0):
            scene, q, v = chain(gravity)
            motion, height = energies(scene, tracked(scene, sheet.method, sheet.step, q, v, 5.0, FRAME))
            gained.append(float(motion[-1] + height[-1] - motion[0] - height[0]) / float(motion[0]))
        found.append(sheet.answer("gain of energy in 5 s under weight, beside that without", *gained, 1e-3))
        found.append(sheet.answer("gain of energy in 5 s under weight", gained[0], 0.0, 1e-3))
    return found


def over_edge() -> list[Answer]:
    """What ten rods on hinges gain as they slide off a table and whip down, plastic landings and mu = 0.3."""
    n, length, radius = 10, 0.1, 0.02
    rod = Part(Capsule(radius, length), (length / 2, 0.0, 0.0), rotation_about("y", np.pi / 2), density=800.0)
    hinge = Joint("rotary", (0.0, 1.0, 0.0), position=(length, 0.0, 0.0))
    rods = [Link(f"rod {k}", f"rod {k - 1}" if k else None, hinge if k else Joint("free"), (rod,)) for k in range(n)]
    top = Part(Box((1.0, 1.0, 0.2)), (0.0, 0.0, 0.6), inertial=False)
    table = Figure("table", (Link("table", None, Joint("fixed"), (top,), flat(1.0, 1.0)),))
    both = gathered("edge", [table, Figure("chain", tuple(rods))])
    pairs = tuple(pair for pair in allowed_pairs(both) if "table" in pair.title(both))
    scene = Scene(both, 0.3, pairs=pairs, room=24)
    q = np.zeros(both.nq)
    q[0], q[4:7] = 1.0, (0.1, 0.0, 0.85)
    found: list[Answer] = []
    for step in (1e-3, 5e-4):
        sheet = Sheet("stepping", step, {})
        total = sum(energies(scene, tracked(scene, "stepping", step, q, np.zeros(both.nv), 1.2, FRAME)))
        most, rises = total.max() / total[0], np.maximum(np.diff(total), 0.0).sum() / total[0]
        found.append(sheet.answer("most energy at any time, of that at first", most, 1.0, 1e-9))
        found.append(sheet.answer("all rises of energy between frames of 10 ms, of that at first", rises, 0.0, 1e-3))
    return found


SMOOTH = "what is smooth does no work: energy stays"
PROBLEMS = (
    ContactProblem("Puck on a drum", "1 kg on a drum of 1 m, pressed by 300 N, at 3.3 m/s.", SMOOTH, puck),
    ContactProblem(
        "Ball round a post", "3.4 kg round a cylinder of 0.6 m, pressed by 300 N, at 2 m/s.", SMOOTH, round_post
    ),
    ContactProblem(
        "Chain spun on ice",
        "Five rods on ball joints, spun at 5 rad/s about a fixed end, without friction.",
        SMOOTH,
        spun_chain,
    ),
    ContactProblem(
        "Chain over an edge",
        "Ten rods on hinges fall onto a table, six of them beyond its edge, and slide down; 1.2 s.",
        "contact and friction only take energy",
        over_edge,
    ),
)
