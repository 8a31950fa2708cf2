"""Patterns that read sensors of the world, by name."""

import pytest

from gambol.control import Senses
from gambol.control.patterns import PatternShape, SensorActuator
from gambol.control.patterns.sensing import sensor_names, sensor_readings
from gambol.errors import WorldError

SENSORS = (("eye", (4.0,)), ("fan", (0.5, 0.5)))


def test_readings_are_divided_by_the_scales_of_their_sensors():
    shape = PatternShape(1, senses=("angles", "fan", "eye"), sensors=SENSORS)
    assert sensor_names(shape) == ("angle 0", "fan 0", "fan 1", "eye 0")
    senses = Senses(0.0, angles=[0.3], sensors={"eye": [2.0], "fan": [0.5, 0.1]})
    assert sensor_readings(shape, senses) == [0.3, 1.0, 0.2, 0.5]


def test_each_reading_has_genes_and_changes_the_structure():
    blind = PatternShape(1, senses=("angles",))
    seeing = PatternShape(1, senses=("angles", "eye"), sensors=SENSORS)
    assert len(SensorActuator.genes_of(seeing)) > len(SensorActuator.genes_of(blind))
    middle = [(g.lower + g.upper) / 2 for g in SensorActuator.genes_of(seeing)]
    assert SensorActuator.of_genes(seeing, middle).required_senses == ("angles", "eye")
    assert SensorActuator.of_genes(seeing, middle).structure()[-1] == SENSORS


def test_unknown_and_short_sensors_are_refused():
    with pytest.raises(WorldError, match='cannot sense "eyes"; did you mean "eye"'):
        PatternShape(1, senses=("eyes",), sensors=SENSORS)
    shape = PatternShape(1, senses=("fan",), sensors=SENSORS)
    with pytest.raises(WorldError, match='got 1 numbers as "fan"'):
        sensor_readings(shape, Senses(0.0, sensors={"fan": [0.5]}))
