"""The body of a genotype as a model, for figure files and for programs of robots."""

from gambol.evolve.genotype.body_sensors import sensor_entries
from gambol.evolve.genotype.genotype import Genotype
from gambol.evolve.genotype.growth import grow
from gambol.evolve.genotype.motors import motors_of
from gambol.formats import Model

GENOTYPE_NOTE = (
    "a genotype: its body, with servos as position motors or with two muscles at each joint; a figure file stores "
    "neither its control nor the maximum power of its servos"
)


def model_of(genotype: Genotype, name: str) -> Model:
    """Return the body of a genotype as a model on the ground, with its sensors. Its motors: see motors_of().

    name: name of the figure.
    """
    creature = grow(genotype, name)
    motors = tuple(motors_of(creature))
    sensors = sensor_entries(genotype.body)
    return Model(
        creature.figure, creature.springs, motors, creature.q, ground=True, notes=(GENOTYPE_NOTE,), sensors=sensors
    )
