"""Beer's artificial insect: a network of 37 neurons that walks on six legs. [Beer, Chiel and Sterling 1989]"""

from gambol.creatures.beer.body import insect_figure
from gambol.creatures.beer.entry import BEER, insect_world
from gambol.creatures.beer.law import BeerLaw, InsectLeg, Steering
from gambol.creatures.beer.network import LEGS, NEURONS, AngleRange, Network
from gambol.creatures.beer.neurons import Pacemaker

__all__ = [
    "BEER",
    "LEGS",
    "NEURONS",
    "AngleRange",
    "BeerLaw",
    "InsectLeg",
    "Network",
    "Pacemaker",
    "Steering",
    "insect_figure",
    "insect_world",
]
