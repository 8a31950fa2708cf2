"""A rope that a walker pulls: the roach drags a thread over the ground, which pulls back with its friction."""

from pathlib import Path

import numpy as np

import gambol
from gambol.collide import Plane
from gambol.matter.forces import Surroundings, Touch
from gambol.matter.mesh import rope
from gambol.matter.motion import StepRule
from gambol.matter.scene import MeshPart, Scene, Tether, scene_film
from gambol.view.page import write_page

POINTS, FRICTION = 14, 0.8
REAR = (-0.00815, 0.0, -0.002)
"""The place on the roach that holds the thread: the rear of its abdomen, in the abdomen's frame [m]."""

BEHIND, REACH = 0.008, 0.024
"""The thread comes down over this length behind the roach, and then lies on the ground for the other one [m]."""

DENSITY = 4e-3
"""Mass per length [kg/m]: the thread weighs 0.14 g, a 15th of the roach."""


def main() -> None:
    creature = gambol.roach()
    world = gambol.make_world(creature)
    standing = gambol.start(world)
    rear = standing.q[0, 4:7] + REAR
    x = np.linspace(rear[0] - BEHIND - REACH, rear[0], POINTS)
    z = np.interp(x, [rear[0] - BEHIND, rear[0]], [0.0006, rear[2]])
    thread = rope(np.stack([x, np.zeros(POINTS), z], axis=1), density=DENSITY, stretch=0.2, damping=2e-3)
    around = Surroundings(ground=Plane(), touch=Touch(5.0, 1e-3, FRICTION, 1e-3))
    tether = Tether(world.figure.root.name, [POINTS - 1], [REAR], stiffness=2.0, damping=1e-3)
    rule = StepRule("implicit euler", world.timing.control_step)
    scene = Scene(world, {"thread": MeshPart(thread, around, rule, (tether,), ())}, passes=1)
    state = scene.start(standing)
    states = scene.run(state, 0.6, every=24)
    alone = gambol.run(world, gambol.start(world), seconds=0.6)
    way = np.linalg.norm(states[-1].figure.q[0, 4:6] - states[0].figure.q[0, 4:6])
    free_way = np.linalg.norm(alone.signals["centre"][-1, 0, :2] - alone.signals["centre"][0, 0, :2])
    dragged = states[-1].meshes["thread"].position[0, 0] - x[0]
    work = float(states[-1].figure.step_state.ledger.outside[0])
    friction = states[-1].meshes["thread"].ledger.friction
    print(f"the roach walks {1e2 * way:.2f} cm in 0.6 s, {1e2 * free_way:.2f} cm without the thread")
    print(f"it drags the thread's end {1e2 * dragged:.2f} cm; the thread takes {-1e6 * work:.2f} uJ from it")
    print(
        f"friction takes {-1e6 * friction:.2f} uJ, weight times friction times way is "
        f"{1e6 * DENSITY * REACH * 9.81 * FRICTION * dragged:.2f} uJ"
    )
    assert dragged > 0.5 * way > 0.0, "the thread follows"
    assert way < free_way, "it slows the walker"
    assert work < 0.0 > friction, "the walker works on the thread, which loses that to the ground"
    out = Path("out")
    out.mkdir(exist_ok=True)
    write_page(scene_film(scene, states), out / "rope.html", speed=0.25)


if __name__ == "__main__":
    main()
