"""Trajectories: of one rollout and of many, whose numbers have the same bits in any lane."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from trajectories import trajectory_of

from gambol.evolve.fitness import TERMS, Trajectory, concatenate, energy_gain
from gambol.evolve.fitness.trajectory import ENTRIES

ROLLOUTS = 19
OPTIONS: dict[str, Any] = {
    "along": {"points": ((1.0, 0.0), (2.0, 1.0))},
    "along_path": {"points": ((1.0, 0.0), (2.0, 1.0)), "speed": 0.3},
    "at_speed": {"wanted": 0.5},
    "at_froude": {"wanted": 0.25},
}


SAMPLED = ("ground", "root", "centre", "forward", "up", "limb_overlap", "pushes", "elsewhere", "energy", "ledger")


def part(trajectory: Trajectory, lanes: list[int]) -> Trajectory:
    """Return some rollouts of a trajectory."""
    bodies = {
        name: getattr(trajectory, name)[lanes] for name in ("frozen", "length", "standing_height", "mass", "friction")
    }
    return replace(
        trajectory, **{name: side_by_side(getattr(trajectory, name)[:, lanes]) for name in SAMPLED}, **bodies
    )


def side_by_side(x: Any) -> Any:
    """Return the same numbers (T, W, ...), with the times of a rollout adjacent in memory."""
    return np.ascontiguousarray(x.T).T


@pytest.fixture(scope="module")
def wandering() -> Trajectory:
    """Return random rollouts, with more digits than their sums keep."""
    rng, still = np.random.default_rng(5), trajectory_of(7.0, rollouts=ROLLOUTS)
    drawn = {name: side_by_side(rng.normal(size=getattr(still, name).shape)) for name in SAMPLED}
    return replace(still, **drawn, mass=rng.uniform(1.0, 2.0, ROLLOUTS))


@pytest.mark.parametrize("name", [*TERMS, "gained"])
def test_a_term_has_the_same_bits_alone_beside_others_and_concatenated(name: str, wandering: Trajectory):
    def value(trajectory: Trajectory) -> Any:
        return energy_gain(trajectory) if name == "gained" else TERMS[name](trajectory, **OPTIONS.get(name, {}))

    whole = value(wandering)
    for k in (0, 7, 18):
        assert value(part(wandering, [k]))[0] == whole[k]
    parts = [part(wandering, list(range(first, last))) for first, last in ((0, 5), (5, 6), (6, ROLLOUTS))]
    np.testing.assert_array_equal(value(concatenate(parts)), whole)


def test_concatenated_trajectories_have_columns_for_all_feet():
    two, four = trajectory_of(1.0, rollouts=2), trajectory_of(1.0, rollouts=1)
    assert two.feet is not None
    assert two.forces is not None
    assert two.slid is not None
    pair = {"feet": two.feet[:, :, :2], "forces": 2.0 * two.forces[:, :, :2], "slid": two.slid[:, :, :2]}
    two = replace(two, pushes=two.pushes[..., :2] * 2.0, **pair)
    both = concatenate([four, two])
    np.testing.assert_allclose(both.pushes.sum(axis=2), four.pushes.sum(axis=2)[0, 0])
    assert (both.pushes[:, 1:, 2:] == 0.0).all()
    for name in pair:
        assert np.isnan(getattr(both, name)[:, 1:, 2:]).all()
        np.testing.assert_array_equal(getattr(both, name)[:, :1], getattr(four, name))
        np.testing.assert_array_equal(getattr(both, name)[:, 1:, :2], pair[name])
    assert both.head is not None
    assert both.head.shape == (len(four.time), 3, 3, 3)


def test_a_ledger_that_explains_all_leaves_nothing(wandering: Trajectory):
    """Motors and pushes add energy, losses remove it; position corrections and numerical damping count as neither."""
    sums = np.cumsum(np.abs(wandering.ledger), axis=0)
    brought = {name: sums[..., k] for k, name in enumerate(ENTRIES)}
    energy = 7.0 + brought["motors"] + brought["outside"]
    energy = energy - brought["damping"] - brought["impact"] - brought["sliding"]
    explained = replace(wandering, ledger=sums, energy=energy)
    np.testing.assert_allclose(explained.unaccounted, 0.0, atol=1e-10)
