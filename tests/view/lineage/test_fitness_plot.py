"""Fitness over generations: as a picture, and as numbers."""

import csv
import math

import matplotlib.image
import pytest

from gambol.errors import GambolError
from gambol.view.lineage import Generation, write_fitness_plot

GENERATIONS = (
    Generation(0.5, 0.3, 0.2, 0.4),
    Generation(*[math.nan] * 4),
    Generation(0.4, 0.35, 0.3, 0.375),
    Generation(2.0, 0.5, 0.4, 0.7),
)


def test_the_numbers_of_a_plot_are_those_of_the_generations_and_the_best_so_far(tmp_path):
    with write_fitness_plot(GENERATIONS, tmp_path / "f.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["generation"]) for row in rows] == [0, 1, 2, 3]
    for name in ("best", "median", "lower", "upper"):
        for row, generation in zip(rows, GENERATIONS, strict=True):
            number, expected = float(row[name]), getattr(generation, name)
            assert number == expected or (math.isnan(number) and math.isnan(expected))
    assert [float(row["best so far"]) for row in rows] == [0.5, 0.5, 0.5, 2.0]


@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf"])
def test_a_plot_is_a_picture_of_its_ending(tmp_path, ending):
    path = write_fitness_plot(GENERATIONS, tmp_path / f"f{ending}", "walk <b>$x$</b>")
    start = path.read_bytes()[:64]
    assert {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}[ending] in start
    if ending == ".png":
        pixels = matplotlib.image.imread(path)
        assert pixels[..., :3].std() > 0.02  # not an empty sheet
    if ending == ".svg":
        assert "best so far" in path.read_text()  # of the legend: names of SVG text are comments or text


def test_plots_that_cannot_be_written_are_refused(tmp_path):
    with pytest.raises(GambolError, match=r"its ending must be one of \.png"):
        write_fitness_plot(GENERATIONS, tmp_path / "f.gif")
    with pytest.raises(GambolError, match="no generations yet"):
        write_fitness_plot((), tmp_path / "f.png")
    assert not list(tmp_path.iterdir())
