"""Commands that write what a figure is doing to files, and read it back to the last bit."""

import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gambol.dynamics import kinematics
from gambol.errors import GambolError
from gambol.formats import moved_into_place
from gambol.lanes import leaves
from gambol.script.effort import at_joints
from gambol.script.language.lines import inside
from gambol.script.language.row import Planned, Row, Values
from gambol.spatial import Rotation
from gambol.world import Engine, State
from gambol.world.observe import quaternion_of

if TYPE_CHECKING:
    from gambol.script.stage import Stage

FORMAT = "gambol corpus dump 1"
"""Opens every dump; a file that does not begin so is neither overwritten nor loaded."""

BODIES = "# gambol: where all bodies are\n"
"""The first line of a script that places bodies."""

LARGEST = 50_000_000  # bytes of a dump that is read: a hundred times the largest figure's


def _rows(state: State, kind: str) -> list[Any]:
    """The rows of a state that a kind of dump holds, each a view."""
    living = state.living
    if kind == "motors":
        return leaves(living.memory.control)
    if kind == "contacts":
        memory = living.memory
        return leaves([getattr(memory, f.name) for f in fields(memory) if f.name != "control"])
    return leaves([getattr(living, f.name) for f in fields(living) if f.name != "memory"])


def _target(stage: "Stage", name: str, marks: tuple[str, ...] = (FORMAT,)) -> Path | None:
    """Where a dump goes; None in a rehearsal. Files that are no dumps are left alone."""
    path = inside(stage.out or stage.folder, name, stage.where)
    if path.suffix == ".corpus" and BODIES not in marks:
        raise GambolError(f'"{name}" is the name of a script; give the dump another one')
    if stage.out is not None and (path.is_dir() or (path.is_file() and not _begins(path, marks))):
        raise GambolError(f'"{name}" is there already and is no dump; give another name')
    stage.planned[name] = Planned(stage.setting.frame, {})
    return None if stage.rehearsing else path


def _begins(path: Path, marks: tuple[str, ...]) -> bool:
    try:
        with path.open("rb") as file:
            start = file.read(100).decode("utf-8", "replace")
    except OSError:
        return False
    return any(mark.strip() in start for mark in marks)


def _write(path: Path, text: str) -> None:
    with moved_into_place(path) as beside:
        beside.write_text(text, encoding="utf-8")


def _dump(kind: str) -> Callable[["Stage", Values], None]:
    def act(stage: "Stage", values: Values) -> None:
        stage.building().finished()
        path = _target(stage, values[0])
        state = stage.live()
        numbers = [float(row[0]) for row in _rows(state, kind)]
        if not np.isfinite(numbers).all():
            raise GambolError("the motion is not finite any more, so there is nothing to keep")
        about = {"format": FORMAT, "kind": kind, "corpus": state.world.figure.name, "numbers": numbers}
        stage.planned[values[0]] = Planned(stage.setting.frame, about)
        if path is not None:
            _write(path, json.dumps(about, allow_nan=False) + "\n")

    return act


def _load(kind: str) -> Callable[["Stage", Values], None]:
    def act(stage: "Stage", values: Values) -> None:
        (name,) = values
        corpus = stage.building()
        corpus.finished()
        corpus.placed = corpus.placed or kind == "state"
        about = _found(stage, name)
        if about is None:
            return
        numbers = _numbers(name, about, kind, corpus.name)

        def edit(state: State) -> None:
            rows = _rows(state, kind)
            if len(rows) != len(numbers):
                raise GambolError(
                    f'"{name}" holds {len(numbers)} numbers of {kind}, where this figure has {len(rows)}; '
                    "it is of another figure, or of one with other motors or feet"
                )
            for row, number in zip(rows, numbers, strict=True):
                row[:] = number

        stage.edit(corpus, edit)
        state = stage.live()
        if kind == "state":
            planned = stage.planned.get(name) if stage.rehearsing else None
            stage.setting.frame = planned.frame if planned else int(state.living.clock.frame[0])

    return act


def _found(stage: "Stage", name: str) -> Any:
    """What a dump says; None while it is not known where it might be."""
    if stage.rehearsing and name in stage.planned:
        return stage.planned[name].about
    paths = [inside(folder, name, stage.where) for folder in (stage.out, stage.folder) if folder is not None]
    path = next((path for path in paths if path.is_file()), None)
    if path is None:
        if stage.out is None:
            return None  # the folder for dumps may have it
        raise GambolError(f'there is no dump "{name}" in {" or ".join(str(path.parent) for path in paths)}')
    try:
        if path.stat().st_size > LARGEST:
            raise ValueError("it is too large")
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise GambolError(f'"{name}" cannot be read as a dump ({error})') from error


def _numbers(name: str, about: Any, kind: str, corpus: str) -> list[float]:
    """The numbers of a dump of some kind."""
    try:
        if about["format"] != FORMAT or about["kind"] != kind:
            raise ValueError(f'it holds "{about["kind"]}", not "{kind}"')
        numbers = [float(number) for number in about["numbers"]]
        if about["corpus"] != corpus or not np.isfinite(numbers).all():
            raise ValueError(f'it is of "{about["corpus"]}"')
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise GambolError(f'"{name}" is no dump of {kind} of "{corpus}" ({error})') from error
    return numbers


def _dump_joints(which: int, kind: str) -> Callable[["Stage", Values], None]:
    def act(stage: "Stage", values: Values) -> None:
        stage.building().finished()
        path = _target(stage, values[0])
        if path is not None:
            state = stage.live()
            numbers = at_joints(state)[which]
            by_name = {link.name: numbers[link.v] for link in state.world.figure.links}
            about = {"format": FORMAT, "kind": kind, "corpus": state.world.figure.name, "bodies": by_name}
            _write(path, json.dumps(about, indent=1) + "\n")

    return act


def _loadas(stage: "Stage", values: Values) -> None:
    stage.building().finished()
    if values[0] not in stage.planned and not any(
        inside(folder, values[0], stage.where).is_file() for folder in (stage.out, stage.folder) if folder is not None
    ):
        raise GambolError(f'there is no dump "{values[0]}"')
    stage.warn("accelerations are worked out at every step from all forces, so loading them changes nothing")


def _dumpcontactforces(stage: "Stage", values: Values) -> None:
    stage.building().finished()
    path = _target(stage, values[0])
    if path is not None:
        state = stage.live()
        seen = Engine(state.world, lanes=1).see(state)
        pushes = {foot: float(push[0]) for foot, push in zip(state.world.feet, seen.pushes, strict=True)}
        about = {"format": FORMAT, "kind": "contact forces", "feet": pushes, "elsewhere": float(seen.elsewhere[0])}
        _write(path, json.dumps(about, indent=1) + "\n")


def _dumpmatcorpus(stage: "Stage", values: Values) -> None:
    stage.building().finished()
    path = _target(stage, values[0], (BODIES,))
    if path is None:
        return
    state = stage.live()
    at = kinematics(state.world.figure, [float(x) for x in state.q[0]], [0.0] * state.world.figure.nv)
    lines = [BODIES.strip()]
    for link in state.world.figure.links:
        pose = at.poses[link.index]
        x, y, z, degrees = _turn(pose.rotation)
        px, py, pz = (float(c) for c in pose.position)
        lines += [f"init {link.name}", f"rotateaxis {link.name} {x!r} {y!r} {z!r} {degrees!r}"]
        lines.append(f"move {link.name} {px!r} {py!r} {pz!r}")
    _write(path, "\n".join(lines) + "\n")


def _turn(rotation: Rotation) -> tuple[float, float, float, float]:
    """The axis and the angle of a rotation [degrees]."""
    w, x, y, z = (float(c) for c in quaternion_of(rotation))
    size = float(np.linalg.norm((x, y, z)))
    if size == 0.0:
        return (0.0, 0.0, 1.0, 0.0)
    return (x / size, y / size, z / size, float(np.degrees(2.0 * np.arctan2(size, w))))


ROWS = (
    Row("dumps", "file:file", "writes positions, velocities and time", _dump("state")),
    Row("loads", "file:file", "reads them back", _load("state")),
    Row("dumpmotors", "file:file", "writes what the gait and the motors remember", _dump("motors")),
    Row("loadmotors", "file:file", "reads it back", _load("motors")),
    Row("dumpcontacts", "file:file", "writes where feet hold the ground and what is attached", _dump("contacts")),
    Row("loadcontacts", "file:file", "reads it back", _load("contacts")),
    Row("dumpQs", "file:file", "writes the forces at all joints [N m or N]", _dump_joints(0, "joint forces")),
    Row("dumpas", "file:file", "writes the accelerations of all joints", _dump_joints(1, "accelerations")),
    Row("loadas", "file:file", "accepted: accelerations follow from the forces", _loadas),
    Row("dumpcontactforces", "file:file", "writes the ground's force on each foot [N]", _dumpcontactforces),
    Row("dumpmatcorpus", "file:file", "writes a script that puts objects where the bodies are", _dumpmatcorpus),
)
