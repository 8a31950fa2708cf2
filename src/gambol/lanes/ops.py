"""The recorded operations of a trace, the two precisions, and the types of scalars."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Scalar: TypeAlias = Any
"""A Python float, a NumPy array, or a traced Real: every type that + - * / and the functions of lanes accept."""

Precision = Literal["float64", "float32"]
"""The floating-point type of the scalars of a program."""

COMMUTATIVE = frozenset({"add", "mul", "eq", "and", "or"})
MASKS = frozenset({"lt", "le", "eq", "and", "or", "not", "always", "bit"})
"""Names of the operations with a mask as result: a truth value in each lane."""


def has_exact_reciprocal(number: float) -> bool:
    """Return True for a power of two with a reciprocal that is a normal number in both precisions."""
    half, exponent = math.frexp(number)
    return abs(half) == 0.5 and abs(exponent) < 126


def is_same_constant(x: float, y: float) -> bool:
    """Return True for equal constants; zeros of different sign are not equal."""
    return x == y and (x != 0.0 or math.copysign(1.0, x) == math.copysign(1.0, y))


class Undefined:
    """The type of UNDEFINED."""

    __slots__ = ()


UNDEFINED = Undefined()
"""A placeholder for values that are never used; it represents a scalar or a pytree. See `when`."""


@dataclass(slots=True, eq=False)
class Op:
    """A recorded operation. args: the indices of its operands; extra: its static argument."""

    name: str
    args: tuple[int, ...]
    extra: Any = None


class CompositeScalar(ABC):
    """A scalar composed of several scalars, such as a dual number; it implements every function of lanes itself.

    Its operators and comparisons take precedence over the operators of its components.
    """

    __slots__ = ()

    __array_ufunc__ = None  # NumPy arrays then use our operators

    @abstractmethod
    def apply(self, name: str, *args: Scalar) -> Scalar:
        """Return the result of the function `name` of gambol.lanes; args: its arguments, including this scalar."""

    @abstractmethod
    def terms(self) -> dict[Any, Scalar]:
        """Return the plain scalars of this composite by key; the key () is the value itself."""

    @classmethod
    @abstractmethod
    def of_terms(cls, terms: Mapping[Any, Scalar]) -> Scalar:
        """Return the composite scalar of these terms; the key () is required."""
