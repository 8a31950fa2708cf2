"""Find the settings of scenes from an accuracy: `python -m benchmarks.contact.settings [SCENE ...]`.

gambol's are those of fit_accuracy(), for a median error of links of one percent of the figure's size after half a
second, with random torques where there are motors. MuJoCo's step is the longest one with which its error is not larger
than gambol's, each engine against its own motion in much shorter steps.
"""

import argparse
import sys
from dataclasses import replace
from time import process_time
from typing import Any

from benchmarks.contact.motion import GambolWorlds, MujocoWorlds, our_error, their_error
from benchmarks.contact.scenes import HOLD, SCENES, scene_of
from benchmarks.contact.variants import VARIANTS
from benchmarks.timing import time_interleaved
from gambol import fit_accuracy
from gambol.creatures.step_options import COSTS
from gambol.world import World

ACCURACY = 0.01
"""Accuracy for which the settings of scenes are found, in sizes of the figure."""

PEER_STEPS = tuple(round(6 * 1.1**k) for k in range(52))
"""Numbers of MuJoCo's steps that are tried, in the time for which torques last."""

WORLDS, PEERS = 496, 16  # numbers of worlds that are timed
REPEATS = 3


def fitted(name: str, accuracy: float = ACCURACY) -> World:
    """Return the world of a scene, with the settings that meet an accuracy in sizes of the figure."""
    scene = scene_of(name)
    world = scene.world(HOLD)
    world = replace(
        world,
        initial=replace(world.initial, q=tuple(map(float, scene.posture))),
        contact=replace(world.method, iterations=8),  # type: ignore[type-var]  # Stepping
        timing=replace(world.timing, tolerance=1e-3),
    )
    return fit_accuracy(world, accuracy, commands=scene.torque).world


def row_of(name: str, world: World) -> str:
    """Return the first scene with the figure of a scene and the settings of its fitted world, see settings_of().

    Raises SystemExit if there is none.
    """
    settings = settings_of(world)
    for row in (name, *(row for row, variant in VARIANTS.items() if variant.scene == name)):
        if settings_of(scene_of(row).world(HOLD)) == settings:
            return row
    raise SystemExit(f"{name}: no scene has {settings}; add one to STEPS and VARIANTS in benchmarks/contact")


def settings_of(world: World) -> dict[str, Any]:
    """Return the options of the steps of a world, its iterations and its tolerance."""
    fields = {field: getattr(world.method, field) for field in (*COSTS, "iterations")}
    return fields | {"tolerance": round(world.timing.tolerance, 6)}


def peer_steps(name: str, error: float, least: int) -> int:
    """Return the least number of MuJoCo's steps in Scene.hold with which its error is not above ours.

    error: our error after half a second [m]; least: number that is tried first.
    """
    hold = scene_of(name).hold
    return next(n for n in PEER_STEPS if n >= least and their_error(name, hold / n)[0] <= error)


def main() -> None:
    """Print settings, errors, and times of one second of one world."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", nargs="*", default=[x for x in SCENES if x not in VARIANTS])
    parser.add_argument("--accuracy", type=float, default=ACCURACY)
    options = parser.parse_args()
    for name in options.scenes:
        world = fitted(name, options.accuracy)
        name, hold = row_of(name, world), scene_of(name).hold
        steps = round(hold / world.timing.step)
        print(f"{name}: {steps} steps, tolerance {world.timing.tolerance:g}, {world.method}", flush=True)
        step = hold / steps
        errors = our_error(name, step, "float32")
        peer = peer_steps(name, errors[0], steps)
        peer_errors = their_error(name, hold / peer)
        runs = [
            GambolWorlds(name, step, "float32", WORLDS),
            GambolWorlds(name, step, "float64", WORLDS),
            MujocoWorlds(name, hold / peer, PEERS),
        ]
        times = time_interleaved(*(run.run for run in runs), repeats=REPEATS, clock=process_time)
        single, double, theirs = (min(each) for each in times)
        single, double, theirs = single / WORLDS, double / WORLDS, theirs / PEERS
        print(
            f"  errors {errors * 1e3} mm, MuJoCo's {peer_errors * 1e3} mm with {peer} steps\n"
            f"  a step takes {single * step * 1e9:.0f} and {double * step * 1e9:.0f} ns, "
            f"MuJoCo's {theirs * hold / peer * 1e6:.1f} us: ratios {theirs / single:.1f} and {theirs / double:.1f}",
            flush=True,
        )


if __name__ == "__main__":
    sys.exit(main())
