"""What a trace is made of: operations by name, in one of two precisions, over scalars of any kind."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Scalar: TypeAlias = Any
"""A Python float, a NumPy array, or a traced Real: whatever + - * / and the functions of lanes accept."""

Precision = Literal["float64", "float32"]
COMMUTES = frozenset({"add", "mul", "eq", "and", "or"})
MASKS = frozenset({"lt", "le", "eq", "and", "or", "not", "always", "bit"})


class Anything:
    """A number that nobody looks at, so that it may be any."""

    __slots__ = ()


ANYTHING = Anything()
"""In place of numbers, or of a part of a tuple of them: see `when`."""


@dataclass(slots=True, eq=False)
class Op:
    """One recorded operation: its name, the numbers of the operations it takes, and what else it needs."""

    name: str
    args: tuple[int, ...]
    extra: Any = None


class Lifted(ABC):
    """A scalar made of several, such as a number with its derivatives: it says what each function makes of it.

    It has operators and comparisons of its own, and takes precedence over the scalars it is made of.
    """

    __slots__ = ()

    __array_ufunc__ = None  # so that an array leaves its operators to us

    @abstractmethod
    def applied(self, name: str, *args: Scalar) -> Scalar:
        """What the function of lanes of this name gives for arguments of which this is one."""

    @abstractmethod
    def terms(self) -> dict[Any, Scalar]:
        """The scalars that this is made of, none of them lifted, by what each is; () is the number itself."""

    @classmethod
    @abstractmethod
    def of_terms(cls, terms: Mapping[Any, Scalar]) -> Scalar:
        """The scalar of given terms, of which () must be one."""
