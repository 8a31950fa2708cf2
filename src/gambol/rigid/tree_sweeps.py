"""Sweeps over rows with the response of whole trees, as a loop in LLVM's assembly language.

    u = u_0 + B^T z,   p by the law of the row,   z = z + B (p - p_before)        B: see tree_entries.py

The law of a row is a program of one lane, which reads u and writes p and its change. From a certain sweep on, z and all
impulses are extrapolated along conjugate directions, see conjugate.py.
"""

from functools import cache

from gambol.lanes import Precision
from gambol.rigid.llvm_writer import INFINITE, ZERO, LlvmWriter
from gambol.rigid.tree_entries import UNROLLED

SWEEP_ARRAYS = (
    *("starts", "places", "entries", "initial", "impulses", "z", "speeds", "changes", "bounds", "base"),
    *("previous", "direction", "control", "law.joint", "arrays.joint", "tables.joint", "law", "arrays", "tables"),
)
SWEEP_NUMBERS = ("joint.rows", "capacity", "z.size", "limit", "conjugate.from", "window", "sweeps")
CONTROL = ("tolerance", "residual", "stall.residual", "stall.ratio", "best.before", "best")
"""Numbers that control sweeps [m/s]: the residual at which they end, and the last residual, which is written; then
STALL_RESIDUAL, STALL_RATIO (no unit), and the best residuals of the window before and of this one."""

BEFORE, BEST = CONTROL.index("best.before"), CONTROL.index("best")


@cache
def sweep_code(precision: Precision) -> str:
    """Return the loop that sweeps over rows until no speed changes by more than the tolerance.

    Arrays: starts, places, entries: see row_code(). initial: u_0 of rows (3, capacity). impulses, speeds: p and u
    (rows, 4), the last number 0. z: directly before the impulses in memory. changes: change of p, and its size as a
    speed [m/s] (rows, 4). bounds: a row without impulse whose third speed is between these is left out (2, capacity).
    base: u_0 (rows, 4), written here. previous, direction: of conjugate directions, see conjugate.py, as long as z and
    the impulses. control: see CONTROL. Then, for joint rows and for contacts, the entry point of their law, its arrays
    and its tables.

    Numbers: joint rows, capacity, length of z, limit of sweeps, first sweep with conjugate directions, STALL_WINDOW,
    and the number of sweeps, which is written here.
    """
    w = LlvmWriter(precision)
    real = w.real
    w.line("define void @run(ptr %arguments, ptr %numbers, i64 %first, i64 %last) {\nentry:")
    for k, name in enumerate(SWEEP_ARRAYS):
        w.line(f"  %{name}.at = getelementptr ptr, ptr %arguments, i64 {k}\n  %{name} = load ptr, ptr %{name}.at")
    w.numbers(*SWEEP_NUMBERS)
    for k, name in enumerate(CONTROL[:4]):
        w.line(f"  %{name}.at = getelementptr {real}, ptr %control, i64 {k}\n  %{name} = load {real}, ptr %{name}.at")
    w.line("  %half = sdiv i64 %z.size, 4\n  %size = add i64 %half, %last\n  br label %zero.head")
    _beginning(w)
    _sweep_head(w)
    start, end = w.load("%starts", "%r", "i64"), w.load("%starts", w.plus("%r", 1), "i64")
    u = _speeds(w, start, end)
    _skip(w, u)
    _update(w, u, start, end)
    _judgement(w)
    _restart(w)
    _stall(w)
    _extrapolation(w)
    w.store("%largest", "%control", 1, real)
    w.store("%n.next", "%numbers", len(SWEEP_NUMBERS) - 1, "i64")
    w.line("  ret void\n}")
    return w.declarations() + w.text + "\n"


def _beginning(w: LlvmWriter) -> None:
    """Write z of the initial impulses, and u_0 row by row."""
    four, real, zero = w.four, w.real, ZERO
    w.line("""zero.head:
  %zk = phi i64 [ 0, %entry ], [ %zk.next, %zero ]
  %z.more = icmp slt i64 %zk, %half
  br i1 %z.more, label %zero, label %begin.head
zero:""")
    w.store("zeroinitializer", "%z", "%zk", four)
    w.line("  %zk.next = add i64 %zk, 1\n  br label %zero.head\nbegin.head:")
    w.line("  %br = phi i64 [ 0, %zero.head ], [ %br.next, %begin.end ]")
    w.line("  %b.more = icmp slt i64 %br, %last\n  br i1 %b.more, label %begin, label %sweep\nbegin:")
    u = "zeroinitializer"
    for k in range(3):
        u = w.put(u, w.load("%initial", w.plus(w.times("%capacity", k), "%br"), real), k)
    w.store(u, "%base", "%br", four)
    p = w.load("%impulses", "%br", four)
    w.line(f"  %is.none = fcmp oeq {real} {_size(w, p)}, {zero}\n  br i1 %is.none, label %begin.end, label %begin.add")
    w.line("begin.add:")
    b_start, b_end = w.load("%starts", "%br", "i64"), w.load("%starts", w.plus("%br", 1), "i64")
    _add_impulse(w, "b", "begin.add", b_start, b_end, p, "begin.end")
    w.line("""begin.end:
  %br.next = add i64 %br, 1
  br label %begin.head
sweep:""")


def _sweep_head(w: LlvmWriter) -> None:
    """Write the heads of sweeps and of their rows."""
    real, zero = w.real, ZERO
    w.line(
        "  %n = phi i64 [ 0, %begin.head ], [ %n.next, %restarted ], [ %n.next, %again ], [ %n.next, %extrapolated ]"
    )
    w.line(
        f"  %square.before = phi {real} [ {zero}, %begin.head ], [ {zero}, %restarted ], [ {zero}, %again ], "
        "[ %square, %extrapolated ]"
    )
    w.line(f"""  br label %row.head
row.head:
  %r = phi i64 [ 0, %sweep ], [ %r.next, %row.end ]
  %largest = phi {real} [ {zero}, %sweep ], [ %largest.next, %row.end ]
  %square = phi {real} [ {zero}, %sweep ], [ %square.next, %row.end ]
  %more = icmp slt i64 %r, %last
  br i1 %more, label %row, label %swept
row:""")


def _speeds(w: LlvmWriter, start: str, end: str) -> str:
    """Write u of a row; return its name."""
    four, real = w.four, w.real
    base = w.load("%base", "%r", four)
    w.line("  br label %u.head\nu.head:")
    w.line(f"  %ue = phi i64 [ {start}, %row ], [ %ue.next, %u.add ]")
    for k in range(UNROLLED):
        begin = base if k == 0 else "zeroinitializer"
        w.line(f"  %u{k} = phi {four} [ {begin}, %row ], [ %u{k}.next, %u.add ]")
    w.line(f"  %u.more = icmp slt i64 %ue, {end}\n  br i1 %u.more, label %u.add, label %u.done\nu.add:")
    for k in range(UNROLLED):
        at = w.plus("%ue", k)
        z = w.splat(w.load("%z", w.load("%places", at, "i64"), real))
        w.fma(z, w.load("%entries", at, four), f"%u{k}", f"%u{k}.next")
    w.line(f"  %ue.next = add i64 %ue, {UNROLLED}\n  br label %u.head\nu.done:")
    return w.new(f"fadd {four} {w.new(f'fadd {four} %u0, %u1')}, {w.new(f'fadd {four} %u2, %u3')}")


def _skip(w: LlvmWriter, u: str) -> None:
    """Leave out a row that has no impulse and needs none."""
    four, real, zero = w.four, w.real, ZERO
    p = w.load("%impulses", "%r", four)
    speed = w.get(u, 2)
    size = _size(w, p)
    low, high = w.load("%bounds", "%r", real), w.load("%bounds", w.plus("%capacity", "%r"), real)
    w.line(f"""  %free = fcmp oeq {real} {size}, {zero}
  %above = fcmp oge {real} {speed}, {low}
  %below = fcmp ole {real} {speed}, {high}
  %inside = and i1 %above, %below
  %left = and i1 %free, %inside
  br i1 %left, label %row.end, label %update
update:""")


def _update(w: LlvmWriter, u: str, start: str, end: str) -> None:
    """Write the update of a row."""
    four, real = w.four, w.real
    w.store(u, "%speeds", "%r", four)
    w.line(
        "  %is.joint = icmp slt i64 %r, %joint.rows\n  br i1 %is.joint, label %of.joint, label %of.contact\nof.joint:"
    )
    w.line("  %r.one = add i64 %r, 1")
    w.line("  call void %law.joint(ptr %arrays.joint, ptr %tables.joint, i64 %r, i64 %r.one)\n  br label %changed")
    w.line("of.contact:\n  %c = sub i64 %r, %joint.rows\n  %c.one = add i64 %c, 1")
    w.line("  call void %law(ptr %arrays, ptr %tables, i64 %c, i64 %c.one)\n  br label %changed\nchanged:")
    change = w.load("%changes", "%r", four)
    amount = w.get(change, 3)
    larger = w.new(f"fcmp ogt {real} {amount}, %largest")
    w.line(f"  %largest.new = select i1 {larger}, {real} {amount}, {real} %largest")
    w.line(f"  %square.new = call {real} @llvm.fma.{w.suffix}({real} {amount}, {real} {amount}, {real} %square)")
    _add_impulse(w, "g", "changed", start, end, change, "row.end")


def _judgement(w: LlvmWriter) -> None:
    """Write the end of a row, and whether sweeps go on."""
    real = w.real
    w.line(f"""row.end:
  %largest.next = phi {real} [ %largest, %u.done ], [ %largest.new, %g.head ]
  %square.next = phi {real} [ %square, %u.done ], [ %square.new, %g.head ]
  %r.next = add i64 %r, 1
  br label %row.head
swept:
  %n.next = add i64 %n, 1
  %coarse = fcmp ogt {real} %largest, %tolerance
  %below.limit = icmp slt i64 %n.next, %limit
  %goes.on = and i1 %coarse, %below.limit
  br i1 %goes.on, label %go, label %finish
go:
  %is.first = icmp eq i64 %n.next, %conjugate.from
  %conjugate = icmp sgt i64 %n.next, %conjugate.from
  br i1 %is.first, label %restart, label %not.first
not.first:
  br i1 %conjugate, label %stall, label %again
again:
  br label %sweep
restart:
  br label %restart.head
restart.head:
  %rk = phi i64 [ 0, %restart ], [ %rk.next, %restart.one ]
  %rk.more = icmp slt i64 %rk, %size
  br i1 %rk.more, label %restart.one, label %restarted
restart.one:""")


def _restart(w: LlvmWriter) -> None:
    """Write the begin of conjugate directions."""
    four, real = w.four, w.real
    w.store(w.load("%z", "%rk", four), "%previous", "%rk", four)
    w.store("zeroinitializer", "%direction", "%rk", four)
    w.line("  %rk.next = add i64 %rk, 1\n  br label %restart.head\nrestarted:")
    w.store(INFINITE, "%control", BEFORE, real)
    w.store("%largest", "%control", BEST, real)
    w.line("  br label %sweep\nstall:")


def _stall(w: LlvmWriter) -> None:
    """End sweeps that no longer reduce the residual, and write the factors of extrapolation."""
    real, zero = w.real, ZERO
    before, best = w.load("%control", BEFORE, real), w.load("%control", BEST, real)
    better = w.new(f"fcmp olt {real} %largest, {best}")
    best = w.new(f"select i1 {better}, {real} %largest, {real} {best}")
    w.store(best, "%control", BEST, real)
    w.line(f"""  %in.window = srem i64 %n.next, %window
  %window.ends = icmp eq i64 %in.window, 0
  br i1 %window.ends, label %judge, label %extrapolate
judge:
  %scaled = fmul {real} {before}, %stall.ratio
  %slow = fcmp olt {real} %scaled, {best}
  %small = fcmp olt {real} {best}, %stall.residual
  %stalled = and i1 %slow, %small""")
    w.store(best, "%control", BEFORE, real)
    w.store(INFINITE, "%control", BEST, real)
    w.line(f"""  br i1 %stalled, label %finish, label %extrapolate
extrapolate:
  %positive = fcmp ogt {real} %square, {zero}
  %shrinks = fcmp ole {real} %square, %square.before
  %keeps = and i1 %positive, %shrinks
  %divisor = select i1 %keeps, {real} %square.before, {real} 1.0
  %quotient = fdiv {real} %square, %divisor
  %beta = select i1 %keeps, {real} %quotient, {real} {zero}
  %is.new = fcmp oeq {real} %square.before, {zero}
  %shares = or i1 %keeps, %is.new
  %share = select i1 %shares, {real} 1.0, {real} {zero}""")


def _extrapolation(w: LlvmWriter) -> None:
    """Write the extrapolation of z and all impulses."""
    four = w.four
    betas, shares = w.splat("%beta"), w.splat("%share")
    w.line("""  br label %x.head
x.head:
  %xk = phi i64 [ 0, %extrapolate ], [ %xk.next, %x.one ]
  %xk.more = icmp slt i64 %xk, %size
  br i1 %xk.more, label %x.one, label %extrapolated
x.one:""")
    x, direction = w.load("%z", "%xk", four), w.load("%direction", "%xk", four)
    change = w.new(f"fsub {four} {x}, {w.load('%previous', '%xk', four)}")
    step = w.new(f"fmul {four} {betas}, {direction}")
    moved = w.new(f"fadd {four} {x}, {step}")
    w.store(moved, "%z", "%xk", four)
    w.store(moved, "%previous", "%xk", four)
    w.store(w.fma(shares, change, step), "%direction", "%xk", four)
    w.line("  %xk.next = add i64 %xk, 1\n  br label %x.head\nextrapolated:\n  br label %sweep\nfinish:")


def _size(w: LlvmWriter, p: str) -> str:
    """The sum of the squares of three components."""
    x, y, z = (w.get(p, k) for k in range(3))
    return w.fma_one(z, z, w.fma_one(y, y, w.new(f"fmul {w.real} {x}, {x}")))


def _add_impulse(w: LlvmWriter, name: str, block: str, start: str, end: str, p: str, after: str) -> None:
    """Write the loop z = z + B p over the entries of a row, which ends in the block NAME.head."""
    real, four = w.real, w.four
    x = [w.get(p, k) for k in range(3)]
    w.line(f"""  br label %{name}.head
{name}.head:
  %{name}e = phi i64 [ {start}, %{block} ], [ %{name}e.next, %{name}.one ]
  %{name}.left = icmp slt i64 %{name}e, {end}
  br i1 %{name}.left, label %{name}.one, label %{after}
{name}.one:""")
    for k in range(UNROLLED):
        at = w.plus(f"%{name}e", k)
        place, B = w.load("%places", at, "i64"), w.load("%entries", at, four)
        total = w.load("%z", place, real)
        for i in range(3):
            total = w.fma_one(w.get(B, i), x[i], total)
        w.store(total, "%z", place, real)
    w.line(f"  %{name}e.next = add i64 %{name}e, {UNROLLED}\n  br label %{name}.head")
