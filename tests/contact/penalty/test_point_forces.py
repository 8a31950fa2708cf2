"""Forces between many parts by one program for all pairs of a kind, and pair by pair in plain Python."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from worlds import touch

from gambol.collide.broad import Pair
from gambol.contact import Penalty, SurfaceProperties
from gambol.contact.generation import sources
from gambol.contact.penalty.ground_forces import sources_without_memory
from gambol.contact.penalty.point_forces import point_forces
from gambol.dynamics import kinematics
from gambol.figure import Box, Figure, Joint, Link, Part, make_forest
from gambol.figure.shapes import Hull
from gambol.lanes import Program, ProgramSpec, leaves
from gambol.spatial import Vector
from gambol.world import World
from gambol.world.context import StepContext

BODIES, WORLDS = 4, 8


def shape(kind: str, random: np.random.Generator) -> Box | Hull:
    """A box or a hull of random size."""
    if kind == "box":
        return Box(tuple(random.uniform(0.1, 0.25, 3).tolist()))
    points = random.normal(size=(int(random.integers(6, 14)), 3))
    return Hull(tuple(map(tuple, (0.12 * points / np.linalg.norm(points, axis=1)[:, None]).tolist())))


def crowd(kind: str, random: np.random.Generator) -> tuple[World, np.ndarray, np.ndarray]:
    """Free bodies in the air that may touch each other; random poses (nq, worlds) and velocities (nv, worlds)."""
    figures = [
        Figure(f"body {k}", (Link(f"body {k}", None, Joint("free"), (Part(shape(kind, random), density=1e3),)),))
        for k in range(BODIES)
    ]
    links = range(2, 2 + BODIES)
    world = World(
        make_forest("crowd", figures),
        surface=SurfaceProperties(replace(touch(friction=0.5, restitution=0.3), stiffness=1e4, damping=30.0)),
        contact=Penalty(),
        pairs=tuple(Pair(i, 0, j, 0) for i in links for j in links if i < j),
    )
    q = np.zeros((world.figure.nq, WORLDS))
    for first in range(0, world.figure.nq, 7):
        turn = random.normal(size=(4, WORLDS))
        q[first : first + 4] = turn / np.linalg.norm(turn, axis=0)
        q[first + 4 : first + 7] = random.uniform(-0.15, 0.15, (3, WORLDS)) + np.array([[0.0], [0.0], [5.0]])
    return world, q, random.normal(size=(world.figure.nv, WORLDS))


def forces(world: World, numbers, q, v) -> tuple:
    """Forces and moments on all links, in link coordinates; energy and both losses."""
    scene, state = StepContext.of(world, numbers, None).scene, kinematics(world.figure, q, v)
    found = point_forces(scene, state, partial(world.contact.law, scene), sources_without_memory(scene))
    on_links = [found.forces[link] for link in sorted(found.forces)]
    return [[*f.n, *f.f] for f in on_links], [found.energy, found.normal_loss, found.sliding_loss]


@pytest.mark.parametrize("kind", ["box", "hull"])
def test_a_loop_over_pairs_has_the_forces_of_each_pair(kind, monkeypatch):
    """A program that loops over pairs has the forces that plain Python has pair by pair, and they cancel in sum."""
    world, q, v = crowd(kind, np.random.default_rng(8))
    monkeypatch.setattr(sources, "MIN_ROLLED_CONTACTS", 9)
    numbers = world.numbers()
    spec = ProgramSpec("forces", partial(forces, world), (numbers, list(q[:, 0]), list(v[:, 0])))
    on_links, powers = Program(spec)(np.array(leaves(numbers), float).reshape(-1, 1), q, v)
    monkeypatch.setattr(sources, "MIN_ROLLED_CONTACTS", 10**9)
    assert np.count_nonzero(powers[0]) > WORLDS // 2
    for k in range(WORLDS):
        state = kinematics(world.figure, q[:, k].tolist(), v[:, k].tolist())
        expected, expected_powers = forces(world, numbers, q[:, k].tolist(), v[:, k].tolist())
        # searches end where distances agree to 1e-12, so that normals of deep contacts are known to some 1e-7
        scale = np.abs(expected).max() + 1e-3
        np.testing.assert_allclose(on_links[:, k], np.ravel(expected), atol=1e-6 * scale)
        np.testing.assert_allclose(powers[:, k], expected_powers, rtol=1e-6, atol=1e-6 * scale)
        total, moment = Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)
        for link, row in zip(range(2, 2 + BODIES), on_links[:, k].reshape(BODIES, 6), strict=True):
            pose = state.poses[link]
            force = pose.rotation @ Vector(*row[3:])
            total = total + force
            moment = moment + pose.rotation @ Vector(*row[:3]) + pose.position.cross(force)
        np.testing.assert_allclose([*total, *moment], 0.0, atol=1e-11 * scale * 10.0)
