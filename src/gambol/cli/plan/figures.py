"""The figures that a plan file can name: the roach, and the animals."""

from collections.abc import Callable, Mapping
from functools import partial

from gambol.creatures import roach, standing_state, world_of
from gambol.creatures.animals import ANIMALS, animal_world
from gambol.formats import Model
from gambol.world import start


def roach_model() -> Model:
    """Return the roach, standing on its feet, with the springs and dampers of its joints."""
    creature = roach("tuned")
    state = standing_state(creature, world_of(creature))
    return Model(creature.figure, creature.springs, q=tuple(state.q[0].tolist()), ground=True)


def animal_model(name: str) -> Model:
    """Return an animal of gambol.creatures.animals, at the start of its walk, with the springs of its joints."""
    world = animal_world(name)
    return Model(world.figure, world.springs, q=tuple(start(world).q[0].tolist()), ground=True)


FIGURES: Mapping[str, Callable[[], Model]] = {
    "roach": roach_model,
    **{name: partial(animal_model, name) for name in ANIMALS},
}
"""Functions that return the models of figures, by the name in a plan file."""
