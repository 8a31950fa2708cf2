"""Loop constraints as data: stored values, and errors by name."""

import re

import pytest

from gambol.errors import FigureError
from gambol.figure import Closure, Coupling, Figure, Joint, Link, MassProperties

BODY = MassProperties(1.0, (0.1, 0.0, 0.0), ((1e-3, 0.0, 0.0), (0.0, 1e-3, 0.0), (0.0, 0.0, 1e-3)))
LINKS = (
    Link("crank", None, Joint("revolute"), (), BODY),
    Link("rod", "crank", Joint("revolute", position=(0.2, 0.0, 0.0)), (), BODY),
    Link("ball", "rod", Joint("spherical"), (), BODY),
)


def test_a_figure_has_its_constraints():
    constraints = (Closure("point", "rod", position=(0.3, 0.0, 0.0)), Coupling("rod", "crank", (0.0, -2.0)))
    assert Figure("press", LINKS, constraints=constraints).constraints == constraints


@pytest.mark.parametrize(
    ("constraint", "words"),
    [
        (Closure("pin", "rod"), '"pin", which is not known; did you mean "point"?'),
        (Closure("point", "rodd"), 'needs a link "rodd", which does not exist; did you mean "rod"?'),
        (Closure("point", "rod", "rod"), "connects a link to itself"),
        (Closure("distance", "rod"), "it must be positive for a distance"),
        (Closure("weld", "rod", length=1.0), "and 0 for other kinds"),
        (Closure("weld", "rod", rotation=((1.0, 0.0, 0.0),) * 3), "an invalid rotation"),
        (Closure("point", "rod", position=(float("nan"), 0.0, 0.0)), "not finite"),
        (Coupling("rod", "cran"), 'did you mean "crank"?'),
        (Coupling("rod", "ball"), "one degree of freedom"),
        (Coupling("rod", "rod"), "couples a joint to itself"),
        (Coupling("rod", "crank", ()), "at least one"),
        (
            Coupling("ball", None, (0.0,)),
            'the coupling of "ball" to a constant needs joints with one degree of freedom',
        ),
    ],
)
def test_impossible_constraints_are_refused(constraint: Closure | Coupling, words: str):
    with pytest.raises(FigureError, match=re.escape(words)):
        Figure("press", LINKS, constraints=(constraint,))
