"""Warnings of energy that no one can account for: they speak where a ledger is wrong, and nowhere else."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from worlds import ball, touch

from gambol.world import Film, Timing, World, run, start
from gambol.world.events.books import BooksWarning, tell_of_books


def fallen() -> Film:
    """A ball that fell on the ground from half a metre and bounced: 5 J came and went."""
    timing = Timing(frame=0.01, step=1e-3)
    world = World(ball(0.05), touch=touch(restitution=0.5), contact="stepping", timing=timing)
    return run(world, start(world, position=(0.0, 0.0, 0.55)), 0.5, rate=100.0)


def altered(film: Film, name: str, change: np.ndarray) -> Film:
    return replace(film, signals=film.signals | {name: film.signals[name] + change[:, None]})


def test_a_ball_that_bounces_is_not_told():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tell_of_books(fallen())


@pytest.mark.parametrize(("joules", "word"), [(0.3, "gained"), (-0.3, "lost")])
def test_energy_from_nowhere_and_to_nowhere_is_told(joules: float, word: str):
    film = fallen()
    with pytest.warns(BooksWarning, match=f"lane 0 {word} 0.3 J"):
        tell_of_books(altered(film, "unaccounted", np.linspace(0.0, joules, len(film.time))))


@pytest.mark.parametrize(("name", "group"), [("damping", "damping"), ("impact", "contact"), ("sliding", "contact")])
def test_what_only_takes_energy_and_gives_some_is_told(name: str, group: str):
    film = fallen()
    given = np.zeros(len(film.time))
    given[5:] = -0.3
    with pytest.warns(BooksWarning, match=f"{group}, which only takes energy, gave some in lane 0: lane 0 gained 0.3"):
        tell_of_books(altered(film, name, given))
