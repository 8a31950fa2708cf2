"""IPOPT's C interface, from the library in casadi's wheel. [Waechter & Biegler 2006]

Errors in a Python callback are passed to a function and end the solution; they do not propagate through IPOPT.
"""

import ctypes
import importlib.util
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from ctypes import CFUNCTYPE, POINTER, c_bool, c_double, c_int, c_void_p
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gambol.errors import PlanError

Array = NDArray[np.float64]

INFINITY = 2e19  # IPOPT takes bounds beyond 1e19 for infinite ones
NAMES = ("libipopt.so.3", "libipopt.3.dylib", "libipopt-3.dll", "libipopt.so", "libipopt.dylib")

NUMBERS, INDICES = POINTER(c_double), POINTER(c_int)
COST = CFUNCTYPE(c_bool, c_int, NUMBERS, c_bool, NUMBERS, c_void_p)
CONSTRAINTS = CFUNCTYPE(c_bool, c_int, NUMBERS, c_bool, c_int, NUMBERS, c_void_p)
JACOBIAN = CFUNCTYPE(c_bool, c_int, NUMBERS, c_bool, c_int, c_int, INDICES, INDICES, NUMBERS, c_void_p)
HESSIAN = CFUNCTYPE(
    c_bool, c_int, NUMBERS, c_bool, c_double, c_int, NUMBERS, c_bool, c_int, INDICES, INDICES, NUMBERS, c_void_p
)
ITERATION = CFUNCTYPE(c_bool, c_int, c_int, *[c_double] * 8, c_int, c_void_p)

STATUS = {
    0: "Solve_Succeeded",
    1: "Solved_To_Acceptable_Level",
    2: "Infeasible_Problem_Detected",
    3: "Search_Direction_Becomes_Too_Small",
    4: "Diverging_Iterates",
    5: "User_Requested_Stop",
    6: "Feasible_Point_Found",
    -1: "Maximum_Iterations_Exceeded",
    -2: "Restoration_Failed",
    -3: "Error_In_Step_Computation",
    -4: "Maximum_CpuTime_Exceeded",
    -5: "Maximum_WallTime_Exceeded",
    -10: "Not_Enough_Degrees_Of_Freedom",
    -11: "Invalid_Problem_Definition",
    -12: "Invalid_Option",
    -13: "Invalid_Number_Detected",
    -100: "Unrecoverable_Exception",
    -101: "NonIpopt_Exception_Thrown",
    -102: "Insufficient_Memory",
    -199: "Internal_Error",
}
"""IPOPT's status texts for its return codes."""


BLAS_NAMES = tuple(f"libcasadi-tp-openblas{ending}" for ending in (".so.0", ".0.dylib", ".so", ".dylib", ".dll"))


class Functions(Protocol):
    """A non-linear program as functions of the unknowns x (n), with m constraints; see CompiledProgram."""

    unknowns: int
    outputs: int
    jacobian_rows: NDArray[np.intp]
    jacobian_columns: NDArray[np.intp]
    hessian_rows: NDArray[np.intp]
    hessian_columns: NDArray[np.intp]

    def cost(self, x: Array) -> float:
        """Return the cost."""
        ...

    def gradient(self, x: Array) -> Array:
        """Return the gradient of the cost (n,)."""
        ...

    def constraints(self, x: Array) -> Array:
        """Return the outputs of the constraints (m,)."""
        ...

    def jacobian(self, x: Array) -> Array:
        """Return the Jacobian of the constraints at its rows and columns."""
        ...

    def hessian(self, x: Array, cost_factor: float, multipliers: Array) -> Array:
        """Return the Hessian of cost_factor times the cost plus the constraints times the multipliers (m,)."""
        ...


@lru_cache(maxsize=1)
def load_ipopt() -> Any:
    """Return IPOPT's library. Raises PlanError if casadi's wheel is not installed, or does not contain the library."""
    path = _library(NAMES)
    if path is None:
        raise PlanError(f'{_casadi_folder()} has no library of IPOPT; take the backend "casadi"')
    library = ctypes.CDLL(str(path))
    library.CreateIpoptProblem.restype = c_void_p
    library.FreeIpoptProblem.argtypes = [c_void_p]
    library.IpoptSolve.argtypes = [c_void_p, *[NUMBERS] * 6, c_void_p]
    library.GetIpoptCurrentIterate.argtypes = [c_void_p, c_bool, c_int, *[NUMBERS] * 3, c_int, *[NUMBERS] * 2]
    library.GetIpoptCurrentIterate.restype = c_bool
    for kind, number in (("Str", ctypes.c_char_p), ("Int", c_int), ("Num", c_double)):
        add = getattr(library, f"AddIpopt{kind}Option")
        add.argtypes, add.restype = [c_void_p, ctypes.c_char_p, number], c_bool
    return library


@contextmanager
def one_blas_thread() -> Generator[None]:
    """Let the linear algebra of casadi's wheel run in one thread, and restore its number of threads afterwards.

    The dense blocks of plans are so small that a second thread gains nothing, and on a busy machine its waiting made
    solutions up to ten times slower. NumPy has a library of its own, which this does not change.
    """
    path = _library(BLAS_NAMES)
    if path is None:
        yield
        return
    library = ctypes.CDLL(str(path))
    threads = int(library.openblas_get_num_threads())
    library.openblas_set_num_threads(1)
    try:
        yield
    finally:
        library.openblas_set_num_threads(threads)


def _casadi_folder() -> Path:
    module_spec = importlib.util.find_spec("casadi")
    if module_spec is None or module_spec.origin is None:
        raise PlanError("plans are solved by CasADi and IPOPT: pip install 'gambol[plan]'")
    return Path(module_spec.origin).parent


def _library(names: tuple[str, ...]) -> Path | None:
    """Return the path of the first of some libraries that casadi's wheel contains, or None."""
    folder = _casadi_folder()
    return next((folder / name for name in names if (folder / name).exists()), None)


class IpoptProblem:
    """A problem of IPOPT; use it in a `with` statement, which frees it.

    functions: functions of the program. lower, upper (n), constraint_lower, constraint_upper (m): bounds. iterate:
    called after each iteration with its number; False stops. fail: called with the exception of a function.
    """

    def __init__(
        self,
        functions: Functions,
        bounds: tuple[Array, Array],
        constraint_bounds: tuple[Array, Array],
        iterate: Callable[[int], bool],
        fail: Callable[[BaseException], None],
    ) -> None:
        self._library = load_ipopt()
        self._functions, self._iterate, self._fail = functions, iterate, fail
        self._sizes = functions.unknowns, functions.outputs
        self._callbacks = self._make_callbacks()
        limits = [np.ascontiguousarray(np.clip(a, -INFINITY, INFINITY)) for a in (*bounds, *constraint_bounds)]
        n, m = self._sizes
        *functions_of_x, self._iteration = self._callbacks
        self._problem: int | None = self._library.CreateIpoptProblem(
            c_int(n), _numbers(limits[0]), _numbers(limits[1]), c_int(m), _numbers(limits[2]), _numbers(limits[3]),
            c_int(functions.jacobian_rows.size), c_int(functions.hessian_rows.size), c_int(0), *functions_of_x,
        )  # fmt: skip
        if not self._problem:
            raise PlanError("IPOPT refuses the program: its bounds exclude each other, or it has no unknown")
        self._library.SetIntermediateCallback(c_void_p(self._problem), self._iteration)

    def __enter__(self) -> "IpoptProblem":
        return self

    def __exit__(self, *_: object) -> None:
        if self._problem:
            self._library.FreeIpoptProblem(self._problem)
        self._problem = None

    def set_options(self, options: Mapping[str, str | float | int]) -> None:
        """Set options by name. Raises PlanError for an option that IPOPT does not have, and a value of a wrong type."""
        for name, value in options.items():
            if isinstance(value, str):
                done = self._library.AddIpoptStrOption(self._problem, name.encode(), value.encode())
            elif isinstance(value, int):
                done = self._library.AddIpoptIntOption(self._problem, name.encode(), value)
                done = done or self._library.AddIpoptNumOption(self._problem, name.encode(), float(value))
            else:
                done = self._library.AddIpoptNumOption(self._problem, name.encode(), value)
            if not done:
                raise PlanError(f'IPOPT has no option "{name}" that can be {value!r}')

    def solve(self, x: Array, multipliers: Array, lower: Array, upper: Array) -> str:
        """Solve from x, which is overwritten like the multipliers of constraints (m) and of bounds (n).

        Return the status. The multipliers matter at the start only with the option warm_start_init_point.
        """
        cost, values = np.zeros(1), np.zeros(max(1, self._sizes[1]))
        arrays = [_numbers(a) for a in (x, values, cost, multipliers, lower, upper)]
        return STATUS.get(self._library.IpoptSolve(self._problem, *arrays, None), "Internal_Error")

    def current(self) -> tuple[Array, Array, Array, Array] | None:
        """Return unknowns (n), multipliers of constraints (m), and of lower and upper bounds (n) of the iterate.

        Return None without an iterate. Call it in the callback `iterate` only.
        """
        n, m = self._sizes
        x, lower, upper, values, multipliers = np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(m), np.zeros(m)
        out = [_numbers(a) for a in (x, lower, upper)]
        known = self._library.GetIpoptCurrentIterate(
            self._problem, False, n, *out, m, _numbers(values), _numbers(multipliers)
        )
        return (x, multipliers, lower, upper) if known else None

    def _make_callbacks(self) -> list[Any]:
        """Return the callbacks in the order of CreateIpoptProblem, then the callback of iterations."""
        functions, guarded = self._functions, self._guarded

        def cost(n: int, x: Any, new: bool, out: Any, data: Any) -> bool:
            return guarded(lambda: _write(out, np.array([functions.cost(_view(x, n))])))

        def constraints(n: int, x: Any, new: bool, m: int, out: Any, data: Any) -> bool:
            return guarded(lambda: _write(out, functions.constraints(_view(x, n))))

        def gradient(n: int, x: Any, new: bool, out: Any, data: Any) -> bool:
            return guarded(lambda: _write(out, functions.gradient(_view(x, n))))

        def jacobian(n: int, x: Any, new: bool, m: int, *rest: Any) -> bool:
            _, rows, columns, out, _ = rest
            if not out:
                return guarded(
                    lambda: _write_indices(rows, columns, functions.jacobian_rows, functions.jacobian_columns)
                )
            return guarded(lambda: _write(out, functions.jacobian(_view(x, n))))

        def hessian(n: int, x: Any, new: bool, factor: float, m: int, *rest: Any) -> bool:
            multipliers, _, _, rows, columns, out, _ = rest
            if not out:
                return guarded(lambda: _write_indices(rows, columns, functions.hessian_rows, functions.hessian_columns))
            return guarded(lambda: _write(out, functions.hessian(_view(x, n), factor, _view(multipliers, m))))

        def iteration(mode: int, number: int, *_: Any) -> bool:
            return guarded(lambda: self._iterate(number))

        kinds = COST, CONSTRAINTS, COST, JACOBIAN, HESSIAN, ITERATION
        callbacks = cost, constraints, gradient, jacobian, hessian, iteration
        return [kind(function) for kind, function in zip(kinds, callbacks, strict=True)]

    def _guarded(self, function: Callable[[], bool]) -> bool:
        try:
            return function()
        except BaseException as error:
            self._fail(error)
            return False


def _numbers(array: Array) -> Any:
    return array.ctypes.data_as(NUMBERS)


def _view(pointer: Any, count: int, kind: Any = c_double) -> NDArray[Any]:
    """Return the numbers at a pointer as an array, without a copy."""
    memory: Any = (kind * count).from_address(ctypes.addressof(pointer.contents)) if count else (kind * 0)()
    return np.frombuffer(memory, kind, count)


def _write(pointer: Any, values: Array) -> bool:
    """Write numbers; return True if all are finite. IPOPT shortens its step if a function cannot be computed."""
    _view(pointer, values.size)[:] = values
    return bool(np.isfinite(values).all())


def _write_indices(rows: Any, columns: Any, row_indices: NDArray[np.intp], column_indices: NDArray[np.intp]) -> bool:
    """Write the rows and columns of a matrix's entries."""
    _view(rows, row_indices.size, c_int)[:] = row_indices
    _view(columns, column_indices.size, c_int)[:] = column_indices
    return True
