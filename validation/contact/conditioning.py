"""Ill-conditioned contact problems: light spokes under a heavy hub, and heavy boxes on light ones."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from gambol.collide.broad import allowed_pairs
from gambol.figure import Box, make_forest
from validation.contact.answer import Answer, ContactProblem, MethodAnswers
from validation.contact.scene import (
    COMPILED_IN,
    SOFT,
    TOLERANCE,
    Scene,
    Trajectory,
    engine_of_worlds,
    free_body,
    simulate_together,
)
from validation.contact.wheels import steady, wheel, wheel_begin, wheel_reference
from validation.problem import Array

G, STEP, CONTROL_STEP = 9.81, 1e-3, 0.01
SPOKES, SLOPE = 6, 0.2
"""Number of spokes, and slope [rad]. At 0.3 rad the stance foot would lift off before the next one lands."""

MOMENTS = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)
"""Moments of inertia about the hub, of wheels of 1 kg and 1 m [kg m2]."""

ITERATED = ("stepping", "impulse")
"""Iterative methods."""

LATE = "first order: a landing is up to one step late or early"
STARTS = (
    "the step after a landing adds up to p a h / 2 as the wheel begins to turn, with p = m (g + a) h and a < 9 m/s2"
)
SETTLES = "sweeps stop when the residual is below the solver's tolerance"
TURNS = "a step adds up to m (g + l w^2) l w^3 h^3 / 8, since the foot's row is that of mid-step and turns by w h"
INTEGRATED = "springs and dampers have the tolerance of the adaptive steps"
SINKS = "the springs of the ground and of the lower box give way under the weight"
LANDS = (
    "a landing on springs takes pi (m / k)^(1/2) / 2, in which the wheel turns by up to 4e-3 rad: 7.5e-3 s at "
    "0.53 rad/s, its lowest speed"
)
LIMITS = {
    "penalty": {"turning": (LANDS, 4e-3), "time": (LANDS, 7.5e-3)},
    **{
        name: dict.fromkeys(("turning", "time"), (LATE, 2e-2))
        | {"largest rise": (STARTS, 8.5e-5), "force": (SETTLES, 1e-4)}
        for name in ITERATED
    },
    "constraint": {"largest rise": (TURNS, 2.3e-8)},
}
"""Limitations at 1 ms. A foot turns by at most w = 2.3 rad/s under m (g + l w^2) = 15 N, see TURNS."""

SPOKE_DAMPING = 2.0 * math.sqrt(SOFT.stiffness)
"""Critical damping of the soft ground for 1 kg [N s/m]: without it, the foot that lands bounces."""

SIZE = (0.2, 0.2, 0.1)  # m, of a box
PAIRS = ((1.0, 1.0), (1.0, 10.0), (1.0, 100.0), (1.0, 1000.0))
TRIPLE = ((3.0, 1.0, 1000.0),)
"""Masses of stacked boxes, from the lowest [kg]."""


def energies(scene: Scene, trajectory: Trajectory, J: float) -> Array:
    """Return the kinetic plus potential energy of a wheel of 1 kg (T,) [J]."""
    turning, x, z = trajectory.v.T
    height = scene.gravity[0] * trajectory.q[:, 1] + scene.gravity[2] * trajectory.q[:, 2]
    return 0.5 * (J * turning**2 + x**2 + z**2) - height


def light_wheel(method: str, J: float, iterations: int) -> Scene:
    """Return a wheel of light spokes; under penalty on damped ground, whose stiff friction an implicit method takes.

    Viscous friction of 1e4 N s/m stops the lightest foot in J / 1e4 = 1e-10 s, so steps may be shorter.
    """
    scene = wheel(SPOKES, SLOPE, J, iterations)
    if method != "penalty":
        return scene
    return replace(
        scene, restitution=1.0, damping=SPOKE_DAMPING, integrator="rosenbrock", tolerance=1e-6, min_step=1e-12
    )


def light_spokes(method: str, iterations: Sequence[int]) -> list[Answer]:
    """Return answers on the steady roll, started near it, and on the largest rise of energy in a step.

    Under penalty the ground stores energy, so there is no answer on the rise.
    """
    answers: list[Answer] = []
    names = ("turning after a landing", "turning before it", "time of a step")
    references = [wheel_reference(SPOKES, SLOPE, J) for J in MOMENTS]
    run = MethodAnswers(method, STEP, LIMITS.get(method, {}))
    for n in iterations:
        scenes = [light_wheel(method, J, n) for J in MOMENTS]
        starts = [wheel_begin(SPOKES, 1.0005 * reference[0]) for reference in references]
        trajectories = simulate_together(scenes, method, STEP, starts, 6.0)
        for J, scene, trajectory, reference in zip(MOMENTS, scenes, trajectories, references, strict=True):
            of = f", J = {J:g}" + (f", {n} iterations" if method in ITERATED else "")
            ours = steady(trajectory, SLOPE, J, SPOKES)
            units = ("[rad/s]", "[rad/s]", "[s]")
            each = zip(names, units, ours, reference, strict=True)
            answers += [run.answer(f"{what}{of} {unit}", *pair, 1e-3) for what, unit, *pair in each]
            if method == "penalty":
                continue
            rise = max(0.0, float(np.diff(energies(scene, trajectory, J)).max()))
            answers.append(run.answer(f"largest rise of energy in a step{of} [J]", rise, 0.0, 1e-9))
    return answers


def corner_damping(masses: Sequence[float]) -> float:
    """Return the damping of one corner that is critical for a whole stack on four corners [N s/m]."""
    return math.sqrt(SOFT.stiffness * sum(masses))


def stack(masses: Sequence[float], iterations: int) -> tuple[Scene, Array]:
    """Return a stack of boxes, each with a small offset from the one below, and its coordinates at first contact."""
    figure = make_forest("stack", [free_body(f"box {k}", Box(SIZE), mass) for k, mass in enumerate(masses)])
    places = [[1.0, 0.0, 0.0, 0.0, 0.01 * k, 0.005 * k, (k + 0.5) * SIZE[2]] for k in range(len(masses))]
    scene = Scene(
        figure, 0.5, damping=corner_damping(masses), pairs=allowed_pairs(figure), max_contacts=24, iterations=iterations
    )
    return scene, np.ravel(places)


def moved_and_carried(stacks: Sequence[Sequence[float]], method: str, iterations: int) -> list[tuple[float, float]]:
    """Return for each stack the largest displacement in 1 s, per width, and the ground force, per weight."""
    made = [stack(masses, iterations) for masses in stacks]
    worlds = [scene.world(method, CONTROL_STEP, STEP if method != "penalty" else 1e-5) for scene, _ in made]
    engine, numbers, state = engine_of_worlds(
        worlds, [(q, np.zeros(6 * len(masses))) for masses, (_, q) in zip(stacks, made, strict=True)]
    )
    engine.advance(state, 100, numbers)
    if state.step_state.clock.status.any():
        raise RuntimeError(f"a stack stopped at {state.time.min():g} s by {method}")
    carried = np.array(engine.observe(state, numbers).elsewhere)
    return [
        (float(np.abs(state.q[k] - q).max()) / SIZE[0], float(carried[k]) / (G * sum(masses)))
        for k, (masses, (_, q)) in enumerate(zip(stacks, made, strict=True))
    ]


def sink(masses: Sequence[float]) -> float:
    """Return how far soft surfaces let a stack sink at its top, per width; each box stands on four corners.

    Loads of corners differ by 15 %, since boxes stand 5 and 10 % of half their width beside each other.
    """
    carried = [sum(masses[k:]) for k in range(len(masses))]
    return 1.15 * G * sum(carried) / (4.0 * SOFT.stiffness) / SIZE[0]


def inaccuracy(masses: Sequence[float]) -> float:
    """Return the force of the springs and dampers of four corners at the tolerance of adaptive steps, per weight.

    Boxes are below 0.3 m in size, and velocities have the tolerance per control step.
    """
    return 4.0 * (SOFT.stiffness + corner_damping(masses) / CONTROL_STEP) * TOLERANCE * 0.3 / (G * sum(masses))


def heavy_on_light(stacks: Sequence[Sequence[float]], cases: Sequence[tuple[str, int]]) -> list[Answer]:
    """Return answers on displacements of stacks in 1 s, and on the ground forces."""
    answers: list[Answer] = []
    for method, n in cases:
        groups = [[masses] for masses in stacks] if method in COMPILED_IN else [stacks]
        found = [pair for group in groups for pair in moved_and_carried(group, method, n)]
        for masses, (moved, carried) in zip(stacks, found, strict=True):
            soft = {"moved": (SINKS, sink(masses)), "force": (INTEGRATED, inaccuracy(masses))}
            run = MethodAnswers(method, STEP, soft if method == "penalty" else LIMITS.get(method, {}))
            of = f", {':'.join(f'{m:g}' for m in masses)}" + (f", {n} iterations" if method in ITERATED else "")
            answers.append(run.answer(f"moved in 1 s, part of the width{of}", moved, 0.0, 1e-4))
            answers.append(run.answer(f"force on the ground, part of the weight{of}", carried, 1.0, 1e-6))
    return answers


SPOKES_KNOWN = "energy, and angular momentum about the new foot (McGeer 1990)"
STACKS_KNOWN = "the stack stands still, and the ground carries its weight"
STACKS: tuple[tuple[str, Sequence[Sequence[float]], Sequence[tuple[str, int]]], ...] = (
    ("4 iterations", PAIRS, (("stepping", 4),)),
    ("stepping", PAIRS, (("stepping", 24), ("stepping", 400))),
    ("impulse", PAIRS, (("impulse", 4), ("impulse", 24), ("impulse", 400))),
    ("constraint", PAIRS, (("constraint", 24),)),
    ("penalty", PAIRS, (("penalty", 24),)),
    ("three", TRIPLE, (("stepping", 24),)),
)
"""Stacks by name, with the methods and numbers of iterations under which they stand."""

PROBLEMS = (
    *(
        ContactProblem(
            f"Light spokes, {method}" + (f", {iterations[0]} iterations" if method == "impulse" else ""),
            f"A wheel of six spokes of 1 m on a slope of {SLOPE} rad. Its hub has 1 kg, and a moment of inertia J from "
            "1e-2 to 1e-6 kg m2.",
            SPOKES_KNOWN,
            partial(light_spokes, method, iterations),
        )
        for method, iterations in (
            ("stepping", (4, 24, 400)),
            ("impulse", (4,)),
            ("impulse", (24,)),
            ("impulse", (400,)),
            ("constraint", (24,)),
            ("penalty", (24,)),
        )
    ),
    *(
        ContactProblem(
            f"Heavy boxes on light ones, {name}",
            "Boxes of 0.2 by 0.2 by 0.1 m stand on one another for 1 s, with mu = 0.5. Masses are in kg, from the "
            "lowest box upwards.",
            STACKS_KNOWN,
            partial(heavy_on_light, stacks, cases),
        )
        for name, stacks, cases in STACKS
    ),
)
