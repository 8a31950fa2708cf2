"""The check that the formulas of an added shape agree with its balls, tried on one shape.

The shape K is the convex hull of its balls, and the independent route is a polyhedron P inside it: the hull of points
on the balls, of which one lies within an angle d of every direction. About the centre of the largest ball,

    P is inside K, and K is inside P / cos d        so V_P <= V <= V_P / cos^3 d and C_P <= C <= C_P / cos^5 d

with the volume V and the second moments C: the support function of K is at most r (1 - cos d) above that of P, which is
at least r cos d, with the largest radius r. A shape without radii is its polyhedron.

The shapes of this package are checked by its tests, those of another package when a figure with such a part is made.
"""

import math
from dataclasses import fields
from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gambol.errors import FigureError, GambolError
from gambol.figure.joint import Triple
from gambol.figure.shapes import SHAPES, BallHull, Hull

Array = NDArray[np.float64]

POLAR_STEPS = 12
"""Steps of the polar angle of points on a ball; there are twice as many around the axis."""

COS_ANGLE = math.cos(math.pi / (math.sqrt(2.0) * POLAR_STEPS))
"""Cosine of d: half the diagonal of a cell of points, whose sides are at most pi / POLAR_STEPS."""

TOLERANCE = 1e-6
"""Largest difference from rounding, relative to the size of the shape: far above rounding, far below wrong formulas."""

PACKAGE_SHAPES = frozenset(SHAPES)
"""Kinds of shapes whose formulas are checked by the tests of this package."""


def check_shape(shape: Any, subject: str) -> None:
    """Raise FigureError if the formulas of a shape contradict its balls.

    shape: a shape of an added kind; one whose sizes are not plain numbers is not checked. subject: its owner.
    """
    if all(isinstance(size, (int, float)) for size in shape.sizes) and (problem := _problem(shape)):
        raise FigureError(f'{subject}: the shape "{shape.kind}" is wrong at the sizes {shape.sizes}: {problem}')


@lru_cache(maxsize=1024)
def _problem(shape: BallHull) -> str:
    """Return the first contradiction in the formulas of a shape, or ""."""
    try:
        balls = [(np.array(list(c), float), float(r)) for c, r in shape.balls(shape.sizes)]
        return next((problem for check in CHECKS if (problem := check(shape, balls))), "")
    except GambolError as error:
        return str(error)
    except Exception as error:  # formulas of a shape are the user's
        return f"{type(error).__name__}: {error}"


Balls = list[tuple[Array, float]]


def _sizes(shape: BallHull, balls: Balls) -> str:
    values = tuple(getattr(shape, field.name) for field in fields(cast("Any", shape)))
    return "" if tuple(shape.sizes) == values else f"its fields are {values}; `sizes` must return them in this order"


def _contact_points(shape: BallHull, balls: Balls) -> str:
    given = [(np.array(point.position, float), float(point.radius)) for point in shape.contact_points()]
    return "" if _same_balls(given, balls) else "`contact_points` are not the centres and radii of `balls`"


def _mirror_image(shape: BallHull, balls: Balls) -> str:
    image = shape.mirrored()
    if type(image) is not type(shape):
        return f"`mirrored` returns {type(image).__name__}; it must return a shape of the same kind"
    given = [(np.array(list(c), float), float(r)) for c, r in image.balls(image.sizes)]
    expected = [(c * np.array([1.0, -1.0, 1.0]), r) for c, r in balls]
    if _same_balls(given, expected):
        return ""
    return "the balls of `mirrored` are not the mirror image of its balls in the plane y = 0"


def _same_balls(given: Balls, expected: Balls) -> bool:
    """Return True if both are the same balls, in any order."""
    size = max(float(np.linalg.norm(c)) + r for c, r in expected)
    left = list(given)
    for c, r in expected:
        differences = [max(float(np.abs(a - c).max()), abs(s - r)) for a, s in left]
        if not left or min(differences) > TOLERANCE * size:
            return False
        del left[differences.index(min(differences))]
    return not left


def _mass(shape: BallHull, balls: Balls) -> str:
    """Compare volume, centre of mass and second moments with those of the polyhedron."""
    largest = max(balls, key=lambda ball: ball[1])
    cosine = COS_ANGLE if largest[1] > 0.0 else 1.0
    inner = Hull(tuple(_points(balls))).mass_properties(1.0)
    low, high = inner.mass * (1.0 - TOLERANCE), inner.mass / cosine**3 * (1.0 + TOLERANCE)
    body = shape.mass_properties(2.0)
    for name, volume in (("volume", shape.volume), ("mass_properties", body.mass / 2.0)):
        if not low <= volume <= high:
            return f"`{name}` has {volume:.6g} m3, and the hull of its balls has {low:.6g} to {high:.6g} m3"
    x, y, z = largest[0].tolist()
    centre: Triple = (x, y, z)
    reach = max(float(np.linalg.norm(c - largest[0])) + r for c, r in balls)
    moved = np.abs(
        (np.array(body.com) - largest[0]) * body.mass / 2.0 - (np.array(inner.com) - largest[0]) * inner.mass
    )
    if moved.max() > (high - low) * reach:
        return f"`mass_properties` has the centre {body.com}, and the hull of its balls has about {inner.com} m"
    given, least = (_second_moments(m.inertia_about(centre)) / d for m, d in ((body, 2.0), (inner, 1.0)))
    slack = TOLERANCE * float(np.trace(least))
    if min(*np.linalg.eigvalsh(given - least), *np.linalg.eigvalsh(least / cosine**5 - given)) < -slack:
        about = [float(f"{x:.4g}") for x in np.diag(np.array(inner.inertia)) / inner.mass]
        return f"the hull of its balls has moments of about {about} m2 times its mass, and `mass_properties` others"
    return ""


def _points(balls: Balls) -> list[Triple]:
    """Return the points on balls whose hull is P; the centre of a ball without radius."""
    result: list[Triple] = []
    for centre, radius in balls:
        x, y, z = centre.tolist()
        if radius == 0.0:
            result.append((x, y, z))
            continue
        for polar in np.linspace(0.0, math.pi, POLAR_STEPS + 1):
            for angle in np.linspace(0.0, 2.0 * math.pi, 2 * POLAR_STEPS, endpoint=False):
                ring = radius * math.sin(polar)
                at = (x + ring * math.cos(angle), y + ring * math.sin(angle), z + radius * math.cos(polar))
                result.append(at)
    return result


def _second_moments(inertia: Any) -> Array:
    """Return the integral of x x^T from an inertia about the same point: tr(I) / 2 - I."""
    I = np.array(inertia, float)
    return np.trace(I) / 2.0 * np.eye(3) - I


CHECKS = (_sizes, _contact_points, _mass, _mirror_image)
"""What is tried of a shape, in this order. Each returns a contradiction, or ""."""
