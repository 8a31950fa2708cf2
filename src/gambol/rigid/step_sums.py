"""The programs between the parts of a step of a pile with joints, see tree_steps.py.

They set initial impulses, take the final ones, sum up work and errors, and decide whether positions are corrected and
whether another step follows. Sums are for each lane; the programs of one lane add them.
"""

from typing import Any, NamedTuple

from gambol.lanes import ProgramSpec, Scalar, gather, maximum, where
from gambol.rigid.anderson import UNKNOWN, WIDTH, Control, summed
from gambol.rigid.body_table import MOTION, ZERO, stored_motion
from gambol.rigid.joint_laws import ROWS, SIX, Six
from gambol.rigid.ledger import CORRECTION, ENTRIES, FRICTION, IMPACT, PUSH, SPRINGS
from gambol.rigid.prepare import least_displacement
from gambol.rigid.state import SMOOTH_RATIO
from gambol.rigid.tree_rows import FOUR, Four
from gambol.spatial import Motion, Vector

Numbers = tuple[Scalar, ...]

SUM_ROWS = 14
"""Rows of sums, for each lane: squares of second and of first changes of impulses (0, 1); of contacts, work of tangents
and normals, and the largest lack (2 to 4); of joints, four works and the largest lack (5 to 9); work of pushes (10); of
a correction, lifted energy and work at open contacts (11, 12); whether contacts changed (13)."""

OF_STEP = 11
"""Rows of sums of a step without its correction."""


class StepControl(NamedTuple):
    """Numbers that control steps.

    limit, done: number of steps to make, and made; more: 1 if another follows. move_tolerance: errors of displacements
    that are not corrected [m]; corrects: 1 if a step corrects. kept: 1 if the contacts are those of the step before;
    smooth: 1 if their impulses are extrapolated. residual, sweeps: of the last step.
    """

    limit: Scalar = 0.0
    done: Scalar = 0.0
    more: Scalar = 0.0
    move_tolerance: Scalar = 0.0
    corrects: Scalar = 0.0
    kept: Scalar = 0.0
    smooth: Scalar = 0.0
    residual: Scalar = 0.0
    sweeps: Scalar = 0.0


KEPT = StepControl._fields.index("kept")


def _begun(p: Vector, change: Vector, smooth: Scalar) -> tuple[Four]:
    """Return the initial impulse of a contact, with a 0."""
    return ((*(p + change * smooth), 0.0),)


def _joint_begun(at: tuple[Scalar, Scalar], impulses: Any) -> tuple[Four]:
    """Return the initial impulse of a joint row, as the third of four; at: its place, and 0 for padding, else 1."""
    place, used = at
    return ((0.0, 0.0, gather(impulses, place) * used, 0.0),)


def _impulses(
    place: Scalar, p: Vector, change: Vector, kept: Scalar, sums: Numbers, found: Any, control: Any
) -> tuple[Any, ...]:
    """Return the final impulse of a contact, its change, and sums of the squares of second and first changes.

    place: of its numbers in the table `found`; p, change: of the step before; kept: place of this one in `control`.
    """
    new = Vector.of([gather(found, place + k) for k in range(3)])
    first = (new - p) * gather(control, kept)
    second = first - change
    return new, first, (sums[0] + second.dot(second), sums[1] + first.dot(first))


def _joint_impulses(places: Six, found: Any) -> tuple[Six]:
    """Return the impulses of a joint; places: in the table `found`."""
    return (tuple(gather(found, place) for place in places),)


def _contact_sums(work: tuple[Scalar, Scalar], lack: Scalar, sums: Numbers) -> tuple[Numbers]:
    """Return sums over contacts."""
    return ((sums[0] + work[0], sums[1] + work[1], maximum(sums[2], lack)),)


def _joint_sums(at: tuple[Scalar, Scalar], stride: Scalar, sums: Numbers, work: Any, lack: Any) -> tuple[Numbers]:
    """Return sums over joints; at: column of a joint, and 0 for padding, else 1; stride: number of columns."""
    place, used = at
    works = [s + gather(work, place + k * stride) * used for k, s in enumerate(sums[:4])]
    largest = sums[4]
    for k in range(ROWS):
        largest = maximum(largest, abs(gather(lack, place + k * stride)) * used)
    return ((*works, largest),)


def _push(wrench: Motion, displacement: Motion, work: Scalar) -> tuple[Scalar]:
    """Return the work of external forces."""
    return (work + wrench.w.dot(displacement.w) + wrench.v.dot(displacement.v),)


def _rows(sums: Numbers, largest: tuple[int, ...] = ()) -> list[Scalar]:
    """Return the sum of the lanes of each row, or the maximum."""
    rows = [sums[k : k + WIDTH] for k in range(0, len(sums), WIDTH)]
    return [_largest(row) if k in largest else summed(row) for k, row in enumerate(rows)]


def _largest(x: Numbers) -> Scalar:
    return x[0] if len(x) == 1 else maximum(x[0], _largest(x[1:]))


def _entered(ledger: Numbers, work: dict[int, Scalar]) -> Numbers:
    """Return the ledger with work by entries; its second half has the compensations of the sums. [Kahan 1965]"""
    totals, compensations = list(ledger[:ENTRIES]), list(ledger[ENTRIES:])
    for entry, added in work.items():
        own = added - compensations[entry]
        total = totals[entry] + own
        totals[entry], compensations[entry] = total, (total - totals[entry]) - own
    return (*totals, *compensations)


def _judged(sums: Numbers, c: StepControl, ledger: Numbers, sweeps: Control) -> tuple[Any, ...]:
    """Return sums of 0, control and ledger after a step, and before its correction."""
    second, first, friction, normal, contact_lack, *of_joints, push = _rows(sums, (4, 9))
    work = {PUSH: push, FRICTION: friction, IMPACT: normal, **{SPRINGS + k: x for k, x in enumerate(of_joints[:4])}}
    corrects = maximum(contact_lack, of_joints[4]) > c.move_tolerance
    done = c.done + 1.0
    is_number = sweeps.residual < UNKNOWN
    smooth = (second <= SMOOTH_RATIO**2 * first) & (c.kept > 0.0)
    made = c._replace(done=done, kept=1.0, residual=sweeps.residual, sweeps=sweeps.sweeps)
    more = where((done < c.limit) & is_number, 1.0, 0.0)
    control = made._replace(more=more, corrects=where(corrects, 1.0, 0.0), smooth=where(smooth, 1.0, 0.0))
    return (0.0,) * len(sums), control, _entered(ledger, work)


def _free_displacement(displacement: Motion, h: Scalar) -> tuple[Motion]:
    """Return a displacement as a velocity."""
    return (Motion(*(Vector.of([x / h for x in part]) for part in (displacement.w, displacement.v))),)


def _correction_law(gap: Scalar, h: Scalar) -> tuple[tuple[Scalar, Scalar, Scalar]]:
    """Return friction and least normal speed of a contact in a position correction, and a 0."""
    return ((0.0, least_displacement(gap) / h, 0.0),)


def _no_impulse(p: Four) -> tuple[Four]:
    """Return an impulse of 0; p: the present one."""
    return (FOUR,)


def _corrected(
    last: Scalar,
    displacement: Motion,
    mass: Scalar,
    stride: Scalar,
    constants: tuple[Vector, Scalar],
    lifted: Scalar,
    store: Any,
) -> tuple[Motion, Scalar]:
    """Return the corrected displacement of a body, and the sum of work of gravity; constants: gravity and h."""
    gravity, h = constants
    moved = stored_motion(store, last, stride) * h
    return moved, lifted + mass * gravity.dot(moved.v - displacement.v)


def _correction_work(
    place: Scalar,
    at: tuple[Scalar, Vector],
    sides: tuple[Scalar, Scalar],
    constants: tuple[Vector, Scalar],
    open_work: Scalar,
    found: Any,
) -> tuple[Scalar]:
    """Return the sum of work against gravity at open contacts with the ground.

    place: of the impulse in the table `found`; at: gap and normal; sides: the bodies.
    """
    gravity, h = constants
    lies_on = (sides[1] <= 0.0) & (at[0] >= 0.0)
    work = -gather(found, place + 2.0) * h * gravity.dot(at[1])
    return (open_work + where(lies_on, work, 0.0),)


def _correction_judged(sums: Numbers, ledger: Numbers) -> tuple[Any, ...]:
    """Return sums of 0, and the ledger after a correction: its work against gravity, at open contacts and at others."""
    lifted, open_work = _rows(sums)
    return (0.0,) * len(sums), _entered(ledger, {IMPACT: open_work, CORRECTION: -lifted - open_work})


def _excess(excess: Scalar, changed: Scalar) -> tuple[Scalar]:
    """Return a number above 0 if a body moved so far that candidates must be found again."""
    return (maximum(changed, excess),)


def _near(near: Scalar, before: Scalar, changed: Scalar) -> tuple[Scalar]:
    """Return a number above 0 if a gap has become a contact, or is none any more."""
    return (maximum(changed, abs(near - before)),)


def _detected(changed: Numbers, c: StepControl) -> tuple[Any, ...]:
    """Return 0, and the control after contact detection."""
    same = _largest(changed) <= 0.0
    return (0.0,) * len(changed), c._replace(more=where(same, c.more, 0.0))


def _spec(name: str, function: Any, examples: tuple[Any, ...], tables: int = 0) -> ProgramSpec:
    return ProgramSpec(f"pile {name}", function, examples, tables, name)


_CONSTANTS = (ZERO, 0.0)
_LEDGER: Numbers = (0.0,) * (2 * ENTRIES)
STEP_PROGRAMS = {
    spec.name.removeprefix("pile "): spec
    for spec in (
        _spec("step begin", _begun, (ZERO, ZERO, 0.0)),
        _spec("step begin of joints", _joint_begun, ((0.0, 0.0),), 1),
        _spec("step impulses", _impulses, (0.0, ZERO, ZERO, 0.0, (0.0, 0.0)), 2),
        _spec("step joint impulses", _joint_impulses, (SIX,), 1),
        _spec("step sums", _contact_sums, ((0.0, 0.0), 0.0, (0.0,) * 3)),
        _spec("step sums of joints", _joint_sums, ((0.0, 0.0), 0.0, (0.0,) * 5), 2),
        _spec("step push", _push, (MOTION, MOTION, 0.0)),
        _spec("step judged", _judged, ((0.0,) * (OF_STEP * WIDTH), StepControl(), _LEDGER, Control())),
        _spec("correction free", _free_displacement, (MOTION, 0.0)),
        _spec("correction law", _correction_law, (0.0, 0.0)),
        _spec("no impulse", _no_impulse, (FOUR,)),
        _spec("corrected", _corrected, (0.0, MOTION, 0.0, 0.0, _CONSTANTS, 0.0), 1),
        _spec("correction work", _correction_work, (0.0, (0.0, ZERO), (0.0, 0.0), _CONSTANTS, 0.0), 1),
        _spec("correction judged", _correction_judged, ((0.0,) * (2 * WIDTH), _LEDGER)),
        _spec("step excess", _excess, (0.0, 0.0)),
        _spec("step near", _near, (0.0, 0.0, 0.0)),
        _spec("step detected", _detected, ((0.0,) * WIDTH, StepControl())),
    )
}
"""The programs between the parts of a step, by name."""
