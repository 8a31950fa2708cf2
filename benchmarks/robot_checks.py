"""How far gambol's dynamics of real robots are from Pinocchio's and MuJoCo's."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.robot_peers import InMujoco, InPinocchio, in_mujoco, in_pinocchio
from benchmarks.robots import Robot, specimen_of
from gambol.dynamics import aba, kinematics, mass_matrix, rnea
from gambol.dynamics.tangent import displaced, unwound
from gambol.figure import Figure, random_state
from gambol.formats import Specimen
from gambol.lanes import Program, Recipe, Scalar
from gambol.spatial import Vector

Array = NDArray[np.float64]

AGREES = 1e-9
"""Largest difference of a mass matrix, a force or an acceleration over the largest of its numbers."""

STATES = 3
STEP, SECONDS = 1e-3, 1.0
ROUNDING = 1e-9
"""What may be left of a motion's difference beside both methods' own errors [m, rad and their rates]."""


@dataclass(frozen=True)
class Agreement:
    """Largest relative differences from one peer, over some random states."""

    mass: float
    bias: float
    forward: float
    inverse: float

    @property
    def worst(self) -> float:
        """The largest of them."""
        return max(self.mass, self.bias, self.forward, self.inverse)


def agreement(specimen: Specimen, peer: InMujoco | InPinocchio, states: int = STATES) -> Agreement:
    """How far a figure is from a peer's: accelerations are those under the bias forces and random ones beside them."""
    figure, g = specimen.figure, Vector(*specimen.gravity)
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
        apart = [np.abs(x - y).max() / np.abs(y).max() for x, y in zip(ours, theirs, strict=True)]
        worst = np.maximum(worst, apart)
    return Agreement(*(float(x) for x in worst))


@dataclass(frozen=True)
class Motion:
    """A motion of one second beside MuJoCo's, at one step and at half of it.

    apart: largest difference of the velocities at the end; ours, theirs: how far each method's two results are apart.
    """

    apart: float
    ours: float
    theirs: float

    @property
    def within(self) -> bool:
        """Whether the methods' own errors explain the difference."""
        return self.apart <= 2.0 * (self.ours + self.theirs) + ROUNDING


def motion(specimen: Specimen, peer: InMujoco, step: float = STEP) -> Motion:
    """A motion without joint forces from a state near the start, by methods of order 4."""
    figure = specimen.figure
    rng = np.random.default_rng(5)
    v = rng.normal(size=figure.nv)
    q = np.array(displaced(figure, list(specimen.q), (0.3 * rng.normal(size=figure.nv)).tolist()), float)
    steps = round(SECONDS / step)
    program = _rates_program(specimen)
    ours = [_rolled(program, figure, (q, v), steps * parts, step / parts)[1] for parts in (1, 2)]
    theirs = [peer.roll(q, v, steps * parts, step / parts)[1] for parts in (1, 2)]
    far = [np.abs(a - b).max() for a, b in ((ours[0], theirs[0]), (ours[0], ours[1]), (theirs[0], theirs[1]))]
    return Motion(*(float(x) for x in far))


def _rates_program(specimen: Specimen) -> Program:
    """From q0, a move x of it and v: x', v' and where q is."""
    figure, g = specimen.figure, Vector(*specimen.gravity)

    def rates(q0: list[Scalar], x: list[Scalar], v: list[Scalar]) -> Any:
        q = displaced(figure, q0, x)
        return unwound(figure, q0, x, v), aba(kinematics(figure, q, v), [0.0] * figure.nv, gravity=g)[0], q

    forms = ([0.0] * figure.nq, [0.0] * figure.nv, [0.0] * figure.nv)
    return Program(Recipe("rates of a robot", rates, forms), "float64", 1)


def _rolled(program: Program, figure: Figure, start: tuple[Array, Array], steps: int, h: float) -> tuple[Array, Array]:
    """q and v after some steps of Runge and Kutta's method in coordinates around each step's beginning."""
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
class Verdict:
    """All that was compared of one robot; None where a peer does not read it. read: which file MuJoCo has read."""

    robot: Robot
    pinocchio: Agreement | None
    mujoco: Agreement | None
    read: str
    motion: Motion | None


def verdict(robot: Robot, *, moving: bool = True) -> Verdict:
    """Compare a robot with both peers; AssertionError where it is farther off than it may be."""
    specimen = specimen_of(robot)
    mujoco, read = in_mujoco(robot)
    pinocchio = None if robot.path.suffix == ".xml" else agreement(specimen, in_pinocchio(robot))
    beside = None if mujoco is None else agreement(specimen, mujoco)
    path = None if mujoco is None or not moving else motion(specimen, mujoco)
    for name, found in (("Pinocchio", pinocchio), ("MuJoCo", beside)):
        assert found is None or found.worst < AGREES, f"{robot.name}: {found} from {name}"
    assert path is None or path.within, f"{robot.name}: {path}"
    return Verdict(robot, pinocchio, beside, read, path)
