"""Generic scalars, the tracer, and its lowering to lanes of machine code."""

from gambol.lanes.dual import Dual, directional, hessian, jacobian
from gambol.lanes.flow import Subprogram, loop, repeat, seam, subprogram, tracing, when
from gambol.lanes.functions import (
    atan2,
    clamp,
    cos,
    each,
    exp,
    floor,
    fma,
    gather,
    is_finite,
    log,
    maximum,
    minimum,
    negated,
    sin,
    sqrt,
    where,
    working_precision,
)
from gambol.lanes.ops import Precision, Scalar
from gambol.lanes.program import Program, Recipe
from gambol.lanes.tree import leaves, mapped, rebuilt

__all__ = [
    "Dual",
    "Precision",
    "Program",
    "Recipe",
    "Scalar",
    "Subprogram",
    "atan2",
    "clamp",
    "cos",
    "directional",
    "each",
    "exp",
    "floor",
    "fma",
    "gather",
    "hessian",
    "is_finite",
    "jacobian",
    "leaves",
    "log",
    "loop",
    "mapped",
    "maximum",
    "minimum",
    "negated",
    "rebuilt",
    "repeat",
    "seam",
    "sin",
    "sqrt",
    "subprogram",
    "tracing",
    "when",
    "where",
    "working_precision",
]
