"""Lives: creatures grow from their genotypes, live side by side in compiled programs, and are scored."""

from gambol.evolve.life.breed import breed
from gambol.evolve.life.filming import filmed
from gambol.evolve.life.living import lives, outcomes_of
from gambol.evolve.life.sorting import Herds, Sorting

__all__ = ["Herds", "Sorting", "breed", "filmed", "lives", "outcomes_of"]
