"""Several creatures in one world: a forest of their figures, with the controller of each.

Each creature has contact slots of its own for the ground, so that the work of a step is proportional to the number of
creatures (docs/decisions/028). Contacts between creatures have further slots.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from gambol.contact import ContactMethod, Stepping, SurfaceProperties
from gambol.control import ControllerGroup, Drive, GroupMember
from gambol.creatures.placing import Place, check_apart, placed_q
from gambol.creatures.touching import pairs_between, with_touching_parts
from gambol.errors import WorldError, did_you_mean
from gambol.figure import Figure, forest_names, make_forest
from gambol.figure.forest import members_by_name
from gambol.gait import Behaviour, Directed
from gambol.gait.behaviour import OTHERS
from gambol.sensing import Others
from gambol.world import World
from gambol.world.external import InitialState

SPACING = 1.5
"""Distance between creatures whose places are not given, as a multiple of the largest one's extent."""

SHARED = ("ground", "gravity", "timing", "dynamics", "lights", "external")
"""Fields that must be equal in the worlds of all creatures."""

CONTACTS_BETWEEN = 8
"""Contacts between creatures at once: two that lean on each other by their trunks and two limbs have fewer. More are
computed where they are needed, see world/capacity.py."""

MIN_TREE_CONTACTS = 3
"""Least number of contact slots of each creature: loops over fewer are written out (stepping/block_list.py)."""


def together(
    worlds: Mapping[str, World] | Sequence[World],
    places: Mapping[str, Place] | Sequence[Place] = (),
    *,
    behaviours: Mapping[str, Behaviour | str] | None = None,
    touching: bool = True,
) -> World:
    """Return one world with the creatures of several worlds, each with its own controller and commands.

    worlds: the world of each creature alone, by the creature's name, or in a sequence: then creatures have the names of
    their figures, numbered from 1 if they occur several times. places: where creatures start, by name or in the same
    order; those without a place stand side by side along y. behaviours: behaviours towards the others, by name of the
    creature; only creatures with Directed waves have behaviours. touching: True if creatures may touch each other.
    Links are called "creature/link" if two creatures share a name of a link. Raises WorldError for no creatures, for
    unknown names, for worlds that differ in ground, gravity, timing or contact, and for creatures that are set into
    each other.
    """
    figures = _figures(worlds)
    by_name = dict(zip(figures, worlds.values() if isinstance(worlds, Mapping) else worlds, strict=True))
    for name in behaviours or {}:
        if name not in by_name:
            raise WorldError(f'there is no creature "{name}"; {did_you_mean(name, by_name)}')
    _check_shared(by_name)
    figure, links = make_forest(" and ".join(figures), figures), forest_names(figures)
    pairs = pairs_between(figure, links)
    placed = _places(by_name, places)
    q = tuple(x for name, world in by_name.items() for x in placed_q(name, world, placed[name]))
    check_apart(figure, q, pairs, links)
    first, pairs = next(iter(by_name.values())), pairs if touching else ()
    acting = {name: Behaviour(b) if isinstance(b, str) else b for name, b in (behaviours or {}).items()}
    return World(
        figure,
        {links[name][joint]: x for name, world in by_name.items() for joint, x in world.springs.items()},
        surface=_surface(by_name, links),
        contact=_contact(by_name),
        pairs=pairs,
        controller=_controller(by_name, links, acting),
        initial=InitialState(q, tuple(x for world in by_name.values() for x in _velocities(world))),
        sensors=_sensors(by_name, links, acting),
        **{name: getattr(first, name) for name in SHARED},
    )


def _figures(worlds: Mapping[str, World] | Sequence[World]) -> dict[str, Figure]:
    """Return the figures by the names of the creatures."""
    if not worlds:
        raise WorldError("a world of several creatures needs the world of at least one")
    if not isinstance(worlds, Mapping):
        worlds = dict(zip(members_by_name([world.figure for world in worlds]), worlds, strict=True))
    return {name: with_touching_parts(world.figure) for name, world in worlds.items()}


def _check_shared(worlds: Mapping[str, World]) -> None:
    """Raise WorldError for worlds that differ in what creatures share, or that have sensors of their own."""
    (first, one), *others = worlds.items()
    for name, world in others:
        for key in SHARED:
            if getattr(world, key) != getattr(one, key):
                raise WorldError(f'"{first}" and "{name}" cannot be in one world: they have a different {key}')
        if type(world.method) is not type(one.method):
            methods = f'"{one.method.name}" and "{world.method.name}"'
            raise WorldError(f'"{first}" and "{name}" cannot be in one world: their contact methods are {methods}')
        if _touch(world) != _touch(one):
            raise WorldError(f'"{first}" and "{name}" cannot be in one world: their contact parameters differ')
    for name, world in worlds.items():
        if world.sensors or world.parameters:
            raise WorldError(
                f'"{name}" has sensors or figure parameters as inputs; leave them out in a world of several'
            )


def _touch(world: World) -> Any:
    """Return the parameters of contact that count: rigid contact has only friction and restitution."""
    given = world.surface.parameters
    return given if world.method.scheme.compliant else (given.friction, given.restitution, world.surface.has_stiffness)


def _places(worlds: Mapping[str, World], places: Mapping[str, Place] | Sequence[Place]) -> dict[str, Place]:
    """Return the place of each creature."""
    given = dict(places) if isinstance(places, Mapping) else dict(zip(worlds, places, strict=False))
    unknown = [name for name in given if name not in worlds]
    if unknown or len(places) > len(worlds):
        text = (
            f'there is no creature "{unknown[0]}"' if unknown else f"{len(places)} places for {len(worlds)} creatures"
        )
        raise WorldError(f"{text}; give a place for each of {', '.join(worlds)}")
    apart = SPACING * max(world.size for world in worlds.values())
    middle = 0.5 * (len(worlds) - 1)
    return {name: Place(0.0, (k - middle) * apart) for k, name in enumerate(worlds)} | given


def _surface(worlds: Mapping[str, World], links: Mapping[str, Mapping[str, str]]) -> SurfaceProperties:
    """Return the surface of the ground, with the feet of all creatures."""
    feet = tuple(links[name][foot] for name, world in worlds.items() for foot in world.surface.feet)
    return replace(next(iter(worlds.values())).surface, feet=feet)


def _contact(worlds: Mapping[str, World]) -> ContactMethod:
    """Return the contact method; large steps have slots for each creature, and for contacts between creatures."""
    methods = [world.method for world in worlds.values()]
    stepping = [method for method in methods if isinstance(method, Stepping)]
    if not stepping:
        return methods[0]
    capacity = max(MIN_TREE_CONTACTS, *(world.contact_capacity for world in worlds.values()))
    iterations = max(method.iterations for method in stepping)
    return replace(stepping[0], max_contacts=CONTACTS_BETWEEN, iterations=iterations, tree_contacts=capacity)


def _controller(
    worlds: Mapping[str, World], links: Mapping[str, Mapping[str, str]], acting: Mapping[str, Behaviour]
) -> ControllerGroup | None:
    """Return the controllers of all creatures, with their behaviours."""
    controllers = {
        name: _behaving(name, world, acting[name]) if name in acting else world.controller
        for name, world in worlds.items()
    }
    members = tuple(GroupMember(name, x, links[name]) for name, x in controllers.items() if x is not None)
    return ControllerGroup(members) if members else None


def _behaving(name: str, world: World, behaviour: Behaviour) -> Drive:
    """Return the controller of a creature with a behaviour."""
    drive = world.controller
    if not (isinstance(drive, Drive) and isinstance(drive.pattern, Directed)):
        raise WorldError(f'"{name}" cannot act on others: only creatures whose control evolved can, such as the hound')
    return replace(drive, pattern=replace(drive.pattern, behaviour=behaviour))


def _sensors(
    worlds: Mapping[str, World], links: Mapping[str, Mapping[str, str]], acting: Mapping[str, Behaviour]
) -> dict[str, Any]:
    """Return the sensors of others of all creatures with behaviours, by the names of GroupMember.sensor_name()."""
    roots = {name: links[name][world.figure.root.name] for name, world in worlds.items()}
    if acting and len(roots) < 2:
        raise WorldError("one creature alone cannot act on others; give two or more")
    return {
        f"{name}/{OTHERS}": Others(roots[name], tuple(x for n, x in roots.items() if n != name), behaviour.reach)
        for name, behaviour in acting.items()
    }


def _velocities(world: World) -> Sequence[float]:
    """Return the initial velocities of a creature."""
    return world.initial.v or (0.0,) * world.figure.nv
