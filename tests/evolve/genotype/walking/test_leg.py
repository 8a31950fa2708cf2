"""Kinematics of legs against those of the whole figure, and inverse kinematics of foot positions within reach."""

import numpy as np
import pytest

from gambol.dynamics import kinematics
from gambol.evolve.genotype import Genotype, grow, plan_named
from gambol.evolve.genotype.anatomy import feet_of
from gambol.evolve.genotype.genotype import with_neutral_control
from gambol.evolve.genotype.walking.leg import Leg, inverse_kinematics, legs_of
from gambol.spatial import Vector

BODIES = ("dog", "spider", "bird", "centipede", "newt")


def legs_and_figure(body: str):
    creature = grow(with_neutral_control(Genotype(plan_named(body))))
    return legs_of(plan_named(body), creature.figure), creature


def random_coordinates(leg: Leg, rng: np.random.Generator, size: float = 0.9) -> list[float]:
    return [m + size * r * float(rng.uniform(-1.0, 1.0)) for m, r in zip(leg.middle, leg.reach, strict=True)]


@pytest.mark.parametrize("body", BODIES)
def test_a_foot_is_where_the_figure_has_it(body: str):
    legs, creature = legs_and_figure(body)
    rng, names = np.random.default_rng(0), [link.name for link in creature.figure.links[1:]]
    assert len(legs) == len([name for name in feet_of(plan_named(body)) if "left" in name])
    for leg in legs:
        q, x = list(creature.angles.values()), random_coordinates(leg, rng)
        for placed, value in zip(leg.freedoms, x, strict=True):
            q[names.index(placed.link)] = value
        state = kinematics(creature.figure, [1.0, *[0.0] * 6, *q], [0.0] * creature.figure.nv)
        link = creature.figure.link(leg.freedoms[-1].link)
        pose = state.poses[link.index]
        (ball,) = link.contact_points()
        end = pose @ Vector(*ball.position)
        foot = leg.foot(x)
        assert tuple(foot.position) == pytest.approx((end.x, end.y, end.z - ball.radius), abs=1e-12)
        if leg.has_flat_foot:
            heel = next(iter(creature.figure.links[link.parent_index - 1].contact_points()))
            above = state.poses[link.parent_index] @ Vector(*heel.position)
            assert foot.toe_height == pytest.approx(end.z - ball.radius - above.z + heel.radius, abs=1e-12)


@pytest.mark.parametrize("body", BODIES)
def test_derivatives_are_those_of_differences(body: str):
    rng, d = np.random.default_rng(1), 1e-6
    for leg in legs_and_figure(body)[0]:
        x = random_coordinates(leg, rng)
        foot = leg.foot(x)
        for k in range(len(x)):
            ahead, behind = (leg.foot([*x[:k], x[k] + e, *x[k + 1 :]]) for e in (d, -d))
            found = [(b - a) / (2.0 * d) for a, b in zip(behind.position, ahead.position, strict=True)]
            assert tuple(foot.jacobian[k]) == pytest.approx(found, abs=1e-8)
            found = (ahead.toe_height - behind.toe_height) / (2.0 * d)
            assert foot.toe_height_gradient[k] == pytest.approx(found, abs=1e-8)


@pytest.mark.parametrize("body", ["dog", "spider", "lizard"])
def test_inverse_kinematics_finds_foot_positions_within_reach(body: str):
    """The weight of 4e-4 of the distance from rest changes the result by less than 1 % of the height."""
    legs, creature = legs_and_figure(body)
    rng = np.random.default_rng(2)
    for leg in legs:
        x = np.array([random_coordinates(leg, rng, 0.5) for _ in range(20)]).T
        start = leg.foot(list(x))
        desired = start.position
        q = inverse_kinematics(leg, desired, start.toe_height, creature.height)
        found = leg.foot(q).position
        for a, b in zip(found, desired, strict=True):
            np.testing.assert_allclose(a, b, rtol=0.0, atol=0.01 * creature.height)
        far = inverse_kinematics(leg, Vector(*(x + 0.0 * desired.x for x in (9.0, 9.0, 9.0))), 0.0, creature.height)
        for value, middle, reach in zip(far, leg.middle, leg.reach, strict=True):
            assert np.all(np.abs(value - middle) <= reach + 1e-12)


def test_feet_with_toes_are_flat():
    for body in ("bird", "dog", "cat"):
        assert all(leg.has_flat_foot for leg in legs_and_figure(body)[0])
    assert not any(leg.has_flat_foot for body in ("horse", "spider", "lizard") for leg in legs_and_figure(body)[0])


@pytest.mark.parametrize("body", ["dog", "centipede"])
def test_a_leg_on_a_spine_moves_with_it(body: str):
    legs, creature = legs_and_figure(body)
    rng, names = np.random.default_rng(3), [link.name for link in creature.figure.links[1:]]
    for leg in (leg for leg in legs if leg.spine.joints):
        q = list(creature.angles.values())
        bend = [float(rng.uniform(-0.2, 0.2)) for _ in leg.spine.joints]
        for placed, value in zip(leg.spine.freedoms, bend, strict=True):
            q[names.index(placed.link)] = value
        state = kinematics(creature.figure, [1.0, *[0.0] * 6, *q], [0.0] * creature.figure.nv)
        link = creature.figure.link(leg.freedoms[-1].link)
        (ball,) = link.contact_points()
        end = state.poses[link.index] @ Vector(*ball.position)
        assert tuple(leg.foot(leg.middle, bend).position) == pytest.approx(
            (end.x, end.y, end.z - ball.radius), abs=1e-12
        )
