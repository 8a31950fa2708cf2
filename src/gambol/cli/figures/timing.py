"""The time steps of `gambol run`: --integrator, --step, --tolerance, --control-rate and --accuracy."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gambol.cli.figures.controllers import control_step
from gambol.cli.figures.run_request import RunRequest
from gambol.contact import CONTACT_METHODS
from gambol.creatures.accuracy import fit_accuracy
from gambol.creatures.initial_configuration import initial_configuration
from gambol.creatures.models import LARGE_STEP
from gambol.errors import GambolError
from gambol.formats import Model
from gambol.lanes import Precision
from gambol.world import Timing, World
from gambol.world.run import Progress

DEFAULT_INTEGRATOR = "rkf45"
DEFAULT_STEP = 1.0 / 2400.0
"""Step of integrators with a fixed step [s]: 20 steps in the shortest bounce on a ground with default parameters."""

FIRST_STEP = 1e-4  # s, of adaptive integrators, which then choose their own
DEFAULT_TOLERANCES: dict[str, float] = {"float64": 1e-7, "float32": 1e-4}  # of adaptive integrators, by precision


@dataclass(frozen=True)
class StepOptions:
    """The options of time steps, as given by the user; None: the default of the contact method."""

    integrator: str | None
    step: float | None
    tolerance: float | None
    control_rate: float | None
    precision: Precision


def timing_of(options: StepOptions, contact: str) -> Timing:
    """Return the timing that options specify. Raises GambolError, with the name of the option, for invalid values."""
    fixed_step, longest = CONTACT_METHODS[contact].scheme.fixed_step, control_step(options.control_rate)
    integrator = "semi-implicit euler" if fixed_step else options.integrator or DEFAULT_INTEGRATOR
    timing = Timing(longest, min(DEFAULT_STEP, longest), integrator)
    adaptive = timing.integrator.adaptive
    if options.tolerance is not None and not adaptive:
        raise GambolError(f'--tolerance: the integrator "{options.integrator}" has a fixed step; give --step')
    default_step = LARGE_STEP if fixed_step else FIRST_STEP if adaptive else DEFAULT_STEP
    step = min(longest, default_step) if options.step is None else options.step
    if not 0.0 < step <= longest * (1.0 + 1e-9):
        raise GambolError(f"--step: {step:g} s is not possible; give more than 0, and at most {longest:.5f}")
    default_tolerance = timing.tolerance if fixed_step else DEFAULT_TOLERANCES[options.precision]
    tolerance = default_tolerance if options.tolerance is None else options.tolerance
    if not 0.0 < tolerance < float("inf"):
        raise GambolError(f"--tolerance: {tolerance:g} is not possible; give more than 0, such as 1e-7")
    return replace(timing, step=step, tolerance=tolerance)


def with_accuracy(world: World, model: Model, request: RunRequest, progress: Progress | None) -> World:
    """Return the world with the settings that meet --accuracy in motions from the model's initial posture.

    progress: see fit_accuracy(). Raises GambolError for an accuracy that is not met, and for other options that choose
    steps.
    """
    if request.accuracy is None:
        return world
    if request.step is not None or request.tolerance is not None:
        raise GambolError("--accuracy chooses the steps itself; leave out --step and --tolerance")
    if request.controller is not None and not request.compile:
        raise GambolError("--accuracy cannot call a function of --controller; give --compile, too, or --step")
    posture = replace(world.initial, q=initial_configuration(model, world).q, v=model.v)
    fitted = fit_accuracy(replace(world, initial=posture), request.accuracy, progress=progress).world
    return replace(fitted, initial=world.initial)


def accuracy_note(world: World) -> str:
    """Return the note about the settings that follow from --accuracy."""
    timing, method = world.timing, world.method
    if timing.integrator.adaptive and not method.scheme.fixed_step:
        return f"--accuracy: a tolerance of {timing.tolerance:.3g}"
    iterations = getattr(method, "iterations", None)
    more = f", {iterations} iterations of {method.name}, tolerance {timing.tolerance:g}" if iterations else ""
    return f"--accuracy: steps of 1/{1.0 / timing.step:.6g} s{more}"
