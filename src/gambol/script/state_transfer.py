"""Transfer of simulation states to changed worlds: numbers that both worlds have are copied exactly."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from gambol.gait import Leg, Steering, renamed_gait
from gambol.gait.modifier import GaitModifier
from gambol.lanes import leaves
from gambol.script.built_world import BuiltWorld, SavedState
from gambol.script.corpus_state import CorpusState
from gambol.script.segments import CHANGED, Rows
from gambol.world import State, start

TAG = 2.0**40
"""A number that no state contains. In transferred_origin() a row has this number plus the number of the row."""


def state_of(saved: SavedState, corpus: str) -> CorpusState:
    """Return the part of a state that belongs to a corpus, by its name."""
    built = saved.built
    return CorpusState(saved.state, built.links[corpus], corpus, corpus in built.driven, built.figures[corpus])


def transferred(built: BuiltWorld, saved: Mapping[str, SavedState], frame: int) -> State:
    """Return the state of a changed world. Numbers that its corpora had are copied exactly; others are initial values.

    built: the world. saved: the last states of its corpora, by name; corpora that never had any are absent. frame:
    number of frames elapsed in this world, for corpora that had different states.
    """
    sources = list({id(each.state): each for each in saved.values()}.values())
    is_same_world = len(sources) == 1 and set(built.links) == set(saved) == set(sources[0].built.links)
    if is_same_world and _fits(built, sources[0]):
        return State(built.world, sources[0].state.rows)
    new = start(built.world)
    result = SavedState(built, new, np.full(len(new.rows), CHANGED))
    if sources:
        _copy_clock_and_sums(new, sources[0].state, is_same_world)
    if not is_same_world:
        new.step_state.clock.control_steps[:], new.step_state.clock.elapsed[:] = float(frame), 0.0
    for name, source in saved.items():
        old_part, new_part = state_of(source, name), state_of(result, name)
        _copy_joints(new_part, old_part)
        _copy_gait(new_part, old_part)
        _copy_feet(new_part, old_part)
    _copy_attachments(result, sources)
    return new


def transferred_origin(built: BuiltWorld, saved: Mapping[str, SavedState], frame: int) -> Rows:
    """Return the origins of the rows of transferred(), see SavedState; arguments as in that function."""
    tagged = {id(each): each for each in saved.values()}
    states = {key: State(each.state.world, TAG + each.origin[:, None].astype(float)) for key, each in tagged.items()}
    sources = {key: replace(each, state=states[key]) for key, each in tagged.items()}
    rows = transferred(built, {name: sources[id(each)] for name, each in saved.items()}, frame).rows[:, 0]
    return np.where(rows >= TAG + CHANGED, rows - TAG, CHANGED).astype(int)


def _fits(built: BuiltWorld, source: SavedState) -> bool:
    """Return True if a state is also a state of the changed world, with the same meaning of all rows."""
    old, new = source.state, built.world
    return (
        len(leaves(old.step_state)) == len(leaves(start(new).step_state))
        and old.world.structure() == new.structure()
        and list(map(id, built.attachments)) == list(map(id, source.built.attachments))
    )


def _copy_clock_and_sums(new: State, old: State, is_same_world: bool) -> None:
    """Copy the clock and the energy ledger; the history of the integrator only within the same corpora."""
    for group in fields(new.step_state):
        if group.name in ("clock", "ledger") or (group.name == "integrator_state" and is_same_world):
            _copy(getattr(new.step_state, group.name), getattr(old.step_state, group.name))


def _copy_joints(new: CorpusState, old: CorpusState) -> None:
    """Copy coordinates and velocities of the joints that both worlds have, with the same kind."""
    for body in new.links:
        if body in old.links and old.link(body).joint.kind == new.link(body).joint.kind:
            for target, source in zip(new.coordinate_rows(body), old.coordinate_rows(body), strict=True):
                new.rows[target] = old.rows[source]


def _copy_gait(new: CorpusState, old: CorpusState) -> None:
    """Copy the memory of the controller.

    The memory of legs is copied if all legs are the same, that of modifiers if they and their paths are the same, and
    the memory of joints that both worlds drive.
    """
    gait, old_gait = new.gait, old.gait
    if gait is None or old_gait is None:
        return
    memory, old_memory = new.gait_memory, old.gait_memory
    if _legs_by_body(new) == _legs_by_body(old):
        for name in ("master", "peaks", "state", "clock", "duration"):
            _copy(getattr(memory, name), getattr(old_memory, name))
    if [_identity(one) for one in gait.modifiers] == [_identity(one) for one in old_gait.modifiers]:
        _copy(memory.modifiers, old_memory.modifiers)
    for body, link in new.links.items():
        if link in gait.joints and old.links.get(body) in old_gait.joints:
            k, i = gait.joints.index(link), old_gait.joints.index(old.links[body])
            for name in ("rest", "rate", "target"):
                _copy(getattr(memory, name)[k], getattr(old_memory, name)[i])


def _identity(modifier: GaitModifier) -> tuple[Any, ...]:
    """Return what a modifier is: its structure, and its path, so that a new path begins at its start."""
    following = modifier.following if isinstance(modifier, Steering) else None
    return (*modifier.structure(), following.path if following else None)


def _legs_by_body(part: CorpusState) -> list[Leg]:
    """Return the legs of a gait with the names of bodies, without names of legs."""
    if part.gait is None:
        return []
    bodies = {link: body for body, link in part.links.items()}
    return [replace(leg, name="") for leg in renamed_gait(part.gait, bodies, "").legs]


def _copy_feet(new: CorpusState, old: CorpusState) -> None:
    """Copy the anchors and bristles of the gripping links that both worlds have."""
    if (new.world.surface.sticky is None) != (old.world.surface.sticky is None):
        return
    for kind in ("anchors", "bristles"):
        new_rows, old_rows = (_rows_of_feet(part, kind) for part in (new, old))
        for body in new_rows.keys() & old_rows.keys():
            _copy(new_rows[body], old_rows[body])


def _rows_of_feet(part: CorpusState, kind: str) -> dict[str, Any]:
    """Return the memory of the gripping links of a corpus, by body. kind: "anchors" or "bristles"."""
    bodies = {link: body for body, link in part.links.items()}
    rows = zip(part.world.scene.gripping, getattr(part.step_state.memory, kind), strict=False)
    return {bodies[link]: group for link, group in rows if link in bodies}


def _copy_attachments(new: SavedState, sources: Sequence[SavedState]) -> None:
    """Copy which attachments are intact: one that broke in any of the sources is broken."""
    for source in sources:
        intact = dict(zip(map(id, source.built.attachments), source.state.step_state.memory.intact, strict=True))
        for attachment, row in zip(new.built.attachments, new.state.step_state.memory.intact, strict=True):
            if id(attachment) in intact:
                _copy(row, intact[id(attachment)] if float(row[0]) > 0.5 else row)


def _copy(target: Any, source: Any) -> None:
    """Copy the rows of one pytree into another; if the numbers of rows differ, no row is copied."""
    target_rows, source_rows = leaves(target), leaves(source)
    if len(target_rows) == len(source_rows):
        for row, value in zip(target_rows, source_rows, strict=True):
            row[:] = value
