"""A flag in the wind: it streams out along the wind, waves, and hangs again when the wind drops."""

from pathlib import Path

import numpy as np

from gambol.matter.forces import Air, SelfTouch, Surroundings
from gambol.matter.mesh import ClothMaterial, cloth
from gambol.matter.motion import MeshStepper, StepRule
from gambol.matter.scene import meshes_film
from gambol.view.page import write_page

ROWS, COLUMNS, SPACING = 11, 16, 0.06
MATERIAL = ClothMaterial(density=0.1, warp=80.0, weft=80.0, shear=20.0, bend=0.2)


def main() -> None:
    pole = [(row, 0) for row in range(ROWS)]
    axes = ((0.0, 0.0, -1.0), (0.9, 0.4, 0.0))
    flag = cloth(ROWS, COLUMNS, SPACING, MATERIAL, origin=(0.0, 0.0, 1.2), axes=axes, pins=pole)
    far = np.arange(ROWS) * COLUMNS + COLUMNS - 1  # the points of the free edge
    state, reach, sway, states = None, {}, {}, []
    for speed in (8.0, 0.0):
        air = Surroundings(
            air=Air(velocity=(speed, 0.0, 0.0), lift=1.2), self_touch=SelfTouch(0.01, 100.0, 0.02, 0.3, surfaces=True)
        )
        stepper = MeshStepper(flag, air, StepRule("implicit euler", 1.0 / 120.0))
        edge = []
        for _ in range(90):
            state = stepper.advance(state or stepper.start(), 2)
            states.append(state)
            edge.append(state.position[far].mean(axis=0))
        late = np.array(edge[-30:])
        reach[speed], sway[speed] = late[:, 0].mean() / (SPACING * (COLUMNS - 1)), np.ptp(late[:, 1])
        print(f"wind of {speed:g} m/s: its edge is at {reach[speed]:.2f} of its length, sways {sway[speed]:.3f} m")
    assert reach[8.0] > 0.7, "it streams out"
    assert sway[8.0] > 0.02, "it waves"
    assert reach[0.0] < 0.5, "it hangs when the wind drops"
    out = Path("out")
    out.mkdir(exist_ok=True)
    write_page(meshes_film("flag", {"flag": (flag, states)}), out / "flag.html")


if __name__ == "__main__":
    main()
