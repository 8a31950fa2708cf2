"""Measures of motion beside animals, on films whose measures are known."""

import math
from dataclasses import replace

import numpy as np
import pytest
from walking_films import FEET, HEIGHT, MASS, walking_film
from walking_films import TROT as TROT_OFFSETS

from gambol.creatures.natural import natural_report, steady_gait
from gambol.creatures.natural.steady_gait import REACH
from gambol.dynamics import STANDARD_GRAVITY
from gambol.errors import GambolError
from gambol.gait.animals import ANIMALS, GALLOP, SCALING, TROT, WALK
from gambol.gait.natural import MEASURES

FRAME = 1.0 / 200.0
BOUND = {"front left": 0.5, "front right": 0.5, "hind left": 0.0, "hind right": 0.0}


def values(film, **options):
    return {row.measure: row for row in natural_report(film, **options).rows}


def test_a_walk_of_known_numbers():
    speed, period, duty, bob, lift = 1.0, 0.5, 0.6, 0.01, 0.05
    report = natural_report(walking_film(speed=speed, period=period, duty=duty, bob=bob, lift=lift))
    found = {row.measure: row.value for row in report.rows}
    assert report.gait == WALK
    assert report.mass == pytest.approx(MASS, rel=1e-9)
    assert report.height == pytest.approx(HEIGHT, abs=bob * 0.1)
    assert report.speed == pytest.approx(speed, rel=1e-9)
    h = report.height
    assert found["stride frequency"] == pytest.approx(1.0 / period, rel=1e-9)
    assert found["Froude number"] == pytest.approx(speed**2 / (STANDARD_GRAVITY * h), rel=1e-6)
    assert found["duty factor"] == pytest.approx(duty, abs=1.5 * FRAME / period)
    assert found["swing time"] == pytest.approx((1.0 - duty) * period, abs=1.5 * FRAME)
    assert found["stride length"] == pytest.approx(speed * period / h, rel=1e-9)
    assert found["bob"] == pytest.approx(2.0 * bob / h, rel=2e-2)  # frames miss the extremes by up to 1 - cos(w dt / 2)
    assert found["bobs twice"] > 0.99
    assert found["sway"] == pytest.approx(0.0, abs=1e-12)
    assert found["speed ripple"] == pytest.approx(0.0, abs=1e-9)
    assert found["foot lift"] == pytest.approx(lift / h, rel=1e-2)
    assert found["foot slide"] == pytest.approx(0.0, abs=1e-12)
    assert found["front load"] == pytest.approx(0.5, abs=1e-2)
    assert found["power"] == pytest.approx(40.0 / MASS, rel=1e-9)
    assert found["asymmetry"] == pytest.approx(0.0, abs=1.5 * FRAME / period)
    assert found["stride variation"] == pytest.approx(0.0, abs=1e-9)
    assert all(math.isnan(found[name]) for name in ("fore-aft balance", "head pitch", "tail lag"))


def test_measures_do_not_depend_on_the_heading():
    straight, turned = (values(walking_film(bob=0.02, heading=angle)) for angle in (0.0, 2.5))
    for name, row in straight.items():
        assert turned[name].value == pytest.approx(row.value, rel=1e-6, abs=1e-9, nan_ok=True), name


@pytest.mark.parametrize(("duty", "offsets", "kind"), [(0.6, None, WALK), (0.4, None, TROT), (0.35, BOUND, GALLOP)])
def test_the_class_of_a_gait(duty, offsets, kind):
    assert natural_report(walking_film(duty=duty, offsets=offsets)).gait == kind


@pytest.mark.parametrize("slide", [0.05, 0.3])
def test_sliding_feet_slide_by_their_speed_while_they_stand(slide):
    duty = 0.6
    found = values(walking_film(slide=slide, duty=duty))["foot slide"]
    # the frame of lift-off and that of landing are lost: one interval in a stride
    assert found.value == pytest.approx(slide * duty, abs=slide * 1.5 * FRAME / 0.5)
    assert not found.within


def test_a_rolling_wheel_does_not_slide():
    """Feet that are wheels of radius r and turn by s / r: their lowest points move, their material does not."""
    film, radius = walking_film(speed=1.0), 0.1
    turned = film.time / radius
    position, quaternion = film.position.copy(), film.quaternion.copy()
    for k in range(4):
        position[:, 0, 1 + k, 0] = film.time
        position[:, 0, 1 + k, 2] = radius
        quaternion[:, 0, 1 + k] = np.stack([np.cos(turned / 2), 0 * turned, np.sin(turned / 2), 0 * turned], axis=1)
    feet = position[:, :, 1:].copy()
    feet[..., 2] = 0.0
    rolling = replace(film, position=position, quaternion=quaternion, signals=film.signals | {"feet": feet})
    angle = FRAME / radius  # of a frame: the material point moves by r (angle - sin(angle)) along, over r angle
    bound = (angle - math.sin(angle)) / angle
    assert steady_gait(rolling).slide.mean() / steady_gait(rolling).distance <= bound
    dragged = replace(rolling, quaternion=film.quaternion)
    assert steady_gait(dragged).slide.mean() / steady_gait(dragged).distance == pytest.approx(0.6, abs=0.02)


def test_the_ends_of_heads_and_tails_are_no_feet():
    """Films of animals name them among the feet, since they may touch the ground; none of these does."""
    film = walking_film()
    ends = {name: film.signals[name] for name in ("feet", "push")}
    ends["feet"] = np.concatenate([ends["feet"], film.position[:, :, :1]], axis=2)
    ends["push"] = np.concatenate([ends["push"], 0.0 * ends["push"][:, :, :1]], axis=2)
    headed = replace(film, signals=film.signals | ends, axes={"feet": (*FEET, "trunk")})
    assert steady_gait(headed).feet == FEET
    for name, row in values(film).items():
        assert values(headed)[name].value == pytest.approx(row.value, nan_ok=True), name


@pytest.mark.parametrize(("height", "duty"), [(0.5 * REACH, 0.6), (2.0 * REACH, 0.3)])
def test_a_slow_foot_near_the_ground_stands_although_nothing_pushes_it(height, duty):
    """In the second half of each stance the feet float; height: over that of the trunk."""
    film = walking_film(duty=0.6, lift=0.2)
    feet, push = film.signals["feet"].copy(), film.signals["push"].copy()
    phase = film.time / 0.5
    for k, foot in enumerate(FEET):
        own = (phase - TROT_OFFSETS[foot]) % 1.0
        floats = (own > 0.3) & (own < 0.6)
        feet[floats, 0, k, 2] = height * HEIGHT
        push[floats, 0, k] = 0.0
    floating = replace(film, signals=film.signals | {"feet": feet, "push": push})
    assert values(floating)["duty factor"].value == pytest.approx(duty, abs=3.0 * FRAME / 0.5)
    assert values(floating)["foot slide"].value == pytest.approx(0.0, abs=1e-12)


def test_ranges_follow_the_mass_and_the_animal():
    by_mass = values(walking_film())["stride frequency"]
    law = SCALING["walk frequency"](MASS)
    assert by_mass.low < law < by_mass.high
    assert law == pytest.approx(1.62 * MASS**-0.15)
    beside = values(walking_film(), beside="dog")["stride frequency"]
    assert (beside.low, beside.high) == ANIMALS["dog"].gaits[WALK].values["stride frequency"]
    assert "dog" in beside.source


def test_the_table_of_the_reference_follows_from_the_laws():
    """Frequencies of walk and of the trot-gallop transition at 1 and 100 kg, as printed beside the laws."""
    walk, change = SCALING["walk frequency"], SCALING["trot-gallop frequency"]
    assert [round(law(mass), 2) for law in (walk, change) for mass in (1.0, 100.0)] == [1.62, 0.81, 4.48, 2.35]
    assert SCALING["trot-gallop speed"](10.0) == pytest.approx(2.66, abs=5e-3)


def test_animals_have_only_measures_of_the_table():
    names = {measure.name for measure in MEASURES}
    assert {name for animal in ANIMALS.values() for gait in animal.gaits.values() for name in gait.values} <= names


def test_as_data_is_plain_and_finite():
    data = natural_report(walking_film()).as_data()
    assert data["applicable"] == sum(row["applies"] for row in data["measures"])
    numbers = [x for row in data["measures"] for x in row.values() if isinstance(x, float)]
    assert all(map(math.isfinite, numbers))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda film: replace(film, signals={}), 'no signal "centre"'),
        (lambda film: replace(film, axes={}), "no feet"),
        (lambda film: film.between(0.0, 1.0), "whole strides"),
        (
            lambda film: replace(film, signals=film.signals | {"push": 0.0 * film.signals["push"]}),
            "no foot that bears weight",
        ),
        (
            lambda film: replace(
                film, signals=film.signals | {"potential": film.signals["potential"] + 30.0 * film.position[..., 0, 0]}
            ),
            "not vertical",
        ),
    ],
)
def test_films_that_cannot_be_measured(change, message):
    with pytest.raises(GambolError, match=message):
        natural_report(change(walking_film()))


def test_an_unknown_animal_suggests_known_ones():
    with pytest.raises(GambolError, match='did you mean "dog"'):
        natural_report(walking_film(), beside="dgo")


def test_feet_are_paired_from_front_to_back():
    gait = steady_gait(walking_film())
    assert [[FEET[k] for k in pair] for pair in gait.pairs] == [
        ["front left", "front right"],
        ["hind left", "hind right"],
    ]
