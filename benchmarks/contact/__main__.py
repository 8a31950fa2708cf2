"""Plot accuracy against time for gambol and MuJoCo: `python -m benchmarks.contact`."""

import json
import sys
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.pyplot as plt

from benchmarks.contact.motion import COMPARED, TIMES, GambolWorlds, MujocoWorlds, our_error, their_error
from benchmarks.contact.scenes import SCENES
from benchmarks.timing import median_and_spread, time_interleaved

STEPS = tuple(0.05 / n for n in (6, 12, 25, 50, 100, 200))  # s: whole numbers of steps for each random torque
WORLDS, PEERS = 256, 8  # numbers of worlds that are timed
REPEATS = 3
PICTURE = Path(__file__).parents[2] / "docs" / "validation" / "contact-accuracy.svg"


def measure_scene(scene: str) -> dict[str, list[dict[str, float]]]:
    """Return for each engine and step the error after 1 s [m], and the computing time of 1 s of one world [s]."""
    found: dict[str, list[dict[str, float]]] = {"gambol, float32": [], "gambol, float64": [], "MuJoCo": []}
    for step in STEPS:
        runs = [
            GambolWorlds(scene, step, "float32", WORLDS),
            GambolWorlds(scene, step, "float64", WORLDS),
            MujocoWorlds(scene, step, PEERS),
        ]
        times = time_interleaved(*(run.run for run in runs), repeats=REPEATS)
        errors = [
            float(error[TIMES.index(1.0)])
            for error in (
                our_error(scene, step, "float32"),
                our_error(scene, step, "float64"),
                their_error(scene, step),
            )
        ]
        for name, run, own, error in zip(found, runs, times, errors, strict=True):
            found[name].append({"step": step, "error": error, "seconds": median_and_spread(own)[0] / run.worlds})
    return found


def draw(found: dict[str, dict[str, list[dict[str, float]]]]) -> None:
    """Write the plot, with one panel for each scene."""
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "gambol"
    figure, fields = plt.subplots(1, len(found), figsize=(12.0, 4.0), layout="constrained")
    for field, (scene, curves) in zip(fields, found.items(), strict=True):
        for name, points in curves.items():
            _curve(field, name, points)
        field.set_title(scene)
        field.set_xlabel("time for a second of one world [s]")
        field.grid(alpha=0.3)
    fields[0].set_ylabel("error of the root's position at 1 s [m]")
    fields[0].legend()
    figure.savefig(PICTURE, metadata={"Date": None})


def _curve(field: Any, name: str, points: list[dict[str, float]]) -> None:
    field.loglog([p["seconds"] for p in points], [p["error"] for p in points], "o-", label=name)
    for p in (points[0], points[-1]):
        field.annotate(f"{p['step'] * 1e3:g} ms", (p["seconds"], p["error"]), fontsize=7)


def main() -> None:
    """Measure all scenes, print the numbers, and plot them."""
    found = {scene: measure_scene(scene) for scene in SCENES}
    print(f"median errors of {COMPARED} worlds", json.dumps(found, indent=1), sep="\n")
    draw(found)


if __name__ == "__main__":
    sys.exit(main())
