"""Curves of adaptive dynamics: `python -m benchmarks.adaptive_curves [PICTURE [SCENE ...]]`.

Runs each scene of benchmarks.adaptive for half a second with several numbers of active joints and several bounds, and
compares it with the full motion. Draws the error of all links over both, and how much of the bound is really missed.
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.adaptive import SCENES, Array, Scene, started
from gambol import AdaptiveDynamics
from gambol.dynamics.states import kinematics

INTERVALS = 10
JOINTS = (3, 10, 30, 100, 300)
BOUNDS = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)


@dataclass(frozen=True)
class Point:
    """A run. limit: its number of joints, or its bound [rad/s]. active: mean number of active joints.

    error: root of the mean square of the distances of all links from the full motion at the end, as a fraction of the
    largest displacement of a link. missed: largest speed in an interval that held joints miss, the root of the mean
    square over all degrees of freedom [rad/s].
    """

    limit: float
    active: float
    error: float
    missed: float


def missed_speed(scene: Scene, full: AdaptiveDynamics, start: tuple[Array, Array], adaptive: AdaptiveDynamics) -> float:
    """Return the speed that held joints miss in an interval: they have it in the full motion from the same state."""
    full.start(*start)
    full.advance(scene.step, scene.interval)
    held, active = np.ones(full.figure.nv, bool), {*adaptive.active_links, full.figure.root.name}
    for link in full.figure.links:
        if link.name in active:
            held[link.v] = False
    return float(np.sqrt(np.sum(full.v[held] ** 2) / full.figure.nv))


def run(scene: Scene, full: AdaptiveDynamics, at_end: Array, size: float, **limit: float | int) -> Point:
    """Return the point of a run. at_end: positions of all links in the full motion at its end; size: see Point."""
    adaptive = started(scene, hold="always", **limit)  # pyright: ignore[reportArgumentType]
    missed = 0.0
    for _ in range(INTERVALS):
        start = adaptive.q, adaptive.v
        adaptive.advance(scene.step, scene.interval)
        missed = max(missed, missed_speed(scene, full, start, adaptive))
    distances = np.linalg.norm(kinematics(scene.figure, adaptive.q).position - at_end, axis=1)
    active = float(np.mean([choice.joints for choice in adaptive.choices]))
    (value,) = limit.values()
    return Point(value, active, float(np.sqrt(np.mean(distances**2)) / size), missed)


def curves(name: str) -> tuple[list[Point], list[Point]]:
    """Return the runs of a scene with numbers of joints, and with bounds."""
    scene = SCENES[name]()
    full = started(scene)
    full.advance(scene.step, scene.interval * INTERVALS)
    at_end = kinematics(scene.figure, full.q).position
    moved = np.linalg.norm(at_end - kinematics(scene.figure, scene.q).position, axis=1)
    size = float(moved.max())
    by_joints = [run(scene, full, at_end, size, joints=n) for n in JOINTS if n < full.joint_count]
    by_bound = [run(scene, full, at_end, size, error=x) for x in BOUNDS]
    return by_joints, by_bound


def draw(path: Path, found: dict[str, tuple[list[Point], list[Point]]]) -> None:
    """Draw the curves of all scenes."""
    from matplotlib.figure import Figure as Drawing

    drawing = Drawing(figsize=(13.0, 4.2), layout="constrained")
    axes: Any = drawing.subplots(1, 3)
    for name, (by_joints, by_bound) in found.items():
        axes[0].loglog([p.active for p in by_joints], [100.0 * p.error for p in by_joints], "o-", label=name)
        axes[1].loglog([p.limit for p in by_bound], [100.0 * p.error for p in by_bound], "o-", label=name)
        shown = [p for p in by_bound if p.missed > 0.0]
        axes[2].loglog([p.limit for p in shown], [p.missed / p.limit for p in shown], "o-", label=name)
    axes[2].axhline(1.0, color="black", linewidth=1.0)
    titles = ("with a number of joints", "with a bound", "how much of the bound is missed")
    for one, title, below, beside in zip(
        axes,
        titles,
        ("mean of active joints", "bound [rad/s]", "bound [rad/s]"),
        ("error of all links [%]", "error of all links [%]", "missed speed in an interval / bound"),
        strict=True,
    ):
        one.set(title=title, xlabel=below, ylabel=beside)
        one.grid(visible=True, alpha=0.3)
    axes[0].legend()
    drawing.savefig(path, dpi=110)


def main(path: str = "adaptive-curves.png", *names: str) -> int:
    """Print the runs of scenes (all without names) as a table, and draw them. Return 0."""
    found = dict[str, tuple[list[Point], list[Point]]]()
    print("| scene | joints, or bound [rad/s] | active | error | missed / bound |\n| --- | --- | --- | --- | --- |")
    for name in names or SCENES:
        found[name] = curves(name)
        for point in found[name][0]:
            print(f"| {name} | {point.limit} joints | {point.active:.0f} | {100 * point.error:.2g} % | |")
        for point in found[name][1]:
            ratio = f"{point.missed / point.limit:.2g}"
            print(
                f"| {name} | {point.limit:g} | {point.active:.0f} | {100 * point.error:.2g} % | {ratio} |", flush=True
            )
    draw(Path(path), found)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
