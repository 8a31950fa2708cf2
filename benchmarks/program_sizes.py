"""Size, compile time and speed of programs by links, loops, contacts: `python -m benchmarks.program_sizes [PATTERN]`.

Prints a row of a Markdown table for each case whose name matches the pattern: operations of the program, seconds of
processor time until it is compiled, without a cache, and nanoseconds of processor time of a step of one world. Each
case runs in a process of its own.
"""

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from statistics import median, quantiles
from typing import Any

import numpy as np

from benchmarks.links import PENALTY_H, Chain, H
from benchmarks.programs import forward_program, random_states
from gambol.collide.broad import Pair
from gambol.contact import Constraint, ContactMethod, Penalty, Stepping, SurfaceProperties
from gambol.contact.penalty.law import ContactParameters
from gambol.creatures.make_world import make_world
from gambol.figure import Figure, Joint, Link, Part, make_forest
from gambol.figure.shapes import Hull
from gambol.lanes import Program
from gambol.world import Engine, Timing, World, start
from validation.linkages import windows, windows_state
from validation.movement import Run, simulation_program

REPEATS = 9
FORWARD_WORLDS = 128
LEAST_SECONDS = 0.05
"""Least processor time of a timed run [s]: far above the clock's resolution."""

Place = tuple[float, float, float]

Case = tuple[Program, Callable[[int], int]]
"""A program, and a function that makes about so many steps of one world and returns how many it made."""


def forward_of_chain(links: int) -> Case:
    """Forward dynamics of a chain of hinges."""
    figure = Chain(links, 0).figure
    program = forward_program(figure, "float64")
    worlds = FORWARD_WORLDS
    q, v = random_states(figure, worlds)
    tau = np.zeros_like(v)

    def run(count: int) -> int:
        for _ in range(count):
            program(q, v, tau)
        return count * worlds

    return program, run


def swing_of_windows(loops: int) -> Case:
    """A step of RK4 of coupled four-bars, projected onto their loops."""
    figure = windows(loops)
    program = simulation_program(figure, Run(H))
    worlds = program.lanes
    begin = [np.repeat(x[:, None], worlds, axis=1) for x in windows_state(figure, 0.0, 1.0)]

    def run(count: int) -> int:
        program(*begin, np.full((1, 1), float(count)))
        return count * worlds

    return program, run


def step_of_world(
    world: World, skipped: int = 0, position: dict[str, Place] | None = None, *, short: bool = False
) -> Case:
    """A control step of a world.

    skipped: control steps before the first that is timed. position: places of bodies at the start, by name [m]. short:
    see Engine.
    """
    engine = Engine(world, short=short)
    program = engine.advance_program
    state = start(world, program.lanes, position=position)
    made = [0]

    def run(count: int) -> int:
        if not made[0]:
            made[0] = skipped
            engine.advance(state, skipped)
        made[0] += count
        engine.advance(state, made[0])
        if (state.time < (made[0] - 0.5) * world.timing.control_step).any():
            raise SystemExit("worlds failed, and stopped")
        return count * program.lanes

    return program, run


def chain(links: int, balls: int, method: ContactMethod) -> Case:
    """A step of a chain of hinges after its balls have landed."""
    h = PENALTY_H if isinstance(method, Penalty) else H
    return step_of_world(Chain(links, balls).world(method, h), skipped=round(0.17 / h))


def random_hull(vertices: int, random: np.random.Generator) -> Hull:
    """Return the hull of random points on a ball of 10 cm."""
    points = random.normal(size=(vertices, 3))
    return Hull(tuple(map(tuple, (0.1 * points / np.linalg.norm(points, axis=1)[:, None]).tolist())))


def hulls(count: int, method: ContactMethod) -> Case:
    """A step of free hulls of 8 to 20 vertices, all different, any two of which may touch each other."""
    random = np.random.default_rng(3)
    bodies = [
        Figure(f"body {k}", (Link(f"body {k}", None, Joint("free"), (Part(random_hull(n, random), density=1e3),)),))
        for k, n in enumerate(random.integers(8, 21, count).tolist())
    ]
    pairs = tuple(Pair(i, 0, j, 0) for i in range(2, 2 + count) for j in range(i + 1, 2 + count))
    touch = ContactParameters(4e5, 0.0, 1.0, 500.0, 0.05, 0.0, 0.05, 0.5, 1.0, 0.0, 500.0)
    h = PENALTY_H if isinstance(method, Penalty) else H
    world = World(
        make_forest("hulls", bodies),
        surface=SurfaceProperties(touch),
        contact=method,
        pairs=pairs,
        timing=Timing(h, h, "semi-implicit euler"),
    )
    places = [(0.19 * (k % 3), 0.19 * (k // 3 % 3), 0.11 + 0.19 * (k // 9)) for k in range(count)]
    return step_of_world(world, round(0.1 / h), {body.name: place for body, place in zip(bodies, places, strict=True)})


def roach(method: ContactMethod, *, short: bool = False, **options: Any) -> Case:
    """A control step of the walking roach."""
    return step_of_world(replace(make_world("roach", **options), contact=method), skipped=40, short=short)


CASES: dict[str, Callable[[], Case]] = {
    **{f"forward dynamics of a chain, {n} links": partial(forward_of_chain, n) for n in (10, 100, 300, 1000)},
    **{f"four-bars, {n} loops": partial(swing_of_windows, n) for n in (1, 5, 10, 20, 40)},
    **{
        f"chain, {n} links, 12 contacts, {name}": partial(chain, n, 12, method)
        for name, method in (("stepping", Stepping(max_contacts=12)), ("penalty", Penalty()))
        for n in (10, 50, 100, 300, 1000)
    },
    **{
        f"chain, 100 links, {n} contacts, stepping": partial(chain, 100, n, Stepping(max_contacts=n))
        for n in (12, 24, 48, 96)
    },
    **{
        f"different hulls, {n * (n - 1) // 2} pairs, {name}": partial(hulls, n, method)
        for name, method in (
            ("stepping", Stepping(max_contacts=60)),
            ("penalty", Penalty()),
            ("constraint", Constraint()),
        )
        for n in (4, 8, 21)
    },
    **{f"roach, {n} contacts, stepping": partial(roach, Stepping(max_contacts=n)) for n in (6, 12, 28)},
    "roach, 12 contacts, stepping, short": partial(roach, Stepping(max_contacts=12), short=True),
    "roach, penalty": partial(roach, Penalty()),
    "roach, constraint": partial(roach, Constraint()),
}


def main(pattern: str = "") -> int:
    """Print the rows of matching cases; return 1 if one failed, 2 if none matches."""
    names = [name for name in CASES if re.search(pattern, name)]
    if not names:
        print(f"no case matches {pattern!r}", *CASES, sep="\n")
        return 2
    print("| program | operations | compile [s] | ns per step of a world |\n| --- | --- | --- | --- |", flush=True)
    failed = 0
    for name in names:
        with tempfile.TemporaryDirectory() as cache:
            command = [sys.executable, "-c", f"from benchmarks.program_sizes import measure; measure({name!r})"]
            failed |= subprocess.run(command, env={**os.environ, "GAMBOL_CACHE": cache}, check=False).returncode
    return int(bool(failed))


def measure(name: str) -> None:
    """Print the row of a case, in this process."""
    begin = _processor_time()
    program, run = CASES[name]()
    compile_s = _processor_time() - begin
    run(1)
    count = 1
    while _seconds(run, count)[0] < LEAST_SECONDS:
        count *= 2
    times = [1e9 * seconds / steps for seconds, steps in (_seconds(run, count) for _ in range(REPEATS))]
    low, _, high = quantiles(times, n=4)
    ns = f"{median(times):,.0f} +- {50.0 * (high - low) / median(times):.0f} %"
    print(f"| {name} | {program.operations:,} | {compile_s:.1f} | {ns} |", flush=True)


def _seconds(run: Callable[[int], int], count: int) -> tuple[float, int]:
    """Return the processor time of a run [s], and its number of steps of a world."""
    begin = time.process_time()
    steps = run(count)
    return time.process_time() - begin, steps


def _processor_time() -> float:
    """Return the processor time of this process and of its compilers [s]."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
