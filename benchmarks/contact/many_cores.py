"""Predict the speed of landing figures on many cores from one: `python -m benchmarks.contact.many_cores [SCENE ...]`.

A call advances W worlds by HOLD seconds on n cores. Three times are measured on one core: a step of one world t, a call
that takes no step c, and a copied byte of memory. The roofline [Williams, Waterman and Patterson 2009]:

    time of a call >= c + max(W steps t / n,  W bytes / bandwidth)      bytes: state and numbers, read and written once

The prediction assumes that all cores are as fast as this one beside idle ones, that no two of them are threads of one
core, and that the memory of the machine has a bandwidth that is given. Nothing of it is measured on many cores.
"""

import argparse
import sys
from dataclasses import dataclass
from statistics import median
from time import process_time

import numpy as np

from benchmarks.contact.motion import GambolWorlds
from benchmarks.contact.scenes import STEPS, scene_of
from benchmarks.rows import FEW, PRECISIONS
from gambol.lanes import Precision

MACHINES = {16: 100e9, 64: 200e9, 256: 900e9}
"""Numbers of cores, and bandwidths of the memory of machines with so many [bytes/s]: eight channels of DDR4-3200 have
205 GB/s, and two times twelve of DDR5-4800 have 922."""

WORLDS_OF_A_CORE = 4096
REPEATS = 7


@dataclass(frozen=True)
class OneCore:
    """What is measured on one core.

    step_s: time of a step of one world [s]. call_s: time of a call that takes no step [s]. steps: steps in a call.
    bytes: bytes that a call reads and writes for one world.
    """

    step_s: float
    call_s: float
    steps: int
    bytes: int

    def steps_per_s(self, cores: int, bandwidth: float) -> float:
        """Return the predicted steps of all worlds in a second, on some cores with a bandwidth [bytes/s]."""
        worlds = WORLDS_OF_A_CORE * cores
        computing, moving = worlds * self.steps * self.step_s / cores, worlds * self.bytes / bandwidth
        return worlds * self.steps / (self.call_s + max(computing, moving))


def measure(name: str, precision: Precision) -> OneCore:
    """Return the times of a scene, in processor time."""
    worlds, step = FEW[precision], STEPS[name][0]
    runs = GambolWorlds(name, step, precision, worlds)
    controls = round(scene_of(name).hold / runs.world.timing.control_step)
    steps = round(scene_of(name).hold / step)
    state = runs.start.copied()
    runs.engine.advance(state, controls, runs.numbers)  # compiles
    call = median(_time(runs, state, controls) for _ in range(REPEATS))
    run = median(_time(runs, runs.start.copied(), controls) for _ in range(REPEATS))
    rows = runs.start.rows
    moved = 2 * rows.shape[0] * rows.itemsize + runs.numbers.shape[0] * rows.itemsize
    return OneCore((run - call) / (worlds * steps), call, steps, moved)


def _time(runs: GambolWorlds, state: object, controls: int) -> float:
    begun = process_time()
    runs.engine.advance(state, controls, runs.numbers)  # type: ignore[arg-type]  # a State
    return process_time() - begun


def copy_bandwidth() -> float:
    """Return the bandwidth of one core that copies an array larger than its caches, read and written [bytes/s]."""
    given, taken = np.ones(1 << 25), np.empty(1 << 25)
    times = list[float]()
    for _ in range(REPEATS):
        begun = process_time()
        np.copyto(taken, given)
        times.append(process_time() - begun)
    return 2.0 * given.nbytes / median(times)


def main() -> None:
    """Print a table: what is measured on one core, then predictions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", default=list(STEPS), help="scenes, such as ant")
    scenes = parser.parse_args().scenes
    predicted = " | ".join(f"{n} cores, {x / 1e9:g} GB/s: PREDICTED steps/s" for n, x in MACHINES.items())
    sys.stdout.write(f"one core copies {copy_bandwidth() / 1e9:.1f} GB/s\n")
    sys.stdout.write(f"| scene | precision | ns per step, measured | bytes per call | {predicted} |\n")
    sys.stdout.write("|" + " --- |" * (4 + len(MACHINES)) + "\n")
    for name in scenes:
        for precision in PRECISIONS:
            one = measure(name, precision)
            speeds = " | ".join(f"{one.steps_per_s(n, x):.3g}" for n, x in MACHINES.items())
            sys.stdout.write(f"| {name} | {precision} | {one.step_s * 1e9:.0f} | {one.bytes} | {speeds} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
