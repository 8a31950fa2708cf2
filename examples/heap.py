"""A heap: 125 balls and 25 capsules fall together; every joule they lose is booked, and no ball enters another."""

import numpy as np

from gambol.contact.pile import Body, Mover, Pile, Rub, laid
from gambol.figure import Capsule, Sphere

RADIUS = 0.1


def main() -> None:
    bodies = [Body(Capsule(0.08, 0.1) if k % 6 == 5 else Sphere(RADIUS), 1.0) for k in range(150)]
    grid = np.stack(np.meshgrid(range(5), range(5), range(6), indexing="ij"), axis=-1).reshape(-1, 3)
    jitter = np.random.default_rng(0).uniform(0.0, 0.02, grid.shape)
    pile = Pile(bodies, rub=Rub(friction=0.5, restitution=0.3))
    mover, state = Mover(pile), laid(pile, 0.25 * grid + [0.0, 0.0, 0.3] + jitter)
    whole = mover.energy(state)
    for _ in range(4):
        state = mover.moved(state, 100)
        books, left = state.books, mover.energy(state)
        print(
            f"{state.time:.1f} s: {left:.1f} J left; friction took {-books.friction:.1f}, impact {-books.impact:.1f}, "
            f"repair gave {books.repair:.3f}; {len(state.memory.keys)} contacts, {state.sweeps} sweeps"
        )
        assert abs(left - whole - books.total) < 1e-9 * whole, "the books do not balance"
    balls = [k for k, body in enumerate(bodies, 1) if body.shape.kind == "sphere"]
    x = state.position[:, balls].T
    apart = np.linalg.norm(x[:, None] - x, axis=-1)[np.triu_indices(len(x), 1)]
    assert apart.min() > 2.0 * RADIUS * (1.0 - 1e-4), "balls are in each other"


if __name__ == "__main__":
    main()
