"""A variational integrator: impulses of forces, and between them free motion with a stationary discrete action.

    p = M v + h / 2 f(t, q, v)        p = -D1 L_d(q, q'),  p' = D2 L_d(q, q')        M' v' = p' + h / 2 f(t + h, q', v*)
    L_d(q, q') = h T(q_m, v_m)        q_m = q (+) x / 2,  v_m = U^T x / h,  q' = q (+) x

Order 2. With conservative forces it is symplectic, so that the energy of any figure, whose mass matrix depends on its
posture, oscillates about its true value and does not drift; momentum and angular momentum along symmetries of the
forces are conserved to rounding. Forces may also depend on velocity: v* is a prediction of v', with an error of h^2.
Forces are explicit, so a spring needs w h below 2. Cost: 2 evaluations of forces, two factorisations for nv unknowns,
and about 5 to 10 gradients of the kinetic energy (by dual numbers). The iteration converges if h times the angular
velocity is below about 1. [Marsden and West 2001; Lee, Leok and McClamroch 2007]
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from gambol.errors import GambolError
from gambol.integrate.columns import linear_matrix, value_and_jacobian
from gambol.integrate.elimination import Factors, factorise
from gambol.integrate.solve import Root, residual_above_rounding, residual_norm
from gambol.integrate.system import MotionState, Numbers, StepResult, System, unit_vectors
from gambol.lanes import Scalar, Subprogram, loop, where
from gambol.spatial.dense import max_abs

MAX_ITERATIONS = 40
"""Maximum number of iterations for the free motion; each multiplies the error by about h times the angular velocity."""

Momentum = Callable[[Numbers, Numbers], Numbers]
DiscreteMomentum = Callable[[Numbers, Numbers, Scalar], Numbers]


@dataclass(frozen=True, slots=True)
class FreeMotion:
    """The state of the iteration for free motion: its mean chart velocity u, and the change to add next.

    residual: least residual of the momentum so far; error: estimated error of u; iterations: number of iterations;
    active: 1 until the iteration ends, then 0.
    """

    u: Numbers
    change: Numbers
    residual: Scalar
    error: Scalar
    iterations: Scalar
    active: Scalar


def variational(system: System, t: Scalar, state: MotionState, h: Scalar) -> StepResult:
    """Take a step of length h [s] from time t [s]. Raises GambolError for a system without momentum and force."""
    if system.momentum is None or system.force is None:
        raise GambolError("the variational method needs the momentum and the force of its system; give both")
    half, discrete_momentum = 0.5 * h, Subprogram(partial(_discrete_momentum, system))
    f, w_dot = system.force(t, state.q, state.v)
    mass, p = _mass(system.momentum, state.q, state.v)
    p = [x + half * y for x, y in zip(p, f, strict=True)]
    motion = free_motion(system, discrete_momentum, state.q, (mass, p), h)
    u = motion.x
    x = [h * y for y in u]
    q = system.integrate(state.q, x)
    p = discrete_momentum(state.q, x, h)
    mass, _ = _mass(system.momentum, q, state.v)
    v = mass.solve([x + half * y for x, y in zip(p, f, strict=True)])
    f, w_dot_end = system.force(t + h, q, v)
    v = mass.solve([x + half * y for x, y in zip(p, f, strict=True)])
    w = [x + half * (y + z) for x, y, z in zip(state.w, w_dot, w_dot_end, strict=True)]
    return StepResult(MotionState(q, v, w), x, [], motion.residual)


def free_motion(
    system: System, discrete_momentum: DiscreteMomentum, q: Numbers, start: tuple[Factors, Numbers], h: Scalar
) -> Root:
    """Return the mean chart velocity of the free motion from q.

    system: the system; discrete_momentum: D2 L_d; q: coordinates at the start; start: factors of the mass matrix
    and momentum at the start; h: length of the step [s].
    """
    M, p = start

    def iterate(state: FreeMotion) -> FreeMotion:
        u = [a + b for a, b in zip(state.u, state.change, strict=True)]
        x = [h * y for y in u]
        p_start = discrete_momentum(system.integrate(q, x), [-y for y in x], -h)
        residuals = [a - b for a, b in zip(p, p_start, strict=True)]
        size = residual_norm(residuals)
        better = (size < state.residual) & (state.iterations < MAX_ITERATIONS)
        change = system.chart_velocity(q, M.solve(residuals))
        best = [where(better, a, b) for a, b in zip(u, state.u, strict=True)]
        least, error = where(better, size, state.residual), where(better, max_abs(change), state.error)
        return FreeMotion(best, change, least, error, state.iterations + 1.0, where(better, 1.0, 0.0))

    guess = system.chart_velocity(q, M.solve(p))
    start_state = FreeMotion(guess, [0.0] * len(p), float("inf"), float("inf"), 0.0, 1.0)
    end = loop(lambda state: state.active > 0.5, iterate, start_state)
    return Root(end.u, residual_above_rounding(end.error, end.u))


def _discrete_momentum(system: System, q: Numbers, x: Sequence[Scalar], h: Scalar) -> Numbers:
    """Return D2 L_d, the momentum at the end of a step from q by x; -D1 L_d is D2 L_d of the reverse step, with -h."""

    def action(y: Numbers) -> list[Scalar]:
        middle = system.integrate(q, [0.5 * z for z in y])
        v = system.velocity(middle, [z / h for z in y])
        assert system.momentum is not None
        return [0.5 * h * sum((a * b for a, b in zip(v, system.momentum(middle, v), strict=True)), 0.0)]

    _, (gradient,) = value_and_jacobian(action, x)
    columns = (system.tangent_rate(q, x, unit) for unit in unit_vectors(len(x)))
    return [sum((a * b for a, b in zip(gradient, column, strict=True)), 0.0) for column in columns]


def _mass(momentum: Momentum, q: Numbers, v: Numbers) -> tuple[Factors, Numbers]:
    """Return the factors of the mass matrix M, and M v. momentum: function of q and v, linear in v."""
    M = linear_matrix(lambda velocity: momentum(q, velocity), len(v))
    return factorise(M), momentum(q, v)
