"""Lowering: the body of a program as LLVM assembly text in which every value is a vector of lanes.

Each body becomes one function `void (in, out, tables)` over arrays of lanes; loops and branches go on while any lane
needs them and keep the values of the others. No fast-math flag is set: each operation rounds by itself.
"""

from gambol.lanes.lower.bodies import assembly

__all__ = ["assembly"]
