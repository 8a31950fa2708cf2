"""Forward-mode differentiation of any formula, by dual numbers, which are generic scalars too.

    x + sum x_k e_k,  e_j e_k = 0:    f(x, y) + sum (f_x x_k + f_y y_k) e_k      [Griewank & Walther 2008, chapter 3]

A Dual is a value with its partial derivatives along some directions k. Partials that are exactly zero are omitted, so
they cost nothing; a Dual without partials is replaced by its value. Values and partials are floats, arrays, traced
Reals, or Duals of an earlier level: every differentiation has a separate level, so that nested differentiations do not
mix.

Comparisons use values only, so the derivative of a conditional is the derivative of the selected branch. The derivative
of |x| at 0 is 1; the derivatives of floor and gather are 0. The derivatives of sqrt at 0 (infinite) and of atan2 at (0,
0) (undefined) are set to 0, so that the derivative of the length of a zero vector is 0 and not NaN.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

from gambol.errors import TraceError
from gambol.lanes import functions
from gambol.lanes.functions import cos, sin, where
from gambol.lanes.ops import CompositeScalar, Scalar
from gambol.lanes.tree import leaves

Partials = Mapping[int, Scalar]

LEVELS: Iterator[int] = itertools.count(1)  # every differentiation takes the next one


class Dual(CompositeScalar):
    """A dual number.

    value: a scalar; partials: its derivatives by index of the direction; level: the number of the differentiation.
    """

    __slots__ = ("level", "partials", "value")

    def __init__(self, value: Scalar, partials: Partials, level: int = 0) -> None:
        self.value = value
        self.partials = partials
        self.level = level

    def apply(self, name: str, *args: Scalar) -> Scalar:
        """Return the result of the function `name` of gambol.lanes, with its derivatives by the chain rule."""
        level, values, partials = _at_latest_level(args)
        if name == "where":
            return _select(level, values, partials)
        result = getattr(functions, name)(*values)
        factors = DERIVATIVES[name](result, *values) if name in DERIVATIVES else (0.0,) * len(values)
        return _chain_rule(level, result, factors, partials)

    def terms(self) -> dict[Any, Scalar]:
        """Return value and derivatives by key: a tuple of (level, direction) of each differentiation, latest first."""
        terms = _terms(self.value)
        for k, partial in self.partials.items():
            terms |= {((self.level, k), *key): x for key, x in _terms(partial).items()}
        return terms

    @classmethod
    def of_terms(cls, terms: Mapping[Any, Scalar]) -> Scalar:
        """Return the Dual of these terms, including terms that are 0."""
        level = max((key[0][0] for key in terms if key), default=None)
        if level is None:
            return terms[()]
        groups: dict[int | None, dict[Any, Scalar]] = {None: {}}
        for key, x in terms.items():
            at_level = bool(key) and key[0][0] == level
            groups.setdefault(key[0][1] if at_level else None, {})[key[1:] if at_level else key] = x
        value = cls.of_terms(groups.pop(None))
        return cls(value, {k: cls.of_terms(group) for k, group in groups.items() if k is not None}, level)

    def __add__(self, other: Scalar) -> Scalar:
        level, (x, y), partials = _at_latest_level((self, other))
        return _chain_rule(level, x + y, (1.0, 1.0), partials)

    __radd__ = __add__

    def __sub__(self, other: Scalar) -> Scalar:
        level, (x, y), partials = _at_latest_level((self, other))
        return _chain_rule(level, x - y, (1.0, -1.0), partials)

    def __rsub__(self, other: Scalar) -> Scalar:
        level, (x, y), partials = _at_latest_level((self, other))
        return _chain_rule(level, y - x, (-1.0, 1.0), partials)

    def __mul__(self, other: Scalar) -> Scalar:
        if self is other:
            return _chain_rule(self.level, self.value * self.value, (self.value + self.value,), (self.partials,))
        level, (x, y), partials = _at_latest_level((self, other))
        return _chain_rule(level, x * y, (y, x), partials)

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Scalar:
        return _quotient(self, other)

    def __rtruediv__(self, other: Scalar) -> Scalar:
        return _quotient(other, self)

    def __neg__(self) -> Scalar:
        return _chain_rule(self.level, -self.value, (-1.0,), (self.partials,))

    def __pos__(self) -> Scalar:
        return self

    def __abs__(self) -> Scalar:
        sign = where(self.value < 0.0, -1.0, 1.0)
        return _chain_rule(self.level, abs(self.value), (sign,), (self.partials,))

    def __pow__(self, power: float) -> Scalar:
        if power in (0, 1):
            return self if power else 1.0
        x = self.value
        return _chain_rule(self.level, x**power, (power * (x if power == 2 else x ** (power - 1)),), (self.partials,))

    def __lt__(self, other: Scalar) -> Any:
        return _compare_values(self, other, lambda x, y: x < y)

    def __le__(self, other: Scalar) -> Any:
        return _compare_values(self, other, lambda x, y: x <= y)

    def __gt__(self, other: Scalar) -> Any:
        return _compare_values(self, other, lambda x, y: x > y)

    def __ge__(self, other: Scalar) -> Any:
        return _compare_values(self, other, lambda x, y: x >= y)

    def __eq__(self, other: object) -> Any:
        return _compare_values(self, other, lambda x, y: x == y)

    def __ne__(self, other: object) -> Any:
        return _compare_values(self, other, lambda x, y: x != y)

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        return bool(self.value)

    def __float__(self) -> NoReturn:
        raise TraceError("a Dual cannot become a float; take its value, or its partials for the derivatives")

    def __repr__(self) -> str:
        return f"Dual({self.value!r}, {dict(self.partials)!r}, level={self.level})"


def jacobian(function: Callable[[list[Scalar]], Any], x: Sequence[Scalar]) -> tuple[list[Scalar], list[list[Scalar]]]:
    """Return the value and the Jacobian of a function at x.

    function: takes a list of scalars, returns a pytree of scalars f_i. x: the list of scalars.
    Returns the list of f_i, and the rows of d f_i / d x_j, which is exactly 0.0 where f_i does not depend on x_j.
    """
    level = next(LEVELS)
    results = leaves(function([Dual(value, {k: 1.0}, level) for k, value in enumerate(x)]))
    split = [_value_and_partials(f, level) for f in results]
    return [value for value, _ in split], [[partials.get(k, 0.0) for k in range(len(x))] for _, partials in split]


def jvp(
    function: Callable[[list[Scalar]], Any], x: Sequence[Scalar], dx: Sequence[Scalar]
) -> tuple[list[Scalar], list[Scalar]]:
    """Return the value of a function at x, and the product of its Jacobian with dx (its derivative along dx).

    function: see jacobian(); x, dx: lists of scalars. Returns two flat lists.
    """
    level = next(LEVELS)
    seeded = [_chain_rule(level, value, (1.0,), ({0: tangent},)) for value, tangent in zip(x, dx, strict=True)]
    split = [_value_and_partials(f, level) for f in leaves(function(seeded))]
    return [value for value, _ in split], [partials.get(0, 0.0) for _, partials in split]


def hessian(
    function: Callable[[list[Scalar]], Scalar], x: Sequence[Scalar]
) -> tuple[Scalar, list[Scalar], list[list[Scalar]]]:
    """Return value, gradient and Hessian of a scalar function at x.

    function: takes a list of scalars, returns a scalar. x: the list of scalars. Returns the value, the gradient as a
    list, and the Hessian as a list of rows.
    """

    def value_and_gradient(point: list[Scalar]) -> list[Scalar]:
        (value,), (gradient,) = jacobian(function, point)
        return [value, *gradient]

    (value, *gradient), (_, *rows) = jacobian(value_and_gradient, x)
    return value, gradient, rows


def _value_and_partials(x: Scalar, level: int) -> tuple[Scalar, Partials]:
    """Return value and partials of a scalar at a level; a scalar of an earlier level is a constant at this level."""
    return (x.value, x.partials) if isinstance(x, Dual) and x.level == level else (x, {})


def _at_latest_level(args: Sequence[Scalar]) -> tuple[int, list[Scalar], list[Partials]]:
    """Return the latest level among the arguments, and their values and partials at that level."""
    level = max(x.level for x in args if isinstance(x, Dual))
    split = [_value_and_partials(x, level) for x in args]
    return level, [value for value, _ in split], [partials for _, partials in split]


def _chain_rule(level: int, value: Scalar, factors: Sequence[Scalar], operands: Sequence[Partials]) -> Scalar:
    """Return a Dual with partials that are the sum of `factors` times the partials of `operands`."""
    total: dict[int, Scalar] = {}
    for factor, partials in zip(factors, operands, strict=True):
        if not _is_zero(factor):
            for k, partial in partials.items():
                total[k] = total[k] + factor * partial if k in total else factor * partial
    return _dual(level, value, total)


def _dual(level: int, value: Scalar, partials: Partials) -> Scalar:
    nonzero = {k: partial for k, partial in partials.items() if not _is_zero(partial)}
    return Dual(value, nonzero, level) if nonzero else value


def _is_zero(x: Scalar) -> bool:
    return isinstance(x, (int, float)) and x == 0.0


def _select(level: int, values: Sequence[Scalar], partials: Sequence[Partials]) -> Scalar:
    """Return the result of `where`. The chain rule would give NaN where the value not selected is infinite."""
    (condition, yes, no), (_, yes_partials, no_partials) = values, partials
    selected = {
        k: where(condition, yes_partials.get(k, 0.0), no_partials.get(k, 0.0)) for k in {**yes_partials, **no_partials}
    }
    return _dual(level, where(condition, yes, no), selected)


def _quotient(a: Scalar, b: Scalar) -> Scalar:
    level, (x, y), partials = _at_latest_level((a, b))
    quotient, inverse = x / y, 1.0 / y
    return _chain_rule(level, quotient, (inverse, -quotient * inverse), partials)


def _compare_values(a: Scalar, b: Scalar, comparison: Callable[[Scalar, Scalar], Any]) -> Any:
    _, (x, y), _ = _at_latest_level((a, b))
    return comparison(x, y)


def _terms(x: Scalar) -> dict[Any, Scalar]:
    return x.terms() if isinstance(x, CompositeScalar) else {(): x}


def _ratio(a: Scalar, b: Scalar, at_zero: float) -> Scalar:
    """Return a / b, and at_zero where b is 0."""
    is_zero = b == 0.0
    return where(is_zero, at_zero, a / where(is_zero, 1.0, b))


def _atan2_derivatives(angle: Scalar, y: Scalar, x: Scalar) -> tuple[Scalar, Scalar]:
    inverse = _ratio(1.0, x * x + y * y, at_zero=0.0)
    return x * inverse, -y * inverse


def _unary(derivative: Callable[[Scalar, Scalar], Scalar]) -> Callable[..., tuple[Scalar, ...]]:
    """Return an entry of DERIVATIVES for a function y of one argument x. derivative: dy/dx as a function of y and x."""

    def derivatives(y: Scalar, x: Scalar) -> tuple[Scalar]:
        return (derivative(y, x),)

    return derivatives


def _fma_derivatives(total: Scalar, a: Scalar, b: Scalar, c: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    return b, a, 1.0


DERIVATIVES: dict[str, Callable[..., tuple[Scalar, ...]]] = {
    "sqrt": _unary(lambda y, x: _ratio(0.5, y, at_zero=0.0)),
    "sin": _unary(lambda y, x: cos(x)),
    "cos": _unary(lambda y, x: -sin(x)),
    "exp": _unary(lambda y, x: y),
    "log": _unary(lambda y, x: _ratio(1.0, x, at_zero=math.inf)),
    "atan2": _atan2_derivatives,
    "fma": _fma_derivatives,
}
"""For each function of gambol.lanes, a function of its result and arguments that returns its partial derivatives. A
function that is not listed has the derivatives 0."""
