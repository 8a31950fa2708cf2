"""A run as it comes along, on a terminal or in a log."""

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

from gambol.evolve.run import Progress, Settings

BARS = "▁▂▃▄▅▆▇█"
WIDTH = 48  # characters, of bars
LINES = 10  # of a log, about


class Watch:
    """Tells of every generation: a live table on a terminal, some lines elsewhere. Use it as a context.

    title: of the live table, or "". history: the best fitness of the generations that it already has.
    """

    def __init__(self, console: Console, title: str, settings: Settings, history: Sequence[float] = ()) -> None:
        self._console = console
        self._title = title
        self._settings = settings
        self._history = list(history)
        self._last: Progress | None = None
        self._since = perf_counter()
        self._spinner = Spinner("dots")
        self._every = max(1, settings.generations // LINES)
        self._live = Live(self, console=console, refresh_per_second=8, transient=True) if console.is_terminal else None

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, progress: Progress) -> None:
        """Take note of a generation."""
        self._last = progress
        self._history.append(progress.best)
        done = progress.generation + 1
        if self._live is None and (done % self._every == 0 or done in (1, progress.generations)):
            self._console.print(Text(line_of(progress)), soft_wrap=True)

    def __rich__(self) -> RenderableType:
        """The live table."""
        elapsed = perf_counter() - self._since
        head = Table.grid(padding=(0, 1))
        head.add_row(self._spinner, Text(self._title, style="bold"), Text(f"{clock(elapsed)} so far", style="dim"))
        if self._last is None:
            return Group(head, Text("  compiles its programs, and lives the first generation"))
        table = Table.grid(padding=(0, 2))
        for row in rows_of(self._last):
            table.add_row("", *row)
        done = self._last.generation + 1
        table.add_row("", "generations", ProgressBar(total=self._last.generations, completed=done, width=WIDTH))
        table.add_row("", "best of each", Text(spark(self._history)))
        return Group(head, table)


def rows_of(progress: Progress) -> list[tuple[str, str]]:
    """What the table tells of a generation, each with its title."""
    best, median, lower, upper = map(figures, (progress.best, progress.median, progress.lower, progress.upper))
    marked = ", ".join(f"{count} {why}" for why, count in sorted(progress.marked.items())) or "none"
    record = f"{figures(progress.record)}, creature {progress.record_number}" if progress.record_number >= 0 else "none"
    return [
        ("generation", f"{progress.generation + 1} of {progress.generations}"),
        ("its fitness", f"best {best}, median {median}, quartiles {lower} to {upper}"),
        ("best so far", record),
        ("scored nothing", marked),
        ("rate", f"{progress.creatures_per_second:,.0f} creatures/s, {progress.steps_per_second:,.0f} steps/s"),
        ("time left", clock(progress.seconds_left)),
    ]


def line_of(progress: Progress) -> str:
    """A generation in one line."""
    told = dict(rows_of(progress))
    marked = f"; {told['scored nothing']}" if progress.marked else ""
    return (
        f"generation {told['generation']}: {told['its fitness']}{marked}; best so far {figures(progress.record)}; "
        f"{told['rate']}; {told['time left']} left"
    )


def spark(values: Sequence[float]) -> str:
    """Values as a row of small bars, the last of each stretch where there are many; a dot for none."""
    kept = [values[(k + 1) * len(values) // WIDTH - 1] for k in range(WIDTH)] if len(values) > WIDTH else values
    known = [value for value in kept if math.isfinite(value)]
    low, high = min(known, default=0.0), max(known, default=1.0)
    scale = (len(BARS) - 1) / ((high - low) or 1.0)
    return "".join(BARS[round((value - low) * scale)] if math.isfinite(value) else "·" for value in kept)


def figures(value: float) -> str:
    """A fitness to read."""
    return f"{value:.3f}" if math.isfinite(value) else "none"


def clock(seconds: float) -> str:
    """A time as minutes and seconds, and hours where it is that long."""
    minutes, rest = divmod(round(max(seconds, 0.0)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
