"""Building blocks of the elementary functions: fused multiply-add, select and polynomials."""

from typing import Any

from gambol.lanes.trace import record


def fma(a: Any, b: Any, c: Any) -> Any:
    """Return a b + c, rounded once."""
    return record("fma", a, b, c)


def select(mask: Any, yes: Any, no: Any) -> Any:
    """Return yes in lanes where the mask is True, no in the others."""
    return record("select", mask, yes, no)


def polynomial(x: Any, coefficients: tuple[float, ...]) -> Any:
    """Return the polynomial of x with these coefficients, lowest power first, by Horner's scheme."""
    p = fma(x, coefficients[-1], coefficients[-2])
    for c in coefficients[-3::-1]:
        p = fma(p, x, c)
    return p
