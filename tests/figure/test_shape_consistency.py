"""Formulas of an added shape agree with its balls; a wrong formula is an error that names it, when a figure is made.

The right shape is that of docs/extend/shape.md, whose tests compare it with a capsule and with hulls of many points.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from pages import restored, run_page

from gambol.collide.broad.balls import BALLS
from gambol.collide.broad.oriented import BOXES
from gambol.collide.broad.support_extent import EXTENTS
from gambol.collide.convex import SIZES
from gambol.collide.convex.ball_hull import BALL_HULLS
from gambol.collide.convex.support import CORES
from gambol.collide.pairs import PAIRS
from gambol.collide.pairs.ground import ON_PLANE
from gambol.errors import FigureError
from gambol.figure import SHAPES, Box, Figure, Joint, Link, Part
from gambol.figure.shapes import ContactPoint
from gambol.spatial import Vector

TABLES: tuple[dict[Any, Any], ...] = (
    SHAPES, SIZES, BALL_HULLS, CORES, EXTENTS, BOXES, BALLS, ON_PLANE, PAIRS
)  # fmt: skip


@pytest.fixture(scope="module")
def right() -> Iterator[Any]:
    """The class of the page."""
    with restored(*TABLES):
        yield run_page("extend/shape.md")["TaperedCapsule"]


def figure_with(shape: Any) -> Figure:
    return Figure("one", (Link("body", None, Joint("free"), (Part(shape),)),))


def changed_mass(**changes: Any) -> Any:
    """mass_properties() with other values of some fields; each change is a function of the right one."""

    def mass_properties(self: Any, density: float) -> Any:
        body = type(self).__mro__[1].mass_properties(self, density)
        return replace(body, **{name: change(getattr(body, name)) for name, change in changes.items()})

    return mass_properties


def mirrored_and_longer(self: Any) -> Any:
    return replace(self, length=self.length + 0.01)


def scaled(inertia: Any) -> Any:
    return tuple(tuple(1.3 * x for x in row) for row in inertia)


def one_point(self: Any) -> Any:
    return (ContactPoint((0.0, 0.0, 0.0), 0.1),)


def raising(self: Any, density: float) -> Any:
    return 1.0 / 0.0


WRONG: dict[str, tuple[str, str, Any]] = {
    "sizes": ("sizes", "its fields are", property(lambda self: (self.upper, self.lower, self.length))),
    "contact points": (
        "contact_points",
        "`contact_points` are not",
        lambda self: (ContactPoint((0.0, 0.0, 0.0), 0.1),),
    ),
    "volume": ("volume", "`volume` has", property(lambda self: 0.9 * self._moments()[0])),
    "mass": ("mass_properties", "`mass_properties` has 0.00", changed_mass(mass=lambda m: 4.0 * m)),
    "centre": ("mass_properties", "has the centre", changed_mass(com=lambda c: (c[0], c[1], c[2] + 0.05))),
    "inertia": ("mass_properties", "moments of about", changed_mass(inertia=scaled)),
    "mirror image": ("mirrored", "the balls of `mirrored` are not", mirrored_and_longer),
    "kind of the mirror image": ("mirrored", "`mirrored` returns NoneType", lambda self: None),
    "an error": ("mass_properties", "ZeroDivisionError", raising),
}


def test_the_shape_of_the_page_is_taken_as_it_is(right: Any):
    for sizes in ((0.05, 0.02, 0.3), (0.02, 0.05, 0.031), (0.1, 0.1, 1.0)):
        assert figure_with(right(*sizes)).root.mass_properties.mass > 0.0


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_formula_is_an_error_that_names_it(right: Any, name: str):
    attribute, words, value = WRONG[name]
    wrong = type("Wrong", (right,), {attribute: value})
    message = r'part 0 of link "body": the shape "tapered_capsule" is wrong at the sizes '
    with pytest.raises(FigureError, match=rf"{message}.*{words}"):
        figure_with(wrong(0.05, 0.02, 0.3))


def test_a_hull_of_corners_has_the_mass_of_its_polyhedron(right: Any):
    """Without radii the bounds coincide, so a volume that is off by a thousandth is refused."""
    corners = [Vector(x, y, z) for x in (0.0, 0.1) for y in (0.0, 0.2) for z in (0.0, 0.3)]
    block = Part(Box((0.1, 0.2, 0.3)), (0.05, 0.1, 0.15))

    def body(self: Any, density: float) -> Any:
        return replace(block, density=density).mass_properties()

    made: dict[str, Any] = {
        "balls": staticmethod(lambda sizes: [(corner, 0.0) for corner in corners]),
        "contact_points": lambda self: tuple(ContactPoint(tuple(corner), 0.0) for corner in corners),
        "mass_properties": body,
        "mirrored": lambda self: self,
        "volume": property(lambda self: 0.006),
    }
    shape = type("Block", (right,), made)(0.05, 0.02, 0.3)
    with pytest.raises(FigureError, match="the balls of `mirrored` are not"):  # all that is wrong with it
        figure_with(shape)
    wrong = type("Block", (right,), made | {"volume": property(lambda self: 0.006006)})(0.05, 0.02, 0.3)
    with pytest.raises(FigureError, match=r"`volume` has 0\.006006 m3, and the hull of its balls has 0\.00599"):
        figure_with(wrong)
