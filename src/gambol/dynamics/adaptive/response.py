"""The response of a part of a figure at its first and last body, and of two parts joined by a joint.

    part       f_0 = J a_0 + P w - Y^T f_1        a_1 = Y a_0 + G f_1 + B w
    joint      U = J_B S      D = S^T U + a_r     J^ = J_B - U D^-1 U^T       e = P_B w_B - Y_B^T f_B
               p^ = e + U D^-1 (tau - S^T e)      J' = X^T J^ X               pi = X^T (J^ c + p^)
    joined     t = (1 + G_A J')^-1 (Y_A a_0 + B_A w - G_A (pi - f_t))         f_A = f_t - J' t - pi
               a_B = X t + c + S q''              q'' = D^-1 (tau - S^T (J_B (X t + c) + e))

a_0: acceleration of the first body. f_0: force on it that gives this acceleration. f_1: force on the last body. t:
acceleration of the last body of the first part, which carries the second part. f_t: the outer force on that body: f_1
in a branch, 0 in a series. This is divide and conquer in the form of forward/divide_and_conquer.py, with joints between
the parts instead of before them [Featherstone 1999; Redon, Galoppo and Lin 2005, section 3], for stacks of parts (n).

w are K bias coordinates. For one state, K = 1 and w = 1. A part without moving joints has one angular velocity; then K
= 7, and w are the products xx, xy, xz, yy, yz, zz of its components in the axes of the first body, and 1. So J, Y, G, P
and B are constants of the part's shape, and only w changes from step to step.

The metric of a part is the weighted sum of squares of its joint accelerations. The accelerations are linear in z =
(a_0, f_1, w), so the metric is a quadratic form of z, known before the accelerations: [Redon, Galoppo and Lin 2005,
section 5.1]

    sum w_j q''_j^2 = z^T Q z       z_A = Z_A z      z_B = Z_B z      q'' = R z
    Q = Z_A^T Q_A Z_A + Z_B^T Q_B Z_B + R^T W R
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.spatial.vector import Vector, centripetal

Array = NDArray[np.float64]

PRODUCTS = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
BIASES = len(PRODUCTS) + 1


@dataclass(frozen=True, slots=True)
class Response:
    """Responses of n parts: J, Y, G (n, 6, 6), P, B (n, 6, K)."""

    J: Array
    Y: Array
    G: Array
    P: Array
    B: Array


@dataclass(frozen=True, slots=True)
class JointTerms:
    """The connections of n pairs of parts.

    X (n, 6, 6): takes motions of the body before the joint to the body behind it. S (n, 6, d): motion subspaces. rotors
    (n, d, d): rotor inertias on the diagonal; 1 where S has a column of 0. c (n, 6, K): velocity-product acceleration.
    tau (n, d, K): joint forces. turn (n, K, K): takes bias coordinates of the first part to those of the second. series
    (n): see AssemblyTree.
    """

    X: Array
    S: Array
    rotors: Array
    c: Array
    tau: Array
    turn: Array
    series: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Joined:
    """n joined parts: their response, and from z = (a_0, f_1, w), the z of both parts and the joint accelerations."""

    response: Response
    first: Array
    second: Array
    rates: Array

    def metric(self, first: Array, second: Array, weights: Array) -> Array:
        """Return Q of the joined parts.

        first, second: Q of both parts. weights (n, d): weights of the joint accelerations.
        """
        squares = _T(self.rates) @ (weights[:, :, None] * self.rates)
        return _T(self.first) @ first @ self.first + _T(self.second) @ second @ self.second + squares


def joined(A: Response, B: Response, joint: JointTerms) -> Joined:
    """Return the responses of n pairs of parts A and B, joined by joints."""
    n, biases = len(A.J), A.P.shape[2]
    z = np.broadcast_to(np.eye(12 + biases), (n, 12 + biases, 12 + biases))
    a_0, f_1, w = z[:, :6], z[:, 6:12], z[:, 12:]
    branch = ~joint.series[:, None, None]
    w_B, f_B, f_t = joint.turn @ w, np.where(branch, 0.0, f_1), np.where(branch, f_1, 0.0)
    X, S, c, tau = joint.X, joint.S, joint.c @ w, joint.tau @ w
    e = B.P @ w_B - _T(B.Y) @ f_B
    U = B.J @ S
    D = _T(S) @ U + joint.rotors
    D_inverse_U = _solved(D, _T(U))
    through = B.J - U @ D_inverse_U
    p = e + _T(D_inverse_U) @ (tau - _T(S) @ e)
    J, pi = _T(X) @ through @ X, _T(X) @ (through @ c + p)
    t = _solved(np.eye(6) + A.G @ J, A.Y @ a_0 + A.B @ w + A.G @ (f_t - pi))
    f_A = f_t - J @ t - pi
    inherited = X @ t + c
    rates = _solved(D, tau - _T(S) @ (B.J @ inherited + e))
    a_B = inherited + S @ rates
    f_0 = A.J @ a_0 + A.P @ w - _T(A.Y) @ f_A
    a_1 = np.where(branch, t, B.Y @ a_B + B.G @ f_B + B.B @ w_B)
    response = Response(
        _symmetric(f_0[:, :, :6]), a_1[:, :, :6], _symmetric(a_1[:, :, 6:12]), f_0[:, :, 12:], a_1[:, :, 12:]
    )
    return Joined(response, np.concatenate([a_0, f_A, w], axis=1), np.concatenate([a_B, f_B, w_B], axis=1), rates)


def transforms(rotation: Array, position: Array) -> Array:
    """Return the transforms (n, 6, 6) of motions to frames with poses rotation (n, 3, 3) and position (n, 3)."""
    X = np.zeros((len(rotation), 6, 6))
    X[:, :3, :3] = X[:, 3:, 3:] = _T(rotation)
    X[:, 3:, :3] = -_T(rotation) @ _cross(position)
    return X


def moved_forces(rotation: Array, position: Array, forces: Array) -> Array:
    """Return forces (n, 6) in frames A.

    rotation, position: poses of frames B in frames A. forces: the same forces in frames B (n, 6).
    """
    f = np.einsum("nij,nj->ni", rotation, forces[:, 3:])
    n = np.einsum("nij,nj->ni", rotation, forces[:, :3]) + np.cross(position, f)
    return np.concatenate([n, f], axis=1)


def _stacked(components: Any) -> Array:
    return np.stack(list(components), axis=1)


def bias_columns(function: Callable[[Vector], Any]) -> Array:
    """Return the columns (n, m, K) of a quadratic function of the angular velocity, one for each bias coordinate.

    function: returns m arrays (n) from an angular velocity. Its mixed terms follow from f(a + b) - f(a) - f(b).
    """
    axes = np.eye(3)
    along_axes = [_stacked(function(Vector.of(axis.tolist()))) for axis in axes]
    columns = [
        along_axes[i]
        if i == k
        else _stacked(function(Vector.of((axes[i] + axes[k]).tolist()))) - along_axes[i] - along_axes[k]
        for i, k in PRODUCTS
    ]
    return np.stack([*columns, np.zeros_like(along_axes[0])], axis=2)


CENTRIPETAL = bias_columns(lambda omega: np.array([[*centripetal(omega, Vector.axis(k))] for k in range(3)]).T)[
    ..., :-1
]
"""Columns of omega x (omega x r) for the three unit vectors r (3, 3, 6)."""


def bias_coordinates(omega: Array) -> Array:
    """Return the bias coordinates (n, K) of angular velocities (n, 3)."""
    return np.stack([*(omega[:, i] * omega[:, k] for i, k in PRODUCTS), np.ones(len(omega))], axis=1)


def centripetal_columns(position: Array) -> Array:
    """Return the columns (n, 3, K) of omega x (omega x r) for positions r (n, 3)."""
    columns = np.zeros((len(position), 3, BIASES))
    columns[:, :, :-1] = np.einsum("rip,nr->nip", CENTRIPETAL, position)
    return columns


def turns(rotation: Array) -> Array:
    """Return the maps (n, K, K) of bias coordinates from axes A to axes B.

    rotation: matrices R (n, 3, 3) that take vectors from axes B to axes A. With w the angular velocity in axes A,
    product i, k of its components in axes B is the sum of R_li R_mk w_l w_m over l and m.
    """
    i, k = np.array(PRODUCTS).T
    to, of = (slice(None), i[None, :], i[:, None]), (slice(None), k[None, :], k[:, None])
    crossed = (slice(None), k[None, :], i[:, None]), (slice(None), i[None, :], k[:, None])
    maps = np.zeros((len(rotation), BIASES, BIASES))
    maps[:, -1, -1] = 1.0
    both = rotation[to] * rotation[of] + rotation[crossed[0]] * rotation[crossed[1]]
    maps[:, :-1, :-1] = np.where(i == k, 0.5, 1.0) * both
    return maps


def _solved(A: Array, b: Array) -> Array:
    """Return x (n, m, k) of A x = b."""
    return np.asarray(np.linalg.solve(A, b), np.float64)


def _T(M: Array) -> Array:
    return np.swapaxes(M, -1, -2)


def _symmetric(M: Array) -> Array:
    return 0.5 * (M + _T(M))


def _cross(r: Array) -> Array:
    """Return matrices (n, 3, 3) of r x."""
    K = np.zeros((len(r), 3, 3))
    K[:, 0, 1], K[:, 0, 2], K[:, 1, 2] = -r[:, 2], r[:, 1], -r[:, 0]
    return K - _T(K)
