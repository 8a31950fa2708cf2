"""Adaptive dynamics with springs, joint limits, contact with the ground, and joint forces that change with time."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from worlds import moved

from gambol.contact.penalty.compliant_ground import CompliantGround
from gambol.contact.penalty.law import ContactParameters, StickyFoot
from gambol.contact.surface import SurfaceProperties
from gambol.dynamics.adaptive import AdaptiveDynamics
from gambol.dynamics.adaptive.tree import NONE
from gambol.dynamics.states import kinematics, mass_matrix
from gambol.errors import WorldError
from gambol.figure import Figure, Joint, JointSpring, Link, MassProperties, Part
from gambol.figure.shapes import Box, Cylinder, Sphere
from gambol.world import Engine, State, Timing, World, start

Array = NDArray[np.float64]

H = 5e-4
GROUND = ContactParameters(
    stiffness=2e3,
    alpha=0.5,
    beta=40.0,
    damping=5.0,
    deepest=0.05,
    restitution=0.5,
    restitution_speed=0.1,
    friction=0.6,
    bristle_stiffness=1.0,
    bristle_damping=0.0,
    skid_damping=50.0,
)
BODY = MassProperties(1.0, inertia=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
SURFACE = SurfaceProperties(GROUND, grip="none")
SPRINGS = {
    "1": JointSpring(stiffness=2.0, damping=0.05, rest=0.3),
    "2": JointSpring(alpha=0.1, beta=2.0, bias=0.2, friction=0.05),
    "3": (JointSpring(stiffness=1.0, damping=0.02, upper=0.4, limit_stiffness=30.0, limit_damping=0.1),),
    "4": JointSpring(lower=-0.1, upper=0.2, limit_stiffness=50.0, limit_damping=0.2),
}


def crawler() -> Figure:
    """A floating box with a chain of boxes and balls, and a branch."""
    box, ball = Part(Box((0.2, 0.06, 0.06))), Part(Sphere(0.04))
    joints = [
        Joint("free"),
        Joint("revolute", (0.0, 1.0, 0.0), position=(0.2, 0.0, 0.0)),
        Joint("revolute", (0.0, 0.0, 1.0), position=(0.2, 0.0, 0.0)),
        Joint("spherical", position=(0.2, 0.0, 0.0)),
        Joint("prismatic", (0.0, 1.0, 0.0), position=(-0.2, 0.0, 0.0)),
        Joint("revolute", (1.0, 1.0, 0.0), position=(0.0, 0.2, 0.0)),
    ]
    parents = [None, "0", "1", "2", "0", "4"]
    links = [
        Link(f"{k}", parent, joint, (ball if k == 3 else box,))
        for k, (parent, joint) in enumerate(zip(parents, joints, strict=True))
    ]
    return Figure("crawler", tuple(links))


def thrown(figure: Figure) -> tuple[Array, Array]:
    """A state above the ground, from which it falls and slides."""
    q, v = np.zeros(figure.nq), np.random.default_rng(2).normal(size=figure.nv)
    q[0], q[6] = 1.0, 0.12
    if (ball := figure.link("3").q).stop > ball.start:
        q[ball.start] = 1.0
    v[3], v[5] = 2.0, -1.0
    return q, v


def world_and_state(figure: Figure, q: Array, v: Array, springs: dict[str, JointSpring]) -> tuple[Engine, State]:
    """The same motion by the compiled program of the figure, with the penalty method and the same integrator."""
    timing = Timing(H, H, "semi-implicit euler")
    world = World(figure, springs=springs, surface=SURFACE, timing=timing, contact="penalty")
    state = start(world)
    state.q[0], state.v[0] = q, v
    return Engine(world), state


def adaptive_of(figure: Figure, **options: Any) -> AdaptiveDynamics:
    return AdaptiveDynamics(figure, springs=SPRINGS, contact=CompliantGround(figure, SURFACE), **options)


def opened(adaptive: AdaptiveDynamics) -> Array:
    """The accelerations of all joints from the assembly tree, those of passive joints as if they were not held."""
    errors, tree, a = adaptive.errors(0.01), adaptive.tree, np.zeros(adaptive.figure.nv)
    while len(
        nodes := np.flatnonzero(
            (tree.first != NONE) & ((tree.parent == NONE) | errors.known[tree.parent]) & ~errors.known
        )
    ):
        errors.add_accelerations(nodes)
    for node in np.flatnonzero(tree.first != NONE):
        index = adaptive.figure.links[tree.link[node]].v
        a[index] = errors.rates[node, : index.stop - index.start]
    a[adaptive.figure.root.v] = errors.root_rates
    return a


def test_with_all_joints_active_it_moves_as_a_world_does() -> None:
    figure = crawler()
    q, v = thrown(figure)
    engine, state = world_and_state(figure, q, v, SPRINGS)
    adaptive = adaptive_of(figure)
    adaptive.start(q, v)
    lowest = np.inf
    for _ in range(10):
        state = moved(engine, state, 100 * H)
        adaptive.advance(H, 100)
        lowest = min(lowest, adaptive.q[6])
        # rounding grows at every landing of a corner: each of about 30 multiplies it by up to 2
        np.testing.assert_allclose(adaptive.q, state.q[0], rtol=0, atol=1e-8)
    assert lowest < 0.04  # it has landed
    assert abs(adaptive.q[figure.link("4").q.start]) > 0.1


def test_with_all_joints_passive_it_moves_as_a_rigid_body_does() -> None:
    figure = crawler()
    q, v = thrown(figure)
    v[6:] = 0.0
    rigid = Figure("rigid", tuple(_fixed(link) for link in figure.given_links))
    engine, state = world_and_state(rigid, q[:7], v[:6], {})
    adaptive = adaptive_of(figure, joints=0)
    adaptive.start(q, v)
    for _ in range(6):
        state = moved(engine, state, 100 * H)
        adaptive.advance(H, 100)
        np.testing.assert_allclose(adaptive.q[:7], state.q[0], rtol=0, atol=1e-8)
        np.testing.assert_allclose(adaptive.v[:6], state.v[0], rtol=0, atol=1e-6)
    assert adaptive.q[6] < 0.08
    assert not adaptive.active_links


def _fixed(link: Link) -> Link:
    joint = link.joint
    return replace(link, joint=Joint("fixed", position=joint.position) if link.parent else joint)


@pytest.mark.parametrize("joints", [5, 3, 1, 0])
def test_the_assembly_tree_feels_contacts_and_springs(joints: int) -> None:
    figure = crawler()
    q, v = thrown(figure)
    q[6] = 0.025  # some corners are in the ground
    adaptive, full = adaptive_of(figure, joints=joints), adaptive_of(figure)
    adaptive.start(q, v)
    adaptive.choose(0.01)
    adaptive.advance(H, 4)  # forces change after the choice
    full.start(adaptive.q, adaptive.v)
    expected = full.acceleration()
    in_air = AdaptiveDynamics(figure, springs=SPRINGS)
    in_air.start(adaptive.q, adaptive.v)
    assert abs(expected - in_air.acceleration()).max() > 1.0
    np.testing.assert_allclose(opened(adaptive), expected, rtol=0, atol=1e-10 * abs(expected).max())
    v, time = adaptive.v[figure.root.v.stop :], 0.01
    speeds = np.maximum(abs(v), abs(v + time * expected[figure.root.v.stop :]))
    # the metric of the whole, known without entering passive parts
    assert adaptive.errors(time).error[-1] == pytest.approx((speeds**2).sum(), rel=1e-9)


def test_joint_forces_can_change_with_time() -> None:
    figure = crawler()
    q, v = thrown(figure)
    adaptive, full = adaptive_of(figure, joints=1), adaptive_of(figure)
    adaptive.start(q, v)
    adaptive.choose(0.01)
    adaptive.tau = tau = np.linspace(-1.0, 2.0, figure.nv)
    full.tau = tau
    full.start(adaptive.q, adaptive.v)
    expected = full.acceleration()
    np.testing.assert_allclose(opened(adaptive), expected, rtol=0, atol=1e-10 * abs(expected).max())
    without = adaptive_of(figure)
    without.start(adaptive.q, adaptive.v)
    M = mass_matrix(figure, adaptive.q)
    change = M @ (expected - without.acceleration())
    np.testing.assert_allclose(change, tau, rtol=0, atol=1e-9 * abs(expected).max())


def test_a_limit_and_the_ground_carry_what_hangs_on_them() -> None:
    """At rest the normal forces of the ground carry the weight, whichever joints are active."""
    figure = crawler()
    q, _ = thrown(figure)
    q[6] = 0.04
    adaptive = adaptive_of(figure, error=0.05, hold="always")
    adaptive.start(q, np.zeros(figure.nv))
    adaptive.advance(H, 8000)
    f = adaptive.link_forces()
    poses = kinematics(figure, adaptive.q).rotation
    total = np.einsum("nij,nj->i", poses, f[:, 3:])
    weight = figure.mass * 9.81
    # it still creeps: friction is viscous at low speeds; its acceleration is below a hundredth of that of gravity
    np.testing.assert_allclose(total, [0.0, 0.0, weight], rtol=0, atol=1e-2 * weight)


def test_what_the_ground_cannot_carry_is_refused() -> None:
    figure = crawler()
    with pytest.raises(WorldError, match="has no stiffness"):
        CompliantGround(figure, SurfaceProperties())
    wheel = Figure("wheel", (Link("wheel", None, Joint("free"), (Part(Cylinder(0.1, 0.1)),)),))
    with pytest.raises(WorldError, match='the cylinder of "wheel" rolls'):
        CompliantGround(wheel, SURFACE)
    bare = Figure("bare", (Link("bare", None, Joint("free"), given_mass=BODY),))
    with pytest.raises(WorldError, match="no link has a shape that can touch"):
        CompliantGround(bare, SURFACE)
    foot = StickyFoot(1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
    with pytest.raises(WorldError, match="feet cannot stick"):
        CompliantGround(figure, SurfaceProperties(GROUND, feet=("0",), sticky=foot))
