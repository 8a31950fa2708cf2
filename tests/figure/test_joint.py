"""Kinds of joints: what they allow, where they put the link, and how their coordinates change."""

import numpy as np
import pytest
from figures import random_joint
from scipy.spatial.transform import Rotation as Reference

from gambol.figure import JOINTS, Joint
from gambol.figure.joint import place, rates, subspace, transform

RNG = np.random.default_rng(11)


def coordinates(kind: str) -> list[float]:
    q = RNG.normal(size=JOINTS[kind].nq)
    if kind == "free":
        q[:4] /= np.linalg.norm(q[:4])
    return q.tolist()


@pytest.mark.parametrize("kind", JOINTS)
def test_rest_is_where_rotation_and_position_say(kind: str):
    joint = random_joint(RNG, kind)
    X = transform(joint, JOINTS[kind].rest)
    np.testing.assert_allclose(X.rotation.rows, joint.rotation, atol=1e-12)
    np.testing.assert_allclose(list(X.position), joint.position, atol=1e-15)


@pytest.mark.parametrize("kind", JOINTS)
def test_subspace_is_the_velocity_that_rates_make(kind: str):
    """Central differences of the transform: good to h^2 + 1e-16 / h, 1e-10."""
    joint, q, h = random_joint(RNG, kind), coordinates(kind), 1e-6
    here = transform(joint, q)
    R = np.array(here.rotation.rows)
    S = subspace(joint)
    assert len(S) == JOINTS[kind].nv
    for k, column in enumerate(S):
        v = [float(j == k) for j in range(len(S))]
        dq = np.array(rates(joint, q, v))
        later, earlier = (transform(joint, (np.array(q) + t * dq).tolist()) for t in (h, -h))
        spin = R.T @ (np.array(later.rotation.rows) - np.array(earlier.rotation.rows)) / (2 * h)
        np.testing.assert_allclose([spin[2, 1], spin[0, 2], spin[1, 0]], list(column.w), atol=1e-8)
        drift = R.T @ (np.array(list(later.position)) - np.array(list(earlier.position))) / (2 * h)
        np.testing.assert_allclose(drift, list(column.v), atol=1e-8)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_rotary_joint_turns_about_its_axis(sign: float):
    axis = np.array([1.0, 0.0, 1.0]) / np.sqrt(2.0) * sign
    X = transform(Joint("rotary", tuple(axis.tolist())), [0.4])
    np.testing.assert_allclose(X.rotation.rows, Reference.from_rotvec(0.4 * axis).as_matrix(), atol=1e-12)


@pytest.mark.parametrize("axis", range(3))
def test_aligned_joint_leaves_exact_zeros(axis: int):
    X = transform(Joint("rotary", tuple(np.eye(3)[axis].tolist())), [0.4])
    assert sum(x == 0.0 for row in X.rotation.rows for x in row) == 4
    assert X.rotation.coordinate_axis() == axis
    slide = transform(Joint("sliding", tuple(np.eye(3)[axis].tolist())), [0.4])
    assert slide.rotation.is_identity()
    assert list(slide.position) == (0.4 * np.eye(3)[axis]).tolist()


def test_joint_acts_along_a_coordinate_of_its_own_frame():
    for kind in ("rotary", "sliding"):
        for _ in range(10):
            (column,) = place(random_joint(RNG, kind), [0.3]).columns
            assert column.coordinate()[0] is not None


def test_table_says_how_many_coordinates_there_are():
    counts = {kind: (row.nq, row.nv, len(row.rest)) for kind, row in JOINTS.items()}
    assert counts == {"rotary": (1, 1, 1), "sliding": (1, 1, 1), "free": (7, 6, 7), "fixed": (0, 0, 0)}
