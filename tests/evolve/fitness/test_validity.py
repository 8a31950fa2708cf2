"""The validity check marks rollouts with unaccounted energy, frozen ones, and ones with non-finite numbers."""

from dataclasses import replace

import numpy as np
import pytest
from trajectories import LENGTH, WEIGHT, moved, trajectory_of

from gambol.evolve.fitness import energy_gain, invalid_reasons
from gambol.evolve.fitness.trajectory import ENTRIES


def test_a_rollout_without_motion_is_valid():
    assert invalid_reasons(trajectory_of(rollouts=2)) == ["", ""]


def test_a_fall_that_the_ledger_explains_is_valid():
    still = trajectory_of()
    fallen = moved(still, 0.0, z=-0.2 * (still.time > 1.0))
    impact = fallen.ledger.copy()
    impact[..., 3] = 0.2 * WEIGHT * (still.time > 1.0)[:, None]
    fallen = replace(fallen, energy=WEIGHT * fallen.root[..., 2], ledger=impact)
    assert invalid_reasons(fallen) == [""]
    assert energy_gain(fallen)[0] < 1e-12


def test_energy_from_nowhere_is_marked_from_what_is_allowed_on():
    still = trajectory_of(rollouts=2)
    least = 0.02 * WEIGHT * LENGTH
    gift = np.linspace(0.0, 1.0, len(still.time))[:, None] * np.array([0.99, 1.01]) * least
    assert invalid_reasons(replace(still, energy=still.energy + gift)) == ["", "gained energy"]


def test_a_gift_that_is_given_back_is_marked_too():
    still = trajectory_of()
    bump = np.where(abs(still.time - 4.0) < 0.5, WEIGHT * LENGTH, 0.0)[:, None]
    assert invalid_reasons(replace(still, energy=still.energy + bump)) == ["gained energy"]


@pytest.mark.parametrize(("entry", "sign"), [("stabilisation", 1.0), ("numerical_damping", -1.0)])
def test_energy_that_the_method_of_simulation_gives_is_marked(entry: str, sign: float):
    """The ledger contains it, so none is unaccounted for; but a creature must not exploit it."""
    still = trajectory_of()
    gift, ledger = np.linspace(0.0, 0.03 * WEIGHT * LENGTH, len(still.time))[:, None], still.ledger.copy()
    ledger[..., ENTRIES.index(entry)] = sign * gift
    assert invalid_reasons(replace(still, energy=still.energy + gift, ledger=ledger)) == ["gained energy"]


def test_frozen_and_infinite_rollouts_are_marked_without_a_warning():
    still = trajectory_of(rollouts=2)
    centre = still.centre.copy()
    centre[5:, 1] = np.nan
    assert invalid_reasons(replace(still, centre=centre, frozen=np.array([True, False]))) == [
        "froze",
        "is not a number",
    ]
    assert (
        invalid_reasons(replace(still, energy=still.energy * np.inf, frozen=np.array([True, False])))[1]
        == "gained energy"
    )
