"""Two muscles at a joint as one actuator; its command is the angle at which they hold the joint.

    tau = r F0 (a+ F(l+, v+) - a- F(l-, v-))        l+- = w -+ r (q - middle) / l0        a' = (u - a) / rise

The excitations u+ and u- of antagonists.py hold the joint at the commanded angle with the pair's stiffness. They are at
most 1: where more is needed, the angle is nearer to the middle or the stiffness smaller. Tendons are rigid. Only the
products r F0 and l0 / r act on the joint.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any, ClassVar

from gambol.actuation.actuator import Actuator, ActuatorInput, DrawnPath, Numbers
from gambol.actuation.muscle.antagonists import active_with_slope, balancing_excitations
from gambol.actuation.muscle.curves.mujoco import MUJOCO
from gambol.actuation.muscle.energetics import Metabolism, contraction_of
from gambol.actuation.muscle.path_lines import line_beside
from gambol.actuation.step_energy import StepEnergy
from gambol.errors import WorldError
from gambol.figure.template import has_variable_topology
from gambol.lanes import Scalar, minimum

WORKING_LENGTH = 0.75
"""Length of the fibres in the middle of the range [optimal lengths]: where MuJoCo's active curve is steepest."""

DRAWN_ARM = 1.1
"""Distance of a drawn muscle from the middle of the bodies, over its arm: the arm of evolved muscles is the radius of a
body, inside which a muscle would be hidden."""

POSITIVE, NEGATIVE = "positive", "negative"
"""The muscles that pull towards greater and towards smaller q; their activations are the state."""

SIGNS = {POSITIVE: 1.0, NEGATIVE: -1.0}


@dataclass(frozen=True)
class AntagonistPair(Actuator):
    """Two muscles at a joint with one degree of freedom. Its command is the angle that they hold.

    lower, upper: range of this angle [rad or m]. radius: moment arm r of both [m], 1 at a prismatic joint. max_force:
    F0, isometric, at optimal length [N]. optimal_length: l0 [m]. tone: activation of both muscles when they hold the
    middle. rise: time constant of the activation [s]. max_velocity: velocity of shortening [optimal lengths per
    second]. joints: as for Actuator. metabolism: a model of the energy that both muscles draw from their source, or
    None: the power at the joint. The state consists of both activations, which are 0 at the start. Raises WorldError
    for invalid numbers, and for fibres that are too short for the range of angles.
    """

    kind: ClassVar[str] = "antagonist pair"
    commands: ClassVar[tuple[str, ...]] = ("angle",)
    held: ClassVar[bool] = False

    lower: float
    upper: float
    radius: float
    max_force: float
    optimal_length: float
    tone: float = 0.2
    rise: float = 0.01
    max_velocity: float = 10.0
    joints: tuple[str, ...] = ()
    metabolism: Metabolism | None = None

    def __post_init__(self) -> None:
        if not -math.inf < self.lower <= self.upper < math.inf:
            raise WorldError(f"muscles cannot hold angles from {self.lower} to {self.upper}; give a lower and an upper")
        for name in ("radius", "max_force", "optimal_length", "tone", "rise", "max_velocity"):
            if not 0.0 < getattr(self, name) < math.inf:
                raise WorldError(f"the {name} of antagonists is {getattr(self, name)}; it must be more than 0")
        if self.tone > 1.0:
            raise WorldError(f"the tone of antagonists is {self.tone}; it is an activation: give at most 1")
        least = 2.0 * self.radius * (self.upper - self.lower)  # half the range moves a fibre by a quarter of a length
        if not self.optimal_length > least:
            raise WorldError(
                f"antagonists with fibres of {self.optimal_length:.4g} m cannot hold angles from {self.lower:.4g} to "
                f"{self.upper:.4g}: their active curve ends there; give an optimal_length of more than {least:.4g} m"
            )

    def numbers(self) -> dict[str, Any]:
        """Return its numbers by field."""
        return {name: x for name, x in super().numbers().items() if name != "metabolism"}

    def structure(self) -> tuple[Any, ...]:
        """Return the metabolism, which is the same in all worlds of a program."""
        return () if self.metabolism is None else astuple(self.metabolism)

    def force(self, numbers: Numbers, at: ActuatorInput) -> list[Scalar]:
        """Return their torque or force on the joint [N m or N]."""
        return [sum((sign * self._torque(numbers, at, name) for name, sign in SIGNS.items()), 0.0)]

    def initial_state(self, numbers: Numbers, at: ActuatorInput) -> dict[str, Scalar]:
        """Return the activations at the start: 0."""
        return dict.fromkeys(SIGNS, 0.0)

    def derivative(self, numbers: Numbers, at: ActuatorInput) -> dict[str, Scalar]:
        """Return the rates of both activations [1/s]."""
        target = self.excitations(numbers, at.commands[0])
        return {name: (target[name] - at.state[name]) / numbers["rise"] for name in SIGNS}

    def advanced(self, numbers: Numbers, at: ActuatorInput, h: Scalar) -> dict[str, Scalar]:
        """Return both activations after an implicit Euler step of h [s]."""
        target, fraction = self.excitations(numbers, at.commands[0]), h / (numbers["rise"] + h)
        return {name: at.state[name] + fraction * (target[name] - at.state[name]) for name in SIGNS}

    def supply(self, numbers: Numbers, at: ActuatorInput) -> Scalar | None:
        """Return the power at the joint and the metabolic heat [W]; None without a metabolism."""
        if self.metabolism is None:
            return None
        return self.force(numbers, at)[0] * at.v[0] + self.heat(numbers, at)

    def step_energy(
        self, numbers: Numbers, at: ActuatorInput, end: ActuatorInput, h: Scalar, work: Scalar
    ) -> StepEnergy:
        """Return the work at the joint and the metabolic heat in a large step."""
        heat = h * self.heat(numbers, end)
        return StepEnergy(work + heat, heat)

    def heat(self, numbers: Numbers, at: ActuatorInput) -> Scalar:
        """Return the metabolic heat of both muscles [W], 0 without a metabolism."""
        if self.metabolism is None:
            return 0.0
        by_name = {**numbers, "metabolism": self.metabolism.numbers()}
        excitations, heat = self.excitations(numbers, at.commands[0]), 0.0
        for name, sign in SIGNS.items():
            fibre = self._length(numbers, at.q[0], sign), self._rate(numbers, at.v[0], sign)
            force = self._relative_force(numbers, at, name) - MUJOCO.elastic(MUJOCO.numbers, fibre[0])
            forces = MUJOCO.active(MUJOCO.numbers, fibre[0]), force
            levels = excitations[name], at.state[name]
            heat = heat + self.metabolism.heat(by_name["metabolism"], contraction_of(by_name, levels, fibre, forces))
        return heat

    def outputs(self, numbers: Numbers, at: ActuatorInput) -> dict[str, Scalar]:
        """Return both activations, and the torque or force on the joint [N m or N]."""
        return {**at.state, "torque": self.force(numbers, at)[0]}

    def drawn_paths(self, numbers: Numbers, at: ActuatorInput) -> Sequence[DrawnPath]:
        """Return the path of each muscle past the joint; none in a figure of variable topology."""
        if has_variable_topology(at.kinematics.figure):
            return ()
        strength = numbers["max_force"]
        return tuple(
            DrawnPath(
                [line_beside(sign * DRAWN_ARM * numbers["radius"], at)],
                at.state[name],
                self._torque(numbers, at, name) / numbers["radius"],
                strength,
                name,
            )
            for name, sign in SIGNS.items()
        )

    def excitations(self, numbers: Numbers, angle: Scalar) -> dict[str, Scalar]:
        """Return the excitations that hold the joint at an angle [rad or m], from 0 to 1. numbers: as for numbers()."""
        lengths = [self._length(numbers, angle, sign) for sign in SIGNS.values()]
        _, slope = active_with_slope(MUJOCO, MUJOCO.numbers, WORKING_LENGTH)
        active = [active_with_slope(MUJOCO, MUJOCO.numbers, length) for length in lengths]
        pair = balancing_excitations(active[0], active[1], 2.0 * numbers["tone"] * slope)
        return {name: minimum(u, 1.0) for name, u in zip(SIGNS, pair, strict=True)}

    def _length(self, numbers: Numbers, q: Scalar, sign: float) -> Scalar:
        """Return the length of a fibre at the coordinate q of the joint [optimal lengths]."""
        middle = 0.5 * (numbers["lower"] + numbers["upper"])
        return WORKING_LENGTH - sign * numbers["radius"] * (q - middle) / numbers["optimal_length"]

    def _torque(self, numbers: Numbers, at: ActuatorInput, name: str) -> Scalar:
        """Return the size of the torque or force of one muscle on the joint [N m or N], 0 or more."""
        return numbers["radius"] * numbers["max_force"] * self._relative_force(numbers, at, name)

    def _relative_force(self, numbers: Numbers, at: ActuatorInput, name: str) -> Scalar:
        """Return the force of one muscle divided by F0."""
        length, rate = self._length(numbers, at.q[0], SIGNS[name]), self._rate(numbers, at.v[0], SIGNS[name])
        return MUJOCO.fibre(MUJOCO.numbers, at.state[name], length, rate)

    def _rate(self, numbers: Numbers, v: Scalar, sign: float) -> Scalar:
        """Return the rate of a fibre at the velocity v of the joint [max_velocity]."""
        return -sign * numbers["radius"] * v / (numbers["optimal_length"] * numbers["max_velocity"])


def pair_stiffness(numbers: Mapping[str, Any]) -> Scalar:
    """Return the stiffness of a pair about every angle that it holds [N m/rad or N/m]; numbers: by field."""
    _, slope = active_with_slope(MUJOCO, MUJOCO.numbers, WORKING_LENGTH)
    r = numbers["radius"]
    return 2.0 * numbers["tone"] * slope * numbers["max_force"] * r * r / numbers["optimal_length"]


def middle_torque(pair: AntagonistPair) -> float:
    """Return the torque or force of one muscle, fully active, in the middle of the range [N m or N]."""
    active, _ = active_with_slope(MUJOCO, MUJOCO.numbers, WORKING_LENGTH)
    return float(pair.radius * pair.max_force * active)
