"""Validity of a figure's contacts, and the figure's response to forces at them."""

import math

import numpy as np
import pytest

from gambol.contact.complementarity import FrictionalContact, JointLimit, response
from gambol.dynamics import kinematics
from gambol.dynamics.quantities.articulated import articulated
from gambol.dynamics.quantities.operational import Contact, collision_matrix
from gambol.errors import WorldError
from gambol.figure import random_figure, random_state
from gambol.spatial import Vector

HERE = Contact(1, Vector(0.0, 0.0, 0.0))
UP = Vector(0.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("mu", "e", "normal", "message"),
    [
        (-0.1, 0.0, UP, "friction is -0.1; it must be 0 or more, and finite"),
        (math.nan, 0.0, UP, "friction is nan"),
        (math.inf, 0.0, UP, "friction is inf"),
        (0.5, 1.1, UP, "restitution is 1.1; it must be from 0 to 1"),
        (0.5, 0.0, Vector(0.0, 0.0, 2.0), "normal has length 2; it must be 1"),
        (0.5, 0.0, Vector(0.0, 0.0, math.nan), "normal has length nan"),
    ],
)
def test_impossible_contacts_are_refused(mu: float, e: float, normal: Vector, message: str):
    with pytest.raises(WorldError, match=message):
        FrictionalContact(HERE, normal, mu, e)


def test_invalid_joint_limits_are_refused():
    with pytest.raises(WorldError, match="sign of a joint limit is 2"):
        JointLimit(0, 2.0)
    with pytest.raises(WorldError, match="restitution is -1"):
        JointLimit(0, 1.0, -1)


@pytest.mark.parametrize("seed", range(5))
def test_the_response_is_the_collision_matrix_in_the_contacts_axes(seed: int):
    """Test forces through the mass matrix against test forces through the tree."""
    figure = random_figure(seed, 5, kinds=("revolute", "spherical"), root="free")
    q, v = random_state(figure, seed)
    state = kinematics(figure, q.tolist(), v.tolist())
    normal = Vector(0.6, 0.0, 0.8)
    contacts = [Contact(3, Vector(0.1, 0.2, 0.0)), Contact(5, Vector(0.0, 0.1, 0.1), 2)]
    opposite = state.poses[2].inverse @ state.point_position(5, contacts[1].point)
    there = [contacts[0], Contact(5, contacts[1].point, 2, opposite)]
    here, bodies = response(state, [FrictionalContact(c, normal, 0.5) for c in contacts]), articulated(state)
    for i in range(2):
        for j in range(2):
            K = np.array(collision_matrix(bodies, there[i], there[j]).rows)
            Ri, Rj = (np.array(here.axes[k].rows) for k in (i, j))
            block = np.array([row[3 * j : 3 * j + 3] for row in here.A[3 * i : 3 * i + 3]])
            np.testing.assert_allclose(block, Ri.T @ K @ Rj, rtol=1e-7, atol=1e-8)
    speed = np.array([row.speed for row in here.rows[:3]])
    np.testing.assert_allclose(np.array(here.axes[0].rows) @ speed, [*state.point_velocity(3, contacts[0].point)])
