"""Contact impulses of a smooth step, and of the impacts of arriving contacts.

    held      w' = w + h (J a + A f)       0 <= w'_n + g / h  with  0 <= f_n, one of them 0; Coulomb's law of w'
    impact    w' = w + A p                 0 <= w'_n + e min(w_n, 0)  with  0 <= p_n, one of them 0; Coulomb's law of w'

[Baraff 1994; Kokkevis 2004; Patil 2007]. Both are computed as impulses, h f and p. Accelerations are means over a whole
step, (w' - w) / h, and rows are evaluated at its end. So turning rows need no derivative of J, and sliding that stops
within the step stays stopped. Closed contacts and joints at their limits take part; loops always do. Contacts that
arrive fast are not held: they are impacts. Restitution that would add energy is reduced until it adds none.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.cones.newton import cone_newton, tiled_newton
from gambol.contact.complementarity.cones.problem import ContactProblem
from gambol.contact.complementarity.cones.tiled_problem import TiledProblem, is_rolled
from gambol.contact.complementarity.cones.tiles import Tiles
from gambol.contact.complementarity.constraint_rows import ConstraintRows
from gambol.contact.complementarity.methods import solver
from gambol.contact.complementarity.resting import force_bounds
from gambol.contact.impulse.several import limit_energy
from gambol.contact.stepping import Constraints
from gambol.dynamics import Kinematics
from gambol.dynamics.forward import Factors, factorised, mass_rows
from gambol.lanes import Array, Scalar, array, maximum, minimum, where
from gambol.spatial.dense import Numbers
from gambol.spatial.rotation import is_constant

SolveImpulses = Callable[[Array, Numbers, Numbers], tuple[Numbers, Scalar]]
"""A function from A in tiles, velocities without impulses, and mu to the impulses and the residual [m/s]."""


def impulse_solver(method: str, limits: int) -> SolveImpulses:
    """Return a solver of contacts, limits and other rows, which are loops and sticking contacts, by name.

    method: a key of SOLVERS. limits: number of joint limits. Raises GambolError for an unknown method.
    """
    solve_rows = solver(method)

    def solve(numbers: Array, b: Numbers, mu: Numbers) -> tuple[Numbers, Scalar]:
        A = Tiles(numbers, len(b) // 3, len(b) // 3, is_rolled(len(b) // 3))
        low, high = force_bounds(limits, len(b) - 3 * len(mu) - limits)
        if solve_rows is cone_newton:
            problem = TiledProblem.of_tiles(A, array(b), mu, low, high)
            tiled = tiled_newton(problem, problem.vector())
            return problem.numbers(tiled.p), tiled.residual
        solution = solve_rows(ContactProblem(A.matrix(), b, mu, low, high))
        return solution.p, solution.residual

    return solve


@dataclass(frozen=True, slots=True)
class Tolerances:
    """Tolerances for closed and resting contacts.

    slack: the largest gap of a closed contact at rest; landing_slack: slack of a closed contact that approaches fast [m
    or rad]. speed: the fastest approach of a contact at rest [m/s or rad/s]. time: the shortest time in which the gap
    of a contact at rest closes [s].
    """

    slack: Scalar
    landing_slack: Scalar
    speed: Scalar
    time: Scalar

    def max_gap(self, at_rest: Scalar) -> Scalar:
        """Return the largest gap that counts as closed [m or rad]. at_rest: 1 for a resting contact, else 0."""
        return where(at_rest > 0.5, self.slack, self.landing_slack)


@dataclass(frozen=True, slots=True)
class ContactSystem:
    """All possible contacts, limits and loops of a figure in one configuration.

    factors: factors of the mass matrix. rows: rows of contacts, limits and loops. gaps: gaps of contacts and limits [m
    or rad]; friction, restitution: of contacts; sticks: for each contact 1 where it sticks under any pull, else 0;
    empty if none may stick.
    """

    factors: Factors
    rows: ConstraintRows
    gaps: Numbers
    friction: Numbers
    restitution: Numbers
    sticks: Numbers

    @staticmethod
    def of(state: Kinematics, constraints: Constraints) -> "ContactSystem":
        """Return the system of constraints, without dry friction."""
        factors, contacts = factorised(mass_rows(state)), constraints.contacts
        return ContactSystem(
            factors,
            ConstraintRows.of(state, factors, constraints),
            list(constraints.gaps),
            [contact.friction for contact in contacts],
            [contact.restitution for contact in contacts],
            [contact.held for contact in contacts if contact.held is not None],
        )

    @property
    def normal_rows(self) -> list[int]:
        """The index of the row of each gap."""
        k = len(self.restitution)
        return [*range(2, 3 * k, 3), *range(3 * k, 2 * k + len(self.gaps))]

    def speeds(self, v: Sequence[Scalar]) -> Numbers:
        """Return the speeds along all rows, at joint velocities v (nv)."""
        return self.rows.speeds(self.factors.multiply(v)).slice(0, len(self.rows))

    def velocity_change(self, p: Sequence[Scalar]) -> Numbers:
        """Return the change of joint velocities (nv) by impulses p along all rows."""
        return self.factors.outward(self.rows.velocity_change(p))

    def row_mask(self, gap_mask: Sequence[Scalar]) -> Numbers:
        """Return for each row 1 where it takes part, else 0; rows of loops and sticking contacts always take part.

        gap_mask: the same for each gap.
        """
        k, sticks = len(self.restitution), [x for x in self.sticks for _ in range(3)]
        contacts = [x for x in gap_mask[:k] for _ in range(3)]
        if sticks:
            contacts = [x * (1.0 - y) for x, y in zip(contacts, sticks, strict=True)]
        loops = [1.0] * (len(self.rows) - 2 * k - len(gap_mask) - len(sticks))
        return [*contacts, *gap_mask[k:], *loops, *sticks]

    def with_sticking(self, p: Sequence[Scalar]) -> Numbers:
        """Return impulses of contacts, limits and loops, from impulses p along all rows.

        The impulses of sticking contacts are added to the contacts' own impulses.
        """
        k = 3 * len(self.sticks)
        n = len(p) - k
        return [*(x + y for x, y in zip(p[:k], p[n:], strict=True)), *p[k:n]]

    def work(self, p: Sequence[Scalar], before: Sequence[Scalar], after: Sequence[Scalar]) -> tuple[Scalar, Scalar]:
        """Return the work of impulses p, first along normals, limits and loops, then along tangents [J].

        before, after: joint velocities at the start and the end (nv).
        """
        speed_sums = self.speeds([x + y for x, y in zip(before, after, strict=True)])
        works = [0.5 * x * w for x, w in zip(p, speed_sums, strict=True)]
        sliding = sum((works[i] + works[i + 1] for i in range(0, 3 * len(self.restitution), 3)), 0.0)
        return sum(works, 0.0) - sliding, sliding

    def depth_correction(self, slack: Scalar) -> Numbers:
        """Return the displacement of the figure (nv) that reduces penetrations deeper than the slack."""
        return self.factors.outward(self.rows.depth_correction(len(self.restitution), self.gaps, slack))


@dataclass(frozen=True, slots=True)
class ContactImpulses:
    """Impulses along all rows [N s or N m s], and the residual of the solver [m/s].

    velocity_change: velocity change of the joints (nv). closed: for each gap 1 where it counted as closed, else 0.
    """

    p: Numbers
    velocity_change: Numbers
    residual: Scalar
    closed: Numbers


def holding_impulses(
    system: ContactSystem,
    start_speeds: Sequence[Scalar],
    v: Sequence[Scalar],
    free: Sequence[Scalar],
    h: Scalar,
    tolerances: Tolerances,
    solve: SolveImpulses,
) -> ContactImpulses:
    """Return the impulses that hold contacts in a step of h [s], to second order.

    system: at the configuration after half the step at velocities v (nv), with the gaps of the start of the step.
    start_speeds: speeds along its rows at the start. free: velocities after the step without contact (nv). v and free
    are along the axes of the middle. tolerances: tolerances for closed contacts. solve: see impulse_solver().

    Rows turn as much in the first half of the step as in the second. So the speed along a row is 0 at the end if J v' =
    start_speeds - J v, with the J of the middle. Gaps close in no less than tolerances.time: otherwise a resting body
    would fall freely in the short remainder of a step that an event has ended.
    """
    before, after = system.speeds(v), system.speeds(free)
    at_rest = [
        where((gap <= tolerances.slack) & (start_speeds[row] >= -tolerances.speed), 1.0, 0.0)
        for gap, row in zip(system.gaps, system.normal_rows, strict=True)
    ]
    mask = system.row_mask(at_rest)
    b = [x + y - z for x, y, z in zip(after, before, start_speeds, strict=True)]
    for gap, row in zip(system.gaps, system.normal_rows, strict=True):
        b[row] = b[row] + maximum(gap, 0.0) / maximum(h, tolerances.time)
    A = system.rows.matrix(mask)
    p, residual = solve(A.numbers, [x * y for x, y in zip(mask, b, strict=True)], system.friction)
    return ContactImpulses(p, system.velocity_change(p), residual, at_rest)


def active_restitution(
    system: ContactSystem, v: Sequence[Scalar], a: Sequence[Scalar], h: Scalar, was_held: Sequence[Scalar]
) -> Numbers:
    """Return the restitution of contacts, 0 for contacts that would hit again within a step of h [s].

    v, a: joint velocities, and accelerations without contact (nv). was_held: for each gap 1 where the previous step
    held the contact, else 0; such a contact does not bounce.
    """
    speeds, accelerations = system.speeds(v), system.speeds(a)
    rows = zip(system.restitution, system.normal_rows, was_held, strict=False)
    return [
        where((-2.0 * e * speeds[row] > abs(accelerations[row]) * h) & (held < 0.5), e, 0.0) for e, row, held in rows
    ]


def impact_impulses(
    system: ContactSystem,
    v: Sequence[Scalar],
    restitution: Sequence[Scalar],
    tolerances: Tolerances,
    was_held: Sequence[Scalar],
    solve: SolveImpulses,
) -> ContactImpulses:
    """Return the impulses that stop contacts which approach at joint velocities v (nv).

    restitution: restitution of contacts. tolerances: tolerances for closed contacts. was_held: for each gap 1 where the
    previous step held the contact, else 0. solve: see impulse_solver().
    """
    before = system.speeds(v)
    resting = [
        where(before[row] >= -tolerances.speed, 1.0, held)
        for row, held in zip(system.normal_rows, was_held, strict=True)
    ]
    closed = [
        where(gap <= tolerances.max_gap(at_rest), 1.0, 0.0) for gap, at_rest in zip(system.gaps, resting, strict=True)
    ]
    mask = system.row_mask(closed)
    A, b = system.rows.matrix(mask), [x * y for x, y in zip(mask, before, strict=True)]
    p, residual = solve(A.numbers, b, system.friction)
    if not all(is_constant(e, 0.0) for e in system.restitution):
        b_target = list(b)
        for e, row in zip(restitution, system.normal_rows, strict=False):
            b_target[row] = b_target[row] + e * minimum(b_target[row], 0.0)
        elastic, elastic_residual = solve(A.numbers, b_target, system.friction)
        p, residual = limit_energy(A.times, b, p, elastic), maximum(elastic_residual, residual)
    return ContactImpulses(p, system.velocity_change(p), residual, closed)
