"""The muscle: a fibre with activation dynamics, and a tendon, along a path over joints.

    a' = rate(u, a)        l' = v_max v(a, l, L(q))        F = F0 T(e)        tau_k = -F dL/dq_k

With a rigid tendon l and v follow from the path, and F is the force of the fibre along the tendon, 0 or more. In the
energy ledger, `supply` is the power -F_ce l' of the contractile element, `heat` is the power that damping dissipates,
and `energy` is stored in tendon, passive element and buffer. [Zajac 1989; Millard et al. 2013]
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from gambol.actuation.actuator import Actuator, ActuatorInput, DrawnPath, Numbers, at_mean_velocities
from gambol.actuation.implicit_force import ImplicitForce
from gambol.actuation.muscle.activation import ActivationDynamics, activation_named
from gambol.actuation.muscle.along_path import along_path, gained_speed, mean_forces, stored_in_step
from gambol.actuation.muscle.checks import check_activation, check_changes, check_sizes, length_problem
from gambol.actuation.muscle.curves.curve_set import CurveSet
from gambol.actuation.muscle.curves.table import curves_named
from gambol.actuation.muscle.energetics import Metabolism, contraction_of
from gambol.actuation.muscle.equilibrium import FibreTendon
from gambol.actuation.muscle.path import Path
from gambol.actuation.muscle.path_lines import path_lines
from gambol.actuation.step_energy import StepEnergy
from gambol.errors import WorldError
from gambol.figure import PlacedLink
from gambol.lanes import Scalar, clamp, cos, maximum, minimum

ACTIVATION, FIBRE = "activation", "fibre_length"
MAX_TENDON_FORCE = 5.0
"""Maximum force of a tendon divided by F0 for which its curve is valid. [OpenSim, bounds of tendon force]"""

SIZES = ("max_force", "optimal_length", "slack_length", "max_velocity")


@dataclass(frozen=True)
class Muscle(Actuator):
    """A muscle with its tendon, over one or more joints. Its command is the excitation, from 0 to 1.

    joints: joints that it spans, by names of links. path: the path over these joints. max_force: F0, isometric, at
    optimal length [N]. optimal_length: optimal length of the fibre [m]. slack_length: slack length of the tendon [m].
    max_velocity: velocity of shortening [optimal lengths per second]. pennation: angle of the fibre at optimal length
    [rad]. curves: a row of CURVES. curve_numbers: numbers that replace numbers of this row. activation_dynamics: a row
    of ACTIVATIONS; None: the default row of the curves. activation_numbers: numbers that replace numbers of that row.
    rigid_tendon: True for a tendon that does not stretch. damping: damping of the fibre, divided by F0 and
    max_velocity; None: the default of the curves. initial_activation: activation at the start of a run; None: the least
    activation of the curves. metabolism: a model of the energy that the muscle draws from its source, or None. The
    state is the activation and, with a compliant tendon, the length of the fibre in optimal lengths, which starts in
    equilibrium. Raises WorldError for invalid numbers and unknown names.
    """

    kind: ClassVar[str] = "muscle"
    commands: ClassVar[tuple[str, ...]] = ("excitation",)

    joints: tuple[str, ...]
    path: Path
    max_force: float
    optimal_length: float
    slack_length: float
    max_velocity: float = 10.0
    pennation: float = 0.0
    curves: str = "geyer-herr 2010"
    curve_numbers: Mapping[str, float] = field(default_factory=dict[str, float])
    activation_dynamics: str | None = None
    activation_numbers: Mapping[str, float] = field(default_factory=dict[str, float])
    rigid_tendon: bool = False
    damping: float | None = None
    initial_activation: float | None = None
    metabolism: Metabolism | None = None

    def __post_init__(self) -> None:
        check_sizes({name: getattr(self, name) for name in (*SIZES, "pennation")}, self.viscosity, self.rigid_tendon)
        check_changes("curves", self.curves, self.curve_set.numbers, self.curve_numbers)
        check_changes("activation dynamics", self.dynamics.name, self.dynamics.numbers, self.activation_numbers)
        check_activation(self.initial_activation)
        if self.curve_set.tendon is None and not self.rigid_tendon:
            raise WorldError(f'the muscle curves "{self.curves}" have no tendon; give rigid_tendon=True')
        if not self.joints:
            raise WorldError("a muscle needs the joints that it spans, by names of links: joints=(...)")

    @property
    def curve_set(self) -> CurveSet:
        """Its row of CURVES."""
        return curves_named(self.curves)

    @property
    def dynamics(self) -> ActivationDynamics:
        """Its row of ACTIVATIONS."""
        return activation_named(self.activation_dynamics or self.curve_set.activation)

    @property
    def viscosity(self) -> float:
        """The damping of its fibre: the given one, or the default of its curves."""
        return self.curve_set.damping if self.damping is None else self.damping

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of the muscle, its curves, its activation dynamics and its path."""
        least, start = self.curve_set.least_activation, self.initial_activation
        return {
            **{name: getattr(self, name) for name in SIZES},
            "damping": self.viscosity,
            **({"pennation": self.pennation} if self.pennation else {}),
            "curves": {**self.curve_set.numbers, **self.curve_numbers},
            "activation": {**self.dynamics.numbers, **self.activation_numbers},
            "path": self.path.numbers(),
            **({"metabolism": self.metabolism.numbers()} if self.metabolism else {}),
            "least_activation": least,
            "initial_activation": least if start is None else start,
        }

    def structure(self) -> tuple[Any, ...]:
        """Return names of curves and dynamics, the path, and flags for a rigid tendon, pennation and damping."""
        names = (self.curves, self.dynamics.name, self.metabolism.model if self.metabolism else "")
        return (*names, self.rigid_tendon, self.pennation != 0.0, self.viscosity != 0.0, self.path.structure())

    def bounds(self, numbers: Numbers) -> list[tuple[Scalar, Scalar]]:
        """Return the range of the excitation: from 0 to 1."""
        return [(0.0, 1.0)]

    def check(self, name: str, links: Sequence[PlacedLink]) -> None:
        """Raise WorldError if its path cannot run over these joints."""
        self.path.check(name, links)

    def initial_state(self, numbers: Numbers, at: ActuatorInput) -> dict[str, Scalar]:
        """Return its activation, and the length of the fibre at rest in equilibrium."""
        a = numbers["initial_activation"]
        if self.rigid_tendon:
            return {ACTIVATION: a}
        return {ACTIVATION: a, FIBRE: self._fibre_tendon(numbers, replace(at, state={ACTIVATION: a})).at_rest()}

    def start_problem(self, numbers: Numbers, at: ActuatorInput) -> str:
        """Return a message if the muscle has no length, or if the tendon would begin far beyond its curve."""
        problem = length_problem(float(np.min(np.asarray(self._length(numbers, at), float))))
        if problem or self.rigid_tendon:
            return problem
        muscle, fibre = self._fibre_tendon(numbers, at), at.state[FIBRE]
        force, strain = (np.max(np.asarray(x, float)) for x in (muscle.tendon_force(fibre), muscle.strain(fibre)))
        if force <= MAX_TENDON_FORCE:
            return ""
        return (
            f"begins with its tendon at a strain of {strain:.3g}, beyond its curve, where it would pull with "
            f"{force:.3g} times max_force; give a longer slack_length, or a start at which it is less taut"
        )

    def force(self, numbers: Numbers, at: ActuatorInput) -> list[Scalar]:
        """Return its forces on its joints [N m or N]."""
        tension = self.tension(numbers, at)
        return [arm * tension for arm in self.path.arms(numbers["path"], at)]

    def implicit_force(
        self, numbers: Numbers, at: ActuatorInput, inertias: Sequence[Scalar], h: Scalar
    ) -> ImplicitForce:
        """Return its forces in a large step of h [s], one tension along its path; see along_path()."""
        return along_path(self, numbers, at, h)

    def tension(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return the force of its tendon [N]."""
        muscle = self._fibre_tendon(numbers, at)
        if not self.rigid_tendon:
            return numbers["max_force"] * muscle.tendon_force(at.state[FIBRE])
        fibre, rate = muscle.rigid_fibre(self._rate(numbers, at))
        return numbers["max_force"] * maximum(muscle.fibre_force(fibre, rate) * muscle.cosine(fibre), 0.0)

    def derivative(self, numbers: Numbers, at: ActuatorInput) -> dict[str, Scalar]:
        """Return the rates of activation and of the fibre's length [1/s]."""
        u = self._excitation(numbers, at)
        rates = {ACTIVATION: self.dynamics.rate(numbers["activation"], u, at.state[ACTIVATION])}
        return rates if self.rigid_tendon else {**rates, FIBRE: numbers["max_velocity"] * self._fibre(numbers, at)[1]}

    def advanced(self, numbers: Numbers, at: ActuatorInput, h: Scalar) -> dict[str, Scalar]:
        """Return its state after an implicit Euler step of h [s]; at its end fibre and tendon are in equilibrium."""
        u, a = self._excitation(numbers, at), at.state[ACTIVATION]
        state = {ACTIVATION: self.dynamics.after(numbers["activation"], u, a, h)}
        if self.rigid_tendon:
            return state
        muscle, fibre = self._fibre_tendon(numbers, replace(at, state=state)), at.state[FIBRE]
        return {**state, FIBRE: muscle.after(fibre, h, fibre + h * at.rates[FIBRE] if FIBRE in at.rates else None)}

    def outputs(self, numbers: Numbers, at: ActuatorInput) -> dict[str, Scalar]:
        """Return the signals of its spindle and tendon organ, and its excitation.

        activation; fibre_length [optimal lengths]; fibre_velocity [optimal lengths per second]; force, of the tendon
        [N]; length, of muscle and tendon [m]; velocity, the rate of this length [m/s]; excitation.
        """
        fibre, rate = self._fibre(numbers, at)
        return {
            ACTIVATION: at.state[ACTIVATION],
            FIBRE: fibre,
            "fibre_velocity": numbers["max_velocity"] * rate,
            "force": self.tension(numbers, at),
            "length": self._length(numbers, at),
            "velocity": self._rate(numbers, at),
            "excitation": self._excitation(numbers, at),
        }

    def drawn_paths(self, numbers: Numbers, at: ActuatorInput) -> Sequence[DrawnPath]:
        """Return the lines of its path, see path_lines()."""
        lines = path_lines(self.path, numbers["path"], at)
        force = self.tension(numbers, at)
        return (DrawnPath(lines, at.state[ACTIVATION], force, numbers["max_force"]),) if lines else ()

    def supply(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return the power of the contractile element [W], negative while it is stretched, plus the metabolic heat.

        Where the moment arms of the path are not the derivatives of its length, the extra power at the joints is added.
        """
        muscle, (fibre, rate) = self._fibre_tendon(numbers, at), self._fibre(numbers, at)
        power = -self._contractile(numbers, at, fibre, rate) * rate * self._power_unit(numbers)
        power = power + self._metabolic_heat(numbers, at, fibre, rate)
        if self.rigid_tendon:  # where the force would push, it is 0, and the joints get no power
            power = power + minimum(muscle.fibre_force(fibre, rate), 0.0) * rate * self._power_unit(numbers)
        if not self.path.geared:
            return power
        at_joints = sum((f * v for f, v in zip(self.force(numbers, at), at.v, strict=True)), 0.0)
        return power + at_joints + self.tension(numbers, at) * self._rate(numbers, at)

    def step_energy(
        self, numbers: Numbers, at: ActuatorInput, end: ActuatorInput, h: Scalar, work: Scalar
    ) -> StepEnergy:
        """Return work and heat of the contractile element in a large step, see mean_forces().

        With a rigid tendon it does the work at the joints, and supplies what the other elements store and dissipate.
        """
        heat = h * self.heat(numbers, end)
        if self.rigid_tendon:
            return StepEnergy(work + heat + stored_in_step(self, numbers, at, end.v, h), heat)
        start = self._fibre_tendon(numbers, at).at(0.0, self._length(numbers, at) - 0.5 * h * self._rate(numbers, at))
        end = at_mean_velocities(at, end)
        ends = ((start, at.state[FIBRE]), (self._fibre_tendon(numbers, end), end.state[FIBRE]))
        fibre, speed = self._fibre(numbers, end)
        tension, contractile = mean_forces(self.curve_set, ends, speed)
        power = self._metabolic_heat(numbers, end, fibre, speed) - contractile * speed * self._power_unit(numbers)
        if self.path.geared:
            power = power + numbers["max_force"] * tension * gained_speed(self.path, numbers["path"], at, end.v)
        return StepEnergy(h * power, heat)

    def heat(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return the power that the damping of the fibre dissipates, plus the metabolic heat [W]."""
        if self.viscosity == 0.0 and self.metabolism is None:
            return 0.0
        fibre, rate = self._fibre(numbers, at)
        damping = numbers["damping"] * rate * rate * self._power_unit(numbers)
        return damping + self._metabolic_heat(numbers, at, fibre, rate)

    def energy(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return the energy that tendon, passive element and buffer store [J]."""
        fibre, p = self._fibre(numbers, at)[0] if self.rigid_tendon else at.state[FIBRE], numbers["curves"]
        stored = numbers["max_force"] * numbers["optimal_length"] * self.curve_set.stored(p, fibre)
        if self.rigid_tendon or self.curve_set.tendon is None:
            return stored
        strain = self._fibre_tendon(numbers, at).strain(fibre)
        return stored + numbers["max_force"] * numbers["slack_length"] * self.curve_set.tendon.energy(p, strain)

    def _contractile(self, numbers: Numbers, at: ActuatorInput, fibre: Scalar, rate: Scalar) -> Scalar:
        """Return the force of the contractile element divided by F0."""
        p = numbers["curves"]
        return self.curve_set.fibre(p, at.state[ACTIVATION], fibre, rate) - self.curve_set.elastic(p, fibre)

    def _metabolic_heat(self, numbers: Numbers, at: ActuatorInput, fibre: Scalar, rate: Scalar) -> Scalar:
        """Return the heat of its metabolism [W], 0 if it has no metabolism. fibre, rate: see _fibre()."""
        if self.metabolism is None:
            return 0.0
        levels = self._excitation(numbers, at), at.state[ACTIVATION]
        forces = self.curve_set.active(numbers["curves"], fibre), self._contractile(numbers, at, fibre, rate)
        return self.metabolism.heat(numbers["metabolism"], contraction_of(numbers, levels, (fibre, rate), forces))

    def _power_unit(self, numbers: Numbers) -> Scalar:
        return numbers["max_force"] * numbers["optimal_length"] * numbers["max_velocity"]

    def _excitation(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return the excitation, clamped between the least activation and 1."""
        return clamp(at.commands[0], numbers["least_activation"], 1.0)

    def _length(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return the length of muscle and tendon [m]."""
        length = self.path.motion(numbers["path"], at)[0]
        if not self.path.relative:
            return length
        along = cos(numbers["pennation"]) if self.pennation else 1.0
        return length + numbers["optimal_length"] * along + numbers["slack_length"]

    def _rate(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return the rate of the length [m/s]."""
        return self.path.motion(numbers["path"], at)[1]

    def _fibre_tendon(self, numbers: Numbers, at: ActuatorInput) -> FibreTendon:
        length = self._length(numbers, at)
        return FibreTendon(self.curve_set, self.pennation != 0.0, numbers, at.state[ACTIVATION], length)

    def _fibre(self, numbers: Numbers, at: ActuatorInput) -> tuple[Scalar, Scalar]:
        """Return length [optimal lengths] and rate [max_velocity] of the fibre."""
        if self.rigid_tendon:
            return self._fibre_tendon(numbers, at).rigid_fibre(self._rate(numbers, at))
        if FIBRE in at.rates:  # the step has solved the balance of forces for it
            return at.state[FIBRE], at.rates[FIBRE] / numbers["max_velocity"]
        return at.state[FIBRE], self._fibre_tendon(numbers, at).rate(at.state[FIBRE])
