"""The impulses of a large step leave at most the kinetic energy of forces alone: in random scenes."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from random_scenes import STEPS, random_scene
from worlds import ball, block, diagonal, quadruped, touch

from gambol.collide.broad import allowed_pairs
from gambol.collide.hills import random_hills
from gambol.contact import Stepping, SurfaceProperties
from gambol.contact.stepping import sweep_impulses
from gambol.contact.stepping.problem import ImpulseProblem
from gambol.contact.stepping.sweep import ImpulseSolution
from gambol.dynamics import kinematics, kinetic_energy
from gambol.figure import Figure, Joint, Link, Part, Sphere, make_forest
from gambol.lanes import Scalar
from gambol.world import Engine, External, Timing, World, start
from gambol.world.context import StepContext, StepState
from gambol.world.step.stepping import time_stepping

QUICK = 2_000  # scenes of each kind
PROGRAMS, MANY = 140, 7_200  # random scenes: a million
EPS = float(np.finfo(float).eps)


def spokes(inertia: float) -> Figure:
    """A wheel of six spokes whose mass is in its hub, in space."""
    tips = [(np.sin(k * np.pi / 3), 0.0, np.cos(k * np.pi / 3)) for k in range(6)]
    parts = tuple(Part(Sphere(0.01), tip, inertial=False) for tip in tips)
    return Figure("spokes", (Link("hub", None, Joint("free"), parts, diagonal(1.0, inertia, inertia, inertia)),))


@dataclass(frozen=True)
class Kind:
    """A kind of scene: its figure, restitution, friction and ground; reach: scale of the heights of free roots [m]."""

    name: str
    figure: Callable[[], Figure]
    e: float = 0.0
    mu: float = 0.5
    reach: float = 0.2
    rough: bool = False


KINDS = [
    Kind("a block", block),
    Kind("a heavy ball on a light one", lambda: make_forest("two", [ball(0.1, 1e-3), ball(0.1, 1.0)])),
    Kind("light spokes", lambda: spokes(1e-6), mu=3.0, reach=1.0),
    Kind("a quadruped that bounces on hills", quadruped, e=0.5, reach=0.4, rough=True),
]


def world_of(kind: Kind, iterations: int, **options: Any) -> World:
    figure = kind.figure()
    return World(
        figure,
        surface=SurfaceProperties(touch(restitution=kind.e, friction=kind.mu)),
        contact=Stepping(iterations=iterations),
        timing=Timing(control_step=1e-2, step=1e-2),
        pairs=allowed_pairs(figure),
        **{"ground": random_hills(0.1, wavelength=0.5, half_width=3.0, seed=3)} if kind.rough else {},
        **options,
    )


def solved_by(world: World, solver: Callable[[ImpulseProblem], ImpulseSolution]) -> World:
    """Return a world whose contact method computes impulses by a solver."""

    class Recording(Stepping):
        impulses = staticmethod(solver)

    assert isinstance(world.method, Stepping)
    return replace(world, contact=Recording(world.method.max_contacts, world.method.iterations))


def recorded(requested: ImpulseProblem) -> ImpulseSolution:
    """Return the impulses of a step; as their residual, the energy that they add, as a part of all energy."""
    result = sweep_impulses(requested)
    gain: Scalar = 0.0
    size: Scalar = 1e-300
    for x, y in zip(requested.u_free, result.u, strict=True):
        gain, size = gain + (y - x) * (y + x), size + x * x + y * y
    return replace(result, residual=gain / size)


def gain(world: World, step_state: StepState, numbers: Any, h: Scalar, table: Any) -> Scalar:
    """Return the energy that a step's impulses add, as a part of all energy."""
    after = time_stepping(StepContext.of(solved_by(world, recorded), numbers, table))(step_state, step_state.memory, h)
    assert after.memory.contact_cache is not None
    return after.memory.contact_cache.residual


def most_given(requested: ImpulseProblem) -> ImpulseSolution:
    """Return the impulses of a step; as their residual, the most that contact may give: p . (w - w_f) / 2 [J]."""
    result = sweep_impulses(requested)
    each = zip(requested.u_before, requested.u_free, result.u, strict=True)
    return replace(result, residual=sum((0.5 * (u - y) * (x - y) for x, y, u in each), 0.0))


def given_beyond(world: World, step_state: StepState, numbers: Any, h: Scalar, table: Any) -> Scalar:
    """Return the energy that contact gave in a step by the ledger, less what it may give, as a part of all energy."""
    context = StepContext.of(solved_by(world, most_given), numbers, table)
    after = time_stepping(context)(step_state, step_state.memory, h)
    assert after.memory.contact_cache is not None
    fall = step_state.ledger.impact + step_state.ledger.sliding - after.ledger.impact - after.ledger.sliding
    most, size = after.memory.contact_cache.residual, 0.0
    for v in (step_state.v, after.v):
        size = size + kinetic_energy(kinematics(world.figure, step_state.q, v))
    return (fall - most) / (abs(fall) + abs(most) + size + 1e-300)


def scattered(world: World, kind: Kind, count: int, seed: int) -> Any:
    """Return figures turned, moving and overlapping the ground or each other, with impulses of a step before."""
    rng, state = np.random.default_rng(seed), start(world, count)
    state.q[:] = rng.normal(scale=0.3, size=state.q.shape)
    for root in world.figure.roots:
        turn = rng.normal(size=(count, 4))
        state.q[:, root.q.start : root.q.start + 4] = turn / np.linalg.norm(turn, axis=1)[:, None]
        state.q[:, root.q.stop - 1] = rng.uniform(-0.1, 1.0, count) * kind.reach
    state.v[:] = rng.normal(size=state.v.shape) * 10.0 ** rng.uniform(-2.0, 1.0, count)[:, None]
    cache = state.step_state.memory.contact_cache
    assert cache is not None
    for impulse in cache.impulses:
        impulse[0][:] = abs(rng.normal(size=count)) * 10.0 ** rng.uniform(-6.0, 0.0, count)
    return state


def most_gained(kind: Kind, iterations: int, count: int) -> tuple[float, float]:
    """Return the most that impulses added in many scenes, as a part of all energy, and the part that touched."""
    world = world_of(kind, iterations)
    engine, seed = Engine(world), iterations
    show = engine.observer("gain of impulses", gain, 0.0)
    steps = np.exp(np.random.default_rng(seed).uniform(*np.log(STEPS), (1, count)))
    state = scattered(world, kind, count, seed)
    (rows,) = show(state.rows, engine.numbers(), steps, tables=engine.tables)
    assert np.isfinite(rows).all()
    return float(rows.max()), float((rows < 0.0).mean())


def check(kind: Kind, iterations: int, count: int) -> None:
    gained, touched = most_gained(kind, iterations, count)
    nv = kind.figure().nv
    assert touched > 0.1  # otherwise the test would be void
    # Two sums of nv products, and the root of allowed_fraction(), each rounded once: 8 nv of them at most.
    assert gained <= 8 * nv * EPS


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_impulses_add_no_energy_after_one_iteration(kind: Kind):
    check(kind, 1, QUICK)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.e == 0.0], ids=lambda kind: kind.name)
def test_the_ledger_of_contact_falls_by_no_more_than_forces_changed_speeds(kind: Kind):
    """The ledger of contact may rise by p . (w - w_f) / 2 in a step (docs/theory/contact.md), and no more.

    Weight is an outer force here, since the impulses of a landing also take potential energy: see test_landing.py.
    """
    figure = kind.figure()
    world = world_of(kind, 4, gravity=0.0, external=External(wrenches=tuple(link.name for link in figure.links)))
    engine, state = Engine(world), scattered(world, kind, QUICK, 4)
    show = engine.observer("given by contact", given_beyond, 0.0)
    steps = np.exp(np.random.default_rng(4).uniform(*np.log(STEPS), (1, QUICK)))
    weights = {link.name: (0.0, 0.0, 0.0, 0.0, 0.0, -9.81 * link.mass_properties.mass) for link in figure.links}
    (rows,) = show(state.rows, engine.numbers(wrenches=weights), steps, tables=engine.tables)
    assert rows.min() < -1e-3  # most of them take energy
    # As above, and the work of each contact by itself: three products of nv terms for each of its rows.
    contacts = len(state.step_state.memory.contact_cache.impulses)
    assert rows.max() <= 8 * kind.figure().nv * (1 + 9 * contacts) * EPS


def check_random_scenes(seed: int, count: int) -> None:
    """Check as many random scenes of the program of a seed; friction and the others differ between them."""
    scene = random_scene(seed)
    engine = Engine(scene.world)
    rows = scene.measured(engine, engine.observer("gain of impulses", gain, 0.0), count)
    assert np.isfinite(rows).all(), scene.kind
    assert (rows < 0.0).mean() > 0.01, f"{scene.kind}: hardly anything touches"
    assert rows.max() <= 8 * scene.world.figure.nv * EPS, scene.kind


@pytest.mark.parametrize("seed", [0, 4, 8, 16, 20, 24, 26])  # each kind of figure, and each kind of ground
def test_impulses_add_no_energy_in_random_scenes(seed: int):
    check_random_scenes(seed, QUICK)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_impulses_add_no_energy_in_a_million_scenes(seed: int):
    """All 140 programs take seven minutes of processor time, most of it to compile them."""
    check_random_scenes(seed, MANY)
