"""What a run of evolution is made of: the search that its settings ask for, and lives in worlds."""

from gambol.evolve.genotype import VERSION, Genotype, to_json
from gambol.evolve.life.asked import sorting_of, space_asked, task_of
from gambol.evolve.life.living import lives
from gambol.evolve.run import Breeding, Settings
from gambol.evolve.search import search_named


def breed(settings: Settings) -> Breeding[Genotype]:
    """The breeding of a run's settings. Raises EvolveError for what they cannot ask for."""
    task, _ = task_of(settings), sorting_of(settings)
    options = settings.options.get("search", {})
    search = search_named(settings.search, space_asked(settings), settings.seed, settings.population, **options)
    return Breeding(search, to_json, lives, steps=task.seconds / task.step, versions={"genotype": str(VERSION)})
