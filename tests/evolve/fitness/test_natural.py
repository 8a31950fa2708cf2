"""Terms about animals: the measures of films on rollouts of the same motion, and their scores."""

import math
from dataclasses import replace

import numpy as np
import pytest
from trajectories import MASS, STAND, moved, trajectory_of
from walking_films import MASS as FILM_MASS
from walking_films import walking_film

from gambol.creatures.natural import natural_report
from gambol.dynamics import STANDARD_GRAVITY
from gambol.errors import EvolveError
from gambol.evolve.fitness import TERMS, Trajectory, concatenate
from gambol.evolve.fitness.natural import NATURAL_TERMS, closeness, score
from gambol.evolve.fitness.trajectory import ENTRIES
from gambol.gait.natural import MEASURES

POWER = 40.0


def rollouts_of(*films) -> Trajectory:
    """Return rollouts with the motion of walking films of equal times, one for each; their motors give 40 W."""
    times = films[0].time
    count, worlds = len(times), len(films)
    ledger = np.zeros((count, worlds, len(ENTRIES)))
    ledger[..., ENTRIES.index("motors")] = (POWER * times)[:, None]
    base = trajectory_of(seconds=float(times[-1]), rate=(count - 1) / float(times[-1]), rollouts=worlds)
    signals = {
        name: np.concatenate([film.signals[name] for film in films], axis=1) for name in ("centre", "push", "feet")
    }
    root = np.stack([film.position[:, 0, 0] for film in films], axis=1)
    return replace(
        base,
        time=times,
        root=root,
        centre=signals["centre"],
        pushes=signals["push"],
        feet=signals["feet"],
        ledger=ledger,
        mass=np.full(worlds, FILM_MASS),
    )


def test_measures_of_a_rollout_are_those_of_its_film():
    film = walking_film(bob=0.02, duty=0.6)
    (gait,) = rollouts_of(film).gaits
    assert gait is not None
    values = {measure.name: measure.value(gait) for measure in MEASURES}
    later = {row.measure: row.value for row in natural_report(film).rows}  # it leaves out the first quarter
    for name in (
        "stride frequency",
        "Froude number",
        "stride length",
        "duty factor",
        "bob",
        "sway",
        "foot lift",
        "power",
    ):
        assert values[name] == pytest.approx(later[name], rel=2e-2, abs=1e-9), name
    for name in ("front load", "energy phase", "asymmetry", "trunk pitch"):
        assert values[name] == pytest.approx(later[name], abs=2e-2), name
    assert math.isnan(values["foot slide"])
    assert math.isnan(values["fore-aft balance"])


def test_a_walk_as_animals_walk_scores_more_than_a_hasty_one():
    """A mammal of 20 kg walks at 1.03 Hz."""
    slow, fast = walking_film(period=0.97, strides=6), walking_film(period=0.2425, strides=24)
    trajectory = rollouts_of(slow, fast)
    frequency = TERMS["animal stride frequency"](trajectory)
    assert frequency[0] == 1.0
    low, high = (1.62 * 20.0**-0.15 * x for x in (1.0 / 1.6, 1.6))
    distance = 1.0 / 0.2425 - high
    assert frequency[1] == pytest.approx(1.0 / (1.0 + (distance / (0.5 * (high - low))) ** 2), rel=1e-2)
    swing = TERMS["animal swing time"](trajectory)
    assert swing[0] == 1.0 > swing[1]


def test_a_score_is_one_within_the_range_and_a_half_at_half_a_width_outside():
    assert [closeness(x, (1.0, 3.0)) for x in (1.0, 2.0, 3.0)] == [1.0, 1.0, 1.0]
    assert closeness(4.0, (1.0, 3.0)) == closeness(0.0, (1.0, 3.0)) == 0.5
    assert closeness(0.0, (2.0, math.inf)) == 0.5
    assert closeness(1e9, (2.0, math.inf)) == 1.0
    assert closeness(math.nan, (1.0, 3.0)) == closeness(2.0, None) == 0.0
    assert score(MEASURES[0], None) == 0.0


def test_who_stands_or_falls_scores_nothing():
    still = trajectory_of()
    for name in NATURAL_TERMS:
        assert TERMS[name](still).tolist() == [0.0], name
    assert TERMS["animal bob"](moved(still, still.time)).tolist() == [0.0]  # slides on four feet: no strides


def test_a_rollout_scores_the_same_beside_others():
    a, b = walking_film(bob=0.01), walking_film(bob=0.03, duty=0.45)
    together, alone = rollouts_of(a, b), rollouts_of(b)
    six = replace(alone, pushes=np.pad(alone.pushes, ((0, 0), (0, 0), (0, 2))), feet=_padded(alone.feet, 2))
    joined = concatenate([alone, six])
    for name in NATURAL_TERMS:
        assert TERMS[name](together)[1] == TERMS[name](alone)[0], name
        assert TERMS[name](joined).tolist() == [TERMS[name](alone)[0], TERMS[name](alone)[0]], name


def _padded(feet, count):
    return np.pad(feet, ((0, 0), (0, 0), (0, count), (0, 0)), constant_values=np.nan)


def test_the_wanted_froude_number_is_a_speed():
    still = trajectory_of()
    wanted = math.sqrt(0.25 * STANDARD_GRAVITY * STAND)
    for factor, value in ((1.0, 1.0), (0.5, 0.5), (0.0, 0.0), (1.5, 0.5), (-1.0, -1.0)):
        walk = moved(still, factor * wanted * still.time)
        assert TERMS["at_froude"](walk, wanted=0.25)[0] == pytest.approx(value, abs=1e-12)
    assert MASS > 0.0


def test_without_positions_of_feet_there_is_no_gait():
    with pytest.raises(EvolveError, match="positions of feet were not sampled"):
        TERMS["animal bob"](replace(trajectory_of(), feet=None))


def test_the_class_of_gait_may_be_given():
    """At 2 Hz, a mammal of 20 kg trots; it walks below 1.7 Hz."""
    trot = rollouts_of(walking_film(period=0.5, duty=0.4))
    assert TERMS["animal stride frequency"](trot)[0] == 1.0
    assert TERMS["animal stride frequency"](trot, gait="trot")[0] == 1.0
    assert TERMS["animal stride frequency"](trot, gait="walk")[0] < 1.0
    assert TERMS["animal energy phase"](trot, gait="gallop")[0] == 0.0
