"""Adaptive dynamics: accelerations, errors of held joints, impulses that stop joints, and motion."""

import numpy as np
import pytest
from figures import random_tree
from numpy.typing import NDArray

from benchmarks.adaptive import pendulum
from benchmarks.adaptive import started as started_scene
from benchmarks.peers import PinocchioFigure
from gambol.dynamics.adaptive import AdaptiveDynamics
from gambol.dynamics.adaptive.errors import PartErrors
from gambol.dynamics.adaptive.groups import Groups
from gambol.dynamics.adaptive.joints import JointTable
from gambol.dynamics.adaptive.link_places import LinkPlaces
from gambol.dynamics.adaptive.parts import Parts
from gambol.dynamics.adaptive.tree import NONE, assembly_tree
from gambol.dynamics.states import (
    forward_dynamics,
    inverse_dynamics,
    kinematics,
    kinetic_energy,
    mass_matrix,
    momentum,
)
from gambol.errors import GambolError, WorldError
from gambol.figure import JOINTS, Closure, Figure, Joint, Link, MassProperties, random_figure, random_state

Array = NDArray[np.float64]

ROOTS = ("free", "revolute", "spherical", "fixed")
SEEDS = range(8)


def figure_of(seed: int, links: int = 14) -> Figure:
    """A tree of all kinds of joints with rotors; of every three, one is a chain and one a bush."""
    return random_figure(
        seed, links, kinds=tuple(JOINTS), root=ROOTS[seed % 4], branching=(0.7, 0.0, 1.0)[seed % 3], rotors=0.3
    )


def started(figure: Figure, seed: int, **options: object) -> tuple[AdaptiveDynamics, Array]:
    tau = np.random.default_rng(seed).normal(size=figure.nv)
    adaptive = AdaptiveDynamics(figure, tau=tau, **options)  # type: ignore[arg-type]
    adaptive.start(*random_state(figure, seed))
    return adaptive, tau


def opened(adaptive: AdaptiveDynamics, time: float) -> PartErrors:
    """Errors with the accelerations of all joints."""
    errors, tree = adaptive.errors(time), adaptive.tree
    while True:
        reached = (tree.parent == NONE) | errors.known[tree.parent]
        nodes = np.flatnonzero(reached & ~errors.known & (tree.first != NONE))
        if not len(nodes):
            return errors
        errors.add_accelerations(nodes)


def accelerations(adaptive: AdaptiveDynamics, errors: PartErrors) -> Array:
    """Joint accelerations from the assembly tree, in the order of the figure."""
    a, tree, links = np.zeros(adaptive.figure.nv), adaptive.tree, adaptive.figure.links
    for node in np.flatnonzero((tree.first != NONE) & (tree.link != NONE)):
        index = links[tree.link[node]].v
        a[index] = errors.rates[node, : index.stop - index.start]
    root = links[0].v
    a[root] = errors.root_rates[: root.stop]
    return a


def speed_errors(adaptive: AdaptiveDynamics, a: Array, time: float) -> Array:
    """For each velocity, the largest change of speed that is missed if its joint is held."""
    v = adaptive.v
    return np.maximum(abs(v), abs(v + time * a))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_passes_give_the_accelerations_of_the_articulated_body_algorithm(seed: int) -> None:
    figure = figure_of(seed)
    adaptive, tau = started(figure, seed)
    expected = forward_dynamics(figure, adaptive.q, adaptive.v, tau)
    # random trees of 14 links have mass matrices of condition up to about 1e4
    np.testing.assert_allclose(adaptive.acceleration(), expected, rtol=0, atol=1e-11 * abs(expected).max())


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("joints", [14, 3, 0])
def test_the_assembly_tree_gives_the_same_accelerations_with_any_passive_joints(seed: int, joints: int) -> None:
    figure = figure_of(seed)
    adaptive, tau = started(figure, seed)
    adaptive.joints = joints
    adaptive.choose(0.05)
    expected = forward_dynamics(figure, adaptive.q, adaptive.v, tau)
    a = accelerations(adaptive, opened(adaptive, 0.05))
    np.testing.assert_allclose(a, expected, rtol=0, atol=1e-11 * abs(expected).max())


def test_trees_give_the_accelerations_of_pinocchio() -> None:
    for seed in range(4):
        figure = random_tree(seed, 20, root="free")
        peer = PinocchioFigure(figure)
        adaptive, tau = started(figure, seed)
        expected = peer.forward(adaptive.q[:, None], adaptive.v[:, None], tau[:, None])[:, 0]
        np.testing.assert_allclose(adaptive.acceleration(), expected, rtol=0, atol=1e-11 * abs(expected).max())


@pytest.mark.parametrize("seed", SEEDS)
def test_the_error_of_held_joints_is_the_sum_over_their_accelerations(seed: int) -> None:
    figure, time = figure_of(seed), 0.05
    adaptive, tau = started(figure, seed, joints=4)
    reported = adaptive.choose(time)
    errors = adaptive.errors(time)
    a = forward_dynamics(figure, adaptive.q, adaptive.v, tau)
    squares = speed_errors(adaptive, a, time) ** 2
    total = squares[figure.root.v.stop :].sum()
    assert errors.error[-1] == pytest.approx(total, rel=1e-9)  # all joints, known without entering passive parts
    assert reported.joints == len(adaptive.active_links) == 4


@pytest.mark.parametrize("seed", SEEDS)
def test_the_reported_error_is_that_of_the_passive_joints(seed: int) -> None:
    figure, time = figure_of(seed), 0.05
    adaptive, tau = started(figure, seed, error=1.0, hold="always")
    a = forward_dynamics(figure, adaptive.q, adaptive.v, tau)
    before = speed_errors(adaptive, a, time) ** 2
    reported = adaptive.choose(time)
    held = [
        k for link in figure.links[1:] if link.name not in adaptive.active_links for k in range(*link.v.indices(99))
    ]
    assert reported.error == pytest.approx(np.sqrt(before[held].sum() / figure.nv), rel=1e-9, abs=1e-12)
    assert reported.error <= 1.0


@pytest.mark.parametrize("seed", [0, 4, 8])
def test_stopping_joints_conserves_momentum_and_loses_energy(seed: int) -> None:
    figure = figure_of(seed)
    adaptive, _ = started(figure, seed, joints=3)
    q, v = adaptive.q, adaptive.v
    adaptive.choose(0.05)
    before, after = momentum(figure, q, v), momentum(figure, q, adaptive.v)
    np.testing.assert_array_equal(adaptive.q, q)
    scale = np.abs(before.angular).max() + np.abs(before.linear).max()
    np.testing.assert_allclose(after.linear, before.linear, rtol=0, atol=1e-12 * scale)
    np.testing.assert_allclose(after.angular, before.angular, rtol=0, atol=1e-12 * scale)
    assert kinetic_energy(figure, q, adaptive.v) < kinetic_energy(figure, q, v)


def test_stopped_velocities_are_nearest_to_those_before_in_kinetic_energy() -> None:
    """Gauss: momentum of the active joints is conserved, M_SS u = (M v)_S."""
    figure = figure_of(5)
    adaptive, _ = started(figure, 5, joints=3)
    q, v = adaptive.q, adaptive.v
    adaptive.choose(0.05)
    M = mass_matrix(figure, q)
    names = {*adaptive.active_links, figure.root.name}
    S = [k for link in figure.links if link.name in names for k in range(*link.v.indices(99))]
    expected = np.zeros(figure.nv)
    expected[S] = np.linalg.solve(M[np.ix_(S, S)], (M @ v)[S])
    np.testing.assert_allclose(adaptive.v, expected, rtol=0, atol=1e-11 * abs(v).max())


def test_held_joints_do_not_move_and_the_rest_moves_as_with_them_locked() -> None:
    figure = figure_of(2)
    adaptive, tau = started(figure, 2, joints=4)
    adaptive.choose(0.05)
    q, v, a = adaptive.q, adaptive.v, adaptive.acceleration()
    names = {*adaptive.active_links, figure.root.name}
    S = [k for link in figure.links if link.name in names for k in range(*link.v.indices(99))]
    # joint forces of the active joints are tau; the others bear what holds them
    force = inverse_dynamics(figure, q, v, a)
    np.testing.assert_allclose(force[S], tau[S], rtol=0, atol=1e-10 * abs(force).max())
    adaptive.interval = 1000
    adaptive.advance(1e-3)  # makes a choice of its own
    q, names = adaptive.q, {*adaptive.active_links, figure.root.name}
    adaptive.advance(1e-3, 50)
    moved = {link.name for link in figure.links if not np.array_equal(adaptive.q[link.q], q[link.q])}
    assert moved == names


def chain(links: int) -> Figure:
    mass = MassProperties(1.0, (0.0, 0.0, -0.05), ((1e-3, 0.0, 0.0), (0.0, 1e-3, 0.0), (0.0, 0.0, 5e-4)))
    joints = [Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, 0.0, -0.1 if i else 0.0)) for i in range(links)]
    tree = [Link(f"link {i}", f"link {i - 1}" if i else None, joint, given_mass=mass) for i, joint in enumerate(joints)]
    return Figure("chain", tuple(tree))


def test_an_error_of_zero_keeps_all_joints_active_and_gives_the_same_bits() -> None:
    figure = chain(40)
    q, v = np.linspace(0.3, -0.1, 40), np.zeros(40)
    runs = [AdaptiveDynamics(figure), AdaptiveDynamics(figure, error=0.0), AdaptiveDynamics(figure, joints=39)]
    for run in runs:
        run.start(q, v)
        run.advance(1e-3, 50)
        assert not run.adapts
        assert len(run.active_links) == 39
    for run in runs[1:]:
        np.testing.assert_array_equal(run.q, runs[0].q)
        np.testing.assert_array_equal(run.v, runs[0].v)


def test_the_bound_holds_at_every_choice_and_a_smaller_bound_gives_a_smaller_error_of_the_motion() -> None:
    figure = chain(60)
    q, v = np.concatenate([[1.0], np.zeros(59)]), np.zeros(60)
    full = AdaptiveDynamics(figure)
    full.start(q, v)
    full.advance(1e-3, 200)
    deviations: list[float] = []
    for bound in (0.1, 0.01, 0.001):
        adaptive = AdaptiveDynamics(figure, error=bound, hold="always")
        adaptive.start(q, v)
        adaptive.advance(1e-3, 200)
        assert all(choice.error <= bound for choice in adaptive.choices)
        deviations.append(float(np.sqrt(np.mean((adaptive.q - full.q) ** 2))))
    assert deviations[0] > deviations[1] > deviations[2]
    assert deviations[2] < 0.01


def missed_speeds(bound: float, steps: int, calls: int) -> tuple[float, AdaptiveDynamics]:
    """How fast held joints of a whip become: the full motion goes on from the state of each choice to the next one.

    steps: steps between two choices, taken in several calls. Returns the largest root of the mean square.
    """
    figure = chain(60)
    adaptive = AdaptiveDynamics(figure, error=bound, interval=steps, hold="always")
    full = AdaptiveDynamics(figure)
    adaptive.start(np.concatenate([[1.0], np.zeros(59)]), np.zeros(60))
    missed: list[float] = []
    for _ in range(12):
        q, v = adaptive.q, adaptive.v
        for _ in range(calls):
            adaptive.advance(1e-3, steps // calls)
        active = {*adaptive.active_links, "link 0"}
        held = [link.v.start for link in figure.links if link.name not in active]
        v[held] = 0.0
        full.start(q, v)
        largest = np.zeros(60)
        for _ in range(steps):
            full.advance(1e-3)
            largest = np.maximum(largest, abs(full.v))
        missed.append(float(np.sqrt((largest[held] ** 2).sum() / 60)))
    return max(missed), adaptive


@pytest.mark.parametrize("bound", [0.1, 0.3])
def test_held_joints_do_not_become_faster_than_the_bound(bound: float) -> None:
    """Intervals are repeated with more active joints if accelerations grow; steps that were returned are not."""
    missed, adaptive = missed_speeds(bound, 20, 1)
    assert missed <= bound
    assert adaptive.repeats > 0
    missed, single = missed_speeds(bound, 20, 20)
    assert missed <= bound
    assert single.time == pytest.approx(12 * 0.02)
    assert single.choices[-1].time == pytest.approx(11 * 0.02)


def test_a_loose_bound_does_not_stop_what_moves() -> None:
    """Joints of a long pendulum turn slowly, compared with a bound, but if they stop, its end is somewhere else."""
    scene = pendulum()
    full, adaptive = started_scene(scene), started_scene(scene, error=0.1, hold="always")
    for motion in (full, adaptive):
        motion.advance(1e-3, 500)
    start, there, here = (kinematics(scene.figure, q).position for q in (scene.q, full.q, adaptive.q))
    assert np.linalg.norm(here - there, axis=1).max() < 0.01 * np.linalg.norm(there - start, axis=1).max()


def test_small_figures_hold_joints_by_a_bound_only_if_they_are_told_to() -> None:
    """With few joints and steps between two choices the full motion is faster, so it is what a bound gives."""
    figure = chain(60)
    full = AdaptiveDynamics(figure)
    told, by_count = AdaptiveDynamics(figure, error=0.3, hold="always"), AdaptiveDynamics(figure, joints=10)
    small, seldom = AdaptiveDynamics(figure, error=0.3), AdaptiveDynamics(figure, error=0.3, interval=400)
    assert [each.adapts for each in (full, told, by_count, small, seldom)] == [False, True, True, False, True]
    for motion in (full, small):
        motion.start(np.concatenate([[1.0], np.zeros(59)]), np.zeros(60))
        motion.advance(1e-3, 50)
    np.testing.assert_array_equal(small.q, full.q)
    assert not small.choices


def test_a_star_and_massless_links_inside_a_tree_are_supported() -> None:
    mass = MassProperties(1.0, (0.0, 0.0, -0.05), ((1e-3, 0.0, 0.0), (0.0, 1e-3, 0.0), (0.0, 0.0, 5e-4)))
    links = [Link("hub", None, Joint("free"), given_mass=mass)]
    for i in range(37):
        links.append(Link(f"yaw {i}", "hub", Joint("revolute", (0.0, 0.0, 1.0), position=(0.01 * i, 0.1, 0.0))))
        links.append(Link(f"arm {i}", f"yaw {i}", Joint("revolute", (1.0, 0.0, 0.0)), given_mass=mass))
    figure = Figure("star", tuple(links))
    adaptive, tau = started(figure, 1, joints=20)
    adaptive.choose(0.05)
    assert adaptive.tree.level[-1] <= 16  # 37 branches of one body; in a row they would be 37 levels
    expected = forward_dynamics(figure, adaptive.q, adaptive.v, tau)
    a = accelerations(adaptive, opened(adaptive, 0.05))
    np.testing.assert_allclose(a, expected, rtol=0, atol=1e-9 * abs(expected).max())
    adaptive.advance(1e-3, 100)
    assert np.isfinite(adaptive.q).all()


def test_the_depth_of_the_tree_of_a_chain_is_logarithmic() -> None:
    assert AdaptiveDynamics(chain(1000)).tree.level[-1] == 10


@pytest.mark.parametrize("lanes", [1, 4, 8])
def test_blocks_of_nodes_have_the_parts_of_their_nodes_in_earlier_blocks(lanes: int) -> None:
    tree = assembly_tree(random_tree(3, 60, root="free"))
    inner = np.flatnonzero(tree.first != NONE)
    blocks = tree.in_blocks(inner[::2], lanes).reshape(-1, lanes)
    np.testing.assert_array_equal(np.unique(blocks), inner[::2])
    block = np.full(len(tree.first), -1)
    for k, nodes in enumerate(blocks):
        children = np.concatenate([tree.first[nodes], tree.second[nodes]])
        assert (block[children[np.isin(children, inner[::2])]] >= 0).all()  # they come before
        block[nodes] = k


def test_places_of_links_that_are_kept_from_choice_to_choice_are_their_poses_in_their_groups() -> None:
    figure = random_tree(5, 40, root="free")
    tree, table = assembly_tree(figure), JointTable(figure, {})
    q, _ = random_state(figure, 5)
    parts = Parts(figure, tree, table, [np.ones(figure.nv), np.zeros(figure.nv), np.zeros(figure.nv)])
    inner = np.flatnonzero(tree.first != NONE)
    parts.update(inner, q)
    points = [(k, (0.1, 0.0, 0.0), 0.01) for k in range(len(figure.links))]
    kept, states, generator = LinkPlaces(parts, points), kinematics(figure, q), np.random.default_rng(5)
    R = states.rotation
    for _ in range(12):
        active = np.zeros(len(tree.first), bool)
        active[generator.choice(inner, 6)] = True
        for node in inner[::-1]:  # active nodes are a region at the root
            active[node] &= tree.parent[node] == NONE or active[tree.parent[node]]
        active[inner[-1]] = True
        groups = Groups.of(parts, active)
        kept.update(groups.front, groups.nodes)
        first = tree.first_link[kept.node]
        known = first != NONE  # a group may begin with a massless copy
        here, there = R[known], R[first[known]]
        distance = states.position[known] - states.position[first[known]]
        np.testing.assert_allclose(kept.rotation[known], there.transpose(0, 2, 1) @ here, atol=1e-12)
        np.testing.assert_allclose(kept.position[known], np.einsum("nji,nj->ni", there, distance), atol=1e-12)


def test_what_does_not_fit_is_refused_in_words() -> None:
    figure = chain(5)
    with pytest.raises(GambolError, match="error bound cannot be -1"):
        AdaptiveDynamics(figure, error=-1.0)
    with pytest.raises(GambolError, match="error bound cannot be inf"):
        AdaptiveDynamics(figure, error=np.inf)
    with pytest.raises(GambolError, match=r"1\.5 joints cannot be active; give a whole number"):
        AdaptiveDynamics(figure, joints=1.5)  # type: ignore[arg-type]
    with pytest.raises(GambolError, match='"never"; take "if faster" or "always"'):
        AdaptiveDynamics(figure, error=1.0, hold="never")  # type: ignore[arg-type]
    with pytest.raises(GambolError, match="7 joints cannot be active; the figure has 4"):
        AdaptiveDynamics(figure, joints=7)
    with pytest.raises(GambolError, match="every 0 steps"):
        AdaptiveDynamics(figure, joints=2, interval=0)
    with pytest.raises(GambolError, match="tau must be 5 finite numbers"):
        AdaptiveDynamics(figure, tau=np.zeros(4))
    with pytest.raises(GambolError, match="weights of errors must be positive"):
        AdaptiveDynamics(figure, weights=np.zeros(5))
    with pytest.raises(WorldError, match="no joint besides that of its root"):
        AdaptiveDynamics(chain(1))
    with pytest.raises(WorldError, match="prescribed"):
        AdaptiveDynamics(random_figure(1, 5, root="free").with_base("prescribed"))
    closed = Figure("closed", figure.given_links, constraints=(Closure("point", "link 0", "link 4"),))
    with pytest.raises(WorldError, match="closed loops and couplings cannot be cut"):
        AdaptiveDynamics(closed)
    with pytest.raises(GambolError, match="damping cannot be negative"):
        AdaptiveDynamics(figure, damping=-np.ones(5))
    adaptive = AdaptiveDynamics(figure)
    with pytest.raises(GambolError, match=r"no state yet; call start"):
        adaptive.advance(1e-3)
    with pytest.raises(GambolError, match="q must be 5 finite numbers"):
        adaptive.start(np.zeros(4), np.zeros(5))
    adaptive.start(np.zeros(5), np.zeros(5))
    with pytest.raises(GambolError, match="steps of 0 s cannot be taken"):
        adaptive.advance(0.0)


def test_damping_acts_against_velocities() -> None:
    figure = figure_of(4)
    damping = np.random.default_rng(3).uniform(0.1, 1.0, figure.nv)
    adaptive, tau = started(figure, 4, damping=damping)
    expected = forward_dynamics(figure, adaptive.q, adaptive.v, tau - damping * adaptive.v)
    np.testing.assert_allclose(adaptive.acceleration(), expected, rtol=0, atol=1e-11 * abs(expected).max())
    a = accelerations(adaptive, opened(adaptive, 0.05))
    np.testing.assert_allclose(a, expected, rtol=0, atol=1e-11 * abs(expected).max())
    v, q = adaptive.v, adaptive.q
    adaptive.joints = 3
    adaptive.choose(0.05)
    M, names = mass_matrix(figure, q), {*adaptive.active_links, figure.root.name}
    S = [k for link in figure.links if link.name in names for k in range(*link.v.indices(99))]
    stopped = np.linalg.solve(M[np.ix_(S, S)], (M @ v)[S])  # the impulse does not feel the damping
    np.testing.assert_allclose(adaptive.v[S], stopped, rtol=0, atol=1e-11 * abs(v).max())


def test_a_motion_that_becomes_infinite_is_refused() -> None:
    adaptive = AdaptiveDynamics(chain(5), damping=np.full(5, 1e3))  # explicit damping: h d / I is far above 2
    adaptive.start(np.full(5, 0.1), np.ones(5))
    with (
        pytest.raises(GambolError, match="take shorter steps"),
        np.errstate(over="ignore", invalid="ignore"),
    ):
        adaptive.advance(0.01, 2000)
