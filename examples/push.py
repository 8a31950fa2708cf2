"""The roach keeps walking after a horizontal push of half its weight for 50 ms, in 16 directions."""

import numpy as np

import gambol

STARTS, LASTS = 0.5, 0.05  # start and duration of the push [s]
STRIDES, STRIDE = 5, 0.1  # number and period of the strides after it [s]


def survivors(creature: gambol.Creature, *, reflexes: bool, seed: int = 0) -> int:
    """Return how many of 16 roaches keep walking: upright, and at least at half the speed of an undisturbed one."""
    world = gambol.make_world(creature, reflexes=reflexes)
    engine = gambol.Engine(world)
    angle = np.random.default_rng(seed).uniform(0.0, 2.0 * np.pi, 16)
    force = 0.5 * creature.figure.mass * world.gravity
    push = [force * np.cos(angle), force * np.sin(angle), 0.0, STARTS, STARTS + LASTS]
    pushed = _speed_after(engine, gambol.start(world, 16), engine.numbers(push=push))
    alone = _speed_after(engine, gambol.start(world, 1), engine.numbers())
    return int((pushed > 0.5 * alone).sum())


def _speed_after(engine: gambol.Engine, state: gambol.State, numbers: np.ndarray) -> np.ndarray:
    """Return the mean forward speed after the push [m/s]; 0 for a roach that is not upright or not finite."""
    control_step, moment = engine.world.timing.control_step, STARTS + LASTS + 0.1
    engine.advance(state, round(moment / control_step), numbers)
    path = 0.0
    for k in range(1, STRIDES + 1):
        before = state.q.copy()
        engine.advance(state, round((moment + k * STRIDE) / control_step), numbers)
        w, x, y, z = before[:, :4].T
        ahead = np.column_stack([1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z)])
        path = path + ((state.q[:, 4:6] - before[:, 4:6]) * ahead).sum(axis=1)
    _, x, y, _ = state.q[:, :4].T
    upright = 1.0 - 2.0 * (x * x + y * y) > 0.5
    return np.where(upright & (state.step_state.clock.status == 0.0), path / (STRIDES * STRIDE), 0.0)


def main() -> None:
    for reflexes in (True, False):
        intact, lame = gambol.roach(), gambol.roach().without_leg("middle left")
        counts = [survivors(creature, reflexes=reflexes) for creature in (intact, lame)]
        print(f"reflexes {'on' if reflexes else 'off'}: {counts[0]} of 16 walk on; without a middle leg {counts[1]}")
        assert counts[0] >= 14, "too many stopped"


if __name__ == "__main__":
    main()
