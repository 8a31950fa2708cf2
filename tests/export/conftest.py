"""Films to export: a figure with joints of several kinds that moves along given curves, without a simulation."""

from dataclasses import replace

import numpy as np
import pytest
from beast import FIGURE

from gambol.plan.pose.film import pose_film
from gambol.world import Film


def coordinates(t: np.ndarray) -> np.ndarray:
    """Return q (F, nq): it walks in a curve, rolls over several times, and everything moves."""
    roll, swing = 4.0 * t, 0.6 * np.sin(7.0 * t)
    root = [np.cos(roll / 2), np.sin(roll / 2), 0.0 * t, 0.0 * t, np.sin(t), 0.3 * t, 0.5 + 0.1 * np.cos(3.0 * t)]
    nod = 0.5 * np.sin(5.0 * t)
    head = [np.cos(nod / 2), 0.0 * t, np.sin(nod / 2), 0.0 * t]
    return np.stack([*root, swing, 0.02 * np.sin(9.0 * t), *head], axis=-1)


@pytest.fixture(scope="session")
def film() -> Film:
    """A film of 2 s at 50 frames/s, with one limb."""
    t = np.arange(101) / 50.0
    stepping = (np.sin(2.0 * np.pi * t / 0.5) > 0.0).astype(float)[:, None, None]
    made = pose_film(FIGURE, t, coordinates(t), signals={"stepping": stepping, "kinetic": np.ones((101, 1))})
    return replace(made, limb_names=("left foot",))
