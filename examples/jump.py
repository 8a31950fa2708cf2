"""Set all rest angles at once, and the roach jumps. [McKenna 1990, section 5.4]"""

import numpy as np

import gambol

CROUCH = {"femur": -0.5, "tibia": -0.6}  # what the left legs' rest angles are moved by, all at once [rad]


def main() -> None:
    creature = gambol.roach()
    world = gambol.world_of(creature, begins=10.0)
    state = gambol.set_down(creature, world)
    gambol.run(world, state, seconds=0.3)

    gait = state.living.memory.gait
    for leg in creature.legs:
        sign = 1.0 if leg.side == "left" else -1.0
        for joint, change in zip(leg.links[1:3], CROUCH.values(), strict=True):
            k = world.controller.joints.index(joint)
            gait.rest[k][:] += sign * change
            gait.target[k][:] = gait.rest[k]

    film = gambol.run(world, state, seconds=0.1)
    airborne = (film.signals["push"][:, 0] == 0.0).all(axis=-1)
    rise = np.ptp(film.signals["centre"][:, 0, 2])
    print(f"in the air for {1e3 * airborne.mean() * film.duration:.0f} ms, rises {1e3 * rise:.1f} mm")
    assert airborne.any(), "it never left the ground"


if __name__ == "__main__":
    main()
