"""Shows the progress of a run: as a live table on a terminal, else as lines of a log."""

import math
from collections.abc import Sequence
from time import perf_counter
from types import TracebackType
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from gambol.evolve.runs import Progress, Settings

BARS = "▁▂▃▄▅▆▇█"
WIDTH = 48  # characters: width of bars
LOG_LINES = 10  # approximate number of lines in a log


class ProgressDisplay:
    """Display of a run's progress: a live table on a terminal, else lines of a log. It is a context manager.

    title: title of the live table, or ""; history: best fitness of each completed generation.
    """

    def __init__(self, console: Console, title: str, settings: Settings, history: Sequence[float] = ()) -> None:
        self._console = console
        self._title = title
        self._settings = settings
        self._history = list(history)
        self._progress: Progress | None = None
        self._start = perf_counter()
        self._spinner = Spinner("dots")
        self._interval = max(1, settings.generations // LOG_LINES)
        self._live = Live(self, console=console, refresh_per_second=8, transient=True) if console.is_terminal else None

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, progress: Progress) -> None:
        """Show the progress after a generation."""
        self._progress = progress
        self._history.append(progress.best)
        done = progress.generation + 1
        if self._live is None and (done % self._interval == 0 or done in (1, progress.generations)):
            self._console.print(Text(log_line(progress)), soft_wrap=True)

    def __rich__(self) -> RenderableType:
        """Return the live table."""
        elapsed = perf_counter() - self._start
        head = Table.grid(padding=(0, 1))
        head.add_row(
            self._spinner, Text(self._title, style="bold"), Text(f"{duration_text(elapsed)} so far", style="dim")
        )
        if self._progress is None:
            return Group(head, Text("  compiling its programs and evaluating the first generation"))
        table = Table.grid(padding=(0, 2))
        for row in table_rows(self._progress):
            table.add_row("", *row)
        done = self._progress.generation + 1
        table.add_row("", "generations", ProgressBar(total=self._progress.generations, completed=done, width=WIDTH))
        table.add_row("", "best of each", Text(sparkline(self._history)))
        return Group(head, table)


def table_rows(progress: Progress) -> list[tuple[str, str]]:
    """Return the rows of the table: title and text."""
    best, median, lower, upper = map(fitness_text, (progress.best, progress.median, progress.lower, progress.upper))
    marked = ", ".join(f"{count} {reason}" for reason, count in sorted(progress.marked.items())) or "none"
    number = progress.run_best_number
    run_best = f"{fitness_text(progress.run_best)}, creature {number}" if number >= 0 else "none"
    return [
        ("generation", f"{progress.generation + 1} of {progress.generations}"),
        ("its fitness", f"best {best}, median {median}, quartiles {lower} to {upper}"),
        ("best so far", run_best),
        ("scored nothing", marked),
        ("rate", f"{progress.creatures_per_second:,.0f} creatures/s, {progress.steps_per_second:,.0f} steps/s"),
        ("time left", duration_text(progress.seconds_left)),
    ]


def log_line(progress: Progress) -> str:
    """Return the progress in one line."""
    rows = dict(table_rows(progress))
    marked = f"; {rows['scored nothing']}" if progress.marked else ""
    return (
        f"generation {rows['generation']}: {rows['its fitness']}{marked}; "
        f"best so far {fitness_text(progress.run_best)}; {rows['rate']}; {rows['time left']} left"
    )


def sparkline(values: Sequence[float]) -> str:
    """Return values as a line of small bars; a value that is not finite is a dot.

    If there are more than WIDTH values, evenly spaced ones are shown.
    """
    shown = [values[(k + 1) * len(values) // WIDTH - 1] for k in range(WIDTH)] if len(values) > WIDTH else values
    finite = [value for value in shown if math.isfinite(value)]
    low, high = min(finite, default=0.0), max(finite, default=1.0)
    scale = (len(BARS) - 1) / ((high - low) or 1.0)
    return "".join(BARS[round((value - low) * scale)] if math.isfinite(value) else "·" for value in shown)


def fitness_text(value: float) -> str:
    """Return a fitness as text."""
    return f"{value:.3f}" if math.isfinite(value) else "none"


def duration_text(seconds: float) -> str:
    """Return a duration [s] as minutes:seconds, or hours:minutes:seconds."""
    minutes, rest = divmod(round(max(seconds, 0.0)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
