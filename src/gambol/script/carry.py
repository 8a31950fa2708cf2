"""States of one figure under changing circumstances: carried over to a changed world, and changed from outside."""

import math
from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeAlias

from gambol.errors import GambolError
from gambol.figure import Figure
from gambol.lanes import leaves
from gambol.script.things import Transform
from gambol.spatial import Quaternion, Rotation, Vector
from gambol.world import State, World, depth_of, start
from gambol.world.observe import quaternion_of

Edit: TypeAlias = Callable[[State], None]

DROP = 0.001
"""How far a figure that is set down falls before it touches the ground [m]."""


def carried(old: State, world: World) -> State:
    """A state in a world that has changed: all that both worlds have is kept, to the last bit."""
    if len(leaves(old.living)) == len(leaves(start(world).living)) and old.world.structure() == world.structure():
        return State(world, old.rows)
    new = start(world)
    before = {link.name: link for link in old.world.figure.links}
    for link in world.figure.links:
        was = before.get(link.name)
        if was is not None and was.joint.kind == link.joint.kind:
            new.rows[link.q] = old.rows[was.q]
            new.rows[world.figure.nq :][link.v] = old.rows[old.world.figure.nq :][was.v]
    for part in fields(new.living):
        if part.name not in ("q", "v", "memory"):
            _copy(getattr(new.living, part.name), getattr(old.living, part.name))
    _remember(new, old)
    return new


def _remember(new: State, old: State) -> None:
    """Take over the memories of controller, feet and attachments, as far as both worlds have them."""
    here, there = new.living.memory, old.living.memory
    gait, was = new.world.gait, old.world.gait
    if gait is not None and was is not None:
        if gait.legs == was.legs:
            for name in ("master", "peaks", "state", "clock", "lasts"):
                _copy(getattr(here.control, name), getattr(there.control, name))
        for k, joint in enumerate(gait.joints):
            if joint in was.joints:
                i = was.joints.index(joint)
                for name in ("rest", "rate", "target"):
                    _copy(getattr(here.control, name)[k], getattr(there.control, name)[i])
    if (new.world.stick is None) == (old.world.stick is None):
        for mine, others in ((here.anchors, there.anchors), (here.bristles, there.bristles)):
            known = dict(zip(old.world.feet, others, strict=False))
            for foot, held in zip(new.world.feet, mine, strict=False):
                if foot in known:
                    _copy(held, known[foot])
    for k, whole in enumerate(there.whole[: len(here.whole)]):
        _copy(here.whole[k], whole)


def _copy(to: Any, values: Any) -> None:
    """Write the numbers of one nest of rows into another of the same form; nests of different forms are left alone."""
    mine, others = leaves(to), leaves(values)
    if len(mine) == len(others):
        for row, value in zip(mine, others, strict=True):
            row[:] = value


def pose(state: State) -> Transform:
    """Where the root is in the world."""
    root = state.world.figure.root
    if root.joint.kind != "free":
        return Transform(root.joint.rotation, root.joint.position)
    w, x, y, z, *place = (float(value) for value in state.q[0, root.q])
    rows = Quaternion(w, x, y, z).rotation().rows
    return Transform((rows[0], rows[1], rows[2]), (place[0], place[1], place[2]))


def put(where: Transform) -> Edit:
    """Puts a free root somewhere in the world."""

    def edit(state: State) -> None:
        root = state.world.figure.root
        if root.joint.kind == "free":
            turn = quaternion_of(Rotation(where.linear))
            state.rows[root.q, 0] = [*map(float, turn), *where.shift]

    return edit


def moved(by: Transform) -> Edit:
    """Moves a free root on from where it is."""
    return lambda state: put(by.after(pose(state)))(state)


def set_down(drop: float = DROP) -> Edit:
    """Puts a free root at the height at which its figure falls so far [m] before it touches the ground."""

    def edit(state: State) -> None:
        root = state.world.figure.root
        if root.joint.kind == "free":
            state.rows[root.q.start + 6, 0] = 0.0
            state.rows[root.q.start + 6, 0] = _lift(state) + drop

    return edit


def _lift(state: State) -> float:
    """How far the figure has to rise to just touch the ground [m]."""
    world = state.world
    depth = depth_of(world, state.q[0].tolist())
    if depth == -math.inf:
        raise GambolError(f'nothing of "{world.figure.name}" touches, so it cannot be set down; place it by setrootpos')
    return depth


def coordinate(figure: Figure, name: str) -> tuple[int, int]:
    """Where the coordinate and the velocity of a joint lie in a state."""
    link = figure.link(name)
    if link.v.stop - link.v.start != 1:
        raise GambolError(f'"{name}" hangs on a "{link.joint.kind}" joint, which has no single position')
    return link.q.start, figure.nq + link.v.start


def joint_at(name: str, value: float) -> Edit:
    """Puts a joint at an angle or place."""

    def edit(state: State) -> None:
        state.rows[coordinate(state.world.figure, name)[0], 0] = value

    return edit


def joint_speed(name: str, value: float) -> Edit:
    """Gives a joint a velocity."""

    def edit(state: State) -> None:
        state.rows[coordinate(state.world.figure, name)[1], 0] = value

    return edit


def root_speed(linear: Vector, angular: Vector) -> Edit:
    """Adds velocities in world axes to a free root's."""

    def edit(state: State) -> None:
        root, nq = state.world.figure.root, state.world.figure.nq
        if root.joint.kind != "free":
            raise GambolError(f'the root "{root.name}" is fixed; free it by rootmotion')
        back = Rotation(pose(state).linear).transpose
        added = [*(back @ angular), *(back @ linear)]
        state.rows[nq : nq + 6, 0] += [float(x) for x in added]

    return edit


def motor(name: str, target: float, seconds: float) -> Edit:
    """Sends the rest angle of a joint's springs to a target at constant speed. [McKenna 1990, section 4.5]"""

    def edit(state: State) -> None:
        controller, gait = state.world.gait, state.living.memory.control
        assert controller is not None
        k = controller.joints.index(name)
        gait.rate[k][:] = (target - gait.rest[k]) / max(seconds, state.world.timing.frame)
        gait.target[k][:] = target

    return edit


def rest_at(name: str, value: float) -> Edit:
    """Puts the rest angle of a joint's springs somewhere at once, and ends its motor's work."""

    def edit(state: State) -> None:
        controller, gait = state.world.gait, state.living.memory.control
        if controller is not None and name in controller.joints:
            k = controller.joints.index(name)
            gait.rest[k][:], gait.rate[k][:], gait.target[k][:] = value, 0.0, value

    return edit


def rest_of(state: State, name: str) -> float:
    """Where the springs of a joint are slack now [rad or m]."""
    controller, gait = state.world.gait, state.living.memory.control
    if controller is not None and name in controller.joints:
        return float(gait.rest[controller.joints.index(name)][0])
    return state.world.resolved[name][0].rest


def stand(state: State) -> None:
    """Brings a gait back to before its first step: all legs stand, and the oscillators start anew."""
    controller, gait = state.world.gait, state.living.memory.control
    if controller is not None:
        fresh = controller.memory()
        for name in ("master", "peaks", "state", "clock", "lasts"):
            for row, value in zip(leaves(getattr(gait, name)), leaves(getattr(fresh, name)), strict=True):
                row[:] = value


def clock_at(frame: int) -> Edit:
    """Says how many frames have passed."""

    def edit(state: State) -> None:
        state.living.clock.frame[:], state.living.clock.elapsed[:] = float(frame), 0.0

    return edit


def step_of(h: float) -> Edit:
    """Sets the length of the integrator's next step [s]."""

    def edit(state: State) -> None:
        state.living.clock.step[:] = h

    return edit
