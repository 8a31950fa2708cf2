"""Evolve the creatures of the zoo again: `python -m validation.gallery [NAME ...]` writes their genes and pictures.

Each is the best of the run with its settings. Results depend on the version of gambol to the last bit, so another
version may give another creature; all have to pass the tests of the zoo.
"""

import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from gambol.evolve.archive import Archive
from gambol.evolve.evaluate import film_rollout, search_setup
from gambol.evolve.genotype import of_json, write_genotype
from gambol.evolve.runs import Settings, begin_run, make_worker_pool
from gambol.evolve.zoo import CREATURES
from gambol.view import write_picture

GENES = Path(__file__).parents[1] / "src" / "gambol" / "evolve" / "zoo"
PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
FILM_TIMES = (4.0, 4.7)  # s of a film: two strides of most creatures


def evolve(name: str, settings: Settings) -> None:
    """Run the settings of a creature of the zoo, and store the best one."""
    with TemporaryDirectory() as folder, Archive(Path(folder) / "run.db") as archive:
        run = begin_run(archive, settings, search_setup)
        with make_worker_pool("threads") as pool:
            run.execute(pool, lambda now: log(f"{name}: generation {now.generation}, best {now.run_best:.2f}"))
        (best,) = archive.best(run.id, 1)
    write_genotype(of_json(best.genotype), GENES / f"{name}.toml")
    film = replace(film_rollout(settings, best.genotype), name=f"The {name}")
    write_picture(film.between(*FILM_TIMES), PICTURES / f"evolved-{name}.png")
    log(f"{name}: {best.outcome}")


def log(line: str) -> None:
    """Print a line of progress."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(names: list[str]) -> int:
    """Evolve the named creatures, or all."""
    for name in names or CREATURES:
        evolve(name, CREATURES[name][1])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
