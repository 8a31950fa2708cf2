"""Generic scalars, the tracer, and the compiler to vectorised machine code: each vector lane computes one world."""

from gambol.lanes.arrays import Array, Index, array, empty
from gambol.lanes.colouring import edge_colours
from gambol.lanes.dual import Dual, hessian, jacobian, jvp
from gambol.lanes.flow import Subprogram, fori, is_short, is_tracing, loop, repeat, split_point, subprogram, when
from gambol.lanes.functions import (
    atan2,
    clamp,
    cos,
    elementwise,
    exp,
    floor,
    fma,
    gather,
    is_finite,
    is_traced,
    log,
    logical_not,
    maximum,
    minimum,
    shared,
    sin,
    sqrt,
    total,
    where,
    working_precision,
)
from gambol.lanes.machine_code import run_loop
from gambol.lanes.ops import UNDEFINED, Precision, Scalar, Undefined
from gambol.lanes.procedure import DoWhile, If, Procedure
from gambol.lanes.program import BoundProgram, Program
from gambol.lanes.program_spec import ProgramSpec
from gambol.lanes.records import Records, scan_range
from gambol.lanes.scan import declare_alike, map_alike, scan
from gambol.lanes.schedule import Ranges, RepeatedSchedule, Schedule
from gambol.lanes.tree import leaf_indices, leaves, leaves_like, tree_map, unflatten

__all__ = [
    "UNDEFINED",
    "Array",
    "BoundProgram",
    "DoWhile",
    "Dual",
    "If",
    "Index",
    "Precision",
    "Procedure",
    "Program",
    "ProgramSpec",
    "Ranges",
    "Records",
    "RepeatedSchedule",
    "Scalar",
    "Schedule",
    "Subprogram",
    "Undefined",
    "array",
    "atan2",
    "clamp",
    "cos",
    "declare_alike",
    "edge_colours",
    "elementwise",
    "empty",
    "exp",
    "floor",
    "fma",
    "fori",
    "gather",
    "hessian",
    "is_finite",
    "is_short",
    "is_traced",
    "is_tracing",
    "jacobian",
    "jvp",
    "leaf_indices",
    "leaves",
    "leaves_like",
    "log",
    "logical_not",
    "loop",
    "map_alike",
    "maximum",
    "minimum",
    "repeat",
    "run_loop",
    "scan",
    "scan_range",
    "shared",
    "sin",
    "split_point",
    "sqrt",
    "subprogram",
    "total",
    "tree_map",
    "unflatten",
    "when",
    "where",
    "working_precision",
]
