"""A twisted cord: one end is turned three times, and the slack cord winds around itself in a loop."""

from pathlib import Path

import numpy as np

from gambol.matter.forces import SelfTouch, Surroundings
from gambol.matter.mesh import rope, with_twist
from gambol.matter.motion import MeshStepper, StepRule
from gambol.matter.scene import meshes_film
from gambol.view.page import write_page

LENGTH, POINTS, SLACK, HEIGHT = 1.0, 41, 0.35, 0.4
BEND, TWIST = 2e-3, 1.5e-3
"""E I and G J [N m2]."""

TURN, THICKNESS = 6.0 * np.pi, 0.012


def main() -> None:
    s = np.linspace(0.0, LENGTH, POINTS)
    straight = np.stack([s, np.zeros(POINTS), np.zeros(POINTS)], axis=1)
    line = rope(straight, density=0.1, stretch=50.0, bend=BEND, damping=0.01)
    cord = with_twist(line, stiffness=TWIST, turn=TURN)
    around = Surroundings(gravity=(0.0, 0.0, 0.0), self_touch=SelfTouch(THICKNESS, 100.0, 0.02, 0.2, surfaces=True))
    stepper = MeshStepper(cord, around, StepRule("implicit euler", 1.0 / 240.0))
    sag = np.sin(np.pi * s) ** 2
    bow = np.stack([(1.0 - SLACK) * s, 0.01 * sag * np.cos(3.0 * s), HEIGHT + 0.38 * sag], axis=1)
    states = [stepper.start(bow)]
    for _ in range(40):
        states.append(stepper.advance(states[-1], 6))
    before, after = (stepper.energies(state) for state in (states[0], states[-1]))
    left = states[-1].twist[0] / TURN
    print(f"it keeps {left:.2f} of its twist, {before['twist']:.3f} J become {after['twist']:.3f} J")
    print(f"bending holds {after['bends']:.3f} J, before {before['bends']:.3f} J")
    x = states[-1].position
    apart = np.linalg.norm(x[:, None] - x[None], axis=2)
    nearest = apart[np.abs(np.subtract.outer(np.arange(POINTS), np.arange(POINTS))) > POINTS // 8].min()
    print(f"points that are far from each other along it come as near as {1e3 * nearest:.0f} mm")
    assert left < 0.75, "it untwists"
    assert after["bends"] > 3.0 * before["bends"], "by bending"
    assert sum(after.values()) < sum(before.values())
    assert 0.5 * THICKNESS < nearest < 3.0 * THICKNESS, "it winds around itself, and does not pass through itself"
    out = Path("out")
    out.mkdir(exist_ok=True)
    write_page(meshes_film("cord", {"cord": (cord, states)}), out / "cord.html")


if __name__ == "__main__":
    main()
