"""The options --controller and --control-rate of `gambol run`: a control function of the user."""

import inspect
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from gambol.control import FunctionLaw, Senses
from gambol.creatures.models import CONTROL_STEP
from gambol.errors import GambolError
from gambol.formats import Model
from gambol.own_code import line_of, load_callable
from gambol.world import World
from gambol.world.own_control import ControlFunction

DEFAULT_MAX_COMMAND = 1e4
"""Limit of the commands of motors without a limit in the file [N m or N]: above the torques of robots of human size."""

ARGUMENTS = 3  # of a control function: time, q and v


def check_control_options(
    controller: str | None, control_rate: float | None, control: tuple[str, ...], compiled: bool
) -> None:
    """Raise GambolError for contradictory values of the options. control: texts of --control."""
    if compiled and controller is None:
        raise GambolError("--compile: there is no --controller to compile")
    if compiled and control_rate is not None and control_rate * CONTROL_STEP < 1.0 - 1e-9:
        raise GambolError(f"--control-rate: a compiled law is called {1.0 / CONTROL_STEP:g} times per second or more")
    if control_rate is not None and controller is None:
        raise GambolError("--control-rate: there is no --controller that is called at this rate")
    if control_rate is not None and not 1.0 <= control_rate <= 1e6:
        raise GambolError(f"--control-rate: {control_rate:g} per second is not possible; give 1 to 1000000")
    if controller is not None and control:
        raise GambolError("--controller commands all motors; leave out --control")


def control_step(control_rate: float | None) -> float:
    """Return the control step [s]: the default or the next shorter step that divides the time between two calls."""
    if control_rate is None:
        return CONTROL_STEP
    return 1.0 / (control_rate * max(1, math.ceil(1.0 / (CONTROL_STEP * control_rate) - 1e-9)))


def film_rate(step: float) -> float:
    """Return the frame rate of the film of a run with a control step [s]: near the default rate."""
    return 1.0 / (step * max(1, math.floor(CONTROL_STEP / step + 1e-9)))


def load_control(address: str, world: World) -> ControlFunction:
    """Return the control function at an address, see load_callable(); the module is executed.

    A function or class that takes one argument is a factory: it is called with the world and returns the function.
    Raises GambolError for a function with other arguments, an error in a factory, and a world without actuators.
    """
    if not world.actuators:
        raise GambolError("--controller: no motor of this figure can be commanded; --hold makes servos at its joints")
    function = _loaded(address)
    if _takes(function, ARGUMENTS):
        return function
    if not _takes(function, 1):
        raise GambolError(
            f"--controller: {address} takes {inspect.signature(function)}; a control function takes (time, q, v), and "
            "a factory takes (world) and returns one"
        )
    try:
        controller = function(world)
    except Exception as error:
        text = f"--controller: {address} raised {type(error).__name__}{line_of(error)}: {error}"
        raise GambolError(text) from error
    if not (callable(controller) and _takes(controller, ARGUMENTS)):
        raise GambolError(f"--controller: {address} returned {controller!r:.100}, not a function of (time, q, v)")
    return cast("ControlFunction", controller)


def with_compiled_law(world: World, address: str, model: Model) -> World:
    """Return the world of a model with the control function at an address compiled into its steps; see load_control().

    Raises GambolError for a function that fails, returns a wrong number of commands, or cannot compute with generic
    scalars.
    """
    function = load_control(address, world)
    law = FunctionLaw(cast("Any", function))
    controller = cast("Any", world.controller)
    compiled = replace(world, controller=replace(controller, law=law))
    start = Senses(0.0, q=list(model.q), v=list(model.v))
    try:
        commands, _ = law.commands({}, (), start, world.timing.control_step)
        controller.check_count(commands)
    except GambolError as error:
        raise GambolError(f"--controller: {error}") from error
    return compiled


def _loaded(address: str) -> Callable[..., Any]:
    try:
        return load_callable(address)
    except GambolError as error:
        raise GambolError(f"--controller: {error}") from error


def _takes(function: Callable[..., Any], count: int) -> bool:
    """True if a function can be called with `count` positional arguments."""
    try:
        inspect.signature(function).bind(*range(count))
    except (TypeError, ValueError):
        return False
    return True
