"""A heap of ragdolls in a pile and in MuJoCo, and one of them in a world: `python -m benchmarks.ragdolls [COUNT ...]`.

The heap is that of examples/ragdolls.py: figures of eleven links with limits fall onto each other. Before its time
counts, each result is checked: the ledger accounts for all energy, joints keep their limits, and the mean height of the
bodies at the end is that of MuJoCo's heap to a tenth of a metre. Both compute 1.2 s in steps of 2 ms, in one thread.
"""

import sys
import time
from collections.abc import Iterator

import mujoco
import numpy as np
from numpy.typing import NDArray

from examples.ragdolls import beyond_limits, heap, limits, ragdoll
from gambol import ContactParameters, Stepping, SurfaceProperties, Timing, World
from gambol.figure import Figure
from gambol.rigid import PileStepper
from gambol.spatial import Quaternion, Rotation
from gambol.world import Engine, InitialState, start

Array = NDArray[np.float64]

STEP, SECONDS, FRICTION = 2e-3, 1.2, 0.6
MAX_LOST, MAX_BEYOND, MAX_APART = 1e-6, np.radians(0.5), 0.1


def of_pile(count: int) -> tuple[float, float, int]:
    """Return time per step [s], mean height of the bodies at the end [m], and the number of contacts there."""
    pile, begin, linked = heap(count, STEP)
    stepper = PileStepper(pile)
    stepper.advance(begin, 20)  # compiles the programs
    began = time.process_time()
    state = stepper.advance(begin, round(SECONDS / STEP))
    spent = time.process_time() - began
    whole = stepper.energy(begin)
    assert abs(stepper.energy(state) - whole - state.ledger.total) < MAX_LOST * whole, "energy is not in the ledger"
    assert max(beyond_limits(one, state) for one in linked) < MAX_BEYOND, "a joint is beyond its limits"
    return spent / round(SECONDS / STEP), float(state.position[2, 1:].mean()), len(state.cache.keys)


def _numbers(values: object) -> str:
    return " ".join(f"{x:.9g}" for x in np.ravel(np.array(values, float)))


def _bodies(figure: Figure, index: int, place: Array) -> Iterator[str]:
    """Yield the links below a link as MJCF; place: pose of the root."""
    for link in (link for link in figure.links if link.parent_index == index):
        is_root = link.joint.kind == "free"
        at = (
            f'pos="{_numbers(place[4:])}" quat="{_numbers(place[:4])}"'
            if is_root
            else f'pos="{_numbers(link.joint.position)}"'
        )
        yield f'<body name="{figure.name} {link.name}" {at}>'
        if is_root:
            yield "<freejoint/>"
        else:
            spring = limits()[link.name]
            ball = link.joint.kind == "spherical"
            lower = 0.0 if ball else spring.lower
            kind = "ball" if ball else f'hinge" axis="{_numbers(link.joint.axis)}'
            yield f'<joint type="{kind}" range="{lower} {spring.upper}" limited="true" damping="{spring.damping}"/>'
        for part in link.parts:
            turn = Quaternion.of(Rotation(part.rotation)).components()
            size = part.shape.sizes if part.shape.kind == "sphere" else (part.shape.sizes[0], part.shape.sizes[1] / 2.0)
            yield f'<geom type="{part.shape.kind}" size="{_numbers(size)}" pos="{_numbers(part.position)}"'
            yield f' quat="{_numbers(turn)}" density="{part.density}" friction="{FRICTION} 0 0" condim="3"/>'
        yield from _bodies(figure, link.index, place)
        yield "</body>"


def of_mujoco(count: int) -> tuple[float, float, int]:
    """Return the same of MuJoCo."""
    _, begin, linked = heap(count, STEP)
    text = [
        f'<mujoco><compiler angle="radian"/><option timestep="{STEP}" gravity="0 0 -9.81" cone="elliptic"/><worldbody>'
    ]
    text.append(f'<geom type="plane" size="100 100 1" friction="{FRICTION} 0 0" condim="3"/>')
    for one in linked:
        text += _bodies(one.figure, 0, one.coordinates(begin)[0][:7])
    model = mujoco.MjModel.from_xml_string("\n".join([*text, "</worldbody></mujoco>"]))
    data = mujoco.MjData(model)
    steps = round(SECONDS / STEP)
    mujoco.mj_forward(model, data)
    at_begin = np.array([data.body(f"{body.figure} {body.link.name}").xipos for one in linked for body in one.bodies])
    assert np.abs(at_begin - begin.position[:, 1:].T).max() < 1e-6, "the heaps begin differently"
    began = time.process_time()
    mujoco.mj_step(model, data, steps)
    spent = time.process_time() - began
    mujoco.mj_forward(model, data)
    return spent / steps, float(data.xipos[1:, 2].mean()), int(data.ncon)


def of_world() -> tuple[float, float]:
    """Return time per step of one ragdoll in a world, which touches the ground only, and seconds to compile it."""
    _, begin, linked = heap(1, STEP)
    q = tuple(linked[0].coordinates(begin)[0].tolist())
    touch = ContactParameters(4e4, 0.0, 1.0, 80.0, 0.04, FRICTION, 0.05, FRICTION, 1.0, 0.0, 100.0)
    world = World(
        ragdoll("doll"),
        limits(),
        surface=SurfaceProperties(touch),
        contact=Stepping(max_contacts=16),
        timing=Timing(STEP, STEP),
        initial=InitialState(q),
    )
    began = time.process_time()
    engine, state = Engine(world, lanes=1), start(world, 1)
    engine.advance(state, 1)
    compiled = time.process_time() - began
    steps = round(SECONDS / STEP)
    began = time.process_time()
    engine.advance(state, steps)
    return (time.process_time() - began) / steps, compiled


def main(*counts: str) -> int:
    """Print a row for each number of ragdolls; return 1 if heights differ."""
    failed = False
    print("| ragdolls | pile [us a step] | MuJoCo | mean heights [m] | contacts |\n| --- | --- | --- | --- | --- |")
    for count in map(int, counts or ("1", "4", "8")):
        own, peer = of_pile(count), of_mujoco(count)
        failed |= abs(own[1] - peer[1]) > MAX_APART
        print(
            f"| {count} | {1e6 * own[0]:.0f} | {1e6 * peer[0]:.0f} | {own[1]:.3f}, {peer[1]:.3f} "
            f"| {own[2]}, {peer[2]} |",
            flush=True,
        )
    spent, compiled = of_world()
    print(f"one ragdoll in a world: {1e6 * spent:.0f} us a step, {compiled:.1f} s to compile")
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
