"""A script: read, rehearsed, and performed."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from gambol.script.language.lines import ScriptError, read_lines
from gambol.script.language.parse import parsed
from gambol.script.language.row import Command
from gambol.script.stage import ENDLESS, Stage
from gambol.world import Film
from gambol.world.run import Progress

UNTOLD = 1.0
"""How long a script without a go command is simulated, unless its caller says [s]."""


@dataclass(frozen=True, slots=True)
class Script:
    """The commands of a script; path: of its file, from whose folder it may read."""

    path: Path
    commands: tuple[Command, ...]

    def run(
        self,
        out: str | Path,
        seconds: float | None = None,
        progress: Progress | None = None,
        tell: Callable[[str], None] = print,
    ) -> Film:
        """Perform the script, and film what moves.

        out: the folder for what it dumps. seconds: how much to simulate, whatever its go commands say; None: as they
        say, or 1 s where there is none. progress(done, frames) is called as time passes; tell is given every line that
        the script says. A motion that becomes infinite, and Ctrl-C, end the film with a StoppedWarning.
        Raises ScriptError, with file and line, for what is wrong in the script; most of it before anything moves.
        """
        if seconds is not None and not 0.0 < seconds < math.inf:
            raise ScriptError(f"{self.path.name}: it cannot be run for {seconds:g} s; give more than 0")
        rehearsed = self.rehearsed(Path(out), seconds)
        if not rehearsed.done:
            raise ScriptError(f"{self.path.name}: it simulates nothing; give a corpus and a go command")
        stage = Stage(self.path.parent, Path(out), tell, motored(self.commands), rehearsing=False)
        stage.limit = rehearsed.limit if seconds is None else seconds
        stage.frames, stage.progress = rehearsed.done, progress
        for command in self.commands:
            if stage.ended:
                break
            stage.perform(command)
        _to_the_end(stage, self.path.name)
        return stage.reel.film()

    def rehearsed(self, out: Path | None = None, seconds: float | None = None, warns: bool = False) -> Stage:
        """What the script makes, without any motion. warns: of slips, as they are met."""
        stage = Stage(self.path.parent, out, _silent, motored(self.commands), warns=warns)
        stage.limit = math.inf if seconds is None else seconds
        for command in self.commands:
            stage.perform(command)
        if seconds is None:
            stage.limit = stage.spent or UNTOLD
        _to_the_end(stage, self.path.name)
        return stage


def read_script(path: str | Path) -> Script:
    """Read a script of corpus commands, and rehearse it. [McKenna 1990, appendices C and D]

    Slips, and commands that gambol notes without simulating them, are told by ScriptWarnings. Raises ScriptError, with
    file, line and cure, for everything else that is wrong.
    """
    path = Path(path)
    script = Script(path, tuple(parsed(read_lines(path))))
    script.rehearsed(warns=True)
    return script


def motored(commands: Iterable[Command]) -> tuple[str, ...]:
    """The names of all bodies that motor commands move outside of the gait's programs."""
    names: dict[str, None] = {}
    for command in commands:
        if command.row.name == "motor":
            names[command.values[0]] = None
        names |= dict.fromkeys(motored([value for value in command.values if isinstance(value, Command)]))
    return tuple(names)


def _silent(words: str) -> None:
    """Hears nothing."""


def _to_the_end(stage: Stage, name: str) -> None:
    """Simulate what is left of the time when the last command has been given."""
    stage.where, stage.warns, left = name, False, stage.limit - stage.spent
    frames = round(min(left / (stage.setting.dt * stage.setting.iter), ENDLESS)) if left < math.inf else 0
    if frames and not stage.ended and any(c.ready and c.integrated for c in stage.setting.corpora.values()):
        try:
            stage.go(frames)
        except ScriptError:
            raise
        except ValueError as error:
            raise ScriptError(f"{name}: after its last command: {error}") from error
