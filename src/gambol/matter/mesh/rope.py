"""Ropes and rods: a polyline that resists stretch and bend, and twist between held ends."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from gambol.errors import WorldError
from gambol.matter.mesh.parts import Bends, Springs, Twist
from gambol.matter.mesh.spring_mesh import SpringMesh


def rope(
    points: ArrayLike,
    *,
    density: float,
    stretch: float,
    bend: float = 0.0,
    damping: float = 0.0,
    tears_at: float = math.inf,
    pins: Sequence[int] = (),
) -> SpringMesh:
    """Return a rope along a polyline; at rest its segments have these lengths, and it is straight.

    points: (n, 3), two or more [m]. density: mass per length [kg/m]; half of a segment's mass is at each of its ends.
    stretch: E A, the force that would double its length [N]. bend: E I [N m2]; 0: it bends freely. damping: damping of
    stretch, as a time [s]. tears_at: ratio of length and rest length at which a segment breaks. pins: indices of pinned
    points, also negative, from the end. Raises WorldError for impossible numbers, and as SpringMesh does.
    """
    x = np.array(points, float)
    if x.ndim != 2 or x.shape[1:] != (3,) or len(x) < 2:
        raise WorldError(f"a rope needs two or more points (n, 3), not an array of shape {x.shape}")
    if not np.isfinite(x).all():
        raise WorldError(f"point {int(np.argwhere(~np.isfinite(x))[0, 0])} of the rope is not finite")
    numbers = {"density": density, "stretch": stretch}
    for name, value in numbers.items():
        if not 0.0 < value < math.inf:
            raise WorldError(f"a rope with a {name} of {value} is impossible; it must be above 0")
    if not (0.0 <= bend < math.inf and 0.0 <= damping < math.inf):
        raise WorldError(f"a rope with a bend of {bend} and a damping of {damping} is impossible; give 0 or more")
    lengths = np.linalg.norm(np.diff(x, axis=0), axis=1)
    if not lengths.min() > 0.0:
        raise WorldError(f"points {int(lengths.argmin())} and {int(lengths.argmin()) + 1} of the rope coincide")
    for pin in pins:
        if not -len(x) <= pin < len(x):
            raise WorldError(f"a rope of {len(x)} points has no point {pin} to pin")
    k = np.arange(len(x))
    ends, stiffness = np.stack([k[:-1], k[1:]], axis=1), stretch / lengths
    springs = Springs(ends, lengths, stiffness, stiffness * damping, np.array(tears_at), np.array("stretch"))
    bends = Bends()
    if bend > 0.0 and len(x) > 2:
        corners = np.stack([k[:-2], k[1:-1], k[2:]], axis=1)
        bends = Bends(corners, np.stack([lengths[:-1], lengths[1:]], axis=1), np.array(bend))
    half = 0.5 * density * lengths
    masses = np.concatenate([half, [0.0]]) + np.concatenate([[0.0], half])
    return SpringMesh(x, masses, springs, bends=bends, pins=k[list(pins)] if pins else k[:0], name="rope")


def with_twist(mesh: SpringMesh, *, stiffness: float, turn: float = 0.0) -> SpringMesh:
    """Return a rope of rope() that also resists twist between its ends; its first and last two points are pinned.

    stiffness: G J [N m2]. turn: angle by which the last end is turned about the rod against its first end,
    anticlockwise seen from beyond the last end [rad]. Raises WorldError as Twist and SpringMesh do.
    """
    k = np.arange(len(mesh.points))
    pins = np.union1d(mesh.pins, k[[0, 1, -2, -1]] if len(k) > 1 else k)
    return replace(mesh, pins=pins, twists=(Twist(k, stiffness, turn),))
