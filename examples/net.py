"""A walker over a net: the roach walks over threads that yield under its feet, and carry its weight."""

from dataclasses import replace
from pathlib import Path

import numpy as np

import gambol
from gambol.matter.forces import Surroundings, Touch
from gambol.matter.mesh import ClothMaterial, SpringMesh, cloth
from gambol.matter.motion import StepRule
from gambol.matter.scene import MeshPart, Scene, scene_film
from gambol.view.page import write_page

SPACING, ROWS, COLUMNS = 2.5e-3, 23, 37
MATERIAL = ClothMaterial(density=0.1, warp=200.0, weft=200.0, shear=50.0, bend=0.0, damping=2e-3)
TIGHT = 0.97
"""Rest length of the threads over their length in the frame."""

TOUCH = Touch(stiffness=150.0, damping=0.015, friction=0.7, thickness=4e-4)
SECONDS = 0.4
LEVEL = 0.012
"""Height of the net above the floor of the film [m]; nothing else is there to stand on."""


def tight_net(back: float) -> SpringMesh:
    """Return a net, held at its rim. back: x of its rear end [m]."""
    rim = [(i, j) for i in range(ROWS) for j in range(COLUMNS) if i in (0, ROWS - 1) or j in (0, COLUMNS - 1)]
    corner = (back, -0.5 * SPACING * (ROWS - 1), LEVEL - 0.5 * TOUCH.thickness)
    net = cloth(ROWS, COLUMNS, SPACING, MATERIAL, origin=corner, pins=rim)
    return replace(net, springs=replace(net.springs, rest=TIGHT * net.springs.rest))


def main() -> None:
    world = replace(gambol.make_world(gambol.roach(), contact="stepping"), ground=gambol.NoGround())
    net = tight_net(-0.035)
    feet = [link.name for link in world.figure.links if link.name.startswith("leg") and link.name[-1] in "34"]
    rule = StepRule("implicit euler", world.timing.control_step)
    part = MeshPart(net, Surroundings(touch=TOUCH), rule, touches=tuple(feet))
    scene = Scene(world, {"net": part}, passes=1)
    height = float(gambol.start(gambol.make_world(gambol.roach())).q[0, 6]) - 0.0012  # its hind feet just touch
    begin = scene.start(gambol.start(scene.world, position=(0.0, 0.0, LEVEL + height)))
    states = scene.run(begin, SECONDS, every=12)
    late = states[len(states) // 4 :]
    pull = np.array([s.exchange[:, 5].sum() for s in late]) / world.timing.control_step
    weight = 9.81 * sum(link.mass_properties.mass for link in world.figure.links)
    way = states[-1].figure.q[0, 4:7] - states[0].figure.q[0, 4:7]
    sag = min(float(s.meshes["net"].position[:, 2].min()) for s in late) - LEVEL
    spin = max(float(np.abs(s.figure.v[0, 6:]).max()) for s in late)
    print(f"the roach walks {1e3 * way[0]:.1f} mm over the net, which yields {-1e3 * sag:.2f} mm under its feet")
    print(f"the net bears {pull.mean() / weight:.2f} of its weight; the fastest joint turns at {spin:.0f} rad/s")
    assert way[0] > 8e-3, "it walks"
    assert way[2] > -8e-3, "it does not sink: its belly is 9 mm above the net as it stands"
    assert abs(pull.mean() / weight - 1.0) < 0.1, "the net carries it"
    assert spin < 500.0, "feet neither spin nor slip through"
    out = Path("out")
    out.mkdir(exist_ok=True)
    write_page(scene_film(scene, states, threads=["net"]), out / "net.html", speed=0.25)


if __name__ == "__main__":
    main()
