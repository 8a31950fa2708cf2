"""Evolve the kept creatures anew: `python -m validation.gallery [NAME ...]` writes their genes and their pictures.

Each is the best of the run that its settings describe. What runs here decides its bits, so a creature of another
version may be another one; all have to pass the tests of what they are kept for.
"""

import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from gambol.evolve.archive import Archive
from gambol.evolve.gallery import KEPT
from gambol.evolve.genotype import of_json, write_genotype
from gambol.evolve.life import breed, filmed
from gambol.evolve.run import Settings, begun, crew_named
from gambol.view import write_picture

GENES = Path(__file__).parents[1] / "src" / "gambol" / "evolve" / "gallery"
PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
SHOWN = (4.0, 4.7)  # s of a life: two strides of most


def evolved(name: str, settings: Settings) -> None:
    """Run the settings of a kept creature, and keep the best one."""
    with TemporaryDirectory() as folder, Archive(Path(folder) / "run.db") as archive:
        run = begun(archive, settings, breed)
        with crew_named("threads") as crew:
            run.go(crew, lambda now: said(f"{name}: generation {now.generation}, best {now.record:.2f}"))
        (best,) = archive.best(run.id, 1)
    write_genotype(of_json(best.genotype), GENES / f"{name}.toml")
    film = replace(filmed(settings, best.genotype), name=f"The {name}")
    write_picture(film.between(*SHOWN), PICTURES / f"evolved-{name}.png")
    said(f"{name}: {best.outcome}")


def said(line: str) -> None:
    """Tell how it goes."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(names: list[str]) -> int:
    """Evolve those named, or all."""
    for name in names or KEPT:
        evolved(name, KEPT[name][1])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
