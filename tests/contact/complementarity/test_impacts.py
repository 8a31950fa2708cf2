"""Impacts of all contacts at once: balls, Newton's cradle, rods, joints at limits, and energy."""

import numpy as np
import pytest

from gambol.contact.complementarity import SOLVERS, ContactSet, FrictionalContact, JointLimit, simultaneous_impact
from gambol.dynamics import kinematics, kinetic_energy, momentum
from gambol.dynamics.quantities.operational import Contact
from gambol.figure import Figure, Joint, Link, MassProperties, random_figure, random_state
from gambol.spatial import Vector

CONES = [name for name in SOLVERS if name not in ("arnold", "lemke")]
UP = Vector(0.0, 0.0, 1.0)


def diagonal(a: float, b: float, c: float) -> tuple[tuple[float, float, float], ...]:
    return ((a, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, c))


BALL = Figure(
    "ball", (Link("ball", None, Joint("free"), (), MassProperties(1.0, (0.0, 0.0, 0.0), diagonal(0.4, 0.4, 0.4))),)
)
"""1 kg and 1 m of radius."""


@pytest.mark.parametrize("method", [*CONES, "lemke"])
@pytest.mark.parametrize(
    ("vx", "vz", "mu", "impulse", "after"),
    [(1.0, -2.0, 0.3, (-2.0 / 7.0, 3.6), 5.0 / 7.0), (3.0, -1.0, 0.1, (-0.18, 1.8), 2.82)],
)
def test_a_ball_bounces_off_with_spin(
    method: str, vx: float, vz: float, mu: float, impulse: tuple[float, float], after: float
):
    """m = 1, e = 0.8: it sticks by 2/7 of its slip, or slips by mu (1 + e) of its fall."""
    state = kinematics(BALL, [1.0, *[0.0] * 6], [0.0, 0.0, 0.0, vx, 0.0, vz])
    floor = FrictionalContact(Contact(1, Vector(0.0, 0.0, -1.0)), UP, mu, restitution=0.8)
    solution = simultaneous_impact(state, ContactSet([floor]), method)
    assert solution.converged == 1.0
    np.testing.assert_allclose([*solution.impulses[0]], [impulse[0], 0.0, impulse[1]], atol=1e-8)
    np.testing.assert_allclose(solution.v[3:], [after, 0.0, -0.8 * vz], atol=1e-8)


def cradle(masses: tuple[float, ...]) -> Figure:
    """Return balls on one wire, of 1 m, each touching the next."""
    still = Link("wire", None, Joint("fixed"), (), MassProperties(1.0, (0.0, 0.0, 0.0), diagonal(1.0, 1.0, 1.0)))
    balls = (
        Link(
            f"ball{k}",
            "wire",
            Joint("prismatic", (1.0, 0.0, 0.0)),
            (),
            MassProperties(m, (0.0,) * 3, diagonal(m, m, m)),
        )
        for k, m in enumerate(masses)
    )
    return Figure("cradle", (still, *balls))


@pytest.mark.parametrize("method", ["newton", "sweeps", "dantzig", "lemke"])
@pytest.mark.parametrize(
    ("masses", "e", "after"),
    [
        ((1.0, 1.0, 1.0), 1.0, (-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0)),
        ((1.0, 2.0), 1.0, (-1.0 / 3.0, 2.0 / 3.0)),
        ((1.0, 2.0), 0.5, (0.0, 0.5)),
        ((1.0, 1.0), 0.5, (0.25, 0.75)),
    ],
)
def test_newtons_cradle_strikes_at_once(method: str, masses: tuple[float, ...], e: float, after: tuple[float, ...]):
    """The first ball comes at 1 m/s: all others leave together, unlike in a real cradle."""
    figure = cradle(masses)
    state = kinematics(figure, [0.0] * len(masses), [1.0, *[0.0] * (len(masses) - 1)])
    pairs = [
        FrictionalContact(Contact(k + 3, Vector(0.0, 0.0, 0.0), k + 2), Vector(1.0, 0.0, 0.0), 0.0, restitution=e)
        for k in range(len(masses) - 1)
    ]
    solution = simultaneous_impact(state, ContactSet(pairs), method)
    np.testing.assert_allclose(solution.v, after, atol=1e-7)
    assert 2.0 * solution.energy == pytest.approx(
        sum(m * v * v for m, v in zip(masses, after, strict=True)) - 1.0, abs=1e-7
    )


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("e", [0.0, 0.5])
def test_energy_and_momentum_of_a_struck_figure(seed: int, e: float):
    """The change of energy is that of the motion; momentum changes by the impulses; with e = 0 no energy is gained."""
    figure = random_figure(seed, 5, kinds=("revolute", "spherical", "prismatic"), root="free")
    q, v = random_state(figure, seed)
    state = kinematics(figure, q.tolist(), v.tolist())
    random = np.random.default_rng(seed)
    places = [Contact(1 + k, Vector(*random.normal(size=3).tolist()) * 0.1) for k in range(3)]
    solution = simultaneous_impact(
        state, ContactSet([FrictionalContact(place, UP, 0.5, restitution=e) for place in places])
    )
    assert solution.converged == 1.0
    after = kinematics(figure, state.q, solution.v)
    change = kinetic_energy(after) - kinetic_energy(state)
    assert solution.energy == pytest.approx(change, rel=1e-7, abs=1e-9 * kinetic_energy(state))
    given = np.sum([[*impulse] for impulse in solution.impulses], axis=0)
    np.testing.assert_allclose([*(momentum(after).f - momentum(state).f)], given, atol=1e-8)
    if e == 0.0:
        assert change < 1e-9
    for place, support in zip(places, solution.impulses, strict=True):
        before, now = (x.point_velocity(place.link, place.point).z for x in (state, after))
        assert now > -e * min(before, 0.0) - 1e-8
        assert np.hypot(support.x, support.y) <= 0.5 * support.z + 1e-9


def test_a_joint_bounces_off_its_limit_with_what_hangs_on_it():
    figure = random_figure(2, 4, kinds=("revolute",), root="fixed")
    q, v = random_state(figure, 2)
    moving = (-np.abs(v)).tolist()
    solution = simultaneous_impact(
        kinematics(figure, q.tolist(), moving), ContactSet([], [JointLimit(0, 1.0, 0.6), JointLimit(2, 1.0)])
    )
    assert solution.v[0] == pytest.approx(-0.6 * moving[0])
    assert solution.v[2] == pytest.approx(0.0, abs=1e-9)
    assert min(solution.limits) > 0.0
