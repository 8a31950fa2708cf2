"""The prompt of `gambol run --interactive`: commands of scripts, given while the simulation waits."""

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

from gambol.cli.figures import results
from gambol.cli.figures.run_request import SCRIPT_REASON, RunRequest, check_unused_options, request_summary
from gambol.cli.interrupts import Terminated, terminated
from gambol.cli.log import collected_warnings
from gambol.cli.output import Output
from gambol.cli.targets import Targets
from gambol.errors import GambolError, did_you_mean
from gambol.formats.file_format import SCRIPT, file_format
from gambol.script.commands import COMMANDS
from gambol.script.interactive import InteractiveScript
from gambol.view import write_graph
from gambol.world.run import Progress

if TYPE_CHECKING:
    from gambol.cli.session import Session

PROMPT, CONTINUED = "gambol> ", "   ...> "
LEAVE = ("quit", "exit")
INTRODUCTION = "Commands as in scripts; go N simulates N pictures, help lists all commands, quit writes the files."


def interact(session: "Session", request: RunRequest, output: Output) -> int:
    """Execute a script, then commands from standard input until it ends or `quit`; write the files of the film.

    session: for output. request: the script; it has no other options. output: where its files go. Returns the exit
    code, 0. Raises GambolError before any work, for a file that is not a script, for options of figures, and for files
    that cannot be written.
    """
    file = request.file
    if file_format(file) != SCRIPT:
        raise GambolError(f'--interactive: "{file.name}" is not a script (.corpus); run it without this option')
    if request.seconds is not None:
        raise GambolError("--seconds: the commands that you type determine the time; leave it out, or type go N")
    check_unused_options(request, SCRIPT_REASON)
    targets = Targets.of(output, file.stem, 1)
    targets.check()
    if output.live:
        raise GambolError("--live: a page cannot simulate commands that were typed; leave it out")
    script = InteractiveScript(file.parent, output.folder, session.print_line, draw=write_graph)
    if not _attempt(session, lambda progress: script.read(file, progress)):
        session.print_line(f"{file.name} was executed up to this line")
    session.print_line(INTRODUCTION)
    for line in _lines(script):
        words = line.split()
        if words and words[0] in LEAVE:
            break
        if words and words[0] == "help":
            _help(session, words[1:])
        else:
            _attempt(session, lambda progress, line=line: script.give(line, progress))
        if terminated():
            break
    if (film := script.film()) is None:
        session.print_line("nothing was simulated, so no files are written")
    else:
        session.write_files(
            film, request_summary(request) | results.film_summary(film), targets, "its commands were typed"
        )
    return 0


def _lines(script: InteractiveScript) -> Iterator[str]:
    """Yield the lines of standard input. At a terminal, Ctrl-C at the prompt discards the line; Ctrl-D ends."""
    with suppress(ImportError):
        import_module("readline")  # gives input() a history and editing
    while True:
        try:
            yield input(CONTINUED if script.pending else PROMPT)
        except EOFError:
            print(file=sys.stderr)
            return
        except Terminated:
            return
        except KeyboardInterrupt:
            script.pending = []
            print(file=sys.stderr)


def _attempt(session: "Session", work: Callable[[Progress], object]) -> bool:
    """Execute work() of a script, print its warnings and errors, and return True if it succeeded."""
    done = False
    with collected_warnings() as warnings:
        try:
            session.with_progress(work)
            done = True
        except GambolError as error:
            session.fail(str(error))
        except KeyboardInterrupt:
            session.fail("interrupted; what was simulated is kept")
    session.warn(warnings)
    return done


def _help(session: "Session", names: list[str]) -> None:
    """Print the names of all commands, or the usage of some."""
    if not names:
        session.print_line(", ".join(COMMANDS))
    for name in names:
        if name in COMMANDS:
            session.print_line(f"{COMMANDS[name].usage}: {COMMANDS[name].description}")
        else:
            session.fail(f'there is no command "{name}"; {did_you_mean(name, COMMANDS)}')
