"""The dynamics of a figure on NumPy arrays: what is asked is compiled at the first time, for many states at once."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.dynamics.bodies import STANDARD_GRAVITY, gravity_of
from gambol.dynamics.energy import kinetic_energy, potential_energy
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
from gambol.lanes import Precision, Program, Recipe, Scalar
from gambol.spatial.dense import Rows, plus, times
from gambol.spatial.vector import Vector

Array: TypeAlias = NDArray[Any]
Formula: TypeAlias = Callable[..., Any]


class Dynamics:
    """What a figure's equations say, for one state or for many.

    Coordinates q are arrays (nq,) or (W, nq) for W states, velocities, accelerations and forces (nv,) or (W, nv), in SI
    units, in the order of figure.links; quaternions have length 1. Results have a first axis of W where anything given
    had one. An array of one state serves all W. gravity: its strength along -z, or free fall in world axes [m/s2].
    springs: passive forces of joints by link name, as of Specimen.springs: springs, dampers, friction, biases and
    limits with a stiffness then act beside every tau, and their energy counts as potential. None, as in Pinocchio:
    rigid bodies alone. method: of forward dynamics, by name. Raises GambolError for arrays that do not fit, for unknown
    methods and precisions, for springs that do not fit, and for a figure with a prescribed base, whose acceleration
    nothing here tells.
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
            raise WorldError(f'the base of "{figure.name}" is prescribed; ask figure.with_base("free"), or a World')
        self.figure, self.gravity, self.method = figure, gravity_of(gravity), method
        self.precision: Precision = precision
        self.passive = Passive.of(figure, springs or {})
        self._programs: dict[tuple[str, int], Program] = {}

    def forward(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike | None = None) -> Array:
        """Accelerations (..., nv) under joint forces tau, or none; a figure's loops stay closed."""
        force = np.zeros(self.figure.nv) if tau is None else tau

        def formula(q: list[Scalar], v: list[Scalar], tau: list[Scalar]) -> Any:
            state = kinematics(self.figure, q, v)
            return accelerations(self.method, state, self._with_passive(state, tau), gravity=self.gravity)[0]

        return self._asked("forward", formula, (q, v, force))

    def inverse(self, q: ArrayLike, v: ArrayLike, rates: ArrayLike) -> Array:
        """Joint forces (..., nv) that give the accelerations `rates`, the loops of a figure cut open."""

        def formula(state: Kinematics, rates: list[Scalar]) -> Any:
            return self._with_passive(state, rnea(state, rates, gravity=self.gravity)[0], -1.0)

        return self._of_state("inverse", formula, (q, v, rates))

    def mass_matrix(self, q: ArrayLike) -> Array:
        """M (..., nv, nv)."""
        return self._of_place("mass matrix", mass_matrix, q, square=True)

    def inverse_mass_matrix(self, q: ArrayLike) -> Array:
        """M^-1 (..., nv, nv), found without M."""
        return self._of_place("inverse mass matrix", inverse_mass_matrix, q, square=True)

    def bias(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Joint forces (..., nv) that velocities, gravity and springs ask for while nothing accelerates."""

        def formula(state: Kinematics) -> Any:
            return self._with_passive(state, bias_forces(state, gravity=self.gravity), -1.0)

        return self._of_state("bias", formula, (q, v))

    def gravity_forces(self, q: ArrayLike) -> Array:
        """Joint forces (..., nv) that hold the figure still."""

        def formula(state: Kinematics) -> Any:
            return self._with_passive(state, gravity_forces(state, gravity=self.gravity), -1.0)

        return self._of_place("gravity", formula, q)

    def energy(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Kinetic and potential energy (..., 2) [J].

        The latter is 0 where all mass is at the world's origin and springs are slack.
        """

        def formula(state: Kinematics) -> Any:
            _, stored = self.passive.forces(state.q, state.v)
            return [kinetic_energy(state), potential_energy(state, self.gravity) + stored]

        return self._of_state("energy", formula, (q, v))

    def jacobian(self, q: ArrayLike, link: str, point: Triple = (0.0, 0.0, 0.0)) -> Array:
        """Spatial Jacobian (..., 6, nv) of a frame along world axes at a point of a link, in its coordinates [m]."""
        number = self.figure.link(link).index

        def formula(state: Kinematics) -> Any:
            columns = link_jacobian(state, number, Vector(*point))
            return [[column[k] for column in columns] for k in range(6)]

        flat = self._of_place(f"jacobian {link} {point}", formula, q)
        return flat.reshape(*flat.shape[:-1], 6, self.figure.nv)

    def forward_derivatives(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> tuple[Array, Array, Array]:
        """Derivatives (..., nv, nv) of forward() along unit joint velocities, with respect to v, and to tau.

        Loops stay closed, as they do in forward().
        """

        def formula(state: Kinematics, tau: list[Scalar]) -> Any:
            force = self._with_passive(state, tau)
            found = acceleration_derivatives(self.method, state, force, gravity=self.gravity)
            return self._with_slopes(state, found, found.by_input)

        return self._three(self._of_state("forward derivatives", formula, (q, v, tau)))

    def inverse_derivatives(self, q: ArrayLike, v: ArrayLike, rates: ArrayLike) -> tuple[Array, Array, Array]:
        """Derivatives (..., nv, nv) of inverse() along unit joint velocities, with respect to v, and to `rates`."""

        def formula(state: Kinematics, rates: list[Scalar]) -> Any:
            found = inverse_dynamics_derivatives(state, rates, gravity=self.gravity)
            return self._with_slopes(state, found)

        return self._three(self._of_state("inverse derivatives", formula, (q, v, rates)))

    def _with_passive(self, state: Kinematics, tau: Sequence[Scalar], sign: float = 1.0) -> list[Scalar]:
        """Joint forces with those of the springs added, or taken away by a sign of -1."""
        if not self.passive.springs:
            return list(tau)
        return [x + sign * y for x, y in zip(tau, self.passive.forces(state.q, state.v)[0], strict=True)]

    def _with_slopes(self, state: Kinematics, found: Derivatives, by_force: Rows | None = None) -> list[Rows]:
        """Derivatives by q, v and input with those of the springs counted in.

        by_force: how accelerations change with joint forces; None for inverse dynamics.
        """
        own = [found.by_q, found.by_v]
        if self.passive.springs:
            slopes = self.passive.slopes(state)
            more = [times(by_force, M) if by_force else [[-x for x in row] for row in M] for M in slopes]
            own = [plus(A, B) for A, B in zip(own, more, strict=True)]
        return [*own, found.by_input]

    def _three(self, flat: Array) -> tuple[Array, Array, Array]:
        n = self.figure.nv
        parts = flat.reshape(*flat.shape[:-1], 3, n, n)
        return parts[..., 0, :, :], parts[..., 1, :, :], parts[..., 2, :, :]

    def _of_place(self, name: str, formula: Formula, q: ArrayLike, *, square: bool = False) -> Array:
        """What a formula of a resting state gives."""
        still = [0.0] * self.figure.nv

        def of_numbers(q: Sequence[Scalar]) -> Any:
            return formula(kinematics(self.figure, q, still))

        flat = self._asked(name, of_numbers, (q,))
        return flat.reshape(*flat.shape[:-1], self.figure.nv, self.figure.nv) if square else flat

    def _of_state(self, name: str, formula: Formula, given: Sequence[ArrayLike]) -> Array:
        """What a formula of a moving state, and of further numbers for each velocity, gives."""

        def of_numbers(q: Sequence[Scalar], v: Sequence[Scalar], *more: Sequence[Scalar]) -> Any:
            return formula(kinematics(self.figure, q, v), *more)

        return self._asked(name, of_numbers, given)

    def _asked(self, name: str, formula: Formula, given: Sequence[ArrayLike]) -> Array:
        """The numbers of a formula (..., rows)."""
        sizes = [self.figure.nq, *[self.figure.nv] * (len(given) - 1)]
        rows, single = _columns(given, sizes, self.precision)
        check_orientations(self.figure, rows[0])
        lanes = 1 if single else 0
        program = self._programs.get((name, lanes))
        if program is None:
            forms = tuple([0.0] * size for size in sizes)
            recipe = Recipe(name, lambda *nests: (formula(*nests),), forms, key=self._key(name))
            program = self._programs[name, lanes] = Program(recipe, self.precision, lanes or None)
        (found,) = program(*rows)
        return found[:, 0] if single else found.T

    def _key(self, name: str) -> tuple[Any, ...]:
        """What a compiled formula depends on."""
        links = [(link.parent_index, link.joint, link.mass_properties) for link in self.figure.links]
        return (name, links, self.figure.constraints, self.gravity, self.method, self.passive.springs)


def _columns(given: Sequence[ArrayLike], sizes: Sequence[int], precision: Precision) -> tuple[list[Array], bool]:
    """The arrays as rows of worlds, and whether they are those of a single state."""
    arrays = [_real(a, precision) for a in given]
    for array, size in zip(arrays, sizes, strict=True):
        if array.ndim not in (1, 2) or array.shape[-1] != size:
            raise GambolError(f"an array of shape {array.shape} does not fit; give ({size},), or (W, {size}) for many")
    counts = {len(a) for a in arrays if a.ndim == 2} - {1}
    if len(counts) > 1:
        raise GambolError(f"arrays of {' and '.join(map(str, sorted(counts)))} states do not go together")
    tables = [np.atleast_2d(a)[: 0 if 0 in counts else None] for a in arrays]
    return [np.ascontiguousarray(a.T) for a in tables], all(a.ndim == 1 for a in arrays)


def _real(given: ArrayLike, precision: Precision) -> Array:
    """The numbers of an array in a precision."""
    array = np.asarray(given)
    if array.dtype.kind not in "biuf":
        raise GambolError(f"an array of {array.dtype} does not fit; give real numbers")
    return array.astype(precision, copy=False)
