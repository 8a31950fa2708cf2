"""Interactive scripts: commands are given one after the other, and the simulation waits between them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from gambol.errors import GambolError
from gambol.script.interpreter import Draw, Interpreter
from gambol.script.language.command import Command
from gambol.script.language.lines import Line, ScriptError, lines_of, path_inside, read_lines
from gambol.script.language.parse import IncompleteError, parse_commands
from gambol.script.script import cut_bodies, motor_bodies
from gambol.world import Film
from gambol.world.run import Progress
from gambol.world.step import RUNNING


@dataclass(slots=True)
class InteractiveScript:
    """A script to which commands are added while it runs.

    folder: folder of the files that it may read. out: folder for dumps. echo: called with every line of output.
    progress(done, frames): called during a go command. pending: lines of a command that is not complete yet. count:
    number of lines given so far. draw: function that draws graphs, such as gambol.view.write_graph.
    """

    folder: Path
    out: Path
    echo: Callable[[str], None]
    interpreter: Interpreter = field(init=False)
    pending: list[Line] = field(default_factory=list[Line])
    count: int = 0
    draw: Draw | None = None

    def __post_init__(self) -> None:
        self.interpreter = Interpreter(self.folder, self.out, self.echo, is_dry_run=False, warns=True)
        self.interpreter.draw, self.interpreter.has_graphs = self.draw, True

    def read(self, path: Path, progress: Progress | None = None) -> None:
        """Execute the commands of a file. Raises ScriptError at the first that fails; lines before it are executed."""
        self.interpreter.name = path.stem
        self._execute(parse_commands(read_lines(path)), progress)

    def give(self, text: str, progress: Progress | None = None) -> bool:
        """Execute a line. Return False if it is the beginning of a command that continues in the next line.

        Raises ScriptError for an unknown command, and for a command that fails; the line is then not executed, or only
        in part. After Ctrl-C in a go command, the simulation has reached the time of the interruption.
        """
        self.count += 1
        lines = [*self.pending, *self._lines(text)]
        self.pending = []
        try:
            commands = parse_commands(lines)
        except IncompleteError:
            self.pending = lines
            return False
        self._execute(commands, progress)
        return True

    def film(self) -> Film | None:
        """Return the film of all go commands so far; None without a simulation."""
        return self.interpreter.film() if self.interpreter.spliced_film.pieces else None

    def _lines(self, text: str) -> list[Line]:
        """Return the lines of a text, with the lines of files that it reads."""
        lines: list[Line] = []
        for line in lines_of(text, f"line {self.count}"):
            first, _, rest = line.text.partition(" ")
            if first == "read" and rest:
                lines += read_lines(path_inside(self.folder, rest.strip(), line.where))
            else:
                lines.append(Line(f"line {self.count}", line.text))
        return lines

    def _execute(self, commands: list[Command], progress: Progress | None) -> None:
        interp = self.interpreter
        interp.motor_bodies = tuple(dict.fromkeys((*interp.motor_bodies, *motor_bodies(commands))))
        interp.cut_bodies = tuple(dict.fromkeys((*interp.cut_bodies, *cut_bodies(commands))))
        interp.progress = progress
        for command in commands:
            if command.definition.name == "go":
                interp.total_frames = interp.frames_done + (command.values[0] or 1) * interp.spec.iter
            try:
                interp.execute(command)
            except ScriptError:
                raise
            except ValueError as error:
                raise ScriptError(f"{command.where}: {command.definition.name}: {error}") from error
            if interp.ended:
                self._continue_after_stop(command)
                return

    def _continue_after_stop(self, command: Command) -> None:
        """Allow further go commands after an interruption. Raises GambolError if the motion became infinite."""
        interp = self.interpreter
        interp.ended = False
        if float(interp.current_state().step_state.clock.status[0]) != RUNNING:
            raise GambolError(
                f"{command.where}: the motion stopped at {interp.spec.time:.6g} s, because its numbers became infinite "
                "or its steps too small; load an earlier state by loads"
            )
