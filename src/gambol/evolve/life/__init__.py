"""Lives: creatures grow from their genotypes, live side by side in compiled programs, and are scored."""

from gambol.evolve.life.filming import filmed
from gambol.evolve.life.living import breed, lives, outcomes_of
from gambol.evolve.life.sorting import Herds, Sorting
from gambol.evolve.life.trials import check_trial

__all__ = ["Herds", "Sorting", "breed", "check_trial", "filmed", "lives", "outcomes_of"]
