"""Convergence of contact errors with the step and with iterations: `python -m validation.convergence` plots them."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.pyplot as plt
import numpy as np

from gambol.formats import atomic_write
from validation.contact.conditioning import PAIRS, SLOPE, SPOKES, moved_and_carried
from validation.contact.drift import G, chain, energies
from validation.contact.scene import TIME_STEPPING, simulate
from validation.contact.wheels import steady, wheel, wheel_begin, wheel_reference
from validation.summary import Entry, at_least, write_entries

PICTURE = Path(__file__).parents[1] / "docs" / "validation" / "promises.svg"
STEPS = (4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4)  # s
ITERATIONS = (4, 8, 16, 32, 100)
MOMENT = 0.01  # kg m2 of a wheel of 1 kg and 1 m
STYLES = ("o-", "s--", "^:", "d-.")
"""Markers and lines of curves: at most four in a plot."""

ORDERS = {"stepping": 1.8, "impulse": 1.8, "constraint": 1.8}
"""Required order in the step of the energy drift of a spun chain."""


def wheel_error(method: str, step: float) -> float:
    """Return the relative error of a rolling wheel's angular velocity before a landing."""
    reference = wheel_reference(SPOKES, SLOPE, MOMENT)
    begin = wheel_begin(SPOKES, 1.0005 * reference[0])
    trajectory = simulate(wheel(SPOKES, SLOPE, MOMENT, 24), method, step, *begin, 8.0, max(step, 1e-3))
    return abs(steady(trajectory, SLOPE, MOMENT, SPOKES)[1] / reference[1] - 1.0)


def chain_error(method: str, step: float) -> float:
    """Return the largest relative energy change of a chain that is spun on ice for 2 s."""
    scene, q, v = chain(G)
    total = sum(energies(scene, simulate(scene, method, step, q, v, 2.0, 0.01)))
    return float(np.abs(total / total[0] - 1.0).max())


def order(errors: dict[float, float]) -> float:
    """Return the order of convergence: the slope through the logarithms of the three smallest steps."""
    finest = sorted(errors)[:3]
    return float(np.polyfit(np.log(finest), np.log([errors[h] for h in finest]), 1)[0])


def creep() -> dict[str, dict[int, float]]:
    """Return the displacement of heavy boxes on light ones in 1 s under "stepping", per width, by iterations."""
    moved_by_stack: dict[str, dict[int, float]] = {f"{low:g} kg under {high:g} kg": {} for low, high in PAIRS}
    for n in ITERATIONS:
        for curve, (moved, _) in zip(moved_by_stack.values(), moved_and_carried(PAIRS, "stepping", n), strict=True):
            curve[n] = moved
    return moved_by_stack


def draw(
    wheels: dict[str, dict[float, float]], chains: dict[str, dict[float, float]], stacks: dict[str, dict[int, float]]
) -> None:
    """Write the plot: two errors against the step, and creep against iterations."""
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "gambol"
    figure, (wheel_axes, chain_axes, stack_axes) = plt.subplots(1, 3, figsize=(14.0, 4.2), layout="constrained")
    _curves(wheel_axes, in_ms(wheels), "step [ms]", "error of the turning before a landing")
    _curves(chain_axes, in_ms(chains), "step [ms]", "largest change of energy in 2 s, part of it")
    _curves(stack_axes, stacks, "iterations", "moved in 1 s, part of the width")
    wheel_axes.set_title("landings: a wheel of six light spokes")
    chain_axes.set_title("held contact: a chain spun on smooth ice")
    stack_axes.set_title("stepping, 1 ms: heavy boxes on light ones")
    stack_axes.set_ylim(bottom=1e-14)  # room for the legend
    stack_axes.legend(loc="lower left")
    with atomic_write(PICTURE) as path:
        figure.savefig(path, format="svg", metadata={"Date": None})
    plt.close(figure)


def in_ms(curves: dict[str, dict[float, float]]) -> dict[str, dict[float, float]]:
    """Return curves with the step in milliseconds."""
    return {name: {1e3 * h: error for h, error in errors.items()} for name, errors in curves.items()}


def _curves(axes: Any, curves: Mapping[str, Mapping[Any, float]], across: str, up: str) -> None:
    for style, (name, points) in zip(STYLES[: len(curves)], curves.items(), strict=True):
        axes.loglog([*points], [*points.values()], style, label=name)
    ticks = sorted({x for points in curves.values() for x in points})
    axes.set_xticks(ticks, [f"{x:g}" for x in ticks])
    axes.minorticks_off()
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.grid(alpha=0.3)
    axes.legend()


def main() -> int:
    """Measure, plot and print; return 1 if an order of convergence is too low."""
    wheels = {name: {h: wheel_error(name, h) for h in STEPS} for name in TIME_STEPPING}
    chains = {name: {h: chain_error(name, h) for h in STEPS[1:]} for name in TIME_STEPPING}
    draw(wheels, chains, creep())
    entries: list[Entry] = [
        at_least("Chain spun on ice: order of the drift of energy in the step", name, order(errors), ORDERS[name])
        for name, errors in chains.items()
    ]
    write_entries("promises", entries)
    for entry in entries:
        sys.stdout.write(f"{entry.method}: order {entry.value:.2f}, at least {entry.wanted:g} wanted\n")
    sys.stdout.write(f"{PICTURE}\n")
    return int(not all(entry.met for entry in entries))


if __name__ == "__main__":
    sys.exit(main())
