"""Legs against the kinematics of the whole figure, and inverse kinematics against places that were reached."""

import numpy as np
import pytest

from gambol.dynamics import kinematics
from gambol.evolve.genotype import Genotype, grow, plan_named
from gambol.evolve.genotype.anatomy import feet_of
from gambol.evolve.genotype.genotype import with_neutral_control
from gambol.evolve.genotype.walking.leg import Leg, inverse_kinematics, legs_of, solved
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
        for muscle, value in zip(leg.muscles, x, strict=True):
            q[names.index(muscle.link)] = value
        state = kinematics(creature.figure, [1.0, *[0.0] * 6, *q], [0.0] * creature.figure.nv)
        link = creature.figure.link(leg.muscles[-1].link)
        pose = state.poses[link.index]
        (ball,) = link.contact_points()
        end = pose @ Vector(*ball.position)
        place = leg.place(x)
        assert tuple(place.lowest) == pytest.approx((end.x, end.y, end.z - ball.radius), abs=1e-12)
        if leg.lies:
            heel = next(iter(creature.figure.links[link.parent_index - 1].contact_points()))
            above = state.poses[link.parent_index] @ Vector(*heel.position)
            assert place.rise == pytest.approx(end.z - ball.radius - above.z + heel.radius, abs=1e-12)


@pytest.mark.parametrize("body", BODIES)
def test_derivatives_are_those_of_differences(body: str):
    rng, d = np.random.default_rng(1), 1e-6
    for leg in legs_and_figure(body)[0]:
        x = random_coordinates(leg, rng)
        place = leg.place(x)
        for k in range(len(x)):
            ahead, behind = (leg.place([*x[:k], x[k] + e, *x[k + 1 :]]) for e in (d, -d))
            found = [(b - a) / (2.0 * d) for a, b in zip(behind.lowest, ahead.lowest, strict=True)]
            assert tuple(place.slopes[k]) == pytest.approx(found, abs=1e-8)
            assert place.turns[k] == pytest.approx((ahead.rise - behind.rise) / (2.0 * d), abs=1e-8)


@pytest.mark.parametrize("body", ["dog", "spider", "lizard"])
def test_places_that_a_leg_reaches_are_found_again_within_its_range(body: str):
    """The posture pulls by its weight of 4e-4: less than 1 % of the height."""
    legs, creature = legs_and_figure(body)
    rng = np.random.default_rng(2)
    for leg in legs:
        x = np.array([random_coordinates(leg, rng, 0.5) for _ in range(20)]).T
        wanted = leg.place(list(x)).lowest
        q = inverse_kinematics(leg, wanted, 0.0, creature.height)
        found = leg.place(q).lowest
        for a, b in zip(found, wanted, strict=True):
            np.testing.assert_allclose(a, b, rtol=0.0, atol=0.01 * creature.height)
        far = inverse_kinematics(leg, Vector(*(x + 0.0 * wanted.x for x in (9.0, 9.0, 9.0))), 0.0, creature.height)
        for value, middle, reach in zip(far, leg.middle, leg.reach, strict=True):
            assert np.all(np.abs(value - middle) <= reach + 1e-12)


def test_only_the_feet_of_bipeds_lie_on_the_ground():
    assert [leg.lies for leg in legs_and_figure("bird")[0]] == [True]
    assert not any(leg.lies for body in ("dog", "spider", "lizard") for leg in legs_and_figure(body)[0])


def test_elimination_solves_as_numpy_does():
    rng = np.random.default_rng(3)
    for n in (1, 2, 4, 6):
        B = rng.standard_normal((n, n))
        A, b = B @ B.T + np.eye(n), rng.standard_normal(n)
        np.testing.assert_allclose(solved(A.tolist(), b.tolist()), np.linalg.solve(A, b), rtol=1e-10)
