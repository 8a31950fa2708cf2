"""The interpreter of scripts: executes their commands and simulates their worlds.

Before a script is run, it is checked by a dry run, which neither simulates nor writes files. Thus an error in the last
line is found before the first step is computed.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError, did_you_mean
from gambol.figure import Triple
from gambol.script import state_edits
from gambol.script.built_world import BuiltWorld, SavedState, build_world
from gambol.script.corpus import Corpus
from gambol.script.corpus_state import CorpusState
from gambol.script.cuts import numbers_with_cuts, with_cut_links
from gambol.script.gait_spec import GaitSpec
from gambol.script.graphic_objects import ORIGIN, GraphicObject
from gambol.script.language.command import Command, PlannedDump
from gambol.script.language.lines import ScriptError, warn
from gambol.script.script_matter import ScriptMatter
from gambol.script.segments import CHANGED, SegmentList
from gambol.script.spliced_film import SplicedFilm, report_lines
from gambol.script.state_transfer import state_of, transferred, transferred_origin
from gambol.script.world_spec import WorldSpec
from gambol.world import Film, State, World, run, was_interrupted
from gambol.world.film.shots import Key, with_keys
from gambol.world.run import Progress

MAX_FILM_FRAMES = 1_000_000
"""Maximum number of frames of a film; films of the roach take 4 GB."""


Draw = Callable[[NDArray[np.float64], Mapping[str, NDArray[np.float64]], Path, str], object]
"""A function that draws a graph. Arguments: times [s], values by name and unit, path of the file, text of its metadata.
"""


UNLIMITED_FRAMES = 1e18
"""The number of frames for an unlimited time."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """A command to be executed at a time [s]."""

    time: float
    command: Command


@dataclass(slots=True)
class Interpreter:
    """The state of a script while it runs.

    folder: folder of the script. out: folder for dumps. echo: called with every line of output. motor_bodies: names of
    bodies that motor commands move outside of gaits. cut_bodies: names of bodies that commands cut off. is_dry_run:
    True to check the script only. warns: True to warn of mistakes. max_seconds: limit of the simulated time [s].
    total_frames: frames of the run, counted by the dry run. where: file and line of the current command. premultiply,
    centre: premultiply and centre of the next transforms.
    spec, corpus, gait: the current world, corpus and gait. specs, graphic_objects, gaits, planned_dumps: all objects of
    these kinds, by name. saved: last states, by corpus; edits: edits to be applied to them. frames_done, seconds_done:
    frames and seconds simulated so far. frames_shown: pictures of the film so far. ended: True if the simulation has
    stopped. draw: function that draws graphs. has_graphs: True if the coordinates of joints are recorded, for graphs.
    name: name of the script's files without suffix. shots: keys of camera and light, see film.shots. matter: cloth,
    ropes, meshes and particles, or None. segments: the parts of the run between commands that change the world or the
    state.
    """

    folder: Path
    out: Path | None
    echo: Callable[[str], None]
    motor_bodies: tuple[str, ...] = ()
    cut_bodies: tuple[str, ...] = ()
    is_dry_run: bool = True
    warns: bool = False
    max_seconds: float = math.inf
    total_frames: int = 0
    progress: Progress | None = None
    where: str = ""
    premultiply: bool = False
    centre: Triple = ORIGIN
    spec: WorldSpec = field(default_factory=lambda: WorldSpec("world"))
    specs: dict[str, WorldSpec] = field(default_factory=dict[str, WorldSpec])
    graphic_objects: dict[str, GraphicObject] = field(default_factory=dict[str, GraphicObject])
    gaits: dict[str, GaitSpec] = field(default_factory=dict[str, GaitSpec])
    corpus: Corpus | None = None
    gait: GaitSpec | None = None
    saved: dict[str, SavedState] = field(default_factory=dict[str, SavedState])
    edits: dict[str, list[state_edits.Edit]] = field(default_factory=dict[str, list[state_edits.Edit]])
    alarms: list[Alarm] = field(default_factory=list[Alarm])
    planned_dumps: dict[str, PlannedDump] = field(default_factory=dict[str, PlannedDump])
    spliced_film: SplicedFilm = field(default_factory=SplicedFilm)
    frames_done: int = 0
    frames_shown: int = 0
    seconds_done: float = 0.0
    ended: bool = False
    draw: Draw | None = None
    has_graphs: bool = False
    name: str = ""
    shots: dict[str, list[Key]] = field(default_factory=dict[str, list[Key]])
    matter: ScriptMatter | None = None
    segments: SegmentList = field(default_factory=SegmentList)

    def film(self) -> Film:
        """Return the film of all that was simulated, with camera and light if they are set."""
        film = self.spliced_film.film()
        film = self.matter.in_film(film) if self.matter else film
        for name, keys in self.shots.items():
            film = with_keys(film, name, keys)
        return film

    def execute(self, command: Command) -> None:
        """Execute a command. Raises ScriptError, with file and line, if it fails."""
        previous, self.where = self.where, command.where
        if command.definition.changes_motion:
            self.segments.commands.append(command.definition.name)
        try:
            with np.errstate(over="raise", divide="raise", invalid="raise"):
                command.definition.act(self, command.values)
        except ScriptError:
            raise
        except GambolError as error:
            raise ScriptError(f"{command.where}: {command.definition.name}: {error}") from error
        except ArithmeticError as error:
            text = f"its numbers cause an arithmetic error ({error})"
            raise ScriptError(f"{command.where}: {command.definition.name}: {text}") from error
        finally:
            self.where = previous

    def warn(self, text: str) -> None:
        """Warn about the current command, if warnings are on."""
        if self.warns:
            warn(self.where, text)

    def print_line(self, text: str) -> None:
        """Output a line, unless this is a dry run."""
        if not self.is_dry_run:
            self.echo(text)

    def current_corpus(self) -> Corpus:
        """Return the current corpus. Raises GambolError without one."""
        if self.corpus is None:
            raise GambolError("there is no corpus yet; make one by addcorpus")
        return self.corpus

    def current_gait(self) -> GaitSpec:
        """Return the current gait. Raises GambolError without one."""
        if self.gait is None:
            raise GambolError("there is no gait yet; make one by addroach, with the name of its corpus")
        return self.gait

    def graphic_object(self, name: str) -> GraphicObject:
        """Return the graphic object with a name. Raises GambolError, with the nearest name, for an unknown name."""
        if name not in self.graphic_objects:
            bodies = self.corpus.bodies if self.corpus else {}
            raise GambolError(f'there is no object "{name}"; {did_you_mean(name, [*self.graphic_objects, *bodies])}')
        return self.graphic_objects[name]

    def edit_state(self, corpus: Corpus, edit: state_edits.Edit) -> None:
        """Add an edit of the state of a corpus. Edits are applied in order when the state is next needed."""
        corpus.check_made()
        self.edits.setdefault(corpus.name, []).append(edit)

    def build_world(self) -> World:
        """Return the world of the current description. Raises GambolError for an invalid one."""
        return self.built_world().world

    def built_world(self) -> BuiltWorld:
        """Return the world of the current description with its corpora. Raises GambolError for an invalid one."""
        return build_world(self.spec, self.gaits, self.motor_bodies, self.cut_bodies)

    def current_state(self) -> State:
        """Return the state of the current world, with all edits applied."""
        return self._current().state

    def corpus_state(self, corpus: Corpus) -> CorpusState:
        """Return the part of the current state that belongs to a corpus. Raises GambolError if it is switched off."""
        saved = self._current()
        if corpus.name not in saved.built.links:
            raise GambolError(f'corpus "{corpus.name}" is not simulated; switch it on by integrate')
        return state_of(saved, corpus.name)

    def _current(self) -> SavedState:
        """Return the current world with its state, after all edits of its corpora."""
        built, corpora = self.built_world(), self.spec.active_corpora()
        earlier = {corpus.name: self.saved[corpus.name] for corpus in corpora if corpus.name in self.saved}
        state, origin = transferred(built, earlier, self.spec.frame), np.empty(0, int)
        if not self.is_dry_run:
            origin = transferred_origin(built, earlier, self.spec.frame)
        saved, before = SavedState(built, state, origin), state.rows.copy()
        for corpus in corpora:
            self.saved[corpus.name] = saved
            for edit in self.edits.pop(corpus.name, []):
                edit(state_of(saved, corpus.name))
        if not self.is_dry_run:
            origin[np.any(state.rows != before, axis=1)] = CHANGED
        return saved

    def schedule(self, time: float, command: Command) -> None:
        """Add an alarm: a command to be executed when the simulation reaches a time [s]."""
        self.alarms.append(Alarm(time, command))

    def run_due_alarms(self) -> None:
        """Execute the commands of all due alarms, sorted by time."""
        while due := [a for a in self.alarms if self.spec.frame_at(a.time) <= self.spec.frame]:
            alarm = min(due, key=lambda a: a.time)
            self.alarms.remove(alarm)
            self.execute(alarm.command)

    def go(self, pictures: int) -> None:
        """Simulate a number of pictures, each of which lasts `iter` frames, and execute alarms when they are due."""
        spec, start = self.spec, self.spec.frame
        remaining = max(0.0, min((self.max_seconds - self.seconds_done) / spec.dt, UNLIMITED_FRAMES))
        end = start + min(round(remaining), pictures * spec.iter)
        self.frames_shown += (end - start) // spec.iter
        if self.frames_shown > MAX_FILM_FRAMES:
            raise GambolError(
                f"a film of {self.frames_shown:.10g} frames is too long; at most {MAX_FILM_FRAMES} are possible; "
                "increase iter, or simulate less time"
            )
        self._set_down()
        while spec.frame < end and not self.ended:
            self.run_due_alarms()
            alarm_frames = [spec.frame_at(alarm.time) for alarm in self.alarms]
            self._advance(min([end, *alarm_frames]), start)
        self.run_due_alarms()

    def _set_down(self) -> None:
        """Set down on the ground all figures that no command has placed; at the origin their feet would be below it."""
        for corpus in self.spec.active_corpora():
            if not corpus.is_placed and corpus.base == "free" and self.spec.ground_on:
                self.warn(
                    f'"{corpus.name}" was not placed; it is set down on the ground (place it by setdown or setrootpos)'
                )
                self.edit_state(corpus, state_edits.set_down())
            corpus.is_placed = True

    def _advance(self, until: int, start: int) -> None:
        """Simulate and film the world until a frame. start: the frame from which `iter` counts pictures."""
        spec, saved = self.spec, self._current()
        state = saved.state
        begin, count = spec.frame, until - spec.frame
        if self.is_dry_run:
            passed = count
            if self.matter and count:
                self.matter.check(saved.built.world)
        else:
            interval = math.gcd(count, start - begin, spec.iter)
            first = state.copied()
            numbers = numbers_with_cuts(saved.built.world, saved.built.cut)
            film = self._simulate(state, count, interval, numbers)
            film = with_cut_links(film, saved.built.world, saved.built.cut)
            begin_time = self.spliced_film.end if self.spliced_film.pieces else float(first.time[0])
            self.segments.add(first, state, begin_time, saved.origin, numbers)
            for each in self.saved.values():
                each.origin[:] = CHANGED
            saved.origin[:] = np.arange(len(saved.origin))
            passed = int(state.step_state.clock.control_steps[0]) - begin
            self.ended = passed < count or was_interrupted(film)
            pictures = [k for k in range(len(film.time)) if (begin - start + k * interval) % spec.iter == 0]
            if self.ended and len(film.time) - 1 not in pictures:
                pictures = [*pictures, len(film.time) - 1]
            self.spliced_film.add(film, pictures)
            if self.matter:
                self.matter.show(pictures)
            for line in report_lines(film, saved.built, self.gaits, self.spec.corpora):
                self.print_line(line)
        spec.frame = begin + passed
        self.frames_done += passed
        self.seconds_done += passed * spec.dt

    def _simulate(self, state: State, count: int, interval: int, numbers: NDArray[Any] | None) -> Film:
        """Simulate count frames from a state. Return the film, with a picture every interval frames.

        numbers: inputs of the world; None: its own.
        """
        report, frames_before = self.progress, self.frames_done

        def progress(done: int, _: int) -> None:
            if report:
                report(frames_before + done * interval, self.total_frames)

        dt = self.spec.dt
        with np.errstate(over="warn", divide="warn", invalid="warn"):
            if self.matter:
                return self.matter.simulate(state, count, interval, progress)
            seconds, rate, coordinates = count * dt, 1.0 / (interval * dt), self.has_graphs
            inputs: dict[str, Any] = {
                "rate": rate,
                "numbers": numbers,
                "progress": progress,
                "coordinates": coordinates,
            }
            return run(state.world, state, seconds, **inputs)
