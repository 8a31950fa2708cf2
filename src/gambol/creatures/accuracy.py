"""Steps, iterations and contact capacity with which a world meets an accuracy.

Fixed steps, and the options of large steps, are those that take the least time, see cheapest_steps.py. The contact
method then gets the fewest iterations, and the largest permitted violation of the contact laws, that meet the accuracy,
too: where steps are long, it is a waste to solve each of them exactly. With error control the tolerance is varied
instead of the step: the error of a tolerance is the distance to the motion with a tenth of it, divided by 0.9.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

from gambol.contact.generation.contact_set import contact_count
from gambol.contact.method import with_capacity
from gambol.creatures.cheapest_steps import FoundSteps, Reference, cheapest_steps
from gambol.creatures.compared_motions import ComparedMotions, RandomInputs, median_distance
from gambol.creatures.step_options import with_limited_servos, with_options
from gambol.errors import WorldError
from gambol.world import Timing, World
from gambol.world.events.convergence import MAX_UNSOLVED_FRACTION
from gambol.world.events.ledger import RELATIVE_TOLERANCE
from gambol.world.run import Progress

PASSIVE_DIVISIONS = (8, 6, 4, 3, 2, 1)
"""Numbers of control steps in one of the compared motions, 1/30 s, of a world without a controller: it has up to 240 a
second, at which films show it."""

TOLERANCES = tuple(10.0 ** (-0.5 * k) for k in range(4, 23))
"""Tolerances of steps with error control: from 1e-2 to 1e-11, two for each factor of 10."""

TOLERANCE_STEPS = 2
"""Number of entries of TOLERANCES from a tolerance to that of its reference motion, a tenth."""

ITERATIONS = (4, 6, 8, 12, 16)
"""Iterations of a contact method that are tried, the fewest first, if they are fewer than those of the world. Steps
that they leave unsolved get further ones, see contact/stepping/solve.py."""

CONTACT_TOLERANCES = (3e-2, 1e-2, 3e-3)
"""Permitted violations of the contact laws that are tried, the largest first, if they are larger than that of the
world, in units of sqrt(g L) for a figure of size L. With the largest, an ant and a humanoid with random torques sink in
as little as with 1e-3, since sweeps go on until estimated errors are small (docs/measurements/random-torques.md)."""

MIN_STEPS_IN_CONTROL_STEP = 4
"""Least number of steps in a control step of a fitted world with divided steps, if it has no controller."""

SPARE_CONTACTS = 4.0 / 3.0
"""Contact capacity divided by the largest number of contacts in the compared motions, as seen between control steps."""


@dataclass(frozen=True)
class AccuracyFit:
    """The settings with which a world meets an accuracy, and what was tried.

    world: the world with these settings. error: its estimated error, in sizes of the figure. tried: estimated error by
    the length of fixed steps [s], or by the tolerance of steps with error control.
    """

    world: World
    error: float
    tried: dict[float, float]


def fit_accuracy(
    world: World, accuracy: float, seed: int = 0, commands: float = 1.0, progress: Progress | None = None
) -> AccuracyFit:
    """Return the settings of a world that meets an accuracy in the least time.

    accuracy: largest median distance of links from the motion of exact steps after half a second, in sizes of the
    figure, from 1e-6 to 0.1. The distance of a world is the mean over three points of each link, as far from its centre
    of mass as its radius of gyration; worlds differ by random joint angles. seed: seed of these angles. Fixed steps
    divide the control step of the controller. Without a controller they are at most 1/30 s, and control steps as long,
    or 1/240 s or more for shorter steps; where steps are divided, control steps have at least four of them, or last
    1/30 s. With fixed steps, energy without a physical cause is at most 1 % in the median, and the iterations of the
    contact method are the fewest, and then its tolerance the largest, that meet the accuracy, too, with no more
    unsolved steps. Servos become explicit, springs act by the midpoint rule, landings are of second order, smooth steps
    extrapolated and steps near landings divided if the time is then less: the number of steps for which worlds wait, by
    what a step costs. Servos keep their strength and power within steps. The contact capacity is what the compared
    motions need, and a third more; it grows by itself where that is too small. commands: the largest random command of
    actuators that follow commands, as a fraction of its range, 0 to 1. progress(done, total): called after each attempt
    with fixed steps. Raises WorldError for an accuracy that cannot be, or that is not met.
    """
    if not 1e-6 <= accuracy <= 0.1:
        raise WorldError(f"an accuracy of {accuracy} is not possible; give 1e-6 to 0.1 of the figure's size")
    inputs = RandomInputs(seed, commands)
    if world.timing.integrator.adaptive and not world.method.scheme.fixed_step:
        return _fit_tolerance(world, accuracy, inputs)
    reference = Reference.of(with_limited_servos(world), inputs)
    found = cheapest_steps(reference, accuracy, progress or (lambda done, total: None))
    if not found.chosen:
        raise _not_met(accuracy, found.tried, "steps of {:.3g} s")
    return _fit_steps(found, reference, accuracy)


def _fit_steps(found: FoundSteps, reference: Reference, accuracy: float) -> AccuracyFit:
    """Return the settings of a world with fixed steps, and the cheapest solver with such steps."""
    fitted, error = _with_cheapest_solver(found, reference, accuracy)
    control_step = fitted.timing.control_step / (_control_steps(found) if fitted.controller is None else 1)
    timing = replace(fitted.timing, control_step=control_step, step=found.step)
    return AccuracyFit(replace(fitted, timing=timing), error, found.tried)


def _control_steps(found: FoundSteps) -> int:
    """Return the number of control steps in the one of the compared motions, for a world without a controller."""
    is_divided = getattr(found.world.method, "landing_steps", 1) > 1
    least = MIN_STEPS_IN_CONTROL_STEP if is_divided else 1
    return next(n for n in PASSIVE_DIVISIONS if (found.chosen % n == 0 and found.chosen >= n * least) or n == 1)


def _with_cheapest_solver(found: FoundSteps, reference: Reference, accuracy: float) -> tuple[World, float]:
    """Return a world with the fewest iterations, then the largest tolerance, that meet an accuracy; and its error."""
    fitted, best, count = found.world, found.motions, found.chosen
    iterations = getattr(fitted.method, "iterations", 0)
    most_unsolved = max(best.unsolved(count), MAX_UNSOLVED_FRACTION)

    def is_met(tried: ComparedMotions) -> bool:
        return reference.is_met(tried, count, accuracy) and tried.unsolved(count) <= most_unsolved

    contacts = max(reference.motions.contacts.get(reference.count, 0), best.contacts.get(count, 0))
    for fewer in (*(n for n in ITERATIONS if n < iterations), iterations):
        tried = _with_room(with_options(fitted, iterations=fewer) if iterations else fitted, contacts, found)
        if is_met(tried):
            fitted, best = tried.engine.world, tried
            break
    for tolerance in (x for x in CONTACT_TOLERANCES if iterations and x > fitted.timing.tolerance):
        tried = replace(best, tolerance=tolerance, ends={}, contacts={})
        if is_met(tried):
            fitted, best = replace(fitted, timing=replace(fitted.timing, tolerance=tolerance)), tried
            break
    return fitted, reference.error(best, count)


def _with_room(world: World, contacts: int, found: FoundSteps) -> ComparedMotions:
    """Return motions of a world with room for some contacts and a third more, and for all contacts of its steps.

    found: the steps, and the motions of a world with more room.
    """
    method: Any = world.method
    if not contacts or method.contacts_of_tree is not None:
        return ComparedMotions.of(world, found.motions.inputs) if world is not found.world else found.motions
    capacity = SPARE_CONTACTS * contacts
    while True:
        room = min(math.ceil(capacity), contact_count(world.scene))
        motions = ComparedMotions.of(replace(world, contact=with_capacity(method, room)), found.motions.inputs)
        motions.by_step(found.chosen)
        if not motions.over_capacity(found.chosen).any():
            return motions
        capacity *= SPARE_CONTACTS


def _fit_tolerance(world: World, accuracy: float, inputs: RandomInputs) -> AccuracyFit:
    """Return the largest tolerance of a world with error control that meets an accuracy."""
    motions = ComparedMotions.of(world, inputs, optimised=True)  # many steps of one program
    errors, met = dict[float, float](), dict[float, bool]()
    for tolerance, finer in zip(TOLERANCES, TOLERANCES[TOLERANCE_STEPS:], strict=False):
        change = median_distance(motions.by_tolerance(tolerance), motions.by_tolerance(finer), world.size)
        errors[tolerance] = change / (1.0 - finer / tolerance)
        met[tolerance] = errors[tolerance] <= accuracy
        if (chosen := _first_met(met)) is not None:
            timing: Timing = replace(world.timing, tolerance=chosen)
            return AccuracyFit(replace(world, timing=timing), errors[chosen], errors)
    raise _not_met(accuracy, errors, "a tolerance of {:.3g}")


def _first_met(met: dict[Any, bool]) -> Any:
    """Return the first of the last three settings if all three meet the accuracy, else None. met: by setting."""
    last = list(met)[-3:]
    return last[0] if len(last) == 3 and all(met[setting] for setting in last) else None


def _not_met(accuracy: float, errors: dict[float, float], form: str) -> WorldError:
    best = min(errors, key=lambda setting: errors[setting])
    return WorldError(
        f"an accuracy of {accuracy:g}, with energy that balances to {100.0 * RELATIVE_TOLERANCE:g} %, is not met: the "
        f"smallest error is {errors[best]:.3g}, with {form.format(best)}; give a larger accuracy, or another contact "
        "method"
    )
