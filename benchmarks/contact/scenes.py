"""Figures that land and stand, or fall: a quadruped on springs, and MuJoCo's own ant and humanoid with limp joints.

Every world starts a little above the ground, at joint angles, attitudes and speeds of its own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import gymnasium
import mujoco
import numpy as np
from numpy.typing import NDArray

from benchmarks.contact.twin import standing_twin
from benchmarks.models import LIMB_LENGTH, figure_of
from gambol.collide.broad import allowed_pairs
from gambol.creatures.specimens import touch_for
from gambol.figure import Figure, JointSpring, Part, Sphere, Springs, resolve_springs
from gambol.formats import read_mjcf
from gambol.world import Timing, World

Array = NDArray[np.float64]

FRAME = 0.04  # s: all steps that are compared divide it
SECOND = 25  # frames
FOOT = 0.02  # m, radius
MODELS = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"

STEPS = {"quadruped": (FRAME / 12.0, 4e-3), "ant": (1e-2, FRAME / 7.0), "humanoid": (FRAME / 11.0, 4e-3)}
"""Steps of gambol and of MuJoCo at which both are equally accurate, or gambol more so [s]."""

ROOM = {"quadruped": 4, "ant": 6, "humanoid": 8}
"""Contacts at once: no fewer than MuJoCo ever has in the compared second, which are 4, 4 and 8."""

ROUNDS = {"quadruped": 4, "ant": 4, "humanoid": 6}
"""Rounds of the solver that leave errors no larger than MuJoCo's at these steps."""

FRICTION = {"quadruped": 0.8, "ant": 1.0, "humanoid": 1.0}
"""Of the feet of the first, and as the files of the others say."""

STIFFNESS, DAMPING = 60.0, 1.0  # N m/rad, N m s/rad: the quadruped's posture gives way by some degrees under its weight
INSIDE = 0.25  # rad: joints that start 2.5 times their spread within their limits seldom start beyond
POSTURE = (0.0, 0.6, -1.2)  # rad: hip, thigh and shank


@dataclass(frozen=True)
class Scene:
    """What lands. world: with steps of a length [s]. peer: MuJoCo's model of the same. starts: q (nq, worlds) and v
    (nv, worlds) of so many worlds.
    """

    world: Callable[[float], World]
    peer: Callable[[], Any]
    starts: Callable[[int], tuple[Array, Array]]


@cache
def footed() -> Figure:
    """The benchmarks' quadruped with a ball at the end of each shank."""
    figure = figure_of("quadruped")
    ball = Part(Sphere(FOOT), (0.0, 0.0, -LIMB_LENGTH), inertial=False)
    given = (replace(link, parts=(ball,)) if link.name.startswith("shank") else link for link in figure.given)
    return replace(figure, given=tuple(given))


def posture() -> dict[str, Springs]:
    """The springs that hold the quadruped's joints where it stands."""
    rest = dict(zip(("hip", "thigh", "shank"), POSTURE, strict=True))
    joints = (link.name for link in footed().links if link.name != "trunk")
    return {name: JointSpring(stiffness=STIFFNESS, damping=DAMPING, rest=rest[name.split()[0]]) for name in joints}


def on_the_ground(name: str, figure: Figure, springs: Mapping[str, Springs], step: float) -> World:
    """A world of a figure with contacts that do not bounce."""
    touch = replace(touch_for(figure, 1.0), restitution=0.0, friction=FRICTION[name])
    pairs = () if name == "quadruped" else allowed_pairs(figure, springs=springs)
    timing = Timing(FRAME, step, "semi-implicit euler")
    room, rounds = ROOM[name], ROUNDS[name]
    return World(figure, springs, touch=touch, contact="stepping", pairs=pairs, room=room, rounds=rounds, timing=timing)


def spread(figure: Figure, middle: Array, worlds: int, drop: tuple[float, float]) -> tuple[Array, Array]:
    """Starts about coordinates (nq): a root tilted by 0.1 rad, angles by as much, drops between two heights [m]."""
    random = np.random.default_rng(7)
    q = np.repeat(middle[:, None], worlds, axis=1)
    q[1:4] += 0.05 * random.standard_normal((3, worlds))
    q[:4] /= np.linalg.norm(q[:4], axis=0)
    q[6] += random.uniform(*drop, worlds)
    q[7:] += 0.1 * random.standard_normal((figure.nq - 7, worlds))
    return q, 0.3 * random.standard_normal((figure.nv, worlds))


def within_limits(figure: Figure, springs: Mapping[str, Springs], q: Array) -> Array:
    """Coordinates (nq) whose joints are within their limits by INSIDE or more: MuJoCo's limits are soft, ours not."""
    held = q.copy()
    for name, (spring, *_) in resolve_springs(figure, springs).items():
        place = figure.link(name).q
        held[place] = np.clip(q[place], spring.lower + INSIDE, spring.upper - INSIDE)
    return held


def _quadruped() -> Scene:
    figure, springs = footed(), posture()
    height = LIMB_LENGTH * 2.0 * np.cos(POSTURE[1]) + FOOT
    middle = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, height, *POSTURE * 4])
    return Scene(
        lambda step: on_the_ground("quadruped", figure, springs, step),
        lambda: standing_twin(figure, springs, FRICTION["quadruped"]),
        lambda worlds: spread(figure, middle, worlds, (0.03, 0.08)),
    )


def _of_a_file(name: str) -> Scene:
    path = MODELS / f"{name}.xml"
    specimen = read_mjcf(path)
    figure, springs = specimen.figure, dict(specimen.springs)
    middle = within_limits(figure, springs, np.array(specimen.q))

    def peer() -> Any:
        model: Any = mujoco.MjModel.from_xml_path(str(path))
        model.geom_margin[:] = 0.0  # bodies touch where they are, as they do here
        model.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
        return model

    return Scene(
        lambda step: on_the_ground(name, figure, springs, step),
        peer,
        lambda worlds: spread(figure, middle, worlds, (0.0, 0.05)),
    )


SCENES: dict[str, Callable[[], Scene]] = {
    "quadruped": _quadruped,
    "ant": lambda: _of_a_file("ant"),
    "humanoid": lambda: _of_a_file("humanoid"),
}


@cache
def scene_of(name: str) -> Scene:
    """The scene of this name, made once."""
    return SCENES[name]()
