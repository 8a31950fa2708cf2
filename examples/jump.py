"""The roach jumps after a sudden change of all rest angles. [McKenna 1990, section 5.4]"""

from dataclasses import replace

import numpy as np

import gambol

STRETCH = 0.4  # how far the rest angles of all femora drop at once [rad]


def stretched(creature: gambol.Creature) -> gambol.Creature:
    """Return the creature with the rest angles of all femora turned down."""
    springs = dict(creature.springs)
    for leg in creature.legs:
        femur, down = leg.links[1], -1.0 if leg.side == "left" else 1.0
        springs[femur] = replace(springs[femur], rest=springs[femur].rest + down * STRETCH)
    return replace(creature, springs=springs)


def main() -> None:
    creature = gambol.roach()
    standing = gambol.make_world(creature, begins=10.0)
    state = gambol.start(standing)
    gambol.run(standing, state, seconds=0.3)

    jumping = gambol.make_world(stretched(creature), begins=10.0)
    film = gambol.run(jumping, gambol.start(jumping, q=state.q, v=state.v), seconds=0.1)
    airborne = (film.signals["push"][:, 0] == 0.0).all(axis=-1)
    rise = np.ptp(film.signals["centre"][:, 0, 2])
    print(f"in the air for {1e3 * airborne.mean() * film.duration:.0f} ms, rises {1e3 * rise:.1f} mm")
    assert airborne.any(), "it never left the ground"


if __name__ == "__main__":
    main()
