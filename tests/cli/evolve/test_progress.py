"""The output of a run while it is in progress."""

import io
import math

import pytest
from rich.console import Console

from gambol.cli.evolve.progress import WIDTH, ProgressDisplay, duration_text, log_line, sparkline
from gambol.evolve.runs import Progress, Settings


def progress(generation=0, **changes):
    defaults = {
        "run": 1, "generation": generation, "generations": 30, "best": 2.5, "median": 1.0, "lower": 0.5, "upper": 1.25,
        "run_best": 2.75, "run_best_number": 17, "marked": {"froze": 2, "gained energy": 1},
        "creatures_per_second": 1234.5,
        "steps_per_second": 4.5e6, "archive_part": 0.01, "seconds_left": 75.0,
    }  # fmt: skip
    return Progress(**defaults | changes)


def shown(watch):
    console = Console(file=io.StringIO(), width=100)
    console.print(watch)
    return console.file.getvalue()


def test_the_table_shows_best_median_spread_rates_marks_and_time_left():
    watch = ProgressDisplay(Console(file=io.StringIO(), width=100), "run 1: walk", Settings(generations=30))
    assert "evaluating the first generation" in shown(watch)
    watch(progress(4))
    for words in (
        "run 1: walk", "5 of 30", "best 2.500, median 1.000, quartiles 0.500 to 1.250", "2.750, creature 17",
        "2 froze, 1 gained energy", "1,234 creatures/s, 4,500,000 steps/s", "1:15",
    ):  # fmt: skip
        assert words in shown(watch)


def test_a_generation_without_valid_individuals_has_no_numbers():
    nan = math.nan
    line = log_line(progress(best=nan, median=nan, lower=nan, upper=nan, run_best=-math.inf, run_best_number=-1))
    assert "best none, median none, quartiles none to none" in line
    assert "best so far none" in line


def test_a_log_has_some_ten_lines_however_long_a_run_is():
    file = io.StringIO()
    with ProgressDisplay(Console(file=file, width=200), "run 1", Settings(generations=1000)) as watch:
        for generation in range(1000):
            watch(progress(generation, generations=1000))
    assert 10 <= len(file.getvalue().splitlines()) <= 12
    assert "run 1" not in file.getvalue()  # which was printed with what was asked for
    assert "generation 1000 of 1000" in file.getvalue()


@pytest.mark.parametrize(
    ("values", "bars"), [([0.0, 1.0], "▁█"), ([1.0, 1.0], "▁▁"), ([math.nan, 0.0, 7.0], "·▁█"), ([], "")]
)
def test_fitness_is_drawn_as_bars(values, bars):
    assert sparkline(values) == bars


def test_a_long_run_is_drawn_as_wide_as_a_short_one_and_ends_with_its_last_generation():
    bars = sparkline([*(0.5 for _ in range(5000)), 1.0])
    assert len(bars) == WIDTH
    assert bars[-1] == "█"


def test_durations_above_an_hour_show_hours():
    assert [duration_text(s) for s in (0.4, 59.6, 3599.0, 3600.0 * 30 + 61)] == ["0:00", "1:00", "59:59", "30:01:01"]
