"""sin, cos, exp, log and atan2 of traced values, from operations that round the same on every machine."""

from typing import Any

from gambol.lanes.trace import Real, current


def sin(x: Real) -> Any:
    return _poly(x, [1, -1 / 6, 1 / 120, -1 / 5040, 1 / 362880, -1 / 39916800]) * x


def cos(x: Real) -> Any:
    return _poly(x, [1, -1 / 2, 1 / 24, -1 / 720, 1 / 40320, -1 / 3628800])


def _poly(x: Real, c: list[float]) -> Any:
    z = x * x
    p: Any = c[-1]
    for k in c[-2::-1]:
        p = p * z + k
    return p


def exp(x: Real) -> Any:
    raise NotImplementedError


def log(x: Real) -> Any:
    raise NotImplementedError


def atan2(y: Any, x: Any) -> Any:
    raise NotImplementedError
