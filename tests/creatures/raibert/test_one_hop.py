"""A hop of the planar hopper beside one by another program: Lagrange's equations, integrated by SciPy with events.

Its coordinates are those of Raibert (1984): place of the foot, absolute angles of leg and body, length of the leg. It
shares no formula with the library: impacts are projections of velocities, phases end at events.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

import gambol
from gambol.creatures.raibert.hopper import GAINS, HIP, MACHINE, SIZE
from gambol.world import InitialState

G, M, J, m, Jl, k, L = 9.81, 10.0, 10.0, 1.0, 1.0, 1e3, 1.0
SPEED, END = 1.5, 0.9  # m/s, s: until then it has flown, stood, and flies again
START_SPEED = 1.2  # m/s
HIP_GAINS = (150.0, 15.0)  # of the swing and of the attitude
Array = Any


def place(y: Array) -> list[tuple[float, Array, Array]]:
    """Return mass, Jacobian, and second derivative along v of the leg's and the body's centres of mass."""
    (_, _, a, b, w), v = y[:5], y[5:]
    ea, na, eb, nb = (np.array(e) for e in _directions(a, b))
    J_leg = np.column_stack([[1, 0], [0, 1], 0.5 * na, [0, 0], [0, 0]])
    J_body = np.column_stack([[1, 0], [0, 1], w * na, HIP * nb, ea])
    bias_leg = -0.5 * ea * v[2] ** 2
    bias_body = -w * ea * v[2] ** 2 - HIP * eb * v[3] ** 2 + 2.0 * na * v[2] * v[4]
    return [(m, J_leg, bias_leg), (M, J_body, bias_body)]


def _directions(a: float, b: float) -> tuple[Any, ...]:
    """Return the directions from foot to hip and from hip to body, and their derivatives by the angles."""
    return (np.sin(a), np.cos(a)), (np.cos(a), -np.sin(a)), (np.sin(b), np.cos(b)), (np.cos(b), -np.sin(b))


def mass_and_force(y: Array, torque: float, force: float) -> tuple[Array, Array]:
    """Return the mass matrix and the generalised forces. torque: on the leg; force: along the leg."""
    A = np.diag([0.0, 0.0, Jl, J, 0.0])
    f = np.array([0.0, 0.0, torque, -torque, force])
    for mass, jacobian, bias in place(y):
        A += mass * jacobian.T @ jacobian
        f += mass * jacobian.T @ (np.array([0.0, -G]) - bias)
    return A, f


def constrained(y: Array, torque: float, force: float, held: list[int]) -> Array:
    """Return the derivative of the state with some velocities held at 0."""
    A, f = mass_and_force(y, torque, force)
    free = [i for i in range(5) if i not in held]
    acceleration = np.zeros(5)
    acceleration[free] = np.linalg.solve(A[np.ix_(free, free)], f[free])
    return np.r_[y[5:], acceleration]


def stopped(y: Array, held: list[int]) -> Array:
    """Return the state after an inelastic impact that stops some velocities: Gauss' principle."""
    A, _ = mass_and_force(y, 0.0, 0.0)
    C = np.eye(5)[held]
    inverse = np.linalg.inv(A)
    v = y[5:] - inverse @ C.T @ np.linalg.solve(C @ inverse @ C.T, C @ y[5:])
    return np.r_[y[:5], v]


def centre(y: Array) -> tuple[float, float]:
    """Return height and forward speed of the centre of mass."""
    ea, _, eb, _ = (np.array(e) for e in _directions(y[2], y[3]))
    leg, body = y[:2] + 0.5 * ea, y[:2] + y[4] * ea + HIP * eb
    momentum = sum(mass * (jacobian @ y[5:]) for mass, jacobian, _ in place(y))
    return float((m * leg + M * body)[1] / (m + M)), float(momentum[0] / (m + M))


@dataclass
class Hop:
    """The state, the time, and the stance time that the next placement uses."""

    y: Array
    t: float = 0.0
    stance_time: float = 0.425

    def advance(self, held: list[int], control: Any, event: Any = None) -> None:
        """Integrate until an event falls through 0, or until END. control: torque and force from a state."""

        def rates(_: float, y: Array) -> Array:
            return constrained(y, *control(y), held)

        def crossing(_: float, y: Array) -> float:
            return event(y) if event else 1.0

        crossing.terminal, crossing.direction = True, -1  # type: ignore[attr-defined]
        solved = solve_ivp(rates, (self.t, END), self.y, events=crossing, rtol=1e-10, atol=1e-12, max_step=0.01)
        self.y, self.t = solved.y[:, -1], solved.t[-1]

    def flight(self, y: Array) -> tuple[float, float]:
        """Return the torque that swings the leg to its place."""
        speed = centre(y)[1]
        x = 0.5 * self.stance_time * speed + GAINS.placement * (speed - SPEED)
        return HIP_GAINS[0] * (-np.arcsin(x / L) - y[2]) - HIP_GAINS[1] * y[7], 0.0


def attitude(y: Array) -> float:
    """Return the torque that turns the body to half the leg's angle."""
    return HIP_GAINS[0] * (y[3] - 0.5 * y[2]) + HIP_GAINS[1] * y[8]


def hop() -> Array:
    """Return the state at END: flight, landing, the phases of stance, lift-off, flight."""
    h = Hop(np.array([0.0, 0.2, 0.0, 0.0, L, START_SPEED, 0.0, 0.0, 0.0, 0.0]))
    h.advance([4], h.flight, lambda y: y[1])
    landed, h.y = h.t, stopped(h.y, [0, 1])
    h.advance([0, 1], lambda y: (0.0, k * (L - y[4])), lambda y: y[4] - L + GAINS.threshold)
    h.advance([0, 1], lambda y: (attitude(y), k * (L - y[4])), lambda y: -y[9])
    compression = L - h.y[4]
    missing = (m + M) * G * (GAINS.height - centre(h.y)[0]) - 0.5 * k * compression**2
    thrust = float(np.clip(missing / (k * compression), -GAINS.max_thrust, GAINS.max_thrust))
    h.advance([0, 1], lambda y: (attitude(y), k * (L + thrust - y[4])), lambda y: L - GAINS.threshold - y[4])
    h.advance([0, 1], lambda y: (0.0, k * (L - y[4])), lambda y: L - y[4])
    h.stance_time, h.y = h.t - landed, stopped(h.y, [4])
    h.advance([4], h.flight)
    assert h.t == END
    return h.y


def simulated(step: float) -> Array:
    """Return the same numbers from the library: angle and place of the body, angle of the leg, and their rates."""
    size = replace(SIZE, foot=1e-6)  # a point
    gains = replace(GAINS, placement_learning=0.0, height_learning=0.0, acceleration=1e6)
    world = replace(MACHINE, size=size, gains=gains).world(speed=SPEED)
    start = InitialState((0.0, L + HIP + 0.2, 0.0, 0.0, 0.0), (0.0, 0.0, START_SPEED, 0.0, 0.0))
    rough = replace(world.surface, parameters=replace(world.surface.parameters, friction=100.0))
    world = replace(world, surface=rough, initial=start, timing=replace(world.timing, control_step=step, step=step))
    state = gambol.start(world)
    gambol.Engine(world).advance(state, round(END / step))
    (pitch, z, x, hip, _), (spin, up, along, swing, _) = state.q[0], state.v[0]
    turned = np.array([[np.cos(pitch), -np.sin(pitch)], [np.sin(pitch), np.cos(pitch)]]) @ [up, along]
    return np.array([pitch, z, x, pitch + hip, spin, turned[0], turned[1], spin + swing])


def test_a_hop_converges_to_that_of_the_other_program():
    """Phases change at control steps, hence errors are of first order in the step: extrapolated they nearly vanish."""
    y = hop()
    ea, na, eb, nb = (np.array(e) for e in _directions(y[2], y[3]))
    body = y[:2] + y[4] * ea + HIP * eb
    velocity = y[5:7] + y[4] * na * y[7] + ea * y[9] + HIP * nb * y[8]
    expected = np.array([y[3], body[1], body[0], y[2], y[8], velocity[1], velocity[0], y[7]])
    errors = [np.abs(simulated(step) - expected) for step in (1e-3, 1e-4)]
    assert errors[0].max() < 0.02
    assert errors[1].max() < 0.25 * errors[0].max()
