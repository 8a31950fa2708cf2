"""Motions from films: joint coordinates from the poses of links, and forces by inverse dynamics.

With them a plan can start from a walk, or from the gait of an evolved creature.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gambol.dynamics import kinematics, rnea
from gambol.errors import PlanError
from gambol.figure import Figure, PlacedLink
from gambol.plan.motion.guesses.from_poses import velocities_of
from gambol.plan.motion.spec.plan import Plan
from gambol.plan.motion.transcription.forces import node_model
from gambol.plan.motion.transcription.layout import PhaseGuess, actuated_freedoms
from gambol.plan.motion.transcription.points import place_point
from gambol.plan.motion.transcription.rank import point_jacobian
from gambol.plan.trajectory import Trajectory
from gambol.spatial.rotation import Quaternion
from gambol.world import Film

Array = NDArray[np.float64]

POSITION_TOLERANCE = 1e-5
"""Relative error of the positions of links in a film, since films of other precisions are rounded; an absolute error
for positions below 1 m."""


def trajectory_of_film(figure: Figure, film: Film, world: int = 0) -> Trajectory:
    """Return the motion of a figure in a film as a trajectory without forces.

    world: index of the film's world. Velocities are differences of frames. Raises PlanError if the film is of another
    figure, and for kinds of joints whose coordinates do not follow from poses.
    """
    names = tuple(link.name for link in figure.links)
    if film.link_names != names:
        raise PlanError(
            f'film "{film.name}" shows the links {film.link_names[:5]}..., figure "{figure.name}" has others'
        )
    if len(film.time) < 2 or np.any(np.diff(film.time) <= 0.0):
        raise PlanError(f'film "{film.name}" has {len(film.time)} frames, or frames at one time; give two or more')
    q = np.zeros((len(film.time), figure.nq))
    for frame in range(len(film.time)):
        poses = [(np.eye(3), np.zeros(3))]
        for link in figure.links:
            poses.append(
                (_matrix(film.quaternion[frame, world, link.index - 1]), film.position[frame, world, link.index - 1])
            )
            R_P, p_P = poses[link.parent_index]
            R, p = R_P.T @ poses[-1][0], R_P.T @ (poses[-1][1] - p_P)
            q[frame, link.q] = _coordinates(link, R, p)
    _continue_quaternions(figure, q)
    _check_positions(figure, q, film, world)
    zeros = np.zeros((len(q), figure.nv))
    v = velocities_of(figure, film.time, q)
    return Trajectory(figure, film.time, q, v, zeros, (), np.zeros((len(q), 0, 3)), np.zeros((len(q), 0, 3)), 1)


def _matrix(quaternion: Array) -> Array:
    return np.array([[float(x) for x in row] for row in Quaternion(*quaternion).rotation().rows])


def _coordinates(link: PlacedLink, R: Array, p: Array) -> list[float]:
    """Return the coordinates of a joint from the link's pose in its parent."""
    rest = np.array(link.joint.rotation)
    if link.joint.kind not in COORDINATES:
        raise PlanError(
            f'"{link.name}" has a {link.joint.kind} joint; films give the coordinates of {", ".join(COORDINATES)}'
        )
    return COORDINATES[link.joint.kind](
        np.array(link.joint.axis), rest.T @ R, rest.T @ (p - np.array(link.joint.position))
    )


def _angle(axis: Array, R: Array, p: Array) -> list[float]:
    twist = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return [float(np.arctan2(axis @ twist, 0.5 * (np.trace(R) - 1.0)))]


def _quaternion(R: Array) -> list[float]:
    """Return the unit quaternion of a matrix: the eigenvector of the largest eigenvalue. [Bar-Itzhack 2000]"""
    xx, yy, zz = R[0, 0], R[1, 1], R[2, 2]
    K = np.array(
        [
            [xx + yy + zz, R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]],
            [R[2, 1] - R[1, 2], xx - yy - zz, R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]],
            [R[0, 2] - R[2, 0], R[0, 1] + R[1, 0], yy - xx - zz, R[1, 2] + R[2, 1]],
            [R[1, 0] - R[0, 1], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], zz - xx - yy],
        ]
    )
    vector = np.linalg.eigh(K)[1][:, -1]
    return [float(x) for x in (vector if vector[0] >= 0.0 else -vector)]


COORDINATES: dict[str, Callable[[Array, Array, Array], list[float]]] = {
    "fixed": lambda axis, R, p: [],
    "revolute": _angle,
    "prismatic": lambda axis, R, p: [float(axis @ p)],
    "spherical": lambda axis, R, p: _quaternion(R),
    "free": lambda axis, R, p: [*_quaternion(R), *(float(x) for x in p)],
}
"""Functions of a joint's axis, and the link's rotation and displacement, that return its coordinates, by kind."""


def _continue_quaternions(figure: Figure, q: Array) -> None:
    """Choose between q and -q so that quaternions do not jump, and unwind angles."""
    for link in figure.links:
        if link.q.stop - link.q.start >= 4:
            part = q[:, link.q.start : link.q.start + 4]
            signs = np.cumprod(np.concatenate([[1.0], np.where(np.sum(part[1:] * part[:-1], axis=1) < 0.0, -1.0, 1.0)]))
            part *= signs[:, None]
        elif link.joint.kind == "revolute":
            q[:, link.q] = np.unwrap(q[:, link.q], axis=0)


def _check_positions(figure: Figure, q: Array, film: Film, world: int) -> None:
    """Raise PlanError if the coordinates q (F, nq) do not place the links where the film shows them."""
    state = kinematics(figure, list(q.T), [np.zeros(len(q))] * figure.nv)
    for link in figure.links:
        computed = np.stack(
            [np.broadcast_to(np.asarray(x, float), (len(q),)) for x in state.poses[link.index].position], axis=1
        )
        error = float(np.abs(computed - film.position[:, world, link.index - 1]).max())
        if error > POSITION_TOLERANCE * max(1.0, float(np.abs(computed).max())):
            raise PlanError(
                f'film "{film.name}" shows "{link.name}" {error:.3g} m from where the joints of the figure put it'
            )


def with_inverse_dynamics(plan: Plan, guesses: Sequence[PhaseGuess]) -> list[PhaseGuess]:
    """Return first values with torques and contact forces that fit the motion best.

    M a + C - tau_passive = S u + J' f is solved by least squares at each node.
    """
    actuated = actuated_freedoms(plan)
    S = np.eye(plan.figure.nv)[:, list(actuated)]
    result: list[PhaseGuess] = []
    for phase, guess in zip(plan.phases, guesses, strict=True):
        points = tuple(place_point(plan.figure, plan.points, name) for name in phase.contacts)
        model = node_model(plan, actuated, points, False)
        u, f = guess.u.copy(), guess.f.copy()
        for k, (q, v, a) in enumerate(zip(guess.q, guess.v, guess.a, strict=True)):
            state = kinematics(plan.figure, list(q), list(v))
            needed = rnea(state, list(a), gravity=model.gravity)[0]
            passive = model.joint_forces(list(q), list(v), [0.0] * len(actuated))
            J = point_jacobian(plan.figure, list(q), points, np.ones(plan.figure.nv))
            right_side = np.array(needed, float) - np.array(passive, float)
            forces = np.linalg.lstsq(np.hstack([S, J.T]), right_side, rcond=None)[0]
            u[k] = forces[: len(actuated)]
            if len(points):
                f[k] = forces[len(actuated) :]
        result.append(replace(guess, u=u, f=f))
    return result
