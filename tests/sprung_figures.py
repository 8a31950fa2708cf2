"""Figures whose large steps have known laws: wagons on a rail, and a trunk that falls on two legs with springs."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from worlds import point

from gambol.figure import Capsule, Figure, Joint, JointSpring, Link, Part
from gambol.world import Engine, State, World, start

Array = NDArray[Any]


def train(masses: np.ndarray, rotors: np.ndarray | None = None) -> Figure:
    """Return wagons one after the other on a rail: their mass matrix is constant, and far from diagonal.

    rotors: armature of each joint, None for none [kg].
    """
    names = [f"wagon{k}" for k in range(len(masses))]
    parents = [None, *names]
    joints = [Joint("prismatic", (1.0, 0.0, 0.0), rotor=float(x)) for x in (masses * 0.0 if rotors is None else rotors)]
    wagons = zip(names, parents, joints, masses, strict=False)
    return Figure(
        "train",
        tuple(Link(name, parent, joint, (), point(mass, (0.0, 0.0, 0.0))) for name, parent, joint, mass in wagons),
    )


def stander() -> tuple[Figure, dict[str, JointSpring]]:
    """Return a trunk on two legs of two capsules each, and their springs and dampers."""
    trunk = Part(Capsule(0.05, 0.3), (0.0, 0.0, 0.0), ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0)))
    bone = Part(Capsule(0.02, 0.2), (0.0, 0.0, -0.1))
    links, springs = [Link("trunk", None, Joint("free"), (trunk,))], dict[str, JointSpring]()
    for name, x in (("front", 0.15), ("hind", -0.15)):
        hip = Joint("revolute", (0.0, 1.0, 0.0), position=(x, 0.0, 0.0))
        knee = Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, 0.0, -0.2))
        links += [Link(f"{name} thigh", "trunk", hip, (bone,)), Link(f"{name} shank", f"{name} thigh", knee, (bone,))]
        springs[f"{name} thigh"] = JointSpring(stiffness=20.0, damping=0.3, rest=0.4)
        springs[f"{name} shank"] = JointSpring(stiffness=20.0, damping=0.3, rest=-0.8)
    return Figure("stander", tuple(links)), springs


def above_ground(world: World, worlds: int) -> State:
    """Return the state of random worlds of a stander whose feet are just above the ground."""
    state, random = start(world, worlds), np.random.default_rng(3)
    state.q[:], state.v[:] = 0.0, 0.3 * random.standard_normal(state.v.shape)
    state.q[:, 0] = 1.0
    state.q[:, 1:4] = 0.05 * random.standard_normal((worlds, 3))
    state.q[:, :4] /= np.linalg.norm(state.q[:, :4], axis=1)[:, None]
    state.q[:, 6] = 0.45 + 0.03 * random.random(worlds)
    state.q[:, 7:] = np.array([0.4, -0.8, 0.4, -0.8]) + 0.1 * random.standard_normal((worlds, 4))
    return state


def falls(world: World, worlds: int, counts: Sequence[int]) -> list[Array]:
    """Return the coordinates of standers that fall on their feet, after a control step of each number of steps."""
    engine, first, ends = Engine(world), above_ground(world, worlds), list[Array]()
    for count in counts:
        state = first.copied()
        state.step_state.clock.step[:] = world.timing.control_step / count
        engine.advance(state, 1)
        ends.append(np.array(state.q))
    return ends
