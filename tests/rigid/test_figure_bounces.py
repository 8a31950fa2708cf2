"""Bounces of figures in piles: impulses in joint coordinates, kept energy and momentum, and the ledger."""

import numpy as np
import pytest

from gambol.dynamics import kinematics
from gambol.dynamics.forward.crba import mass_matrix
from gambol.dynamics.states import kinematics as link_states
from gambol.figure import Capsule, Figure, Joint, JointSpring, Link, Part, Sphere
from gambol.rigid import Body, Pile, PileState, PileStepper, SurfaceMaterial, initial_state, linked_bodies

RADIUS = 0.05


def limbs(count: int = 3, **springs) -> Figure:
    """A chain of balls at the ends of rods, in a plane: a free one, and hinges between them."""
    ball = Part(Sphere(RADIUS), density=2000.0)
    rod = Part(Capsule(0.01, 0.25), (0.125, 0.0, 0.0), ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0)), 3000.0)
    links = [Link("0", None, Joint("free"), (ball, rod))]
    for k in range(1, count):
        joint = Joint("revolute", (0.0, 1.0, 0.0), position=(0.25, 0.0, 0.0))
        links.append(Link(f"{k}", f"{k - 1}", joint, (ball, rod)))
    return Figure("limbs", tuple(links))


def started(
    figure: Figure, q, v, surface: SurfaceMaterial, step: float, others=(), **laws
) -> tuple[PileStepper, PileState, object]:
    linked = linked_bodies(figure, **laws)
    pile = Pile([*linked.bodies, *(body for body, _, _ in others)], surface=surface, joints=linked.joints, step=step)
    x, turn, w = linked.state(q, v)
    x = [*x, *(at for _, at, _ in others)]
    turn = [*turn, *([1.0, 0.0, 0.0, 0.0] for _ in others)]
    return PileStepper(pile), initial_state(pile, x, turn, [*w, *(speed for _, _, speed in others)]), linked


def test_an_impact_is_that_of_impulses_in_joint_coordinates():
    """v' = v - (1 + e) M^-1 J^T u / (J M^-1 J^T), with J of the ball that hits, by finite differences."""
    figure, e = limbs(), 0.7
    q = np.array([np.cos(0.3), 0.0, np.sin(0.3), 0.0, 0.0, 0.0, 0.5, 0.3, -0.9])
    height = float(link_states(figure, q.tolist()).position[-1, 2]) - RADIUS
    q[6] -= height - 1e-9  # the last ball is lowest
    v = np.array([0.0, 0.5, 0.0, 0.2, 0.0, -1.0, 0.3, -0.2])

    def lowest(q):
        return float(link_states(figure, q).position[-1, 2])

    step, J = 1e-6, []
    for k in range(figure.nv):
        ends = []
        for sign in (1.0, -1.0):
            stepper, begin, linked = started(figure, q, sign * np.eye(figure.nv)[k], SurfaceMaterial(0.0), step)
            ends.append(float(_ball(linked, begin)))
        J.append(0.5 * (ends[0] - ends[1]))
    J = np.array(J)
    M = np.array(mass_matrix(kinematics(figure, q.tolist(), v.tolist())), float)
    u, turned = J @ v, np.linalg.solve(M, J)
    expected = v - (1.0 + e) * u * turned / (J @ turned)
    stepper, begin, linked = started(figure, q, v, SurfaceMaterial(0.0, e), step)
    found = linked.coordinates(stepper.advance(begin))[1]
    assert u < -0.5
    assert np.abs(found - expected).max() < 1e-4  # gravity acts for a microsecond
    assert lowest(q.tolist()) == pytest.approx(RADIUS, abs=1e-8)


def _ball(linked, state: PileState) -> float:
    """The vertical speed of the last ball's centre."""
    number = len(linked.bodies)
    q, _ = linked.coordinates(state)
    centre = link_states(linked.figure, q).position[-1]
    arm = centre - state.position[:, number]
    return float((state.velocity[3:, number] + np.cross(state.velocity[:3, number], arm))[2])


def test_without_loss_a_figure_keeps_its_energy_and_sideways_momentum():
    figure = limbs()
    q = np.array([np.cos(0.2), 0.0, np.sin(0.2), 0.0, 0.0, 0.0, 0.5, 0.4, -0.8])
    v = np.array([0.0, 1.0, 0.0, 0.3, 0.0, 0.0, 1.0, -2.0])
    stepper, begin, _ = started(figure, q, v, SurfaceMaterial(0.0, 1.0), 5e-4)
    state, mass = begin, stepper.mass[1:]
    lowest = 0.0
    for _ in range(20):
        state = stepper.advance(state, 100)
        lowest = min(lowest, state.ledger.impact)
    kinetic = stepper.energy(begin)
    assert stepper.energy(state) - kinetic == pytest.approx(state.ledger.total, abs=1e-7)
    assert abs(state.ledger.impact) < 1e-3 * kinetic  # of contacts that close again too soon to bounce
    momenta = [float(mass @ each.velocity[3, 1:]) for each in (begin, state)]
    assert momenta[1] == pytest.approx(momenta[0], abs=1e-9)
    assert state.position[2, 1:].min() > 0.0


def test_with_friction_and_limits_no_bounce_adds_energy():
    figure = limbs(4)
    q = np.array([np.cos(0.3), 0.0, np.sin(0.3), 0.0, 0.0, 0.0, 0.6, 0.4, -0.8, 0.3])
    v = np.array([1.0, 2.0, -1.0, 3.0, 0.5, -2.0, 1.0, -2.0, 1.0])
    springs = {f"{k}": JointSpring(lower=-1.0, upper=1.0) for k in (1, 2, 3)}
    stepper, state, linked = started(figure, q, v, SurfaceMaterial(0.8, 0.9), 1e-3, springs=springs)
    begin, bounced = stepper.energy(state), False
    for _ in range(100):
        entries = state.ledger
        state = stepper.advance(state, 10)
        lost = [each.impact + each.friction + each.limits for each in (entries, state.ledger)]
        assert lost[1] <= lost[0] + 1e-6  # sweeps may end before the last digits
        bounced |= bool((state.velocity[5, 1:] > 1.0).all())
    assert bounced
    assert stepper.energy(state) - begin == pytest.approx(state.ledger.total, abs=1e-6)
    q, _ = linked.coordinates(state)
    assert np.abs(q[7:]).max() < 1.0 + 1e-3


def test_a_ball_bounces_on_a_figure_that_lies_on_the_ground():
    """A dumbbell whose balls touch the ground: a ball that falls on it from 0.2 m rises again, the dumbbell stays."""
    figure = limbs(2)
    q = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0, RADIUS, 0.0])
    ball = (Body(Sphere(RADIUS), 0.2), [0.0, 0.0, 3.0 * RADIUS + 0.2], [0.0] * 6)
    stepper, begin, linked = started(figure, q, [0.0] * 7, SurfaceMaterial(0.5, 0.5), 1e-3, [ball])
    heights = []
    state = begin
    for _ in range(60):
        state = stepper.advance(state, 10)
        heights.append(float(state.position[2, 3]) - 3.0 * RADIUS)
    first = int(np.argmin(heights[:30]))
    assert max(heights[first:]) == pytest.approx(0.25 * 0.2, abs=2.0 * 2e-3)  # a step early: within its way in a step
    assert linked.coordinates(state)[0][6] == pytest.approx(RADIUS, abs=1e-5)
    assert stepper.energy(state) - stepper.energy(begin) == pytest.approx(state.ledger.total, abs=1e-8)
