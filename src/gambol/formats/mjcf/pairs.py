"""Contact filters and friction of a compiled MJCF model: contype and conaffinity bits, excluded and explicit pairs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from gambol.formats.mjcf.compiler import CompiledMjcf
from gambol.formats.mjcf.tree import Names

DEFAULT_FRICTION = 1.0  # MuJoCo's default friction of a geom; a geom with it gets the friction of the world

LinkPairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Surface:
    """The contact properties of a part; each field has the name of the field of Part."""

    colliding: bool
    friction: float | None
    group: int
    mask: int


def surface_of(mjcf: CompiledMjcf, ground: int | None) -> Callable[[int], Surface]:
    """Return the function from the number of a geom to its surface. ground: the number of the ground plane, if any.

    The ground of gambol has group 1 and mask 1. All bits are shifted up by one if this group and mask would select
    contacts with the ground that differ from MuJoCo's, or contacts of the ground with geoms fixed to the world. The
    lowest bit then selects contact with the ground.
    """
    model = mjcf.model
    explicit = {int(geom) for pair in range(model.npair) for geom in (model.pair_geom1[pair], model.pair_geom2[pair])}
    bits = [(int(a), int(b)) for a, b in zip(model.geom_contype, model.geom_conaffinity, strict=True)]
    fixed = [int(body) == 0 for body in model.geom_bodyid]
    on_ground = [ground is not None and _may_touch(geom_bits, bits[ground]) for geom_bits in bits]
    on_ground = [touching and not is_fixed for touching, is_fixed in zip(on_ground, fixed, strict=True)]
    shifted = ground is not None and any(
        bits[k] != (0, 0) and touching != _may_touch(bits[k], (1, 1))
        for k, touching in enumerate(on_ground)
        if k != ground
    )

    def surface(geom: int) -> Surface:
        group, mask = bits[geom]
        colliding = bool(group or mask) or geom in explicit
        if shifted:
            group, mask = group << 1 | on_ground[geom], mask << 1
        friction = float(model.geom_friction[geom][0])
        filter_bits = (group, mask) if colliding else (1, 1)
        return Surface(colliding, None if friction == DEFAULT_FRICTION or not colliding else friction, *filter_bits)

    return surface


def _may_touch(first: tuple[int, int], second: tuple[int, int]) -> bool:
    return bool(first[0] & second[1] or second[0] & first[1])


def excluded_pairs(mjcf: CompiledMjcf, names: Names) -> LinkPairs:
    """Return the pairs of links that never collide: excluded pairs of the model, then parents and children.

    MuJoCo ignores contacts of parent and child; a body without joints counts as part of its parent. It does not ignore
    them if the flag "filterparent" is disabled, if the parent is fixed to the world, or if the model has an explicit
    pair of their geoms.
    """
    model = mjcf.model
    pairs = [divmod(int(signature), 1 << 16) for signature in model.exclude_signature]
    explicit = {frozenset(_bodies_of(model, pair)) for pair in range(model.npair)}
    pairs += [bodies for bodies in _parent_child_pairs(mjcf) if frozenset(bodies) not in explicit]
    return tuple(dict.fromkeys((names.bodies[a], names.bodies[b]) for a, b in pairs if a and b))


def _parent_child_pairs(mjcf: CompiledMjcf) -> Iterator[tuple[int, int]]:
    """Iterate over the pairs of bodies with geoms that MuJoCo filters as parent and child."""
    model = mjcf.model
    if mjcf.is_disabled("FILTERPARENT"):
        return
    parent, weld = [int(body) for body in model.body_parentid], [0] * model.nbody  # weld: as mjModel.body_weldid
    for body in range(1, model.nbody):
        weld[body] = body if model.body_jntnum[body] else weld[parent[body]]
    for a, b in combinations(sorted({int(body) for body in model.geom_bodyid} - {0}), 2):
        related = weld[parent[weld[a]]] == weld[b] or weld[parent[weld[b]]] == weld[a]
        if related and weld[a] and weld[b] and weld[a] != weld[b]:
            yield a, b


def explicit_pairs(mjcf: CompiledMjcf, names: Names, notes: set[str]) -> LinkPairs:
    """Return the pairs of links with an explicit pair of geoms. notes: receives sentences on approximations."""
    model = mjcf.model
    bodies = [_bodies_of(model, pair) for pair in range(model.npair)]
    if bodies:
        notes.add("Explicit contact pairs of geoms become pairs of their links, with the friction of the shapes.")
    link_pairs = dict.fromkeys((names.bodies[a], names.bodies[b]) for a, b in bodies if a and b and a != b)
    if len(link_pairs) < len(set(bodies)):
        notes.add("Left out: explicit contact pairs with a geom that is fixed to the world.")
    return tuple(link_pairs)


def _bodies_of(model: Any, pair: int) -> tuple[int, int]:
    """Return the bodies of a pair of geoms."""
    return int(model.geom_bodyid[model.pair_geom1[pair]]), int(model.geom_bodyid[model.pair_geom2[pair]])
