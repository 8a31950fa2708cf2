"""What the elementary functions are written in: one rounding for a product and a sum, a choice, a polynomial."""

from typing import Any

from gambol.lanes.trace import recorded


def fma(a: Any, b: Any, c: Any) -> Any:
    """a b + c, rounded once."""
    return recorded("fma", a, b, c)


def select(mask: Any, yes: Any, no: Any) -> Any:
    """yes where the mask holds, no elsewhere."""
    return recorded("select", mask, yes, no)


def polynomial(x: Any, coefficients: tuple[float, ...]) -> Any:
    """The sum of coefficients times powers of x, lowest first, by Horner's scheme."""
    p = fma(x, coefficients[-1], coefficients[-2])
    for c in coefficients[-3::-1]:
        p = fma(p, x, c)
    return p
