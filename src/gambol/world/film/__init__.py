"""Films: recordings of runs, in memory and on disk."""

from gambol.world.film.contacts import Contacts
from gambol.world.film.film import Film
from gambol.world.film.matter import FilmMatter, FilmMesh, FilmParticles
from gambol.world.film.muscle import FilmMuscle
from gambol.world.film.shapes import FilmGround, FilmShape
from gambol.world.film.signals import SIGNALS, SignalKind, signal_kind

__all__ = [
    "SIGNALS",
    "Contacts",
    "Film",
    "FilmGround",
    "FilmMatter",
    "FilmMesh",
    "FilmMuscle",
    "FilmParticles",
    "FilmShape",
    "SignalKind",
    "signal_kind",
]
