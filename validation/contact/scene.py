"""Scenes of contact: a figure on a plane, moved by any contact method of a world, and the track it leaves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gambol.collide.broad import Pair
from gambol.contact import Touch
from gambol.figure import Figure, Joint, JointSpring, Link, MassProperties, Part, Triple
from gambol.figure.measures import varying
from gambol.figure.shapes import Shape, Sphere
from gambol.world import Engine, State, Timing, World, start
from gambol.world.world import CONTACT_METHODS
from validation.problem import Array

LARGE = tuple(name for name in CONTACT_METHODS if name != "penalty")
"""Methods on velocities, in large steps."""

COMPILED_IN = ("impulse", "constraint")
"""Methods that have the measures of a figure compiled in, so that figures of other measures are other programs."""

SOFT = Touch(
    stiffness=1e6,
    alpha=0.0,
    beta=1.0,
    damping=0.0,
    deepest=1.0,
    restitution=1.0,
    restitution_speed=1e-3,
    friction=0.0,
    bristle_stiffness=1e6,
    bristle_damping=1e3,
    skid_damping=1e4,
)
"""The ground of penalty: a kilogram lies 10 micrometres deep in it. Its springs give back e^2 of their energy."""

TOLERANCE = 1e-7
"""Penalty controls its own steps; the method of constraints moves by RK4 in fixed ones."""

TIP = 1e-6
"""Radius of a ball that stands for a point of a body [m]."""


@dataclass(frozen=True)
class Scene:
    """A figure over the plane z = 0.

    friction, restitution: of everything. gravity: free fall in world axes [m/s2]; a slope is gravity that leans.
    feet: links whose corners grip by bristles under penalty; damping: of its ground [N s/m]. pairs: parts that may
    touch each other. rounds, room, hypothesis: as of a World.
    """

    figure: Figure
    friction: float = 0.0
    restitution: float = 0.0
    gravity: Triple = (0.0, 0.0, -9.81)
    feet: tuple[str, ...] = ()
    damping: float = 0.0
    pairs: tuple[Pair, ...] = ()
    springs: Mapping[str, JointSpring] = field(default_factory=dict[str, JointSpring])
    rounds: int = 20
    room: int = 12
    hypothesis: str = "stronge"
    soft: Touch = SOFT

    def world(self, method: str, frame: float, step: float) -> World:
        """The scene by a contact method in steps [s]; penalty's are its own, from this one on."""
        e = self.restitution**2 if method == "penalty" else self.restitution
        return World(
            self.figure,
            self.springs,
            touch=replace(self.soft, friction=self.friction, restitution=e, damping=self.damping),
            feet=self.feet,
            gravity=self.gravity,
            timing=Timing(frame, step, "rkf" if method == "penalty" else "rk4", TOLERANCE),
            contact=method,
            hypothesis=self.hypothesis,
            room=self.room,
            rounds=self.rounds,
            pairs=self.pairs,
        )


@dataclass(frozen=True)
class Track:
    """Where a scene went: times (T,) [s], coordinates (T, nq) and velocities (T, nv), the start among them."""

    t: Array
    q: Array
    v: Array


def tracked(
    scene: Scene, method: str, step: float, q: Array, v: Array, seconds: float, frame: float | None = None
) -> Track:
    """The track of a scene from q and v on, seen in frames, by default in every step."""
    frame = frame or step
    world = scene.world(method, frame, min(step, frame) if method != "penalty" else 1e-5)
    engine, state = Engine(world, lanes=1), start(world)
    state.q[0], state.v[0] = q, v
    seen = [(state.q[0].copy(), state.v[0].copy())]
    for k in range(1, round(seconds / frame) + 1):
        engine.move(state, k)
        seen.append((state.q[0].copy(), state.v[0].copy()))
    if state.living.clock.status[0] != 0.0:
        raise RuntimeError(f"{scene.figure.name} by {method} stopped at {state.time[0]:g} s")
    return Track(np.arange(len(seen)) * frame, *(np.array(x) for x in zip(*seen, strict=True)))


def together(worlds: Sequence[World], starts: Sequence[tuple[Array, Array]]) -> tuple[Engine, Array, State]:
    """An engine for worlds whose figures differ in measures only, their numbers, and their state at given q and v.

    Methods "impulse" and "constraint" have measures compiled in, so only one world at a time can be theirs.
    """
    if len(worlds) == 1:
        engine, state = Engine(worlds[0], lanes=1), start(worlds[0])
    else:
        names = varying([world.figure for world in worlds])
        engine, state = Engine(worlds[0].varying(names)), start(worlds[0], len(worlds))
    for k, (q, v) in enumerate(starts):
        state.q[k], state.v[k] = q, v
    return engine, engine.numbers_of(worlds), state


def tracked_together(
    scenes: Sequence[Scene], method: str, step: float, starts: Sequence[tuple[Array, Array]], seconds: float
) -> list[Track]:
    """The tracks of scenes whose figures differ in measures only, from their q and v on, seen in every step."""
    if method in COMPILED_IN:
        each = zip(scenes, starts, strict=True)
        return [tracked(scene, method, step, q, v, seconds) for scene, (q, v) in each]
    engine, numbers, state = together([scene.world(method, step, step) for scene in scenes], starts)
    seen = [(state.q.copy(), state.v.copy())]
    for k in range(1, round(seconds / step) + 1):
        engine.move(state, k, numbers)
        seen.append((state.q.copy(), state.v.copy()))
    if state.living.clock.status.any():
        raise RuntimeError(f"{scenes[0].figure.name} by {method} stopped at {state.time.min():g} s")
    q, v = (np.array(x) for x in zip(*seen, strict=True))
    return [Track(np.arange(len(seen)) * step, q[:, k], v[:, k]) for k in range(len(scenes))]


def leaning(degrees: float, strength: float = 9.81) -> Triple:
    """Gravity on a slope that falls towards x, told along the slope."""
    angle = np.radians(degrees)
    return (strength * float(np.sin(angle)), 0.0, -strength * float(np.cos(angle)))


def free_body(name: str, shape: Shape, mass: float = 1.0) -> Figure:
    """A uniform body that moves freely."""
    density = mass / shape.mass_properties(1.0).mass
    return Figure(name, (Link(name, None, Joint("free"), (Part(shape, density=density),)),))


def in_plane(name: str, mass: MassProperties, points: list[Triple]) -> Figure:
    """A body in the plane of x and z that touches with points; q: its turn about -y, from x to z, then x and z [m]."""
    joint = Joint("planar", (0.0, -1.0, 0.0), across=(1.0, 0.0, 0.0))
    parts = tuple(Part(Sphere(TIP), point, inertial=False) for point in points)
    return Figure(name, (Link(name, None, joint, parts, mass),))


def flat(mass: float, about_y: float, com: Triple = (0.0, 0.0, 0.0)) -> MassProperties:
    """Mass properties of a body that moves in the plane of x and z."""
    return MassProperties(mass, com, ((about_y, 0.0, 0.0), (0.0, about_y, 0.0), (0.0, 0.0, about_y)))


def placed(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Array:
    """Coordinates of a free body that has not turned."""
    return np.array([1.0, 0.0, 0.0, 0.0, x, y, z])


def world_velocity(q: Array, v: Array) -> tuple[Array, Array]:
    """Angular and linear velocities (T, 3) of a free body in world axes, from q (T, 7) and v (T, 6)."""
    turns = rotations(q[:, :4])
    return np.einsum("tij,tj->ti", turns, v[:, :3]), np.einsum("tij,tj->ti", turns, v[:, 3:])


def rotations(quaternions: Array) -> Array:
    """Rotation matrices (T, 3, 3) of unit quaternions (T, 4)."""
    w, x, y, z = quaternions.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)
