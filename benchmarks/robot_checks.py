"""Comparison of gambol's dynamics of real robots with Pinocchio's and MuJoCo's."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.robot_peers import MujocoRobot, PinocchioRobot, load_in_mujoco, load_in_pinocchio
from benchmarks.robots import Robot, robot_model
from gambol.dynamics import aba, kinematics, mass_matrix, rnea
from gambol.dynamics.tangent import integrate_configuration, tangent_rates
from gambol.figure import Figure, random_state
from gambol.formats import Model
from gambol.lanes import Program, ProgramSpec, Scalar
from gambol.spatial import Vector

Array = NDArray[np.float64]

TOLERANCE = 1e-9
"""Largest difference of a mass matrix, force or acceleration, relative to its largest entry."""

STATES = 3
STEP, SECONDS = 1e-3, 1.0
MOTION_TOLERANCE = 1e-9
"""Largest difference between motions beyond the errors of both methods [m, rad and their derivatives]."""


@dataclass(frozen=True)
class Agreement:
    """Largest relative differences from a peer over random states."""

    mass: float
    bias: float
    forward: float
    inverse: float

    @property
    def worst(self) -> float:
        """The largest of the differences."""
        return max(self.mass, self.bias, self.forward, self.inverse)


def agreement(model: Model, peer: MujocoRobot | PinocchioRobot, states: int = STATES) -> Agreement:
    """Compare a figure with a peer in random states; the forces are the bias forces plus random ones."""
    figure, g = model.figure, Vector(*model.gravity)
    worst = np.zeros(4)
    for seed in range(states):
        (q, v), (tau, a) = random_state(figure, seed), np.random.default_rng(seed).normal(size=(2, figure.nv))
        state = kinematics(figure, q.tolist(), v.tolist())
        bias = np.array(rnea(state, [0.0] * figure.nv, gravity=g)[0], float)
        ours = (
            np.array(mass_matrix(state), float),
            bias,
            np.array(aba(state, (bias + tau).tolist(), gravity=g)[0], float),
            np.array(rnea(state, a.tolist(), gravity=g)[0], float),
        )
        theirs = (peer.mass(q, v), peer.bias(q, v), peer.forward(q, v, bias + tau), peer.inverse(q, v, a))
        difference = [np.abs(x - y).max() / np.abs(y).max() for x, y in zip(ours, theirs, strict=True)]
        worst = np.maximum(worst, difference)
    return Agreement(*(float(x) for x in worst))


@dataclass(frozen=True)
class Motion:
    """A motion of 1 s compared with MuJoCo's, at one step size and at half of it.

    difference: largest difference of the final velocities; ours, theirs: difference between the two step sizes.
    """

    difference: float
    ours: float
    theirs: float

    @property
    def explained(self) -> bool:
        """True if the errors of the methods explain the difference."""
        return self.difference <= 2.0 * (self.ours + self.theirs) + MOTION_TOLERANCE


def motion(model: Model, peer: MujocoRobot, step: float = STEP) -> Motion:
    """Compare a motion without joint forces from a state near the initial one, with methods of order 4."""
    figure = model.figure
    rng = np.random.default_rng(5)
    v = rng.normal(size=figure.nv)
    q = np.array(integrate_configuration(figure, list(model.q), (0.3 * rng.normal(size=figure.nv)).tolist()), float)
    steps = round(SECONDS / step)
    program = _derivatives_program(model)
    ours = [_simulated(program, figure, (q, v), steps * parts, step / parts)[1] for parts in (1, 2)]
    theirs = [peer.simulate(q, v, steps * parts, step / parts)[1] for parts in (1, 2)]
    far = [np.abs(a - b).max() for a, b in ((ours[0], theirs[0]), (ours[0], ours[1]), (theirs[0], theirs[1]))]
    return Motion(*(float(x) for x in far))


def _derivatives_program(model: Model) -> Program:
    """Return a program from q0, an increment x of it and v to x', v' and q."""
    figure, g = model.figure, Vector(*model.gravity)

    def rates(q0: list[Scalar], x: list[Scalar], v: list[Scalar]) -> Any:
        q = integrate_configuration(figure, q0, x)
        return tangent_rates(figure, q0, x, v), aba(kinematics(figure, q, v), [0.0] * figure.nv, gravity=g)[0], q

    forms = ([0.0] * figure.nq, [0.0] * figure.nv, [0.0] * figure.nv)
    return Program(ProgramSpec("rates of a robot", rates, forms), "float64", 1)


def _simulated(
    program: Program, figure: Figure, start: tuple[Array, Array], steps: int, h: float
) -> tuple[Array, Array]:
    """Return q and v after steps of the Runge-Kutta method, in a chart around the start of each step."""
    q, v = (x.reshape(-1, 1) for x in start)

    def slope(x: Array, u: Array) -> tuple[Array, Array]:
        found = program(q, x, u)
        return found[0], found[1]

    nothing = np.zeros((figure.nv, 1))
    for _ in range(steps):
        x1, v1 = slope(nothing, v)
        x2, v2 = slope(h / 2 * x1, v + h / 2 * v1)
        x3, v3 = slope(h / 2 * x2, v + h / 2 * v2)
        x4, v4 = slope(h * x3, v + h * v3)
        x = h / 6 * (x1 + 2 * x2 + 2 * x3 + x4)
        v = v + h / 6 * (v1 + 2 * v2 + 2 * v3 + v4)
        q = np.array(program(q, x, v)[2], float)
    return q[:, 0], v[:, 0]


@dataclass(frozen=True)
class Comparison:
    """The comparisons of a robot; None if a peer cannot read it. read: the kind of file that MuJoCo has read."""

    robot: Robot
    pinocchio: Agreement | None
    mujoco: Agreement | None
    read: str
    motion: Motion | None


def compare(robot: Robot, *, moving: bool = True) -> Comparison:
    """Compare a robot with both peers. Raises AssertionError if a difference is too large."""
    model = robot_model(robot)
    mujoco, read = load_in_mujoco(robot)
    pinocchio = None if robot.path.suffix == ".xml" else agreement(model, load_in_pinocchio(robot))
    beside = None if mujoco is None else agreement(model, mujoco)
    path = None if mujoco is None or not moving else motion(model, mujoco)
    for name, found in (("Pinocchio", pinocchio), ("MuJoCo", beside)):
        assert found is None or found.worst < TOLERANCE, f"{robot.name}: {found} from {name}"
    assert path is None or path.explained, f"{robot.name}: {path}"
    return Comparison(robot, pinocchio, beside, read, path)
