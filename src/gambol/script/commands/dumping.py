"""Commands that dump the state of a figure to files, and load it again without loss."""

import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gambol.dynamics import kinematics
from gambol.errors import GambolError
from gambol.formats import atomic_write
from gambol.lanes import leaves
from gambol.script.corpus_state import CorpusState
from gambol.script.cuts import numbers_with_cuts
from gambol.script.joint_forces import joint_forces_and_accelerations
from gambol.script.language.command import Definition, PlannedDump, Values
from gambol.script.language.lines import path_inside
from gambol.spatial import Rotation
from gambol.spatial.rotation import quaternion_of
from gambol.world import Engine, State
from gambol.world.context import LEDGER_SIGNS
from gambol.world.former_ledger import added_leaves

if TYPE_CHECKING:
    from gambol.script.interpreter import Interpreter

FORMAT = "gambol corpus dump 1"
"""The format name in every dump. Files without it are neither overwritten nor loaded."""

BODIES_HEADER = "# gambol: where all bodies are\n"
"""The first line of a script that places bodies."""

MAX_BYTES = 50_000_000  # largest dump to load [bytes]: a hundred times the dump of the largest figure


def _state_rows(state: State | CorpusState, kind: str) -> list[Any]:
    """Return views of the rows of a state that a kind of dump stores."""
    step_state = state.step_state
    if kind == "motors":
        return leaves(step_state.memory.control)
    if kind == "contacts":
        memory = step_state.memory
        return leaves([getattr(memory, f.name) for f in fields(memory) if f.name != "control"])
    return leaves([getattr(step_state, f.name) for f in fields(step_state) if f.name != "memory"])


def _dump_path(interp: "Interpreter", name: str, headers: tuple[str, ...] = (FORMAT,)) -> Path | None:
    """Return the path of a dump to write; None in a dry run. Raises GambolError if another kind of file is there.

    name: name of the dump. headers: a file is a dump if it begins with one of these texts.
    """
    path = path_inside(interp.out or interp.folder, name, interp.where)
    if path.suffix == ".corpus" and BODIES_HEADER not in headers:
        raise GambolError(f'"{name}" is the name of a script; give the dump another name')
    if interp.out is not None and (path.is_dir() or (path.is_file() and not has_header(path, headers))):
        raise GambolError(f'"{name}" exists already and is not a dump; give another name')
    interp.planned_dumps[name] = PlannedDump(interp.spec.frame, {})
    return None if interp.is_dry_run else path


def has_header(path: Path, headers: tuple[str, ...]) -> bool:
    """Return True if any of the texts is in the first 100 bytes of a file."""
    try:
        with path.open("rb") as file:
            beginning = file.read(100).decode("utf-8", "replace")
    except OSError:
        return False
    return any(header.strip() in beginning for header in headers)


def _write(path: Path, text: str) -> None:
    with atomic_write(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _dump(kind: str) -> Callable[["Interpreter", Values], None]:
    """Return the action of the command that writes a kind of dump."""

    def act(interp: "Interpreter", values: Values) -> None:
        interp.current_corpus().check_made()
        path = _dump_path(interp, values[0])
        state = interp.current_state()
        numbers = [float(row[0]) for row in _state_rows(state, kind)]
        if not np.isfinite(numbers).all():
            raise GambolError("the state is not finite, so it cannot be dumped")
        content: dict[str, Any] = {"format": FORMAT, "kind": kind, "corpus": state.world.figure.name}
        content["numbers"] = numbers
        if kind == "state":
            content["ledger"] = list(LEDGER_SIGNS)
        if kind == "state" and interp.matter:
            content["matter"] = interp.matter.last.content() if interp.matter.last else None
        interp.planned_dumps[values[0]] = PlannedDump(interp.spec.frame, content)
        if path is not None:
            _write(path, json.dumps(content, allow_nan=False) + "\n")

    return act


def _load(kind: str) -> Callable[["Interpreter", Values], None]:
    """Return the action of the command that loads a kind of dump."""

    def act(interp: "Interpreter", values: Values) -> None:
        (name,) = values
        corpus = interp.current_corpus()
        corpus.check_made()
        corpus.is_placed = corpus.is_placed or kind == "state"
        content = _read_dump(interp, name)
        if content is None:
            return
        numbers = _checked_numbers(name, content, kind, interp.build_world().figure.name)

        def edit(state: CorpusState) -> None:
            added = added_leaves(state.step_state, content) if kind == "state" else []
            rows = [row for row in _state_rows(state, kind) if not any(row is other for other in added)]
            if len(rows) != len(numbers):
                raise GambolError(
                    f'"{name}" holds {len(numbers)} numbers of {kind}, but this figure has {len(rows)}; '
                    "it is from another figure, or from one with other motors or feet"
                )
            for row, number in zip(rows, numbers, strict=True):
                row[:] = number
            for row in added:
                row[:] = 0.0

        interp.edit_state(corpus, edit)
        if kind == "state":
            _load_matter(interp, name, content)
        state = interp.current_state()
        if kind == "state":
            planned_dump = interp.planned_dumps.get(name) if interp.is_dry_run else None
            interp.spec.frame = planned_dump.frame if planned_dump else int(state.step_state.clock.control_steps[0])

    return act


def _load_matter(interp: "Interpreter", name: str, content: Any) -> None:
    """Load the matter of a dump, which contains the matter of the whole world."""
    if interp.matter and "matter" not in content:
        interp.warn(f'"{name}" is from a script without matter; the matter of this script stays as it is')
    elif interp.matter and not interp.is_dry_run:
        try:
            interp.matter.load(content["matter"], interp.build_world())
        except GambolError as error:
            raise GambolError(f'"{name}" cannot be loaded: {error}') from error
    elif interp.matter is None and content.get("matter") is not None:
        interp.warn(f'"{name}" holds matter, and this script has none')


def _read_dump(interp: "Interpreter", name: str) -> Any:
    """Return the content of a dump; None for a missing file in a dry run that does not know the folder for dumps."""
    if interp.is_dry_run and name in interp.planned_dumps:
        return interp.planned_dumps[name].content
    paths = [path_inside(folder, name, interp.where) for folder in (interp.out, interp.folder) if folder is not None]
    path = next((path for path in paths if path.is_file()), None)
    if path is None:
        if interp.out is None:
            return None  # the folder for dumps may contain it
        raise GambolError(f'there is no dump "{name}" in {" or ".join(str(path.parent) for path in paths)}')
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ValueError("it is too large")
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise GambolError(f'"{name}" cannot be read as a dump ({error})') from error


def _checked_numbers(name: str, content: Any, kind: str, corpus: str) -> list[float]:
    """Return the numbers of a dump. Raises GambolError for a dump of another kind or another figure."""
    try:
        if content["format"] != FORMAT or content["kind"] != kind:
            raise ValueError(f'it holds "{content["kind"]}", not "{kind}"')
        numbers = [float(number) for number in content["numbers"]]
        if content["corpus"] != corpus or not np.isfinite(numbers).all():
            raise ValueError(f'it is from "{content["corpus"]}"')
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise GambolError(f'"{name}" is not a dump of {kind} of "{corpus}" ({error})') from error
    return numbers


def _dump_joints(index: int, kind: str) -> Callable[["Interpreter", Values], None]:
    """Return the action of the command that writes joint forces (index 0) or accelerations (index 1)."""

    def act(interp: "Interpreter", values: Values) -> None:
        interp.current_corpus().check_made()
        path = _dump_path(interp, values[0])
        if path is not None:
            state = interp.current_state()
            numbers = joint_forces_and_accelerations(state, interp.built_world().cut)[index]
            by_name = {link.name: numbers[link.v] for link in state.world.figure.links}
            content = {"format": FORMAT, "kind": kind, "corpus": state.world.figure.name, "bodies": by_name}
            _write(path, json.dumps(content, indent=1) + "\n")

    return act


def _loadas(interp: "Interpreter", values: Values) -> None:
    interp.current_corpus().check_made()
    if values[0] not in interp.planned_dumps and not any(
        path_inside(folder, values[0], interp.where).is_file()
        for folder in (interp.out, interp.folder)
        if folder is not None
    ):
        raise GambolError(f'there is no dump "{values[0]}"')
    interp.warn("accelerations are computed from the forces at every step, so loading them changes nothing")


def _dumpcontactforces(interp: "Interpreter", values: Values) -> None:
    interp.current_corpus().check_made()
    path = _dump_path(interp, values[0])
    if path is not None:
        state = interp.current_state()
        numbers = numbers_with_cuts(state.world, interp.built_world().cut)
        observation = Engine(state.world, lanes=1).observe(state, numbers)
        forces = {
            foot: float(force[0])
            for foot, force in zip(state.world.surface.feet, observation.normal_forces, strict=True)
        }
        content = {
            "format": FORMAT,
            "kind": "contact forces",
            "feet": forces,
            "elsewhere": float(observation.elsewhere[0]),
        }
        _write(path, json.dumps(content, indent=1) + "\n")


def _dumpmatcorpus(interp: "Interpreter", values: Values) -> None:
    corpus = interp.current_corpus()
    corpus.check_made()
    path = _dump_path(interp, values[0], (BODIES_HEADER,))
    if path is None:
        return
    state = interp.corpus_state(corpus)
    figure = state.figure
    link_state = kinematics(figure, state.q, [0.0] * figure.nv)
    lines = [BODIES_HEADER.strip()]
    for link in figure.links:
        pose = link_state.poses[link.index]
        x, y, z, degrees = _axis_angle(pose.rotation)
        px, py, pz = (float(c) for c in pose.position)
        lines += [f"init {link.name}", f"rotateaxis {link.name} {x!r} {y!r} {z!r} {degrees!r}"]
        lines.append(f"move {link.name} {px!r} {py!r} {pz!r}")
    _write(path, "\n".join(lines) + "\n")


def _axis_angle(rotation: Rotation) -> tuple[float, float, float, float]:
    """Return the axis (x, y, z) and the angle [degrees] of a rotation."""
    w, x, y, z = (float(c) for c in quaternion_of(rotation))
    norm = float(np.linalg.norm((x, y, z)))
    if norm == 0.0:
        return (0.0, 0.0, 1.0, 0.0)
    return (x / norm, y / norm, z / norm, float(np.degrees(2.0 * np.arctan2(norm, w))))


DEFINITIONS = (
    Definition("dumps", "file:file", "writes positions, velocities and time, and the state of matter", _dump("state")),
    Definition("loads", "file:file", "loads positions, velocities and time, and the state of matter", _load("state")),
    Definition("dumpmotors", "file:file", "writes the state of the gait and the motors", _dump("motors")),
    Definition("loadmotors", "file:file", "loads the state of the gait and the motors", _load("motors")),
    Definition("dumpcontacts", "file:file", "writes the state of contacts and attachments", _dump("contacts")),
    Definition("loadcontacts", "file:file", "loads the state of contacts and attachments", _load("contacts")),
    Definition("dumpQs", "file:file", "writes the forces at all joints [N m or N]", _dump_joints(0, "joint forces")),
    Definition("dumpas", "file:file", "writes the accelerations of all joints", _dump_joints(1, "accelerations")),
    Definition("loadas", "file:file", "accepted: accelerations follow from the forces", _loadas),
    Definition("dumpcontactforces", "file:file", "writes the ground's force on each foot [N]", _dumpcontactforces),
    Definition(
        "dumpmatcorpus", "file:file", "writes a script that gives objects the poses of the bodies", _dumpmatcorpus
    ),
)
