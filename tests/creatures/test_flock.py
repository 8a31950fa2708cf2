"""A flock: creatures that start apart and in different directions end together, in one direction."""

import numpy as np

import gambol
from gambol import Place

PLACES = [Place(-2.0, -2.0, 0.9), Place(-2.0, 2.0, -0.9), Place(0.0, 0.0, 0.5), Place(2.0, -2.0, 0.9)]


def test_a_flock_gathers_and_aligns_and_none_falls():
    cat = gambol.make_world("cat")
    behaviours = {f"cat{k}": "flock" for k in range(1, 5)}
    world = gambol.together([cat] * 4, PLACES, behaviours=behaviours)
    film = gambol.run(world, gambol.start(world), 20.0, rate=24.0, coordinates=True)
    q = np.array([film.signals["q"][:, 0, root.q.start : root.q.start + 7] for root in world.figure.roots])
    heading = np.arctan2(
        2.0 * (q[..., 0] * q[..., 3] + q[..., 1] * q[..., 2]), 1.0 - 2.0 * (q[..., 2] ** 2 + q[..., 3] ** 2)
    )
    order = abs(np.exp(1j * heading).mean(axis=0))  # 1 if all have one direction [Vicsek and others 1995]
    spread = np.sqrt(((q[..., 4:6] - q[..., 4:6].mean(axis=0)) ** 2).sum(axis=-1).mean(axis=0))
    distance = np.linalg.norm(q[:, None, :, 4:6] - q[None, :, :, 4:6], axis=-1) + 10.0 * np.eye(4)[..., None]
    assert q[..., 6].min() > 0.2
    assert order[0] < 0.85
    assert order[-24:].min() > 0.98
    assert spread[-1] < 0.6 * spread[0]
    assert distance.min() > 0.17  # two trunks beside each other
