"""What gpu_speed needs, made on a machine without a graphics processor: `python -m benchmarks.gpu_cases DIR`.

For each figure and precision a file has the machine code of a step, initial states, random torques, and the states of
this processor after 100, 1,000 and 10,000 steps. NVIDIA's assembler takes minutes for the largest.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.contact.motion import GambolWorlds
from benchmarks.contact.scenes import STEPS, scene_of
from benchmarks.evolving.rollouts import WALK, BareSteps
from benchmarks.gpu_speed import CHECKED_STEPS, EVOLUTION
from benchmarks.rows import PRECISIONS
from benchmarks.walking import engine_of, initial_state
from gambol.env.commanded_worlds import command_rows
from gambol.evolve.evaluate.batch import PRECISION
from gambol.evolve.fitness.sampling import sampler
from gambol.lanes import Precision, ProgramSpec
from gambol.lanes.gpu import kernel
from gambol.lanes.gpu.ptx import ptx_of
from gambol.world import Engine, State

ARCHITECTURE = "sm_90"
WORLDS = 32
"""Worlds of a file: one warp, which is repeated for more."""

TORQUES = 40
"""Random torques of a file, which follow one another again and again."""

FEWER_REGISTERS = (168, 128)
"""Registers of a thread, less than 255, that are tried: 12 and 16 warps share a multiprocessor instead of 8."""

OF_ASSEMBLER = ", values in memory by ptxas"
"""The version in which NVIDIA's assembler alone chooses what is in registers."""

FIGURES = ("quadruped", "ant", "humanoid", "roach")


@dataclass
class Case:
    """Worlds of a figure. hold: steps of a torque; actions (times, motors, W); commands: their rows in the numbers."""

    engine: Engine
    start: State
    numbers: NDArray[Any]
    hold: int
    actions: NDArray[Any]
    commands: NDArray[np.intp]
    step_s: float


def landing_case(name: str, precision: Precision, worlds: int) -> Case:
    """Return a landing figure, with random torques if it has motors."""
    step, scene = STEPS[name][0], scene_of(name)
    landing = GambolWorlds(name, step, precision, worlds)
    numbers = np.repeat(landing.numbers, worlds, axis=1)
    actions = landing.actions[:TORQUES].astype(precision)
    commands = command_rows(landing.world) if actions.shape[1] else np.zeros(0, np.intp)
    hold = round(scene.hold / step) if len(commands) else 10
    return Case(landing.engine, landing.start, numbers, hold, actions, commands, step)


def roach_case(precision: Precision, worlds: int) -> Case:
    """Return roaches that walk."""
    engine = engine_of(precision, None)
    numbers, none = np.repeat(engine.numbers(), worlds, axis=1), np.zeros((1, 0, worlds), precision)
    step = engine.world.timing.control_step
    return Case(engine, initial_state(engine, worlds), numbers, 10, none, np.zeros(0, np.intp), step)


def states_after(case: Case, counts: Sequence[int]) -> dict[str, NDArray[Any]]:
    """Return the rows of the states after some numbers of steps, computed by this processor."""
    state, numbers, found = case.start.copied(), case.numbers.copy(), dict[str, NDArray[Any]]()
    for first in range(0, max(counts), case.hold):
        if len(case.commands):
            numbers[case.commands] = case.actions[first // case.hold % len(case.actions)]
        for last in sorted({min(n, first + case.hold) for n in counts if n > first}):
            case.engine.advance(state, last, numbers)
            if last in counts:
                found[f"after {last}"] = state.rows.copy()
    return found


def write(folder: Path, name: str, precision: Precision, specs: Sequence[ProgramSpec], arrays: dict[str, Any]) -> None:
    """Write a file with the kernels of programs, and arrays; the first program of some figures has other versions."""
    described = list[dict[str, Any]]()
    for number, spec in enumerate(specs):
        made = kernel.kernel_of(spec, precision, ARCHITECTURE)
        totals = {what: sum(getattr(f, what) for f in made.functions) for what in ("stack", "stored", "loaded")}
        described.append(
            {"name": spec.name, "rows": spec.rows, "tables": spec.tables, "outputs": made.source.outputs,
             "operations": made.source.operations, "registers": made.registers, **totals,
             "versions": {"": made.warp_bytes}}
        )  # fmt: skip
        arrays[f"code {number}"] = np.frombuffer(made.code, np.uint8)
        if name not in ("quadruped", "ant") or number:
            continue
        versions: dict[str, int] = described[-1]["versions"]
        for fewer in FEWER_REGISTERS:
            other = kernel.kernel_of(spec, precision, ARCHITECTURE, fewer)
            versions[version := f", {fewer} registers"] = other.warp_bytes
            arrays[f"code {number}{version}"] = np.frombuffer(other.code, np.uint8)
        code, *_ = kernel.assembled(ptx_of(made.source.text, ARCHITECTURE), ARCHITECTURE)
        versions[OF_ASSEMBLER] = 0
        arrays[f"code {number}{OF_ASSEMBLER}"] = np.frombuffer(code, np.uint8)
    path = folder / f"{name} {precision}.npz"
    np.savez_compressed(path, programs=json.dumps(described), **arrays)
    sys.stdout.write(f"{path}: {path.stat().st_size / 1e6:.1f} MB\n")
    sys.stdout.flush()


def write_case(folder: Path, name: str, precision: Precision) -> None:
    """Write the file of a figure."""
    case = roach_case(precision, WORLDS) if name == "roach" else landing_case(name, precision, WORLDS)
    tables = dict(zip(("table",), case.engine.tables, strict=False))
    arrays = {
        "start": case.start.rows, "numbers": case.numbers.astype(precision), "actions": case.actions,
        "commands": case.commands, "hold": case.hold, "step_s": case.step_s, **tables,
    }  # fmt: skip
    write(folder, name, precision, [case.engine.advance_spec], arrays | states_after(case, CHECKED_STEPS))


def write_lives(folder: Path) -> None:
    """Write the file of the lives of default walkers: random genotypes in all their trials, and what is sampled."""
    bare = BareSteps(WALK, WORLDS // 2, seed=1)
    task, engine = bare.batch.task, bare.batch.engine
    observer = engine.observer_spec(*sampler(task.signals), ([0.0] * len(engine.world.figure.links),))
    arrays = {
        "start": bare.start.rows, "numbers": bare.inputs.numbers, "frames": np.array(task.sample_steps),
        "limbs": np.ascontiguousarray(bare.inputs.limb_of_link.T, PRECISION), "trials": task.trials,
        "step_s": engine.world.timing.control_step,
    }  # fmt: skip
    write(folder, EVOLUTION, PRECISION, [engine.advance_spec, observer], arrays)


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder for the files")
    parser.add_argument("pattern", nargs="?", default="*", help='files to make, such as "ant float32"')
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    if fnmatch(f"{EVOLUTION} {PRECISION}", given.pattern):
        write_lives(given.folder)
    for name in FIGURES:
        for precision in PRECISIONS:
            if fnmatch(f"{name} {precision}", given.pattern):
                write_case(given.folder, name, precision)


if __name__ == "__main__":
    main()
