"""Warnings of unaccounted energy: they appear if a ledger is wrong, and otherwise not."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from worlds import ball, touch

from gambol.contact import SurfaceProperties
from gambol.world import Film, Timing, World, run, start
from gambol.world.events.ledger import LedgerWarning, unaccounted_fraction, warn_of_imbalance


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


@pytest.mark.parametrize(
    ("joules", "text"), [(0.3, "lost 0.3 J by numerical damping"), (-0.3, "gained 0.3 J from the")]
)
def test_numerical_damping_causes_a_warning(joules: float, text: str):
    film = fallen()
    with pytest.warns(LedgerWarning, match=f"too stiff for the step in lane 0: lane 0 {text}"):
        warn_of_imbalance(altered(film, "numerical_damping", np.linspace(0.0, joules, len(film.time))))


def test_contact_that_gives_and_takes_the_same_again_and_again_causes_no_warning():
    """As for a ball that rolls to and fro: whatever the frame rate, contact gave no more than once."""
    film = fallen()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_imbalance(altered(film, "sliding", 0.01 * np.sin(np.arange(len(film.time)))))


def test_energy_that_is_unaccounted_only_for_a_while_causes_a_warning():
    film = fallen()
    bump = np.zeros(len(film.time))
    bump[10:20] = 0.3
    with pytest.warns(LedgerWarning, match="lane 0 gained 0.3 J"):
        warn_of_imbalance(altered(film, "unaccounted", bump))


def still() -> Film:
    film = fallen()
    return replace(film, signals={name: np.zeros_like(values) for name, values in film.signals.items()})


def steady(share: float) -> Film:
    """A film in which motors give 20 J, of which all is lost in dampers but a share that nothing explains."""
    flow = np.linspace(0.0, 20.0, len((film := still()).time))
    given = altered(altered(film, "motors", flow), "damping", (1.0 - share) * flow)
    return altered(given, "unaccounted", -share * flow)


@pytest.mark.parametrize(("share", "warns"), [(0.0125, True), (0.0099, False)])
def test_warning_table_and_file_have_one_fraction(share: float, warns: bool):
    """One per cent of the work is not two: work that is lost again counts once."""
    film = steady(share)
    assert unaccounted_fraction(film.signals)[0] == pytest.approx(share, rel=1e-9)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_of_imbalance(film)
    assert [str(w.message).split(", ")[1].split(" of")[0] for w in caught] == (["1.2 %"] if warns else [])


def test_a_figure_at_rest_has_nothing_unaccounted():
    assert unaccounted_fraction(still().signals)[0] == 0.0
