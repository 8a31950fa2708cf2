"""Helpers for tests of programs: compile a function of scalars and run it on arrays; errors in ulps."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import mpmath
import numpy as np

from gambol.lanes import Program, ProgramSpec
from gambol.lanes.bodies import trace_body
from gambol.lanes.cpu.compiler import Processor
from gambol.lanes.trace import Body

DIGITS = {"float64": 53, "float32": 24}
MIN_EXPONENT = {"float64": -1074, "float32": -149}
PRECISIONS = ("float64", "float32")
AVX2 = Processor("haswell", "+avx2,+fma,+bmi,+bmi2,+lzcnt,+movbe,+f16c,-avx512f")


def program_of(function: Callable[..., Any], count: int, precision: str = "float64", **how: Any) -> Program:
    """Return a program of `count` scalar inputs, one row each; the function returns one scalar."""
    spec = ProgramSpec("sample", lambda *x: (function(*x),), (0.0,) * count)
    return Program(spec, precision, **how)


def evaluated(function: Callable[..., Any], *values: Any, precision: str = "float64", **how: Any) -> np.ndarray:
    """Return a function of arrays of values, all of one length, by a compiled program."""
    rows = [np.atleast_1d(np.asarray(v, precision)).reshape(1, -1) for v in values]
    return program_of(function, len(rows), precision, **how)(*rows)[0][0]


def body_of(function: Callable[..., Any], count: int, precision: str = "float64") -> Body:
    """Return the traced body of a function that returns a list of scalars."""
    return trace_body("sample", precision, None, count, lambda *x: list(function(*x)))


def names_of(body: Body) -> Counter[str]:
    """Return the count of each operation in a body, without inputs and constants."""
    return Counter(op.name for op in body.ops if op.name not in ("input", "const", "captured", "part"))


def ulps(found: Sequence[float], exact: Sequence[Any], precision: str) -> np.ndarray:
    """Return the errors of numbers in units of the last place of the exact numbers."""
    return np.array([_ulps(float(f), e, precision) for f, e in zip(found, exact, strict=True)])


def _ulps(found: float, exact: Any, precision: str) -> float:
    if not np.isfinite(found):
        return 0.0 if abs(exact) > float(np.finfo(precision).max) and found * exact > 0 else np.inf
    if exact == 0:
        return 0.0 if found == 0.0 else np.inf
    place = max(int(mpmath.floor(mpmath.log(abs(exact), 2))) - DIGITS[precision] + 1, MIN_EXPONENT[precision])
    return float(abs(mpmath.mpf(found) - exact) * mpmath.mpf(2) ** -place)


def bits(numbers: np.ndarray) -> np.ndarray:
    """Return numbers as integers, so that equality is bitwise; all NaN are equal."""
    one = np.where(np.isnan(numbers), np.asarray(np.nan, numbers.dtype), numbers)
    return np.ascontiguousarray(one).view(f"i{numbers.itemsize}")


def floats_of_every_size(precision: str, count: int, seed: int = 0) -> np.ndarray:
    """Return finite numbers drawn uniformly from bit patterns: every exponent, both signs, denormals."""
    size = np.dtype(precision).itemsize
    drawn = np.frombuffer(np.random.default_rng(seed).bytes(count * size), precision)
    return drawn[np.isfinite(drawn)]
