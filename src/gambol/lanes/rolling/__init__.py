"""Rolling: alike pieces of a traced program, such as the legs of a figure, become loops with the same results."""

from gambol.lanes.rolling.roll import rolled
from gambol.lanes.rolling.sharing import outlined

__all__ = ["outlined", "rolled"]
