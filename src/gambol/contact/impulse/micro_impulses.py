"""Resting contacts held by micro-impulses: small plastic collisions, one contact after the other, until all rest.

    w = J u - K p        p' = K^-1 (w+ - w) in the friction cone, else the collision from w        u += J^T (p' - p)

[Hahn 1988; Mirtich and Canny 1995; Mirtich 1996; Arnold 1997, section 2.4.4]. J, K: rows and collision matrix of one
contact; w: its velocity without its own impulse p of this step; w+: its velocity at rest. So a contact collides anew
whenever others have changed its velocity, and its whole impulse of the step always pushes and lies in the cone.

Mirtich takes the impulse that reverses w where that lies in the cone, so that a block does not creep down a ramp. Here
it is the impulse that ends at rest: a step displaces a contact by the mean of its velocities at both ends, so one that
rests at both does not creep. Where the cone does not hold the contact, the collision is integrated with friction
(collision.py). Limits, dry friction and loops are updated in the same passes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.contact.impulse.collision import collision
from gambol.contact.stepping.block_list import same_item, scan_blocks
from gambol.contact.stepping.blocks import Block, ContactBlock, Impulses, row_speeds
from gambol.contact.stepping.sweep import ImpulseSolution, largest_change
from gambol.lanes import Precision, Scalar, Subprogram, loop, when, where, working_precision
from gambol.spatial.dense import max_abs
from gambol.spatial.matrix import Symmetric
from gambol.spatial.vector import Vector

MAX_PASSES = 500
"""Limit of passes. Each reduces the speeds that are left by a factor: 0.25 to 0.7 for a box on its face. Five bodies in
a stack take a few hundred passes after an impact."""

PASS_TOLERANCE: dict[Precision, float] = {"float64": 1e-10, "float32": 3e-6}
"""Passes end when none changes a speed by more than this fraction of the largest velocity: some hundred roundings."""


@dataclass(frozen=True, slots=True)
class _Pass:
    """The state between passes.

    u: velocities (nv). impulses: of all blocks. change: largest change of a row's speed by its own impulse in the last
    pass [m/s or rad/s]. count: number of passes.
    """

    u: list[Scalar]
    impulses: Impulses
    change: Scalar
    count: Scalar


def micro_impulses(blocks: Sequence[Block], targets: Sequence[Scalar], u_free: list[Scalar]) -> ImpulseSolution:
    """Return the impulses of a step that keep all blocks at rest, or sliding with friction.

    blocks, targets, u_free: as for block_gauss_seidel(). The passes begin without impulses. `residual` of the result is
    the change of the last pass.
    """
    if not blocks:
        return ImpulseSolution(list(u_free), [], 0.0)
    slide = Subprogram(_slide)
    slack = PASS_TOLERANCE[working_precision()] * max_abs(u_free)

    def update(block: Block, target: Scalar, u: list[Scalar], p: list[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
        w = row_speeds(block, u)
        new = _collided(block, w, p, target, slide) if isinstance(block, ContactBlock) else block.updated(w, p, target)
        for row, after, before in zip(block.rows, new, p, strict=True):
            u = row.after_impulse(u, after - before)
        return u, new

    def next_pass(state: _Pass) -> _Pass:
        u, impulses = scan_blocks(blocks, update, state.u, [state.impulses], fixed=[targets], otherwise=same_item)
        return _Pass(u, impulses, largest_change(blocks, state.impulses, impulses), state.count + 1.0)

    none = [[0.0] * len(block.rows) for block in blocks]
    end = loop(
        lambda state: (state.change > slack) & (state.count < MAX_PASSES),
        next_pass,
        next_pass(_Pass(list(u_free), none, 0.0, 0.0)),
    )
    return ImpulseSolution(end.u, end.impulses, end.change, end.change)


def _collided(
    block: ContactBlock, w: Sequence[Scalar], p: Sequence[Scalar], target: Scalar, slide: Subprogram
) -> list[Scalar]:
    """Return the impulses of a contact (normal, tangents) that collides anew.

    w: its velocity under all present impulses, p: those of its own. target: its normal speed at rest. slide: _slide().
    """
    slip = block.slip_speeds(w)
    rest = block.sticking_impulse(slip[0] - target, slip, p)
    sticks = (rest[0] >= 0.0) & block.within(rest[1], rest[2], block.friction * rest[0])
    if block.held is not None:
        sticks = sticks | (block.held > 0.5)
    normal, x, y = block.rows
    K = Symmetric(
        x.inverse_mass, x.coupling(y), x.coupling(normal), y.inverse_mass, y.coupling(normal), normal.inverse_mass
    )
    without = Vector(slip[1], slip[2], slip[0] - target) - K.times(Vector(p[1], p[2], p[0]))
    return when(where(sticks, 0.0, 1.0) > 0.5, slide, K, without, block.friction, otherwise=list(rest))


def _slide(K: Symmetric, w: Vector, mu: Scalar) -> list[Scalar]:
    """Return the impulses (normal, tangents) of a plastic collision from the velocity w; arguments: see collision()."""
    p = collision(K, w, mu).impulse
    return [p.z, p.x, p.y]
