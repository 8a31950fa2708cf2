"""A smooth transition from the wave gait to the tripod gait: no leg misses a step, no neighbours step at once."""

import numpy as np

import gambol


def main() -> None:
    creature = gambol.roach()
    world = gambol.make_world(creature, speed=3.0, speed_after=1.0, ramp=(0.4, 1.4))
    film = gambol.run(world, gambol.start(world), seconds=1.9)
    stepping = film.signals["stepping"][:, 0] > 0.5
    for i, leg in enumerate(creature.legs):
        lifts = film.time[np.flatnonzero(np.diff(stepping[:, i].astype(int)) == 1)]
        pauses = np.diff(lifts)
        print(f"{leg.name:12s} lifts every {', '.join(f'{1e3 * p:.0f}' for p in pauses)} ms")
        assert (np.diff(pauses) < 0.02).all(), "a leg slowed down while the gait sped up"
        assert abs(pauses[-1] - 0.1) < 0.003, "it does not end in the tripod gait"
        for j, other in enumerate(creature.legs):
            if other.side == leg.side and abs(other.rank - leg.rank) == 1:
                assert not (stepping[:, i] & stepping[:, j]).any(), f"{leg.name} and {other.name} step at once"
    height = film.signals["centre"][film.time > 0.2, 0, 2]
    speed = np.gradient(film.signals["centre"][:, 0, 0], film.time)
    slow, fast = 100.0 * speed[300:480].mean(), 100.0 * speed[-240:].mean()
    print(f"from {slow:.1f} to {fast:.1f} cm/s; the height changes by {1e3 * np.ptp(height):.1f} mm")
    assert film.signals["clearance"][film.time > 0.1].min() > 0.0, "the belly touched"


if __name__ == "__main__":
    main()
