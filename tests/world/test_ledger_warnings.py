"""Warnings of unaccounted energy: they appear if a ledger is wrong, and otherwise not."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from worlds import ball, touch

from gambol.contact import SurfaceProperties
from gambol.world import Film, Timing, World, run, start
from gambol.world.events.ledger import LedgerWarning, warn_of_imbalance


def fallen() -> Film:
    """A ball that fell on the ground from half a metre and bounced: a total of 5 J was exchanged."""
    timing = Timing(control_step=0.01, step=1e-3)
    world = World(ball(0.05), surface=SurfaceProperties(touch(restitution=0.5)), contact="stepping", timing=timing)
    return run(world, start(world, position=(0.0, 0.0, 0.55)), 0.5, rate=100.0)


def altered(film: Film, name: str, change: np.ndarray) -> Film:
    return replace(film, signals=film.signals | {name: film.signals[name] + change[:, None]})


def test_a_bouncing_ball_causes_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_imbalance(fallen())


@pytest.mark.parametrize(("joules", "word"), [(0.3, "gained"), (-0.3, "lost")])
def test_unexplained_energy_causes_a_warning(joules: float, word: str):
    film = fallen()
    with pytest.warns(LedgerWarning, match=f"lane 0 {word} 0.3 J"):
        warn_of_imbalance(altered(film, "unaccounted", np.linspace(0.0, joules, len(film.time))))


@pytest.mark.parametrize(("name", "group"), [("damping", "damping"), ("impact", "contact"), ("sliding", "contact")])
def test_dissipation_that_adds_energy_causes_a_warning(name: str, group: str):
    film = fallen()
    given = np.zeros(len(film.time))
    given[5:] = -0.3
    with pytest.warns(LedgerWarning, match=f"{group}, which must not add energy, did so in lane 0: lane 0 gained 0.3"):
        warn_of_imbalance(altered(film, name, given))
