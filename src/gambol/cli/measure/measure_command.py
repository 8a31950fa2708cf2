"""The command `gambol measure`: simulates a creature or reads a film; compares its measures with those of animals."""

import json
import math
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.table import Table
from rich.text import Text

from gambol.cli.defaults import ROACH
from gambol.cli.figures.creatures import check_duration, file_name, is_creature, read_creature
from gambol.cli.interrupts import exit_code
from gambol.cli.log import collected_warnings
from gambol.cli.session import DONE, Session
from gambol.cli.targets import check_targets
from gambol.cli.walk.creature import prepare_walk, simulate
from gambol.cli.walk.creature_request import CreatureRequest
from gambol.cli.walk.roach import RoachRequest, prepare_roach_walk, simulate_walk
from gambol.creatures.natural import NaturalReport, ReportRow, natural_report
from gambol.creatures.table import CREATURES
from gambol.errors import GambolError, did_you_mean
from gambol.formats import atomic_write
from gambol.gait.animals import ANIMALS
from gambol.view.measures_picture import MeasureBar, write_measures_picture
from gambol.world import Film, was_interrupted

JSON, PICTURE = ".measures.json", ".measures.png"


@dataclass(frozen=True, slots=True)
class MeasureRequest:
    """The options of the command. beside: name of an animal, "" for animals of the creature's mass."""

    creature: str
    beside: str = ""
    gait: str | None = None
    speed: float | None = None
    seconds: float | None = None

    @property
    def name(self) -> str:
        """The common name of the files."""
        return self.creature if self._by_name else file_name(Path(self.creature))

    @property
    def _by_name(self) -> bool:
        return self.creature in (ROACH, *CREATURES)

    def check(self) -> None:
        """Raise GambolError for an unknown creature or animal, and for options that do not apply to the creature."""
        if self.beside and self.beside not in ANIMALS:
            raise GambolError(
                f'--beside: no measures of "{self.beside}" are known; {did_you_mean(self.beside, ANIMALS)}'
            )
        path = Path(self.creature)
        is_film = path.suffix.lower() == ".npz"
        if not self._by_name and not is_film and not is_creature(path):
            hint = did_you_mean(self.creature, (ROACH, *CREATURES))
            raise GambolError(f'"{self.creature}" is not a creature, film or genotype; {hint}')
        for option in ("gait", "speed"):
            if getattr(self, option) is not None and self.creature not in CREATURES:
                raise GambolError(f"--{option} is for creatures by name other than the roach")
        if self.seconds is not None and is_film:
            raise GambolError("--seconds is for creatures; a film has its own duration")
        if self.seconds is not None and not 0.0 < self.seconds < math.inf:
            raise GambolError(f"--seconds: {self.seconds:g} is not possible; give more than 0")

    def film(self, session: Session) -> Film:
        """Return the film of the creature; it is simulated unless it was read from a file."""
        if self.creature == ROACH:
            walk = prepare_roach_walk(RoachRequest(seconds=self.seconds))
            return session.with_progress(partial(simulate_walk, walk))[0]
        if self.creature in CREATURES:
            walk = prepare_walk(CreatureRequest(self.creature, self.gait, self.speed, seconds=self.seconds))
            return session.with_progress(lambda progress: simulate(walk, progress, contacts=True))[0]
        if (path := Path(self.creature)).suffix.lower() == ".npz":
            return Film.load(path)
        if self.seconds is not None:
            check_duration(self.seconds)
        return read_creature(path).film(self.seconds)


def picture_path(request: MeasureRequest, out: Path) -> Path:
    """Return the path of the picture."""
    return out / f"{request.name}{PICTURE}"


def measure_motion(session: Session, request: MeasureRequest, out: Path) -> int:
    """Measure a creature, print its measures and write them; return the exit code. Raises GambolError before any work.

    out: the folder of the files.
    """
    request.check()
    data, picture = out / f"{request.name}{JSON}", picture_path(request, out)
    check_targets(out, [data, picture])
    with collected_warnings() as notes:
        film = request.film(session)
    session.warn(notes)
    report = natural_report(film, beside=request.beside)
    session.print_line(title_of(report))
    session.console.print(measures_table(report))
    session.print_line(f"{report.within} of {report.applicable} measures are in the range of {report.beside}")
    with atomic_write(data) as temporary:
        temporary.write_text(json.dumps(report.as_data(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    bars = [
        MeasureBar(row.measure, value_text(row), row.value, row.low, row.high) for row in report.rows if row.applies
    ]
    write_measures_picture(picture, title_of(report), report.beside, bars)
    session.print_line(f"wrote {data}, {picture}")
    return exit_code() if was_interrupted(film) else DONE


def title_of(report: NaturalReport) -> str:
    """Return the title of a report."""
    return f"{report.name}: {report.gait} at {report.speed:.3g} m/s, {report.mass:.3g} kg, {report.strides} strides"


def value_text(row: ReportRow) -> str:
    """Return the value of a measure with its unit."""
    return f"{row.value:.3g} {row.unit}".strip()


def measures_table(report: NaturalReport) -> Table:
    """Return a table of all measures of the creature, beside the ranges of animals."""
    table = Table(box=None, pad_edge=False)
    for heading in ("measure", "value", "", "animals", ""):
        table.add_column(heading, justify="right" if heading == "value" else "left", no_wrap=True)
    for row in report.rows:
        if math.isnan(row.value):
            continue
        mark = Text("within", "green") if row.within else Text("outside", "yellow") if row.applies else Text("")
        table.add_row(row.measure, f"{row.value:.3g}", row.unit, range_text(row), mark)
    return table


def range_text(row: ReportRow) -> str:
    """Return the range of animals as text."""
    if math.isnan(row.low):
        return "not known"
    if math.isinf(row.high):
        return f"{row.low:.3g} or more"
    return f"{row.low:.3g} to {row.high:.3g}"
