"""Whole steps: free motion, falls, limits, dry friction, loops and energy, against closed forms and conservation."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from figures import random_sample, random_tree
from worlds import ball, block

from gambol.contact.stepping import (
    Constraints,
    Contact,
    DryFriction,
    ExpectedLanding,
    Forces,
    Limit,
    SolverOptions,
    StepResult,
    contact_signs,
    velocity_step,
)
from gambol.dynamics import Kinematics, kinematics, kinetic_energy, momentum
from gambol.dynamics.tangent import displaced, normalised, re_expressed
from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.spatial import Vector

G = 9.81
UP = Vector(0.0, 0.0, 1.0)


def forces(figure: Figure, tau: Sequence[float] | None = None, gravity: float = G) -> Forces:
    zeros = [0.0] * figure.nv
    return Forces(list(tau) if tau is not None else zeros, zeros, zeros, gravity=gravity)


def on(
    figure: Figure,
    q: Any,
    v: Any,
    h: float,
    steps: int,
    touch: Callable[[Kinematics], Constraints] = lambda state: Constraints(),
    **how: Any,
) -> tuple[list[float], list[float], StepResult]:
    """Return coordinates, velocities and the result of the last step, after some steps."""
    q, v, impulses = list(map(float, q)), list(map(float, v)), None
    result: Any = None
    for _ in range(steps):
        middle = normalised(figure, displaced(figure, q, [0.5 * h * x for x in v]))
        q, v = middle, re_expressed(figure, q, middle, v)
        state = kinematics(figure, q, v)
        touching = touch(state)
        result = velocity_step(state, forces(figure, **how), touching, impulses or touching.zero_impulses(), h)
        new = normalised(figure, displaced(figure, q, result.increment))
        q, v, impulses = new, re_expressed(figure, q, new, result.v), result.impulses
    return q, v, result


def corners(figure: Figure, mu: float, e: float = 0.0) -> Callable[[Kinematics], Constraints]:
    """All contact points of a one-link figure over the plane z = 0."""

    def touching(state: Kinematics) -> Constraints:
        places = [state.point_position(1, Vector(*p.position)) for p in figure.links[0].contact_points()]
        radius = figure.links[0].contact_points()[0].radius
        found = [Contact(contact_signs(figure, 1), p - UP * radius, UP, p.z - radius, mu, e) for p in places]
        return Constraints(found)

    return touching


def test_a_spinning_body_conserves_momentum():
    figure = block((0.3, 0.2, 0.1))
    q, v = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [3.0, 0.1, -2.0, 1.0, 2.0, -0.5]
    before = momentum(kinematics(figure, q, v))
    new_q, new_v, _ = on(figure, q, v, 1e-3, 500, gravity=0.0)
    after = momentum(kinematics(figure, new_q, new_v))
    np.testing.assert_allclose([*after.f], [*before.f], atol=1e-12)  # however fast the body's own axes turn


INSTANT = 1e-9
"""A step in which forces hardly act [s]."""


def thrown(seed: int, restitution: float = 0.0) -> tuple[Figure, Kinematics, Constraints]:
    """Return a random tree of four links, its random state, and a contact of each link with the ground."""
    figure = random_tree(seed, 4, root="free")
    sample = random_sample(figure, seed)
    state = kinematics(figure, list(sample.q), list(sample.v))
    found: list[Contact] = []
    for link in figure.links:
        place = state.point_position(link.index, Vector(0.1, 0.0, 0.2))
        found.append(Contact(contact_signs(figure, link.index), place, UP, -1e-3, 0.7, restitution))
    return figure, state, Constraints(found)


@pytest.mark.parametrize("seed", range(4))
def test_nothing_adds_energy_to_a_figure_that_lands(seed: int):
    """Random trees thrown at the ground without gravity: contact of their links only removes energy."""
    figure, state, touch = thrown(seed, restitution=0.6)
    nothing = forces(figure, gravity=0.0)
    free = velocity_step(state, nothing, Constraints(), [], INSTANT)
    result = velocity_step(state, nothing, touch, touch.zero_impulses(), INSTANT, SolverOptions(iterations=400))
    low, high = (float(kinetic_energy(kinematics(figure, state.q, one.v))) for one in (result, free))
    assert low <= high * (1.0 + 1e-9)
    works = sum(sum(own) for own in result.work)
    assert works == pytest.approx(low - high, abs=1e-6 * high)  # the steps' own forces act for a nanosecond


@pytest.mark.parametrize(
    "landing", [None, ExpectedLanding(0.7 * INSTANT, 1.0, 0.7, 1.0, 1.5 * INSTANT)], ids=["middle", "landing"]
)
@pytest.mark.parametrize("seed", range(4))
def test_former_impulses_that_no_longer_cancel_add_no_energy(seed: int, landing: ExpectedLanding | None):
    """Contacts that push against each other may have had any impulses, with which the next step begins.

    Forces of speed act for a nanosecond, as the guess of the velocities after the step has them: at the speeds that
    these impulses alone would give, they would change velocities by far more than there are.
    """
    figure, state, touch = thrown(seed)
    former = [[1e7, 2e6, -3e6] for _ in touch.contacts]
    result = velocity_step(state, forces(figure, gravity=0.0), touch, former, INSTANT, landing=landing)
    before, after = (float(kinetic_energy(one)) for one in (state, kinematics(figure, state.q, result.v)))
    assert after <= before * (1.0 + 1e-6)
    assert sum(sum(own) for own in result.work) == pytest.approx(after - before, abs=1e-6 * before)


@pytest.mark.parametrize(("speed", "mu", "distance"), [(2.0, 0.5, 0.4077471967380224), (5.0, 0.3, 4.247366632689773)])
def test_a_block_slides_to_a_stop(speed: float, mu: float, distance: float):
    figure, h = block((0.4, 0.4, 0.02)), 1e-3
    q, v, result = on(figure, [1, 0, 0, 0, 0, 0, 0.01], [0, 0, 0, speed, 0, 0], h, 2000, corners(figure, mu))
    assert q[4] == pytest.approx(distance, abs=0.125 * mu * G * h * h + 1e-9)  # where within a step it stops
    np.testing.assert_allclose(v, 0.0, atol=1e-12)
    assert sum(p[0] for p in result.impulses) == pytest.approx(G * h, rel=1e-9)


def test_a_ball_rolls_at_five_sevenths_of_its_speed():
    figure = ball(0.1)
    _, v, _ = on(figure, [1, 0, 0, 0, 0, 0, 0.1], [0, 0, 0, 2.0, 0, 0], 1e-3, 800, corners(figure, 0.2))
    spun = np.linalg.norm(v[:3])
    assert np.linalg.norm(v[3:]) == pytest.approx(10.0 / 7.0, rel=1e-9)
    assert spun * 0.1 == pytest.approx(10.0 / 7.0, rel=1e-9)


def slider(friction: float = 0.0) -> Figure:
    base = Link("base", None, Joint("fixed"))
    return Figure("slider", (base, Link("mass", "base", Joint("prismatic", (0.0, 0.0, 1.0)), (), MassProperties(2.0))))


def test_a_limit_stops_and_holds():
    figure = slider()
    q, v, result = on(figure, [0.5], [0.0], 1e-3, 600, lambda state: Constraints(limits=[Limit({0: 1.0}, state.q[0])]))
    assert q[0] == pytest.approx(0.0, abs=1e-12)
    assert v[0] == pytest.approx(0.0, abs=1e-12)
    assert result.impulses[0][0] == pytest.approx(2.0 * G * 1e-3)


@pytest.mark.parametrize(("most", "acceleration"), [(30.0, 0.0), (8.0, -G + 4.0)])
def test_dry_friction_holds_or_brakes(most: float, acceleration: float):
    _, v, _ = on(slider(), [0.0], [0.0], 1e-3, 100, lambda state: Constraints(dry_frictions=[DryFriction(0, most)]))
    assert v[0] == pytest.approx(acceleration * 0.1, abs=1e-12)


def test_stiff_springs_do_not_blow_up():
    """k h^2 / m = 1e4: the mass is at rest a step later, as on a spring without inertia."""
    figure = slider()
    state = kinematics(figure, [0.01], [0.0])
    result = velocity_step(state, Forces([-2e10 * 0.01], [2e10], [0.0], gravity=0.0), Constraints(), [], 1e-3)
    assert 0.01 + 2.0 * result.increment[0] == pytest.approx(0.01 / (1.0 + 1e4), rel=1e-9)
