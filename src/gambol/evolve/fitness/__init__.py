"""What a life is worth: terms of its track, and the judge of the energy ledger."""

from gambol.evolve.fitness.judge import gained, marks
from gambol.evolve.fitness.terms import TERMS, Weighed
from gambol.evolve.fitness.track import Track, joined

__all__ = ["TERMS", "Track", "Weighed", "gained", "joined", "marks"]
