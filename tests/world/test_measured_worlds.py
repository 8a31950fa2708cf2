"""Worlds whose figures differ in parameters, in one program: each moves as its own program moves it."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from quadrupeds import NOMINAL, quadruped, quadruped_links, random_proportions
from worlds import ball, block, touch

from gambol.collide.broad import Pair, allowed_pairs
from gambol.contact import Stepping, SurfaceProperties, contact_method
from gambol.dynamics import centre_of_mass, kinematics, kinetic_energy, potential_energy
from gambol.dynamics.loops import assembled
from gambol.errors import WorldError
from gambol.figure import (
    Box,
    Capsule,
    Closure,
    Figure,
    Joint,
    JointSpring,
    Link,
    MassProperties,
    Part,
    Sphere,
    make_forest,
    rotation_about,
)
from gambol.figure.parameters import varying, with_parameters
from gambol.world import Engine, State, Timing, World, depth_of, start
from gambol.world.step.stepping import SEPARATION_FACTOR, SLOP

Array = NDArray[Any]

G = 9.81
FRAME = 0.02
EPSILON = 2.0**-53
TIMINGS = {"stepping": Timing(FRAME, 4e-3), "penalty": Timing(FRAME, 1e-4, "rk4")}
SOFT = touch(
    stiffness=2e4,
    damping=100.0,
    restitution=0.5,
    restitution_speed=0.1,
    bristle_stiffness=3e3,
    bristle_damping=10.0,
    skid_damping=10.0,
)
"""A ground on which feet of some grams do not chatter in steps of a tenth of a millisecond."""

HARD = SurfaceProperties(touch(restitution=0.0))

KICK = 1e-9  # a disturbance far above rounding and far below a step


def beastly(numbers: Any = NOMINAL, lower: str = "sphere", contact: str = "stepping", **how: Any) -> World:
    """Return a world of a creature on springs that yield some degrees."""
    figure = quadruped(numbers, lower)
    rest = {"thigh": 0.4, "shank": -0.8}
    springs = {
        link.name: JointSpring(stiffness=20.0, damping=0.3, rest=rest[link.name.split()[-1]], lower=-1.5, upper=1.5)
        for link in figure.links[1:]
    }
    surface = touch(restitution=0.0) if contact == "stepping" else SOFT
    return World(
        figure,
        springs,
        surface=SurfaceProperties(surface),
        contact=contact_method(contact, max_contacts=6),
        timing=TIMINGS[contact],
        **how,
    )


def round_or_square(figure: Figure, pair: Pair) -> bool:
    """Return True for a pair of spheres, capsules or boxes, whose contacts take little time to compile."""
    parts = figure.links[pair.link - 1].parts[pair.part], figure.links[pair.other - 1].parts[pair.other_part]
    return all(part.shape.kind != "frustum" for part in parts)


def batch_of_worlds(lower: str, contact: str = "stepping", self_touching: bool = False) -> list[World]:
    """Worlds of quadrupeds of one program."""
    first = beastly(NOMINAL, lower, contact)
    pairs = [pair for pair in allowed_pairs(first.figure) if round_or_square(first.figure, pair)] * self_touching
    return [beastly(numbers, lower, contact, pairs=tuple(pairs)) for numbers in (NOMINAL, *random_proportions(5))]


def in_one(worlds: list[World], **how: Any) -> tuple[Engine, Array]:
    """The engine of all worlds together, and their numbers."""
    names = varying([world.figure for world in worlds])
    engine = Engine(worlds[0].parametrised_by(names), **how)
    return engine, engine.numbers_of(worlds)


def dropped(world: World, worlds: int) -> State:
    """Return creatures that are about to land, bent and tilted, each differently."""
    state = start(world, worlds, position=(0.0, 0.0, 0.3), jitter=0.1, seed=2)
    random = np.random.default_rng(5)
    state.v[:] = 0.3 * random.standard_normal(state.v.shape)
    return state


def motion(state: State) -> Array:
    """Positions and velocities (nq + nv, W)."""
    return np.concatenate([state.q.T, state.v.T])


def what_rounding_may_do(engine: Engine, state: State, frames: int) -> float:
    """Return the largest difference of two programs for one motion: roundings of every step, enlarged by the motion.

    A step has thousands of operations, whose roundings add up as their root, some hundred; by the end each grows at
    most as the largest of some initial disturbances does.
    """
    growth = 1.0
    base, kicked = state.copied(), [state.copied() for _ in range(3)]
    for k, perturbed in enumerate(kicked):
        perturbed.rows[min(4, engine.world.figure.nq) + k] += KICK
    for frame in range(1, frames + 1):
        for perturbed in (base, *kicked):
            engine.advance(perturbed, frame)
        growth = max(growth, *(float(np.abs(motion(perturbed) - motion(base)).max()) / KICK for perturbed in kicked))
    steps = frames * engine.world.timing.control_step / engine.world.timing.step
    return 100.0 * EPSILON * steps * growth


@pytest.mark.parametrize(
    ("lower", "contact", "self_touching", "compared"),
    [
        ("sphere", "stepping", False, (0, 2)),
        ("capsule", "stepping", True, (3,)),
        ("box", "stepping", False, (4,)),
        ("frustum", "stepping", False, (5,)),
        ("sphere", "penalty", True, (1,)),
        ("box", "penalty", False, (2,)),
    ],
)
@pytest.mark.filterwarnings("ignore::gambol.collide.broad.allowed.RestOverlapWarning")
def test_each_creature_moves_as_in_its_own_program(
    lower: str, contact: str, self_touching: bool, compared: tuple[int, ...]
):
    """Half a second of landing on four legs: the programs differ by rounding."""
    worlds, frames = batch_of_worlds(lower, contact, self_touching), 25
    together, numbers = in_one(worlds)
    all_of = dropped(worlds[0], len(worlds))
    begun = all_of.copied()
    together.advance(all_of, frames, numbers)
    for k in compared:
        alone, own = Engine(worlds[k]), State(worlds[k], begun.rows[:, k : k + 1].copy())
        bound = what_rounding_may_do(alone, own, frames)
        assert bound < 1e-6
        alone.advance(own, frames)
        assert own.q[0, 6] < 0.28  # it fell and landed
        np.testing.assert_allclose(motion(all_of)[:, k], motion(own)[:, 0], rtol=0, atol=bound)


@cache
def spheres() -> tuple[Engine, Array, State]:
    worlds = batch_of_worlds("sphere")
    engine, numbers = in_one(worlds)
    return engine, numbers, dropped(worlds[0], len(worlds))


def test_what_is_seen_is_seen_of_each():
    """Energies and positions of the same state, of each creature alone by the formulas on floats."""
    engine, numbers, state = spheres()
    seen, worlds = engine.observe(state, numbers), batch_of_worlds("sphere")
    for k, world in enumerate(worlds):
        own = kinematics(world.figure, state.q[k].tolist(), state.v[k].tolist())
        assert seen.kinetic[k] == pytest.approx(kinetic_energy(own), rel=1e-13)
        assert seen.potential[k] == pytest.approx(potential_energy(own), rel=1e-13)
        np.testing.assert_allclose([x[k] for x in seen.centre], [*centre_of_mass(own)], rtol=0, atol=1e-15)
        assert seen.clearance[k] == pytest.approx(-depth_of(world, state.q[k].tolist()), rel=1e-13)


def depth_of_trunk(world: World, q: list[float]) -> float:
    """Return the depth of the lowest corner of all links [m]; without a controller no link belongs to a leg."""
    return depth_of(world, q)


@pytest.mark.parametrize("lanes", [1, 4])
def test_lanes_and_company_do_not_matter(lanes: int):
    engine, numbers, begun = spheres()
    after = begun.copied()
    engine.advance(after, 20, numbers)
    order = np.array([3, 1, 5])
    few = State(engine.world, np.ascontiguousarray(begun.rows[:, order]))
    Engine(engine.world, lanes=lanes).advance(few, 20, np.ascontiguousarray(numbers[:, order]))
    np.testing.assert_array_equal(few.rows, after.rows[:, order])


def test_one_program_is_for_all():
    worlds = batch_of_worlds("capsule")
    names = varying([world.figure for world in worlds])
    first, *others = [world.parametrised_by(names).structure() for world in worlds]
    assert all(other == first for other in others)
    assert worlds[0].structure() != worlds[1].structure()


def test_a_single_creature_moves_by_the_same_program():
    """Hence it can be filmed as it is: the bits are those of the batch."""
    engine, numbers, begun = spheres()
    after = begun.copied()
    engine.advance(after, 20, numbers)
    itself = batch_of_worlds("sphere")[4].parametrised_by(engine.world.parameters)
    alone = State(itself, begun.rows[:, 4:5].copy())
    own = Engine(itself)
    own.advance(alone, 20)
    np.testing.assert_array_equal(alone.rows[:, 0], after.rows[:, 4])
    np.testing.assert_array_equal(own.numbers()[:, 0], numbers[:, 4])


def test_arrays_of_parameters_are_the_numbers_of_each():
    """Without making any figure but the first."""
    engine, numbers, _ = spheres()
    many = with_parameters(engine.world.figure, quadruped_links(np.array([NOMINAL, *random_proportions(5)]).T))
    computed = engine.numbers(parameters=engine.world.parameters_of(many))
    np.testing.assert_allclose(computed, numbers, rtol=1e-14, atol=1e-15)


def pendulum(length: float) -> Figure:
    hinge = Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, 0.0, 2.0))
    return Figure("pendulum", (Link("bob", None, hinge, (), MassProperties(1.0, (0.0, 0.0, -length))),))


def test_pendulums_of_all_lengths_swing_each_at_its_own_rate():
    """q = q0 cos(sqrt(g / l) t), but for the amplitude's share q0^2 / 16 of the phase."""
    lengths, q0, time = np.linspace(0.1, 1.5, 12), 1e-4, 2.0
    worlds = [World(pendulum(length), timing=TIMINGS["penalty"]) for length in lengths.tolist()]
    engine, numbers = in_one(worlds)
    assert list(engine.world.numbers()["parameters"]) == ["bob.com.z"]
    state = start(engine.world, len(lengths), angles={"bob": q0})
    engine.advance(state, round(time / FRAME), numbers)
    phase = np.sqrt(G / lengths) * time
    np.testing.assert_allclose(state.q[:, 0], q0 * np.cos(phase), rtol=0, atol=q0 * phase.max() * q0**2)


def test_balls_of_all_sizes_come_to_rest_on_their_own_radius():
    radii = np.linspace(0.02, 0.2, 7)
    how: dict[str, Any] = {"surface": HARD, "contact": "stepping", "timing": TIMINGS["stepping"]}
    engine, numbers = in_one([World(ball(radius), **how) for radius in radii.tolist()])
    state = start(engine.world, len(radii), position=(0.0, 0.0, 0.5))
    engine.advance(state, 40, numbers)
    np.testing.assert_allclose(state.q[:, 6], radii, atol=1e-9)
    np.testing.assert_allclose(state.v, 0.0, atol=1e-9)


TOPS = {
    "ball": lambda r: Sphere(r),
    "roll": lambda r: Capsule(r, 3.0 * r),
    "brick": lambda r: Box((3.0 * r, 3.0 * r, 2.0 * r)),
}


@pytest.mark.parametrize("top", TOPS)
def test_what_lies_on_a_block_lies_as_high_as_both_are(top: str):
    """Blocks and bodies on them in many sizes: their centres come to rest at a / 2 and at a + r."""
    heights, radii = np.linspace(0.05, 0.2, 6), np.linspace(0.06, 0.03, 6)

    def pile(height: float, radius: float) -> Figure:
        lying = rotation_about("y", np.pi / 2) if top == "roll" else rotation_about("y", 0.0)
        upper = Link("top", None, Joint("free"), (Part(TOPS[top](radius), rotation=lying),))
        return make_forest("pile", [block((0.4, 0.4, height)), Figure("top", (upper,))])

    figures = [pile(a, r) for a, r in zip(heights.tolist(), radii.tolist(), strict=True)]
    how: dict[str, Any] = {"surface": HARD, "contact": Stepping(max_contacts=8), "timing": TIMINGS["stepping"]}
    engine, numbers = in_one([World(figure, pairs=allowed_pairs(figures[0]), **how) for figure in figures])
    state = start(engine.world, len(figures))
    for link, middle in zip(engine.world.figure.links[1:], (heights / 2, heights + radii), strict=True):
        state.q[:, link.q.stop - 1] = middle + 0.01 * link.index
    engine.advance(state, 50, numbers)
    computed = [state.q[:, link.q.stop - 1] for link in engine.world.figure.links[1:]]
    depth = (
        2.0 * SEPARATION_FACTOR * SLOP * max(World(figure).size for figure in figures)
    )  # what is left alone, of two contacts
    np.testing.assert_allclose(computed, [heights / 2, heights + radii], rtol=0, atol=depth + 1e-9)


@pytest.mark.parametrize("contact", ["impulse", "constraint"])
def test_contact_methods_without_parameters_raise(contact: str):
    timing = Timing(FRAME, 1e-3, "rk4")
    with pytest.raises(WorldError, match=f'"{contact}" takes no figure parameters as inputs'):
        World(
            ball(),
            surface=SurfaceProperties(touch(restitution=0.5)),
            contact=contact,
            timing=timing,
            parameters=("ball.mass",),
        )


def linkage(length: float, thickness: float) -> Figure:
    """A crank and a rod that a distance holds, with a ball fixed to its end."""
    rod = Part(Capsule(0.02 * thickness, 0.5 * length), (0.0, 0.0, 0.25 * length))
    across, end = (0.0, 1.0, 0.0), (0.05 * thickness, 0.0, 0.5 * length)
    links = (
        Link("post", None, Joint("fixed", position=(0.0, 0.0, 1.0)), (Part(Box((0.1, 0.1, 0.1)), colliding=False),)),
        Link("crank", "post", Joint("revolute", across), (Part(Capsule(0.02, 0.2), (0.0, 0.0, 0.1)),)),
        Link("rod", "crank", Joint("revolute", across, position=(0.0, 0.0, 0.2)), (rod,)),
        Link("tip", "rod", Joint("fixed", position=end), (Part(Sphere(0.03 * thickness)),)),
    )
    tie = Closure("distance", "rod", None, (0.0, 0.0, 0.1), other_position=(0.6, 0.0, 1.2), length=0.45)
    return Figure("linkage", links, constraints=(tie,))


def test_loops_and_fixed_links_and_dry_friction_are_the_same_for_each():
    friction = {"crank": JointSpring(damping=0.01, friction=0.02, lower=-2.0, upper=2.0)}
    how: dict[str, Any] = {"surface": HARD, "contact": "stepping", "timing": TIMINGS["stepping"]}
    figures = [linkage(*numbers) for numbers in ((1.0, 1.0), (1.2, 0.9), (0.9, 1.2))]
    worlds = [World(figure, friction, **how) for figure in figures]
    engine, numbers = in_one(worlds)
    state = start(engine.world, len(worlds))
    state.q[:] = [assembled(figure, [0.3, 1.0]) for figure in figures]
    own, alone = State(worlds[2], state.rows[:, 2:].copy()), Engine(worlds[2])
    bound = what_rounding_may_do(alone, own, 25)
    assert bound < 1e-6
    engine.advance(state, 25, numbers)
    alone.advance(own, 25)
    assert abs(own.q[0] - state.q[0]).max() > 1e-2  # their motions differ
    np.testing.assert_allclose(motion(state)[:, 2], motion(own)[:, 0], rtol=0, atol=bound)


def test_some_parameters_are_changed_by_name():
    engine, numbers, _ = spheres()
    names = list(engine.world.numbers()["parameters"])
    heavy = engine.numbers(parameters={"trunk.mass": np.array([1.0, 2.0])})
    row = len(numbers) - len(names) + names.index("trunk.mass")
    np.testing.assert_array_equal(heavy[row], [1.0, 2.0])
    np.testing.assert_array_equal(np.delete(heavy, row, 0), np.delete(numbers[:, [0, 0]], row, 0))
    with pytest.raises(WorldError, match=r'"trunk.gear" is not an input of this program'):
        engine.numbers(parameters={"trunk.gear": 2.0})


def test_mistakes_are_reported_before_anything_moves():
    world = beastly()
    with pytest.raises(WorldError, match=r'"quadruped" has no parameter "trunk.mas"; did you mean "trunk.mass"'):
        replace(world, parameters=("trunk.mas",))
    engine = Engine(replace(world, parameters=("trunk.mass",)))
    other = beastly(random_proportions(1)[0])
    with pytest.raises(
        WorldError, match=r'world 1 \("quadruped"\) cannot use the program of "quadruped": the mass of "trunk"'
    ):
        engine.numbers_of([world, other])
    with pytest.raises(WorldError, match=r"contact: .*\(4, 8, .*\), 4, 'aba'\), not .*\(6, 8, .*\), 6, "):
        engine.numbers_of([replace(world, contact=replace(world.method, max_contacts=4))])
    with pytest.raises(WorldError, match=r"the kinds of parts of .* \('box',\), not \('sphere',\)"):
        engine.numbers_of([beastly(lower="box")])
    with pytest.raises(WorldError, match=r"name it in World.parameters"):
        engine.world.parameters_of(with_parameters(world.figure, quadruped_links(np.array(random_proportions(4)).T)))
