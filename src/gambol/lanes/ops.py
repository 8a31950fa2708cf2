"""The operations of a trace by name, the two precisions, and the kinds of scalars."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Scalar: TypeAlias = Any
"""A Python float, a NumPy array, or a traced Real: every type that + - * / and the functions of lanes accept."""

Precision = Literal["float64", "float32"]
COMMUTATIVE = frozenset({"add", "mul", "eq", "and", "or"})
MASKS = frozenset({"lt", "le", "eq", "and", "or", "not", "always", "bit"})


class Undefined:
    """The type of UNDEFINED."""

    __slots__ = ()


UNDEFINED = Undefined()
"""A placeholder for numbers whose value is never used, or for a part of a tuple of them; see `when`."""


@dataclass(slots=True, eq=False)
class Op:
    """One recorded operation. args: the indices of the operations that it takes; extra: its static argument."""

    name: str
    args: tuple[int, ...]
    extra: Any = None


class CompositeScalar(ABC):
    """A scalar composed of several, such as a dual number; it implements every function of lanes for itself.

    It has its own operators and comparisons, which take precedence over those of the scalars that it is composed of.
    """

    __slots__ = ()

    __array_ufunc__ = None  # NumPy arrays then use our operators

    @abstractmethod
    def apply(self, name: str, *args: Scalar) -> Scalar:
        """Return the result of the function of lanes of this name; this scalar is one of the arguments."""

    @abstractmethod
    def terms(self) -> dict[Any, Scalar]:
        """Return the plain scalars that this one is composed of, by key; the key () is the number itself."""

    @classmethod
    @abstractmethod
    def of_terms(cls, terms: Mapping[Any, Scalar]) -> Scalar:
        """Return the scalar of these terms, of which () must be one."""
