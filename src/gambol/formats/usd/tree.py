"""The tree of a stage: the joint that carries each body, and the joints that close loops.

The tree is built breadth first from the world, then from one body of each free figure: the body that the file marks as
the root of an articulation, else the first body that is not the second body of a joint. Joints that a file excludes
from articulations carry only bodies that no other joint reaches, so that they close the loops.
"""

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from gambol.formats.usd.joints import StageJoint

WORLD = ""


@dataclass(frozen=True)
class Branch:
    """A body and its parent joint.

    parent, child: paths of bodies, "" for the world. joints: joints from the parent outward; empty for a free body.
    Several joints are in series, with the same two bodies.
    """

    parent: str
    child: str
    joints: tuple[StageJoint, ...] = ()

    def is_reversed(self, joint: StageJoint) -> bool:
        """Return True if the second body of a joint is the parent."""
        return joint.bodies[1] == self.parent


def branches_of(
    bodies: Sequence[str], joints: Sequence[StageJoint], roots: Collection[str], in_series: bool
) -> tuple[list[Branch], list[StageJoint]]:
    """Return the branch of each body, parents first, and the joints that close loops.

    bodies: paths. joints: joints of the stage. roots: paths of bodies that the file marks as roots. in_series: True if
    several joints between the same two bodies are in series; else all except one of them close loops.
    """
    carrying = [joint for joint in joints if not joint.is_free]
    in_trees = [joint for joint in carrying if not joint.prim["excluded"]]
    branches, used = list[Branch](), set[str]()
    reached = {WORLD}

    def grow(starts: Iterable[str], growing: Sequence[StageJoint]) -> None:
        waiting = deque(starts)
        while waiting:
            body = waiting.popleft()
            for joint in growing:
                other = _other_end(joint, body)
                if other is None or other in reached or joint.path in used:
                    continue
                group = tuple(j for j in growing if set(j.bodies) == {body, other}) if in_series else (joint,)
                branch = Branch(body, other, group)
                ordered = group[::-1] if branch.is_reversed(joint) else group
                branches.append(Branch(body, other, ordered))
                used.update(j.path for j in group)
                reached.add(other)
                waiting.append(other)

    def grow_free(candidates: Iterable[str], growing: Sequence[StageJoint]) -> None:
        for body in candidates:
            if body not in reached:
                branches.append(Branch(WORLD, body))
                reached.add(body)
                grow([body], growing)

    second_bodies, jointed = (
        {joint.bodies[1] for joint in carrying},
        {body for joint in in_trees for body in joint.bodies},
    )
    ordered_bodies = sorted(bodies, key=lambda body: (body not in roots, body in second_bodies))
    grow([WORLD], in_trees)
    grow_free((body for body in ordered_bodies if body in jointed), in_trees)
    grow([WORLD, *(branch.child for branch in branches)], carrying)
    grow_free(ordered_bodies, carrying)
    loops = [joint for joint in joints if joint.path not in used and (joint.is_distance or not joint.is_free)]
    return branches, loops


def _other_end(joint: StageJoint, body: str) -> str | None:
    """Return the body at the other end of a joint, or None if the joint is not at a body."""
    first, second = joint.bodies
    return second if first == body else first if second == body else None
