"""A heap: 125 balls and 25 capsules fall together; the energy ledger balances, and no ball penetrates another."""

import numpy as np

from gambol.figure import Capsule, Sphere
from gambol.rigid import Body, Pile, PileStepper, SurfaceMaterial, initial_state

RADIUS = 0.1


def main() -> None:
    bodies = [Body(Capsule(0.08, 0.1) if k % 6 == 5 else Sphere(RADIUS), 1.0) for k in range(150)]
    grid = np.stack(np.meshgrid(range(5), range(5), range(6), indexing="ij"), axis=-1).reshape(-1, 3)
    jitter = np.random.default_rng(0).uniform(0.0, 0.02, grid.shape)
    pile = Pile(bodies, surface=SurfaceMaterial(friction=0.5, restitution=0.3))
    stepper, state = PileStepper(pile), initial_state(pile, 0.25 * grid + [0.0, 0.0, 0.3] + jitter)
    initial_energy = stepper.energy(state)
    for _ in range(4):
        state = stepper.advance(state, 100)
        ledger, energy = state.ledger, stepper.energy(state)
        print(
            f"{state.time:.1f} s: {energy:.1f} J; lost: friction {-ledger.friction:.1f}, impact {-ledger.impact:.1f}; "
            f"position correction {ledger.correction:.3f}; {len(state.cache.keys)} contacts, {state.sweeps} sweeps"
        )
        assert abs(energy - initial_energy - ledger.total) < 1e-9 * initial_energy, "the ledger does not balance"
    balls = [k for k, body in enumerate(bodies, 1) if body.shape.kind == "sphere"]
    x = state.position[:, balls].T
    distances = np.linalg.norm(x[:, None] - x, axis=-1)[np.triu_indices(len(x), 1)]
    assert distances.min() > 2.0 * RADIUS * (1.0 - 1e-4), "balls penetrate each other"


if __name__ == "__main__":
    main()
