"""What holds contacts over a step of smooth motion, and what stops them where they arrive.

    held      w' = w + h (J a + A f)       0 <= w'_n + g / h  with  0 <= f_n, one of them 0; Coulomb's law of w'
    struck    w' = w + A p                 0 <= w'_n + e min(w_n, 0)  with  0 <= p_n, one of them 0; Coulomb's law of w'

[Baraff 1994; Kokkevis 2004; Patil 2007]. Both are told as impulses, h f and p. Accelerations are those over a whole
step, (w' - w) / h, and rows those where the step leads: so what turns needs no derivative of J, and sliding that comes
to a stop within the step stays there. Closed contacts take part, and joints at their limits; ties always. What arrives
fast is not held, but struck. Restitution that would add energy is taken back as far as it does.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gambol.contact.complementarity.cones.problem import ContactProblem
from gambol.contact.complementarity.methods import solver
from gambol.contact.complementarity.resting import unilateral
from gambol.contact.impulse.several import restrained
from gambol.contact.stepping import Touching, parted
from gambol.contact.stepping.blocks import Block, Grip
from gambol.contact.stepping.rows import Row
from gambol.dynamics import Kinematics
from gambol.dynamics.forward import Factors, factorised, mass_rows
from gambol.lanes import Scalar, maximum, minimum, where
from gambol.spatial.dense import Numbers, Rows
from gambol.spatial.rotation import exactly

Solve = Callable[[Rows, Numbers, Numbers], tuple[Numbers, Scalar]]
"""From A, velocities without impulses, and mu: the impulses, and the residual [m/s]."""


def solving(method: str, limits: int, ties: int) -> Solve:
    """A solver of contacts, limits and ties by name. ties: of loops, and three of each contact that may stick.

    Raises GambolError for an unknown one.
    """
    find, (low, high) = solver(method), unilateral(limits, ties)

    def solve(A: Rows, b: Numbers, mu: Numbers) -> tuple[Numbers, Scalar]:
        found = find(ContactProblem(A, b, mu, low, high))
        return found.p, found.residual

    return solve


@dataclass(frozen=True, slots=True)
class Near:
    """What counts as closed, and as rest.

    slack: the largest gap of what rests, landed: of what comes fast [m or rad]; speed: the fastest approach of what
    rests [m/s or rad/s]; time: the shortest in which a gap of what rests closes [s].
    """

    slack: Scalar
    landed: Scalar
    speed: Scalar
    time: Scalar

    def widest(self, rests: Scalar) -> Scalar:
        """The largest gap that counts as closed [m or rad]. rests: 1 for what rests, else 0."""
        return where(rests > 0.5, self.slack, self.landed)


@dataclass(frozen=True, slots=True)
class Scene:
    """All that may touch in one place of a figure.

    factors: of the mass matrix. blocks: of contacts, limits and ties; gaps: of contacts and limits [m or rad];
    restitution: of contacts; sticks: 1 for those that stick whatever pulls at them, else 0; empty where none may.
    """

    factors: Factors
    blocks: list[Block]
    gaps: Numbers
    restitution: Numbers
    sticks: Numbers

    @staticmethod
    def of(state: Kinematics, touching: Touching) -> "Scene":
        """What touches; without dry frictions."""
        factors = factorised(mass_rows(state))
        blocks = Touching(touching.meetings, touching.stops, (), touching.ties).blocks(state, factors, 0.0)
        meetings = touching.meetings
        sticks = [one.held for one in meetings if one.held is not None]
        return Scene(factors, blocks, list(touching.gaps), [one.restitution for one in meetings], sticks)

    @property
    def rows(self) -> list[Row]:
        """Of contacts two tangents and the normal, of limits, of ties; of contacts once more, for where they stick."""
        rows = [row for block in self.blocks for row in (*block.rows[1:], block.rows[0])]
        return rows + rows[: 3 * len(self.sticks)]

    @property
    def friction(self) -> Numbers:
        """Of contacts."""
        return [block.friction for block in self.blocks if isinstance(block, Grip)]

    @property
    def normals(self) -> list[int]:
        """The row of each gap."""
        k = len(self.restitution)
        return [*range(2, 3 * k, 3), *range(3 * k, 2 * k + len(self.gaps))]

    def speeds(self, v: Sequence[Scalar]) -> Numbers:
        """Along all rows, at joint velocities v (nv)."""
        u = self.factors.undone(v)
        return [row.speed(u) for row in self.rows]

    def moved(self, p: Sequence[Scalar]) -> Numbers:
        """The change of joint velocities (nv) by impulses along all rows."""
        u: Numbers = [0.0] * len(self.factors.L)
        for row, impulse in zip(self.rows, p, strict=True):
            u = row.pushed(u, impulse)
        return self.factors.outward(u)

    def taking_part(self, each: Sequence[Scalar]) -> Numbers:
        """For each row 1 where it takes part, else 0, as the gaps do; ties always. What sticks is a tie."""
        k, sticks = len(self.restitution), [x for x in self.sticks for _ in range(3)]
        contacts = [x for x in each[:k] for _ in range(3)]
        if sticks:
            contacts = [x * (1.0 - y) for x, y in zip(contacts, sticks, strict=True)]
        tied = [1.0] * (len(self.rows) - 2 * k - len(each) - len(sticks))
        return [*contacts, *each[k:], *tied, *sticks]

    def together(self, p: Sequence[Scalar]) -> Numbers:
        """Impulses of contacts, limits and ties, those of ties by which contacts stick added to theirs."""
        k = 3 * len(self.sticks)
        n = len(p) - k
        return [*(x + y for x, y in zip(p[:k], p[n:], strict=True)), *p[k:n]]

    def works(self, p: Sequence[Scalar], before: Sequence[Scalar], after: Sequence[Scalar]) -> tuple[Scalar, Scalar]:
        """What impulses gave between two joint velocities (nv): along normals, limits and ties; and tangents [J]."""
        both = self.speeds([x + y for x, y in zip(before, after, strict=True)])
        works = [0.5 * x * w for x, w in zip(p, both, strict=True)]
        sliding = sum((works[i] + works[i + 1] for i in range(0, 3 * len(self.restitution), 3)), 0.0)
        return sum(works, 0.0) - sliding, sliding

    def apart(self, slack: Scalar) -> Numbers:
        """By what the figure is to move (nv) so that what is deeper than the slack lies less deep."""
        return parted(self.blocks, self.factors, self.gaps, slack)

    def matrix(self, takes_part: Sequence[Scalar]) -> Rows:
        """What unit impulses along rows do along rows, 0 for those that take no part."""
        half = [
            [x * (y * row.coupling(other)) for y, other in zip(takes_part, self.rows[: i + 1], strict=False)]
            for i, (x, row) in enumerate(zip(takes_part, self.rows, strict=True))
        ]
        return [[half[max(i, j)][min(i, j)] for j in range(len(half))] for i in range(len(half))]


@dataclass(frozen=True, slots=True)
class Kept:
    """What contacts did: impulses along all rows [N s or N m s], and by how much they failed: the residual [m/s].

    change: of joint velocities (nv). rests: for each gap 1 where it counted as closed, else 0.
    """

    p: Numbers
    change: Numbers
    residual: Scalar
    rests: Numbers


def held(
    scene: Scene,
    begin: Sequence[Scalar],
    v: Sequence[Scalar],
    free: Sequence[Scalar],
    h: Scalar,
    near: Near,
    solve: Solve,
) -> Kept:
    """What holds contacts in a step of h [s], to second order.

    scene: where the velocities v (nv) lead in half that time, its gaps those as the step begins. begin: speeds along
    its rows then. free: velocities after the step without contact (nv). v and free are told along the axes there.

    Rows turn by the same from the begin to the middle as from there to the end, so what is to rest at the end has the
    speed begin - J v along those of the middle. Gaps close in no less than the usual step: were it the rest of one that
    was cut, what rests would fall freely in it.
    """
    before, after = scene.speeds(v), scene.speeds(free)
    rests = [
        where((gap <= near.slack) & (begin[row] >= -near.speed), 1.0, 0.0)
        for gap, row in zip(scene.gaps, scene.normals, strict=True)
    ]
    takes_part = scene.taking_part(rests)
    b = [x + y - z for x, y, z in zip(after, before, begin, strict=True)]
    for gap, row in zip(scene.gaps, scene.normals, strict=True):
        b[row] = b[row] + maximum(gap, 0.0) / maximum(h, near.time)
    p, residual = solve(scene.matrix(takes_part), [x * y for x, y in zip(takes_part, b, strict=True)], scene.friction)
    return Kept(p, scene.moved(p), residual, rests)


def bouncing(scene: Scene, v: Sequence[Scalar], a: Sequence[Scalar], h: Scalar, held: Sequence[Scalar]) -> Numbers:
    """Restitution of contacts, 0 for those that would be back within a step of h [s].

    a: accelerations without contact (nv). held: for each gap 1 where the step before held it, else 0; what it let come
    nearer does not bounce.
    """
    speeds, pulls = scene.speeds(v), scene.speeds(a)
    each = zip(scene.restitution, scene.normals, held, strict=False)
    return [where((-2.0 * e * speeds[row] > abs(pulls[row]) * h) & (rests < 0.5), e, 0.0) for e, row, rests in each]


def struck(
    scene: Scene, v: Sequence[Scalar], restitution: Sequence[Scalar], near: Near, held: Sequence[Scalar], solve: Solve
) -> Kept:
    """What stops contacts that approach at joint velocities v (nv).

    restitution: of contacts. held: for each gap 1 where the step before held it, else 0.
    """
    before = scene.speeds(v)
    calm = [where(before[row] >= -near.speed, 1.0, rests) for row, rests in zip(scene.normals, held, strict=True)]
    closed = [where(gap <= near.widest(rests), 1.0, 0.0) for gap, rests in zip(scene.gaps, calm, strict=True)]
    takes_part = scene.taking_part(closed)
    A, b = scene.matrix(takes_part), [x * y for x, y in zip(takes_part, before, strict=True)]
    p, residual = solve(A, b, scene.friction)
    if not all(exactly(e, 0.0) for e in scene.restitution):
        aimed = list(b)
        for e, row in zip(restitution, scene.normals, strict=False):
            aimed[row] = aimed[row] + e * minimum(aimed[row], 0.0)
        full, missed = solve(A, aimed, scene.friction)
        p, residual = restrained(A, b, p, full), maximum(missed, residual)
    return Kept(p, scene.moved(p), residual, closed)
