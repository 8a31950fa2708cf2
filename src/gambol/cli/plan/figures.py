"""The figures that a plan file can name: the roach."""

from collections.abc import Callable, Mapping

from gambol.creatures import roach, standing_state, world_of
from gambol.formats import Model


def roach_model() -> Model:
    """Return the roach, standing on its feet, with the springs and dampers of its joints."""
    creature = roach("tuned")
    state = standing_state(creature, world_of(creature))
    return Model(creature.figure, creature.springs, q=tuple(state.q[0].tolist()), ground=True)


FIGURES: Mapping[str, Callable[[], Model]] = {"roach": roach_model}
"""Functions that return the models of figures, by the name in a plan file."""
