"""The check that the fields of a row of the table of joint kinds agree with each other, tried on one joint.

The pose X(q) is the reference, and central differences of it are the independent route:

    dX/dt = X S v        dS/dt = (dS/dq) q'        psi . S = 0        X at rest = (rotation, position) of the joint
    coaxial: axis x S = 0        turning: d(R S v)/dt = 0 with v' = acceleration(v), R = R_PL

The rows of this package are checked by its tests. A row of another package is checked when a figure with such a joint
is made, so that a wrong row is an error that names the field, and not a wrong motion.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from traceback import extract_tb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import FigureError, GambolError
from gambol.figure.joint import JOINTS, Joint, JointKind
from gambol.figure.joint.kind import NUMBERS
from gambol.figure.mirror import mirrored_joint
from gambol.figure.rotation import perpendicular
from gambol.spatial.motion import Force, Motion

Array = NDArray[np.float64]

STEP = 1e-4
"""Half the step of central differences, in each coordinate: their error is STEP^2 / 6 times the third derivative, and
rounding 1e-16 / STEP.
"""

TOLERANCE = 1e-5
"""Largest difference, relative to a component or 1: a thousand times the error of the differences."""

PACKAGE_KINDS = frozenset(JOINTS)
"""Kinds whose rows are checked by the tests of this package."""

MIRROR = np.diag([1.0, -1.0, 1.0])


def check_row(joint: Joint, subject: str) -> None:
    """Raise FigureError if the row of a joint's kind contradicts itself at this joint.

    joint: checked, with the directions that its kind uses. subject: the words that begin the message.
    """
    if problem := _problem(JOINTS[joint.kind], joint):
        raise FigureError(f'{subject}: the row of "{joint.kind}" joints is wrong at this joint: {problem}')


@lru_cache(maxsize=1024)
def _problem(kind: JointKind, joint: Joint) -> str:
    """Return the first contradiction in a row, or ""."""
    moved = [0.3 - 0.17 * k for k in range(kind.nv)]  # rad or m: no special values, and no multiples of each other
    q = kind.integrate(kind.rest, moved)
    for check in CHECKS:
        try:
            problem = check(kind, joint, q)
        except GambolError as error:
            return str(error)
        except Exception as error:  # functions of a row are the user's
            frame = extract_tb(error.__traceback__)[-1]
            return f"{type(error).__name__}: {error}, at {frame.filename}, line {frame.lineno}"
        if problem:
            return problem
    return ""


def _pose(kind: JointKind, joint: Joint, q: Sequence[Any]) -> tuple[Array, Array]:
    """Return the rotation and the position of the link in its parent."""
    X = kind.place(joint, q).X_PL
    return np.array(X.rotation.rows, float), np.array(list(X.position), float)


def _differs(x: Any, y: Any) -> bool:
    x, y = np.asarray(x, float), np.asarray(y, float)
    return x.shape != y.shape or not bool(np.all(np.abs(x - y) <= TOLERANCE * np.maximum(1.0, np.abs(y))))


def _same_pose(x: tuple[Array, Array], y: tuple[Array, Array]) -> bool:
    return not (_differs(x[0], y[0]) or _differs(x[1], y[1]))


def _components(motion: Motion | Force) -> list[float]:
    return [float(motion[k]) for k in range(6)]


def _both_ways(kind: JointKind, q: Sequence[Any], k: int) -> list[list[Any]]:
    """Return the coordinates before and after q along velocity k."""
    v = [float(i == k) for i in range(kind.nv)]
    rates = kind.tangent_rate(q, [0.0] * kind.nv, v)
    return [kind.integrate(q, [side * STEP * rate for rate in rates]) for side in (-1.0, 1.0)]


def _at_rest(kind: JointKind, joint: Joint, q: Sequence[Any]) -> str:
    given = np.array(joint.rotation, float), np.array(joint.position, float)
    if _same_pose(_pose(kind, joint, kind.rest), given):
        return ""
    return "`place` at `rest` is not at `rotation` and `position` of the joint"


def _velocities(kind: JointKind, joint: Joint, q: Sequence[Any]) -> str:
    placement = kind.place(joint, q)
    if len(placement.columns) != kind.nv:
        return f"`place` returns {len(placement.columns)} columns of S, and `v_units` has {kind.nv}"
    if len(rates := kind.q_dot(q, [0.0] * kind.nv)) != kind.nq:
        return f"`rates` returns {len(rates) - 4 * kind.has_quaternion} numbers"
    R, _ = _pose(kind, joint, q)
    for k, column in enumerate(placement.columns):
        (R_0, p_0), (R_1, p_1) = (_pose(kind, joint, side) for side in _both_ways(kind, q, k))
        spin = R.T @ (R_1 - R_0) / (2.0 * STEP)
        moved = [spin[2, 1], spin[0, 2], spin[1, 0], *(R.T @ (p_1 - p_0) / (2.0 * STEP))]
        if _differs(given := _components(placement.to_link(column)), moved):
            return (
                f"column {k} of S is {np.round(given, 4).tolist()} in link axes, but the pose of `place` moves with "
                f"{np.round(moved, 4).tolist()} [rad/s, m/s] at v[{k}] = 1"
            )
    return ""


def _derivatives(kind: JointKind, joint: Joint, q: Sequence[Any]) -> str:
    placement = kind.place(joint, q)
    for k in range(kind.nv):
        before, after = (kind.place(joint, side).columns for side in _both_ways(kind, q, k))
        for column in range(kind.nv):
            moved = np.subtract(_components(after[column]), _components(before[column])) / (2.0 * STEP)
            terms = (dS.value for dS in placement.derivatives if (dS.column, dS.coordinate) == (column, k))
            given = sum((np.array(_components(value)) for value in terms), np.zeros(6))
            if _differs(given, moved):
                return (
                    f"column {column} of S changes in the joint frame at {np.round(moved, 4).tolist()} with v[{k}] = 1 "
                    f"and the SubspaceDerivative of column {column} and coordinate {k} is {np.round(given, 4).tolist()}"
                )
    return ""


def _constraint_forces(kind: JointKind, joint: Joint, q: Sequence[Any]) -> str:
    placement = kind.place(joint, q)
    forces = np.array([_components(force) for force in placement.constraint_subspace()], float).reshape(-1, 6)
    columns = np.array([_components(column) for column in placement.columns], float).reshape(-1, 6)
    if np.linalg.matrix_rank(forces, tol=TOLERANCE) != 6 - kind.nv or len(forces) != 6 - kind.nv:
        return f"`constraint_forces` are {len(forces)}; they must be {6 - kind.nv} that are independent"
    if _differs(forces @ columns.T, np.zeros((len(forces), kind.nv))):
        return "`constraint_forces` have power on columns of S; they must have none"
    return ""


def _travel(kind: JointKind, joint: Joint, q: Sequence[Any]) -> str:
    extents = [math.dist(q[each], [0.0] * len(q[each])) for each in kind.spring_slices]
    bound, distance = kind.travel(joint, extents), math.dist(_pose(kind, joint, q)[1], joint.position)
    if distance <= bound * (1.0 + TOLERANCE) + TOLERANCE * STEP:
        return ""
    at = np.round(q, 4).tolist()
    return f"at q = {at} the link's origin is {distance:.4g} m from its place at rest, and `travel` says {bound:.4g} m"


def _mirror_image(kind: JointKind, joint: Joint, q: Sequence[Any]) -> str:
    """Compare with the mirror image in y = 0: angles may change their sign there, and slides, too."""
    if kind.mirrored is None:
        return ""
    R, p = _pose(kind, joint, q)
    quaternion = [q[0], -q[1], q[2], -q[3]] if kind.has_quaternion else []
    others = q[len(quaternion) :]
    try:
        image = mirrored_joint(joint)
    except FigureError:  # a joint without a mirror image raises this error where the image is needed
        return ""
    signs = product((-1.0, 1.0), repeat=len(others))
    tried = ([*quaternion, *(s * x for s, x in zip(each, others, strict=True))] for each in signs)
    expected = MIRROR @ R @ MIRROR, MIRROR @ p
    if any(_same_pose(_pose(kind, image, each), expected) for each in tried):
        return ""
    return "with the numbers of `mirrored`, the joint has the mirrored pose for no choice of signs of its coordinates"


def _series(kind: JointKind, joint: Joint, q: Sequence[Any]) -> str:
    if kind.in_series is None:
        return ""
    rotation, position, slices = np.eye(3), np.zeros(3), kind.spring_slices
    for suffix, each, spring in kind.in_series(joint):
        row = JOINTS[each.kind]
        own = q[slices[spring]] if spring is not None and 0 <= spring < len(slices) else ()
        if len(own) != row.nq:
            return (
                f'the {each.kind} joint "{suffix}" of `in_series` has the spring {spring}; give the index of the '
                f"spring whose {row.nq} coordinates it has, from 0 to {len(slices) - 1}"
            )
        R, p = _pose(row, each, own)
        rotation, position = rotation @ R, position + rotation @ p
    if _same_pose((rotation, position), _pose(kind, joint, q)):
        return ""
    return "the joints of `in_series` do not take the pose of `place` at the same coordinates"


def _coaxial(kind: JointKind, joint: Joint, q: Sequence[Any]) -> str:
    if not kind.coaxial:
        return ""
    placement = kind.place(joint, q)
    for k, column in enumerate(placement.columns):
        S = _components(placement.to_link(column))
        if _differs([np.cross(joint.axis, S[:3]), np.cross(joint.axis, S[3:])], np.zeros((2, 3))):
            return (
                f"it is `coaxial`, but column {k} of S is {np.round(S, 4).tolist()} in link axes, and the axis is "
                f"{np.round(joint.axis, 4).tolist()}"
            )
    return ""


def _turning(kind: JointKind, joint: Joint, q: Sequence[Any]) -> str:
    """Let a link move on, and compare its velocity in its parent before and after; compose changes of axes."""
    if kind.turning is None:
        return ""
    v = [0.4 - 0.23 * k for k in range(kind.nv)]
    if len(a := kind.turning.acceleration(v)) != kind.nv:
        return f"`turning.acceleration` returns {len(a)} numbers; it must return {kind.nv}"
    rates = kind.tangent_rate(q, [0.0] * kind.nv, v)
    before, after = (kind.integrate(q, [side * STEP * rate for rate in rates]) for side in (-1.0, 1.0))
    ends = {
        "acceleration": [[x + side * STEP * y for x, y in zip(v, a, strict=True)] for side in (-1.0, 1.0)],
        "re_expressed": [kind.turning.re_expressed(q, end, v) for end in (before, after)],
    }
    for name, (v_before, v_after) in ends.items():
        moved = (_velocity(kind, joint, after, v_after) - _velocity(kind, joint, before, v_before)) / (2.0 * STEP)
        if _differs(moved, np.zeros(6)):
            return (
                f"with `turning.{name}` the link's velocity in its parent changes at {np.round(moved, 4).tolist()} "
                "[rad/s2, m/s2]; it must stay"
            )
    third, at_q = kind.integrate(q, [0.5 - 0.1 * k for k in range(kind.nv)]), kind.turning.re_expressed(kind.rest, q, v)
    if _differs(kind.turning.re_expressed(q, third, at_q), kind.turning.re_expressed(kind.rest, third, v)):
        return "`turning.re_expressed` from one position to a third is not that to a second, and then to the third"
    return ""


def _velocity(kind: JointKind, joint: Joint, q: Sequence[Any], v: Sequence[Any]) -> Array:
    """Return the angular and linear velocity of the link's origin (6), in axes of the parent, at velocities v."""
    placement = kind.place(joint, q)
    motion, R = placement.to_link(placement.motion(v)), np.array(placement.X_PL.rotation.rows, float)
    return np.concatenate([R @ _components(motion)[:3], R @ _components(motion)[3:]])


def _directions(kind: JointKind, joint: Joint, q: Sequence[Any]) -> str:
    """Exchange directions that the row does not use."""
    axis = (0.6, 0.0, 0.8) if kind.axes == 0 else joint.axis
    across = joint.across if kind.axes == 2 else perpendicular(axis, None, "a joint")
    if _same_pose(_pose(kind, replace(joint, axis=axis, across=across), q), _pose(kind, joint, q)):
        return ""
    return f"`axes` is {kind.axes}, but the pose depends on `axis` or `across`: 1 is for `axis`, 2 for both"


def _numbers(kind: JointKind, joint: Joint, q: Sequence[Any]) -> str:
    """Exchange numbers of the joint: those that the row names change the pose, others do not."""
    random, pose = np.random.default_rng(1), _pose(kind, joint, q)
    drawn = {name: draw(random, 1.0) for name, draw in kind.numbers.items()}
    for name, value in drawn.items():
        if not isinstance(value, float) or not math.isfinite(value):
            return f'`numbers` draws {value!r} for "{name}"; return a finite float'
        other = value + getattr(joint, name) + 0.37
        if _same_pose(_pose(kind, replace(joint, **{name: other}), q), pose):
            return f'`numbers` names "{name}", but the pose does not depend on it'
    for name in sorted(NUMBERS - kind.numbers.keys()):
        if not _same_pose(_pose(kind, replace(joint, **{name: getattr(joint, name) + 0.37}), q), pose):
            return f'the pose depends on "{name}" of the joint, which `numbers` does not name'
    if kind.check is not None:
        kind.check(replace(joint, **drawn), "a joint with the numbers that `numbers` draws")
    return ""


CHECKS = (
    _at_rest,
    _velocities,
    _derivatives,
    _constraint_forces,
    _travel,
    _coaxial,
    _turning,
    _directions,
    _numbers,
    _mirror_image,
    _series,
)
"""What is tried of a row, in this order. Each returns a contradiction, or ""."""
