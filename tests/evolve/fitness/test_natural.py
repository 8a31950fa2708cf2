"""Terms about animals: the measures of films on rollouts of the same motion, and their scores."""

import math
from dataclasses import replace

import numpy as np
import pytest
from trajectories import MASS, STAND, moved, trajectory_of
from walking_films import FEET, walking_film
from walking_films import MASS as FILM_MASS

from gambol.creatures.natural import natural_report
from gambol.dynamics import STANDARD_GRAVITY
from gambol.errors import EvolveError
from gambol.evolve.fitness import TERMS, Trajectory, concatenate
from gambol.evolve.fitness.natural import NATURAL_TERMS, closeness, score, signals_of
from gambol.evolve.fitness.trajectory import ENTRIES
from gambol.evolve.tasks import TASKS, task_named
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
        forces=signals["push"][..., None] * np.eye(3)[2],
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


@pytest.mark.parametrize("heading", [0.0, 2.5])
def test_fore_limbs_that_brake_and_hind_limbs_that_drive(heading: float):
    """Forces of a tenth of each load, forward on hind feet: a tenth of the weight, since some feet always stand."""
    film = walking_film(duty=0.6, heading=heading)
    walk = rollouts_of(film)
    ahead = np.array([math.cos(heading), math.sin(heading), 0.0])
    driving = np.where([name.startswith("hind") for name in FEET], 0.1, -0.1)
    along = walk.pushes[..., None] * driving[:, None] * ahead
    for sign, value in ((1.0, 0.1), (-1.0, -0.1)):
        pushed = replace(walk, forces=walk.forces + sign * along)
        (gait,) = pushed.gaits
        assert measured("fore-aft balance", gait) == pytest.approx(value, rel=1e-9)
        assert (TERMS["animal fore-aft balance"](pushed)[0] == 1.0) == (value > 0.0)


@pytest.mark.parametrize("slide", [0.0, 0.05])
def test_feet_slide_by_their_own_way_while_they_stand(slide: float):
    """A foot that slides with 5 % of the speed for 0.6 of the stride slides by 3 % of the way: animals, up to 2 %."""
    film = walking_film(duty=0.6, slide=slide)
    walk = rollouts_of(film)
    slid = np.pad(np.abs(np.diff(walk.feet[..., 0], axis=0)), ((1, 0), (0, 0), (0, 0)))
    (gait,) = replace(walk, slid=slid).gaits
    frames = 0.5 * 200.0  # of a stride
    assert measured("foot slide", gait) == pytest.approx(0.6 * slide, abs=1.5 * slide / frames)
    assert (TERMS["animal foot slide"](replace(walk, slid=slid))[0] == 1.0) == (slide == 0.0)


def test_the_pitch_of_the_head_and_the_lag_of_the_tail():
    """A head that pitches by 0.1 rad to both sides; a tail that yaws a quarter of a stride after the trunk."""
    walk, period, lag = rollouts_of(walking_film(duty=0.6, period=0.5)), 0.5, 0.25
    phase = 2.0 * math.pi * walk.time / period
    head, trunk, tail = (
        turned_y(0.1 * np.sin(phase)),
        turned_z(0.2 * np.sin(phase)),
        turned_z(0.3 * np.sin(phase - 2.0 * math.pi * lag)),
    )
    moving = replace(walk, head=head, tail=tail, forward=trunk[..., 0])
    (gait,) = moving.gaits
    assert measured("head pitch", gait) == pytest.approx(math.degrees(0.2), rel=1e-3)
    assert measured("tail lag", gait) == pytest.approx(lag, abs=1e-3)
    assert TERMS["animal head pitch"](moving)[0] == TERMS["animal tail lag"](moving)[0] == 1.0
    nodding = replace(moving, head=turned_y(0.3 * np.sin(phase)), tail=turned_z(0.3 * np.sin(phase + 0.5 * math.pi)))
    assert TERMS["animal head pitch"](nodding)[0] < 1.0
    assert TERMS["animal tail lag"](nodding)[0] < 1.0
    bare = replace(walk, head=np.full_like(head, np.nan), tail=np.full_like(tail, np.nan))
    assert TERMS["animal head pitch"](bare)[0] == TERMS["animal tail lag"](bare)[0] == 0.0


def measured(name: str, gait) -> float:
    (value,) = (measure.value(gait) for measure in MEASURES if measure.name == name)
    return value


def turned_z(angle):
    """Return rotations about z (T, 1, 3, 3)."""
    c, s, zero, one = np.cos(angle), np.sin(angle), 0.0 * angle, 1.0 + 0.0 * angle
    return np.moveaxis(np.array([[c, -s, zero], [s, c, zero], [zero, zero, one]]), -1, 0)[:, None]


def turned_y(angle):
    """Return rotations about y (T, 1, 3, 3)."""
    c, s, zero, one = np.cos(angle), np.sin(angle), 0.0 * angle, 1.0 + 0.0 * angle
    return np.moveaxis(np.array([[c, zero, s], [zero, one, zero], [-s, zero, c]]), -1, 0)[:, None]


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
    more = ((0, 0), (0, 0), (0, 2))
    six = replace(
        alone,
        pushes=np.pad(alone.pushes, more),
        feet=_padded(alone.feet, 2),
        forces=_padded(alone.forces, 2),
        slid=np.pad(alone.slid, more, constant_values=np.nan),
    )
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


@pytest.mark.parametrize(
    ("name", "field", "signal"),
    [
        ("fore-aft balance", "forces", "forces"),
        ("foot slide", "slid", "poses"),
        ("head pitch", "slid", "poses"),
        ("tail lag", "slid", "poses"),
    ],
)
def test_a_signal_that_a_term_needs_must_have_been_sampled(name: str, field: str, signal: str):
    with pytest.raises(EvolveError, match=f'{signal} of feet were not sampled; the term "animal {name}" needs a task'):
        TERMS[f"animal {name}"](replace(trajectory_of(), **{field: None}))


def test_a_task_records_the_signals_that_its_terms_need():
    """Tasks of the package need no more than before."""
    assert {name: task.signals for name, task in TASKS.items() if task.signals} == {
        "natural": ("feet",),
        "trot": ("feet",),
    }
    assert signals_of(["slip", "animal foot slide"]) == ("feet", "poses")
    assert signals_of(["animal tail lag", "animal fore-aft balance"]) == ("feet", "forces", "poses")
    assert task_named("walk", behaviour=("animal fore-aft balance", "slip")).signals == ("feet", "forces")


def test_the_class_of_gait_may_be_given():
    """At 2 Hz, a mammal of 20 kg trots; it walks below 1.7 Hz."""
    trot = rollouts_of(walking_film(period=0.5, duty=0.4))
    assert TERMS["animal stride frequency"](trot)[0] == 1.0
    assert TERMS["animal stride frequency"](trot, gait="trot")[0] == 1.0
    assert TERMS["animal stride frequency"](trot, gait="walk")[0] < 1.0
    assert TERMS["animal energy phase"](trot, gait="gallop")[0] == 0.0
