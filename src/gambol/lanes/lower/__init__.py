"""Lowering of the body of a program to LLVM assembly text, in which every value is a vector of lanes.

Each body becomes one function `void (in, out, tables)` over arrays of lanes; loops and branches run while any lane
needs them, and leave the values of the others unchanged. No fast-math flag is set: each operation rounds separately.
"""

from gambol.lanes.lower.bodies import assembly

__all__ = ["assembly"]
