"""Contacts of many parts, by one program for all pairs of a kind, and written out one by one in plain Python."""

import numpy as np
import pytest
from worlds import touch

from gambol.collide.broad import Pair
from gambol.collide.gap import FAR
from gambol.contact import Stepping, SurfaceProperties
from gambol.contact.generation import nearest, sources
from gambol.contact.generation.contact_set import all_contacts
from gambol.contact.generation.families import PairFamily
from gambol.contact.generation.nearest import nearest_contacts
from gambol.dynamics import kinematics
from gambol.figure import Box, Capsule, Figure, Joint, Link, Part, Sphere, make_forest
from gambol.figure.shapes import Hull
from gambol.lanes import Program, ProgramSpec, leaves
from gambol.world import Timing, World
from gambol.world.context import StepContext

H, CAPACITY, WORLDS = 1e-3, 60, 12


def hull_of(vertices: int, random: np.random.Generator) -> Hull:
    """A hull of random vertices on a ball."""
    points = random.normal(size=(vertices, 3))
    return Hull(tuple(map(tuple, (0.1 * points / np.linalg.norm(points, axis=1)[:, None]).tolist())))


def shapes(kind: str, random: np.random.Generator) -> list:
    """Six shapes of a kind and of different sizes; all those of kind "hull" have the same twelve vertices."""
    size = random.uniform(0.06, 0.12, (6, 3)).tolist()
    hull, counts = hull_of(12, np.random.default_rng(1)), iter((9, 14, 4, 11, 8, 20))
    made = {
        "sphere": lambda x, y, z: Sphere(x),
        "capsule": lambda x, y, z: Capsule(x, y),
        "box": lambda x, y, z: Box((2.0 * x, 2.0 * y, 2.0 * z)),
        "hull": lambda x, y, z: hull,
        "different hulls": lambda x, y, z: hull_of(next(counts), random),
    }
    return [made[kind](*xyz) for xyz in size]


def pile(kind: str, random: np.random.Generator, capacity: int = CAPACITY) -> World:
    """Six free bodies that may touch each other and the ground."""
    figures = [
        Figure(f"body {k}", (Link(f"body {k}", None, Joint("free"), (Part(shape, density=1e3),)),))
        for k, shape in enumerate(shapes(kind, random))
    ]
    pairs = tuple(Pair(i, 0, j, 0) for i in range(2, 8) for j in range(i + 1, 8))
    return World(
        make_forest("pile", figures),
        surface=SurfaceProperties(touch(friction=0.5, restitution=0.0)),
        contact=Stepping(max_contacts=capacity),
        pairs=pairs,
        timing=Timing(H, H),
    )


def states(world: World, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Random poses of the bodies, crowded just above the ground, at rest: (nq, worlds), (nv, worlds)."""
    q = np.zeros((world.figure.nq, WORLDS))
    for first in range(0, world.figure.nq, 7):
        turn = random.normal(size=(4, WORLDS))
        q[first : first + 4] = turn / np.linalg.norm(turn, axis=0)
        q[first + 4 : first + 7] = random.uniform(-0.25, 0.25, (3, WORLDS)) + np.array([[0.0], [0.0], [0.2]])
    return q, np.zeros((world.figure.nv, WORLDS))


def selected(world: World, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, ...]:
    """Numbers, gaps, points and normals of the contacts of a step by a compiled program, with a column per world."""

    def contacts(numbers, q, v):
        scene = StepContext.of(world, numbers, None).scene
        found, indices, excess = nearest_contacts(scene, kinematics(world.figure, q, v), H)
        return indices, [c.gap for c in found], [[*c.point, *c.normal] for c in found], excess

    numbers = world.numbers()
    spec = ProgramSpec("contacts", contacts, (numbers, list(q[:, 0]), list(v[:, 0])))
    rows = np.array(leaves(numbers), float).reshape(-1, 1)
    return Program(spec)(rows, q, v)


@pytest.mark.parametrize(
    ("kind", "least"),
    [("sphere", 1), ("capsule", 1), ("box", 1), ("hull", 1), ("different hulls", 9), ("different hulls", 90)],
)
def test_a_loop_over_a_family_finds_what_plain_python_finds_pair_by_pair(kind, least, monkeypatch):
    """The nearest contacts are those of all pairs by themselves, in floats, and all that are near are counted.

    Cylinders are not among them: which facets of deep cylinders touch depends on the last bits of the normal. Two
    different hulls have 8 contacts, so that hulls as numbers alone make families of 9, and hulls of all sizes one of
    90.
    """
    monkeypatch.setattr(sources, "MIN_ROLLED_CONTACTS", least)
    random = np.random.default_rng(5)
    world = pile(kind, random)
    q, v = states(world, random)
    numbers, gaps, places, excess = selected(world, q, v)
    scene = StepContext.of(world, world.numbers(), None).scene
    reach = 2e-3 * world.size  # of a contact at rest (lookahead.MIN_CONTACT_GAP)
    touching = 0
    for k in range(WORLDS):
        state = kinematics(world.figure, q[:, k].tolist(), v[:, k].tolist())
        expected = {n: c for n, c in enumerate(all_contacts(scene, state)) if c.gap < reach * (1.0 - 1e-6)}
        found = {int(n): slot for slot, n in enumerate(numbers[:, k]) if gaps[slot, k] < FAR}
        assert excess[0, k] == 0.0
        assert expected.keys() <= found.keys()
        touching += len(expected)
        for n, contact in expected.items():
            slot = found[n]
            np.testing.assert_allclose(gaps[slot, k], contact.gap, atol=1e-9)
            at = places[6 * slot : 6 * slot + 6, k]
            # a search ends where distances agree to 1e-12; normals of round bodies are then known to 1e-5 (portal.py)
            np.testing.assert_allclose(at, [*contact.point, *contact.normal], atol=1e-5)
    assert touching > WORLDS


@pytest.mark.parametrize("capacity", [3, 20])
@pytest.mark.parametrize("least", [1, 1000])
def test_slots_in_memory_hold_the_same_contacts_to_the_bit(capacity, least, monkeypatch):
    """Insertions by loops over slots in memory choose as insertions of values do, also beyond the capacity."""
    monkeypatch.setattr(sources, "MIN_ROLLED_CONTACTS", least)
    random = np.random.default_rng(6)
    world = pile("sphere", random, capacity)
    q, v = states(world, random)
    found = []
    for least_insertions in (1, 10**9):
        monkeypatch.setattr(nearest, "MIN_STORED_INSERTIONS", least_insertions)
        found.append(selected(world, q, v))
    for stored, values in zip(*found, strict=True):
        np.testing.assert_array_equal(stored, values)
    numbers, gaps, _, excess = found[0]
    assert (gaps < FAR).any(axis=0).sum() > WORLDS // 2
    assert (excess > 0.0).any() == (capacity == 3)
    assert numbers.shape == (capacity, WORLDS)


@pytest.mark.parametrize("kind", ["sphere", "capsule"])
def test_the_closer_test_leaves_out_no_contact_that_counts(kind, monkeypatch):
    """Fast bodies (30 m/s, 100 rad/s) have the same contacts to the bit with and without the test of their gap."""
    random = np.random.default_rng(7)
    world = pile(kind, random, 20)
    q, v = states(world, random)
    v = 30.0 * random.normal(size=v.shape)
    v[np.arange(len(v)) % 6 < 3] *= 3.0
    with_test = selected(world, q, v)
    monkeypatch.setattr(PairFamily, "is_round", False)
    for tested, all_near in zip(with_test, selected(world, q, v), strict=True):
        np.testing.assert_array_equal(tested, all_near)
    gaps = with_test[1]
    assert ((gaps < FAR) & (gaps > 2e-3 * world.size)).sum() > WORLDS  # contacts that count by their speed alone
