"""In the wave gait on sticky feet, the roach walks three body lengths over hills of a third of its standing height."""

from dataclasses import replace

import numpy as np

import gambol

GROUNDS, ENOUGH, SECONDS, LENGTHS = 8, 7, 8.0, 3.0
BODY = 0.029  # [m]
WAVELENGTH = 0.03  # of the shortest hills: a body length [m]


def survivors(creature: gambol.Creature, *, seed: int = 0) -> int:
    """Return how many of 8 roaches, each on its own random hills, walk three body lengths without falling.

    It stops counting at 7, and when so many can no longer arrive.
    """
    ground, middles = strips_of_hills(gambol.standing_height(creature) / 3.0, seed)
    world = gambol.make_world(creature, speed=3.0, feet="sticky", ground=ground)
    places = np.column_stack([np.zeros(GROUNDS), middles])
    state = gambol.start(world, GROUNDS, on_ground=places)
    engine = gambol.Engine(world)
    fell = arrived = np.zeros(GROUNDS, bool)
    for moment in np.arange(0.5, SECONDS, 0.5):
        engine.advance(state, round(moment / world.timing.control_step), threads=2)
        _, x, y, _ = state.q[:, :4].T
        fell = fell | (1.0 - 2.0 * (x * x + y * y) < 0.5) | (state.step_state.clock.status > 0.0)
        arrived = arrived | (~fell & (state.q[:, 4] > LENGTHS * BODY))
        if arrived.sum() >= ENOUGH or fell.sum() > GROUNDS - ENOUGH:
            break
    return int(arrived.sum())


def strips_of_hills(height: float, seed: int) -> tuple[gambol.HeightGrid, np.ndarray]:
    """Return a ground of 8 strips side by side, with different hills up to a height [m], and their middle y [m]."""
    strips: list[np.ndarray] = []
    for k in range(GROUNDS):
        field = gambol.random_hills(height, wavelength=WAVELENGTH, half_width=0.2, seed=seed + k)
        start = round((-2.0 * BODY - field.x0) / field.spacing)
        middle = field.heights.shape[1] // 2
        strip = field.heights[start:, middle - 10 : middle + 10]
        strips.append(strip * height / strip.max())
    width = strips[0].shape[1] * field.spacing
    ground = gambol.HeightGrid(np.hstack(strips), field.spacing, field.x0 + start * field.spacing, 0.0)
    return ground, (np.arange(GROUNDS) + 0.5) * width


def main() -> None:
    intact = gambol.roach()
    lame = intact.without_leg("middle left")
    recalibrated = replace(lame, reflexes=gambol.calibrate(lame))
    for words, creature in (("on six legs", intact), ("without a middle leg, recalibrated", recalibrated)):
        count = survivors(creature)
        print(f"{count} of {GROUNDS} arrive {words}")
        assert count >= ENOUGH, "too few arrive"


if __name__ == "__main__":
    main()
