"""The terms of the tasks of gambol, by the name of the task; those of natural and trot are in natural.py."""

from gambol.evolve.fitness import WeightedTerm
from gambol.evolve.tasks.natural import NATURAL, TROTTING

NATURAL_MOTION = (
    WeightedTerm("slip", -0.25, 0.0, 1.0),
    WeightedTerm("dragging", -0.25, 0.0, 1.0),
    WeightedTerm("upright", 0.1, 0.0, 1.0),
    WeightedTerm("transport", -0.02, 0.0, 4.0),
    WeightedTerm("tangle", -0.5),
)
"""Terms that make a motion look natural: feet that do not slip, a trunk upright and off the ground, little effort."""

TERMS_OF: dict[str, tuple[WeightedTerm, ...]] = {
    "walk": (
        WeightedTerm("speed", 0.5),
        WeightedTerm("pace", 0.5),
        WeightedTerm("ahead", 0.1, 0.0, 1.0),
        *NATURAL_MOTION,
    ),
    "hop": (
        WeightedTerm("speed", 0.5, -1.0, 2.0),
        WeightedTerm("flight", 2.0, 0.0, 0.6),
        WeightedTerm("ahead", 0.25, 0.0, 1.0),
        *NATURAL_MOTION,
    ),
    "jump": (
        WeightedTerm("leap", 1.0),
        WeightedTerm("landed", 0.5),
        WeightedTerm("upright", 0.25, 0.0, 1.0),
        WeightedTerm("tangle", -1.0),
    ),
    "crawl": (
        WeightedTerm("crawl", 2.0, -1.0, 3.0),
        WeightedTerm("dragging", 0.5, 0.0, 0.3),
        WeightedTerm("low", 0.5, 0.0, 0.4),
        WeightedTerm("flight", -1.0),
        WeightedTerm("slip", -0.1, 0.0, 1.0),
        WeightedTerm("ahead", 0.1, 0.0, 1.0),
        WeightedTerm("upright", 0.1, 0.0, 1.0),
        WeightedTerm("tangle", -0.5),
    ),
    "path": (
        WeightedTerm("along", 1.0, options={"points": ((3.0, 0.0), (5.0, 2.0), (7.0, 2.0))}),
        *NATURAL_MOTION,
    ),
    "swim": (
        WeightedTerm("speed", 0.5),
        WeightedTerm("pace", 0.5),
        WeightedTerm("ahead", 0.1, 0.0, 1.0),
        WeightedTerm("straightness", 0.1),
        WeightedTerm("upright", 0.1, 0.0, 1.0),
        WeightedTerm("transport", -0.02, 0.0, 4.0),
        WeightedTerm("tangle", -0.5),
    ),
    "natural": NATURAL,
    "trot": TROTTING,
}
"""The terms by task."""
