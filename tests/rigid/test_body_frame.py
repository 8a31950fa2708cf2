"""Bodies with a frame of their own: hulls and frustums stand, slide and pile up where mechanics has their centre."""

import itertools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation as Turn

from gambol.collide.pairs import gaps
from gambol.errors import WorldError
from gambol.figure.shapes import Box, Frustum, Hull, Sphere
from gambol.rigid import Body, Pile, PileState, PileStepper, SurfaceMaterial, body_frame, initial_state
from gambol.spatial import Quaternion, Rotation, Transform, Vector

G = 9.81


def box_hull(size: tuple[float, float, float], shift: tuple[float, float, float], seed: int) -> Hull:
    """Return a box as a hull whose vertices are shifted and turned."""
    Q = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
    corners = np.array(list(itertools.product(*((-x / 2, x / 2) for x in size))))
    return Hull(tuple(tuple(x) for x in (corners @ Q.T + shift).tolist()))


def test_a_hull_has_the_moments_of_the_box_that_it_is():
    size, shift = (0.4, 0.3, 0.1), (3.0, -1.0, 2.0)
    frame = body_frame(box_hull(size, shift, 1))
    x, y, z = (a * a / 12.0 for a in size)
    assert sorted(frame.moments) == pytest.approx(sorted([y + z, x + z, x + y]))
    assert frame.com == pytest.approx(shift)
    assert frame.radius == pytest.approx(np.linalg.norm(size) / 2)
    assert np.linalg.det(frame.rotation) == pytest.approx(1.0)


def test_a_hull_slides_as_a_block_does():
    v0, mu = 2.0, 0.5
    hull = box_hull((0.4, 0.3, 0.02), (1.0, 0.0, 0.0), 2)
    pile = Pile([Body(hull, 1.0)], surface=SurfaceMaterial(mu))
    # its largest moment is about its short side, and moments ascend, so its third axis is upright
    start = initial_state(pile, [[0.0, 0.0, 0.01]], velocities=[[0.0, 0.0, 0.0, v0, 0.0, 0.0]])
    state = PileStepper(pile).advance(start, round((v0 / (mu * G) + 0.1) / pile.step))
    assert state.position[0, 1] == pytest.approx(v0 * v0 / (2.0 * mu * G), rel=1e-3)
    assert np.abs(state.velocity[:, 1]).max() < 1e-9


def test_a_cone_falls_upright_and_stands_with_its_centre_of_mass_at_a_quarter_of_its_height():
    height = 0.2
    pile = Pile([Body(Frustum(0.1, 0.0, height), 1.0)])
    state = PileStepper(pile).advance(initial_state(pile, [[0.0, 0.0, height / 4 + 0.01]]), 300)
    assert state.position[:, 1] == pytest.approx([0.0, 0.0, height / 4], abs=1e-8)
    assert np.abs(state.velocity).max() < 1e-8


def test_a_ball_on_a_pyramid_pushes_it_as_a_weight():
    corners = [(x, y, 0.0) for x in (-0.2, 0.2) for y in (-0.2, 0.2)]
    pyramid = Hull((*corners, *((x / 2, y / 2, 0.2) for x, y, _ in corners)))  # truncated
    frame = body_frame(pyramid)
    pile = Pile([Body(pyramid, 1.0), Body(Sphere(0.1), 2.0)])
    upright = Turn.from_matrix(frame.rotation).as_quat(scalar_first=True)
    start = initial_state(pile, [[0.0, 0.0, frame.com[2]], [0.0, 0.0, 0.3]], [upright, [1.0, 0.0, 0.0, 0.0]])
    state = PileStepper(pile).advance(start, 200)
    assert np.abs(state.position[:, 1:].T - [[0.0, 0.0, frame.com[2]], [0.0, 0.0, 0.3]]).max() < 1e-8
    on_ground = state.cache.keys // 64 % 3 == 0
    assert state.cache.impulses[2, on_ground].sum() == pytest.approx(3.0 * G * pile.step, rel=1e-6)


def test_hulls_frustums_and_boxes_fall_into_a_heap_without_entering_each_other():
    rng = np.random.default_rng(3)
    hull = Hull(tuple(tuple(x) for x in (rng.normal(size=(10, 3)) * [0.08, 0.06, 0.05] + 0.3).tolist()))
    shapes = [hull, Frustum(0.1, 0.05, 0.15), Box((0.2, 0.1, 0.1))] * 3
    pile = Pile([Body(shape, 1.0) for shape in shapes])
    places = 0.3 * np.stack(np.meshgrid(range(3), range(3), [1.0], indexing="ij"), axis=-1).reshape(-1, 3)
    orientations = rng.normal(size=(9, 4))
    orientations /= np.linalg.norm(orientations, axis=1)[:, None]
    stepper, state = PileStepper(pile), initial_state(pile, 0.7 * places, orientations)
    whole = stepper.energy(state)
    for _ in range(6):
        state = stepper.advance(state, 100)
        assert abs(stepper.energy(state) - whole - state.ledger.total) < 1e-10 * whole
        assert least_gap(pile, state) > -1e-4


def least_gap(pile: Pile, state: PileState) -> float:
    """Return the smallest gap between two bodies, or to the plane z = 0, by the shapes in their own frames [m]."""
    shapes = [body.shape for body in pile.bodies]
    poses = [pose_of(shape, state, k) for k, shape in enumerate(shapes, 1)]
    placed = list(zip(shapes, poses, strict=True))
    pairs = [gap.size for (a, A), (b, B) in itertools.combinations(placed, 2) for gap in gaps(a, A, b, B)]
    ground = [(pose @ Vector(*p.position)).z - p.radius for shape, pose in placed for p in shape.contact_points()]
    return min(*pairs, *ground)


def pose_of(shape: object, state: PileState, k: int) -> Transform:
    """Return the pose of the frame of a body's shape."""
    frame = body_frame(shape)
    body = Transform(Quaternion(*state.orientation[:, k].tolist()).rotation(), Vector(*state.position[:, k].tolist()))
    offset = -frame.rotation.T @ frame.com
    return body @ Transform(Rotation(frame.rotation.T.tolist()), Vector(*offset.tolist()))


def test_a_hull_with_too_many_vertices_is_refused():
    directions = np.random.default_rng(0).normal(size=(80, 3))
    points = directions / np.linalg.norm(directions, axis=1)[:, None]
    with pytest.raises(WorldError, match="body 1 is a hull with 80 vertices; 64 are possible"):
        Pile([Body(Hull(tuple(tuple(x) for x in points.tolist())), 1.0)])
