"""A ground that is too stiff for a light part and the least step causes a warning, and only then."""

import warnings
from dataclasses import replace

import pytest

from gambol.creatures import roach, standing_state, world_of
from gambol.creatures.table import CREATURES
from gambol.world import Engine, State, World, run, start
from gambol.world.events.ground import GroundWarning
from gambol.world.run import StoppedWarning
from gambol.world.stiff_ground import STABLE_STEPS, warn_of_stiff_ground
from validation.contact.conditioning import SLOPE, SPOKES, light_wheel, wheel_begin, wheel_reference

J = 1e-3
COMPLIANT = sorted(
    name
    for name, entry in CREATURES.items()
    if "contact" in entry.options and name != "passive-walker"  # its brakes need large steps
)
T = 1.0 / (1e4 * (1.0 + 1.0 / J))
"""Time in which viscous friction of 1e4 N s/m stops a spoke of 1 m, on a hub of 1 kg with moment of inertia J [s]."""


def rolling(min_step: float) -> tuple[World, State]:
    """Return the world of a wheel of light spokes under penalty with explicit steps, and its initial state."""
    scene = replace(light_wheel("penalty", J, 1), integrator="rkf", min_step=min_step)
    world = scene.world("penalty", 1e-3, 1e-5)
    state = start(world)
    state.q[0], state.v[0] = wheel_begin(SPOKES, wheel_reference(SPOKES, SLOPE, J)[0])
    return world, state


def test_steps_that_cannot_stop_a_light_spoke_cause_a_warning_and_stop_the_world():
    world, state = rolling(4.0 * STABLE_STEPS * T)
    with pytest.warns(StoppedWarning), pytest.warns(GroundWarning, match="too stiff for the light points"):
        run(world, state, 0.2)
    assert state.step_state.clock.status[0] != 0.0


def test_shorter_steps_cause_no_warning_and_the_wheel_rolls_on():
    world, state = rolling(0.99 * STABLE_STEPS * T)
    with warnings.catch_warnings():
        warnings.simplefilter("error", GroundWarning)
        warn_of_stiff_ground(world, state)
    Engine(world, lanes=1).advance(state, 200)
    assert state.step_state.clock.status[0] == 0.0


@pytest.mark.parametrize("name", COMPLIANT)
def test_creatures_cause_no_warning(name: str):
    world = CREATURES[name].world(contact="penalty")
    with warnings.catch_warnings():
        warnings.simplefilter("error", GroundWarning)
        warn_of_stiff_ground(world, start(world))


def test_the_roach_causes_no_warning():
    creature = roach()
    world = world_of(creature)
    assert world.method.scheme.compliant
    with warnings.catch_warnings():
        warnings.simplefilter("error", GroundWarning)
        warn_of_stiff_ground(world, standing_state(creature, world, 1))
