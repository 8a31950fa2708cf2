"""Methods of motion: their orders, the exact implicit step, and steps that are too long."""

import numpy as np
import pytest
from meshes import WEIGHTLESS, flag, pair, stepper
from scipy.optimize import fsolve

from gambol.errors import WorldError
from gambol.matter.motion import ImplicitOptions, ProjectiveOptions, SubstepOptions

ORDERS = {
    "explicit euler": 1,
    "semi-implicit euler": 1,
    "implicit euler": 1,
    "newton": 1,
    "position based": 1,
    "projective": 1,
    "midpoint": 2,
    "heun": 2,
    "verlet": 2,
    "velocity verlet": 2,
    "leapfrog": 2,
    "rk4": 4,
    "rkf45": 5,
    "dormand-prince": 5,
}


def options(method):
    """One substep, or one iteration, where a spring along a line needs no more, and tight iterations for others."""
    if method == "position based":
        return SubstepOptions(1)
    if method == "projective":
        return ProjectiveOptions(1)
    if method in ("newton", "implicit euler"):
        return ImplicitOptions(50 if method == "newton" else 1, 1e-12, 1e-11)
    return None


@pytest.mark.parametrize("method", ORDERS)
def test_each_method_converges_with_its_order(method):
    # two masses of 1 and 2 kg on a spring, stretched by 0.1 and let go: C = 0.1 cos(w t), w^2 = k (1/m + 1/M)
    mesh, w, end = pair(masses=(1.0, 2.0)), np.sqrt(150.0), 0.4
    fine = ORDERS[method] > 2
    errors = []
    for steps in (16, 32) if fine else (128, 256):
        s = stepper(mesh, method, end / steps, options(method), surroundings=WEIGHTLESS)
        state = s.advance(s.start([[-0.05, 0, 0], [1.05, 0, 0]]), steps)
        length, rate = state.position[1, 0] - state.position[0, 0], state.velocity[1, 0] - state.velocity[0, 0]
        errors.append(np.hypot(length - 1.0 - 0.1 * np.cos(w * end), rate / w + 0.1 * np.sin(w * end)))
    # a slope from two halvings is that of the leading term to within the next term's share, below 1/4 here
    assert np.log2(errors[0] / errors[1]) == pytest.approx(ORDERS[method], abs=0.3)


def test_newtons_steps_are_the_implicit_euler_steps_of_another_solver():
    mesh, h = pair(damping=3.0), 0.05
    s = stepper(mesh, "newton", h, ImplicitOptions(60, 1e-12, 1e-13), surroundings=WEIGHTLESS)
    state = s.advance(s.start([[0.0, 0, 0], [1.3, 0.2, 0]], [[0.0, 1, 0], [0.5, 0, 2]]))

    def residual(v):
        v = v.reshape(2, 3)
        x = np.array([[0.0, 0, 0], [1.3, 0.2, 0]]) + h * v
        r, u = x[0] - x[1], v[0] - v[1]
        d = r / np.linalg.norm(r)
        f = -(100.0 * (np.linalg.norm(r) - 1.0) + 3.0 * (d @ u)) * d
        return (v - np.array([[0.0, 1, 0], [0.5, 0, 2]]) - h * np.array([f, -f])).ravel()

    expected = fsolve(residual, np.zeros(6), xtol=1e-13)
    assert np.allclose(state.velocity.ravel(), expected, atol=1e-9)


def test_one_iteration_is_the_linear_implicit_step_of_its_matrices():
    # Baraff & Witkin 1998, equation 6, by dense matrices: (M - h D - h^2 K) dv = h (f + h K v)
    mesh, h = pair(damping=3.0), 0.05
    x, v = np.array([[0.0, 0, 0], [1.3, 0.2, 0]]), np.array([[0.0, 1, 0], [0.5, 0, 2]])
    s = stepper(mesh, "implicit euler", h, ImplicitOptions(1, 1e-13), surroundings=WEIGHTLESS)
    state = s.advance(s.start(x, v))
    r = x[0] - x[1]
    l, d = np.linalg.norm(r), r / np.linalg.norm(r)
    K = 100.0 * (np.outer(d, d) + (1.0 - 1.0 / l) * (np.eye(3) - np.outer(d, d)))
    D = 3.0 * np.outer(d, d)
    both = np.array([[1.0, -1.0], [-1.0, 1.0]])
    A = np.eye(6) + h * np.kron(both, D) + h * h * np.kron(both, K)
    f = -(100.0 * (l - 1.0) + 3.0 * (d @ (v[0] - v[1]))) * d
    b = h * (np.concatenate([f, -f]) - h * np.kron(both, K) @ v.ravel())
    assert np.allclose(state.velocity.ravel(), v.ravel() + np.linalg.solve(A, b), atol=1e-10)


def test_local_global_steps_converge_to_newtons():
    mesh = flag(damping=0.0, bend=0.0)
    exact = stepper(mesh, "newton", 1 / 60, ImplicitOptions(100, 1e-8, 1e-8))
    state = exact.advance(exact.start(), 10)
    expected = exact.advance(state).position
    far = [
        abs(s.advance(state).position - expected).max()
        for s in (stepper(mesh, "projective", 1 / 60, ProjectiveOptions(n)) for n in (5, 40, 320))
    ]
    assert far[0] > 3.0 * far[1] > 9.0 * far[2]
    assert far[2] < 1e-2 * abs(expected - state.position).max()


def test_small_steps_of_position_based_dynamics_converge_to_the_same_cloth():
    mesh = flag(5, 5)
    fine = stepper(mesh, "rk4", 1 / 3000)
    expected = fine.advance(fine.start(), 900).position
    far = [
        np.linalg.norm(s.advance(s.start(), 18).position - expected)
        for s in (stepper(mesh, "position based", 1 / 60, SubstepOptions(n)) for n in (10, 20, 40))
    ]
    assert far[1] < 0.65 * far[0]
    assert far[2] < 0.65 * far[1]


@pytest.mark.parametrize("method", ["semi-implicit euler", "velocity verlet", "rk4"])
def test_the_error_of_a_long_step_names_the_stable_one(method):
    # the frequency of a pair of masses is known: sqrt(2 k/m); limits of h w: 2, 2 and 2.828
    limit = {"rk4": 2.828}.get(method, 2.0) / np.sqrt(2.0 * 100.0)
    stepper(pair(), method, 0.98 * limit, surroundings=WEIGHTLESS)
    with pytest.raises(WorldError, match=rf"too long .* give {0.9 * limit:.2g} s or less"):
        stepper(pair(), method, 1.02 * limit, surroundings=WEIGHTLESS)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: stepper(pair(), "rk44", 0.1), 'did you mean "rk4"'),
        (lambda: stepper(pair(), "rk4", 0.0), "above 0"),
        (lambda: stepper(pair(), "rk4", 0.01, ImplicitOptions()), "class none"),
        (lambda: stepper(flag(hinge=0.1), "projective", 0.01), "has no hinges"),
        (lambda: stepper(pair(), "newton", 0.01).start([[0.0, 0, 0]]), "have the shape"),
        (lambda: stepper(pair(), "newton", 0.01).start([[0.0, 0, np.nan], [1.0, 0, 0]]), "not finite"),
    ],
)
def test_impossible_input_is_an_error_before_work(make, words):
    with pytest.raises(WorldError, match=words):
        make()
