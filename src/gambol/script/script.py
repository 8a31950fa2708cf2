"""Scripts: reading, checking by a dry run, and running."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from gambol.script.interpreter import UNLIMITED_FRAMES, Draw, Interpreter
from gambol.script.language.command import Command
from gambol.script.language.lines import ScriptError, read_lines
from gambol.script.language.parse import parse_commands
from gambol.script.segments import Segment
from gambol.world import Film
from gambol.world.run import Progress, marked_interrupted

DEFAULT_SECONDS = 1.0
"""Default simulated time of a script without a go command [s]."""


@dataclass(frozen=True, slots=True)
class Script:
    """The commands of a script. path: path of the script; it may read other files of the same folder."""

    path: Path
    commands: tuple[Command, ...]

    def run(
        self,
        out: str | Path,
        seconds: float | None = None,
        progress: Progress | None = None,
        echo: Callable[[str], None] = print,
        draw: Draw | None = None,
        coordinates: bool = False,
    ) -> Film:
        """Run the script, and return the film of the motion.

        out: the folder for dumps. seconds: simulated time [s]; None: the time of the go commands, or 1 s without any.
        progress(done, frames): called during the simulation. echo: called with every line of output. draw: draws
        graphs, such as gambol.view.write_graph. coordinates: True to record joint coordinates, as scripts with graphs
        do. If the motion becomes infinite, or after Ctrl-C, the film ends there, with a StoppedWarning. Raises
        ScriptError, with file and line, for errors of the script, most of them before the simulation starts.
        """
        return self.run_with_segments(out, seconds, progress, echo, draw, coordinates)[0]

    def run_with_segments(
        self,
        out: str | Path,
        seconds: float | None = None,
        progress: Progress | None = None,
        echo: Callable[[str], None] = print,
        draw: Draw | None = None,
        coordinates: bool = False,
    ) -> tuple[Film, list[Segment]]:
        """Run the script, and return the film of the motion, and the segments of the run.

        In a segment no command changes the world or the state. Empty with cloth or particles, and if the run was
        interrupted. For arguments and errors see run().
        """
        if seconds is not None and not 0.0 < seconds < math.inf:
            raise ScriptError(f"{self.path.name}: it cannot be simulated for {seconds:g} s; give more than 0")
        dry_run = self.dry_run(Path(out), seconds)
        if not dry_run.frames_done:
            raise ScriptError(f"{self.path.name}: it simulates nothing; give a corpus and a go command")
        interp = Interpreter(self.path.parent, Path(out), echo, *self._bodies, is_dry_run=False)
        interp.max_seconds = dry_run.max_seconds if seconds is None else seconds
        interp.total_frames, interp.progress, interp.draw = dry_run.frames_done, progress, draw
        interp.has_graphs, interp.name = coordinates or has_graphs(self.commands), self.path.stem
        try:
            for command in self.commands:
                if not interp.ended or command.definition.name == "graph":  # it shows the motion before the end
                    interp.execute(command)
            _run_remaining(interp, self.path.name)
        except KeyboardInterrupt:  # between two pieces of the film
            if not interp.spliced_film.pieces:
                raise
            return marked_interrupted(interp.film(), interp.max_seconds), []
        return interp.film(), [] if interp.matter else interp.segments.found

    @property
    def _bodies(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The bodies that its commands move by motors, and those that they cut off."""
        return motor_bodies(self.commands), cut_bodies(self.commands)

    def dry_run(self, out: Path | None = None, seconds: float | None = None, warns: bool = False) -> Interpreter:
        """Execute all commands without simulating or writing files; return the interpreter after the last one.

        out: the folder for dumps. seconds: simulated time [s], as for run. warns: True to warn of mistakes.
        """
        interp = Interpreter(self.path.parent, out, _discard, *self._bodies, warns=warns)
        interp.max_seconds, interp.name = math.inf if seconds is None else seconds, self.path.stem
        for command in self.commands:
            interp.execute(command)
        if seconds is None:
            interp.max_seconds = interp.seconds_done or DEFAULT_SECONDS
        _run_remaining(interp, self.path.name)
        return interp


def read_script(path: str | Path) -> Script:
    """Read a script of corpus commands, and check it by a dry run. [McKenna 1990, appendices C and D]

    Mistakes that gambol corrects, and commands that it accepts but does not simulate, give ScriptWarnings. Raises
    ScriptError, with file, line and remedy, for other errors.
    """
    path = Path(path)
    script = Script(path, tuple(parse_commands(read_lines(path))))
    script.dry_run(warns=True)
    return script


def motor_bodies(commands: Iterable[Command]) -> tuple[str, ...]:
    """Return the names of all bodies with joints that motor commands move outside of motor programs."""
    return _bodies_of(("motor", "motioncurve", "rightingreflex"), commands)


def cut_bodies(commands: Iterable[Command]) -> tuple[str, ...]:
    """Return the names of all bodies that commands cut off."""
    return _bodies_of(("cut",), commands)


def _bodies_of(kinds: tuple[str, ...], commands: Iterable[Command]) -> tuple[str, ...]:
    """Return the first values of all commands of some kinds, also of those that other commands contain."""
    names: dict[str, None] = {}
    for command in commands:
        if command.definition.name in kinds:
            names[command.values[0]] = None
        inner = [value for value in command.values if isinstance(value, Command)]
        names |= dict.fromkeys(_bodies_of(kinds, inner))
    return tuple(names)


def has_graphs(commands: Iterable[Command]) -> bool:
    """Return True if a command is a graph, or contains one."""
    return any(
        command.definition.name == "graph" or has_graphs([v for v in command.values if isinstance(v, Command)])
        for command in commands
    )


def _discard(text: str) -> None:
    """Discard a line of output."""


def _run_remaining(interp: Interpreter, name: str) -> None:
    """Simulate the remaining time after the last command."""
    interp.where, interp.warns, remaining = name, False, interp.max_seconds - interp.seconds_done
    pictures = (
        round(min(remaining / (interp.spec.dt * interp.spec.iter), UNLIMITED_FRAMES)) if remaining < math.inf else 0
    )
    if pictures and not interp.ended and any(c.is_made and c.is_integrated for c in interp.spec.corpora.values()):
        try:
            interp.go(pictures)
        except ScriptError:
            raise
        except ValueError as error:
            raise ScriptError(f"{name}: after its last command: {error}") from error
