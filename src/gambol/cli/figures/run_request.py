"""The options of `gambol run`, and a run that is ready to be simulated."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gambol.cli.figures.sources import DEFAULT_OPTIONS, ReadOptions
from gambol.cli.pages import LiveSimulation
from gambol.errors import GambolError
from gambol.formats import Model
from gambol.lanes import Precision
from gambol.world import Film
from gambol.world.run import Progress

DEFAULT_SECONDS = 2.0  # duration of a run without --seconds
SCRIPT_REASON = "is a script, which sets this itself"


@dataclass(frozen=True)
class RunRequest:
    """The options of the command line, as given by the user. None: the default of the file or of the contact method."""

    file: Path
    seconds: float | None = None
    method: str = "aba"
    integrator: str | None = None
    step: float | None = None
    tolerance: float | None = None
    ground: str | None = None
    spacing: float = 0.05
    seed: int = 0
    precision: Precision = "float64"
    lanes: int = 1
    contact: str | None = None
    reading: ReadOptions = DEFAULT_OPTIONS
    actuators: bool = False
    control: tuple[str, ...] = ()
    hold: bool = False
    gains: tuple[str, ...] = ()
    controller: str | None = None
    control_rate: float | None = None
    policy: str | None = None
    compile: bool = False
    accuracy: float | None = None
    adaptive: float | None = None
    active_joints: int | None = None

    @property
    def adapts(self) -> bool:
        """True if the figure moves by adaptive dynamics."""
        return self.adaptive is not None or self.active_joints is not None

    @property
    def holds(self) -> bool:
        """True if the figure holds a pose."""
        return self.hold or bool(self.gains)


@dataclass(frozen=True)
class PreparedRun:
    """A run ready to be simulated.

    seconds: maximum duration [s]. film(progress): simulates and returns the film. summary(film): returns the results.
    simulation: the simulation for a live page, or the reason why there is none. notes: notes to print after the run.
    model: model of its figure, None if the film has others. later(): if not None, returns after film() what then
    replaces `simulation`.
    """

    name: str
    seconds: float
    film: Callable[[Progress], Film]
    summary: Callable[[Film], dict[str, Any]]
    simulation: LiveSimulation | str
    notes: tuple[str, ...] = ()
    model: Model | None = None
    later: Callable[[], LiveSimulation | str] | None = None


def request_summary(request: RunRequest) -> dict[str, Any]:
    """Return the options as data for the JSON file."""
    options = {key: value for key, value in asdict(request).items() if key != "reading"}
    options |= asdict(request.reading)
    return {"asked": {key: str(value) if isinstance(value, Path) else value for key, value in options.items()}}


def check_unused_options(request: RunRequest, reason: str) -> None:
    """Raise GambolError, with the name of the option, for a request with other options than --seconds.

    reason: why the option cannot be used.
    """
    defaults = asdict(RunRequest(request.file, request.seconds))
    for key, value in asdict(request).items():
        if value != defaults[key]:
            raise GambolError(f'--{key.replace("_", "-")}: "{request.file.name}" {reason}')
