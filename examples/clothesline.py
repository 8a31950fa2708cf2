"""A clothesline: a cloth falls on a rope and hangs over it; both are thin, and touch with edges and triangles."""

from pathlib import Path

import numpy as np

from gambol.collide import Plane
from gambol.matter.forces import Air, SelfTouch, Surroundings, Touch
from gambol.matter.mesh import ClothMaterial, cloth, joined, rope
from gambol.matter.motion import MeshStepper, StepRule
from gambol.matter.scene import meshes_film
from gambol.view.page import write_page

SIDE, SPACING, HEIGHT = 15, 0.04, 0.9
MATERIAL = ClothMaterial(density=0.2, warp=150.0, weft=150.0, shear=30.0, bend=0.3, damping=0.004)
TOUCH = SelfTouch(diameter=0.006, stiffness=300.0, damping=0.05, friction=0.5, surfaces=True)


def main() -> None:
    half = 0.5 * SPACING * (SIDE - 1)
    towel = cloth(SIDE, SIDE, SPACING, MATERIAL, origin=(-half, -half + 0.013, HEIGHT + 0.02))
    ends = np.linspace([-0.6, 0.0, HEIGHT], [0.6, 0.0, HEIGHT], 25)
    line = rope(ends, density=0.05, stretch=2000.0, damping=0.002, pins=[0, -1])
    both, n = joined([towel, line], "clothesline"), len(towel.points)
    around = Surroundings(air=Air(), ground=Plane(), touch=Touch(200.0, 0.05, 0.5, 0.006), self_touch=TOUCH)
    stepper = MeshStepper(both, around, StepRule("implicit euler", 1.0 / 240.0))
    states = [stepper.start()]
    for _ in range(40):
        states.append(stepper.advance(states[-1], 6))
    last = states[-1].position
    sides = [last[:n][np.sign(last[:n, 1]) == side] for side in (-1.0, 1.0)]
    reach = [HEIGHT - side[:, 2].min() for side in sides]
    sag = HEIGHT - last[n:, 2].min()
    weight = 9.81 * towel.masses.sum()
    speed = float(np.abs(states[-1].velocity).max())
    print(
        f"the line sags by {1e3 * sag:.0f} mm; the towel hangs {reach[0]:.2f} and {reach[1]:.2f} m down on both sides"
    )
    print(f"it weighs {weight:.2f} N, and moves at {speed:.2f} m/s or less after 1 s")
    assert min(reach) > 0.5 * half, "it hangs down on both sides"
    assert 0.002 < sag < 0.1, "the line bears it"
    assert last[:n, 2].min() > 0.2, "no corner is on the ground"
    out = Path("out")
    out.mkdir(exist_ok=True)
    shown = {"towel": (towel, slice(0, n)), "line": (line, slice(n, None))}
    meshes = {name: (mesh, [part_of(state, mesh, rows) for state in states]) for name, (mesh, rows) in shown.items()}
    write_page(meshes_film("clothesline", meshes, ground=Plane()), out / "clothesline.html")


def part_of(state, mesh, rows):
    """Return the state of one of the two meshes. rows: its points in the whole."""
    whole = np.ones(len(mesh.springs), bool)
    return type(state)(state.position[rows], state.velocity[rows], whole, state.time)


if __name__ == "__main__":
    main()
