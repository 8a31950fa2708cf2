"""A feasible initial configuration of a model from a file: within joint limits, loops closed, above the ground.

Without an initial configuration in the file all coordinates are 0, which may be beyond the limits of some joints. Stops
that are compressed so far store enough energy to throw a standing figure into the air.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from gambol.dynamics import kinematics, mass_matrix
from gambol.dynamics.loops import assembled
from gambol.errors import FigureError
from gambol.figure import Figure, compose, spring_slices
from gambol.formats import Model
from gambol.world import World, depth_of

CHANGE_TOLERANCE = 1e-6  # rad or m: smaller changes are not reported
SINGULARITY_TOLERANCE = 1e-13  # of the scaled mass matrix: smaller eigenvalues are rounding errors of 0


@dataclass(frozen=True, slots=True)
class InitialConfiguration:
    """Initial coordinates q (nq,) of a figure.

    changes: sentences about differences from the coordinates in the file.
    """

    q: tuple[float, ...]
    changes: tuple[str, ...] = ()


def initial_configuration(model: Model, world: World) -> InitialConfiguration:
    """Return a feasible configuration near that of a model's file: see the docstring of this module.

    model: model of a file. world: world of the model, for the height of the ground. Raises FigureError if loops cannot
    be closed or the mass matrix is singular.
    """
    figure, q, changes = model.figure, list(model.q), list[str]()
    if clamped := list(dict.fromkeys(clamp_to_limits(model, q))):
        names = ", ".join(clamped)
        changes.append(f"These joints start beyond their limits, and were moved to them: {names}.")
    if figure.constraints:
        before, q = q, close_loops(figure, q)
        moved = max(abs(a - b) for a, b in zip(before, q, strict=True))
        if moved > CHANGE_TOLERANCE:
            changes.append(f"Its loops were closed, which moved its joints by up to {moved:.2g} rad or m.")
    check_mass_matrix(figure, q)
    has_free_root = any(root.joint.kind == "free" for root in figure.roots)
    lift = max(0.0, depth_of(world, q)) if has_free_root and world.has_ground else 0.0
    if lift > CHANGE_TOLERANCE:
        changes.append(f"It was lifted by {lift:.3g} m, out of the ground.")
        q = lifted(figure, q, lift)
    return InitialConfiguration(tuple(q), tuple(changes))


def lifted(figure: Figure, q: list[float], lift: float) -> list[float]:
    """Return coordinates (nq,) of a figure whose free roots are `lift` higher [m]."""
    q = list(q)
    for root in figure.roots:
        if root.joint.kind == "free":
            rotation = (
                root.joint.rotation if root is figure.root else compose(figure.root.joint.rotation, root.joint.rotation)
            )
            for k, component in enumerate(rotation[2]):  # the world's z in the joint's frame
                q[root.q.start + 4 + k] += lift * component
    return q


def close_loops(figure: Figure, q: list[float]) -> list[float]:
    """Return coordinates near q (nq,) at which the loops are closed; a prescribed base keeps its coordinates."""
    return assembled(figure, q, locked=[figure.root.name] if figure.prescribed else [])


def check_mass_matrix(figure: Figure, q: list[float]) -> None:
    """Raise FigureError if joints of a figure at q (nq,) can move without moving any mass.

    The criterion is the least eigenvalue of the mass matrix, scaled to a unit diagonal, without a prescribed base.
    """
    first_dof = figure.root.v.stop if figure.prescribed else 0
    rows = mass_matrix(kinematics(figure, q, [0.0] * figure.nv))
    M = np.array(rows, float).reshape(figure.nv, figure.nv)[first_dof:, first_dof:]
    if not len(M):
        return
    norms = np.sqrt(np.maximum(np.diag(M), 0.0))
    scale = np.where(norms > 0.0, norms, 1.0)
    eigenvalues, modes = np.linalg.eigh(M / np.outer(scale, scale))
    if eigenvalues[0] > SINGULARITY_TOLERANCE:
        return
    moving_dofs = np.flatnonzero(np.abs(modes[:, 0]) > 0.1) + first_dof
    names = [f'"{link.name}"' for link in figure.links if any(link.v.start <= k < link.v.stop for k in moving_dofs)]
    raise FigureError(
        f'figure "{figure.name}" has a singular mass matrix where it starts: the joints of {", ".join(names)} can move '
        "without moving any mass; give mass to a link that they move, or a rotor to one of them, or fix one"
    )


def clamp_to_limits(model: Model, q: list[float]) -> Iterable[str]:
    """Clamp the coordinates in q, in place, to the limits of their springs; yield the joints that this moves."""
    for name, springs in model.springs.items():
        link = model.figure.link(name)
        springs_of_joint = springs if isinstance(springs, tuple) else (springs,)
        for spring, indices in zip(springs_of_joint, spring_slices(link.joint.kind), strict=True):
            in_q = slice(link.q.start + indices.start, link.q.start + indices.stop)
            before, q[in_q] = q[in_q], _clamped(q[in_q], spring.lower, spring.upper)
            if max(abs(a - b) for a, b in zip(before, q[in_q], strict=True)) > CHANGE_TOLERANCE:
                yield name


def _clamped(q: list[float], lower: float, upper: float) -> list[float]:
    """Return a joint coordinate clamped to its limits, or a quaternion clamped to the upper rotation angle."""
    if len(q) == 1:
        return [min(max(q[0], lower), upper)]
    w, x, y, z = q if q[0] >= 0.0 else [-c for c in q]
    sine = math.hypot(x, y, z)
    if 2.0 * math.atan2(sine, w) <= upper:
        return q
    scale = math.sin(upper / 2.0) / sine
    return [math.cos(upper / 2.0), scale * x, scale * y, scale * z]
