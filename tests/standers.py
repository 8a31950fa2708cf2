"""A quadruped for tests of holding, and where its weight bends it."""

import numpy as np

import gambol
from gambol import Box, Capsule, Figure, Joint, Link, Part, Sphere
from gambol.formats import Model

Y = (0.0, 1.0, 0.0)
LEGS = [(end, side) for end in (1.0, -1.0) for side in (1.0, -1.0)]
RADIUS = 0.02
THIGH, SHANK = 0.2, 0.2


def quadruped(bend: float = 0.6) -> Model:
    """Return a quadruped of 14 degrees of freedom, whose knees are bent by twice an angle [rad], without motors."""
    links, angles = [Link("trunk", None, Joint("free"), (Part(Box((0.5, 0.3, 0.1)), density=600.0),))], [0.0] * 7
    angles[0] = 1.0
    angles[6] = 0.5
    for end, side in LEGS:
        name = f"{'fore' if end > 0 else 'hind'} {'left' if side > 0 else 'right'}"
        hip = Joint("revolute", Y, position=(0.2 * end, 0.12 * side, 0.0))
        thigh = Part(Capsule(0.02, THIGH), (0.0, 0.0, -0.5 * THIGH), colliding=False)
        knee = Joint("revolute", Y, position=(0.0, 0.0, -THIGH))
        shank = Part(Capsule(0.015, SHANK), (0.0, 0.0, -0.5 * SHANK), colliding=False)
        foot = Part(Sphere(RADIUS), (0.0, 0.0, -SHANK))
        links.append(Link(f"{name} thigh", "trunk", hip, (thigh,)))
        links.append(Link(f"{name} shank", f"{name} thigh", knee, (shank, foot)))
        angles += [bend, -2.0 * bend]
    return Model(Figure("quadruped", tuple(links)), q=tuple(angles))


def bent_by_weight(
    figure: Figure, q: np.ndarray, stiffness: np.ndarray, *, sticking: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return the displacements (nv,) and foot forces (4, 1 or 3) of a quadruped at rest under its weight.

        K x + g(q) = J^T f        J x = 0        to first order in x

    J: of the lowest points of the feet, along all axes if they stick, else along z. stiffness: (nv,), 0 for the base.
    """
    states, J = gambol.kinematics(figure, q), []
    for name in [link.name for link in figure.links if link.name.endswith("shank")]:
        down = states.rotation[states.index(name)].T @ np.array([0.0, 0.0, -RADIUS])
        J.append(states.jacobian(name, down + np.array([0.0, 0.0, -SHANK]))[3 if sticking else 5 :])
    g = gambol.inverse_dynamics(figure, q, np.zeros(figure.nv), np.zeros(figure.nv))
    rows = np.vstack(J)
    matrix = np.block([[np.diag(stiffness), -rows.T], [rows, np.zeros((len(rows), len(rows)))]])
    solution = np.linalg.lstsq(matrix, np.concatenate([-g, np.zeros(len(rows))]), rcond=None)[0]
    return solution[: figure.nv], solution[figure.nv :].reshape(4, -1)
