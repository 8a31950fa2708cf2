"""Scenes of landing figures: a quadruped with joint springs, gymnasium's figures for MuJoCo, and Go2.

Every world starts a little above the ground, with random joint angles, attitude and velocities. All but the quadruped
have motors with random torques, and parts that touch each other.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import gymnasium
import mujoco
import numpy as np
from numpy.typing import NDArray

from benchmarks.contact.go2 import POSE, go2, go2_in_mujoco
from benchmarks.contact.mujoco_model import mujoco_model
from benchmarks.contact.variants import VARIANTS
from benchmarks.models import LIMB_LENGTH, figure_of
from gambol.actuation import TorqueMotor, actuators_of
from gambol.collide.broad import allowed_pairs
from gambol.contact import Stepping, SurfaceProperties
from gambol.control import Drive
from gambol.control.patterns import Commanded
from gambol.creatures.models import default_contact_parameters
from gambol.figure import Figure, JointSpring, Part, Sphere, Springs, resolve_springs
from gambol.formats import Model, read_mjcf
from gambol.world import Timing, World, depth_of

Array = NDArray[np.float64]

FOOT = 0.02  # m, radius
MODELS = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"

HOLD, LONGEST = 0.05, 2.0  # s: time for which a random torque lasts; simulated time

STEPS = {
    "quadruped": (1.0 / 60, 0.5 / 150),
    "half-cheetah": (HOLD / 6, HOLD / 11),
    "hopper": (HOLD / 4, HOLD / 9),
    "walker2d": (HOLD / 32, HOLD / 88),
    "ant": (HOLD / 32, HOLD / 96),
    "humanoid": (HOLD / 24, HOLD / 42),
    "Go2": (HOLD / 64, HOLD / 112),
    "ant, divided steps": (HOLD / 7, HOLD / 96),
    "ant 0.3 %": (HOLD / 15, HOLD / 224),
    "Go2, divided steps": (HOLD / 16, HOLD / 112),
    "humanoid 0.3 %": (HOLD / 18, HOLD / 80),
    "humanoid 0.1 %": (HOLD / 48, HOLD / 200),
    "hopper 0.3 %": (HOLD / 4, HOLD / 18),
    "half-cheetah 0.3 %": (HOLD / 6, HOLD / 30),
}
"""Step sizes of gambol and of MuJoCo [s]: whole numbers of steps in HOLD, and without motors in half a second.

gambol's steps, iterations and tolerance are those that fit_accuracy() finds, at one percent by an earlier rule: the
longest steps, not the cheapest (docs/use/benchmarks.md). MuJoCo's steps are the longest ones whose error after half a
second is not larger (settings.py finds both), or longer ones where its errors at 1 or 2 s are then smaller than
gambol's: both of humanoid, and Go2. fit_accuracy() divides the steps of ant and Go2 near landings, and those of the
humanoid at 0.3 percent, which it extrapolates. Where steps are divided, they are the longest with the errors that its
steps with equal parts of a third had (docs/measurements/errors-of-landings.md). The humanoid at 0.1 percent has the
settings of that at 0.3; its steps are the longest whose median distance of links is then 0.001 of its size, as
fit_accuracy() measures it. The rows of ant and Go2 without divided steps have equal ones: for the ant the longest that
it finds, 32 in HOLD; for Go2 it finds 96, but with 64, as in the row, errors over 256 worlds are at most MuJoCo's
(docs/measurements/contact-before.md)."""

TORQUE = {"Go2": 0.3}
"""Largest random torque, as a fraction of the motor's, 1 where none is given: with all of its torque, Go2's legs turn
by more than a radian in a step of 25 ms."""

MAX_CONTACTS = {"quadruped": 4, "ant": 6, "humanoid": 8, "hopper": 6, "walker2d": 8, "half-cheetah": 8, "Go2": 8}
"""Maximum number of contacts at once: at least MuJoCo's in the compared second, which are 4, 4 and 8."""

ITERATIONS = 4
"""Iterations of the solver, in all scenes."""

FRICTION = {
    "quadruped": 0.8,
    "ant": 1.0,
    "humanoid": 1.0,
    "hopper": 1.0,
    "walker2d": 1.0,
    "half-cheetah": 0.4,
    "Go2": 0.8,
}
"""Friction: of the feet of the quadruped, and of the files of the others."""

SECOND_ORDER = ("Go2", "humanoid", "hopper", "walker2d", "half-cheetah")
"""Scenes whose steps are evaluated at landings."""

MIDPOINT = ("quadruped",)
"""Scenes whose springs act by the midpoint rule."""

ACCELERATED = ("ant", "humanoid", "Go2")
"""Scenes in which sweeps stall in a quarter of the steps or more, and are accelerated there."""

STIFFNESS, DAMPING = 60.0, 1.0  # N m/rad, N m s/rad: the quadruped's joints deflect by some degrees under its weight
LEAST_DROP = 0.03  # m: of the quadruped
INSIDE = 0.25  # rad: distance from joint limits: 2.5 times the spread, so that few joints start beyond them
POSTURE = (0.0, 0.6, -1.2)  # rad: hip, thigh and shank


FREE_ROOT, FREE_PEER_ROOT, PLANAR_ROOT = slice(4, 7), slice(0, 3), slice(0, 2)
"""Coordinates of the position of a free root in q and in MuJoCo's qpos, and of a planar one in both."""


@dataclass(frozen=True)
class Scene:
    """A scene. world(step): gambol's world [s]; peer(): MuJoCo's model; posture: coordinates (nq) around which
    starts(worlds) draws initial q (nq, worlds), with v (nv, worlds). root, peer_root: coordinates of the root's
    position, in q and in MuJoCo's qpos. motors: number of motors; each has a random torque for HOLD seconds, then
    another one, up to a fraction `torque` of its largest.
    """

    world: Callable[[float], World]
    peer: Callable[[], Any]
    posture: Array
    starts: Callable[[int], tuple[Array, Array]]
    root: slice
    peer_root: slice
    motors: int = 0
    torque: float = 1.0

    @property
    def hold(self) -> float:
        """Time for which a random torque lasts, or between times of comparison without motors [s]."""
        return HOLD if self.motors else 0.5

    def actions(self, worlds: int) -> Array:
        """Return random torques as fractions of the largest (times, worlds, motors), uniform."""
        random = np.random.default_rng(13)
        return random.uniform(-self.torque, self.torque, (round(LONGEST / self.hold), worlds, self.motors))


@cache
def quadruped_with_feet() -> Figure:
    """Return the quadruped with a spherical foot at the end of each shank."""
    figure = figure_of("quadruped")
    ball = Part(Sphere(FOOT), (0.0, 0.0, -LIMB_LENGTH), inertial=False)
    given = (replace(link, parts=(ball,)) if link.name.startswith("shank") else link for link in figure.given_links)
    return replace(figure, given_links=tuple(given))


def posture() -> dict[str, Springs]:
    """Return springs that hold the quadruped's joints in its standing posture."""
    rest = dict(zip(("hip", "thigh", "shank"), POSTURE, strict=True))
    joints = (link.name for link in quadruped_with_feet().links if link.name != "trunk")
    return {name: JointSpring(stiffness=STIFFNESS, damping=DAMPING, rest=rest[name.split()[0]]) for name in joints}


def world_on_ground(
    name: str, figure: Figure, springs: Mapping[str, Springs], step: float, motors: Mapping[str, TorqueMotor]
) -> World:
    """Return the world of a figure on the ground, without restitution; step [s]; motors: follow commands."""
    touch = replace(default_contact_parameters(figure, 1.0), restitution=0.0, friction=FRICTION[name])
    pairs = () if name == "quadruped" else allowed_pairs(figure, springs=springs)
    timing = Timing(step, step, "semi-implicit euler", 3e-2)
    return World(
        figure,
        springs,
        surface=SurfaceProperties(touch),
        contact=Stepping(
            max_contacts=MAX_CONTACTS[name],
            iterations=ITERATIONS,
            second_order_landings=name in SECOND_ORDER,
            accelerated=name in ACCELERATED,
            midpoint_springs=name in MIDPOINT,
        ),
        pairs=pairs,
        controller=Drive(Commanded(len(motors)), motors) if motors else None,
        timing=timing,
    )


def random_starts(figure: Figure, middle: Array, worlds: int, drop: tuple[float, float]) -> tuple[Array, Array]:
    """Return random initial states around coordinates (nq): root tilt and joint angles 0.1 rad, drop heights [m]."""
    random = np.random.default_rng(7)
    q = np.repeat(middle[:, None], worlds, axis=1)
    if figure.root.joint.kind != "free":
        q[1] += random.uniform(*drop, worlds)
        q[2:] += 0.1 * random.standard_normal((figure.nq - 2, worlds))
        return q, 0.3 * random.standard_normal((figure.nv, worlds))
    q[1:4] += 0.05 * random.standard_normal((3, worlds))
    q[:4] /= np.linalg.norm(q[:4], axis=0)
    q[6] += random.uniform(*drop, worlds)
    q[7:] += 0.1 * random.standard_normal((figure.nq - 7, worlds))
    return q, 0.3 * random.standard_normal((figure.nv, worlds))


def within_limits(figure: Figure, springs: Mapping[str, Springs], q: Array) -> Array:
    """Return coordinates (nq) with joints at least INSIDE their limits: MuJoCo's limits are soft, ours are not."""
    limited = q.copy()
    for name, (spring, *_) in resolve_springs(figure, springs).items():
        place = figure.link(name).q
        limited[place] = np.clip(q[place], spring.lower + INSIDE, spring.upper - INSIDE)
    return limited


def _quadruped() -> Scene:
    figure, springs = quadruped_with_feet(), posture()
    height = LIMB_LENGTH * 2.0 * np.cos(POSTURE[1]) + FOOT + LEAST_DROP
    middle = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, height, *POSTURE * 4])
    return Scene(
        lambda step: world_on_ground("quadruped", figure, springs, step, {}),
        lambda: mujoco_model(figure, springs, FRICTION["quadruped"]),
        middle,
        lambda worlds: random_starts(figure, middle, worlds, (0.0, 0.05)),
        FREE_ROOT,
        FREE_PEER_ROOT,
    )


def _gymnasium_scene(name: str, file: str = "") -> Scene:
    path = MODELS / f"{file or name}.xml"
    source = read_mjcf(path)
    figure, springs, motors = source.figure, dict(source.springs), motors_of(source)
    middle = within_limits(figure, springs, np.array(source.q))

    def peer() -> Any:
        model: Any = mujoco.MjModel.from_xml_path(str(path))
        model.geom_margin[:] = 0.0  # no contact margin, as in gambol
        model.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
        return model

    return Scene(
        lambda step: world_on_ground(name, figure, springs, step, motors),
        peer,
        middle,
        lambda worlds: random_starts(figure, middle, worlds, (0.0, 0.05)),
        *((FREE_ROOT, FREE_PEER_ROOT) if figure.root.joint.kind == "free" else (PLANAR_ROOT, PLANAR_ROOT)),
        len(motors),
    )


def _variant(name: str) -> Scene:
    """Return a scene with other settings; control steps last as long as torques, so that each world divides its own."""
    variant = VARIANTS[name]
    scene = scene_of(variant.scene)

    def world(step: float) -> World:
        usual = scene.world(step)
        method: Any = usual.method
        timing = replace(usual.timing, control_step=scene.hold, tolerance=variant.tolerance)
        return replace(usual, contact=replace(method, **variant.options), timing=timing)

    return replace(scene, world=world)


def motors_of(source: Model) -> dict[str, TorqueMotor]:
    """Return the torque motors of a model, by name, in the order of MuJoCo's controls."""
    motors: dict[str, TorqueMotor] = {}
    for name, motor in actuators_of(source).items():
        assert isinstance(motor, TorqueMotor), f"{name} is a {motor.kind}"
        motors[name] = motor
    return motors


def _go2() -> Scene:
    source = go2()
    figure, springs, motors = source.figure, dict(source.springs), motors_of(source)
    standing = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, *POSE])
    standing[6] = depth_of(world_on_ground("Go2", figure, springs, HOLD, motors), standing.tolist())
    return Scene(
        lambda step: world_on_ground("Go2", figure, springs, step, motors),
        lambda: go2_in_mujoco(FRICTION["Go2"]),
        standing,
        lambda worlds: random_starts(figure, standing, worlds, (0.03, 0.08)),
        FREE_ROOT,
        FREE_PEER_ROOT,
        len(motors),
        TORQUE["Go2"],
    )


SCENES: dict[str, Callable[[], Scene]] = {
    "quadruped": _quadruped,
    "ant": lambda: _gymnasium_scene("ant"),
    "humanoid": lambda: _gymnasium_scene("humanoid"),
    "hopper": lambda: _gymnasium_scene("hopper"),
    "walker2d": lambda: _gymnasium_scene("walker2d", "walker2d_v5"),
    "half-cheetah": lambda: _gymnasium_scene("half-cheetah", "half_cheetah"),
    "Go2": _go2,
    **{name: partial(_variant, name) for name in VARIANTS},
}


@cache
def scene_of(name: str) -> Scene:
    """Return the scene of this name, from a cache."""
    return SCENES[name]()
