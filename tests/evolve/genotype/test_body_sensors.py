"""Sensors of genotypes: kept in files and archives, recorded in films, read by networks that evolve, and replayed."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

import gambol.formats
from gambol.errors import EvolveError, GambolError
from gambol.evolve.archive import Archive
from gambol.evolve.evaluate import evaluate_genotypes, film_rollout, search_setup
from gambol.evolve.genotype import (
    Body,
    Control,
    Genotype,
    check_genotype,
    genotype_text,
    model_of,
    of_json,
    plan_named,
    read_genotype,
    to_json,
    write_genotype,
)
from gambol.evolve.genotype.breeding import space_of
from gambol.evolve.genotype.genotype import control_genes, with_neutral_control
from gambol.evolve.genotype.plain_data import fast_genotype
from gambol.evolve.runs import Settings, begin_run, load_individual, make_worker_pool, replay
from gambol.figure import Box
from gambol.sensing import ActuatorForce, Gyro, Rangefinder, Touch, sensors_of

SLOPE = 0.5
"""Fall of the ray of the range finder over its way ahead."""

SENSORS = (
    ("sky", Rangefinder("trunk", directions=((0.0, 0.0, 1.0),), reach=2.0)),
    ("ahead", Rangefinder("trunk", position=(0.25, 0.0, 0.0), directions=((1.0, 0.0, -SLOPE),), reach=5.0)),
    ("sole", Touch("limb1 left 2", cutoff=500.0)),
)
SETTINGS = Settings(seconds=2.0, trials=1, control="sensor-actuator")


def body(*sensors) -> Body:
    return replace(plan_named("quadruped"), sensors=sensors or SENSORS)


def network(**weights) -> Genotype:
    """Return the quadruped with a network whose biases and weights are 0, but for these genes by name."""
    genotype = with_neutral_control(Genotype(body(), Control("sensor-actuator", size=1, senses=("sky", "sole"))))
    genes = [gene.name for gene in control_genes(genotype.body, genotype.control)]
    assert set(weights) <= set(genes)
    values = tuple(weights.get(name, value) for name, value in zip(genes, genotype.control.values, strict=True))
    return replace(genotype, control=replace(genotype.control, values=values))


def film_of(genotype, seconds=1.0):
    return film_rollout(SETTINGS, to_json(genotype), seconds=seconds)


OPTIONS = (
    ("gyro", Gyro("trunk", rotation=((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)), noise=(0.1, 0.2, 1 / 3))),
    ("motor", ActuatorForce(("limb1 left 1", "limb2 right 2"), factors=(0.1, 1 / 3), delay=0.01, seed=7)),
    ("zone", Touch("limb1 left 2", zone=Box((0.1, 0.2, 1 / 3)), rate=60.0)),
    *SENSORS,
)


def test_files_and_archives_keep_every_bit_of_sensors(tmp_path):
    genotype = with_neutral_control(Genotype(body(*OPTIONS), Control("recurrent", senses=("angles", "gyro", "sky"))))
    data = json.loads(json.dumps(to_json(genotype)))
    assert fast_genotype(data) == genotype == of_json({**data})
    write_genotype(genotype, tmp_path / "one.toml")
    assert read_genotype(tmp_path / "one.toml") == genotype


def test_a_figure_file_of_the_body_has_its_sensors(tmp_path):
    genotype = with_neutral_control(Genotype(body(*OPTIONS)))
    gambol.formats.write_model(model_of(genotype, "one"), tmp_path / "one.toml")
    model = gambol.formats.read_model(tmp_path / "one.toml")
    assert tuple(sensors_of(model, [motor.name for motor in model.motors]).items()) == OPTIONS


def test_a_film_records_what_sensors_of_an_evolved_creature_measure():
    """The ray meets level ground at the height of its origin, divided by its fall per metre; the sole feels its load.

    The poses and loads of the film are in single precision: 1e-6 relative, and the distance is 1/sin of the angle to
    the ground, at least 0.1 here, times as long as the height.
    """
    film = film_of(network(**{"actuator 0 bias": 0.8}))
    w, x, y, z = np.moveaxis(film.quaternion[:, 0, 0].astype(float), -1, 0)
    down = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=-1)  # row z of a rotation
    fall = -down @ np.array([1.0, 0.0, -SLOPE]) / np.hypot(1.0, SLOPE)
    height = film.position[:, 0, 0, 2] + 0.25 * down[:, 0]
    assert fall.min() > 0.1
    np.testing.assert_allclose(film.signals["sensor ahead"][:, 0, 0], height / fall, rtol=2e-5)
    load = film.signals["push"][:, 0, 0]
    assert load.max() > 10.0
    np.testing.assert_allclose(film.signals["sensor sole"][:, 0, 0], np.minimum(load, 500.0), rtol=1e-6)


def test_a_network_reads_the_sensor():
    """The sky is beyond reach: the scaled reading is exactly 1, so a weight w of it is a bias w, to the last bit."""
    weight, bias, neither = (
        film_of(network(**genes)) for genes in ({"actuator 0 from sky 0": 0.8}, {"actuator 0 bias": 0.8}, {})
    )
    assert (weight.signals["sensor sky"] == 2.0).all()
    assert np.array_equal(weight.position, bias.position)
    assert abs(weight.position - neither.position).max() > 0.01


@pytest.mark.parametrize("evolve", ["control", "both"])
def test_networks_with_sensors_evolve_and_are_replayed(tmp_path, evolve):
    plan = with_neutral_control(Genotype(body()))
    settings = replace(SETTINGS, population=8, generations=2, options={"plan": to_json(plan), "evolve": evolve})
    with Archive(tmp_path / "evolve.db") as archive, make_worker_pool("here") as pool:
        run = begin_run(archive, settings, search_setup)
        run.execute(pool)
        for number in (0, 15):
            archived = load_individual(archive, run.id, number)
            genotype = of_json(archived.individual.genotype)
            assert genotype.body.sensors == SENSORS
            assert genotype.control.senses == ("angles", "contacts", "up", "sky", "ahead", "sole")
            assert replay(archived, evaluate_genotypes)[1]


def broken(old: str, new: str) -> str:
    genotype = with_neutral_control(Genotype(body(), Control("recurrent", senses=("sole",))))
    text = genotype_text(genotype)
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('kind = "touch"', 'kind = "tuch"', r'one\.toml, line \d+: .*"tuch"; did you mean "touch"'),
        ("cutoff = 500.0", "cutof = 500.0", r'line \d+: .*no "cutof"; did you mean "cutoff"'),
        ('"limb1 left 2"', '"limb1 lft 2"', r'"limb1 lft 2".*did you mean "limb1 left 2"'),
        ('name = "sky"', 'name = "up"', r'cannot be called "up", which is a sense'),
        ('name = "sky"', 'name = "sole"', r'"sole" is defined twice'),
        ('senses = ["sole"]', 'senses = ["soul"]', r'cannot sense "soul"; did you mean "sole"'),
    ],
)
def test_errors_name_the_place_and_the_remedy(tmp_path, old, new, message):
    (tmp_path / "one.toml").write_text(broken(old, new))
    with pytest.raises(GambolError, match=message):
        read_genotype(tmp_path / "one.toml")


def test_sensors_of_python_need_tuples():
    listed = Rangefinder("trunk", directions=[(1.0, 0.0, 0.0)])  # type: ignore[arg-type]
    with pytest.raises(EvolveError, match='the sensor "eye" of a body has a list as an option; give a tuple'):
        check_genotype(with_neutral_control(Genotype(body(("eye", listed)))))


def test_templates_refuse_sensors():
    plan = with_neutral_control(Genotype(body()))
    settings = Settings(options={"plan": to_json(plan), "bodies": "template", "evolve": "both"})
    genotype = space_of(body()).random(np.random.default_rng(0))
    with pytest.raises(EvolveError, match=re.escape('set the option bodies to "topology" or "fixed"')):
        evaluate_genotypes(settings, [to_json(genotype)], [0])
