"""Random scenes of contact: bodies, trees and closed loops of any shapes, alone or on each other, on any ground.

A seed gives a scene, of one compiled program; its worlds differ in friction, restitution, positions, velocities and the
impulses of the step before.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from worlds import diagonal, touch

from gambol.collide import Ground, HeightGrid, NoGround, Plane
from gambol.collide.broad import allowed_pairs
from gambol.collide.hills import random_hills
from gambol.contact import Stepping, SurfaceProperties
from gambol.figure import (
    JOINTS,
    Box,
    Capsule,
    Closure,
    Cylinder,
    Ellipsoid,
    Figure,
    Frustum,
    Hull,
    Joint,
    JointSpring,
    Link,
    Part,
    Sphere,
    make_forest,
    random_figure,
)
from gambol.figure.anisotropic_friction import AnisotropicFriction
from gambol.figure.generator import random_rotation
from gambol.figure.shapes import Shape
from gambol.lanes import Program
from gambol.world import Engine, State, Timing, World, start

Random = np.random.Generator
STEPS = (1e-4, 1e-2)  # s
MAX_PAIRS = 4  # pairs of parts of a scene: each kind of pair takes time to compile
JOINT_KINDS = ("revolute", "prismatic", "spherical", "universal", "cylindrical", "helical", "planar")

SHAPES: tuple[Callable[[Random, float], Shape], ...] = (
    lambda random, size: Sphere(size),
    lambda random, size: Capsule(0.4 * size, size),
    lambda random, size: Box(tuple((size * random.uniform(0.2, 2.0, 3)).tolist())),
    lambda random, size: Cylinder(size, size * 10.0 ** float(random.uniform(-1.5, 0.5))),
    lambda random, size: Frustum(size, float(size * random.uniform(0.0, 1.0)), size),
    lambda random, size: Ellipsoid(tuple((size * random.uniform(0.3, 1.5, 3)).tolist())),
    lambda random, size: Hull(tuple(map(tuple, (size * random.normal(size=(7, 3))).tolist()))),
)


def random_part(random: Random, size: float, *, density: float = 0.0) -> Part:
    """Return a part of a random shape; density 0: it has no mass. One of eight is rough in one direction."""
    shape = SHAPES[random.integers(len(SHAPES))](random, size)
    scales = AnisotropicFriction(1.0, 0.2, 0.6) if random.random() < 0.125 else None
    rotation = random_rotation(random)
    place = tuple(random.normal(scale=0.5 * size, size=3).tolist())
    return Part(shape, place, rotation, density or 1.0, inertial=density > 0.0, anisotropic_friction=scales)


def body(random: Random) -> Figure:
    """Return a free body of 1 g to 1 t."""
    part = replace(random_part(random, 0.15, density=1.0), position=(0.0, 0.0, 0.0))
    density = 10.0 ** float(random.uniform(-3.0, 3.0)) / part.shape.mass_properties(1.0).mass
    return Figure("body", (Link("body", None, Joint("free"), (replace(part, density=density),)),))


def tree(random: Random, branching: float = 1.0) -> Figure:
    """Return a free tree of 2 to 5 links; a link has 1/1000 to all of the mass of its parent."""
    figure = random_figure(
        int(random.integers(2**31)),
        int(random.integers(2, 6)),
        kinds=JOINT_KINDS,
        root="free",
        branching=branching,
        taper=float(random.uniform(0.1, 1.0)),
    )
    sizes = [0.3 * math.cbrt(link.mass_properties.mass) for link in figure.links]
    links = zip(figure.given_links, sizes, strict=True)
    return replace(figure, given_links=tuple(replace(link, parts=(random_part(random, size),)) for link, size in links))


def chain(random: Random) -> Figure:
    return tree(random, 0.0)


def loop(random: Random) -> Figure:
    """Return a chain whose last link is tied to the first, or to the world."""
    figure = chain(random)
    first, last = figure.links[0].name, figure.links[-1].name
    kind = str(random.choice(["point", "distance", "hinge"]))
    place, other = (tuple(random.normal(scale=0.1, size=3).tolist()) for _ in range(2))
    ends = {"position": place, "other_position": other, "length": 0.2 if kind == "distance" else 0.0}
    closure = Closure(kind, last, None if random.random() < 0.3 else first, **ends)
    return replace(figure, constraints=(closure,))


def wheel(random: Random) -> Figure:
    """Return a wheel of 3 to 8 spokes whose mass of 1 kg is in its hub: its moments are 1e-6 to 1e-2 kg m2."""
    angles = 2.0 * np.pi * np.arange(n := int(random.integers(3, 9))) / n
    tips = [(float(np.sin(angle)), 0.0, float(np.cos(angle))) for angle in angles]
    parts = tuple(Part(Sphere(0.01), tip, inertial=False) for tip in tips)
    moment = 10.0 ** float(random.uniform(-6.0, -2.0))
    return Figure("wheel", (Link("hub", None, Joint("free"), parts, diagonal(1.0, moment, moment, moment)),))


def stack(random: Random) -> Figure:
    return make_forest("stack", [body(random) for _ in range(random.integers(2, 4))])


def couple(random: Random) -> Figure:
    return make_forest("couple", [tree(random), body(random)])


def steps(random: Random) -> HeightGrid:
    """Return steps of 4 cm up or down along x, with slopes of 39 degrees between them."""
    heights = 0.04 * random.choice([-1.0, 1.0]) * (np.arange(-60, 60) // 2)
    return HeightGrid(np.stack([heights, heights], axis=1), 0.05, -3.0)


FIGURES = {"body": body, "tree": tree, "chain": chain, "loop": loop, "wheel": wheel, "stack": stack, "couple": couple}
GROUNDS: dict[str, Callable[[Random], Ground]] = {
    "plane": lambda random: Plane(),
    "hills": lambda random: random_hills(0.1, wavelength=0.5, half_width=3.0, seed=int(random.integers(1000))),
    "steps": steps,
    "none": lambda random: NoGround(),
}


@dataclass(frozen=True)
class RandomScene:
    """A random scene. kind: what it is, for messages. world: its world, whose one large step may have any length."""

    seed: int
    kind: str
    world: World

    def states(self, count: int) -> State:
        """Return states that turn, move, and overlap the ground or each other, with impulses of a step before."""
        rng, figure, state = np.random.default_rng(self.seed), self.world.figure, start(self.world, count)
        state.q[:] = rng.normal(scale=0.3, size=state.q.shape)
        for link in figure.links:
            if JOINTS[link.joint.kind].has_quaternion:
                turn = rng.normal(size=(count, 4))
                state.q[:, link.q.start : link.q.start + 4] = turn / np.linalg.norm(turn, axis=1)[:, None]
        for root in figure.roots:
            state.q[:, root.q.stop - 3 : root.q.stop] = rng.normal(scale=0.15, size=(count, 3))
            state.q[:, root.q.stop - 1] += rng.uniform(0.0, self.world.size, count)
        state.v[:] = rng.normal(size=state.v.shape) * 10.0 ** rng.uniform(-2.0, 1.0, count)[:, None]
        cache = state.step_state.memory.contact_cache
        assert cache is not None
        for impulse in cache.impulses:
            impulse[0][:] = abs(rng.normal(size=count)) * 10.0 ** rng.uniform(-6.0, 0.0, count)
        return state

    def measured(self, engine: Engine, program: Program, count: int) -> np.ndarray:
        """Return what a program of a state, numbers and a length of a step [s] gives for many states (count,)."""
        rng = np.random.default_rng(self.seed)
        friction = rng.choice([0.0, 1.0], count, p=[0.1, 0.9]) * 10.0 ** rng.uniform(-1.0, 0.7, count)
        restitution = rng.choice([0.0, 0.5, 1.0], count) * rng.uniform(0.0, 1.0, count)
        surface = replace(self.world.surface.parameters, friction=friction, restitution=restitution)
        lengths = np.exp(rng.uniform(*np.log(STEPS), (1, count)))
        (rows,) = program(self.states(count).rows, engine.numbers(touch=surface), lengths, tables=engine.tables)
        return rows


def random_scene(seed: int) -> RandomScene:
    """Return the random scene of a seed, with 1 to 100 iterations. Kinds of figures and grounds follow one another."""
    random, names = np.random.default_rng(seed), list(FIGURES)
    name = names[seed % len(names)]
    figure = FIGURES[name](random)
    pairs = allowed_pairs(figure, overlap=None)
    chosen = sorted(random.choice(len(pairs), min(MAX_PAIRS, len(pairs)), replace=False)) if pairs else []
    grounds = list(GROUNDS) if pairs else list(GROUNDS)[:-1]
    ground = grounds[seed // len(names) % len(grounds)]
    slope, iterations = float(random.uniform(0.0, 0.5)), round(100.0 ** float(random.uniform()))
    springs = {
        link.name: random_spring(random) for link in figure.links if link.joint.kind in ("revolute", "prismatic")
    }
    world = World(
        figure,
        springs,
        surface=SurfaceProperties(touch()),
        contact=Stepping(iterations=iterations),
        gravity=(9.81 * math.sin(slope), 0.0, -9.81 * math.cos(slope)),
        timing=Timing(control_step=STEPS[1], step=STEPS[1]),
        pairs=tuple(pairs[k] for k in chosen),
        ground=GROUNDS[ground](random),
    )
    return RandomScene(seed, f"{name} on {ground}, {iterations} iterations", world)


def random_spring(random: Random) -> JointSpring:
    """Return a spring of any stiffness, with limits, a damper and dry friction."""
    stiffness, damping, friction = (10.0 ** random.uniform([-2.0, -3.0, -3.0], [4.0, 1.0, 0.0])).tolist()
    limit = float(random.uniform(0.0, 0.5))
    return JointSpring(
        stiffness, damping=damping, friction=friction, lower=-limit, upper=limit, limit_stiffness=100.0, rest=0.1
    )
