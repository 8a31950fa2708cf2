"""Runs of evolution: the loop of generations, who evaluates them, resuming and replaying what an archive holds."""

from gambol.evolve.run.breeding import Breed, Breeding, Evaluator
from gambol.evolve.run.crew import Crew, WaitingWarning
from gambol.evolve.run.executors import EXECUTORS, crew_named
from gambol.evolve.run.progress import Progress
from gambol.evolve.run.replay import Ancestor, ancestor, replayed
from gambol.evolve.run.resume import VersionWarning, resumed, settings_of
from gambol.evolve.run.run import Ending, Run, begun
from gambol.evolve.run.settings import Settings
from gambol.evolve.run.vintage import versions

__all__ = [
    "EXECUTORS",
    "Ancestor",
    "Breed",
    "Breeding",
    "Crew",
    "Ending",
    "Evaluator",
    "Progress",
    "Run",
    "Settings",
    "VersionWarning",
    "WaitingWarning",
    "ancestor",
    "begun",
    "crew_named",
    "replayed",
    "resumed",
    "settings_of",
    "versions",
]
