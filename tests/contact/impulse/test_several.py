"""Several impacts: Newton's cradle, chains of masses, and the laws of energy, momentum and friction."""

import numpy as np
import pytest

from gambol.contact.impulse import Collisions, collision, reflection_impacts, sequential_impacts, simultaneous_impacts
from gambol.errors import GambolError, WorldError
from gambol.lanes import Program, ProgramSpec
from gambol.spatial.matrix import Matrix
from gambol.spatial.vector import Vector

LAWS = {"sequence": sequential_impacts, "at once": simultaneous_impacts, "reflection": reflection_impacts}


def row_of_balls(masses, speeds, e):
    """Return balls that touch in a row: each pair is a contact that pushes the right ball on and the left one back."""
    m, v = np.array(masses, float), np.array(speeds, float)
    J = np.diff(np.eye(len(m)), axis=0)
    return m, v, J, Collisions((J / m @ J.T).tolist(), (J @ v).tolist(), [], [e] * len(J))


def after(law, masses, speeds, e):
    m, v, J, collisions = row_of_balls(masses, speeds, e)
    impacts = law(collisions)
    assert impacts.converged == 1.0
    result = v + J.T @ np.array(impacts.p) / m
    np.testing.assert_allclose(m @ result, m @ v)
    np.testing.assert_allclose(0.5 * m @ (result**2 - v**2), impacts.change, atol=1e-13)
    return result


@pytest.mark.parametrize("law", [sequential_impacts, reflection_impacts])
def test_newtons_cradle_passes_speeds_on(law):
    np.testing.assert_allclose(after(law, [1, 1, 1], [1, 0, 0], 1.0), [0, 0, 1], atol=1e-9)
    np.testing.assert_allclose(after(law, [1] * 5, [1, 1, 0, 0, 0], 1.0), [0, 0, 0, 1, 1], atol=1e-9)


def test_newtons_cradle_at_once_spreads_speed():
    np.testing.assert_allclose(
        after(simultaneous_impacts, [1, 1, 1], [1, 0, 0], 1.0), [-1 / 3, 2 / 3, 2 / 3], atol=1e-8
    )


@pytest.mark.parametrize("law", list(LAWS.values()))
@pytest.mark.parametrize(
    ("masses", "e", "answer"),
    [((1, 2), 1.0, (-1 / 3, 2 / 3)), ((1, 2), 0.5, (0.0, 0.5)), ((1, 1), 0.5, (0.25, 0.75))],
)
def test_two_masses_have_one_answer(law, masses, e, answer):
    np.testing.assert_allclose(after(law, masses, [1, 0], e), answer, atol=1e-8)


def random_collisions(seed, contacts=3, limits=2):
    """Return contacts of bodies with more freedoms than rows: the energy that rows can reach is u A^-1 u / 2."""
    random = np.random.default_rng(seed)
    n = 3 * contacts + limits
    J = random.normal(size=(n, n + 4)) * np.exp(0.5 * random.normal(size=n + 4))
    A, u = J @ J.T, J @ random.normal(size=n + 4)
    e = random.uniform(size=contacts + limits)
    return A, u, random.uniform(0.0, 2.0, contacts), e


def given_collisions(A, u, mu, e):
    return Collisions(A.tolist(), u.tolist(), mu.tolist(), e.tolist())


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("seed", range(8))
def test_laws_of_energy_and_friction(law, seed):
    A, u, mu, e = random_collisions(seed)
    impacts = LAWS[law](given_collisions(A, u, mu, e))
    p, new = np.array(impacts.p), np.array(impacts.u)
    energy = 0.5 * u @ np.linalg.solve(A, u)
    assert impacts.converged == 1.0
    np.testing.assert_allclose(new, u + A @ p, atol=1e-9)
    np.testing.assert_allclose(impacts.change, 0.5 * new @ np.linalg.solve(A, new) - energy, atol=1e-8 * energy)
    assert impacts.change <= 1e-12 * energy
    k = len(mu)
    normal = np.concatenate([p[2 : 3 * k : 3], p[3 * k :]])
    assert (normal >= 0.0).all()
    assert (np.hypot(p[0 : 3 * k : 3], p[1 : 3 * k : 3]) <= mu * p[2 : 3 * k : 3] * (1 + 1e-9) + 1e-12).all()
    assert (np.concatenate([new[2 : 3 * k : 3], new[3 * k :]]) >= -1e-9 * np.abs(u).max()).all()


@pytest.mark.parametrize("seed", range(5))
def test_elastic_impacts_without_friction_conserve_energy(seed):
    """In sequence and by reflection; simultaneously as well, if every row approaches."""
    A, u, mu, e = random_collisions(seed)
    u = -np.abs(u)
    for law in LAWS.values():
        impacts = law(given_collisions(A, u, 0.0 * mu, 0.0 * e + 1.0))
        energy = 0.5 * u @ np.linalg.solve(A, u)
        assert impacts.converged == 1.0
        assert abs(impacts.change) < 1e-8 * energy


def test_newtons_law_alone_may_raise_the_energy():
    """A ball that rolls into a corner, one contact bouncing and the other rough."""
    raised = 0
    for seed in range(40):
        A, u, mu, e = random_collisions(seed, 2, 0)
        e = np.array([1.0, 0.0])
        free = simultaneous_impacts(given_collisions(A, u, mu, e), limit=False)
        held = simultaneous_impacts(given_collisions(A, u, mu, e))
        energy = 0.5 * u @ np.linalg.solve(A, u)
        raised += free.change > 1e-6 * energy
        assert held.change <= 1e-12 * energy
    assert raised > 0


def test_a_single_contact_in_sequence_is_a_collision():
    A, u, mu, e = random_collisions(1, 1, 0)
    u = u if u[2] < 0.0 else -u
    result = sequential_impacts(given_collisions(A, u, mu, e))
    alone = collision(Matrix.of(A.tolist()), Vector.of(u.tolist()), float(mu[0]), float(e[0]))
    np.testing.assert_allclose(result.p, list(alone.impulse), rtol=1e-13)
    np.testing.assert_allclose(result.change, alone.change, rtol=1e-12)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(
    ("u", "mu", "p"), [((1.0, 0.0, -2.0), 0.3, (-1.0 / 3.5, 3.6)), ((3.0, 0.0, -1.0), 0.1, (-0.18, 1.8))]
)
def test_a_single_ball_sticks_or_slips(law, u, mu, p):
    """Restitution e = 0.8 reverses the normal velocity, and leaves the effect of friction along the wall."""
    impacts = LAWS[law](Collisions(np.diag([3.5, 3.5, 1.0]).tolist(), list(u), [mu], [0.8]))
    np.testing.assert_allclose(impacts.p, [p[0], 0.0, p[1]], atol=1e-8)


def test_approach_that_is_left_is_reported():
    A, u, mu, e = random_collisions(3)
    impacts = sequential_impacts(given_collisions(A, -np.abs(u), mu, e), max_collisions=1)
    assert impacts.converged == 0.0
    assert impacts.residual > 0.0
    assert impacts.change <= 0.0


@pytest.mark.parametrize("law", LAWS)
def test_lanes_do_as_floats_do(law):
    cases = [random_collisions(seed, 2, 1) for seed in range(6)]

    def formula(A, u, mu, e):
        impacts = LAWS[law](Collisions(A, u, mu, e))
        return impacts.p, [impacts.change]

    forms = ([[0.0] * 7] * 7, [0.0] * 7, [0.0] * 2, [0.0] * 3)
    program = Program(ProgramSpec(f"impacts {law}", formula, forms))
    p, change = program(*(np.array([np.ravel(case[i]) for case in cases]).T for i in range(4)))
    for n, case in enumerate(cases):
        alone = LAWS[law](given_collisions(*case))
        np.testing.assert_allclose(p[:, n], alone.p, atol=1e-7 * np.abs(alone.p).max())
        np.testing.assert_allclose(change[0, n], alone.change, rtol=1e-7)


def test_unknown_names_are_refused():
    collisions = row_of_balls([1, 1], [1, 0], 1.0)[3]
    with pytest.raises(WorldError, match="hypothesis"):
        sequential_impacts(collisions, "pascal")
    for law in (simultaneous_impacts, reflection_impacts):
        with pytest.raises(GambolError, match="unknown contact solver"):
            law(collisions, "magic")
