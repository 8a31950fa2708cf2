"""Pairs of links that never touch: those of joints, filtered pairs, and collision groups. [UsdPhysics]"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import TypeAlias

from gambol.formats.usd.joints import StageJoint
from gambol.formats.usd.loops import LinkFrames
from gambol.formats.usd.stage import Stage

LinkPairs: TypeAlias = tuple[tuple[str, str], ...]
Groups: TypeAlias = frozenset[tuple[int, ...]]
"""For each collider of a link, the numbers of the groups that it is in."""


def pairs_of(
    stage: Stage, joints: Iterable[StageJoint], frames: LinkFrames, notes: set[str]
) -> tuple[LinkPairs, LinkPairs]:
    """Return the pairs of links that never touch, and the pairs of parent and child that may touch."""
    apart, paired = set[tuple[str, str]](), set[tuple[str, str]]()
    for joint in joints:
        if all(joint.bodies):
            first, second = (frames[body][0] for body in joint.bodies)
            (paired if joint.prim["collides"] else apart).add((first, second))
    for first, second in stage.content["filtered"]:
        if first in frames and second in frames and first != second:
            apart.add((frames[first][0], frames[second][0]))
    apart |= set(_separated(stage, frames, notes))
    return tuple(sorted(apart)), tuple(sorted(paired - apart))


def _separated(stage: Stage, frames: LinkFrames, notes: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of links all of whose colliders are in groups that do not touch."""
    separate = {(i, j) for i, j in stage.content["separate_groups"]}
    if not separate:
        return
    colliders: dict[str, set[tuple[int, ...]]] = {}
    for shape in stage.prims("shapes"):
        if shape["collides"]:
            name = frames[shape["body"]][0] if shape["body"] in frames else ""
            colliders.setdefault(name, set()).add(tuple(shape["groups"]))
    links: dict[Groups, list[str]] = {}
    for name, groups in colliders.items():
        links.setdefault(frozenset(groups), []).append(name)
    for kind, other in _separate_kinds(links, separate, notes):
        pairs = combinations(links[kind], 2) if kind == other else ((a, b) for a in links[kind] for b in links[other])
        for first, second in pairs:
            if first and second:
                yield first, second
            else:
                notes.add("Left out: collision groups of the ground and of shapes that do not move.")


def _separate_kinds(
    links: Mapping[Groups, object], separate: set[tuple[int, int]], notes: set[str]
) -> Iterator[tuple[Groups, Groups]]:
    """Yield the pairs of keys of links whose colliders are all in collision groups that do not touch each other."""
    kinds = list(links)
    for k, kind in enumerate(kinds):
        for other in kinds[k:]:
            hits = [any((g, h) in separate for g in a for h in b) for a in kind for b in other]
            if all(hits):
                yield kind, other
            elif any(hits):
                notes.add("Left out: collision groups of links of which only some shapes are in the group.")
