"""The readers under test: valid files, damage, and checks of the results."""

import io
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
from films import hexapod_film
from fuzzing import binary_damage, documents
from fuzzing.mutations import BINARY, TEXT, damaged

from gambol.evolve.archive import Archive, IndividualRecord
from gambol.evolve.genotype.file import read_genotype
from gambol.evolve.outcome import Outcome
from gambol.formats import read_figure, read_hull, read_mjcf, read_urdf
from gambol.formats.figure_file import figure_text, parse_figure
from gambol.formats.heights import read_heights
from gambol.script import read_script
from gambol.world import Film

Damage = Callable[[bytes, Random], bytes]


def as_text(data: bytes, dice: Random) -> bytes:
    return damaged(data, dice, TEXT)


def as_bytes(data: bytes, dice: Random) -> bytes:
    return damaged(data, dice, BINARY)


@dataclass(frozen=True)
class Reader:
    """One reader.

    ending: of its files. seeds: return valid files. damage: damages a file. read: reads and checks it. share: of all
    cases, in hundredths.
    """

    name: str
    ending: str
    seeds: Callable[[], list[bytes]]
    damage: Damage
    read: Callable[[Path], object]
    share: int


def figure(path: Path) -> None:
    model = read_figure(path)
    assert parse_figure(figure_text(model), "again.toml") == model


def heights(path: Path) -> None:
    result = read_heights(path)
    assert result.dtype == np.float64
    assert np.isfinite(result).all()


def film(path: Path) -> None:
    result = Film.load(path)
    if len(result.time):
        result.at_rate(10.0) if result.duration < 100.0 else result.between(0.0, 1.0)
    repr(result)


def archive(path: Path) -> None:
    with Archive(path, create=False) as database:
        for run in database.runs():
            for generation in database.generations(run.id):
                database.individuals(run.id, generation.generation)
            database.best(run.id, 2)


def npy() -> list[bytes]:
    files: list[bytes] = []
    for array in (
        np.arange(12.0).reshape(3, 4),
        np.arange(12, dtype=">i2").reshape(4, 3).T,
        np.ones((2, 2), np.float32),
    ):
        file = io.BytesIO()
        np.save(file, array)
        files.append(file.getvalue())
    return files


def films() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        recorded = [hexapod_film(seconds=0.01, worlds=2, hills=True), hexapod_film(seconds=0.02, rate=200.0)]
        return [each.save(Path(folder) / "film.npz").read_bytes() for each in recorded]


def archives() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "evolve.db"
        with Archive(path) as database:
            run = database.begin({"population": 2, "options": {"step": 1 / 480}}, 7, {"gambol": "1.2"})
            for generation in range(2):
                numbers = range(2 * generation, 2 * generation + 2)
                database.add(run, [_individual(number, generation) for number in numbers], SUMMARY, 0.5)
        return [path.read_bytes()]


SUMMARY = {"best": 2.0, "median": 1.0, "lower": 0.5, "upper": 1.5}


def _individual(number: int, generation: int) -> IndividualRecord:
    outcome = Outcome(1.0, {"distance": 0.1}, (0.25,), "")
    parents = (0, 1) if generation else ()
    return IndividualRecord(number, generation, number % 2, parents, "crossed", (0.1,), {"trunk": [0.1]}, 5, outcome)


READERS: tuple[Reader, ...] = (
    Reader("figure", ".toml", documents.figures, as_text, figure, 16),
    Reader("mjcf", ".xml", documents.models, as_text, read_mjcf, 16),
    Reader("urdf", ".urdf", documents.robots, as_text, lambda path: read_urdf(path, "free", fix_inertia=True), 14),
    Reader("stl", ".stl", documents.meshes, as_bytes, read_hull, 5),
    Reader("obj", ".obj", lambda: [documents.OBJ.encode()], as_text, read_hull, 5),
    Reader("npy", ".npy", npy, binary_damage.array_file, heights, 8),
    Reader("csv", ".csv", lambda: [documents.HEIGHTS.encode()], as_text, heights, 4),
    Reader("film", ".npz", films, binary_damage.film_file, film, 12),
    Reader("script", ".corpus", documents.scripts, as_text, read_script, 8),
    Reader("genotype", ".toml", documents.genotypes, as_text, read_genotype, 8),
    Reader("archive", ".db", archives, binary_damage.archive_file, archive, 4),
)
SCHEDULE = tuple(reader for reader in READERS for _ in range(reader.share))


@cache
def seeds(name: str) -> list[bytes]:
    return next(reader for reader in READERS if reader.name == name).seeds()


def reader_of(number: int) -> Reader:
    """Return the reader of a case; cases cycle through all of them."""
    return SCHEDULE[number * 37 % len(SCHEDULE)]


def file_of(number: int) -> bytes:
    """Return the damaged file of a case; the same number gives the same file."""
    reader, dice = reader_of(number), Random(number)
    return reader.damage(dice.choice(seeds(reader.name)), dice)
