"""The stage on which a script is performed: what its commands have made so far, and how time passes there.

A script is rehearsed before it is performed: everything is done but the motion itself and the writing of files, so that
what is wrong with the last line is known before the first step is computed.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from gambol.control import GaitController
from gambol.errors import GambolError, did_you_mean
from gambol.figure import Figure, Triple
from gambol.script import carry
from gambol.script.corpus import Corpus
from gambol.script.language.lines import ScriptError, warn
from gambol.script.language.row import Command, Planned
from gambol.script.reel import Reel, too_fast
from gambol.script.setting import Setting
from gambol.script.things import ORIGIN, Thing
from gambol.script.walker import Walker, controller_of
from gambol.world import Film, State, World, run, start, was_interrupted
from gambol.world.run import Progress

MOST_FRAMES = 1_000_000
"""Frames of one film: of the roach they take 4 GB."""


ENDLESS = 1e18
"""Frames of a time without an end, or with one that is too far off to count them."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """A command to be given at a time [s]."""

    time: float
    command: Command


@dataclass(slots=True)
class Stage:
    """Everything that a script has made, and the place where it is performed.

    folder: of the script; out: for what it writes. tell: is given what it says. motored: names of bodies that motor
    commands move outside of gaits. rehearsing: nothing moves and nothing is written. warns: slips are told. limit: time
    to simulate at most [s]. frames: to be simulated in all, as known from a rehearsal. before, centre: how transforms
    act now. planned: dumps that the script writes, by name. done, spent: frames and time [s]
    simulated so far; shown: pictures asked for; ended: nothing can move any more.
    """

    folder: Path
    out: Path | None
    tell: Callable[[str], None]
    motored: tuple[str, ...] = ()
    rehearsing: bool = True
    warns: bool = False
    limit: float = math.inf
    frames: int = 0
    progress: Progress | None = None
    where: str = ""
    before: bool = False
    centre: Triple = ORIGIN
    setting: Setting = field(default_factory=lambda: Setting("world"))
    settings: dict[str, Setting] = field(default_factory=dict[str, Setting])
    things: dict[str, Thing] = field(default_factory=dict[str, Thing])
    walkers: dict[str, Walker] = field(default_factory=dict[str, Walker])
    corpus: Corpus | None = None
    walker: Walker | None = None
    alarms: list[Alarm] = field(default_factory=list[Alarm])
    planned: dict[str, Planned] = field(default_factory=dict[str, Planned])
    reel: Reel = field(default_factory=Reel)
    done: int = 0
    shown: int = 0
    spent: float = 0.0
    ended: bool = False

    def perform(self, command: Command) -> None:
        """Do one command. Raises ScriptError, with its file and line, for what cannot be done."""
        outer, self.where = self.where, command.where
        try:
            with np.errstate(over="raise", divide="raise", invalid="raise"):
                command.row.act(self, command.values)
        except ScriptError:
            raise
        except GambolError as error:
            raise ScriptError(f"{command.where}: {command.row.name}: {error}") from error
        except ArithmeticError as error:
            text = f"its numbers lead out of all bounds ({error})"
            raise ScriptError(f"{command.where}: {command.row.name}: {text}") from error
        finally:
            self.where = outer

    def warn(self, text: str) -> None:
        """Warn of something at the command that is being done, once."""
        if self.warns:
            warn(self.where, text)

    def say(self, text: str) -> None:
        """Tell something, unless this is a rehearsal."""
        if not self.rehearsing:
            self.tell(text)

    def building(self) -> Corpus:
        """The current corpus."""
        if self.corpus is None:
            raise GambolError("there is no corpus yet; make one by addcorpus")
        return self.corpus

    def walking(self) -> Walker:
        """The current gait."""
        if self.walker is None:
            raise GambolError("there is no gait yet; make one by addroach, with the name of its corpus")
        return self.walker

    def thing(self, name: str) -> Thing:
        """The graphic object of this name; GambolError with the nearest name when there is none."""
        if name not in self.things:
            bodies = self.corpus.bodies if self.corpus else {}
            raise GambolError(f'there is no object "{name}"; {did_you_mean(name, [*self.things, *bodies])}')
        return self.things[name]

    def edit(self, corpus: Corpus, change: carry.Edit) -> None:
        """Change a corpus' state when it is next looked at, after all changes before."""
        corpus.finished()
        corpus.edits.append(change)

    def world(self) -> World:
        """The world as it is described now. Raises GambolError for one that cannot be."""
        setting = self.setting
        corpus = setting.simulated()
        figure, springs = corpus.figure(), corpus.springs()
        walker = self.walkers.get(corpus.name)
        others = tuple(name for name in self.motored if name in springs)
        controller = None
        if walker is not None and walker.moves:
            controller = walker.controller(springs, others)
        elif others:
            controller = controller_of((), springs, others)
        sticky = tuple(body.name for body in corpus.bodies.values() if body.sticks)
        return World(
            figure,
            springs,
            ground=setting.surface(),
            touch=setting.ground.touch(figure.mass),
            feet=sticky or feet_of(figure, controller),
            stick=setting.ground.stick(figure.mass) if sticky else None,
            controller=controller,
            attachments=tuple(setting.attachments),
            gravity=setting.gravity if setting.heavy else 0.0,
            timing=setting.timing(),
        )

    def live(self) -> State:
        """The state of the simulated corpus in the world as it is described now, with all changes made."""
        world, corpus = self.world(), self.setting.simulated()
        if corpus.state is None:
            corpus.edits.insert(0, carry.clock_at(self.setting.frame))
            corpus.state = start(world)
        corpus.state = carry.carried(corpus.state, world)
        edits, corpus.edits = corpus.edits, []
        for change in edits:
            change(corpus.state)
        return corpus.state

    def wait(self, time: float, command: Command) -> None:
        """Give a command at a time [s], when time next passes it."""
        self.alarms.append(Alarm(time, command))

    def ring(self) -> None:
        """Give the commands of all alarms that are due, in the order of their times."""
        while due := [a for a in self.alarms if self.setting.frame_at(a.time) <= self.setting.frame]:
            first = min(due, key=lambda a: a.time)
            self.alarms.remove(first)
            self.perform(first.command)

    def go(self, frames: int) -> None:
        """Simulate some frames, each looped over as often as `iter` says, and give alarms when they are due."""
        setting, start = self.setting, self.setting.frame
        left = max(0.0, min((self.limit - self.spent) / setting.dt, ENDLESS))
        end = start + min(round(left), frames * setting.iter)
        self.shown += (end - start) // setting.iter
        if self.shown > MOST_FRAMES:
            raise GambolError(
                f"a film of {self.shown:.10g} frames is too long, {MOST_FRAMES} are the most; let iter loop over each "
                "of fewer frames, or simulate less time"
            )
        self._set_down()
        while setting.frame < end and not self.ended:
            self.ring()
            coming = [setting.frame_at(alarm.time) for alarm in self.alarms]
            self._move(min([end, *coming]), start)
        self.ring()

    def _set_down(self) -> None:
        """Set a figure down that no command has placed: at the origin its feet would be far inside the ground."""
        corpus = self.setting.simulated()
        if not corpus.placed and corpus.base == "free" and self.setting.solid:
            self.warn(
                f'"{corpus.name}" was not placed; it is set down on the ground (setdown or setrootpos says where)'
            )
            self.edit(corpus, carry.set_down())
        corpus.placed = True

    def _move(self, until: int, start: int) -> None:
        """Move the simulated corpus on to a frame, and film it; start: the frame from which pictures are counted."""
        setting, state = self.setting, self.live()
        begin, count = setting.frame, until - setting.frame
        if self.rehearsing:
            passed = count
        else:
            every = math.gcd(count, start - begin, setting.iter)
            film = self._filmed(state, count, every)
            passed = int(state.living.clock.frame[0]) - begin
            self.ended = passed < count or was_interrupted(film)
            shown = [k for k in range(len(film.time)) if (begin - start + k * every) % setting.iter == 0]
            self.reel.add(
                film, [*shown, len(film.time) - 1] if self.ended and len(film.time) - 1 not in shown else shown
            )
            for moment, words in self.heard(film):
                self.say(f"{moment:.6g} s: {words}")
            for words in too_fast(film, setting.simulated().fastest):
                self.say(words)
        setting.frame = begin + passed
        self.done += passed
        self.spent += passed * setting.dt

    def _filmed(self, state: State, count: int, every: int) -> Film:
        """The film of some frames of a state, of which every so many are pictures."""
        told, before = self.progress, self.done

        def progress(done: int, _: int) -> None:
            if told:
                told(before + done * every, self.frames)

        dt = self.setting.dt
        with np.errstate(over="warn", divide="warn", invalid="warn"):
            return run(state.world, state, count * dt, rate=1.0 / (every * dt), progress=progress)

    def heard(self, film: Film) -> list[tuple[float, str]]:
        """What motor programs that began in a piece of film say, with the time at which they say it [s]."""
        walker = self.walkers.get(self.setting.simulated().name)
        if walker is None or "stepping" not in film.signals:
            return []
        steps = film.signals["stepping"][:, 0] > 0.5
        said: list[tuple[float, str]] = []
        for frame, leg in np.argwhere(steps[1:] != steps[:-1]):
            moment = float(film.time[frame + 1])
            said += walker.speech(int(leg), bool(steps[frame + 1, leg]), moment)
        return sorted(said)


def feet_of(figure: Figure, controller: GaitController | None) -> tuple[str, ...]:
    """The links whose corners grip the ground: the feet of legs, or, without legs, the ends of all limbs."""
    if controller is not None and controller.legs:
        return tuple(leg.foot for leg in controller.legs)
    bearing = {link.parent_index for link in figure.links}
    ends = [link for link in figure.links if link.index not in bearing and figure.moves(link.index)]
    return tuple(link.name for link in ends if any(point.radius == 0.0 for point in link.contact_points()))
