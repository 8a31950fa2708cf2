"""The backend "casadi": elements as functions of CasADi's symbols, derivatives by CasADi, solution by IPOPT."""

import logging
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import PlanError
from gambol.plan.program import Element, NonlinearProgram, ProgramSolution
from gambol.plan.solver.evaluation import constraint_bounds, tape_of, violation_of
from gambol.plan.solver.iterates import Iterate, Iterates
from gambol.plan.solver.options import SOLVED, SolverOptions
from gambol.plan.solver.symbols import function_of_tape, import_casadi

Array = NDArray[np.float64]
LOG = logging.getLogger("gambol.plan")

SMALL_PROGRAM, SMALL_ELEMENT = 200_000, 1000
"""Maximum number of operations of a small program, over all instances, and of each of its elements.

CasADi makes a small program one list of scalar operations. Larger programs would take seconds to differentiate, so they
call a function for each instance."""


def is_small(program: NonlinearProgram) -> bool:
    """Return True if CasADi differentiates a program faster than lanes are compiled; see decision 020."""
    elements = (*program.costs, *program.constraints)
    sizes = [len(tape_of(element).ops) for element in elements]
    total = sum(size * len(element.unknowns) for size, element in zip(sizes, elements, strict=True))
    return total <= SMALL_PROGRAM and max(sizes, default=0) <= SMALL_ELEMENT


class CasadiSolver:
    """A program built for CasADi.

    program: elements with constant functions and indices; solve() uses the bounds, constants and first guess of the
    program that it gets. oracle: the casadi.Function (unknowns, constants) -> (cost, constraints). build_seconds: wall
    time of building. Raises PlanError if CasADi is missing.
    """

    def __init__(self, program: NonlinearProgram, options: SolverOptions) -> None:
        start = time.perf_counter()
        self._ca = import_casadi()
        self.options = options
        self._sizes = program.initial.size, sum(e.lower.size for e in program.constraints)
        self._iteration_callback = _iteration_callback(self._ca, *self._sizes)
        self.oracle = _oracle(self._ca, program)
        self._solvers: dict[bool, Any] = {}
        self.build_seconds = time.perf_counter() - start
        LOG.info("built by CasADi in %.2f s", self.build_seconds)

    def solve(self, program: NonlinearProgram, iterates: Iterates, warm: ProgramSolution | None) -> ProgramSolution:
        """Return the solution of a program of the same elements.

        iterates: called with the iterates. warm: a solution to start from, with its multipliers.
        """
        start = time.perf_counter()
        lower, upper = constraint_bounds(program)
        solver = self._solver(warm is not None)
        arguments: dict[str, Any] = {
            "x0": program.initial if warm is None else warm.unknowns,
            "lbx": program.lower,
            "ubx": program.upper,
            "lbg": lower,
            "ubg": upper,
            "p": _constants(program),
        }
        if warm is not None:
            flat = [m.ravel() for m in warm.multipliers]
            arguments |= {"lam_g0": np.concatenate([*flat, np.zeros(0)]), "lam_x0": warm.bound_multipliers}
        self._iteration_callback.start(program, iterates)
        with iterates:
            result = solver(**arguments)
        stats = solver.stats()
        flat = {name: np.asarray(result[name]).ravel() for name in ("x", "g", "lam_g", "lam_x")}
        violation = violation_of(program, flat["x"], flat["g"])
        last = Iterate(flat["x"], float(result["f"]), violation, flat["lam_g"], flat["lam_x"])
        status = str(stats["return_status"])
        return iterates.solution(program, last, status, status in SOLVED, time.perf_counter() - start)

    def _solver(self, warm: bool) -> Any:
        if warm not in self._solvers:
            chosen = {f"ipopt.{name}": value for name, value in self.options.for_ipopt(warm).items()}
            fixed = {"print_time": False, "show_eval_warnings": False, "iteration_callback": self._iteration_callback}
            try:
                self._solvers[warm] = self._ca.nlpsol("solver", "ipopt", self.oracle, {**chosen, **fixed})
            except RuntimeError as error:
                raise PlanError(f"IPOPT refuses its options: {str(error).strip().splitlines()[-1]}") from error
        return self._solvers[warm]


def _constants(program: NonlinearProgram) -> Array:
    return np.concatenate([e.constants.ravel() for e in (*program.costs, *program.constraints)] or [np.zeros(0)])


def _oracle(ca: Any, program: NonlinearProgram) -> Any:
    """Return the function (unknowns, constants) -> (cost, constraints) of CasADi."""
    elements = (*program.costs, *program.constraints)
    x, p = ca.MX.sym("x", program.initial.size), ca.MX.sym("p", sum(e.constants.size for e in elements))
    functions: dict[int, Any] = {}
    outputs: list[Any] = []
    start = 0
    for element in elements:
        constants = ca.reshape(p[start : start + element.constants.size], *element.constants.shape[::-1])
        start += element.constants.size
        outputs.append(_outputs(ca, element, functions, x, constants))
    cost = sum((ca.sum1(ca.vec(out)) for out in outputs[: len(program.costs)]), ca.MX(0))
    constraints = ca.vertcat(*(ca.vec(out) for out in outputs[len(program.costs) :]), ca.MX(0, 1))
    oracle = ca.Function("program", [x, p], [cost, constraints], ["x", "p"], ["f", "g"])
    return oracle.expand() if is_small(program) else oracle


def _outputs(ca: Any, element: Element, functions: dict[int, Any], x: Any, constants: Any) -> Any:
    """Return the outputs of an element as a matrix (outputs, instances) of symbols."""
    instances, inputs = element.unknowns.shape
    tape = tape_of(element)
    if id(tape) not in functions:
        functions[id(tape)] = function_of_tape("element", tape, inputs, element.constants.shape[1])
    gathered = ca.reshape(x[element.unknowns.ravel().tolist()], inputs, instances)
    return functions[id(tape)].map(instances)(gathered, constants)


def _iteration_callback(ca: Any, unknowns: int, constraints: int) -> Any:
    """Return a callback of CasADi that adds every iterate to an Iterates."""
    sizes = {"x": unknowns, "lam_x": unknowns, "g": constraints, "lam_g": constraints, "f": 1}

    class ProgressCallback(ca.Callback):
        def __init__(self) -> None:
            ca.Callback.__init__(self)
            self.construct("iterates", {})

        def start(self, program: NonlinearProgram, iterates: Iterates) -> None:
            self.program, self.iterates, self.iteration = program, iterates, 0

        def get_n_in(self) -> int:
            return ca.nlpsol_n_out()

        def get_n_out(self) -> int:
            return 1

        def get_name_in(self, index: int) -> str:
            return ca.nlpsol_out(index)

        def get_sparsity_in(self, index: int) -> Any:
            return ca.Sparsity.dense(sizes.get(ca.nlpsol_out(index), 0), 1)

        def eval(self, arguments: Any) -> list[int]:
            try:
                x, f, g, lam_x, lam_g = (np.array(a).ravel() for a in arguments[:5])
                iterate = Iterate(x, float(f[0]), violation_of(self.program, x, g), lam_g, lam_x)
                continues = self.iterates.add(self.iteration, iterate)
                self.iteration += 1
            except BaseException as error:
                self.iterates.stop(error)
                continues = False
            return [0 if continues else 1]

    return ProgressCallback()
