"""The insect by name: its world, with gaits from a slow wave to the tripod."""

from __future__ import annotations

import math

from gambol.actuation import Actuator, Servo, VelocityServo
from gambol.collide import Ground, Plane
from gambol.contact import ContactMethod, SurfaceProperties, contact_method
from gambol.contact.table import DEFAULT_METHOD
from gambol.control import FeedbackController
from gambol.creatures.beer.body import FOOT, HALF_WIDTH, HEIGHT, STANCE, TRUNK, forward_sign, insect_figure
from gambol.creatures.beer.law import BeerLaw, InsectLeg, Steering
from gambol.creatures.beer.network import LEGS, AngleRange, Network
from gambol.creatures.entry import CreatureEntry
from gambol.creatures.models import default_contact_parameters
from gambol.errors import WorldError, did_you_mean
from gambol.figure import JOINTS, Figure
from gambol.sensing import Light, Sensor
from gambol.world import External, InitialState, Push, Timing, World

SWEEP = 0.3
"""The swing of a leg in either direction at which its angle sensors begin to fire [rad]."""

HIND_SWEEP = 1.15
"""The range of the hind legs over that of the others: they step less often by themselves, and lead the wave."""

UP, DOWN = 0.35, 0.0  # rad: a foot in the air is 4 cm high
STEP = 0.002
"""Step and control step [s]: a fifth of the time constant of a neuron."""

ITERATIONS = 24
"""Iterations of the iterative contact methods, as for models from files."""

GAITS = {"wave": 0.25, "tetrapod": 0.5, "tripod": 1.0}
"""The frequency of the command neuron for gaits by name."""

SWING = VelocityServo(-8.0, 8.0, gain=0.6, strength=1.5)
LIFT = Servo(-0.8, 0.8, stiffness=30.0, damping=0.5, strength=4.0)


def insect_law(command: float, network: Network | None = None, steering: Steering | None = None, reach: float = 0.0) -> BeerLaw:
    """Return the law of the insect's legs. command: of C, from 0 to 1. reach: of its whiskers [m]."""
    legs: list[InsectLeg] = []
    for leg in LEGS:
        sign, back = forward_sign(leg), SWEEP * (HIND_SWEEP if leg.startswith("hind") else 1.0)
        legs.append(InsectLeg(sign, AngleRange(-back, SWEEP), -sign * UP, -sign * DOWN))
    steering = steering or Steering()
    return BeerLaw(tuple(legs), network or Network(), command, steering=steering, reaches=(reach,) * len(steering.whiskers))


def insect_world(
    *,
    law: BeerLaw | None = None,
    ground: Ground | None = None,
    contact: ContactMethod | str = DEFAULT_METHOD,
    figure: Figure | None = None,
    sensors: dict[str, Sensor] | None = None,
    lights: tuple[Light, ...] = (),
    external: External | None = None,
) -> World:
    """Return the insect's world, standing with its tripods half a stride apart.

    law: of its legs; None: the tripod. ground: level if None. contact: the method, or its name. figure: a forest with
    the insect, and obstacles without coordinates; None: the insect alone. sensors, lights: of the world. external: a
    push and the like.
    """
    figure = figure or insect_figure()
    actuators: dict[str, Actuator] = {}
    for leg in LEGS:
        actuators |= {f"hip {leg}": SWING, leg: LIFT}
    method = contact_method(contact, iterations=ITERATIONS)
    parameters = default_contact_parameters(insect_figure(), LENGTH)
    if not method.scheme.compliant:
        parameters = parameters.__class__(**{**vars_of(parameters), "restitution": 0.0})
    return World(
        figure,
        ground=ground or Plane(),
        surface=SurfaceProperties(parameters, feet=LEGS),
        contact=method,
        controller=FeedbackController(law or insect_law(1.0), actuators, LEGS),
        timing=Timing(STEP, STEP, "semi-implicit euler"),
        initial=InitialState(_standing(figure)),
        external=external or External(),
        sensors=sensors or {},
        lights=lights,
    )
