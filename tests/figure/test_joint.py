"""Kinds of joints: motion subspace, placement of the link, and rates of coordinates."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation as Reference

from gambol.errors import FigureError
from gambol.figure import JOINTS, Joint, random_figure
from gambol.figure.generator import random_joint
from gambol.figure.joint import OLD_KINDS, place, q_dot, subspace, transform

RNG = np.random.default_rng(11)


def coordinates(kind: str) -> list[float]:
    q = RNG.normal(size=JOINTS[kind].nq)
    return JOINTS[kind].normalised(q.tolist())


@pytest.mark.parametrize(("old", "new"), OLD_KINDS.items())
def test_an_old_name_of_a_kind_is_refused_with_the_new_one(old: str, new: str):
    assert new in JOINTS
    with pytest.raises(FigureError, match=f'kind "{old}" is now called "{new}"'):
        Joint(old)
    with pytest.raises(FigureError, match=f'did you mean "{new}"'):
        random_figure(1, kinds=(old,))


@pytest.mark.parametrize("kind", JOINTS)
def test_the_rest_pose_has_the_given_rotation_and_position(kind: str):
    joint = random_joint(RNG, kind)
    X = transform(joint, JOINTS[kind].rest)
    np.testing.assert_allclose(X.rotation.rows, joint.rotation, atol=1e-12)
    np.testing.assert_allclose(list(X.position), joint.position, atol=1e-15)


@pytest.mark.parametrize("kind", JOINTS)
def test_subspace_is_the_velocity_that_rates_make(kind: str):
    """Central differences of the transform: accurate to h^2 + 1e-16 / h, 1e-10."""
    joint, q, h = random_joint(RNG, kind), coordinates(kind), 1e-6
    here = transform(joint, q)
    R = np.array(here.rotation.rows)
    S = subspace(joint, q)
    assert len(S) == JOINTS[kind].nv
    for k, column in enumerate(S):
        v = [float(j == k) for j in range(len(S))]
        dq = np.array(q_dot(joint, q, v))
        later, earlier = (transform(joint, (np.array(q) + t * dq).tolist()) for t in (h, -h))
        spin = R.T @ (np.array(later.rotation.rows) - np.array(earlier.rotation.rows)) / (2 * h)
        np.testing.assert_allclose([spin[2, 1], spin[0, 2], spin[1, 0]], list(column.w), atol=1e-8)
        drift = R.T @ (np.array(list(later.position)) - np.array(list(earlier.position))) / (2 * h)
        np.testing.assert_allclose(drift, list(column.v), atol=1e-8)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_rotary_joint_turns_about_its_axis(sign: float):
    axis = np.array([1.0, 0.0, 1.0]) / np.sqrt(2.0) * sign
    X = transform(Joint("revolute", tuple(axis.tolist())), [0.4])
    np.testing.assert_allclose(X.rotation.rows, Reference.from_rotvec(0.4 * axis).as_matrix(), atol=1e-12)


@pytest.mark.parametrize("slides", [0.0, 0.25, 1.0])
def test_axial_joint_turns_and_slides_by_its_shares(slides: float):
    """If all of the motion turns it is revolute, if all slides prismatic, and between them it is a screw."""
    given = random_joint(RNG, "helical")
    turns = 1.0 - slides
    screw = {0.0: ("revolute", 0.0), 1.0: ("prismatic", 0.0)}.get(slides, ("helical", slides / (turns or 1.0)))
    twin, q = replace(given, kind=screw[0], pitch=screw[1]), [0.7]
    X, S = (
        transform(replace(given, kind="axial", slides=slides), q),
        subspace(replace(given, kind="axial", slides=slides)),
    )
    Y, T = transform(twin, [0.7 * (turns or 1.0)]), subspace(twin)
    np.testing.assert_allclose(X.rotation.rows, Y.rotation.rows, atol=1e-15)
    np.testing.assert_allclose([*X.position], [*Y.position], atol=1e-15)
    np.testing.assert_allclose([S[0][k] for k in range(6)], [T[0][k] * (turns or 1.0) for k in range(6)], atol=1e-15)


@pytest.mark.parametrize("axis", range(3))
def test_aligned_joint_leaves_exact_zeros(axis: int):
    X = transform(Joint("revolute", tuple(np.eye(3)[axis].tolist())), [0.4])
    assert sum(x == 0.0 for row in X.rotation.rows for x in row) == 4
    assert X.rotation.coordinate_axis() == axis
    slide = transform(Joint("prismatic", tuple(np.eye(3)[axis].tolist())), [0.4])
    assert slide.rotation.is_identity()
    assert list(slide.position) == (0.4 * np.eye(3)[axis]).tolist()


def test_joint_acts_along_a_coordinate_of_its_own_frame():
    for kind in ("revolute", "prismatic"):
        for _ in range(10):
            (column,) = place(random_joint(RNG, kind), [0.3]).columns
            assert column.coordinate()[0] is not None


def test_the_table_has_the_number_of_coordinates():
    counts = {kind: (row.nq, row.nv, len(row.rest)) for kind, row in JOINTS.items()}
    one, two = (1, 1, 1), (2, 2, 2)
    assert counts == {
        "fixed": (0, 0, 0),
        "revolute": one,
        "prismatic": one,
        "axial": one,
        "helical": one,
        "cylindrical": two,
        "universal": two,
        "rolling": one,
        "planar": (3, 3, 3),
        "spherical": (4, 3, 4),
        "free": (7, 6, 7),
    }


@pytest.mark.parametrize("kind", JOINTS)
def test_a_joint_bears_every_force_that_has_no_power_on_it(kind: str):
    """The free and the constrained modes together are a basis of six. [Arnold 1997, 2.1.2]"""
    for _ in range(5):
        at = place(random_joint(RNG, kind), coordinates(kind))
        free = np.array([[*S.w, *S.v] for S in at.columns]).reshape(-1, 6)
        borne = np.array([[*f.n, *f.f] for f in at.constraint_subspace()]).reshape(-1, 6)
        assert len(free) + len(borne) == 6
        np.testing.assert_allclose(free @ borne.T, 0.0, atol=1e-15)
        assert abs(np.linalg.det(np.vstack([free, borne]))) > 0.1


@pytest.mark.parametrize("kind", JOINTS)
@pytest.mark.parametrize("size", [0.0, 1e-3, 0.22, 0.23, 1.0, 3.0])
def test_a_displacement_unwinds_at_the_rates_of_the_joint(kind: str, size: float):
    """d/dt displaced(q, x(t)) = rates(displaced, v) along x' = unwound, by central differences."""
    row, q, h = JOINTS[kind], coordinates(kind), 1e-6
    x = RNG.normal(size=row.nv)
    x = (x * size / (np.linalg.norm(x) or 1.0)).tolist()
    v = RNG.normal(size=row.nv).tolist()
    dx = np.array(row.tangent_rate(q, x, v))
    ends = [np.array(row.integrate(q, (np.array(x) + t * dx).tolist())) for t in (h, -h)]
    expected = row.q_dot(row.integrate(q, x), v)
    np.testing.assert_allclose((ends[0] - ends[1]) / (2 * h), expected, atol=1e-8)


@pytest.mark.parametrize("kind", ["spherical", "free"])
def test_a_displaced_quaternion_stays_unit(kind: str):
    q = coordinates(kind)
    for size in (0.0, 0.1, 10.0):
        moved = JOINTS[kind].integrate(q, [size, -size, 0.5 * size, 1.0, 2.0, 3.0][: JOINTS[kind].nv])
        assert abs(np.linalg.norm(moved[:4]) - 1.0) < 4e-16


def test_a_screw_advances_by_its_pitch():
    X = transform(Joint("helical", (0.0, 1.0, 0.0), pitch=0.01), [2.0])
    np.testing.assert_allclose(list(X.position), [0.0, 0.02, 0.0], atol=1e-17)
    assert X.rotation.coordinate_axis() == 1


def test_a_universal_joint_turns_about_its_two_axes_in_turn():
    axis, across = np.array([0.6, 0.0, 0.8]), np.array([0.0, 1.0, 0.0])
    X = transform(Joint("universal", tuple(axis.tolist()), across=tuple(across.tolist())), [0.4, -0.7])
    expected = Reference.from_rotvec(0.4 * axis) * Reference.from_rotvec(-0.7 * across)
    np.testing.assert_allclose(X.rotation.rows, expected.as_matrix(), atol=1e-15)


def test_a_planar_joint_stays_in_its_plane():
    axis, across = np.array([0.0, 0.6, 0.8]), np.array([1.0, 0.0, 0.0])
    X = transform(Joint("planar", tuple(axis.tolist()), across=tuple(across.tolist())), [0.4, 2.0, 3.0])
    np.testing.assert_allclose(list(X.position), 2.0 * across + 3.0 * np.cross(axis, across), atol=1e-15)
    np.testing.assert_allclose(X.rotation.rows, Reference.from_rotvec(0.4 * axis).as_matrix(), atol=1e-15)
