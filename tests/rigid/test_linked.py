"""Figures in piles: their joints move as forward dynamics of the figure has them, and they land as in a world."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from worlds import touch

from gambol.contact import Stepping, SurfaceProperties
from gambol.dynamics import aba, kinematics
from gambol.dynamics.tangent import figure_q_dot
from gambol.errors import WorldError
from gambol.figure import Box, Capsule, Closure, Figure, Joint, JointSpring, Link, MassProperties, Part, Sphere
from gambol.rigid import Body, LinkedBodies, Pile, PileStepper, Sleeping, SurfaceMaterial, initial_state, linked_bodies
from gambol.spatial import Quaternion
from gambol.world import Engine, Timing, World, start
from gambol.world.external import InitialState

LENGTH = 0.3
BODY = MassProperties(1.3, (0.02, -0.01, -0.12), ((0.02, 1e-3, 0.0), (1e-3, 0.015, 2e-3), (0.0, 2e-3, 0.01)))


AXES = [(0.0, 1.0, 0.0), (0.6, 0.0, 0.8), (0.0, -0.6, 0.8)]
ACROSS = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)]
UPRIGHT = MassProperties(1.3, (0.02, 0.0, -0.12), ((0.02, 0.0, 0.0), (0.0, 0.015, 0.0), (0.0, 0.0, 0.01)))


def chain(kinds: list[str], axes: list[tuple[float, float, float]] = AXES) -> Figure:
    """A chain of joints of these kinds, hung at a height of 2 m, with these axes in turn; one axis: in a plane."""
    links = [
        Link(
            f"link{k}",
            f"link{k - 1}" if k else None,
            Joint(kind, axes[k % len(axes)], position=(0.0, 0.0, -LENGTH if k else 2.0)),
            given_mass=BODY if len(axes) > 1 else UPRIGHT,
        )
        for k, kind in enumerate(kinds)
    ]
    return Figure("chain", tuple(links))


def pile_of(linked: LinkedBodies, q: np.ndarray, v: np.ndarray, **options) -> tuple[Pile, object]:
    pile = Pile(linked.bodies, joints=linked.joints, **options)
    return pile, initial_state(pile, *linked.state(q, v))


def exact(figure: Figure, q: np.ndarray, v: np.ndarray, seconds: float) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and velocities after a time, for figures without quaternions."""

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        q, v = y[: figure.nq].tolist(), y[figure.nq :].tolist()
        accelerations = aba(kinematics(figure, q, v), [0.0] * figure.nv)[0]
        return np.array([*figure_q_dot(figure, q, v), *accelerations], float)

    end = solve_ivp(rates, (0.0, seconds), np.concatenate([q, v]), rtol=1e-10, atol=1e-12).y[:, -1]
    return end[: figure.nq], end[figure.nq :]


def errors_of(figure: Figure) -> list[float]:
    """The errors of positions after 0.3 s [m] with steps of 2 ms and 1 ms; the ledger accounts for all energy."""
    linked = linked_bodies(figure)
    rng = np.random.default_rng(figure.nv)
    q, v = rng.normal(0.0, 0.3, figure.nq), rng.normal(0.0, 1.0, figure.nv)
    expected = linked.state(*exact(figure, q, v, 0.3))[0]
    errors = []
    for h in (2e-3, 1e-3):
        pile, begin = pile_of(linked, q, v, step=h, ground=None)
        stepper = PileStepper(pile)
        state = stepper.advance(begin, round(0.3 / h))
        errors.append(float(np.abs(state.position[:, 1:].T - expected).max()))
        change = stepper.energy(state) - stepper.energy(begin)
        assert abs(change - state.ledger.total) < 1e-7  # sweeps end at 5e-10 m/s
    return errors


def test_a_chain_in_a_plane_moves_as_forward_dynamics_has_it_to_second_order():
    coarse, fine = errors_of(chain(["revolute"] * 3, [(0.0, 1.0, 0.0)]))
    assert fine < 1e-5
    assert 3.3 < coarse / fine < 4.7


@pytest.mark.parametrize(
    "kinds",
    [["revolute"] * 3, ["revolute", "fixed", "prismatic"], ["cylindrical", "revolute"], ["planar", "revolute"]],
)
def test_joints_in_space_move_as_forward_dynamics_has_them(kinds):
    """Bodies tumble after impulses are found, so errors are of first order: 0.03 mm after 0.3 s in steps of 1 ms."""
    coarse, fine = errors_of(chain(kinds))
    assert fine < 3e-5
    assert fine < 0.8 * coarse


def test_a_top_keeps_its_point_energy_and_angular_momentum_about_the_vertical():
    figure = chain(["spherical"])
    linked = linked_bodies(figure)
    q, v = np.array([np.cos(0.4), np.sin(0.4), 0.0, 0.0]), np.array([1.0, -2.0, 30.0])
    hang = np.array([0.0, 0.0, 2.0])
    lost = []
    for h in (5e-4, 2.5e-4):
        pile, begin = pile_of(linked, q, v, step=h, ground=None)
        stepper = PileStepper(pile)
        state = stepper.advance(begin, round(0.2 / h))
        momenta = []
        for x, turn, w in ((s.position[:, 1], s.orientation[:, 1], s.velocity[:, 1]) for s in (begin, state)):
            R = np.array(Quaternion(*turn).rotation().rows, float)
            spin = R @ np.diag(pile.moments()[:, 1]) @ R.T @ w[:3]
            momenta.append(float((spin + BODY.mass * np.cross(x - hang, w[3:]))[2]))
        lost.append(abs(momenta[1] - momenta[0]) / momenta[0])
        assert abs(np.linalg.norm(state.position[:, 1] - hang) - np.linalg.norm(BODY.com)) < 1e-6
        assert abs(stepper.energy(state) - stepper.energy(begin) - state.ledger.total) < 1e-8
    assert lost[0] < 3e-3
    assert 1.6 < lost[0] / lost[1] < 2.4  # of first order, see above


def test_coordinates_are_found_again_from_the_bodies():
    kinds = ["free", "revolute", "planar", "universal", "spherical", "cylindrical", "prismatic", "fixed", "revolute"]
    turned = ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    links = [Link("massless", None, Joint("fixed", rotation=turned, position=(0.1, 0.2, 0.3)))]
    for k, kind in enumerate(kinds):
        across = ACROSS[k % 3] if kind in ("universal", "planar") else None
        joint = Joint(kind, AXES[k % 3], turned, (0.1, 0.0, -LENGTH), across)
        links.append(Link(f"link{k}", links[-1].name, joint, given_mass=BODY))
    figure = Figure("all kinds", tuple(links))
    linked, rng = linked_bodies(figure, first=3), np.random.default_rng(2)
    q, v = rng.normal(0.0, 0.7, figure.nq), rng.normal(size=figure.nv)
    for link in figure.links:
        if link.joint.kind in ("free", "spherical"):
            at = slice(link.q.start, link.q.start + 4)
            q[at] *= np.sign(q[at.start]) / np.linalg.norm(q[at])
    pile = Pile([Body(Sphere(0.1), 1.0), Body(Sphere(0.1), 1.0), *linked.bodies], joints=linked.joints)
    fill = [[0.0, 0.0, 1.0]] * 2, [[1.0, 0.0, 0.0, 0.0]] * 2, [[0.0] * 6] * 2
    state = initial_state(pile, *(np.concatenate(parts) for parts in zip(fill, linked.state(q, v), strict=True)))
    found = linked.coordinates(state)
    assert np.abs(found[0] - q).max() < 1e-12
    assert np.abs(found[1] - v).max() < 1e-12


def three_capsules() -> Figure:
    body = Link("body", None, Joint("free"), (Part(Capsule(0.06, 0.3), density=1000.0),))
    arm = Part(Capsule(0.04, 0.2), (0.0, 0.0, -0.15), density=1000.0)
    hand = Part(Capsule(0.03, 0.1), (0.0, 0.0, -0.08), density=1000.0)
    elbow, wrist = Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, 0.0, -0.15)), (0.0, 0.0, -0.27)
    links = (body, Link("arm", "body", elbow, (arm,)), Link("hand", "arm", Joint("spherical", position=wrist), (hand,)))
    return Figure("three capsules", links)


FALLING = np.array([np.cos(0.6), 0.0, np.sin(0.6), 0.0, 0.0, 0.0, 0.5, 0.4, 1.0, 0.0, 0.0, 0.0])
"""Coordinates of three_capsules() above the ground, inclined."""


def with_crosses() -> Figure:
    """The same capsules, the body and the hand with another one across."""
    body, arm, hand = three_capsules().given_links
    across = ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    wide = Part(Capsule(0.05, 0.2), (0.0, 0.0, 0.1), across, density=1000.0)
    short = Part(Capsule(0.02, 0.08), (0.0, 0.0, -0.15), across, density=1000.0)
    links = replace(body, parts=(*body.parts, wide)), arm, replace(hand, parts=(*hand.parts, short))
    return Figure("with crosses", links)


@pytest.mark.parametrize("figure", [three_capsules(), with_crosses()])
@pytest.mark.parametrize(("seconds", "bound"), [(0.2, 1e-12), (0.4, 3e-3)])
def test_a_figure_falls_and_lands_as_in_a_world(figure, seconds, bound):
    """In flight both are exact. Landings at 3 m/s begin up to a step earlier in one than in the other: 3 mm."""
    h = 1e-3
    linked = linked_bodies(figure)
    pile, begin = pile_of(linked, FALLING, np.zeros(figure.nv), step=h, surface=SurfaceMaterial(0.6))
    stepper = PileStepper(pile)
    state = stepper.advance(begin, round(seconds / h))
    world = World(
        figure,
        surface=SurfaceProperties(touch(friction=0.6, restitution=0.0)),
        contact=Stepping(max_contacts=12),
        timing=Timing(h, h),
        initial=InitialState(tuple(FALLING.tolist())),
    )
    other = start(world, 1)
    Engine(world, lanes=1).advance(other, round(seconds / h))
    expected = linked.state(other.q[0], other.v[0])[0]
    assert np.abs(state.position[:, 1:].T - expected).max() < bound
    change = stepper.energy(state) - stepper.energy(begin)
    assert abs(change - state.ledger.total) < 1e-8
    assert change < -10.0 or seconds < 0.3  # it has landed


def test_the_same_bits_for_any_lanes_and_threads_and_from_a_stored_state():
    linked = [linked_bodies(replace(three_capsules(), name=f"figure {k}"), first=1 + 3 * k) for k in range(20)]
    states = [one.state(FALLING + 0.5 * k * np.eye(12)[4], np.zeros(11)) for k, one in enumerate(linked)]
    joints = linked[0].joints.joined(*(one.joints for one in linked[1:]))
    pile = Pile([body for one in linked for body in one.bodies], surface=SurfaceMaterial(0.6), joints=joints)
    begin = initial_state(pile, *(np.concatenate(parts) for parts in zip(*states, strict=True)))
    one = PileStepper(pile).advance(begin, 330)
    two = PileStepper(pile, lanes=1).advance(PileStepper(pile, threads=2).advance(begin, 280), 50)
    for name in ("position", "orientation", "velocity"):
        assert np.array_equal(getattr(one, name), getattr(two, name))


def hinged_boxes() -> Figure:
    """Two boxes side by side, with a hinge along y between them."""
    box = Box((0.4, 0.3, 0.1))
    left = Link("left", None, Joint("free"), (Part(box, density=500.0),))
    hinge = Joint("revolute", (0.0, 1.0, 0.0), position=(0.2, 0.0, 0.0))
    return Figure("hinge", (left, Link("right", "left", hinge, (Part(box, (0.2, 0.0, 0.0), density=500.0),))))


def test_a_figure_in_a_pile_carries_a_box_sleeps_and_wakes():
    figure = hinged_boxes()
    linked = linked_bodies(figure, first=2)
    pile = Pile([Body(Box((0.1, 0.1, 0.1)), 0.5), *linked.bodies], joints=linked.joints)
    x, turn, v = linked.state([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.05, 0.0], np.zeros(7))
    begin = initial_state(pile, [[0.2, 0.0, 0.3], *x], [[1.0, 0.0, 0.0, 0.0], *turn], [[0.0] * 6, *v])
    stepper = PileStepper(pile, sleeping=Sleeping())
    state = stepper.advance(begin, 700)
    assert state.asleep.all()
    assert np.abs(state.position[2, 1:] - [0.15, 0.05, 0.05]).max() < 1e-6  # it lies across the hinge
    lifted = state.position.copy()
    lifted[2, 1] += 0.2
    again = stepper.advance(replace(state, position=lifted), 150)
    assert not again.asleep.any()  # hit again
    assert abs(stepper.energy(again) - again.ledger.total - 0.5 * 9.81 * 0.2 - stepper.energy(begin)) < 1e-8


def table(name: str) -> Figure:
    """A table of one link: a top on two walls."""
    top = Part(Box((0.6, 0.4, 0.04)), (0.0, 0.0, 0.32), density=500.0)
    walls = [Part(Box((0.04, 0.4, 0.3)), (x, 0.0, 0.15), density=500.0) for x in (-0.25, 0.25)]
    return Figure(name, (Link("table", None, Joint("free"), (top, *walls)),))


def test_a_link_of_several_shapes_stands_and_carries_on_all_of_them():
    """A table on a table: the upper one stands on the top of the lower one with both walls; a ball lies beneath."""
    lower, upper = (linked_bodies(table(name), first=k) for k, name in ((1, "lower"), (2, "upper")))
    pile = Pile([*lower.bodies, *upper.bodies, Body(Sphere(0.1), 1.0)])
    places = [one.state([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, z], np.zeros(6)) for one, z in ((lower, 0.01), (upper, 0.36))]
    heights = [float(place[0][0, 2]) for place in places]
    positions = [*(place[0][0] for place in places), [0.0, 0.0, 0.1]]
    begin = initial_state(pile, positions, [*(place[1][0] for place in places), [1.0, 0.0, 0.0, 0.0]])
    state = PileStepper(pile, sleeping=Sleeping()).advance(begin, 800)
    assert state.asleep.all()
    assert np.abs(state.position[2, 1:] - [heights[0] - 0.01, heights[1] - 0.02, 0.1]).max() < 1e-5
    on_ground = state.sleep.contacts.bodies(4)[1] == 0
    weights = 9.81 * pile.step * pile.masses()[1:]
    normal = state.sleep.contacts.impulses[2]
    first, second = state.sleep.contacts.bodies(4)
    assert normal[on_ground & (first == 1)].sum() == pytest.approx(weights[:2].sum(), rel=1e-6)
    assert abs(normal[~on_ground & (first != 3) & (second != 3)].sum()) == pytest.approx(weights[1], rel=1e-6)


@pytest.mark.parametrize("self_contact", [True, False])
def test_links_of_a_figure_touch_each_other_if_they_may(self_contact):
    """A jointed ruler falls onto itself: its last link lies on the first, or swings through it."""
    links = [Link("0", None, Joint("fixed", position=(0.0, 0.0, 0.5)), (Part(Box((1.0, 0.2, 0.1))),))]
    for k, x in ((1, 0.5), (2, 0.3)):
        joint = Joint("revolute", (0.0, 1.0, 0.0), position=(x, 0.0, 0.06 if k == 1 else 0.0))
        links.append(Link(f"{k}", f"{k - 1}", joint, (Part(Box((0.3, 0.1, 0.04)), (0.15, 0.0, 0.0)),)))
    figure = Figure("ruler", tuple(links))
    springs = {"1": JointSpring(damping=0.1), "2": JointSpring(lower=-0.3, upper=0.3)}
    linked = linked_bodies(figure, self_contact=self_contact, springs=springs)
    pile, begin = pile_of(linked, np.array([-1.8, 0.0]), np.zeros(2))
    state = PileStepper(pile).advance(begin, 1500)
    lies = state.position[2, 3] > 0.5
    assert lies == self_contact


def test_figures_that_a_pile_cannot_hold_are_refused_in_clear_words():
    first, second = chain(["revolute", "revolute"]).given_links
    bad = {
        "helical": replace(second, joint=Joint("helical", (1.0, 0.0, 0.0), pitch=0.1)),
    }
    for words, link in bad.items():
        with pytest.raises(WorldError, match=words):
            linked_bodies(Figure("bad", (first, link)))
    massless = Link("between", "link0", Joint("revolute", (1.0, 0.0, 0.0)))
    with pytest.raises(WorldError, match="no mass"):
        linked_bodies(Figure("bad", (first, massless, replace(second, parent="between"))))
    linked = linked_bodies(chain(["revolute"]))
    with pytest.raises(WorldError, match="a joint is of body 4"):
        Pile(linked.bodies, joints=linked_bodies(chain(["revolute"]), first=4).joints)
    loop = Closure("hinge", "link1", "link0", (0.0, 0.0, 0.1))
    with pytest.raises(WorldError, match="loop constraints"):
        linked_bodies(Figure("loop", (first, second), constraints=(loop,)))
