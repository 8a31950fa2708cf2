"""Moving vertices, edges and faces, against drawings with known answers, sampled motions and a second method."""

from typing import Any

import numpy as np
import pytest

from gambol.collide.continuous import BallMotion, MovingVertex, edge_edge, edge_face, pierces, triangle_hit, vertex_face
from gambol.collide.gap import FAR
from gambol.lanes import Program, ProgramSpec
from gambol.spatial import Vector

RNG = np.random.default_rng(17)
COUNT = 2000


def moving_vertices(count: int, each: int) -> list[MovingVertex]:
    """Return random vertices of many worlds."""
    start, motion = RNG.normal(size=(2, count, 3, each))
    return [MovingVertex(Vector(*p), Vector(*d)) for p, d in zip(start, motion, strict=True)]


def at(mover: MovingVertex, t: float, k: Any = slice(None)) -> np.ndarray:
    return np.array([c[k] for c in mover.at(t)])


def volume(points: list[np.ndarray]) -> np.ndarray:
    a, b, c, d = points
    return np.einsum("in,in->n", b - a, np.cross(c - a, d - a, axis=0))


def brute(points: list[MovingVertex], crossing: Any, steps: int = 400) -> np.ndarray:
    """Return the first sampled time after a sign change of the volume with the crossing inside; FAR if none."""
    result = np.full(len(points[0].start.x), FAR)
    before = volume([at(p, 0.0) for p in points])
    for k in range(1, steps + 1):
        now = volume([at(p, k / steps) for p in points])
        flips = (before * now < 0.0) & crossing([at(p, (k - 0.5) / steps) for p in points])
        result = np.where(flips & (result == FAR), k / steps, result)
        before = now
    return result


def in_face(points: list[np.ndarray]) -> np.ndarray:
    p, a, b, c = points
    n = np.cross(b - a, c - a, axis=0)
    sides = [np.einsum("in,in->n", np.cross(v - u, p - u, axis=0), n) for u, v in ((a, b), (b, c), (c, a))]
    return np.all([side >= 0.0 for side in sides], axis=0)


def edges_cross(points: list[np.ndarray]) -> np.ndarray:
    a, b, c, d = points
    n = np.cross(b - a, d - c, axis=0)
    sides = [
        np.einsum("in,in->n", np.cross(u, v - w, axis=0), n)
        for u, v, w in ((b - a, c, a), (b - a, d, a), (d - c, a, c), (d - c, b, c))
    ]
    return (sides[0] * sides[1] <= 0.0) & (sides[2] * sides[3] <= 0.0)


def agree(time: np.ndarray, sampled: np.ndarray) -> None:
    """Assert equal hits, except for those at the rim of a face, where samples may differ."""
    met, seen = time <= 1.0, sampled <= 1.0
    assert np.mean(met != seen) < 0.01
    both = met & seen
    close = np.abs(time[both] - sampled[both]) <= 2.0 / 400
    assert np.mean(close) > 0.99
    assert both.sum() > 50


def test_vertices_hit_faces_when_sampled_volumes_change_sign():
    vertex, *face = moving_vertices(4, COUNT)
    hit = vertex_face(vertex, tuple(face))
    agree(hit.time, brute([vertex, *face], in_face))
    met = hit.touches
    a, b, c = (at(corner, np.where(met, hit.time, 0.0)) for corner in face)
    p, n = at(vertex, np.where(met, hit.time, 0.0)), np.array(list(hit.normal))
    np.testing.assert_allclose(np.einsum("in,in->n", p - a, n)[met], 0.0, atol=1e-9)
    np.testing.assert_allclose(np.einsum("in,in->n", b - a, n)[met], 0.0, atol=1e-9)
    np.testing.assert_allclose(np.einsum("in,in->n", c - a, n)[met], 0.0, atol=1e-9)


def test_edges_hit_edges_when_sampled_volumes_change_sign():
    a, b, c, d = moving_vertices(4, COUNT)
    hit = edge_edge((a, b), (c, d))
    agree(hit.time, brute([a, b, c, d], edges_cross))
    met = hit.touches
    time = np.where(met, hit.time, 0.0)
    n = np.array(list(hit.normal))
    for one, other in ((a, b), (c, d)):
        along = np.einsum("in,in->n", at(other, time) - at(one, time), n)
        np.testing.assert_allclose(along[met], 0.0, atol=1e-9)


def test_a_face_at_rest_is_hit_as_by_a_moving_point():
    vertex, *corners = moving_vertices(4, COUNT)
    still = Vector(*np.zeros((3, COUNT)))
    face = tuple(MovingVertex(corner.start, still) for corner in corners)
    exact = triangle_hit(BallMotion(vertex.start, vertex.motion), tuple(corner.start for corner in corners))
    np.testing.assert_allclose(vertex_face(vertex, face).time, exact.time, atol=1e-7)
    assert exact.touches.sum() > 20


def fixed(*place: float, motion: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> MovingVertex:
    return MovingVertex(Vector(*place), Vector(*motion))


FACE = (fixed(0.0, 0.0, 0.0), fixed(2.0, 0.0, 0.0), fixed(0.0, 2.0, 0.0))


def test_an_edge_falls_across_the_rim_of_a_face():
    falling = (0.0, 0.0, -2.0)
    edge = (fixed(-1.0, 0.5, 1.0, motion=falling), fixed(0.5, 0.5, 1.5, motion=falling))
    hit = edge_face(edge, FACE)  # at x = 0 it is 4/3 above the rim
    assert hit.time == pytest.approx(2.0 / 3.0, abs=1e-12)
    assert abs(hit.normal.x) > 0.1  # across rim and edge, not straight up
    beside = (fixed(-1.0, 0.5, 1.0, motion=falling), fixed(-0.5, 0.5, 1.5, motion=falling))
    assert edge_face(beside, FACE).time == FAR


def test_an_edge_lands_on_its_end():
    edge = (fixed(0.5, 0.5, 1.0, motion=(0.0, 0.0, -2.0)), fixed(0.5, 0.5, 3.0, motion=(0.0, 0.0, -2.0)))
    hit = edge_face(edge, FACE)
    assert hit.time == pytest.approx(0.5, abs=1e-12)
    assert list(hit.normal) == pytest.approx([0.0, 0.0, 1.0])


def test_an_edge_that_runs_through_a_face_hits_at_once():
    edge = (Vector(0.5, 0.5, 1.0), Vector(0.5, 0.5, -1.0))
    assert pierces(edge, tuple(corner.start for corner in FACE))
    assert not pierces((edge[0], Vector(0.5, 0.5, 0.1)), tuple(corner.start for corner in FACE))
    assert not pierces((edge[0], Vector(3.0, 3.0, -1.0)), tuple(corner.start for corner in FACE))
    rising = (0.0, 0.0, 1.0)
    assert edge_face((MovingVertex(edge[0], Vector(*rising)), MovingVertex(edge[1], Vector(*rising))), FACE).time == 0.0


def test_elements_at_rest_hit_nothing():
    assert vertex_face(fixed(0.5, 0.5, 1.0), FACE).time == FAR
    assert edge_edge((fixed(0.5, 0.5, 1.0), fixed(0.6, 0.5, 2.0)), FACE[:2]).time == FAR
    assert vertex_face(fixed(0.5, 0.5, 0.0), FACE).time == 0.0


def test_nan_elements_hit_nothing():
    broken = fixed(0.5, 0.5, 1.0, motion=(float("nan"), 0.0, -2.0))
    assert vertex_face(broken, FACE).time == FAR
    assert edge_edge((broken, fixed(0.0, 0.0, 1.0)), FACE[:2]).time == FAR


def test_lanes_give_the_hits_of_floats():
    def sample(*x: Any) -> tuple[Any, ...]:
        points = [MovingVertex(Vector(*x[k : k + 3]), Vector(*x[k + 3 : k + 6])) for k in range(0, 24, 6)]
        return (vertex_face(points[0], tuple(points[1:])).time, edge_edge(tuple(points[:2]), tuple(points[2:])).time)

    inputs = RNG.normal(size=(24, 64))
    result = Program(ProgramSpec("polyhedra", sample, (0.0,) * 24), "float64")(*(row[None] for row in inputs))
    expected = np.array([sample(*column) for column in inputs.T.tolist()]).T
    np.testing.assert_allclose([row[0] for row in result], expected, atol=1e-9)
    assert (expected <= 1.0).any(axis=1).all()
