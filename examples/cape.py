"""A cape on the walker: a cloth held at the roach's shoulders hangs over its body, and follows it."""

from pathlib import Path

import numpy as np

import gambol
from gambol.matter.forces import Air, Surroundings, Touch
from gambol.matter.mesh import ClothMaterial, cloth
from gambol.matter.motion import StepRule
from gambol.matter.scene import MeshPart, Scene, Tether, scene_film
from gambol.view.page import write_page

ROWS, COLUMNS, SPACING = 9, 7, 2e-3
MATERIAL = ClothMaterial(density=0.05, warp=0.5, weft=0.5, shear=0.1, bend=0.005, damping=1e-3)


def main() -> None:
    world = gambol.make_world(gambol.roach())
    standing = gambol.start(world)
    root = standing.q[0, 4:7]
    top = root[2] + 0.004
    corner = (root[0] + 0.002, -0.5 * SPACING * (COLUMNS - 1), top)
    cape = cloth(ROWS, COLUMNS, SPACING, MATERIAL, origin=corner, axes=((-1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
    shoulders = list(range(COLUMNS))
    tether = Tether(world.figure.root.name, shoulders, stiffness=2.0, damping=5e-4)
    around = Surroundings(air=Air(), ground=world.ground, touch=Touch(0.5, 1e-4, 0.3, 8e-4))
    trunk = tuple(link.name for link in world.figure.links if link.name in ("thorax", "abdomen", "head"))
    rule = StepRule("implicit euler", world.timing.control_step)
    scene = Scene(world, {"cape": MeshPart(cape, around, rule, (tether,), trunk)}, passes=1)
    states = scene.run(scene.start(standing), 0.25, every=24)
    positions = np.array([s.meshes["cape"].position for s in states])
    way = states[-1].figure.q[0, 4:7] - states[0].figure.q[0, 4:7]
    moved = (positions[-1] - positions[0]).mean(axis=0)
    heights = positions[-1][:, 2]
    exchange = np.array([s.exchange[0, 3:] for s in states[8:]]) / world.timing.control_step
    weight = cape.masses.sum() * 9.81
    print(
        f"the roach walks {1e2 * way[0]:.2f} cm, its cape {1e2 * moved[0]:.2f} cm; it reaches down to "
        f"{1e3 * heights.min():.1f} mm above the ground"
    )
    print(f"the cape weighs {1e6 * weight:.1f} uN, its mean pull is {-1e6 * exchange[:, 2].mean():.1f} uN")
    assert abs(moved[0] - way[0]) < 0.5 * SPACING * ROWS, "it stays on the walker"
    assert heights.min() > -1e-3
    assert -exchange[:, 2].mean() > 0.1 * weight
    out = Path("out")
    out.mkdir(exist_ok=True)
    write_page(scene_film(scene, states), out / "cape.html")


if __name__ == "__main__":
    main()
