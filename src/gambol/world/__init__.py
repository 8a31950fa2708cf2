"""Worlds: a figure, its ground, controller and integrator; states, runs, films and gait metrics."""

from gambol.world.contacts import contacts
from gambol.world.control_step import step, steps
from gambol.world.device_state import DeviceState, to_device
from gambol.world.events.zero_crossing import EventRecord, ZeroCrossing
from gambol.world.external import External, InitialState, Push
from gambol.world.film import Contacts, Film, FilmGround, FilmShape
from gambol.world.observe import depth_of
from gambol.world.own_control import ControlFunction
from gambol.world.run import StoppedWarning, run, was_interrupted
from gambol.world.sensor_values import sensors
from gambol.world.start import start
from gambol.world.state import Engine, State
from gambol.world.state_file import load_state, reset, save_state
from gambol.world.support import static_margins
from gambol.world.timing import Timing
from gambol.world.variation import Factors, RandomFactors, input_names, mass_parameters, varied_numbers, with_inputs
from gambol.world.world import World

__all__ = [
    "Contacts",
    "ControlFunction",
    "DeviceState",
    "Engine",
    "EventRecord",
    "External",
    "Factors",
    "Film",
    "FilmGround",
    "FilmShape",
    "InitialState",
    "Push",
    "RandomFactors",
    "State",
    "StoppedWarning",
    "Timing",
    "World",
    "ZeroCrossing",
    "contacts",
    "depth_of",
    "input_names",
    "load_state",
    "mass_parameters",
    "reset",
    "run",
    "save_state",
    "sensors",
    "start",
    "static_margins",
    "step",
    "steps",
    "to_device",
    "varied_numbers",
    "was_interrupted",
    "with_inputs",
]
