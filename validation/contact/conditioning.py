"""Contacts that are hard to solve: light spokes under a heavy hub, and heavy boxes on light ones."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from gambol.collide.broad import allowed_pairs
from gambol.figure import Box, gathered
from validation.contact.answer import Answer, ContactProblem, Sheet
from validation.contact.scene import Scene, Track, free_body, together, tracked_together
from validation.contact.wheels import steady, wheel, wheel_begin, wheel_reference
from validation.problem import Array

G, STEP = 9.81, 1e-3
SPOKES, SLOPE = 6, 0.2
"""On a slope of 0.3 rad the foot of a steady roll would be pulled off the ground before the next one lands."""

MOMENTS = (1e-2, 1e-3, 1e-4, 1e-6)
"""Of wheels of 1 kg and 1 m about the hub [kg m2]."""

ITERATED = ("stepping", "impulse")
"""Methods that have a number of iterations."""

LATE = "first order: a landing counts up to a step late or early"
STARTS = (
    "the step after a landing gives up to p a h / 2 as the wheel begins to turn: m (g + a) h a h / 2, a below 9 m/s2"
)
SETTLES = "sweeps stop where what is left is less than what counts as unsolved"
SINKS = "the ground and the lower box give way under the weight"
LIMITS = {
    **{
        name: dict.fromkeys(("turning", "time"), (LATE, 2e-2))
        | {"largest rise": (STARTS, 8.5e-5), "force": (SETTLES, 1e-4)}
        for name in ITERATED
    },
    "penalty": {"moved": (SINKS, 5e-4)},
}
"""At 1 ms; of a box of 10 kg on one of 1 kg, which sink by 1e-6 m/N on four corners each, 2.6e-4 of the width."""

SIZE = (0.2, 0.2, 0.1)  # m, of a box
PAIRS = ((1.0, 10.0), (1.0, 100.0), (1.0, 1000.0))
TRIPLE = ((3.0, 1.0, 1000.0),)
"""Masses of boxes on each other, from the lowest on [kg]."""


def energies(scene: Scene, track: Track, J: float) -> Array:
    """Energy of motion and height of a wheel of 1 kg (T,) [J]."""
    turning, x, z = track.v.T
    height = scene.gravity[0] * track.q[:, 1] + scene.gravity[2] * track.q[:, 2]
    return 0.5 * (J * turning**2 + x**2 + z**2) - height


def light_spokes(method: str, iterations: Sequence[int]) -> list[Answer]:
    """The steady roll, from a start next to it; for large steps also the largest rise of energy in a step."""
    found: list[Answer] = []
    names = ("turning after a landing", "turning before it", "time of a step")
    references = [wheel_reference(SPOKES, SLOPE, J) for J in MOMENTS]
    sheet = Sheet(method, STEP, LIMITS.get(method, {}))
    for n in iterations:
        scenes = [wheel(SPOKES, SLOPE, J, n) for J in MOMENTS]
        starts = [wheel_begin(SPOKES, 1.0005 * reference[0]) for reference in references]
        tracks = tracked_together(scenes, method, STEP, starts, 6.0)
        for J, scene, track, reference in zip(MOMENTS, scenes, tracks, references, strict=True):
            of = f", J = {J:g}" + (f", {n} iterations" if method in ITERATED else "")
            ours = steady(track, SLOPE, J, SPOKES)
            units = ("[rad/s]", "[rad/s]", "[s]")
            each = zip(names, units, ours, reference, strict=True)
            found += [sheet.answer(f"{what}{of} {unit}", *pair, 1e-3) for what, unit, *pair in each]
            if method in ITERATED:
                rise = max(0.0, float(np.diff(energies(scene, track, J)).max()))
                found.append(sheet.answer(f"largest rise of energy in a step{of} [J]", rise, 0.0, 1e-9))
    return found


def stack(masses: Sequence[float], iterations: int) -> tuple[Scene, Array]:
    """Boxes on each other, each a little aside of that below, and their coordinates where they just touch."""
    figure = gathered("stack", [free_body(f"box {k}", Box(SIZE), mass) for k, mass in enumerate(masses)])
    places = [[1.0, 0.0, 0.0, 0.0, 0.01 * k, 0.005 * k, (k + 0.5) * SIZE[2]] for k in range(len(masses))]
    scene = Scene(figure, 0.5, damping=200.0, pairs=allowed_pairs(figure), room=24, rounds=iterations)
    return scene, np.ravel(places)


def moved_and_carried(stacks: Sequence[Sequence[float]], method: str, iterations: int) -> list[tuple[float, float]]:
    """How far any coordinate of each stack moves in 1 s, per width, and what the ground carries, per weight."""
    made = [stack(masses, iterations) for masses in stacks]
    worlds = [scene.world(method, 0.01, STEP if method != "penalty" else 1e-5) for scene, _ in made]
    engine, numbers, state = together(
        worlds, [(q, np.zeros(6 * len(masses))) for masses, (_, q) in zip(stacks, made, strict=True)]
    )
    engine.move(state, 100, numbers)
    if state.living.clock.status.any():
        raise RuntimeError(f"a stack stopped at {state.time.min():g} s by {method}")
    carried = np.array(engine.see(state, numbers).elsewhere)
    return [
        (float(np.abs(state.q[k] - q).max()) / SIZE[0], float(carried[k]) / (G * sum(masses)))
        for k, (masses, (_, q)) in enumerate(zip(stacks, made, strict=True))
    ]


def heavy_on_light(stacks: Sequence[Sequence[float]], ways: Sequence[tuple[str, int]]) -> list[Answer]:
    """How far stacks move in 1 s, and what the ground then carries."""
    found: list[Answer] = []
    for method, n in ways:
        sheet = Sheet(method, STEP, LIMITS.get(method, {}))
        for masses, (moved, carried) in zip(stacks, moved_and_carried(stacks, method, n), strict=True):
            of = f", {':'.join(f'{m:g}' for m in masses)}" + (f", {n} iterations" if method in ITERATED else "")
            found.append(sheet.answer(f"moved in 1 s, part of the width{of}", moved, 0.0, 1e-4))
            found.append(sheet.answer(f"force on the ground, part of the weight{of}", carried, 1.0, 1e-6))
    return found


SPOKES_KNOWN = "energy and moments about the foot (McGeer 1990)"
STACKS_KNOWN = "it stands still, and the ground carries the weight"
STACKS: tuple[tuple[str, Sequence[Sequence[float]], Sequence[tuple[str, int]]], ...] = (
    ("4 iterations", PAIRS, (("stepping", 4),)),
    ("stepping", PAIRS, (("stepping", 24), ("stepping", 400))),
    ("impulse", PAIRS[2:], (("impulse", 24),)),
    ("constraint", PAIRS[1:2], (("constraint", 24),)),
    ("penalty", PAIRS[:1], (("penalty", 24),)),
    ("three", TRIPLE, (("stepping", 24),)),
)
"""Stacks by what is special, with the methods and numbers of iterations that they stand under."""

PROBLEMS = (
    *(
        ContactProblem(
            f"Light spokes, {method}" + (f", {iterations[0]} iterations" if method == "impulse" else ""),
            f"Six spokes of 1 m on a slope of {SLOPE} rad, 1 kg in the hub, J about it from 1e-2 to 1e-6 kg m2.",
            SPOKES_KNOWN,
            partial(light_spokes, method, iterations),
        )
        for method, iterations in (
            ("stepping", (4, 24, 400)),
            ("impulse", (4,)),
            ("impulse", (24,)),
            ("constraint", (24,)),
        )
    ),
    *(
        ContactProblem(
            f"Heavy boxes on light ones, {name}",
            "Boxes of 0.2 by 0.2 by 0.1 m on each other, mu = 0.5, for 1 s; masses in kg, from the lowest on.",
            STACKS_KNOWN,
            partial(heavy_on_light, stacks, ways),
        )
        for name, stacks, ways in STACKS
    ),
)
