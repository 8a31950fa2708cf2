"""Variable dampers: their force, and large steps that keep the energy of an oscillation exactly."""

import math

import numpy as np
import pytest

import gambol
from gambol.actuation import ActuatorInput, VariableDamper
from gambol.collide import NoGround
from gambol.control import Drive, FeedbackController
from gambol.control.patterns import Commanded
from gambol.errors import WorldError
from gambol.figure import Figure, Joint, Link, MassProperties
from gambol.world import InitialState, Timing, World

SPRING = VariableDamper(50.0, 1000.0, 0.02)
MASS, STEP, START = 2.0, 4e-3, 0.1  # kg, s, m


class Held:
    """A law with the same commands always."""

    required_senses = ()

    def __init__(self, *commands: float) -> None:
        self.held = list(commands)

    def numbers(self):
        return {}

    def memory(self):
        return ()

    def structure(self):
        return tuple(self.held)

    def commands(self, numbers, memory, senses, dt):
        return self.held, memory


def oscillator(*commands: float) -> World:
    """A mass on a slide with the spring, without gravity, at START from its rest."""
    body = Link("mass", None, Joint("prismatic", (1.0, 0.0, 0.0)), (), MassProperties(MASS))
    return World(
        Figure("oscillator", (body,)),
        ground=NoGround(),
        gravity=0.0,
        contact="stepping",
        controller=FeedbackController(Held(*commands), {"mass": SPRING}),
        timing=Timing(STEP, STEP, "semi-implicit euler"),
        initial=InitialState((START + SPRING.rest,), (0.0,)),
    )


def test_its_force_is_that_of_a_spring_and_a_damper():
    numbers = SPRING.numbers()
    (tau,) = SPRING.force(numbers, ActuatorInput(0.0, [0.03], [0.2], [10.0]))
    assert tau == pytest.approx(1000.0 * (0.02 - 0.03) - 10.0 * 0.2, rel=1e-15)


def test_a_large_step_is_the_implicit_midpoint_rule():
    """The rule turns an oscillation by the angle p a step with tan(p / 2) = w h / 2, and keeps its energy."""
    world = oscillator(0.0)
    film = gambol.run(world, gambol.start(world), seconds=1.0, rate=1.0 / STEP)
    angle = 2.0 * math.atan(0.5 * STEP * math.sqrt(SPRING.stiffness / MASS))
    expected = 0.02 + START * np.cos(angle * np.arange(len(film.time)))
    np.testing.assert_allclose(film.position[:, 0, 0, 0], expected, atol=1e-12)


@pytest.mark.filterwarnings("ignore:energy does not balance:gambol.world.events.ledger.LedgerWarning")  # of first order
def test_the_damper_heats_and_a_spring_alone_conserves_energy_at_any_step():
    world = oscillator(20.0)
    film = gambol.run(world, gambol.start(world), seconds=1.0, rate=1.0 / STEP)
    energy = 0.5 * SPRING.stiffness * START**2
    heat = film.signals["damping"][-1, 0]
    assert heat == pytest.approx(energy, rel=0.05)  # exp(-b t / m) is 5e-5; heat is of first order in the step
    assert film.signals["motors"][-1, 0] == 0.0
    film = gambol.run(undamped := oscillator(0.0), gambol.start(undamped), seconds=1.0, rate=1.0 / STEP)
    assert np.abs(film.signals["unaccounted"]).max() < 1e-12 * energy


def test_signals_cover_the_range_of_damping():
    drive = Drive(Commanded(1), {"leg": SPRING})
    assert drive.bounds == ((0.0, 50.0),)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((-1.0,), "max_damping is -1.0"),
        ((1.0, math.inf), "stiffness is inf"),
        ((1.0, 1.0, math.nan), "rest is nan"),
    ],
)
def test_impossible_numbers_are_refused(values: tuple[float, ...], message: str):
    with pytest.raises(WorldError, match=message):
        VariableDamper(*values)
