"""The figures that are timed: a quadruped and a hexapod on hinges about coordinate axes, and the roach."""

from collections.abc import Callable
from functools import cache

from gambol.creatures import roach
from gambol.figure import Figure, Joint, Link, MassProperties

STEP = {"quadruped": 2e-3, "hexapod": 2e-3, "roach": 2e-4}
"""Time steps of the airborne figures [s]."""

TRUNK = MassProperties(5.0, (0.0, 0.0, 0.0), ((0.1, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, 0.0, 0.25)))
LIMB_INERTIA = ((0.003, 0.0, 0.0), (0.0, 0.003, 0.0), (0.0, 0.0, 0.0002))
LIMB_LENGTH, HIP_WIDTH = 0.25, 0.08  # m


def legged(name: str, rows: int) -> Figure:
    """A trunk on pairs of legs, each of a hip that turns about x and two segments that turn about y."""
    links = [Link("trunk", None, Joint("free"), (), TRUNK)]
    segment = MassProperties(0.5, (0.0, 0.0, -LIMB_LENGTH / 2), LIMB_INERTIA)
    for row in range(rows):
        for side, of in ((1.0, "left"), (-1.0, "right")):
            leg = f"{of}{row}"
            hip = MassProperties(0.5, (0.0, side * HIP_WIDTH / 2, 0.0), LIMB_INERTIA)
            place = (-0.3 + 0.6 * row / (rows - 1), 0.15 * side, 0.0)
            below, out = (0.0, 0.0, -LIMB_LENGTH), (0.0, side * HIP_WIDTH, 0.0)
            links += [
                Link(f"hip {leg}", "trunk", Joint("rotary", (1.0, 0.0, 0.0), position=place), (), hip),
                Link(f"thigh {leg}", f"hip {leg}", Joint("rotary", (0.0, 1.0, 0.0), position=out), (), segment),
                Link(f"shank {leg}", f"thigh {leg}", Joint("rotary", (0.0, 1.0, 0.0), position=below), (), segment),
            ]
    return Figure(name, tuple(links))


FIGURES: dict[str, Callable[[], Figure]] = {
    "quadruped": lambda: legged("quadruped", 2),
    "hexapod": lambda: legged("hexapod", 3),
    "roach": lambda: roach().figure,
}


@cache
def figure_of(model: str) -> Figure:
    """The figure of this name."""
    return FIGURES[model]()
