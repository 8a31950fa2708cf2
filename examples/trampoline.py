"""A trampoline: a ball of 1 kg falls on a net of springs, which throws it back; what one gains the other gives."""

from pathlib import Path

import numpy as np

from gambol import make_world
from gambol.collide import NoGround
from gambol.figure import Figure, Joint, Link, Part, Sphere
from gambol.matter.forces import Surroundings, Touch
from gambol.matter.mesh import ClothMaterial, cloth
from gambol.matter.motion import StepRule
from gambol.matter.scene import MeshPart, Scene, scene_film
from gambol.view.camera import FixedCamera
from gambol.view.page import write_page
from gambol.world import Timing, start

RADIUS, MASS, DROP = 0.1, 1.0, 0.5
LEVEL = 0.4  # height of the net [m]
H = 1.0 / 480.0


def main() -> None:
    part = Part(Sphere(RADIUS), density=MASS / (4.0 / 3.0 * np.pi * RADIUS**3))
    ball = Figure("ball", (Link("ball", None, Joint("free"), (part,)),))
    world = make_world(ball, ground=NoGround(), timing=Timing(H, H, "velocity verlet"))
    n = 13
    rim = [(i, j) for i in range(n) for j in range(n) if i in (0, n - 1) or j in (0, n - 1)]
    material = ClothMaterial(density=0.3, warp=2500.0, weft=2500.0, shear=400.0, bend=0.0, damping=2e-4)
    net = cloth(n, n, 0.07, material, origin=(-0.42, -0.42, LEVEL), pins=rim)
    around = Surroundings(touch=Touch(stiffness=2000.0, damping=0.1, friction=0.3, thickness=0.01))
    scene = Scene(world, {"net": MeshPart(net, around, StepRule("velocity verlet", H / 10.0))})
    state = scene.start(start(scene.world, position=(0.0, 0.0, LEVEL + RADIUS + DROP)))
    states = scene.run(state, 0.8, every=4)
    height = np.array([s.figure.q[0, 6] for s in states]) - RADIUS - LEVEL
    lowest = int(height.argmin())
    rebound = height[lowest:].max()
    print(f"it sinks {-height[lowest]:.3f} m into the net and rises again to {rebound:.3f} m of {DROP} m")
    figure = [scene.figure_energy(s) for s in (states[0], states[lowest])]
    mesh = scene.mesh_energy(states[lowest]) - scene.mesh_energy(states[0])
    print(f"at the lowest point the ball has given {figure[0] - figure[1]:.2f} J, and the net holds {mesh:.2f} J of it")
    assert height[lowest] < -0.05
    assert 0.3 * DROP < rebound < DROP
    assert 0.5 * (figure[0] - figure[1]) < mesh < figure[0] - figure[1]
    out = Path("out")
    out.mkdir(exist_ok=True)
    beside = FixedCamera(position=(1.6, -2.3, 1.9), target=(0.0, 0.0, 0.55))
    write_page(scene_film(scene, states), out / "trampoline.html", speed=0.2, camera=beside)


if __name__ == "__main__":
    main()
