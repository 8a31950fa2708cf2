"""Adaptive dynamics of figures of hundreds to thousands of joints, beside the same figures with all joints active."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from benchmarks.rows import Result, Row
from benchmarks.timing import median_and_spread, ratio, time_interleaved
from gambol import (
    AdaptiveDynamics,
    CompliantGround,
    ContactParameters,
    Figure,
    Joint,
    Link,
    MassProperties,
    Part,
    Sphere,
    SurfaceProperties,
)
from gambol.dynamics.states import kinematics
from gambol.figure import rotation_about

Array = NDArray[np.float64]

H = 1e-3
INTERVAL = 50  # steps
CHECKED_STEPS = 300
LENGTH, DAMPING = 0.1, 0.05  # of a link [m]; of a joint [N m s]
BODY = MassProperties(1.0, (0.0, 0.0, -0.05), ((1e-3, 0.0, 0.0), (0.0, 1e-3, 0.0), (0.0, 0.0, 5e-4)))
REPEATS = 8
BALL_RADIUS, ARCH = 0.05, 40  # of a snake's links [m]; links in its arch
BALL, BALL_BODY = Part(Sphere(BALL_RADIUS)), MassProperties(1.0, inertia=((1e-3, 0, 0), (0, 1e-3, 0), (0, 0, 1e-3)))
GROUND = ContactParameters(4e4, 0.0, 1.0, 80.0, 0.04, 0.5, 0.05, 0.5, 1.0, 0.0, 100.0)


@dataclass(frozen=True)
class Scene:
    """A figure with a state. gravity [m/s2]. error: bound, or None with `joints` active. size: of what moves [m]."""

    figure: Figure
    q: Array
    v: Array
    gravity: float
    error: float | None
    joints: int | None
    size: float
    contact: CompliantGround | None = None


HINGE = Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, 0.0, -LENGTH))


def chain(links: int) -> Figure:
    """Return a chain that hangs down, with parallel hinges."""
    joints = [Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, 0.0, -LENGTH if i else 0.0)) for i in range(links)]
    made = (Link(f"{i}", f"{i - 1}" if i else None, joint, given_mass=BODY) for i, joint in enumerate(joints))
    return Figure("chain", tuple(made))


def rope() -> Scene:
    """A rope of 10,000 links hangs; its lower end is bent aside and let go."""
    q = np.zeros(10000)
    q[-60:] = 0.03
    return Scene(chain(10000), q, np.zeros(10000), 9.81, 0.003, None, 60 * LENGTH)


def pendulum() -> Scene:
    """A straight pendulum of 300 links is let go; a tenth of its joints are active."""
    q = np.zeros(300)
    q[0] = 0.6
    return Scene(chain(300), q, np.zeros(300), 9.81, None, 30, 300 * LENGTH)


def leaves() -> Scene:
    """A tree of 1,024 leaves floats; seven of its twigs are kicked."""
    links = [Link("1", None, Joint("free"), given_mass=BODY)]
    for k in range(2, 2048):
        across = (1.0, 0.0, 0.0) if k.bit_length() % 2 else (0.0, 1.0, 0.0)
        axis = (0.0, 1.0, 0.0) if k.bit_length() % 2 else (1.0, 0.0, 0.0)
        joint = Joint("revolute", axis, rotation_about(across, 0.4 if k % 2 else -0.4), (0.0, 0.0, -LENGTH))
        links.append(Link(f"{k}", f"{k // 2}", joint, given_mass=BODY))
    figure = Figure("tree", tuple(links))
    v = np.zeros(figure.nv)
    for k in (600, 601, 1030, 1031, 1500, 1501, 2000):
        v[figure.link(f"{k}").v] = 3.0
    q = np.concatenate([[1.0], np.zeros(figure.nq - 1)])
    return Scene(figure, q, v, 0.0, 0.03, None, 11 * LENGTH)


def net() -> Scene:
    """A trunk of 100 links hangs, with 200 strands of 50 links; the lower ends of three strands are bent aside."""
    links, names = [Link("t0", None, Joint("fixed"), given_mass=BODY)], list[str]()
    for i in range(1, 101):
        links.append(Link(f"t{i}", f"t{i - 1}", HINGE, given_mass=BODY))
        for side in (-1.0, 1.0):
            for k in range(50):
                offset = Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, side * LENGTH, 0.0))
                names.append(f"s{i} {side:+g} {k}")
                links.append(Link(names[-1], names[-2] if k else f"t{i}", HINGE if k else offset, given_mass=BODY))
    figure = Figure("net", tuple(links))
    q = np.zeros(figure.nq)
    for strand in ("s20 +1", "s70 -1", "s100 +1"):
        for k in range(25, 50):
            q[figure.link(f"{strand} {k}").q] = 0.04
    return Scene(figure, q, np.zeros(figure.nv), 9.81, 0.03, None, 25 * LENGTH)


def snake() -> Scene:
    """A snake of 1,000 links lies on a ground, with its front raised in an arch, and is let go."""
    yaw, pitch = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0))
    links = [Link("0", None, Joint("free"), (BALL,), given_mass=BALL_BODY)]
    for i in range(1, 1000):
        joint = Joint("revolute", pitch if i % 2 else yaw, position=(-LENGTH, 0.0, 0.0))
        links.append(Link(f"{i}", f"{i - 1}", joint, (BALL,), given_mass=BALL_BODY))
    figure = Figure("snake", tuple(links))
    q = np.concatenate([[1.0], np.zeros(figure.nq - 1)])
    for i in range(1, ARCH, 2):
        q[figure.link(f"{i}").q] = -0.06 * np.sin(2.0 * np.pi * i / ARCH)
    resting = BALL_RADIUS - 9.81 * BALL_BODY.mass / GROUND.stiffness  # height of a link that the ground carries [m]
    q[6] = resting - float(kinematics(figure, q).position[-1, 2])
    contact = CompliantGround(figure, SurfaceProperties(GROUND, grip="none"))
    return Scene(figure, q, np.zeros(figure.nv), 9.81, 0.01, None, ARCH * LENGTH, contact)


SCENES: dict[str, Callable[[], Scene]] = {each.__name__: each for each in (rope, pendulum, leaves, net, snake)}


def started(
    scene: Scene,
    error: float | None = None,
    joints: int | None = None,
    hold: Literal["if faster", "always"] = "if faster",
) -> AdaptiveDynamics:
    """Return the motion of a scene from its start; error, joints, hold: see AdaptiveDynamics."""
    damping = np.full(scene.figure.nv, DAMPING)
    damping[scene.figure.root.v] = 0.0
    motion = AdaptiveDynamics(
        scene.figure,
        error=error,
        joints=joints,
        interval=INTERVAL,
        gravity=scene.gravity,
        damping=damping,
        contact=scene.contact,
        hold=hold,
    )
    motion.start(scene.q, scene.v)
    return motion


def adaptive_row(row: Row) -> Result:
    """Compare the positions of all links with those of the full motion, then time both."""
    scene = SCENES[row.model]()
    full, adaptive = started(scene), started(scene, scene.error, scene.joints)
    for motion in (full, adaptive):
        motion.advance(H, CHECKED_STEPS)
    there, here = (kinematics(scene.figure, motion.q).position for motion in (full, adaptive))
    distances = np.linalg.norm(here - there, axis=1)
    error = float(distances.max() / scene.size)
    assert error < 0.02, f"a link is {100 * error:.2g} % of the moving part's size off"
    ours, theirs = time_interleaved(
        lambda: adaptive.advance(H, INTERVAL), lambda: full.advance(H, INTERVAL), repeats=REPEATS
    )
    (seconds, spread), (full_seconds, _) = median_and_spread(ours), median_and_spread(theirs)
    more = {
        "active": float(np.median([choice.joints for choice in adaptive.choices])),
        "max_error_percent": 100.0 * error,
        "rms_error_percent": 100.0 * float(np.sqrt((distances**2).mean()) / scene.size),
    }
    check = f"all links within {100 * error:.1g} % of the full motion"
    ns, full_ns = (1e9 * each / INTERVAL for each in (seconds, full_seconds))
    contacts = f"up to {len(scene.contact.points)}" if scene.contact else "no"
    return Result(
        scene.figure.nv, check, H, contacts, ns, spread, "all active", full_ns, ratio(ours, theirs), more=more
    )


ADAPTIVE = {"adaptive": adaptive_row}
