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
from gambol.figure import Triple, rotation_about

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
    """A figure with a state. gravity [m/s2]. error: bound, or None with `joints` active. size: of what moves [m].

    step: length of a step [s]; interval: steps from one choice of joints to the next. tau: joint forces (nv), None: 0;
    damping: of joints (nv), None: DAMPING.
    """

    figure: Figure
    q: Array
    v: Array
    gravity: float
    error: float | None
    joints: int | None
    size: float
    contact: CompliantGround | None = None
    step: float = H
    interval: int = INTERVAL
    tau: Array | None = None
    damping: Array | None = None


HINGE = Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, 0.0, -LENGTH))


def chain(links: int) -> Figure:
    """Return a chain that hangs down, with parallel hinges."""
    joints = [Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, 0.0, -LENGTH if i else 0.0)) for i in range(links)]
    made = (Link(f"{i}", f"{i - 1}" if i else None, joint, given_mass=BODY) for i, joint in enumerate(joints))
    return Figure("chain", tuple(made))


def rope() -> Scene:
    """A rope of 10,000 links hangs; its lower end is bent aside and let go.

    The uppermost joint carries T = 98,100 N. Links that tilt to alternate sides oscillate there with sqrt(T L / I) =
    3,130 rad/s, so the full motion is unstable with steps above 2 / 3,130 s: in steps of 1 ms, rounding errors grow to
    50 rad/s in 40 steps.
    """
    q = np.zeros(10000)
    q[-60:] = 0.03
    return Scene(chain(10000), q, np.zeros(10000), 9.81, 0.003, None, 60 * LENGTH, step=H / 2, interval=2 * INTERVAL)


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


PEOPLE, SPACING = 200, 1.2  # number, and distance in a square [m]
RELAXATION = 20.0  # damping of a person's joint, as a multiple of the inertia of the link behind it [1/s]
PITCH, SIDE, YAW = (0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)


def person(name: str, root: str, place: Triple) -> list[Link]:
    """Return the 89 links of a limp person, 1.8 m tall, who hangs at a place of a root link by the top of the head.

    Each link hangs below the one before it: 14 of head, neck and back, 1 pelvis; in each arm 4, and 5 fingers of 3; in
    each leg 3, and 5 toes of 3. Shoulders, hips and the top of the head are ball joints, all others hinges.
    """
    links = list[Link]()

    def add(part: str, parent: str, size: tuple[float, float], joint: Joint) -> str:
        """Add a link, a rod with a length [m] and a mass [kg]; return its name."""
        (length, mass), across = size, 0.06 * size[0]
        I = mass * (length**2 / 12.0 + across**2 / 4.0)
        inertia = ((I, 0.0, 0.0), (0.0, I, 0.0), (0.0, 0.0, mass * across**2 / 2.0))
        body = MassProperties(mass, (0.0, 0.0, -length / 2.0), inertia)
        links.append(Link(f"{name} {part}", parent, joint, given_mass=body))
        return links[-1].name

    def hinge(z: float, axis: Triple = PITCH, x: float = 0.0, y: float = 0.0) -> Joint:
        return Joint("revolute", axis, position=(x, y, z))

    above = add("head", root, (0.24, 5.0), Joint("spherical", position=place))
    drop = -0.24
    back = [("neck", 3, (0.04, 0.4)), ("spine", 10, (0.05, 2.5))]
    for part, count, size in back:
        for k in range(count):
            above, drop = add(f"{part} {k}", above, size, hinge(drop, SIDE if k % 2 else PITCH)), -size[0]
    pelvis = add("pelvis", above, (0.1, 8.0), hinge(drop, YAW))
    for side, y in (("left", 1.0), ("right", -1.0)):
        arm = add(f"{side} clavicle", f"{name} spine 0", (0.05, 0.6), hinge(-0.05, SIDE, y=0.1 * y))
        arm = add(f"{side} upper arm", arm, (0.3, 2.2), Joint("spherical", position=(0.0, 0.08 * y, -0.02)))
        arm = add(f"{side} forearm", arm, (0.26, 1.4), hinge(-0.3))
        hand = add(f"{side} hand", arm, (0.1, 0.5), hinge(-0.26, SIDE))
        leg = add(f"{side} thigh", pelvis, (0.42, 9.0), Joint("spherical", position=(0.0, 0.1 * y, -0.1)))
        leg = add(f"{side} shank", leg, (0.42, 3.8), hinge(-0.42))
        foot = add(f"{side} foot", leg, (0.1, 1.0), hinge(-0.42))
        for end, part, size in ((hand, "finger", (0.03, 0.02)), (foot, "toe", (0.02, 0.03))):
            for finger in range(5):
                tip, z = end, -0.1
                for k in range(3):
                    offset = 0.02 * (finger - 2) if k == 0 else 0.0
                    tip, z = add(f"{side} {part} {finger}{k}", tip, size, hinge(z, x=offset)), -size[0]
    return links


def crowd() -> Scene:
    """200 limp people, 17,800 links, hang from a roof by their heads; an arm or a leg of six of them swings.

    Constant joint forces hold all others at rest.
    """
    links = [Link("roof", None, Joint("fixed"), given_mass=BODY)]
    for i in range(PEOPLE):
        links += person(f"{i}", "roof", (SPACING * (i % 20), SPACING * (i // 20), 0.0))
    figure = Figure("crowd", tuple(links))
    q, v, damping = np.zeros(figure.nq), np.zeros(figure.nv), np.zeros(figure.nv)
    for link in figure.links:
        damping[link.v] = RELAXATION * link.mass_properties.inertia[0][0]
        if link.joint.kind == "spherical":
            q[link.q.start] = 1.0
    for i, part in ((7, "left"), (42, "right"), (83, "left"), (101, "right"), (150, "left"), (188, "right")):
        v[figure.link(f"{i} {part} {'forearm' if i % 2 else 'shank'}").v] = 3.0
        v[figure.link(f"{i} {part} {'upper arm' if i % 2 else 'thigh'}").v] = (0.5, 2.0, 0.0)
    return Scene(figure, q, v, 9.81, 0.01, None, 1.0, tau=holding_forces(figure, q), damping=damping)


def holding_forces(figure: Figure, q: Array) -> Array:
    """Return the joint forces (nv) that hold a figure of hinges and ball joints, whose axes are those of the world.

    A joint at P carries the weight M g at C of all links behind it by the torque -(C - P) x M g.
    """
    states, tau = kinematics(figure, q), np.zeros(figure.nv)
    moments = np.zeros((len(figure.links), 4))  # mass, and mass times centre, of a link with all behind it
    for i, link in reversed(list(enumerate(figure.links))):
        mass, position = link.mass_properties, states.position[i]
        moments[i] += mass.mass * np.array([1.0, *(position + mass.com)])
        if i:
            moments[link.parent_index - 1] += moments[i]
        torque = -np.cross(moments[i, 1:] - moments[i, 0] * position, (0.0, 0.0, -9.81))
        tau[link.v] = torque if link.joint.kind == "spherical" else torque @ np.array(link.joint.axis)
    return tau


SCENES: dict[str, Callable[[], Scene]] = {each.__name__: each for each in (rope, pendulum, leaves, net, snake, crowd)}


def started(
    scene: Scene,
    error: float | None = None,
    joints: int | None = None,
    hold: Literal["if faster", "always"] = "if faster",
) -> AdaptiveDynamics:
    """Return the motion of a scene from its start; error, joints, hold: see AdaptiveDynamics."""
    damping = np.full(scene.figure.nv, DAMPING) if scene.damping is None else scene.damping
    damping[scene.figure.root.v] = 0.0
    motion = AdaptiveDynamics(
        scene.figure,
        error=error,
        joints=joints,
        interval=scene.interval,
        gravity=scene.gravity,
        tau=scene.tau,
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
        motion.advance(scene.step, round(CHECKED_STEPS * H / scene.step))
    there, here = (kinematics(scene.figure, motion.q).position for motion in (full, adaptive))
    distances = np.linalg.norm(here - there, axis=1)
    error = float(distances.max() / scene.size)
    assert error < 0.02, f"a link is {100 * error:.2g} % of the moving part's size off"
    ours, theirs = time_interleaved(
        lambda: adaptive.advance(scene.step, scene.interval),
        lambda: full.advance(scene.step, scene.interval),
        repeats=REPEATS,
    )
    (seconds, spread), (full_seconds, _) = median_and_spread(ours), median_and_spread(theirs)
    more = {
        "active": float(np.median([choice.joints for choice in adaptive.choices])),
        "max_error_percent": 100.0 * error,
        "rms_error_percent": 100.0 * float(np.sqrt((distances**2).mean()) / scene.size),
    }
    check = f"all links within {100 * error:.1g} % of the full motion"
    ns, full_ns = (1e9 * each / scene.interval for each in (seconds, full_seconds))
    contacts = f"up to {len(scene.contact.points)}" if scene.contact else "no"
    return Result(
        scene.figure.nv, check, scene.step, contacts, ns, spread, "all active", full_ns, ratio(ours, theirs), more=more
    )


ADAPTIVE = {"adaptive": adaptive_row}
