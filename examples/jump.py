"""The roach jumps after a sudden change of all rest angles. [McKenna 1990, section 5.4]"""

import numpy as np

import gambol

STRETCH = 0.4  # how far the rest angles of all femora drop at once [rad]


def main() -> None:
    creature = gambol.roach()
    world = gambol.make_world(creature, begins=10.0)
    state = gambol.start(world)
    gambol.run(world, state, seconds=0.3)

    gait = state.step_state.memory.control
    for leg in creature.legs:
        femur = world.controller.joints.index(leg.links[1])
        gait.rest[femur][:] -= STRETCH if leg.side == "left" else -STRETCH
        gait.target[femur][:] = gait.rest[femur]

    film = gambol.run(world, state, seconds=0.1)
    airborne = (film.signals["push"][:, 0] == 0.0).all(axis=-1)
    rise = np.ptp(film.signals["centre"][:, 0, 2])
    print(f"in the air for {1e3 * airborne.mean() * film.duration:.0f} ms, rises {1e3 * rise:.1f} mm")
    assert airborne.any(), "it never left the ground"


if __name__ == "__main__":
    main()
