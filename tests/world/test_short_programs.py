"""Short programs: loops over alike limbs, joints, parts and contacts, and one program for all sweeps.

They compute the same bits as usual programs.
"""

import numpy as np
import pytest
from node_programs import run_in_node
from quadrupeds import quadruped
from worlds import diagonal, touch

from gambol.contact import Stepping, SurfaceProperties
from gambol.contact.penalty.law import ContactParameters
from gambol.dynamics import alike_limbs
from gambol.figure import Box, Figure, Joint, JointSpring, Link, Part
from gambol.lanes.wasm import wasm_module
from gambol.world import Engine, Timing, World, start

LINKS = 26
H = 1e-3  # [s]
TOUCH = ContactParameters(4e5, 0.0, 1.0, 500.0, 0.05, 0.3, 0.05, 0.5, 1.0, 0.0, 500.0)  # restitution 0.3


def link(k: int) -> Link:
    """Return a box of a chain; the first one floats."""
    side = 0.03 + 0.0005 * k  # the boxes differ in numbers only
    joint = Joint("revolute", position=(0.1, 0.0, 0.0), axis=(0.0, 1.0, 0.0)) if k else Joint("free")
    return Link(f"box {k}", f"box {k - 1}" if k else None, joint, (Part(Box((0.09, side, side)), density=500.0),))


def chain_world() -> World:
    """A chain of boxes with exponential springs, more of whose contacts than its capacity hit the ground and bounce."""
    return World(
        Figure("chain", tuple(map(link, range(LINKS)))),
        springs={f"box {k}": JointSpring(alpha=0.5 + 0.1 * k, beta=2.0, damping=0.01) for k in range(1, LINKS)},
        surface=SurfaceProperties(TOUCH),
        contact=Stepping(max_contacts=12, iterations=6),
        timing=Timing(10 * H, H, "semi-implicit euler"),
    )


def test_a_short_program_is_short_and_computes_the_same_bits():
    world = chain_world()
    engines = [Engine(world, lanes=1, short=short) for short in (False, True)]
    states = [start(world, 1, position={"box 0": (0.0, 0.0, 0.05)}) for _ in engines]
    first = states[0].q.copy()
    for engine, state in zip(engines, states, strict=True):
        engine.advance(state, 12)
    assert (abs(states[0].q - first) > 0.01).any()  # it has fallen to the ground
    cache_after = states[0].step_state.memory.contact_cache
    assert cache_after is not None
    assert sum(impulse[0].item() > 0.0 for impulse in cache_after.impulses) > 2
    np.testing.assert_array_equal(states[0].rows, states[1].rows)
    usual, short = (engine.advance_program.operations for engine in engines)
    assert short < 0.75 * usual


def leg(side: float, x: float, length: float) -> tuple[Link, Link]:
    """Return a leg on the left (side = 1) or on the right (-1) at x [m], with links of a length [m]."""
    name = f"{side:g} {x:g}"
    half = Part(Box((0.02, length, 0.02)), position=(0.0, 0.5 * side * length, 0.0), density=500.0)
    hip = Joint("revolute", position=(x, 0.05 * side, 0.0), axis=(0.0, -0.6 * side, 0.8))
    knee = Joint("revolute", position=(0.0, side * length, 0.0), axis=(1.0, 0.0, 0.0))
    return Link(f"thigh {name}", "trunk", hip, (half,)), Link(f"shank {name}", f"thigh {name}", knee, (half,))


def hexapod_world(tolerance: float) -> World:
    """Six legs of three lengths on a trunk, mirrored, with springs; it falls and bounces. tolerance: of contacts."""
    trunk = Link("trunk", None, Joint("free"), (Part(Box((0.3, 0.1, 0.04)), density=500.0),))
    places = [(side, x, 0.08 + 0.1 * x) for x in (0.12, 0.02, -0.12) for side in (1.0, -1.0)]
    legs = [link for place in places for link in leg(*place)]
    return World(
        Figure("hexapod", (trunk, *legs)),
        springs={link.name: JointSpring(alpha=0.5, beta=2.0, damping=0.01) for link in legs},
        surface=SurfaceProperties(TOUCH),
        contact=Stepping(max_contacts=6, iterations=6),
        timing=Timing(4 * H, H, "semi-implicit euler", tolerance),
    )


@pytest.mark.parametrize("tolerance", [1e-3, 1e-12], ids=["sweeps", "newton"])
def test_alike_legs_are_loops_that_compute_the_same_bits(tolerance: float):
    """With a tolerance that sweeps do not reach, by Newton's method."""
    world = hexapod_world(tolerance)
    assert [len(limbs) for limbs in alike_limbs(world.figure)] == [6]
    engines = [Engine(world, lanes=1, short=short) for short in (False, True)]
    states = [start(world, 1, position={"trunk": (0.0, 0.0, 0.1)}) for _ in engines]
    for engine, state in zip(engines, states, strict=True):
        state.v[0] = 1.0  # it turns
        engine.advance(state, 60)
    assert np.isfinite(states[0].rows).all()
    cache = states[0].step_state.memory.contact_cache
    assert cache is not None
    assert cache.residual > 0.0  # it has landed
    np.testing.assert_array_equal(states[0].rows, states[1].rows)
    usual, short = (engine.advance_program.operations for engine in engines)
    assert short < 0.5 * usual


def test_limbs_of_a_thousand_links_are_alike():
    rod = diagonal(1.0, 1.0, 1.0, 1.0)
    strands = [
        Link(f"{k} {n}", f"{k} {n - 1}" if n else "trunk", Joint("revolute", axis=(0.0, 1.0, 0.0)), given_mass=rod)
        for k in range(3)
        for n in range(1000)
    ]
    figure = Figure("strands", (Link("trunk", None, Joint("free"), given_mass=rod), *strands))
    assert [[len(limb) for limb in limbs] for limbs in alike_limbs(figure)] == [[1000] * 3]


@pytest.mark.parametrize("contact", ["penalty", "impulse"])
def test_a_page_computes_the_bits_of_the_usual_program(contact):
    """Its program is short and in several functions; results of branches and calls cross from one to the next."""
    world = World(quadruped(), surface=SurfaceProperties(touch(damping=20.0, skid_damping=10.0)), contact=contact)
    engine, state = Engine(world, lanes=1), start(world, position=(0.0, 0.0, 0.3))
    inputs, steps = [state.rows, engine.numbers(), np.zeros((1, 1))], 3
    module = wasm_module(engine.advance_spec, uniform=True)
    found = run_in_node(module, inputs, steps=steps, counters={2: 1.0}, feedback=True).outputs[0][:, :1]
    engine.advance(state, steps)
    np.testing.assert_array_equal(found, state.rows)
