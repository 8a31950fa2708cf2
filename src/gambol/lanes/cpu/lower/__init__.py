"""Lowering of the body of a program to LLVM assembly text, in which every value is a vector of lanes.

Each body becomes one function `void (in, out, context, active)` over arrays of lanes. active is the mask of the lanes
whose results are used. A loop or branch runs while its condition is True in any of these lanes, and leaves the values
of the other lanes unchanged. context holds the tables, and the lanes that wait for a rare branch, see context.py. No
fast-math flag is set: each operation rounds separately.
"""

from gambol.lanes.cpu.lower.bodies import assembly

__all__ = ["assembly"]
