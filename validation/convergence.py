"""How errors of contact fall with the step and with iterations: `python -m validation.convergence` plots them."""

import sys
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.pyplot as plt
import numpy as np

from gambol.formats import moved_into_place
from validation.contact.conditioning import PAIRS, SLOPE, SPOKES, moved_and_carried
from validation.contact.scene import LARGE, tracked
from validation.contact.wheels import steady, wheel, wheel_begin, wheel_reference
from validation.summary import Entry, at_least, write_entries

PICTURE = Path(__file__).parents[1] / "docs" / "validation" / "promises.svg"
STEPS = (4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4)  # s
ITERATIONS = (4, 8, 16, 32, 100)
MOMENT = 0.01  # kg m2 of a wheel of 1 kg and 1 m
ORDERS = {"stepping": 0.9, "impulse": 0.9, "constraint": 1.8}
"""What the error falls with at least, as a power of the step."""


def wheel_error(method: str, step: float) -> float:
    """Error of a rolling wheel's turning before a landing, as a part of it."""
    reference = wheel_reference(SPOKES, SLOPE, MOMENT)
    begin = wheel_begin(SPOKES, 1.0005 * reference[0])
    track = tracked(wheel(SPOKES, SLOPE, MOMENT, 24), method, step, *begin, 8.0, max(step, 1e-3))
    return abs(steady(track, SLOPE, MOMENT, SPOKES)[1] / reference[1] - 1.0)


def order(errors: dict[float, float]) -> float:
    """The power of the step with which errors fall: the slope of a line through their logarithms."""
    return float(np.polyfit(np.log(list(errors)), np.log(list(errors.values())), 1)[0])


def creep() -> dict[str, dict[int, float]]:
    """How far heavy boxes on light ones move in 1 s under "stepping", as part of their width, by iterations."""
    found: dict[str, dict[int, float]] = {f"{low:g} kg under {high:g} kg": {} for low, high in PAIRS}
    for n in ITERATIONS:
        for own, (moved, _) in zip(found.values(), moved_and_carried(PAIRS, "stepping", n), strict=True):
            own[n] = moved
    return found


def drawn(steps: dict[str, dict[float, float]], iterations: dict[str, dict[int, float]]) -> None:
    """Write the picture: errors against the step, and creep against iterations."""
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "gambol"
    figure, (left, right) = plt.subplots(1, 2, figsize=(11.0, 4.2), layout="constrained")
    for k, (name, errors) in enumerate(steps.items()):
        left.loglog(list(errors), list(errors.values()), "os^"[k] + "-", label=f"{name}, order {order(errors):.1f}")
    left.set_title("rimless wheel: turning before a landing")
    left.set_xlabel("step [s]")
    left.set_ylabel("error, part of the value")
    for k, (name, moved) in enumerate(iterations.items()):
        right.loglog(list(moved), [max(x, 1e-16) for x in moved.values()], "os^"[k] + "-", label=name)
    right.set_title("stepping, 1 ms: heavy boxes on light ones")
    right.set_xlabel("iterations")
    right.set_ylabel("moved in 1 s, part of the width")
    _finished(left, right)
    with moved_into_place(PICTURE) as path:
        figure.savefig(path, format="svg", metadata={"Date": None})
    plt.close(figure)


def _finished(*fields: Any) -> None:
    for field in fields:
        field.grid(alpha=0.3)
        field.legend()


def main() -> int:
    """Measure, draw and list; 1 where an error falls more slowly than it should."""
    steps = {name: {h: wheel_error(name, h) for h in STEPS} for name in LARGE}
    drawn(steps, creep())
    entries: list[Entry] = [
        at_least("Rimless wheel: order of the error in the step", name, order(errors), ORDERS[name])
        for name, errors in steps.items()
    ]
    write_entries("promises", entries)
    for entry in entries:
        sys.stdout.write(f"{entry.method}: order {entry.value:.2f}, at least {entry.wanted:g} wanted\n")
    sys.stdout.write(f"{PICTURE}\n")
    return int(not all(entry.met for entry in entries))


if __name__ == "__main__":
    sys.exit(main())
