"""Over hills a third of its standing height, in the wave gait on sticky feet, the roach goes three body lengths."""

from dataclasses import replace

import numpy as np

import gambol

GROUNDS, SECONDS, LENGTHS = 16, 8.0, 3.0
BODY = 0.029  # [m]
WAVELENGTH = 0.03  # of the shortest hills: a body length [m]


def survivors(creature: gambol.Creature, *, reflexes: bool, seed: int = 0) -> int:
    """How many of 16 roaches, each on hills of its own, go three body lengths without falling."""
    ground, middles = strips_of_hills(gambol.standing_height(creature) / 3.0, seed)
    world = gambol.world_of(creature, speed=3.0, feet="sticky", ground=ground, reflexes=reflexes)
    places = np.column_stack([np.zeros(GROUNDS), middles])
    state = gambol.set_down(creature, world, GROUNDS, places=places)
    engine = gambol.Engine(world)
    fell = arrived = np.zeros(GROUNDS, bool)
    for moment in np.arange(0.5, SECONDS, 0.5):
        engine.move(state, round(moment / world.timing.frame), threads=2)
        _, x, y, _ = state.q[:, :4].T
        fell = fell | (1.0 - 2.0 * (x * x + y * y) < 0.5) | (state.living.clock.status > 0.0)
        arrived = arrived | (~fell & (state.q[:, 4] > LENGTHS * BODY))
        if (fell | arrived).all():
            break
    return int(arrived.sum())


def strips_of_hills(height: float, seed: int) -> tuple[gambol.HeightGrid, np.ndarray]:
    """Sixteen grounds side by side, each with hills of its own up to a height [m], and the y of their middles [m]."""
    strips: list[np.ndarray] = []
    for k in range(GROUNDS):
        field = gambol.random_hills(height, wavelength=WAVELENGTH, reach=0.2, seed=seed + k)
        start = round((-2.0 * BODY - field.x0) / field.spacing)
        middle = field.heights.shape[1] // 2
        strip = field.heights[start:, middle - 10 : middle + 10]
        strips.append(strip * height / strip.max())
    width = strips[0].shape[1] * field.spacing
    ground = gambol.HeightGrid(np.hstack(strips), field.spacing, field.x0 + start * field.spacing, 0.0)
    return ground, (np.arange(GROUNDS) + 0.5) * width


def main() -> None:
    whole = gambol.roach()
    lame = whole.without_leg("middle left")
    anew = replace(lame, reflexes=gambol.calibrate(lame))
    for reflexes in (True, False):
        counts = [survivors(creature, reflexes=reflexes) for creature in (whole, lame)]
        print(f"reflexes {'on' if reflexes else 'off'}: {counts[0]} of 16 arrive; without a middle leg {counts[1]}")
        assert counts[0] >= 14, "too few arrive"
    count = survivors(anew, reflexes=True)
    print(f"without a middle leg, its reflexes calibrated anew: {count} of 16 arrive")
    assert count >= 14, "too few arrive"


if __name__ == "__main__":
    main()
