"""A leg that is cut off: the rest moves as a figure that never had this leg.

What a cut leaves of a leg, a fraction f of its mass, changes the motion in proportion to f. So the difference is
extrapolated from figures with a leg of a thousand times this mass, which are made without cuts.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from quadrupeds import quadruped, with_light_leg, without_leg
from worlds import Array, ball, touch

from gambol import Engine, External, State, SurfaceProperties, Timing, World, start
from gambol.actuation import Servo
from gambol.collide.broad import Pair
from gambol.contact import Attachment, Medium
from gambol.control import ConstantLaw, FeedbackController
from gambol.errors import FigureError, WorldError
from gambol.figure import Figure, Joint, JointSpring, Link
from gambol.world.cuts import REMAINS

LEG = "right fore thigh"
LOST = [link.name for link in quadruped().subtree(quadruped().link(LEG).index)]
TIMES = 2.0**10
STEPS, HEIGHT = 100, 0.28  # ms; it lands on two feet after 40 ms, and the third one carries it after 60
CURVATURE = 2.0  # of the proportion: the difference at a thousandth of the leg's mass is not exactly linear
ROUNDING = 1e-12  # of coordinates [m, rad]: 1e3 roundings of 1e-16 in a step, 100 steps, of which errors partly cancel
TIMINGS = {"stepping": Timing(1e-3, 1e-3)}
SMALL_STEPS = Timing(1e-3, 1.25e-4, "rk4")


def whole_figure() -> Figure:
    """The quadruped, of which only the balls at the ends of its legs touch the ground."""

    def on_feet(link: Any) -> Any:
        return replace(link, parts=tuple(replace(part, colliding=part.shape.kind == "sphere") for part in link.parts))

    figure = quadruped()
    return replace(figure, given_links=tuple(map(on_feet, figure.given_links)))


def world_of(figure: Figure, contact: str, drive: str, fraction: float = 1.0, **external: Any) -> World:
    """A world of a quadruped; fraction: what is left of the forces at the leg's joints."""
    fractions = {link.name: fraction if link.name in LOST else 1.0 for link in figure.links[1:]}
    surface = SurfaceProperties(touch(damping=20.0, skid_damping=10.0, restitution=float(contact == "penalty")))
    options: dict[str, Any] = {}
    if drive == "springs":
        options["springs"] = {n: JointSpring(stiffness=10.0 * f, damping=0.1 * f) for n, f in fractions.items()}
    elif drive == "servos":
        servos = {n: Servo(-1.0, 1.0, 10.0 * f, 0.1 * f, strength=2.0 * f) for n, f in fractions.items()}
        options["controller"] = FeedbackController(ConstantLaw((0.1,) * len(servos)), servos)
    timing, actions = TIMINGS.get(contact, SMALL_STEPS), External(**external)
    return World(figure, surface=surface, contact=contact, timing=timing, external=actions, **options)


def moved(world: World, steps: int = STEPS, **numbers: Any) -> tuple[Array, State]:
    """Coordinates of the links that remain after some steps, and the state."""
    engine, state = Engine(world, lanes=1), start(world, position=(0.0, 0.0, HEIGHT))
    state.rows[:4] = np.array([[1.0], [0.05], [0.02], [0.0]]) / np.sqrt(1.0029)
    engine.advance(state, steps, engine.numbers(**numbers))
    assert state.step_state.clock.status[0] == 0.0
    remaining = (link for link in world.figure.links if link.name not in LOST)
    return np.concatenate([state.q[0][link.q] for link in remaining]), state


FOOT_TIED = Attachment("right fore shank", None, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), stiffness=1.0)
CASES = [("penalty", "springs", Medium(1000.0, 0.0009)), ("stepping", "", Medium(1000.0, 0.0009)),
         ("stepping", "servos", None), ("impulse", "springs", None), ("constraint", "servos", None)]  # fmt: skip


@pytest.mark.parametrize(("contact", "drive", "medium"), CASES)
def test_the_rest_of_a_figure_moves_as_if_the_leg_had_never_been(contact: str, drive: str, medium: Medium | None):
    whole, less = whole_figure(), without_leg(whole_figure(), LEG)
    world = world_of(whole, contact, drive, cuts=(LEG,), medium=medium)
    expected, _ = moved(world_of(less, contact, drive, medium=medium))
    light = with_light_leg(whole, LEG, TIMES * REMAINS)
    heavier, _ = moved(world_of(light, contact, drive, TIMES * REMAINS, medium=medium))
    cut, state = moved(world, cuts={LEG: 1.0})
    difference = np.abs(heavier - expected).max()
    assert np.abs(cut - expected).max() < CURVATURE * difference / TIMES + ROUNDING
    assert np.abs(moved(world)[0] - expected).max() > 10.0 * difference  # it stands on that leg
    assert np.sum(state.step_state.ledger.impact) > 0.0


def test_parts_that_are_cut_off_do_not_touch_other_parts():
    """A ball on a slide is pressed into another one: they push each other apart, but not once it is cut off."""
    (first,) = ball().given_links
    second = Link("second", "ball", Joint("prismatic", (1.0, 0.0, 0.0), position=(0.08, 0.0, 0.0)), first.parts)
    figure = replace(ball(), given_links=(first, second))
    world = World(
        figure, surface=SurfaceProperties(touch()), pairs=(Pair(1, 0, 2, 0),), external=External(cuts=("second",))
    )
    engine = Engine(world, lanes=1)
    state = start(world, position=(0.0, 0.0, 1.0))
    stored = [float(np.sum(engine.observe(state, engine.numbers(cuts={"second": cut})).stored)) for cut in (0.0, 1.0)]
    assert stored[0] > 0.0 == stored[1]


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"cuts": ("trunk",)}, WorldError, '"trunk" cannot be cut off; give a link with a parent'),
        ({"cuts": ("tail",)}, FigureError, 'no link "tail"'),
        ({"cuts": (LEG,), "attachments": (FOOT_TIED,)}, WorldError, 'acts on "right fore shank"'),
    ],
)
def test_what_cannot_be_cut_off_is_refused(options: dict[str, Any], error: type[Exception], match: str):
    with pytest.raises(error, match=match):
        World(quadruped(), external=External(**options))


def test_a_method_of_dynamics_without_masses_as_inputs_is_refused():
    with pytest.raises(WorldError, match='its method of dynamics is "divide_and_conquer"'):
        World(quadruped(), external=External(cuts=(LEG,)), dynamics="divide_and_conquer")
