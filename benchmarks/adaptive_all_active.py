"""Cost of adaptive dynamics while all joints are active: `python -m benchmarks.adaptive_all_active [SCENE ...]`.

All joints of each scene of benchmarks.adaptive move a little, and the error bound is so small that all are active.
Prints the processor time of 34 intervals beside that of the full motion, without and with the first choice.
"""

import sys
import time
from dataclasses import replace

import numpy as np

from benchmarks.adaptive import SCENES, Scene, started
from gambol import AdaptiveDynamics

INTERVALS = 34
BOUND, SPEED = 1e-7, 1e-3  # of the error and of the first velocities [rad/s]


def seconds(scene: Scene, motion: AdaptiveDynamics) -> float:
    """Return the processor time of an interval [s]."""
    begin = time.process_time()
    motion.advance(scene.step, scene.interval)
    return time.process_time() - begin


def main(*names: str) -> int:
    """Print a row for each scene; return 1 if one does not keep all joints active."""
    print("| scene | joints | ratio of times | with the first choice |\n| --- | --- | --- | --- |", flush=True)
    failed = False
    for name in names or SCENES:
        scene = SCENES[name]()
        noise = np.random.default_rng(1).normal(size=len(scene.v)) * SPEED
        scene = replace(scene, v=scene.v + noise)
        full, adaptive = started(scene), started(scene, BOUND)
        times = np.array([(seconds(scene, adaptive), seconds(scene, full)) for _ in range(INTERVALS)])
        ratio, with_first = (float(np.divide(*part.sum(axis=0))) for part in (times[1:], times))
        failed |= any(choice.joints < adaptive.joint_count for choice in adaptive.choices)
        print(f"| {name} | {adaptive.joint_count} | {ratio:.3f} | {with_first:.3f} |", flush=True)
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
