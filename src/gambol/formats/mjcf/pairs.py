"""Which shapes of a compiled model may touch which, and how rough they are: its bits, and its lists of pairs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from gambol.formats.mjcf.compiled import Compiled
from gambol.formats.mjcf.tree import Names

USUAL = 1.0  # MuJoCo's friction of a shape of which nothing is said; it is then left to the world

LinkPairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Surface:
    """What a part is told of its touching; the names are its own."""

    colliding: bool
    friction: float | None
    group: int
    mask: int


def surface_of(given: Compiled, ground: int | None) -> Callable[[int], Surface]:
    """The surface of a shape by its number; ground: the number of the plane that is the ground, if there is one.

    Our ground has group 1 and mask 1. Where MuJoCo's has other bits that would make a difference, or other shapes are
    fixed to the world, which need not touch it, all bits move up by one, and the lowest says what touches the ground.
    """
    model = given.model
    named = {int(geom) for pair in range(model.npair) for geom in (model.pair_geom1[pair], model.pair_geom2[pair])}
    bits = [(int(a), int(b)) for a, b in zip(model.geom_contype, model.geom_conaffinity, strict=True)]
    fixed = [int(body) == 0 for body in model.geom_bodyid]
    on_ground = [ground is not None and _meet(each, bits[ground]) for each in bits]
    on_ground = [met and not still for met, still in zip(on_ground, fixed, strict=True)]
    moved = ground is not None and any(
        bits[k] != (0, 0) and met != _meet(bits[k], (1, 1)) for k, met in enumerate(on_ground) if k != ground
    )

    def surface(geom: int) -> Surface:
        group, mask = bits[geom]
        colliding = bool(group or mask) or geom in named
        if moved:
            group, mask = group << 1 | on_ground[geom], mask << 1
        friction = float(model.geom_friction[geom][0])
        kept = (group, mask) if colliding else (1, 1)
        return Surface(colliding, None if friction == USUAL or not colliding else friction, *kept)

    return surface


def _meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return bool(one[0] & other[1] or other[0] & one[1])


def apart_of(given: Compiled, names: Names) -> LinkPairs:
    """The pairs of links that never touch: those whose bodies the model excludes, then parents and their children.

    MuJoCo lets no body touch the one that it hangs on, bodies without joints counted as one with their parents, unless
    the flag "filterparent" is off, the parent is fixed to the world, or a pair of their shapes is named.
    """
    model = given.model
    pairs = [divmod(int(signature), 1 << 16) for signature in model.exclude_signature]
    named = {frozenset(_ends(model, pair)) for pair in range(model.npair)}
    pairs += [ends for ends in _filtered(given) if frozenset(ends) not in named]
    return tuple(dict.fromkeys((names.bodies[a], names.bodies[b]) for a, b in pairs if a and b))


def _filtered(given: Compiled) -> Iterator[tuple[int, int]]:
    """The pairs of bodies with shapes of which one, or what it is fixed to, hangs on the other."""
    model = given.model
    if given.off("FILTERPARENT"):
        return
    parent, weld = [int(body) for body in model.body_parentid], [0] * model.nbody
    for body in range(1, model.nbody):
        weld[body] = body if model.body_jntnum[body] else weld[parent[body]]
    for a, b in combinations(sorted({int(body) for body in model.geom_bodyid} - {0}), 2):
        tied = weld[parent[weld[a]]] == weld[b] or weld[parent[weld[b]]] == weld[a]
        if tied and weld[a] and weld[b] and weld[a] != weld[b]:
            yield a, b


def paired_of(given: Compiled, names: Names, notes: set[str]) -> LinkPairs:
    """The pairs of links that have a pair of shapes which touch by name; notes: grows by what that loses."""
    model = given.model
    bodies = [_ends(model, pair) for pair in range(model.npair)]
    if bodies:
        notes.add("Pairs of shapes that touch by name are pairs of their links, with the friction of the shapes.")
    between = dict.fromkeys((names.bodies[a], names.bodies[b]) for a, b in bodies if a and b and a != b)
    if len(between) < len(set(bodies)):
        notes.add("Left out: pairs of shapes, by name, of which one is fixed to the world.")
    return tuple(between)


def _ends(model: Any, pair: int) -> tuple[int, int]:
    """The bodies of a pair of shapes."""
    return int(model.geom_bodyid[model.pair_geom1[pair]]), int(model.geom_bodyid[model.pair_geom2[pair]])
