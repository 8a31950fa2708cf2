"""Helpers of all shapes: checks of sizes, and inertias about principal axes."""

import math
from collections.abc import Iterable

from gambol.errors import FigureError
from gambol.figure.joint.joint import Matrix3
from gambol.lanes import Scalar


def check_positive(kind: str, sizes: Iterable[tuple[str, Scalar]]) -> None:
    """Raise FigureError for a plain number that is not positive and finite; sizes: (name, value) pairs of a shape."""
    for name, value in sizes:
        if isinstance(value, (int, float)) and not 0.0 < value < math.inf:
            raise FigureError(
                f"a{'n' * (kind[0] in 'aeiou')} {kind} has {name} = {value:g} m; every size must be positive and finite"
            )


def diagonal(xx: float, yy: float, zz: float) -> Matrix3:
    """Return the inertia with principal moments xx, yy and zz about x, y and z [kg m2]."""
    return ((xx, 0.0, 0.0), (0.0, yy, 0.0), (0.0, 0.0, zz))
