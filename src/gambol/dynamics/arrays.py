"""The dynamics of a figure on NumPy arrays.

Each quantity is compiled at its first use, and is computed for many states at once.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.dynamics.bodies import STANDARD_GRAVITY, gravity_scalar_or_vector, kinetic_energy, potential_energy
from gambol.dynamics.forward import mass_matrix
from gambol.dynamics.kinematics import Kinematics, kinematics
from gambol.dynamics.method import acceleration_derivatives, accelerations, check_method
from gambol.dynamics.passive import Passive
from gambol.dynamics.quantities import (
    Derivatives,
    bias_forces,
    gravity_forces,
    inverse_dynamics_derivatives,
    inverse_mass_matrix,
    link_jacobian,
)
from gambol.dynamics.rnea import rnea
from gambol.dynamics.tangent import check_orientations
from gambol.errors import GambolError, WorldError, did_you_mean
from gambol.figure import Figure, Springs, Triple
from gambol.lanes import Precision, Program, ProgramSpec, Scalar
from gambol.spatial.dense import Rows, matmul, plus
from gambol.spatial.vector import Vector

Array: TypeAlias = NDArray[Any]
Formula: TypeAlias = Callable[..., Any]


class Dynamics:
    """The equations of motion of a figure, for one state or for many.

    Coordinates q are arrays (nq,) or (W, nq) for W states. Velocities, accelerations and forces are arrays (nv,) or (W,
    nv). All are in SI units and in the order of figure.links; quaternions have length 1. A result has a first axis of
    length W if any argument has one. An array of one state is used for all W.

    figure: the figure. gravity: strength of gravity along -z, or a vector in world axes [m/s2]. springs: passive forces
    of joints by link name, as in Model.springs. Springs, dampers, friction, biases and limits with a stiffness then act
    in addition to tau, and their energy is part of the potential energy. None: rigid bodies only, as in Pinocchio.
    method: name of a method of forward dynamics. precision: "float64" or "float32". Raises GambolError for arrays of a
    wrong shape, for unknown methods and precisions, for invalid springs, and for a figure with a prescribed base.
    """

    def __init__(
        self,
        figure: Figure,
        *,
        gravity: float | Triple = STANDARD_GRAVITY,
        springs: Mapping[str, Springs] | None = None,
        method: str = "aba",
        precision: Precision = "float64",
    ) -> None:
        check_method(figure, method)
        if precision not in get_args(Precision):
            raise GambolError(f'precision "{precision}" is unknown; {did_you_mean(precision, get_args(Precision))}')
        if figure.prescribed:
            raise WorldError(f'the base of "{figure.name}" is prescribed; use figure.with_base("free"), or a World')
        self.figure, self.gravity, self.method = figure, gravity_scalar_or_vector(gravity), method
        self.precision: Precision = precision
        self.passive = Passive.of(figure, springs or {})
        self._programs: dict[tuple[str, int], Program] = {}

    def forward(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike | None = None) -> Array:
        """Return accelerations (..., nv) under joint forces tau (None: 0); loops stay closed."""
        force = np.zeros(self.figure.nv) if tau is None else tau

        def formula(q: list[Scalar], v: list[Scalar], tau: list[Scalar]) -> Any:
            state = kinematics(self.figure, q, v)
            return accelerations(self.method, state, self._with_passive(state, tau), gravity=self.gravity)[0]

        return self._evaluate("forward", formula, (q, v, force))

    def inverse(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> Array:
        """Return joint forces (..., nv) that give the accelerations a, without the constraints of loops."""

        def formula(state: Kinematics, a: list[Scalar]) -> Any:
            return self._with_passive(state, rnea(state, a, gravity=self.gravity)[0], -1.0)

        return self._evaluate_at_state("inverse", formula, (q, v, a))

    def mass_matrix(self, q: ArrayLike) -> Array:
        """Return the mass matrix M (..., nv, nv)."""
        return self._evaluate_at_rest("mass matrix", mass_matrix, q, square=True)

    def inverse_mass_matrix(self, q: ArrayLike) -> Array:
        """Return M^-1 (..., nv, nv), computed without M."""
        return self._evaluate_at_rest("inverse mass matrix", inverse_mass_matrix, q, square=True)

    def bias(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Return the bias forces (..., nv): joint forces at zero joint accelerations, against gravity and springs."""

        def formula(state: Kinematics) -> Any:
            return self._with_passive(state, bias_forces(state, gravity=self.gravity), -1.0)

        return self._evaluate_at_state("bias", formula, (q, v))

    def gravity_forces(self, q: ArrayLike) -> Array:
        """Return joint forces (..., nv) that hold the figure at rest."""

        def formula(state: Kinematics) -> Any:
            return self._with_passive(state, gravity_forces(state, gravity=self.gravity), -1.0)

        return self._evaluate_at_rest("gravity", formula, q)

    def energy(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Return kinetic and potential energy (..., 2) [J].

        The potential energy is 0 where all mass is at the world's origin and no spring is loaded.
        """

        def formula(state: Kinematics) -> Any:
            _, stored = self.passive.forces(state.q, state.v)
            return [kinetic_energy(state), potential_energy(state, self.gravity) + stored]

        return self._evaluate_at_state("energy", formula, (q, v))

    def jacobian(self, q: ArrayLike, link: str, point: Triple = (0.0, 0.0, 0.0)) -> Array:
        """Return the spatial Jacobian (..., 6, nv) of a frame with world axes at a point of a link.

        q: coordinates. link: name of the link. point: the point, in link coordinates [m].
        """
        index = self.figure.link(link).index

        def formula(state: Kinematics) -> Any:
            columns = link_jacobian(state, index, Vector(*point))
            return [[column[k] for column in columns] for k in range(6)]

        flat = self._evaluate_at_rest(f"jacobian {link} {point}", formula, q)
        return flat.reshape(*flat.shape[:-1], 6, self.figure.nv)

    def forward_derivatives(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> tuple[Array, Array, Array]:
        """Return derivatives (..., nv, nv) of forward() with respect to q (along unit joint velocities), v and tau.

        Loops stay closed, as in forward().
        """

        def formula(state: Kinematics, tau: list[Scalar]) -> Any:
            force = self._with_passive(state, tau)
            derivatives = acceleration_derivatives(self.method, state, force, gravity=self.gravity)
            return self._with_passive_derivatives(state, derivatives, derivatives.by_input)

        return self._split(self._evaluate_at_state("forward derivatives", formula, (q, v, tau)))

    def inverse_derivatives(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> tuple[Array, Array, Array]:
        """Return derivatives (..., nv, nv) of inverse() with respect to q (along unit joint velocities), v and a."""

        def formula(state: Kinematics, a: list[Scalar]) -> Any:
            derivatives = inverse_dynamics_derivatives(state, a, gravity=self.gravity)
            return self._with_passive_derivatives(state, derivatives)

        return self._split(self._evaluate_at_state("inverse derivatives", formula, (q, v, a)))

    def _with_passive(self, state: Kinematics, tau: Sequence[Scalar], sign: float = 1.0) -> list[Scalar]:
        """Return joint forces plus sign times spring forces."""
        if not self.passive.springs:
            return list(tau)
        return [x + sign * y for x, y in zip(tau, self.passive.forces(state.q, state.v)[0], strict=True)]

    def _with_passive_derivatives(
        self, state: Kinematics, derivatives: Derivatives, by_force: Rows | None = None
    ) -> list[Rows]:
        """Return derivatives with respect to q, v and the input, including those of the springs.

        by_force: derivatives of accelerations with respect to joint forces; None for inverse dynamics.
        """
        total = [derivatives.by_q, derivatives.by_v]
        if self.passive.springs:
            spring_derivatives = self.passive.derivatives(state)
            passive_terms = [
                matmul(by_force, M) if by_force else [[-x for x in row] for row in M] for M in spring_derivatives
            ]
            total = [plus(A, B) for A, B in zip(total, passive_terms, strict=True)]
        return [*total, derivatives.by_input]

    def _split(self, flat: Array) -> tuple[Array, Array, Array]:
        n = self.figure.nv
        parts = flat.reshape(*flat.shape[:-1], 3, n, n)
        return parts[..., 0, :, :], parts[..., 1, :, :], parts[..., 2, :, :]

    def _evaluate_at_rest(self, name: str, formula: Formula, q: ArrayLike, *, square: bool = False) -> Array:
        """Return the value of a formula at states of rest.

        square: True for formulas of matrices (nv, nv).
        """
        zero = [0.0] * self.figure.nv

        def formula_of_q(q: Sequence[Scalar]) -> Any:
            return formula(kinematics(self.figure, q, zero))

        flat = self._evaluate(name, formula_of_q, (q,))
        return flat.reshape(*flat.shape[:-1], self.figure.nv, self.figure.nv) if square else flat

    def _evaluate_at_state(self, name: str, formula: Formula, arguments: Sequence[ArrayLike]) -> Array:
        """Return the value of a formula at moving states; arguments: q, v, and further arrays (nv)."""

        def formula_of_arguments(q: Sequence[Scalar], v: Sequence[Scalar], *more: Sequence[Scalar]) -> Any:
            return formula(kinematics(self.figure, q, v), *more)

        return self._evaluate(name, formula_of_arguments, arguments)

    def _evaluate(self, name: str, formula: Formula, arguments: Sequence[ArrayLike]) -> Array:
        """Return the value of a formula (..., rows); name: identifies the formula; arguments: q, then arrays (nv)."""
        sizes = [self.figure.nq, *[self.figure.nv] * (len(arguments) - 1)]
        rows, single = _columns(arguments, sizes, self.precision)
        check_orientations(self.figure, rows[0])
        lanes = 1 if single else 0
        program = self._programs.get((name, lanes))
        if program is None:
            structures = tuple([0.0] * size for size in sizes)
            spec = ProgramSpec(name, lambda *trees: (formula(*trees),), structures, key=self._key(name))
            program = self._programs[name, lanes] = Program(spec, self.precision, lanes or None)
        (value,) = program(*rows)
        return value[:, 0] if single else value.T

    def _key(self, name: str) -> tuple[Any, ...]:
        """Return all inputs on which a compiled formula depends, as its key."""
        links = [(link.parent_index, link.joint, link.mass_properties) for link in self.figure.links]
        return (name, links, self.figure.constraints, self.gravity, self.method, self.passive.springs)


def _columns(arguments: Sequence[ArrayLike], sizes: Sequence[int], precision: Precision) -> tuple[list[Array], bool]:
    """Return the arrays with states as columns, and True if there is a single state without an axis W."""
    arrays = [_real(a, precision) for a in arguments]
    for array, size in zip(arrays, sizes, strict=True):
        if array.ndim not in (1, 2) or array.shape[-1] != size:
            raise GambolError(f"an array of shape {array.shape} does not fit; give ({size},), or (W, {size}) for many")
    counts = {len(a) for a in arrays if a.ndim == 2} - {1}
    if len(counts) > 1:
        raise GambolError(f"arrays of {' and '.join(map(str, sorted(counts)))} states cannot be combined")
    matrices = [np.atleast_2d(a)[: 0 if 0 in counts else None] for a in arrays]
    return [np.ascontiguousarray(a.T) for a in matrices], all(a.ndim == 1 for a in arrays)


def _real(numbers: ArrayLike, precision: Precision) -> Array:
    """Return an array of real numbers in a precision."""
    array = np.asarray(numbers)
    if array.dtype.kind not in "biuf":
        raise GambolError(f"an array of {array.dtype} does not fit; give real numbers")
    return array.astype(precision, copy=False)
