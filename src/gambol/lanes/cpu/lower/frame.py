"""The stack memory that a program needs: a bound that follows from its text.

LLVM keeps a value that fits no register in stack memory, in one slot at most. Functions of a program do not call
themselves, so all of them together need at most

    bytes of all areas + bytes of a vector * lines of text
"""

import re
from collections.abc import Iterable

from gambol.lanes.cpu.lower.lane_types import LaneTypes

AREA = re.compile(r"= alloca \[(\d+) x")


def stack_bound(functions: Iterable[str], types: LaneTypes) -> str:
    """Return the text of the constant `stack_bytes`: the most stack memory that functions need together [bytes].

    functions: their texts. types: types of their lanes; areas and values are of its vectors.
    """
    values = sum(text.count("\n") + sum(map(int, AREA.findall(text))) for text in functions)
    return f"@stack_bytes = constant i64 {values * types.bytes * types.lanes}"
