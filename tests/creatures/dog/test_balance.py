"""Forces of feet: they give the desired force and moment where possible; only standing feet have forces."""

import numpy as np

from gambol.creatures.dog.balance import ARM, SLACK, feet_forces
from gambol.spatial import Vector

FEET = (Vector(-0.3, 0.07, -0.45), Vector(0.2, 0.07, -0.45), Vector(-0.3, -0.07, -0.45), Vector(0.2, -0.07, -0.45))


def least_squares(weights: list[float], wrench: np.ndarray) -> np.ndarray:
    """Return the forces that minimise sum f^2 / w + |G f - W|^2 / Lambda, by a stacked least-squares problem."""
    standing = [k for k, w in enumerate(weights) if w > 0.0]
    blocks = []
    for k in standing:
        x, y, z = FEET[k]
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        blocks.append(np.vstack([np.eye(3), cross / ARM]))
    G, slack = np.hstack(blocks), np.sqrt(np.array(SLACK))
    root = np.repeat([weights[k] for k in standing], 3) ** -0.5
    A = np.vstack([np.diag(root), G / slack[:, None]])
    b = np.concatenate([np.zeros(len(root)), wrench / slack])
    forces = np.zeros((4, 3))
    forces[standing] = np.linalg.lstsq(A, b, rcond=None)[0].reshape(-1, 3)
    return forces


def test_the_forces_are_those_of_least_squares():
    random = np.random.default_rng(6)
    for standing in ((1, 1, 1, 1), (1, 0, 0, 1), (0, 1, 1, 0), (0, 0, 1, 0)):
        weights = [float(w) * s for w, s in zip(random.uniform(0.2, 1.0, 4), standing, strict=True)]
        force, moment = random.standard_normal(3) * 50.0, random.standard_normal(3) * 10.0
        found = feet_forces(FEET, weights, Vector(*force.tolist()), Vector(*moment.tolist()))
        expected = least_squares(weights, np.concatenate([force, moment / ARM]))
        assert np.allclose([[*f] for f in found], expected, atol=1e-9)


def test_feet_in_the_air_do_not_push():
    forces = feet_forces(FEET, (0.0,) * 4, Vector(10.0, 20.0, 30.0), Vector(1.0, 2.0, 3.0))
    assert all(x == 0.0 for f in forces for x in f)
