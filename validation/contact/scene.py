"""Contact scenes: a figure on a plane, simulated with any contact method, and its trajectory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gambol.collide.broad import Pair
from gambol.contact import CONTACT_METHODS, ContactParameters, SurfaceProperties, contact_method
from gambol.figure import Figure, Joint, JointSpring, Link, MassProperties, Part, Triple
from gambol.figure.parameters import varying
from gambol.figure.shapes import Shape, Sphere
from gambol.world import Engine, State, Timing, World, start
from validation.problem import Array

TIME_STEPPING = tuple(name for name, method in CONTACT_METHODS.items() if not method.scheme.compliant)
"""Velocity-level methods with large steps."""

COMPILED_IN = tuple(name for name, method in CONTACT_METHODS.items() if not method.figure_parameters)
"""Methods with the parameters of a figure compiled in, so that other parameters need another program."""

SOFT = ContactParameters(
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
"""The ground of penalty: 1 kg sinks 10 micrometres into it. Its springs return e^2 of their energy."""

TOLERANCE = 1e-7
"""Tolerance of penalty's adaptive steps; the constraint method uses RK4 with fixed steps."""

TIP = 1e-6
"""Radius of a ball that represents a point of a body [m]."""


@dataclass(frozen=True)
class Scene:
    """A figure over the plane z = 0.

    friction, restitution: of all surfaces; gravity: in world axes [m/s2], inclined for a slope; feet: links whose
    corners have bristle friction under penalty; damping: of its ground [N s/m]; pairs: parts that may collide;
    iterations, max_contacts, hypothesis: as of a World; integrator, tolerance, min_step: of
    penalty.
    """

    figure: Figure
    friction: float = 0.0
    restitution: float = 0.0
    gravity: Triple = (0.0, 0.0, -9.81)
    feet: tuple[str, ...] = ()
    damping: float = 0.0
    pairs: tuple[Pair, ...] = ()
    springs: Mapping[str, JointSpring] = field(default_factory=dict[str, JointSpring])
    iterations: int = 20
    max_contacts: int = 12
    hypothesis: str = "stronge"
    soft: ContactParameters = SOFT
    integrator: str = "rkf"
    tolerance: float = TOLERANCE
    min_step: float = 1e-9

    def world(self, method: str, control_step: float, step: float) -> World:
        """Return the world of a contact method with this step [s]; for penalty it is the initial step."""
        e = self.restitution**2 if method == "penalty" else self.restitution
        return World(
            self.figure,
            self.springs,
            surface=SurfaceProperties(
                replace(self.soft, friction=self.friction, restitution=e, damping=self.damping), feet=self.feet
            ),
            contact=contact_method(
                method, hypothesis=self.hypothesis, max_contacts=self.max_contacts, iterations=self.iterations
            ),
            gravity=self.gravity,
            timing=Timing(
                control_step, step, self.integrator if method == "penalty" else "rk4", self.tolerance, self.min_step
            ),
            pairs=self.pairs,
        )


@dataclass(frozen=True)
class Trajectory:
    """The trajectory of a scene: times (T,) [s], coordinates (T, nq) and velocities (T, nv), with the initial state."""

    t: Array
    q: Array
    v: Array


def simulate(
    scene: Scene, method: str, step: float, q: Array, v: Array, seconds: float, control_step: float | None = None
) -> Trajectory:
    """Simulate a scene from q and v; return its trajectory, sampled every control step [s], by default every step."""
    control_step = control_step or step
    world = scene.world(method, control_step, min(step, control_step) if method != "penalty" else 1e-5)
    engine, state = Engine(world, lanes=1), start(world)
    state.q[0], state.v[0] = q, v
    seen = [(state.q[0].copy(), state.v[0].copy())]
    for k in range(1, round(seconds / control_step) + 1):
        engine.advance(state, k)
        seen.append((state.q[0].copy(), state.v[0].copy()))
    if state.step_state.clock.status[0] != 0.0:
        raise RuntimeError(f"{scene.figure.name} by {method} stopped at {state.time[0]:g} s")
    return Trajectory(np.arange(len(seen)) * control_step, *(np.array(x) for x in zip(*seen, strict=True)))


def engine_of_worlds(worlds: Sequence[World], starts: Sequence[tuple[Array, Array]]) -> tuple[Engine, Array, State]:
    """Return an engine for worlds whose figures differ in parameters only, their inputs, and their state at q and v.

    Methods "impulse" and "constraint" have parameters compiled in, so they allow only one world at a time.
    """
    if len(worlds) == 1:
        engine, state = Engine(worlds[0], lanes=1), start(worlds[0])
    else:
        names = varying([world.figure for world in worlds])
        engine, state = Engine(worlds[0].parametrised_by(names)), start(worlds[0], len(worlds))
    for k, (q, v) in enumerate(starts):
        state.q[k], state.v[k] = q, v
    return engine, engine.numbers_of(worlds), state


def simulate_together(
    scenes: Sequence[Scene], method: str, step: float, starts: Sequence[tuple[Array, Array]], seconds: float
) -> list[Trajectory]:
    """Simulate scenes whose figures differ in parameters only; return their trajectories, sampled every step."""
    if method in COMPILED_IN:
        each = zip(scenes, starts, strict=True)
        return [simulate(scene, method, step, q, v, seconds) for scene, (q, v) in each]
    engine, numbers, state = engine_of_worlds([scene.world(method, step, step) for scene in scenes], starts)
    seen = [(state.q.copy(), state.v.copy())]
    for k in range(1, round(seconds / step) + 1):
        engine.advance(state, k, numbers)
        seen.append((state.q.copy(), state.v.copy()))
    if state.step_state.clock.status.any():
        raise RuntimeError(f"{scenes[0].figure.name} by {method} stopped at {state.time.min():g} s")
    q, v = (np.array(x) for x in zip(*seen, strict=True))
    return [Trajectory(np.arange(len(seen)) * step, q[:, k], v[:, k]) for k in range(len(scenes))]


def slope_gravity(degrees: float, strength: float = 9.81) -> Triple:
    """Return gravity on a slope that descends towards x, in axes along the slope."""
    angle = np.radians(degrees)
    return (strength * float(np.sin(angle)), 0.0, -strength * float(np.cos(angle)))


def free_body(name: str, shape: Shape, mass: float = 1.0) -> Figure:
    """Return a uniform body with a free joint."""
    density = mass / shape.mass_properties(1.0).mass
    return Figure(name, (Link(name, None, Joint("free"), (Part(shape, density=density),)),))


def in_plane(name: str, mass: MassProperties, points: list[Triple]) -> Figure:
    """Return a body in the x-z plane with contact points; q: rotation about -y, from x to z, then x and z [m]."""
    joint = Joint("planar", (0.0, -1.0, 0.0), across=(1.0, 0.0, 0.0))
    parts = tuple(Part(Sphere(TIP), point, inertial=False) for point in points)
    return Figure(name, (Link(name, None, joint, parts, mass),))


def flat(mass: float, about_y: float, com: Triple = (0.0, 0.0, 0.0)) -> MassProperties:
    """Return mass properties of a body that moves in the x-z plane."""
    return MassProperties(mass, com, ((about_y, 0.0, 0.0), (0.0, about_y, 0.0), (0.0, 0.0, about_y)))


def free_body_q(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Array:
    """Return the coordinates of a free body without rotation."""
    return np.array([1.0, 0.0, 0.0, 0.0, x, y, z])


def world_velocity(q: Array, v: Array) -> tuple[Array, Array]:
    """Return angular and linear velocities (T, 3) of a free body in world axes, from q (T, 7) and v (T, 6)."""
    turns = rotations(q[:, :4])
    return np.einsum("tij,tj->ti", turns, v[:, :3]), np.einsum("tij,tj->ti", turns, v[:, 3:])


def rotations(quaternions: Array) -> Array:
    """Return rotation matrices (T, 3, 3) of unit quaternions (T, 4)."""
    w, x, y, z = quaternions.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)
