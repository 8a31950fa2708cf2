"""The timed figures: legged figures with hinges, the roach, robots from their makers' files, and long chains."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

import numpy as np

from benchmarks.robots import robot, robot_model
from benchmarks.rows import ROBOTS
from gambol.creatures import roach
from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.figure.generator import random_mass, random_rotation
from gambol.figure.rotation import triple, unit

STEP = {"quadruped": 2e-3, "hexapod": 2e-3, "roach": 2e-4}
"""Time steps of the airborne figures [s]."""

TRUNK = MassProperties(5.0, (0.0, 0.0, 0.0), ((0.1, 0.0, 0.0), (0.0, 0.2, 0.0), (0.0, 0.0, 0.25)))
LIMB_INERTIA = ((0.003, 0.0, 0.0), (0.0, 0.003, 0.0), (0.0, 0.0, 0.0002))
LIMB_LENGTH, HIP_WIDTH = 0.25, 0.08  # m


def legged(name: str, rows: int) -> Figure:
    """Return a trunk with pairs of legs, each of a hip hinge about x and two segments with hinges about y."""
    links = [Link("trunk", None, Joint("free"), (), TRUNK)]
    segment = MassProperties(0.5, (0.0, 0.0, -LIMB_LENGTH / 2), LIMB_INERTIA)
    for row in range(rows):
        for side, of in ((1.0, "left"), (-1.0, "right")):
            leg = f"{of}{row}"
            hip = MassProperties(0.5, (0.0, side * HIP_WIDTH / 2, 0.0), LIMB_INERTIA)
            place = (-0.3 + 0.6 * row / (rows - 1), 0.15 * side, 0.0)
            below, out = (0.0, 0.0, -LIMB_LENGTH), (0.0, side * HIP_WIDTH, 0.0)
            links += [
                Link(f"hip {leg}", "trunk", Joint("revolute", (1.0, 0.0, 0.0), position=place), (), hip),
                Link(f"thigh {leg}", f"hip {leg}", Joint("revolute", (0.0, 1.0, 0.0), position=out), (), segment),
                Link(f"shank {leg}", f"thigh {leg}", Joint("revolute", (0.0, 1.0, 0.0), position=below), (), segment),
            ]
    return Figure(name, tuple(links))


SEGMENT = 0.2  # m, from joint to joint of a chain


def chain(links: int, branching: float = 0.0) -> Figure:
    """Return rods on revolute joints with general axes; branching: share of rods with a random parent."""
    random = np.random.default_rng(1)
    made: list[Link] = []
    for n in range(links):
        on = None if n == 0 else int(random.integers(n)) if random.random() < branching else n - 1
        axis = random.normal(size=3)
        joint = Joint(
            "free" if on is None else "revolute",
            unit(axis.tolist(), "a chain"),
            random_rotation(random),
            triple(SEGMENT * random.normal(size=3)),
        )
        made.append(Link(f"link{n}", None if on is None else made[on].name, joint, (), random_mass(random)))
    return Figure(f"{links} links", tuple(made))


def robot_figure(name: str) -> Figure:
    """Return the figure of a robot's file, with a link called world renamed, since MuJoCo reserves that name."""
    figure = robot_model(robot(name)).figure
    names = {link.name: link.name for link in figure.given_links} | {"world": "floor", None: None}
    given = (replace(link, name=names[link.name], parent=names[link.parent]) for link in figure.given_links)
    return replace(figure, given_links=tuple(given))


def with_hands(figure: Figure, hand: Figure, ends: tuple[str, ...], name: str) -> Figure:
    """Return a robot with a copy of the hand on each of the links `ends`."""
    grown = [
        replace(link, name=f"{link.name} of {end}", parent=f"{link.parent} of {end}" if link.parent else end)
        for end in ends
        for link in hand.given_links
    ]
    return replace(figure, name=name, given_links=(*figure.given_links, *grown))


def g1_with_hands() -> Figure:
    """Return G1 with two Allegro hands, which are not in its makers' file: 67 degrees of freedom."""
    ends = ("left_rubber_hand", "right_rubber_hand")
    return with_hands(robot_figure("G1"), robot_figure("Allegro hand"), ends, "G1 with hands")


FIGURES: dict[str, Callable[[], Figure]] = {
    "quadruped": lambda: legged("quadruped", 2),
    "hexapod": lambda: legged("hexapod", 3),
    "roach": lambda: roach().figure,
    **{name: partial(robot_figure, name) for name in ROBOTS},
    "G1 with hands": g1_with_hands,
    **{f"chain {links}": partial(chain, links) for links in (10, 25, 50, 100, 200)},
    **{f"tree {links}": partial(chain, links, 0.3) for links in (50, 200)},
}


@cache
def figure_of(model: str) -> Figure:
    """Return the figure of this name."""
    return FIGURES[model]()
