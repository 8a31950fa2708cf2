"""Films: what was recorded of a run, in memory and on disk."""

from gambol.world.film.film import Film, FilmGround, FilmShape

__all__ = ["Film", "FilmGround", "FilmShape"]
