"""Meshes of a scene that touch each other: they move as one mesh, so that forces between them are opposite."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gambol.errors import WorldError, did_you_mean
from gambol.matter.forces.surroundings import SelfTouch, Surroundings
from gambol.matter.mesh import joined
from gambol.matter.motion import MeshState
from gambol.matter.scene.part import MeshPart
from gambol.matter.touch.tether import Tether, Tethers


@dataclass(frozen=True, eq=False)
class MeshGroup:
    """Meshes that touch each other, or one mesh alone.

    names: their names. parts: the meshes. whole: all of them as one part of a scene.
    """

    names: tuple[str, ...]
    parts: tuple[MeshPart, ...]
    whole: MeshPart

    @property
    def name(self) -> str:
        """The names of the meshes, joined."""
        return " and ".join(self.names)

    def joined_state(self, states: Mapping[str, MeshState]) -> MeshState:
        """Return the state of the joined mesh, with the ledger and the history of the first mesh. states: by name."""
        of_group = [states[name] for name in self.names]
        if len(of_group) == 1:
            return of_group[0]
        x, v, intact = (
            np.concatenate([getattr(s, key) for s in of_group]) for key in ("position", "velocity", "intact")
        )
        twist = np.concatenate([state.twist for state in of_group])
        return MeshState(x, v, intact, of_group[0].time, of_group[0].ledger, of_group[0].history, twist)

    def split_state(self, state: MeshState) -> dict[str, MeshState]:
        """Return the states of the meshes, by name; the first one has the ledger and the history of all."""
        if len(self.names) == 1:
            return {self.names[0]: state}
        points = np.cumsum([len(part.mesh.points) for part in self.parts])[:-1]
        springs = np.cumsum([len(part.mesh.springs) for part in self.parts])[:-1]
        rods = np.cumsum([len(part.mesh.twists) for part in self.parts])[:-1]
        arrays = (state.position, points), (state.velocity, points), (state.intact, springs), (state.twist, rods)
        rows = zip(*(np.split(array, bounds) for array, bounds in arrays), strict=True)
        mesh_states = [MeshState(x, v, intact, state.time, twist=twist) for x, v, intact, twist in rows]
        mesh_states[0] = replace(mesh_states[0], ledger=state.ledger, history=state.history)
        return dict(zip(self.names, mesh_states, strict=True))

    def held_tethers(self, tethers: Tethers) -> dict[str, tuple[Tether, ...]]:
        """Return the tethers of each mesh, with the points of links that hold its points.

        tethers: tethers of the whole.
        """
        places, first = tethers.places.T, 0
        tethers_by_mesh = dict[str, tuple[Tether, ...]]()
        for name, part in zip(self.names, self.parts, strict=True):
            mesh_tethers = list[Tether]()
            for tether in part.tethers:
                last = first + len(tether.points)
                mesh_tethers.append(replace(tether, at=places[first:last].tolist()))
                first = last
            tethers_by_mesh[name] = tuple(mesh_tethers)
        return tethers_by_mesh


def mesh_groups(parts: Mapping[str, MeshPart], default: Surroundings) -> dict[str, MeshGroup]:
    """Return the groups of meshes that touch each other, by name of the group.

    parts: the meshes by name. default: surroundings of meshes without their own. Raises WorldError for meshes that do
    not exist, and for a group whose meshes differ in rule, surroundings or links.
    """
    leader = {name: name for name in parts}
    for name, part in parts.items():
        for other in part.touches_meshes:
            if other not in parts:
                raise WorldError(f'"{name}" cannot touch the mesh "{other}"; {did_you_mean(other, tuple(parts))}')
            first, second = sorted((leader[name], leader[other]), key=list(parts).index)
            leader = {each: first if current == second else current for each, current in leader.items()}
    groups = [
        _group([name for name in parts if leader[name] == first], parts, default)
        for first in parts
        if leader[first] == first
    ]
    return {group.name: group for group in groups}


def _group(names: Sequence[str], parts: Mapping[str, MeshPart], default: Surroundings) -> MeshGroup:
    members = [parts[name] for name in names]
    if len(members) == 1:
        return MeshGroup(tuple(names), tuple(members), members[0])
    for name, part in zip(names, members, strict=True):
        for field_name in ("rule", "surroundings", "touches"):
            if getattr(part, field_name) != getattr(members[0], field_name):
                raise WorldError(
                    f'"{names[0]}" and "{name}" touch each other, so they move together, but differ in "{field_name}"; '
                    "give both the same"
                )
    first_part = members[0]
    around = first_part.surroundings or default
    if around.self_touch is None or not around.self_touch.surfaces:
        around = replace(around, self_touch=_surfaces(around))
    tethers, first = list[Tether](), 0
    for part in members:
        tethers += [replace(t, points=[int(k) + first for k in t.points]) for t in part.tethers]
        first += len(part.mesh.points)
    mesh = joined([part.mesh for part in members], " and ".join(names))
    whole = replace(first_part, mesh=mesh, surroundings=around, tethers=tuple(tethers))
    return MeshGroup(tuple(names), tuple(members), whole)


def _surfaces(around: Surroundings) -> SelfTouch:
    """Return the law of contact between surfaces of a group: self_touch, or else the law of contact with links."""
    law = around.touch
    if around.self_touch is not None:
        return replace(around.self_touch, surfaces=True)
    if not (law.stiffness > 0.0 and law.thickness > 0.0):
        raise WorldError("meshes that touch each other need a thickness and a stiffness above 0; give them in `touch`")
    return SelfTouch(law.thickness, law.stiffness, law.damping, law.friction, surfaces=True)
