"""Edits of a simulation state by script commands, and its transfer to a changed world."""

import math
from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeAlias

from gambol.errors import GambolError
from gambol.figure import Figure
from gambol.lanes import leaves
from gambol.script.graphic_objects import Transform
from gambol.spatial import Quaternion, Rotation, Vector
from gambol.spatial.rotation import quaternion_of
from gambol.world import State, World, depth_of, start

Edit: TypeAlias = Callable[[State], None]

DEFAULT_DROP = 0.001
"""Default height above the ground at which a figure is set down [m]."""


def transfer_state(old: State, world: World) -> State:
    """Return a state of a changed world: values that both worlds have are copied exactly, others are initial values.

    old: the state before the change. world: the changed world.
    """
    if (
        len(leaves(old.step_state)) == len(leaves(start(world).step_state))
        and old.world.structure() == world.structure()
    ):
        return State(world, old.rows)
    new = start(world)
    old_links = {link.name: link for link in old.world.figure.links}
    for link in world.figure.links:
        old_link = old_links.get(link.name)
        if old_link is not None and old_link.joint.kind == link.joint.kind:
            new.rows[link.q] = old.rows[old_link.q]
            new.rows[world.figure.nq :][link.v] = old.rows[old.world.figure.nq :][old_link.v]
    for group in fields(new.step_state):
        if group.name not in ("q", "v", "memory"):
            _copy(getattr(new.step_state, group.name), getattr(old.step_state, group.name))
    _copy_memory(new, old)
    return new


def _copy_memory(new: State, old: State) -> None:
    """Copy the memory of the controller, the feet and the attachments that both worlds have."""
    new_memory, old_memory = new.step_state.memory, old.step_state.memory
    gait, old_gait = new.world.gait, old.world.gait
    if gait is not None and old_gait is not None:
        if gait.legs == old_gait.legs:
            for name in ("master", "peaks", "state", "clock", "duration"):
                _copy(getattr(new_memory.control, name), getattr(old_memory.control, name))
        for k, joint in enumerate(gait.joints):
            if joint in old_gait.joints:
                i = old_gait.joints.index(joint)
                for name in ("rest", "rate", "target"):
                    _copy(getattr(new_memory.control, name)[k], getattr(old_memory.control, name)[i])
    if (new.world.surface.sticky is None) == (old.world.surface.sticky is None):
        for new_group, old_group in (
            (new_memory.anchors, old_memory.anchors),
            (new_memory.bristles, old_memory.bristles),
        ):
            rows_by_link = dict(zip(old.world.scene.gripping, old_group, strict=False))
            for link, link_rows in zip(new.world.scene.gripping, new_group, strict=False):
                if link in rows_by_link:
                    _copy(link_rows, rows_by_link[link])
    for k, attachment in enumerate(old_memory.intact[: len(new_memory.intact)]):
        _copy(new_memory.intact[k], attachment)


def _copy(target: Any, source: Any) -> None:
    """Copy the rows of one pytree into another; if the numbers of rows differ, nothing is copied."""
    target_rows, source_rows = leaves(target), leaves(source)
    if len(target_rows) == len(source_rows):
        for row, value in zip(target_rows, source_rows, strict=True):
            row[:] = value


def root_pose(state: State) -> Transform:
    """Return the pose of the root in the world."""
    root = state.world.figure.root
    if root.joint.kind != "free":
        return Transform(root.joint.rotation, root.joint.position)
    w, x, y, z, *position = (float(value) for value in state.q[0, root.q])
    rows = Quaternion(w, x, y, z).rotation().rows
    return Transform((rows[0], rows[1], rows[2]), (position[0], position[1], position[2]))


def set_root_pose(pose: Transform) -> Edit:
    """Return the edit that sets the pose of a free root in the world."""

    def edit(state: State) -> None:
        root = state.world.figure.root
        if root.joint.kind == "free":
            quaternion = quaternion_of(Rotation(pose.linear))
            state.rows[root.q, 0] = [*map(float, quaternion), *pose.shift]

    return edit


def move_root(transform: Transform) -> Edit:
    """Return the edit that applies a transform to the current pose of a free root."""
    return lambda state: set_root_pose(transform.after(root_pose(state)))(state)


def set_down(drop: float = DEFAULT_DROP) -> Edit:
    """Return the edit that raises or lowers a free root until its figure is at the height drop above the ground [m]."""

    def edit(state: State) -> None:
        root = state.world.figure.root
        if root.joint.kind == "free":
            state.rows[root.q.start + 6, 0] = 0.0
            state.rows[root.q.start + 6, 0] = _lift(state) + drop

    return edit


def _lift(state: State) -> float:
    """Return the distance by which the figure has to rise to just touch the ground [m]."""
    world = state.world
    depth = depth_of(world, state.q[0].tolist())
    if depth == -math.inf:
        raise GambolError(
            f'"{world.figure.name}" has no parts to touch the ground, so it cannot be set down; place it by setrootpos'
        )
    return depth


def coordinate_rows(figure: Figure, name: str) -> tuple[int, int]:
    """Return the indices, in the rows of a state, of the coordinate and of the velocity of a joint."""
    link = figure.link(name)
    if link.v.stop - link.v.start != 1:
        raise GambolError(f'"{name}" has a "{link.joint.kind}" joint, which has no single coordinate')
    return link.q.start, figure.nq + link.v.start


def set_joint(name: str, value: float) -> Edit:
    """Return the edit that sets the coordinate of a joint [rad or m]."""

    def edit(state: State) -> None:
        state.rows[coordinate_rows(state.world.figure, name)[0], 0] = value

    return edit


def set_joint_velocity(name: str, value: float) -> Edit:
    """Return the edit that sets the velocity of a joint [rad/s or m/s]."""

    def edit(state: State) -> None:
        state.rows[coordinate_rows(state.world.figure, name)[1], 0] = value

    return edit


def add_root_velocity(linear: Vector, angular: Vector) -> Edit:
    """Return the edit that adds a velocity to that of a free root.

    linear [m/s], angular [rad/s]: the velocity to add, in world coordinates.
    """

    def edit(state: State) -> None:
        root, nq = state.world.figure.root, state.world.figure.nq
        if root.joint.kind != "free":
            raise GambolError(f'the root "{root.name}" is fixed; free it by rootmotion')
        R_LW = Rotation(root_pose(state).linear).transpose
        velocity = [*(R_LW @ angular), *(R_LW @ linear)]
        state.rows[nq : nq + 6, 0] += [float(x) for x in velocity]

    return edit


def start_motor(name: str, target: float, seconds: float) -> Edit:
    """Return the edit that moves the rest angle of a joint's springs at constant speed. [McKenna 1990, section 4.5]

    name: of the joint. target: final rest angle [rad or m]. seconds: duration of the change [s].
    """

    def edit(state: State) -> None:
        controller, gait = state.world.gait, state.step_state.memory.control
        assert controller is not None
        k = controller.joints.index(name)
        gait.rate[k][:] = (target - gait.rest[k]) / max(seconds, state.world.timing.control_step)
        gait.target[k][:] = target

    return edit


def set_rest_angle(name: str, value: float) -> Edit:
    """Return the edit that sets the rest angle of a joint's springs [rad or m] and stops its motor."""

    def edit(state: State) -> None:
        controller, gait = state.world.gait, state.step_state.memory.control
        if controller is not None and name in controller.joints:
            k = controller.joints.index(name)
            gait.rest[k][:], gait.rate[k][:], gait.target[k][:] = value, 0.0, value

    return edit


def rest_angle(state: State, name: str) -> float:
    """Return the current rest angle of the springs of a joint [rad or m]."""
    controller, gait = state.world.gait, state.step_state.memory.control
    if controller is not None and name in controller.joints:
        return float(gait.rest[controller.joints.index(name)][0])
    return state.world.resolved_springs[name][0].rest


def reset_gait(state: State) -> None:
    """Reset a gait to its initial state: all legs stand, and the oscillators restart."""
    controller, gait = state.world.gait, state.step_state.memory.control
    if controller is not None:
        initial = controller.memory()
        for name in ("master", "peaks", "state", "clock", "duration"):
            for row, value in zip(leaves(getattr(gait, name)), leaves(getattr(initial, name)), strict=True):
                row[:] = value


def set_frame(frame: int) -> Edit:
    """Return the edit that sets the number of elapsed frames."""

    def edit(state: State) -> None:
        state.step_state.clock.control_steps[:], state.step_state.clock.elapsed[:] = float(frame), 0.0

    return edit


def set_step(h: float) -> Edit:
    """Return the edit that sets the length of the integrator's next step [s]."""

    def edit(state: State) -> None:
        state.step_state.clock.step[:] = h

    return edit
