"""Solutions of plans by both backends, beside CasADi alone: the same program, written by hand in CasADi's symbols.

Cart-pole: Kelly's swing-up [2017] by Hermite-Simpson; the peer takes accelerations from his closed form. Flight: a
quadruped in the air changes its posture with least effort, by inverse dynamics at each node, with accelerations as
unknowns; the peer has the figure's inverse dynamics as a casadi.Function, mapped over the nodes. Times are of solutions
by the same IPOPT, after building.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import process_time
from typing import Any

import casadi as ca
import numpy as np
from numpy.typing import NDArray

from benchmarks.models import figure_of
from benchmarks.rows import Result, Row
from benchmarks.timing import median_and_spread, ratio, time_interleaved
from gambol.dynamics import aba, kinematics, rnea
from gambol.figure import JOINTS, Figure, Joint, Link, MassProperties
from gambol.lanes import Scalar
from gambol.plan import Element, NonlinearProgram, Plan, SolverOptions, casadi_function, kkt_residual, solve
from gambol.plan.problems import quadruped_trot, single_rigid_body_trot
from gambol.plan.solver.casadi_backend import CasadiSolver
from gambol.plan.solver.iterates import Iterates
from gambol.plan.solver.lanes import LanesSolver

Array = NDArray[np.float64]
Scalars = Sequence[Scalar]

REPEATS = 5
TOWR_TOLERANCE = 1e-3  # of IPOPT, in the library by which TOWR calls it
SAME_COST, OPTIMAL = 1e-7, 1e-6  # relative difference of costs, and residual of optimality; IPOPT's tolerance is 1e-8
QUIET = {"ipopt.print_level": 0, "print_time": 0, "ipopt.sb": "yes", "ipopt.tol": SolverOptions().tolerance}

M1, M2, L, D, T, G = 1.0, 0.3, 0.5, 1.0, 2.0, 9.81  # Kelly's cart-pole: masses [kg], length, distance [m], time [s]
FLIGHT_TIME, RISE = 0.6, 2.0  # of the quadruped [s], [m/s]


@dataclass(frozen=True)
class Problem:
    """A program, the same in CasADi's symbols (its cost and constraints of one vector), and degrees of freedom."""

    program: NonlinearProgram
    by_hand: Callable[[Any], tuple[Any, Any]]
    dof: int


def simpson(h: float, y: Scalars, rates: Sequence[Scalar]) -> list[Scalar]:
    """Return the two defects of Hermite-Simpson for a number at begin, middle and end of an interval."""
    end = y[2] - y[0] - h / 6 * (rates[0] + 4 * rates[1] + rates[2])
    return [end, y[1] - (y[0] + y[2]) / 2 - h / 8 * (rates[0] - rates[2])]


def element(name: str, function: Any, unknowns: NDArray[np.intp], equations: int, times: Array) -> Element:
    """Return an element without constants, whose outputs are 0 if it has equations, else a cost."""
    zeros = np.zeros((len(unknowns), equations))
    return Element(name, function, unknowns, np.zeros((len(unknowns), 0)), zeros, zeros, times)


def cart_pole(intervals: int) -> Problem:
    """Return the swing-up of the cart-pole; unknowns (nodes, 5): position, angle, velocities, force."""
    h, nodes = T / intervals, 2 * intervals + 1
    tiny = ((1e-9, 0.0, 0.0), (0.0, 1e-9, 0.0), (0.0, 0.0, 1e-9))
    cart = Link("cart", None, Joint("prismatic", (1.0, 0.0, 0.0)), (), MassProperties(M1, (0.0, 0.0, 0.0), tiny))
    pole = Link("pole", "cart", Joint("revolute", (0.0, -1.0, 0.0)), (), MassProperties(M2, (0.0, 0.0, -L), tiny))
    figure = Figure("cart-pole", (cart, pole))

    def rates(z: Scalars) -> list[Scalar]:
        return [z[2], z[3], *aba(kinematics(figure, z[:2], z[2:4]), [z[4], 0.0])[0]]

    def defect(x: Scalars, constants: Scalars) -> list[Scalar]:
        parts = [x[5 * k : 5 * k + 5] for k in range(3)]
        slopes = [rates(part) for part in parts]
        return [d for i in range(4) for d in simpson(h, [p[i] for p in parts], [s[i] for s in slopes])]

    at, first = np.arange(5 * nodes).reshape(nodes, 5), np.arange(0, 2 * intervals, 2)
    triples = np.concatenate([at[first + k] for k in range(3)], axis=1)
    costs = (element("effort", effort(h), triples[:, [4, 9, 14]], 0, first * h / 2),)
    limits = np.tile([2 * D, np.inf, np.inf, np.inf, 20.0], (nodes, 1))
    lower, upper = -limits, limits.copy()
    lower[0, :4] = upper[0, :4] = 0.0
    lower[-1, :4] = upper[-1, :4] = [D, np.pi, 0.0, 0.0]
    guess = np.linspace(0, 1, nodes)[:, None] * [D, np.pi, 0.0, 0.0, 0.0]
    constraints = (element("defect", defect, triples, 8, first * h / 2),)
    program = NonlinearProgram(guess.ravel(), lower.ravel(), upper.ravel(), costs, constraints)
    return Problem(program, lambda x: cart_pole_by_hand(x, h, nodes), 2)


def effort(h: float) -> Callable[[Scalars, Scalars], list[Scalar]]:
    """Return the integral of u^2 over an interval by Simpson's rule, a function of the three forces."""

    def integral(u: Scalars, constants: Scalars) -> list[Scalar]:
        return [h / 6 * (u[0] * u[0] + 4 * u[1] * u[1] + u[2] * u[2])]

    return integral


def cart_pole_by_hand(x: Any, h: float, nodes: int) -> tuple[Any, Any]:
    """Return cost and constraints of the swing-up in CasADi's symbols. [Kelly 2017, eq. 6.1 and 6.2]"""
    z = ca.SX.sym("z", 5)
    s, c, w, u = ca.sin(z[1]), ca.cos(z[1]), z[3], z[4]
    inertia = M1 + M2 * (1 - c * c)
    along = (L * M2 * s * w * w + u + M2 * G * c * s) / inertia
    turning = -(L * M2 * c * s * w * w + u * c + (M1 + M2) * G * s) / (L * inertia)
    rates = ca.Function("rates", [z], [ca.vertcat(z[2], z[3], along, turning)])
    unknowns = ca.reshape(x, 5, nodes)
    return collocated(unknowns[:4, :], rates.map(nodes)(unknowns), unknowns[4, :], h, [])


def collocated(y: Any, rates: Any, u: Any, h: float, others: list[Any]) -> tuple[Any, Any]:
    """Return the effort, and the defects of Hermite-Simpson with other constraints. y, rates, u: (rows, nodes)."""
    a, m, b = (slice(k, y.shape[1] - 2 + k, 2) for k in range(3))
    end = y[:, b] - y[:, a] - h / 6 * (rates[:, a] + 4 * rates[:, m] + rates[:, b])
    middle = y[:, m] - (y[:, a] + y[:, b]) / 2 - h / 8 * (rates[:, a] - rates[:, b])
    cost = h / 6 * (ca.sumsqr(u[:, a]) + 4 * ca.sumsqr(u[:, m]) + ca.sumsqr(u[:, b]))
    return cost, ca.vertcat(ca.vec(end), ca.vec(middle), *others)


def flight(intervals: int) -> Problem:
    """Return the flight of the quadruped; unknowns (nodes, nq + 3 nv - 6): q, v, joint forces, accelerations."""
    figure, h, nodes = figure_of("quadruped"), FLIGHT_TIME / intervals, 2 * intervals + 1
    nq, nv = figure.nq, figure.nv
    nx, width = nq + nv, nq + 3 * nv - 6
    at, first = np.arange(width * nodes).reshape(nodes, width), np.arange(0, 2 * intervals, 2)

    def dynamics(x: Scalars, constants: Scalars) -> list[Scalar]:
        tau = rnea(kinematics(figure, x[:nq], x[nq:nx]), x[-nv:])[0]
        return [*tau[:6], *(a - b for a, b in zip(tau[6:], x[nx:-nv], strict=True))]

    def positions(x: Scalars, constants: Scalars) -> list[Scalar]:
        parts = [x[nx * k : nx * k + nx] for k in range(3)]
        slopes = [q_dot(figure, part[:nq], part[nq:]) for part in parts]
        return [d for i in range(nq) for d in simpson(h, [p[i] for p in parts], [s[i] for s in slopes])]

    def velocity(x: Scalars, constants: Scalars) -> list[Scalar]:
        return simpson(h, x[:3], x[3:])

    times = np.linspace(0, FLIGHT_TIME, nodes)
    three = [at[first + k] for k in range(3)]
    each = np.repeat(times[first], nv)
    of_velocity = np.stack([*(t[:, nq:nx] for t in three), *(t[:, -nv:] for t in three)], axis=-1).reshape(-1, 6)
    forces = np.stack([t[:, nx:-nv] for t in three], axis=-1).reshape(-1, 3)
    constraints = (
        element("dynamics", dynamics, at, nv, times),
        element("positions", positions, np.concatenate([t[:, :nx] for t in three], axis=1), 2 * nq, times[first]),
        element("velocities", velocity, of_velocity, 2, each),
    )
    costs = (element("effort", effort(h), forces, 0, np.repeat(times[first], nv - 6)),)
    program = NonlinearProgram(*flight_bounds(figure, nodes, width), costs, constraints)
    tape = casadi_function("dynamics", lambda x: dynamics(x, []), [0.0] * width)
    slopes = casadi_function("slopes", lambda x: q_dot(figure, x[:nq], x[nq:]), [0.0] * nx)

    def by_hand(x: Any) -> tuple[Any, Any]:
        z = ca.reshape(x, width, nodes)
        rates = ca.vertcat(slopes.map(nodes)(z[:nx, :]), z[-nv:, :])
        return collocated(z[:nx, :], rates, z[nx:-nv, :], h, [ca.vec(tape.map(nodes)(z))])

    return Problem(program, by_hand, nv)


def q_dot(figure: Figure, q: Scalars, v: Scalars) -> list[Scalar]:
    """Return the derivatives of the coordinates of a figure with a free root and hinges."""
    return [*JOINTS["free"].q_dot(q[:7], v[:6]), *v[6:]]


def flight_bounds(figure: Figure, nodes: int, width: int) -> tuple[Array, Array, Array]:
    """Return first guess, lower and upper bounds of the flight: given start, given joint angles at the end."""
    nq, nx = figure.nq, figure.nq + figure.nv
    start = np.r_[1.0, np.zeros(5), 1.0, np.tile([0.0, 0.6, -1.2], 4)]
    end = np.r_[1.0, np.zeros(5), 1.0 + RISE * FLIGHT_TIME - G / 2 * FLIGHT_TIME**2, np.tile([0.3, -0.2, -0.4], 4)]
    v = np.zeros(figure.nv)
    v[5] = RISE
    guess, lower = np.zeros((nodes, width)), np.full((nodes, width), -np.inf)
    guess[:, :nq] = start + np.linspace(0, 1, nodes)[:, None] * (end - start)
    lower[:, nx : -figure.nv] = -40.0
    upper = -lower
    lower[0, :nx] = upper[0, :nx] = np.r_[start, v]
    lower[-1, 7:nq] = upper[-1, 7:nq] = end[7:]
    return guess.ravel(), lower.ravel(), upper.ravel()


PROBLEMS: dict[str, Callable[[int], Problem]] = {"cart-pole": cart_pole, "quadruped in flight": flight}


def plan(row: Row) -> Result:
    """Solve a program by both backends and by CasADi alone; compare costs and optimality, then times."""
    name, _, intervals = row.model.rpartition(" ")
    problem = PROBLEMS[name](int(intervals))
    program, options = problem.program, SolverOptions()
    lanes, casadi = LanesSolver(program, options), CasadiSolver(program, options)
    x = ca.MX.sym("x", program.initial.size)
    cost, constraints = problem.by_hand(x)
    alone = ca.nlpsol("alone", "ipopt", {"x": x, "f": cost, "g": constraints}, QUIET)
    given = {"x0": program.initial, "lbx": program.lower, "ubx": program.upper, "lbg": 0, "ubg": 0}

    def solved(solver: LanesSolver | CasadiSolver) -> Any:
        return solver.solve(program, Iterates(None, options.tolerance), None)

    by_lanes, by_casadi, cost_alone = solved(lanes), solved(casadi), float(alone(**given)["f"])
    for found in (by_lanes, by_casadi):
        assert found.solved, found.status
        assert abs(found.cost - cost_alone) <= SAME_COST * cost_alone, f"cost {found.cost}, by hand {cost_alone}"
        left = kkt_residual(program, found)
        assert max(left.stationarity, left.violation, left.complementarity) <= OPTIMAL, f"{left}"
    runs = lambda: solved(lanes), lambda: solved(casadi), lambda: alone(**given)
    ours, with_casadi, by_hand = time_interleaved(*runs, repeats=REPEATS)
    (middle, spread), others = median_and_spread(ours), [median_and_spread(t)[0] for t in (with_casadi, by_hand)]
    return Result(
        dof=problem.dof,
        check=f"cost {by_lanes.cost:.8g}; CasADi alone {cost_alone:.8g}; optimal to {OPTIMAL:g}",
        ns_per_step=middle * 1e9,
        spread=spread,
        peer="CasADi alone",
        peer_ns_per_step=others[1] * 1e9,
        ratio=ratio(ours, by_hand),
        compile_s=lanes.build_seconds,
        more={
            "backend_casadi_ms": others[0] * 1e3,
            "backend_casadi_build_s": casadi.build_seconds,
            "unknowns": float(program.initial.size),
            "iterations": float(by_lanes.iterations),
        },
    )


def whole_body_trot() -> Plan:
    """Return the trot of the whole quadruped on the mesh of the single rigid body."""
    whole = quadruped_trot()
    return replace(whole, phases=tuple(replace(phase, intervals=4) for phase in whole.phases))


CYCLES: dict[str, Callable[[], Plan]] = {"single rigid body": single_rigid_body_trot, "whole body": whole_body_trot}
"""A cycle with given phases: half a stride of a trot at 0.8 m/s; the other half is its mirror image."""


def plan_cycle(row: Row) -> Result:
    """Plan a cycle from its first guess in lanes, with functions that are compiled already.

    TOWR plans such a cycle in less than 100 ms [Winkler et al. 2018], to a tolerance of 1e-3, where ours is 1e-8; it
    minimises nothing, ours the effort. Both tolerances are measured, in processor time of all of solve(); "ipopt" are
    the solver's own milliseconds, wall time.
    """
    made, tight, loose = CYCLES[row.model](), SolverOptions(), SolverOptions(tolerance=TOWR_TOLERANCE)
    first = solve(made, backend="lanes")
    rough = solve(made, backend="lanes", options=loose)
    assert first.solved, first.message
    assert rough.solved, rough.message
    assert abs(rough.cost - first.cost) <= 10.0 * TOWR_TOLERANCE * first.cost, f"cost {rough.cost}, but {first.cost}"

    def processor_ms(options: SolverOptions) -> float:
        times: list[float] = []
        for _ in range(REPEATS):
            start = process_time()
            solve(made, backend="lanes", options=options)
            times.append(1e3 * (process_time() - start))
        return float(np.median(times))

    again = solve(made, backend="lanes", options=loose)
    return Result(
        dof=made.figure.nv,
        check=f"cost {first.cost:.6g}, {rough.cost:.6g} to TOWR's tolerance; collocation error {first.error:.1e}",
        contacts="2",
        more={
            "cycle_cpu_ms": processor_ms(loose),
            "tight_cpu_ms": processor_ms(tight),
            "ipopt_ms": again.seconds * 1e3,
            "iterations": float(rough.iterations),
            "tight_iterations": float(first.iterations),
            "unknowns": float(first.solution.unknowns.size),
        },
    )


PLANS = {"plan": plan, "plan cycle": plan_cycle}
