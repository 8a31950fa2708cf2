"""Problems of open chains: pendulums and hanging chains."""

from functools import partial

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import roots_laguerre

from gambol.dynamics import kinematics, rnea
from gambol.dynamics.forward.crba import mass_matrix
from gambol.figure import Figure, Joint, Link, MassProperties
from validation.problem import Array, Problem, Row, motion, rows_of
from validation.reference_data import reference_data

HINGE = (0.0, -1.0, 0.0)  # a positive angle rotates the rod from -z towards x


def chain(masses: int, mass: float = 1.0, length: float = 1.0) -> Figure:
    """Return point masses on massless rods, suspended from the origin; angles are relative, 0 is straight down."""
    bob = MassProperties(mass, (0.0, 0.0, -length))
    links = [
        Link(
            f"rod{k}",
            f"rod{k - 1}" if k else None,
            Joint("revolute", HINGE, position=(0.0, 0.0, -length if k else 0.0)),
            (),
            bob,
        )
        for k in range(masses)
    ]
    return Figure("chain", tuple(links))


def pendulum() -> list[Row]:
    data = reference_data("iftomm_A01_pendulum")
    samples = np.array(data["samples"])
    q, _ = motion(chain(1), np.array([-np.pi / 2]), np.zeros(1), samples[:, 0].tolist())
    ours = np.stack([np.sin(q[:, 0]), -np.cos(q[:, 0])], axis=1)
    names = [f"{axis} at {t:g} s [m]" for t in samples[:, 0] for axis in "xy"]
    return rows_of(names, ours, samples[:, 1:], 1e-6)


def double_pendulum() -> list[Row]:
    data = np.array(reference_data("double_pendulum_points_90_90")["samples"])
    q, v = motion(chain(2), np.array([np.pi / 2, 0.0]), np.zeros(2), data[:, 0].tolist())
    ours = np.hstack([np.cumsum(q, axis=1), np.cumsum(v, axis=1)])
    names = [f"{n} at {t:g} s" for t in data[:, 0] for n in ("theta1", "theta2", "theta1'", "theta2'")]
    return rows_of(names, ours, data[:, 1:], 1e-6)


def frequencies(figure: Figure, g: float = 9.81, displacement: float = 1e-3) -> Array:
    """Return frequencies of small oscillations about rest [rad/s], from gravity forces and the mass matrix.

    displacement: of each joint, for the derivatives of the gravity forces [rad].
    """

    def gravity_forces(q: Array) -> Array:
        state = kinematics(figure, q.tolist(), [0.0] * figure.nv)
        return np.array(rnea(state, [0.0] * figure.nv, gravity=g)[0])

    n = figure.nv
    unit = np.eye(n) * displacement  # Richardson's extrapolation of central differences: displacement^4, 1e-12
    rough, fine = (
        np.array([(gravity_forces(s * e) - gravity_forces(-s * e)) / (2 * s * displacement) for e in unit])
        for s in (1.0, 0.5)
    )
    M = np.array(mass_matrix(kinematics(figure, [0.0] * n, [0.0] * n)))
    return np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(M, (4.0 * fine - rough) / 3.0)).real))


def hanging_chain() -> list[Row]:
    reference = np.array(reference_data("hanging_chain_3_masses_rad_per_s"))
    return rows_of([f"mode {k + 1} [rad/s]" for k in range(3)], frequencies(chain(3)), reference, 1e-6)


def long_chain_modes(masses: int = 50) -> list[Row]:
    expected = np.sqrt(9.81 * roots_laguerre(masses)[0])[:3]
    ours = frequencies(chain(masses))[:3]
    return rows_of([f"mode {k + 1} of {masses} [rad/s]" for k in range(3)], ours, expected, 1e-6)


def swinging_chain(masses: int, seconds: float = 1.0) -> list[Row]:
    """Return rows against the equations in absolute angles, (n - max(i, j)) cos(t_i - t_j) t_j'' = ..., by scipy."""
    start = np.linspace(0.1, 0.5, masses)
    below = masses - np.maximum.outer(np.arange(masses), np.arange(masses)).astype(float)

    def slope(_: float, y: Array) -> Array:
        t, w = y[:masses], y[masses:]
        gap = np.subtract.outer(t, t)
        push = -(below * np.sin(gap)) @ (w * w) - 9.81 * (masses - np.arange(masses)) * np.sin(t)
        return np.concatenate([w, np.linalg.solve(below * np.cos(gap), push)])

    y0 = np.concatenate([start, np.zeros(masses)])
    reference = solve_ivp(slope, (0.0, seconds), y0, method="DOP853", rtol=1e-12, atol=1e-12).y[:masses, -1]
    relative = np.diff(start, prepend=0.0)
    q, _ = motion(chain(masses), relative, np.zeros(masses), [seconds])
    ours = np.cumsum(q[0])
    places = [0, masses // 2, masses - 1]
    names = [f"angle of link {k + 1} of {masses} at {seconds:g} s [rad]" for k in places]
    return rows_of(names, ours[places], reference[places], 1e-6)


PROBLEMS = (
    Problem(
        "Pendulum (IFToMM A01)",
        "A point mass of 1 kg on a massless rod of 1 m starts from rest at (-1, 0). RKF45, tolerance 1e-12.",
        "IFToMM benchmark A01; Jacobi's elliptic functions",
        pendulum,
        method="rkf45",
    ),
    Problem(
        "Double pendulum",
        "Two point masses of 1 kg on massless rods of 1 m start from rest, both at 90 degrees. RKF45, tolerance 1e-12.",
        "high-precision solution of the textbook equations",
        double_pendulum,
        method="rkf45",
    ),
    Problem(
        "Hanging chain of 3",
        "Small oscillations of three masses, from the mass matrix M and the derivatives of the gravity forces.",
        "roots of a Laguerre polynomial",
        hanging_chain,
        method="derivatives",
    ),
    Problem(
        "Hanging chain of 50, its slowest modes",
        "The same with 50 masses.",
        "roots of the Laguerre polynomial of degree 50 (Gauss-Laguerre nodes, scipy)",
        long_chain_modes,
        method="derivatives",
    ),
    Problem(
        "Swinging chain of 12",
        "A chain of 12 masses is released from a bent shape. RKF45, tolerance 1e-12.",
        "the equations of motion in absolute angles, solved by scipy's DOP853 to 1e-12",
        partial(swinging_chain, 12),
        method="rkf45",
    ),
    Problem(
        "Swinging chain of 50",
        "A chain of 50 masses is released from a bent shape. RKF45, tolerance 1e-12.",
        "the equations of motion in absolute angles, solved by scipy's DOP853 to 1e-12",
        partial(swinging_chain, 50),
        method="rkf45",
    ),
)
