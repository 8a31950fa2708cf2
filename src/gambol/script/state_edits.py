"""Edits of the state of a corpus by script commands."""

import math
from collections.abc import Callable
from typing import TypeAlias

from gambol.contact import SurfaceProperties
from gambol.errors import GambolError
from gambol.lanes import leaves
from gambol.script.corpus_state import CorpusState
from gambol.script.graphic_objects import Transform
from gambol.spatial import Quaternion, Rotation, Vector
from gambol.spatial.rotation import quaternion_of
from gambol.world import World, depth_of

Edit: TypeAlias = Callable[[CorpusState], None]

DEFAULT_DROP = 0.001
"""Default height above the ground at which a figure is set down [m]."""


def root_pose(state: CorpusState) -> Transform:
    """Return the pose of the root in the world."""
    root = state.root
    if root.joint.kind != "free":
        return Transform(root.joint.rotation, root.joint.position)
    w, x, y, z, *position = (float(value) for value in state.rows[root.q, 0])
    rows = Quaternion(w, x, y, z).rotation().rows
    return Transform((rows[0], rows[1], rows[2]), (position[0], position[1], position[2]))


def set_root_pose(pose: Transform) -> Edit:
    """Return the edit that sets the pose of a free root in the world."""

    def edit(state: CorpusState) -> None:
        root = state.root
        if root.joint.kind == "free":
            quaternion = quaternion_of(Rotation(pose.linear))
            state.rows[root.q, 0] = [*map(float, quaternion), *pose.shift]

    return edit


def move_root(transform: Transform) -> Edit:
    """Return the edit that applies a transform to the current pose of a free root."""
    return lambda state: set_root_pose(transform.after(root_pose(state)))(state)


def set_down(drop: float = DEFAULT_DROP) -> Edit:
    """Return the edit that raises or lowers a free root until its figure is at the height drop above the ground [m]."""

    def edit(state: CorpusState) -> None:
        root = state.root
        if root.joint.kind == "free":
            state.rows[root.q.start + 6, 0] = 0.0
            state.rows[root.q.start + 6, 0] = _lift(state) + drop

    return edit


def _lift(state: CorpusState) -> float:
    """Return the distance by which the corpus has to rise to just touch the ground [m]."""
    corpus_world = World(
        state.figure, ground=state.world.ground, surface=SurfaceProperties(state.world.surface.parameters)
    )
    depth = depth_of(corpus_world, state.q)
    if depth == -math.inf:
        raise GambolError(
            f'"{state.figure.name}" has no parts to touch the ground, so it cannot be set down; place it by setrootpos'
        )
    return depth


def coordinate_rows(state: CorpusState, name: str) -> tuple[int, int]:
    """Return the indices, in the rows of a state, of the coordinate and of the velocity of a joint."""
    link = state.link(name)
    if link.v.stop - link.v.start != 1:
        raise GambolError(f'"{name}" has a "{link.joint.kind}" joint, which has no single coordinate')
    q, v = state.coordinate_rows(name)
    return q.start, v.start


def set_joint(name: str, value: float) -> Edit:
    """Return the edit that sets the coordinate of a joint [rad or m]."""

    def edit(state: CorpusState) -> None:
        state.rows[coordinate_rows(state, name)[0], 0] = value

    return edit


def set_joint_velocity(name: str, value: float) -> Edit:
    """Return the edit that sets the velocity of a joint [rad/s or m/s]."""

    def edit(state: CorpusState) -> None:
        state.rows[coordinate_rows(state, name)[1], 0] = value

    return edit


def add_root_velocity(linear: Vector, angular: Vector) -> Edit:
    """Return the edit that adds a velocity to the velocity of a free root.

    linear [m/s], angular [rad/s]: the velocity to add, in world coordinates.
    """

    def edit(state: CorpusState) -> None:
        root = state.root
        if root.joint.kind != "free":
            raise GambolError(f'the root "{state.figure.root.name}" is fixed; free it by rootmotion')
        R_LW = Rotation(root_pose(state).linear).transpose
        velocity = [*(R_LW @ angular), *(R_LW @ linear)]
        state.rows[state.coordinate_rows(state.figure.root.name)[1], 0] += [float(x) for x in velocity]

    return edit


def start_motor(name: str, target: float, seconds: float) -> Edit:
    """Return the edit that moves the rest angle of a joint's springs at constant speed. [McKenna 1990, section 4.5]

    name: name of the joint. target: final rest angle [rad or m]. seconds: duration of the change [s].
    """

    def edit(state: CorpusState) -> None:
        controller, gait = state.gait, state.gait_memory
        assert controller is not None
        k = controller.joints.index(state.links[name])
        gait.rate[k][:] = (target - gait.rest[k]) / max(seconds, state.world.timing.control_step)
        gait.target[k][:] = target

    return edit


def set_rest_angle(name: str, value: float) -> Edit:
    """Return the edit that sets the rest angle of a joint's springs [rad or m] and stops its motor."""

    def edit(state: CorpusState) -> None:
        controller, gait = state.gait, state.gait_memory
        if controller is not None and state.links[name] in controller.joints:
            k = controller.joints.index(state.links[name])
            gait.rest[k][:], gait.rate[k][:], gait.target[k][:] = value, 0.0, value

    return edit


def rest_angle(state: CorpusState, name: str) -> float:
    """Return the current rest angle of the springs of a joint [rad or m]."""
    controller, gait, link = state.gait, state.gait_memory, state.links[name]
    if controller is not None and link in controller.joints:
        return float(gait.rest[controller.joints.index(link)][0])
    return state.world.resolved_springs[link][0].rest


def reset_gait(state: CorpusState) -> None:
    """Reset a gait to its initial state: all legs stand, and the oscillators restart."""
    controller, gait = state.gait, state.gait_memory
    if controller is not None:
        initial = controller.memory()
        for name in ("master", "peaks", "state", "clock", "duration"):
            for row, value in zip(leaves(getattr(gait, name)), leaves(getattr(initial, name)), strict=True):
                row[:] = value


def set_frame(frame: int) -> Edit:
    """Return the edit that sets the number of elapsed frames."""

    def edit(state: CorpusState) -> None:
        state.step_state.clock.control_steps[:], state.step_state.clock.elapsed[:] = float(frame), 0.0

    return edit


def set_step(h: float) -> Edit:
    """Return the edit that sets the length of the integrator's next step [s]."""

    def edit(state: CorpusState) -> None:
        state.step_state.clock.step[:] = h

    return edit
