"""The state of many worlds as one array, its rows named; and the programs that move and show it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError, did_you_mean
from gambol.figure import JOINTS, Figure, PlacedLink
from gambol.figure.measures import differing
from gambol.lanes import Precision, Program, Recipe, leaves, rebuilt
from gambol.lanes.program import in_blocks
from gambol.lanes.turns import Turn, in_turn
from gambol.world.checks import check_worlds
from gambol.world.encounters.encounter import described
from gambol.world.encounters.places import bristles_of
from gambol.world.encounters.touchable import unpressed
from gambol.world.laws import Ledger, Memory
from gambol.world.observe import Seen, observe, rows_seen
from gambol.world.step import RUNNING, Clock, Living, advance, entries, stride
from gambol.world.world import World

Array = NDArray[Any]
Places: TypeAlias = Sequence[float] | Array | Mapping[str, Sequence[float] | Array]
SHARPEST = {"float64": 1e-12, "float32": 1e-5}
"""Tolerances below these drown in rounding: some hundred times the spacing of numbers around 1."""


def resting(world: World) -> Living:
    """A world's state before anything happened: every joint at rest, the figure's root at the world's origin."""
    q = [x for link in world.figure.links for x in JOINTS[link.joint.kind].rest]
    anchors, bristles = bristles_of(world)
    control = world.controller.memory() if world.controller else None
    pressed = None if world.contact == "penalty" else unpressed(world)
    memory = Memory(control, anchors, [1.0] * len(world.attachments), pressed, bristles)
    clock = Clock(0.0, 0.0, world.timing.step, 0.0, 0.0, RUNNING)
    trail = world.timing.integrator.memory(world.figure.nv, len(entries(Ledger())))
    return Living(q, [0.0] * world.figure.nv, memory, Ledger(), trail, clock)


@dataclass(frozen=True)
class State:
    """The state of W worlds of one kind: everything that a step changes.

    rows: array (rows, W). Saving it and putting it back twice gives the same future. The properties are views.
    """

    world: World
    rows: Array

    def __repr__(self) -> str:
        return f'<State of "{self.world.figure.name}": worlds: {self.rows.shape[1]}, {self.rows.dtype}>'

    @cached_property
    def living(self) -> Living:
        """The state as a nest of arrays (W,), each a view of its row."""
        return rebuilt(resting(self.world), iter(list(self.rows)))

    @property
    def q(self) -> Array:
        """Positions (W, nq): angles [rad], lengths [m], quaternions (w, x, y, z)."""
        return self.rows[: self.world.figure.nq].T

    @property
    def v(self) -> Array:
        """Velocities (W, nv)."""
        return self.rows[self.world.figure.nq : self.world.figure.nq + self.world.figure.nv].T

    @property
    def time(self) -> Array:
        """Time of each world (W,) [s]."""
        clock = self.living.clock
        return np.asarray(clock.frame, float) * self.world.timing.frame + np.asarray(clock.elapsed, float)

    def copied(self) -> "State":
        """The same state in memory of its own."""
        return State(self.world, self.rows.copy())


def start(
    world: World,
    worlds: int = 1,
    *,
    position: Places = (0.0, 0.0, 0.0),
    angles: dict[str, float] | None = None,
    jitter: float = 0.0,
    seed: int = 0,
    precision: Precision = "float64",
) -> State:
    """The state of some worlds at time 0.

    position: of the root [m], where it is free, (3,) or (W, 3); or of several free links, by name. angles: of joints,
    by link name [rad or m]. jitter: spread of a normal disturbance of every joint [rad or m]. Raises WorldError for a
    start that is not finite or of another shape, FigureError for a joint that is not there.
    """
    if precision not in SHARPEST:
        raise WorldError(f'precision "{precision}" is unknown; {did_you_mean(precision, SHARPEST)}')
    if worlds < 1 or not 0.0 <= jitter < np.inf:
        raise WorldError(
            f"{worlds} worlds with a jitter of {jitter} cannot be; give at least one world and a jitter of 0 or more"
        )
    figure, one = world.figure, np.array(leaves(resting(world)), precision)
    check_worlds(worlds, one.nbytes)
    rows = np.repeat(one[:, None], worlds, axis=1)
    for name, angle in (angles or {}).items():
        rows[_one_coordinate(figure.link(name))] = angle
    for link, place in _places(figure, position, worlds):
        rows[link.q.start + 4 : link.q.stop] = place.T.reshape(3, -1)
    if not np.isfinite(rows[: figure.nq]).all():
        raise WorldError(f"the start is not finite: position {position} m, angles {angles}")
    random = np.random.default_rng(seed)
    for link in figure.links if jitter else ():
        if JOINTS[link.joint.kind].nq == 1:
            rows[link.q.start] += jitter * random.standard_normal(worlds)
    return State(world, rows)


def _places(figure: Figure, given: Places, worlds: int) -> Iterator[tuple[PlacedLink, Array]]:
    """Free links with the places that they start at, (3,) or (worlds, 3) [m]."""
    named = given if isinstance(given, Mapping) else {figure.root.name: given}
    for name, place in named.items():
        link, at = figure.link(name), np.asarray(place, float)
        if link.joint.kind != "free":
            if isinstance(given, Mapping):
                raise WorldError(f'link "{name}" hangs on a "{link.joint.kind}" joint; only free ones start at a place')
            return
        if at.shape not in ((3,), (worlds, 3)):
            raise WorldError(f"a position has shape (3,), or ({worlds}, 3) for {worlds} worlds, not {at.shape}")
        yield link, at


def _one_coordinate(link: PlacedLink) -> int:
    """Where the only coordinate of a link's joint lies in q."""
    if JOINTS[link.joint.kind].nq != 1:
        raise WorldError(f'link "{link.name}" hangs on a "{link.joint.kind}" joint, which no single angle describes')
    return link.q.start


class Engine:
    """The compiled programs of a world: one moves states, one shows them.

    precision, lanes: see Program. Raises WorldError for a tolerance that the precision cannot meet.
    """

    def __init__(self, world: World, precision: Precision = "float64", lanes: int | None = None) -> None:
        if world.timing.integrator.adaptive and world.timing.tolerance < SHARPEST[precision]:
            raise WorldError(
                f"a tolerance of {world.timing.tolerance:g} cannot be met in {precision}; "
                f"give {SHARPEST[precision]:g} or more" + (", or float64" if precision == "float32" else "")
            )
        self.world = world
        self.precision: Precision = precision
        self.lanes = lanes
        self.numbers_form = world.numbers()
        self.tables = [] if (table := world.ground.table()) is None else [table]

    @cached_property
    def mover(self) -> Program:
        """The program that moves a state to a frame."""

        def move(living: Living, numbers: Any, until: Any, *tables: Any) -> tuple[Living]:
            return (advance(self.world, living, numbers, until, tables[0] if tables else None),)

        return self._program("advance", move, (resting(self.world), self.numbers_form, 0.0))

    @cached_property
    def strider(self) -> Program:
        """The program that moves a state by a part of a step."""

        def move(living: Living, numbers: Any, until: Any, part: Any, *tables: Any) -> tuple[Living]:
            return (stride(self.world, living, numbers, until, part, tables[0] if tables else None),)

        return self._program("stride", move, (resting(self.world), self.numbers_form, 0.0, 0.0))

    @cached_property
    def viewer(self) -> Program:
        """The program that shows a state."""
        return self.showing("observe", observe)

    def showing(self, name: str, show: Callable[..., Any], *forms: Any) -> Program:
        """A program of this name that shows something of a state: show(world, living, numbers, *more, table).

        forms: of the nests of numbers that it takes besides those of the world. One name stands for one formula.
        """

        def shown(living: Living, numbers: Any, *given: Any) -> tuple[Any]:
            more, table = given[: len(forms)], given[len(forms) :]
            return (show(self.world, living, numbers, *more, table[0] if table else None),)

        return self._program(name, shown, (resting(self.world), self.numbers_form, *forms))

    def _program(self, name: str, function: Any, forms: tuple[Any, ...]) -> Program:
        own = _is_ours((self.world.ground, self.world.controller)) and self.world.base_acceleration is None
        key = self.world.structure() if own else None  # a user's formulas show only in the trace
        made_from = Recipe(name, function, forms, len(self.tables), key, described(self.world))
        return Program(made_from, self.precision, self.lanes)

    def numbers(self, **changes: Any) -> Array:
        """The world's numbers as rows (rows, 1), some of them changed, or (rows, W) where a change holds arrays (W,).

        changes: parts of world.numbers(), of the same form; of measures any, by name. Raises WorldError for a part that
        is not there, and for arrays of different numbers of worlds.
        """
        own, measures = self.numbers_form["measures"], changes.get("measures", {})
        for name in measures:
            if name not in own:
                raise WorldError(f'"{name}" is no measure that varies in this program; {did_you_mean(name, own)}')
        for name in changes:
            if name not in self.numbers_form:
                raise WorldError(f'a world has no numbers "{name}"; {did_you_mean(name, self.numbers_form)}')
        given = leaves(self.numbers_form | changes | {"measures": own | measures})
        if len(given) != len(leaves(self.numbers_form)):
            raise WorldError(f"the numbers {sorted(changes)} have another form than the world's own")
        worlds = max(np.size(x) for x in given)
        if odd := {np.shape(x) for x in given} - {(), (1,), (worlds,)}:
            raise WorldError(f"numbers of the shapes {sorted(odd)} and ({worlds},) do not go together")
        rows = np.empty((len(given), worlds), self.precision)
        for row, x in zip(rows, given, strict=True):
            row[:] = x
        return rows

    def numbers_of(self, worlds: Sequence[World]) -> Array:
        """The numbers of worlds of one structure as rows (rows, W): one column each, in their order.

        Whatever the engine's world names as varied is taken from each. Raises WorldError for a world that is not of the
        engine's structure, and says in what it differs.
        """
        known, columns = self.world.structure(), list[Any]()
        for number, world in enumerate(worlds):
            like = world if world.varied == self.world.varied else world.varying(self.world.varied)
            if differs := differing(known, like.structure()):
                raise WorldError(
                    f'world {number} ("{world.figure.name}") is not of the program of "{self.world.figure.name}": '
                    f"{differs}; let `varied` name every measure that differs, and sort worlds by topology"
                )
            columns.append(leaves(like.numbers()))
        return np.array(columns, self.precision).T.copy()

    def move(self, state: State, until: int, numbers: Array | None = None, threads: int = 1) -> None:
        """Move a state in place until frame `until` begins in every world that still runs."""
        given = self.numbers() if numbers is None else numbers
        goal = np.array([[until]], self.precision)
        self.mover(state.rows, given, goal, out=[state.rows], tables=self.tables, threads=threads)

    def stride(
        self, state: State, until: int, part: float | Array, numbers: Array | None = None, threads: int = 1
    ) -> None:
        """Move a state in place by a part of the next step, or (W,) parts, in worlds that are short of a frame.

        Such parts lead to the moments within a step. A step that is not good enough leaves its world where it was.
        """
        given = self.numbers() if numbers is None else numbers
        goal, parts = np.array([[until]], self.precision), np.atleast_2d(np.asarray(part, self.precision))
        self.strider(state.rows, given, goal, parts, out=[state.rows], tables=self.tables, threads=threads)

    def follow(
        self, state: State, frames: Sequence[int], show: Program, given: Sequence[Array], threads: int = 1
    ) -> Array:
        """What a program shows of a state (rows, W, T) whenever one of T frames begins, while it moves in place.

        show: as showing() makes it; given: the numbers of the worlds, and whatever it takes besides.
        """
        worlds, times, lanes = state.rows.shape[1], len(frames), show.lanes
        rows, *numbers = (in_blocks(a, lanes) for a in (state.rows, *given))
        until = np.repeat(np.array(frames, self.precision), lanes).reshape(1, times, 1, lanes)
        shown = np.empty((len(rows), times, sum(show.outputs), lanes), self.precision)
        moves = Turn(self.mover, (rows, numbers[0], until), (rows,), self.tables)
        looks = Turn(show, (rows, *numbers), (shown,), self.tables)
        in_turn([moves, looks], len(rows), times, threads)
        state.rows[:] = rows.transpose(1, 0, 2).reshape(len(state.rows), -1)[:, :worlds]
        return np.ascontiguousarray(shown.transpose(2, 0, 3, 1), float).reshape(shown.shape[2], -1, times)[:, :worlds]

    def see(self, state: State, numbers: Array | None = None, threads: int = 1) -> Seen:
        """What is seen of a state: a nest of arrays (W,)."""
        given = self.numbers() if numbers is None else numbers
        (rows,) = self.viewer(state.rows, given, tables=self.tables, threads=threads)
        seen: dict[str, Any] = {
            name: list(rows[at]) if isinstance(at, slice) else rows[at] for name, at in self._seen_rows.items()
        }
        return Seen(**seen)

    @cached_property
    def _seen_rows(self) -> dict[str, slice | int]:
        """The rows of each field of what is seen: to rebuild it as a nest would take ten times as long."""
        return rows_seen(self.world)


def _is_ours(thing: Any) -> bool:
    """Whether the formulas of a ground or a controller, and of all that it is made of, are gambol's own."""
    if isinstance(thing, (Mapping, tuple, list)):
        parts = cast("Any", thing.values() if isinstance(thing, Mapping) else thing)
        return all(map(_is_ours, parts))
    if is_dataclass(thing):
        mine = type(thing).__module__.startswith("gambol.")
        return mine and all(_is_ours(getattr(thing, of.name)) for of in fields(thing))
    return type(thing).__module__ in ("builtins", "numpy") and not callable(thing)
