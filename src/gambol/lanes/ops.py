"""What a trace is made of: operations by name, in one of two precisions, over scalars of any kind."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Scalar: TypeAlias = Any
"""A Python float, a NumPy array, or a traced Real: whatever + - * / and the functions of lanes accept."""

Precision = Literal["float64", "float32"]
COMMUTES = frozenset({"add", "mul", "eq", "and", "or"})
MASKS = frozenset({"lt", "le", "eq", "and", "or", "not", "always", "bit"})


@dataclass(slots=True, eq=False)
class Op:
    """One recorded operation: its name, the numbers of the operations it takes, and what else it needs."""

    name: str
    args: tuple[int, ...]
    extra: Any = None
