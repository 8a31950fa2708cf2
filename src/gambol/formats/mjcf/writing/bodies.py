"""A figure's links as MuJoCo's bodies: massless links are merged into their child, as further joints of its body.

MuJoCo requires mass on every moving body, and allows several joints on one body, applied one after the other. All
joints of a body are given in the frame of the body B at rest. With the pose R_iB, p_iB of this frame in the frame of
link i, an axis a of the joint of link i becomes R_iB^T a, and its anchor, the origin of link i, becomes -R_iB^T p_iB.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from gambol.errors import FigureError
from gambol.figure import (
    JOINTS,
    WORLD,
    Closure,
    Figure,
    Joint,
    Matrix3,
    PlacedLink,
    Triple,
    compose,
    rotated,
    transposed,
)
from gambol.figure.joint import SeriesJoint
from gambol.figure.rotation import triple

Z: Final[Triple] = (0.0, 0.0, 1.0)  # the axis entry of a joint that has no axis
MIN_MASS: Final = 1e-15  # MuJoCo's mjMINVAL
MAX_DOFS: Final = 6  # degrees of freedom between two of MuJoCo's bodies


@dataclass(frozen=True)
class MujocoJoint:
    """One MuJoCo joint of a body.

    name, type: name and type of the MuJoCo joint. axis, anchor: in the body frame. link: link of the joint to which it
    belongs. slice_index: the spring slice of that joint that it corresponds to.
    """

    name: str
    type: str
    axis: Triple
    link: PlacedLink
    slice_index: int
    anchor: Triple = (0.0, 0.0, 0.0)

    @property
    def is_dependent(self) -> bool:
        """True for the slide of a helical joint; its position follows from the hinge."""
        return self.link.joint.kind == "helical" and self.type == "slide"

    @property
    def ratio(self) -> float:
        """The coordinate of this joint divided by the coordinate of the link's joint."""
        return self.link.joint.pitch if self.is_dependent else 1.0


@dataclass(frozen=True)
class Body:
    """One body.

    link: the link with its mass and shapes. parent: number of the parent body's link; 0 is the world. position [m],
    rotation: pose in the parent body at rest. joints: joints, the parent's first.
    """

    link: PlacedLink
    parent: int
    position: Triple
    rotation: Matrix3
    joints: tuple[MujocoJoint, ...]


def _second_axis(joint: Joint) -> Triple:
    """Return the second axis of a universal joint, or the direction of a planar joint's first slide."""
    return triple(joint.across or ())


def _third_axis(joint: Joint) -> Triple:
    return triple(np.cross(joint.axis, _second_axis(joint)))


JointEntry = tuple[str, str, Callable[[Joint], Triple], int]
MUJOCO_JOINTS: Final[dict[str, tuple[JointEntry, ...]]] = {
    "fixed": (),
    "revolute": (("", "hinge", lambda j: j.axis, 0),),
    "prismatic": (("", "slide", lambda j: j.axis, 0),),
    "spherical": (("", "ball", lambda j: Z, 0),),
    "free": (("", "free", lambda j: Z, 0),),
    "cylindrical": ((" turn", "hinge", lambda j: j.axis, 0), ("", "slide", lambda j: j.axis, 1)),
    "helical": ((" slide", "slide", lambda j: j.axis, 0), ("", "hinge", lambda j: j.axis, 0)),
    "universal": ((" turn", "hinge", lambda j: j.axis, 0), ("", "hinge", _second_axis, 1)),
    "planar": ((" x", "slide", _second_axis, 1), (" y", "slide", _third_axis, 2), ("", "hinge", lambda j: j.axis, 0)),
}
"""The MuJoCo joints for each kind of joint: suffix of the name, type, axis, and spring slice of the joint."""


def bodies_of(figure: Figure) -> tuple[Body, ...]:
    """Return the bodies of a figure, parents first.

    Raises FigureError for figures that MuJoCo does not allow: free joints below other links, joints of kinds that it
    lacks, and moving links without mass. A moving link may lack mass only if it has a single child that is fixed to it,
    or into whose body it can be merged.
    """
    merged = {link.index for link in figure.links if _is_merged(figure, link)}
    world_root = figure.root.index if _root_is_world(figure) else WORLD
    bodies: list[Body] = []
    for link in figure.links:
        if link.index in merged or link.index == world_root:
            continue
        chain = [link]
        while chain[0].parent_index in merged:
            chain.insert(0, figure.links[chain[0].parent_index - 1])
        body = _body(chain)
        if body.parent == world_root != WORLD:
            body = _as_world_child(body, figure.root)
        if link.joint.kind == "free" and body.parent != WORLD:
            raise FigureError(
                f'link "{link.name}" has a free joint inside the figure; its parent in MuJoCo must be the world'
            )
        _check_mass(figure, body)
        bodies.append(body)
    return tuple(bodies)


def _check_mass(figure: Figure, body: Body) -> None:
    """Raise FigureError for a moving body with less mass or inertia than MuJoCo accepts."""
    smallest = min(body.link.mass_properties.mass, body.link.mass_properties.principal_moments()[0])
    has_rigid_child = any(child.joint.kind == "fixed" for child in _children(figure, body.link))
    if body.joints and not has_rigid_child and smallest < MIN_MASS:
        raise FigureError(
            f'link "{body.link.name}" has a mass or moment of {smallest:g} (kg or kg m2); '
            f"MuJoCo needs {MIN_MASS:g} or more of both on a moving body"
        )


def _root_is_world(figure: Figure) -> bool:
    """Return True if the root can be the world: if it is fixed, massless, and without closures."""
    root = figure.root
    has_closure = any(isinstance(c, Closure) and root.name in (c.link, c.other) for c in figure.constraints)
    return root.joint.kind == "fixed" and root.mass_properties.mass == 0.0 and not has_closure


def _is_merged(figure: Figure, link: PlacedLink) -> bool:
    """Return True if a link is merged into its only child; its joint becomes a joint of the child's body."""
    if link.mass_properties.mass > 0.0 or link.joint.kind in ("fixed", "free"):
        return False
    children = list(_children(figure, link))
    if len(children) == 1 and children[0].joint.kind == "fixed":
        return False  # MuJoCo accepts a massless body with a mass fixed to it
    has_closure = any(isinstance(c, Closure) and link.name in (c.link, c.other) for c in figure.constraints)
    if len(children) != 1 or link.parts or has_closure:
        raise FigureError(
            f'link "{link.name}" moves without mass, and carries no link, several links, a shape or a closure; '
            "MuJoCo needs mass on it"
        )
    return True


def _children(figure: Figure, link: PlacedLink) -> Iterator[PlacedLink]:
    return (child for child in figure.links if child.parent_index == link.index)


def _body(chain: list[PlacedLink]) -> Body:
    """Return the body of the last link of a chain, with the joints of all its links."""
    joints: list[MujocoJoint] = []
    position, rotation = (0.0, 0.0, 0.0), compose()
    for link in reversed(chain):
        if link.joint.kind == "spherical" and link is not chain[-1]:
            raise FigureError(f'link "{link.name}" has a spherical joint without mass; MuJoCo needs mass there')
        for suffix, joint, index in reversed(_in_series(link)):
            R_BP = transposed(rotation)
            anchor = triple(-np.array(rotated(R_BP, position)))
            joints[:0] = [
                MujocoJoint(link.name + suffix + end, kind, rotated(R_BP, axis(joint)), link, index or k, anchor)
                for end, kind, axis, k in MUJOCO_JOINTS[joint.kind]
            ]
            position = triple(np.array(joint.position) + np.array(rotated(joint.rotation, position)))
            rotation = compose(joint.rotation, rotation)
    if sum(3 if joint.type == "ball" else 1 for joint in joints) > MAX_DOFS:
        names = ", ".join(f'"{link.name}"' for link in chain)
        raise FigureError(
            f"links {names} have over {MAX_DOFS} degrees of freedom without mass between; MuJoCo needs mass there"
        )
    return Body(chain[-1], chain[0].parent_index, position, rotation, tuple(joints))


def _in_series(link: PlacedLink) -> tuple[SeriesJoint, ...]:
    """Return a link's joint as joints of kinds that MuJoCo has.

    Raises FigureError for a kind that cannot be expressed by these.
    """
    kind = link.joint.kind
    if kind in MUJOCO_JOINTS:
        return (("", link.joint, None),)
    in_series = JOINTS[kind].in_series
    if in_series is None:
        raise FigureError(
            f'link "{link.name}" has a {kind} joint, which MuJoCo does not have, and its row of JOINTS has no '
            "`in_series`"
        )
    joints = in_series(link.joint)
    if unknown := [joint.kind for _, joint, _ in joints if joint.kind not in MUJOCO_JOINTS]:
        raise FigureError(
            f'link "{link.name}" has a {kind} joint, which MuJoCo does not have, and `in_series` of its row of JOINTS '
            f"has a {unknown[0]} joint, which MuJoCo does not have either"
        )
    return joints


def _as_world_child(body: Body, root: PlacedLink) -> Body:
    """Return a child body of the root as a child of the world, for a root that is the world."""
    root_joint = root.joint
    position = triple(np.array(root_joint.position) + np.array(rotated(root_joint.rotation, body.position)))
    return replace(body, parent=WORLD, position=position, rotation=compose(root_joint.rotation, body.rotation))
