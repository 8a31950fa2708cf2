"""Quantities of a figure's states as NumPy arrays: kinematics, momentum, energy, mass matrix, forces and accelerations.

Coordinates q are arrays (nq,) or (W, nq) for W states, velocities and forces (nv,) or (W, nv), as State.q and State.v.
Results have a first axis of length W if any argument has one. Nothing is compiled: the formulas run on NumPy arrays,
which is best for a few calls. Dynamics compiles the same formulas and is faster for many.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.dynamics import bodies
from gambol.dynamics.bodies import STANDARD_GRAVITY, gravity_scalar_or_vector
from gambol.dynamics.forward import mass_matrix as mass_rows
from gambol.dynamics.kinematics import Kinematics
from gambol.dynamics.kinematics import kinematics as kinematics_of
from gambol.dynamics.method import accelerations, check_method
from gambol.dynamics.quantities import centroidal_momentum, link_jacobian
from gambol.dynamics.rnea import rnea
from gambol.dynamics.tangent import check_orientations
from gambol.errors import GambolError
from gambol.figure import Figure, Triple
from gambol.spatial.rotation import quaternion_of
from gambol.spatial.vector import Vector

Array: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class LinkStates:
    """Poses and velocities of all L links of a figure, in world axes; (...) is () or (W,).

    link_names: names in the order of the arrays. position (..., L, 3): position of the links' origins [m]. rotation
    (..., L, 3, 3): from link to world coordinates. quaternion (..., L, 4): the same rotation, as (w, x, y, z). velocity
    (..., L, 3): velocity of the origins [m/s]. angular_velocity (..., L, 3) [rad/s].
    """

    link_names: tuple[str, ...]
    position: Array
    rotation: Array
    quaternion: Array
    velocity: Array
    angular_velocity: Array
    state: Kinematics
    shape: tuple[int, ...]

    def index(self, link: str) -> int:
        """Return the index of a link in the arrays. Raises FigureError for an unknown name."""
        return self.state.figure.link(link).index - 1

    def point(self, link: str, point: Sequence[float] = (0.0, 0.0, 0.0)) -> Array:
        """Return the position (..., 3) of a point of a link in the world [m]; point: in link coordinates [m]."""
        return _array([*self.state.point_position(self.index(link) + 1, Vector.of(point))], self.shape)

    def point_velocity(self, link: str, point: Sequence[float] = (0.0, 0.0, 0.0)) -> Array:
        """Return the velocity (..., 3) of a point of a link in world axes [m/s]; point: in link coordinates [m]."""
        return _array([*self.state.point_velocity(self.index(link) + 1, Vector.of(point))], self.shape)

    def jacobian(self, link: str, point: Sequence[float] = (0.0, 0.0, 0.0)) -> Array:
        """Return the Jacobian (..., 6, nv) of a point of a link.

        Its rows are the angular velocity of the link, then the velocity of the point, both in world axes, per unit
        joint velocity. point: in link coordinates [m].
        """
        columns = link_jacobian(self.state, self.index(link) + 1, Vector.of(point))
        return _array([[column[k] for column in columns] for k in range(6)], self.shape)


def kinematics(figure: Figure, q: ArrayLike, v: ArrayLike | None = None) -> LinkStates:
    """Return the poses and velocities of all links. v: None for 0. Raises GambolError for arrays of a wrong shape."""
    state, shape = _state(figure, q, v)
    poses, motions = state.poses[1:], state.velocities[1:]
    return LinkStates(
        tuple(link.name for link in figure.links),
        _array([[*X.position] for X in poses], shape),
        _array([[[*row] for row in X.rotation.rows] for X in poses], shape),
        _array([quaternion_of(X.rotation) for X in poses], shape),
        _array([[*(X.rotation @ m.v)] for X, m in zip(poses, motions, strict=True)], shape),
        _array([[*(X.rotation @ m.w)] for X, m in zip(poses, motions, strict=True)], shape),
        state,
        shape,
    )


@dataclass(frozen=True)
class Momentum:
    """Momentum of a figure in world axes; (...) is () or (W,).

    linear (..., 3) [kg m/s]. angular (..., 3): about the centre of mass [kg m2/s]. angular_about_origin (..., 3): about
    the world's origin. centre_of_mass (..., 3) [m]. Spinning rotors of joints (armature) are not included.
    """

    linear: Array
    angular: Array
    angular_about_origin: Array
    centre_of_mass: Array


def momentum(figure: Figure, q: ArrayLike, v: ArrayLike) -> Momentum:
    """Return the momentum about the centre of mass, and the centre of mass.

    Raises GambolError for arrays of a wrong shape.
    """
    state, shape = _state(figure, q, v)
    about_origin, about_centre = bodies.momentum(state), centroidal_momentum(state)
    vectors = (about_origin.f, about_centre.n, about_origin.n, bodies.centre_of_mass(state))
    return Momentum(*(_array([*vector], shape) for vector in vectors))


def centre_of_mass(figure: Figure, q: ArrayLike) -> Array:
    """Return the centre of mass (..., 3) in the world [m]. Raises GambolError for an array of a wrong shape."""
    state, shape = _state(figure, q, None)
    return _array([*bodies.centre_of_mass(state)], shape)


def kinetic_energy(figure: Figure, q: ArrayLike, v: ArrayLike) -> Array:
    """Return the kinetic energy (...) [J], including rotors. Raises GambolError for arrays of a wrong shape."""
    state, shape = _state(figure, q, v)
    return _array(bodies.kinetic_energy(state), shape)


def potential_energy(figure: Figure, q: ArrayLike, gravity: float | Triple = STANDARD_GRAVITY) -> Array:
    """Return the potential energy (...) of gravity [J]: 0 where all mass is at the world's origin.

    gravity: strength of gravity along -z, or a vector in world axes [m/s2]. Raises GambolError for an array of a wrong
    shape.
    """
    state, shape = _state(figure, q, None)
    return _array(bodies.potential_energy(state, gravity_scalar_or_vector(gravity)), shape)


def mass_matrix(figure: Figure, q: ArrayLike) -> Array:
    """Return the mass matrix M (..., nv, nv). Raises GambolError for an array of a wrong shape."""
    state, shape = _state(figure, q, None)
    return _array(mass_rows(state), shape)


def forward_dynamics(
    figure: Figure,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike | None = None,
    *,
    gravity: float | Triple = STANDARD_GRAVITY,
    method: str = "aba",
) -> Array:
    """Return joint accelerations (..., nv) under joint forces tau (None: 0); loops stay closed.

    gravity: strength of gravity along -z, or a vector in world axes [m/s2]. method: name of a method of forward
    dynamics. Raises GambolError for arrays of a wrong shape or an unknown method.
    """
    check_method(figure, method)
    state, shape, forces = _state_and(figure, q, v, np.zeros(figure.nv) if tau is None else tau, "tau")
    a, _ = accelerations(method, state, forces, gravity=gravity_scalar_or_vector(gravity))
    return _array(a, shape)


def inverse_dynamics(
    figure: Figure, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, gravity: float | Triple = STANDARD_GRAVITY
) -> Array:
    """Return joint forces (..., nv) that give the joint accelerations a, without the constraints of loops.

    gravity: strength of gravity along -z, or a vector in world axes [m/s2]. Raises GambolError for arrays of a wrong
    shape.
    """
    state, shape, a_joints = _state_and(figure, q, v, a, "a")
    return _array(rnea(state, a_joints, gravity=gravity_scalar_or_vector(gravity))[0], shape)


def _state(figure: Figure, q: ArrayLike, v: ArrayLike | None) -> tuple[Kinematics, tuple[int, ...]]:
    """Return the kinematics of one state or of W states, and the leading shape of results, () or (W,)."""
    state, shape, _ = _state_and(figure, q, v, None, "")
    return state, shape


def _state_and(
    figure: Figure, q: ArrayLike, v: ArrayLike | None, more: ArrayLike | None, name: str
) -> tuple[Kinematics, tuple[int, ...], list[Any]]:
    """Return kinematics, the leading shape of results, and another array (nv,) or (W, nv) by components.

    more, name: the other array, and its name for messages. None stands for zeros.
    """
    velocities, others = (np.zeros(figure.nv) if x is None else np.asarray(x, float) for x in (v, more))
    coordinates = np.asarray(q, float)
    for argument, array, count in (
        ("q", coordinates, figure.nq),
        ("v", velocities, figure.nv),
        (name, others, figure.nv),
    ):
        if array.ndim not in (1, 2) or array.shape[-1] != count:
            raise GambolError(
                f"an array of shape {array.shape} does not fit as {argument}; give ({count},) or (W, {count})"
            )
    counts = {len(array) for array in (coordinates, velocities, others) if array.ndim == 2}
    if len(counts) > 1:
        raise GambolError(f"arrays of {' and '.join(map(str, sorted(counts)))} states cannot be combined")
    check_orientations(figure, np.atleast_2d(coordinates).T)
    shape = tuple(counts)
    columns = [list(_scalars(x)) for x in (coordinates, velocities, others)]
    return kinematics_of(figure, columns[0], columns[1]), shape, columns[2]


def _scalars(array: Array) -> list[Any]:
    """Return the components of an array (n,) as floats, of an array (W, n) as arrays (W,)."""
    return array.tolist() if array.ndim == 1 else list(array.T)


def _array(components: Any, shape: tuple[int, ...]) -> Array:
    """Return nested sequences of components, floats or arrays (W,), as one array (*shape, ...)."""
    if isinstance(components, (list, tuple)):
        parts: list[Any] = list(cast("Sequence[Any]", components))
        return np.stack([_array(part, shape) for part in parts], axis=len(shape))
    return np.broadcast_to(np.asarray(components, float), shape)
