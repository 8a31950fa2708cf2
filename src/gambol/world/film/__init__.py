"""Films: recordings of runs, in memory and on disk."""

from gambol.world.film.film import Film, FilmGround, FilmShape

__all__ = ["Film", "FilmGround", "FilmShape"]
