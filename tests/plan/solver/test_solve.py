"""Solutions of programs by both backends: known ones, equal ones, warm starts, stops, and what cannot be solved."""

import os
import signal
import sys
import threading
from dataclasses import replace

import numpy as np
import pytest
from nonlinear_programs import element, hock_schittkowski_71, swing_up

from gambol.errors import PlanError
from gambol.lanes import cos
from gambol.plan import NonlinearProgram, SolverOptions, kkt_residual, solve_program, worst_violations
from gambol.plan.solver.lanes.ipopt_library import load_ipopt
from gambol.plan.solver.solve import BACKENDS as BACKEND_TABLE

BACKENDS = ("casadi", "lanes")
both = pytest.mark.parametrize("backend", BACKENDS)


@both
def test_the_published_solution_with_its_multipliers_is_found(backend):
    """Unknowns and cost from Hock & Schittkowski; multipliers in closed form from the conditions of optimality.

    IPOPT relaxes a bound b by 1e-8 |b|: with multipliers 0.55 of 25, 0.16 of 40 and 1.1 of 1, the cost falls by 2e-7.
    """
    program = hock_schittkowski_71()
    found = solve_program(program, backend)
    assert found.solved
    assert not found.interrupted
    assert found.cost == pytest.approx(17.0140173, abs=3e-7)
    a, b, c, d = found.unknowns
    np.testing.assert_allclose(found.unknowns, [1.0, 4.7429994, 3.8211503, 1.3794082], atol=1e-6)
    gradient = np.array([d * (2 * a + b + c), a * d, a * d + 1, a * (a + b + c)])
    rows = np.array([[b * c * d, a * c * d, a * b * d, a * b * c], [2 * a, 2 * b, 2 * c, 2 * d]])
    multipliers = np.linalg.lstsq(rows[:, 1:].T, -gradient[1:], rcond=None)[0]  # only the first unknown is at a bound
    np.testing.assert_allclose(np.ravel(found.multipliers), multipliers, rtol=1e-6)
    np.testing.assert_allclose(found.bound_multipliers[0], -(gradient + rows.T @ multipliers)[0], rtol=1e-6)


def test_both_backends_swing_the_cart_pole_up_alike():
    program = swing_up(20)
    first, second = (solve_program(program, backend) for backend in BACKENDS)
    assert first.solved
    assert second.solved
    assert abs(first.cost - second.cost) < 1e-7 * first.cost
    np.testing.assert_allclose(first.unknowns, second.unknowns, atol=1e-6)
    np.testing.assert_allclose(first.multipliers[0], second.multipliers[0], atol=1e-5)
    for found in (first, second):
        left = kkt_residual(program, found)
        assert max(left.stationarity, left.violation, left.complementarity) < 1e-7


def test_the_swing_up_converges_to_the_continuous_one():
    """Hermite-Simpson is of fourth order: halved intervals divide the cost's error by 16 where the force is smooth."""
    costs = [solve_program(swing_up(n)).cost for n in (20, 40, 80)]
    assert abs(costs[2] - costs[1]) < abs(costs[1] - costs[0]) / 16
    assert costs[2] == pytest.approx(58.8, abs=0.05)  # about 59 [Kelly 2017]


@both
def test_a_warm_start_needs_hardly_an_iteration(backend):
    program = swing_up(10)
    cold = solve_program(program, backend)
    warm = solve_program(program, backend, warm=cold)
    assert warm.solved
    assert warm.iterations <= 2 < cold.iterations
    assert warm.cost == pytest.approx(cold.cost, rel=1e-8)


def test_a_solution_of_one_backend_starts_the_other():
    program = hock_schittkowski_71()
    for first, second in (BACKENDS, BACKENDS[::-1]):
        assert solve_program(program, second, warm=solve_program(program, first)).iterations <= 3


@both
def test_a_warm_start_for_another_program_is_refused(backend):
    found = solve_program(hock_schittkowski_71(), backend)
    with pytest.raises(PlanError, match="4 unknowns"):
        solve_program(swing_up(3), backend, warm=found)


@both
def test_progress_sees_every_iterate_and_can_stop(backend):
    seen = []

    def watch(iteration, cost, violation, unknowns):
        seen.append((iteration, cost, violation, unknowns))
        return iteration < 4

    program = swing_up(10)
    found = solve_program(program, backend, progress=watch)
    assert [s[0] for s in seen] == [0, 1, 2, 3, 4]
    assert found.interrupted
    assert not found.solved
    best = min(seen, key=lambda s: s[2])  # none is feasible yet
    assert (found.cost, found.violation) == (best[1], best[2])
    np.testing.assert_array_equal(found.unknowns, best[3])
    assert worst_violations(program, found)[0].amount != 0.0


@both
def test_ctrl_c_returns_the_best_so_far(backend):
    before = signal.getsignal(signal.SIGINT)

    def press(iteration, *_):
        if iteration == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return True

    found = solve_program(swing_up(10), backend, progress=press)
    assert found.interrupted
    assert found.iterations in (3, 4)
    assert signal.getsignal(signal.SIGINT) is before


@both
def test_an_error_in_progress_comes_out_and_leaves_nothing_behind(backend):
    def fail(iteration, *_):
        raise RuntimeError("no room left")

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(RuntimeError, match="no room left"):
        solve_program(hock_schittkowski_71(), backend, progress=fail)
    assert signal.getsignal(signal.SIGINT) is before
    assert solve_program(hock_schittkowski_71(), backend).solved


@both
def test_programs_are_solved_in_threads(backend):
    found = []
    thread = threading.Thread(target=lambda: found.append(solve_program(hock_schittkowski_71(), backend)))
    thread.start()
    thread.join()
    assert found[0].solved


@both
def test_an_infeasible_program_names_its_violations(backend):
    circle = element("circle", lambda x, c: [x[0] * x[0] + x[1] * x[1]], [0, 1], ([4.0], [4.0]))
    line = element("line", lambda x, c: [x[0] + x[1]], [[1, 1], [0, 1]], ([-np.inf], [np.inf]))
    line.lower[1] = 8.0
    free = np.full(2, np.inf)
    program = NonlinearProgram(np.full(2, 3.0), -free, free, (), (circle, line))
    found = solve_program(program, backend)
    assert not found.solved
    worst = worst_violations(program, found)
    assert {w.name for w in worst} == {"circle", "line"}
    assert found.violation == pytest.approx(abs(worst[0].amount), rel=1e-12)
    of_line = next(w for w in worst if w.name == "line")
    x, y = found.unknowns
    assert (of_line.instance, of_line.time, of_line.amount) == (1, 1.0, pytest.approx(x + y - 8.0))
    assert '"line" at 1 s' in str(of_line)
    assert "below its lower bound of 8" in str(of_line)


@both
def test_too_few_iterations_are_reported(backend):
    found = solve_program(swing_up(10), backend, options=SolverOptions(max_iterations=3))
    assert not found.solved
    assert not found.interrupted
    assert found.status == "Maximum_Iterations_Exceeded"


@both
def test_a_program_without_constraints_or_with_fixed_unknowns_is_solved(backend):
    def bowl(x, c):
        return [(x[0] - 1.0) * (x[0] - 1.0) + (x[1] - x[0]) * (x[1] - x[0])]

    free = np.full(2, np.inf)
    program = NonlinearProgram(np.zeros(2), -free, free, (element("bowl", bowl, [0, 1]),), ())
    np.testing.assert_allclose(solve_program(program, backend).unknowns, 1.0, atol=1e-7)
    held = replace(program, lower=np.array([3.0, -np.inf]), upper=np.array([3.0, np.inf]))
    found = solve_program(held, backend)
    np.testing.assert_allclose(found.unknowns, 3.0, atol=1e-7)
    assert kkt_residual(held, found).stationarity < 1e-7


@both
def test_a_wrong_option_is_refused(backend):
    with pytest.raises(PlanError, match="no_such_option"):
        solve_program(hock_schittkowski_71(), backend, options=SolverOptions(ipopt={"no_such_option": 1}))


def test_small_programs_use_casadi_and_large_ones_lanes(monkeypatch):
    taken = []
    for name, solver in dict(BACKEND_TABLE).items():
        monkeypatch.setitem(BACKEND_TABLE, name, lambda *how, n=name, s=solver: taken.append(n) or s(*how))
    solve_program(hock_schittkowski_71())
    many = element("many", lambda x, c: [sum((cos(k * x[0]) for k in range(400)), 0.0)], [0])
    solve_program(replace(hock_schittkowski_71(), costs=(many,)), options=SolverOptions(max_iterations=1))
    assert taken == ["casadi", "lanes"]


def test_an_unknown_backend_is_refused():
    with pytest.raises(PlanError, match='did you mean "lanes"'):
        solve_program(hock_schittkowski_71(), "lane")


@both
def test_the_error_without_casadi_names_the_package_to_install(backend, monkeypatch):
    monkeypatch.setitem(sys.modules, "casadi", None)
    load_ipopt.cache_clear()
    with pytest.raises(PlanError, match=r"pip install 'gambol\[plan\]'"):
        solve_program(hock_schittkowski_71(), backend)


@both
def test_a_cost_that_becomes_infinite_on_the_way_does_not_end_the_process(backend):
    """1/x at the bound x = 0 is infinite; the solver stays away from it."""
    cost = element("rise", lambda x, c: [1.0 / x[0] + x[0]], [0])
    program = NonlinearProgram(np.array([0.1]), np.zeros(1), np.full(1, 50.0), (cost,), ())
    np.testing.assert_allclose(solve_program(program, backend).unknowns, 1.0, atol=1e-6)
