"""IPOPT's C interface: errors in callbacks, options, and what is freed."""

import ctypes
from pathlib import Path

import casadi
import numpy as np
import pytest
from nonlinear_programs import hock_schittkowski_71

from gambol.errors import PlanError
from gambol.plan import SolverOptions
from gambol.plan.solver.evaluation import constraint_bounds
from gambol.plan.solver.lanes import CompiledProgram
from gambol.plan.solver.lanes.ipopt_library import BLAS_NAMES, IpoptProblem, one_blas_thread


def started(functions, fail, options=None, iterate=lambda number: True):
    """The status of problem 71, with the point at which IPOPT ended."""
    program = hock_schittkowski_71()
    with IpoptProblem(functions, (program.lower, program.upper), constraint_bounds(program), iterate, fail) as problem:
        problem.set_options({**SolverOptions().for_ipopt(False), **(options or {})})
        x = program.initial.copy()
        return problem.solve(x, np.zeros(2), np.zeros(4), np.zeros(4)), x


def failing(name, error):
    functions = CompiledProgram(hock_schittkowski_71())

    def fail(*_):
        raise error

    setattr(functions, name, fail)
    return functions


@pytest.mark.parametrize("name", ["cost", "gradient", "constraints", "jacobian", "hessian"])
@pytest.mark.parametrize("error", [ValueError("broken"), KeyboardInterrupt()])
def test_an_exception_of_a_function_is_raised_and_ends_the_solution(name, error):
    caught = []
    status, _ = started(failing(name, error), caught.append, iterate=lambda number: not caught)
    assert set(caught) == {error}
    assert status != "Solve_Succeeded"


def test_numbers_that_are_not_finite_do_not_end_the_process():
    functions = CompiledProgram(hock_schittkowski_71())
    functions.jacobian = lambda x: np.full(8, np.nan)
    status, _ = started(functions, pytest.fail)
    assert status == "Invalid_Number_Detected"


def test_problems_are_freed_and_can_be_made_again():
    functions = CompiledProgram(hock_schittkowski_71())
    for _ in range(30):
        status, x = started(functions, pytest.fail)
        assert status == "Solve_Succeeded"
    np.testing.assert_allclose(x, [1.0, 4.7429994, 3.8211503, 1.3794082], atol=1e-6)


def test_whole_numbers_are_taken_where_real_ones_are_meant():
    assert started(CompiledProgram(hock_schittkowski_71()), pytest.fail, {"tol": 1})[0] == "Solve_Succeeded"


@pytest.mark.parametrize("option", [{"no_such_option": 1}, {"max_iter": "many"}, {"tol": -1.0}])
def test_a_wrong_option_is_refused(option):
    with pytest.raises(PlanError, match=next(iter(option))):
        started(CompiledProgram(hock_schittkowski_71()), pytest.fail, option)


def test_linear_algebra_runs_in_one_thread_while_a_plan_is_solved():
    folder = Path(casadi.__file__).parent
    library = ctypes.CDLL(str(next(folder / name for name in BLAS_NAMES if (folder / name).exists())))
    library.openblas_set_num_threads(2)
    with one_blas_thread():
        assert library.openblas_get_num_threads() == 1
    assert library.openblas_get_num_threads() == 2
