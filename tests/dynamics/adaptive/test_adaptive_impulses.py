"""Adaptive dynamics with rigid contacts and hard joint limits: impulses, momentum, bounces and friction."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from gambol.contact import ContactParameters, RigidGround, StickyFoot, SurfaceProperties
from gambol.dynamics.adaptive import AdaptiveDynamics
from gambol.dynamics.states import LinkStates, kinematics, mass_matrix, momentum
from gambol.errors import GambolError, WorldError
from gambol.figure import Figure, Joint, JointSpring, Link, MassProperties, Part
from gambol.figure.shapes import Box, Cylinder, Sphere
from gambol.lanes import leaves
from gambol.spatial import Quaternion, Vector

Array = NDArray[np.float64]

H = 1e-3
FRICTION = 0.4
TOLERANCE = 1e-10  # of the sweeps [m/s]
BODY = MassProperties(1.0, inertia=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))


def surface(restitution: float = 0.0, friction: float = FRICTION) -> SurfaceProperties:
    return SurfaceProperties(
        ContactParameters(1e3, 0.5, 40.0, 5.0, 0.05, restitution, 0.01, friction, 1.0, 0.0, 50.0), grip="none"
    )


def ground(figure: Figure, tolerance: float = 1e-7, **options: float) -> RigidGround:
    return RigidGround(figure, surface(**options), iterations=20000, tolerance=tolerance)


def crawler() -> Figure:
    """A floating box with branches of boxes, with balls at their ends."""
    box, ball = Part(Box((0.2, 0.06, 0.06))), Part(Sphere(0.04))
    joints = [
        Joint("free"),
        Joint("revolute", (0.0, 1.0, 0.0), position=(0.2, 0.0, 0.0), rotor=0.01),
        Joint("revolute", (0.0, 0.0, 1.0), position=(0.2, 0.0, 0.0)),
        Joint("spherical", position=(0.2, 0.0, 0.0)),
        Joint("prismatic", (0.0, 1.0, 0.0), position=(-0.2, 0.0, 0.0)),
        Joint("revolute", (1.0, 1.0, 0.0), position=(0.0, 0.2, 0.0)),
        Joint("revolute", (0.0, 1.0, 0.0), position=(-0.2, -0.2, 0.0)),
    ]
    parents = [None, "0", "1", "2", "0", "4", "0"]
    links = [
        Link(f"{k}", parent, joint, (ball if k in (3, 5) else box,))
        for k, (parent, joint) in enumerate(zip(parents, joints, strict=True))
    ]
    return Figure("crawler", tuple(links))


LIMITS = {"1": JointSpring(lower=-0.1, upper=0.1), "4": JointSpring(upper=0.0), "6": JointSpring(lower=0.0)}


def thrown(figure: Figure, seed: int) -> tuple[Array, Array]:
    """A state in which corners and balls touch, with joints at their limits and moving beyond them."""
    q, v = np.zeros(figure.nq), np.random.default_rng(seed).normal(size=figure.nv)
    q[0], q[6] = 1.0, 0.0299
    v[5] = -1.5
    q[figure.link("3").q.start] = 1.0
    q[figure.link("1").q.start] = -0.1
    return q, v


def fixed_axes(figure: Figure, v: Array, a: Array) -> Array:
    """Velocities after a step along the axes before it; the root is a free joint with velocities in link axes."""
    turn = np.zeros(figure.nv)
    turn[3:6] = np.cross(v[3:6], v[:3])
    return v + H * (a - turn)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("joints", [6, 3, 0])
def test_impulses_solve_the_contact_problem_of_the_mass_matrix(seed: int, joints: int) -> None:
    """The velocities after a step by the mass matrix and Jacobians of all links fulfil the laws of contact."""
    figure, law = crawler(), ground(crawler(), TOLERANCE)
    q, v = thrown(figure, seed)
    adaptive = AdaptiveDynamics(figure, contact=law, springs=LIMITS, limits="hard", joints=joints, interval=1000)
    adaptive.start(q, v)
    adaptive.choose(0.01)
    adaptive.errors(0.01)
    v = adaptive.v
    free = AdaptiveDynamics(figure, joints=joints)
    free.start(q, v)
    free._change_groups(adaptive._active)  # pyright: ignore[reportPrivateUsage]
    names = {*adaptive.active_links, figure.root.name}
    S = [k for link in figure.links if link.name in names for k in range(*link.v.indices(99))]
    np.testing.assert_allclose(free.v, v, rtol=0, atol=1e-12)
    free_v = fixed_axes(figure, v, free.acceleration())
    adaptive.advance(H)
    forces, limits = adaptive._contacts_and_limits.memory.contacts, adaptive._contacts_and_limits.memory.limits  # pyright: ignore[reportPrivateUsage]
    before = kinematics(figure, q, v)
    rows = [contact_row(law, before, figure, k) for k in range(len(law.points))]
    push = H * limits.copy()
    for (J, _, _), f in zip(rows, forces, strict=True):
        push += H * J.T @ f
    change = np.zeros(figure.nv)
    change[S] = np.linalg.solve(mass_matrix(figure, q)[np.ix_(S, S)], push[S])
    after = free_v + change
    assert (forces[:, 2] > 0.0).sum() >= 1
    for (J, gap, speed), f, compliance in zip(rows, forces, law.compliance, strict=True):
        slip, p = J @ after, H * f
        target = -gap / H if gap > 0.0 else min(-0.1 * gap / H, 0.05)
        if gap > 1e-3 + 2.0 * H * max(-speed, 0.0):
            assert not f.any()  # too far away to be considered
            continue
        excess = slip[2] + compliance * p[2] - target
        assert excess >= -1e-8
        assert abs(excess * p[2]) < 1e-8
        sliding, bound = slip[:2] + compliance * p[:2], FRICTION * p[2]
        size = np.linalg.norm(p[:2])
        assert size <= bound + 1e-10
        if size < bound - 1e-7:
            np.testing.assert_allclose(sliding, 0.0, rtol=0, atol=1e-7)
        elif np.linalg.norm(sliding) > 1e-6:  # friction is opposite to the slip
            assert p[:2] @ sliding <= (-1.0 + 1e-6) * size * np.linalg.norm(sliding) + 1e-10
    for name, spring in LIMITS.items():
        (k,) = range(*figure.link(name).v.indices(99))
        x, f = q[figure.link(name).q.start], H * limits[k]
        if name not in names:
            continue
        sign, distance = (1.0, x - spring.lower) if x - spring.lower < spring.upper - x else (-1.0, spring.upper - x)
        assert sign * f >= 0.0
        assert sign * after[k] >= -max(distance, 0.0) / H - 1e-8
        assert abs((sign * after[k] + max(distance, 0.0) / H) * f) < 1e-8
    np.testing.assert_allclose(
        adaptive.v[S][6:], after[S][6:], rtol=0, atol=1e-9
    )  # the root's are along its axes after the step


def contact_row(law: RigidGround, states: LinkStates, figure: Figure, k: int) -> tuple[Array, float, float]:
    """The Jacobian (3, nv) in world axes of the lowest point of a ball, its gap, and the rate of the gap."""
    link, position, radius = law.points[k]
    name, index = figure.links[link].name, link
    R = states.rotation[index]
    lowest = np.array(position) - radius * R.T @ np.array([0.0, 0.0, 1.0])
    J = states.jacobian(name, lowest)[-3:]
    height = states.point(name, lowest)[2]
    return J, float(height), float(states.point_velocity(name, lowest)[2])


@pytest.mark.parametrize("joints", [None, 2, 1])
def test_impulses_of_joint_limits_conserve_momentum(joints: int | None) -> None:
    figure = crawler()
    q, v = thrown(figure, 3)
    v[figure.link("1").v], v[figure.link("4").v] = -3.0, 4.0
    limits = {"1": JointSpring(lower=-0.1), "4": JointSpring(upper=0.0)}
    bodies = [AdaptiveDynamics(figure, gravity=0.0, springs=limits, limits=kind) for kind in ("soft", "hard")]
    after: list[Array] = []
    for body in bodies:
        body.joints = body.joint_count if joints is None else joints
        body.interval = 1000
        body.start(q, v)
        body.choose(0.01)
        body.advance(H)
        after.append(body.v)
    assert {"1", "4"} & {*bodies[1].active_links}
    assert np.abs(after[1] - after[0]).max() > 0.1
    # both steps begin alike, so that they differ by the impulses only
    hard, soft = (momentum(figure, q, along_axes_before(q, body.q, v)) for body, v in zip(bodies, after, strict=True))
    size = abs(soft.linear).max() + abs(soft.angular).max()
    np.testing.assert_allclose(hard.linear, soft.linear, rtol=0, atol=1e-12 * size)
    np.testing.assert_allclose(hard.angular, soft.angular, rtol=0, atol=1e-12 * size)


def along_axes_before(q: Array, q_after: Array, v: Array) -> Array:
    """Velocities of a figure with a free root, along the root's axes before a step instead of after it."""
    before, after = (Quaternion(*x[:4].tolist()).rotation() for x in (q, q_after))
    linear = before.transpose @ (after @ Vector(*v[3:6].tolist()))
    return np.concatenate([v[:3], leaves(linear), v[6:]])


def test_two_masses_that_reach_the_end_of_a_slide_move_on_together() -> None:
    links = (
        Link("a", None, Joint("prismatic", (1.0, 0.0, 0.0)), given_mass=BODY),
        Link("b", "a", Joint("prismatic", (1.0, 0.0, 0.0)), given_mass=MassProperties(3.0, inertia=BODY.inertia)),
    )
    figure = Figure("slide", links)
    body = AdaptiveDynamics(figure, gravity=0.0, springs={"b": JointSpring(upper=0.1)}, limits="hard")
    body.start([0.0, 0.0], [0.0, 2.0])
    body.advance(H, 49)
    np.testing.assert_allclose(body.v, [0.0, 2.0], rtol=0, atol=1e-12)
    body.advance(H, 20)
    np.testing.assert_allclose(body.q[1], 0.1, rtol=0, atol=1e-9)
    np.testing.assert_allclose(body.v, [6.0 / 4.0, 0.0], rtol=0, atol=1e-6)  # momentum 6 kg m/s of 4 kg


def ball(height: float) -> tuple[Figure, Array]:
    links = (
        Link("ball", None, Joint("free"), (Part(Sphere(0.1)),)),
        Link("inside", "ball", Joint("revolute", (0.0, 1.0, 0.0)), given_mass=BODY),
    )
    figure = Figure("ball", links)
    q = np.zeros(figure.nq)
    q[0], q[6] = 1.0, height
    return figure, q


def test_a_ball_rebounds_to_the_square_of_its_restitution() -> None:
    figure, q = ball(0.6)
    body = AdaptiveDynamics(figure, contact=ground(figure, restitution=0.5))
    body.start(q, np.zeros(figure.nv))
    heights: list[float] = []
    for _ in range(700):
        body.advance(H)
        heights.append(float(body.q[6]) - 0.1)
    hit = int(np.argmin(heights[:400]))
    # the hit is up to a step early or late: a speed error of g h at 3.1 m/s, so 1 % of the height
    assert max(heights[hit:]) == pytest.approx(0.25 * 0.5, rel=0.02)


def test_a_sliding_box_stops_by_coulombs_friction() -> None:
    box = Part(Box((0.2, 0.1, 0.1)))
    links = (
        Link("a", None, Joint("free"), (box,)),
        Link("b", "a", Joint("revolute", (0.0, 1.0, 0.0), position=(0.3, 0.0, 0.0)), (box,)),
    )
    figure = Figure("boxes", links)
    q, v = np.array([1.0, 0, 0, 0, 0, 0, 0.05, 0]), np.array([0.0, 0, 0, 1.0, 0, 0, 0])
    for joints in (1, 0):
        body = AdaptiveDynamics(figure, contact=ground(figure), joints=joints)
        body.start(q, v)
        body.advance(H, 400)
        distance = 1.0 / (2.0 * FRICTION * 9.81)
        assert body.q[4] == pytest.approx(distance, abs=1.5e-3)  # h v / 2 is 0.5 mm
        np.testing.assert_allclose(body.v, 0.0, rtol=0, atol=1e-5)
        weight = body.link_forces()[:, 5]
        assert weight.sum() == pytest.approx(9.81 * figure.mass, rel=1e-4)


def snake(links: int) -> tuple[Figure, Array]:
    """A chain of balls, of which the front is raised above the ground."""
    joints = [Joint("revolute", (0.0, 1.0, 0.0), position=(-0.1, 0.0, 0.0)) for _ in range(links)]
    part = Part(Sphere(0.05))
    made = (Link(f"{k}", f"{k - 1}" if k else None, joints[k] if k else Joint("free"), (part,)) for k in range(links))
    figure = Figure("snake", tuple(made))
    q = np.concatenate([[1.0], np.zeros(figure.nq - 1)])
    q[7:17] = -0.05
    q[17:27] = 0.05
    q[6] = 0.05 - float(kinematics(figure, q).position[-1, 2])
    return figure, q


def test_a_snake_with_more_active_joints_is_nearer_to_the_full_motion() -> None:
    figure, q = snake(60)
    ends: dict[int | None, Array] = {}
    for joints in (None, 20, 10, 5):
        law = RigidGround(figure, surface(), iterations=200, tolerance=1e-8)
        body = AdaptiveDynamics(figure, contact=law, joints=joints, interval=10)
        body.start(q, np.zeros(figure.nv))
        body.advance(H, 150)
        ends[joints] = kinematics(figure, body.q).position
        assert ends[joints][:, 2].min() > 0.05 - 1e-3
    fallen = np.abs(ends[None] - kinematics(figure, q).position).max()
    errors = [float(np.sqrt(((ends[joints] - ends[None]) ** 2).sum(axis=1).mean())) for joints in (20, 10, 5)]
    assert fallen > 0.05
    assert errors[0] < errors[1] < errors[2]
    assert errors[0] < 0.01 * fallen
    assert errors[1] < 0.05 * fallen


def test_hard_limits_of_joints_with_several_degrees_of_freedom_are_refused_unless_springs_hold_them() -> None:
    links = (
        Link("a", None, Joint("free"), given_mass=BODY),
        Link("b", "a", Joint("spherical", position=(0.1, 0.0, 0.0)), given_mass=BODY),
    )
    figure, spring = Figure("pair", links), JointSpring(upper=0.4)
    with pytest.raises(WorldError, match='limits of "b" cannot be hard, since its spherical joint'):
        AdaptiveDynamics(figure, springs={"b": spring}, limits="hard")
    AdaptiveDynamics(figure, springs={"b": replace(spring, limit_stiffness=30.0)}, limits="hard")


def test_what_a_rigid_ground_cannot_do_is_refused() -> None:
    figure, _ = ball(1.0)
    with pytest.raises(WorldError, match="has no stiffness"):
        RigidGround(figure, SurfaceProperties())
    with pytest.raises(WorldError, match="0 sweeps"):
        RigidGround(figure, surface(), iterations=0)
    wheel = Figure("wheel", (Link("wheel", None, Joint("free"), (Part(Cylinder(0.1, 0.1)),)),))
    with pytest.raises(WorldError, match='the cylinder of "wheel" rolls'):
        RigidGround(wheel, surface())
    bare = Figure("bare", (Link("bare", None, Joint("free"), given_mass=BODY),))
    with pytest.raises(WorldError, match="no link has a shape that can touch"):
        RigidGround(bare, surface())
    foot = StickyFoot(1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
    with pytest.raises(WorldError, match="feet cannot stick"):
        RigidGround(figure, SurfaceProperties(surface().parameters, feet=("ball",), sticky=foot))
    with pytest.raises(GambolError, match='limits cannot be "firm"; take "soft" or "hard"'):
        AdaptiveDynamics(figure, limits="firm")  # type: ignore[arg-type]
