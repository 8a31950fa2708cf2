"""Figures from files in worlds: suitable ground, initial states, gravity in any direction, loops, methods."""

import math
from dataclasses import replace

import numpy as np
import pytest
from worlds import energy_balance, moved

from gambol.collide import Plane
from gambol.contact import ContactParameters
from gambol.creatures.models import (
    collision_exclusions,
    collision_pairs,
    default_contact_parameters,
    feet_of,
    initial_state,
    omitted_pair_count,
    world_of_model,
)
from gambol.errors import WorldError
from gambol.figure import (
    Box,
    Closure,
    Figure,
    Hull,
    Joint,
    JointSpring,
    Link,
    MassProperties,
    Part,
    Sphere,
    make_forest,
)
from gambol.formats import Model
from gambol.world import Engine, Timing

TIMING = Timing(0.01, 1e-3, "rkf45", 1e-9)
ROD = MassProperties(1.0, (0.0, 0.0, -0.5), ((1 / 12, 0.0, 0.0), (0.0, 1 / 12, 0.0), (0.0, 0.0, 1e-4)))
HINGE = Joint("revolute", (0.0, 1.0, 0.0))
PENDULUM = Figure("pendulum", (Link("rod", None, HINGE, (), ROD),))


def block(mass: float = 2.0, edge: float = 0.2) -> Figure:
    return Figure("block", (Link("block", None, Joint("free"), (Part(Box((edge,) * 3), density=mass / edge**3),)),))


@pytest.mark.parametrize(("mass", "edge"), [(2e-3, 0.02), (2.0, 0.2), (2e3, 2.0)])
def test_a_block_of_any_size_comes_to_rest_on_its_ground(mass: float, edge: float):
    model = Model(block(mass, edge), ground=True, q=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.55 * edge))
    world = world_of_model(model)
    engine, state = Engine(world), initial_state(model, world)
    after = moved(engine, state, 4.0 * math.sqrt(edge / 0.2))
    sunk = 0.5 * edge - float(after.q[0, 6])
    assert sunk == pytest.approx(1e-3 * world.size / 4, rel=0.01)  # on four of its corners
    assert np.abs(after.v).max() < 1e-3 * math.sqrt(9.81 * edge)
    energy = mass * 9.81 * 0.05 * edge
    assert abs(energy_balance(engine, after) - energy_balance(engine, state)) < 5e-3 * energy


def test_a_free_figure_is_lifted_out_of_the_ground():
    tilted = Joint("free", rotation=((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)), position=(0.0, 0.0, -3.0))
    figure = Figure("ball", (Link("ball", None, tilted, (Part(Sphere(0.1)),)),))
    model = Model(figure, ground=True)
    state = initial_state(model, world_of_model(model), 2)
    np.testing.assert_allclose(state.q[:, 4:], [[0.0, 3.1, 0.0]] * 2, atol=1e-14)  # y of the joint points up


def test_nothing_touches_where_the_file_has_no_ground():
    model = Model(block())
    world = world_of_model(model)
    assert (world.surface.feet, world.surface.parameters.friction) == ((), 0.0)
    after = moved(Engine(world), initial_state(model, world), 1.0)
    assert after.q[0, 6] == pytest.approx(-0.5 * 9.81, rel=1e-6)
    assert world_of_model(model, ground=Plane()).surface.feet == ("block",)


def test_feet_are_leaves_with_corners():
    cube, ball = (Part(Box((0.1,) * 3)),), (Part(Sphere(0.1)),)
    links = (
        Link("trunk", None, Joint("free"), cube),
        Link("shoe", "trunk", HINGE, cube),
        Link("hoof", "trunk", HINGE, ball),
        Link("ghost", "trunk", HINGE, (replace(cube[0], colliding=False),)),
    )
    assert feet_of(Figure("animal", links)) == ("shoe",)


def test_gravity_may_point_anywhere():
    aslant = Model(PENDULUM, q=(0.2,), gravity=(3.0, 0.0, -4.0))
    world = world_of_model(aslant, timing=TIMING)
    after = moved(Engine(world), initial_state(aslant, world), 1.0)
    # a pendulum under 5 m/s2 whose rest is turned by atan(3 / 4) towards +x, which is a turn by -q about y
    turned = 0.2 + math.atan2(3.0, 4.0)
    upright = Model(PENDULUM, q=(turned,), gravity=(0.0, 0.0, -5.0))
    same = world_of_model(upright, timing=TIMING)
    expected = moved(Engine(same), initial_state(upright, same), 1.0)
    assert after.q[0, 0] == pytest.approx(float(expected.q[0, 0]) - math.atan2(3.0, 4.0), abs=1e-7)


@pytest.mark.parametrize("method", ["aba", "crba", "maximal", "lagrangian", "divide_and_conquer"])
def test_every_method_swings_a_pendulum_alike(method: str):
    model = Model(PENDULUM, {"rod": JointSpring(stiffness=2.0, damping=0.1)}, q=(1.0,))
    world = replace(world_of_model(model, timing=TIMING), dynamics=method)
    after = moved(Engine(world), initial_state(model, world), 0.5)
    plain = world_of_model(model, timing=TIMING)
    expected = moved(Engine(plain), initial_state(model, plain), 0.5)
    np.testing.assert_allclose(after.q, expected.q, atol=1e-9)


def four_bar() -> Figure:
    """A crank, a coupler and a rocker of 1 m each, closed to a parallelogram 1 m wide."""
    arm = Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, 0.0, -1.0))
    links = (
        Link("crank", None, HINGE, (), ROD),
        Link("coupler", "crank", arm, (), ROD),
        Link("rocker", "coupler", arm, (), ROD),
    )
    flat = ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0))  # its z is the hinges' y
    return Figure(
        "four-bar",
        links,
        constraints=(Closure("hinge", "rocker", None, (0.0, 0.0, -1.0), flat, (1.0, 0.0, 0.0), flat),),
    )


@pytest.mark.parametrize("method", ["aba", "crba"])
def test_loops_stay_closed_and_conserve_energy(method: str):
    # crank hanging aslant by 0.3; the coupler level; the rocker back up to (1, 0, 0), only nearly
    model = Model(four_bar(), q=(0.3, -math.pi / 2 - 0.29, -math.pi / 2 + 0.31))
    world = replace(world_of_model(model, timing=TIMING), dynamics=method)
    engine, state = Engine(world), initial_state(model, world)
    after = moved(engine, state, 1.0)
    q = after.q[0]
    heading = np.cumsum(q)  # of each rod, which points along (-sin, -cos)
    end = -np.array([np.sin(heading).sum(), np.cos(heading).sum()])
    np.testing.assert_allclose(end, [1.0, 0.0], atol=1e-6)
    assert abs(q[0] - state.q[0, 0]) > 0.1
    assert abs(energy_balance(engine, after) - energy_balance(engine, state)) < 1e-5


def test_jitter_leaves_loops_closed():
    model = Model(four_bar(), q=(0.3, -math.pi / 2 - 0.29, -math.pi / 2 + 0.31))
    state = initial_state(model, world_of_model(model), 5, jitter=0.05, seed=1)
    assert np.ptp(state.q[:, 0]) > 0.02
    heading = np.cumsum(state.q, axis=1)
    np.testing.assert_allclose(-np.sin(heading).sum(axis=1), 1.0, atol=1e-10)
    np.testing.assert_allclose(-np.cos(heading).sum(axis=1), 0.0, atol=1e-10)


@pytest.mark.parametrize(
    ("figure", "changes", "why"),
    [
        (PENDULUM, {"dynamics": "abba"}, 'no method of dynamics "abba"; did you mean "aba"'),
        (PENDULUM, {"dynamics": "propagation"}, 'no method of dynamics "propagation"'),
        (four_bar(), {"dynamics": "maximal"}, 'the method "maximal" does not support the loops'),
        (
            four_bar(),
            {"timing": replace(TIMING, method="variational")},
            'the integrator "variational" does not support loops',
        ),
        (PENDULUM, {"gravity": (0.0, math.nan, 0.0)}, "gravity is .*nan"),
    ],
)
def test_methods_that_cannot_are_refused(figure: Figure, changes: dict, why: str):
    with pytest.raises(WorldError, match=why):
        replace(world_of_model(Model(figure)), **changes)


def test_a_prescribed_base_has_a_constant_velocity():
    base = Link("base", None, Joint("free"), (Part(Box((0.1,) * 3)),))
    figure = Figure("crane", (base, Link("rod", "base", HINGE, (), ROD)), prescribed=True)
    model = Model(figure, v=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0))
    world = world_of_model(model, timing=TIMING)
    after = moved(Engine(world), initial_state(model, world), 1.0)
    np.testing.assert_allclose(after.q[0, 4:7], [1.0, 0.0, 0.0], atol=1e-12)
    with pytest.raises(WorldError, match="does not support a prescribed base"):
        replace(world, dynamics="crba")


def test_the_numbers_of_a_ground_scale_with_the_figure():
    small, large = default_contact_parameters(block(1.0, 0.1), 0.1), default_contact_parameters(block(1000.0, 1.0), 1.0)
    assert isinstance(small, ContactParameters)
    assert large.stiffness / small.stiffness == pytest.approx(100.0)  # mass over length
    assert large.damping / small.damping == pytest.approx(1000.0 / math.sqrt(10.0))


@pytest.mark.parametrize("contact", ["penalty", "stepping"])
def test_bodies_of_a_forest_rest_on_each_other(contact: str):
    forest = make_forest("heap", [block(), block()])
    model = Model(forest, q=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.32), ground=True)
    world = world_of_model(model, contact=contact)
    after = moved(Engine(world), initial_state(model, world), 1.0)
    np.testing.assert_allclose(after.q[0, [6, 13]], [0.1, 0.3], atol=1e-3)


@pytest.mark.parametrize("contact", ["penalty", "stepping"])
def test_bodies_in_space_collide_with_friction_without_a_ground(contact: str):
    forest = make_forest("two", [block(), block()])
    slow = (0.0, 0.0, 0.0, 0.5, 0.0, -1.0)
    model = Model(
        forest, q=(1.0, 0, 0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 0, 0.21), v=(0.0,) * 6 + slow, gravity=(0.0, 0.0, 0.0)
    )
    world = world_of_model(model, contact=contact)
    assert not world.has_ground
    after = moved(Engine(world), initial_state(model, world), 0.1)
    np.testing.assert_allclose(after.v[0, [3, 5]] + after.v[0, [9, 11]], [0.5, -1.0], atol=0.2)  # in axes that turn
    assert after.v[0, 5] < -0.2
    assert after.v[0, 3] > 0.05


def test_every_pair_of_parts_is_taken_or_has_its_reason():
    hull, elbow = (
        Part(Hull(((0.0, 0, 0), (0.1, 0, 0), (0, 0.1, 0), (0, 0, 0.1)))),
        replace(HINGE, position=(0.25, 0, 0)),
    )
    links = (
        Link("trunk", None, Joint("free"), (Part(Sphere(0.1)),)),
        Link("arm", "trunk", elbow, (Part(Sphere(0.1), (0.0, 0.0, -0.18)), hull)),
        Link("ball", "trunk", Joint("free"), (Part(Sphere(0.1)),)),
    )
    model = Model(Figure("some", links))
    reasons = collision_exclusions(model)
    mesh = "one is a mesh, and the figure does not pair their links"
    assert list(reasons.values()) == ["", "they can never meet", "", "", mesh]
    assert len(collision_pairs(model)) == 3
    for contact in ("penalty", "impulse"):
        assert world_of_model(model, contact=contact).pairs == collision_pairs(model)
    heap = Model(make_forest("heap", [block()] * 21))
    assert set(collision_exclusions(heap).values()) == {
        "more than 200 pairs take minutes to compile, so all of them are excluded"
    }
    assert (collision_pairs(heap), omitted_pair_count(heap)) == ((), 210)
