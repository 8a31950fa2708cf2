"""Sweeps over rows with the response of whole trees, as a loop in LLVM's assembly language.

    u = u_0 + B^T z,   p by the law of the row,   z = z + B (p - p_before)        B: see tree_entries.py

The law of a row is a program of one lane, which reads u and writes p and its change: the same form as elsewhere. Only
the products with B are written here, since programs cannot add to numbers at places that are data. After each sweep, z
and all impulses are extrapolated, see anderson.py.
"""

from functools import cache

from gambol.lanes import Precision
from gambol.rigid.llvm_writer import ZERO, LlvmWriter
from gambol.rigid.tree_entries import UNROLLED

BEGIN_ARRAYS = ("starts", "places", "entries", "initial", "impulses", "z", "base")
BEGIN_NUMBERS = ("capacity", "z.size")
SWEEP_ARRAYS = (
    *("starts", "places", "entries", "impulses", "z", "speeds", "changes", "bounds", "base", "residual"),
    *("law.joint", "arrays.joint", "tables.joint", "law.contact", "arrays.contact", "tables.contact"),
)
SWEEP_NUMBERS = ("joint.rows", "capacity")


@cache
def begin_code(precision: Precision) -> str:
    """Return the loop that sets z to that of the initial impulses, and copies u_0 row by row.

    Arrays: starts, places, entries: see row_code(). initial: u_0 of rows (3, capacity). impulses: p (rows, 4), the last
    number 0. z; base: u_0 (rows, 4), written here.

    Numbers: capacity, and the length of z, a multiple of 4.
    """
    w = LlvmWriter(precision)
    w.line("define void @run(ptr %arrays, ptr %numbers, i64 %first, i64 %last) {\nentry:")
    w.arrays(*BEGIN_ARRAYS)
    w.numbers(*BEGIN_NUMBERS)
    w.line("  %fours = sdiv i64 %z.size, 4\n  br label %zero.head")
    _beginning(w)
    w.line("  ret void\n}")
    return w.declarations() + w.text + "\n"


@cache
def sweep_code(precision: Precision) -> str:
    """Return the loop of one sweep over rows.

    Arrays: starts, places, entries: see row_code(). impulses, speeds: p and u (rows, 4), the last number 0. z. changes:
    change of p, and its size as a speed [m/s] (rows, 4). bounds: a row without impulse whose third speed is between
    these is left out (2, capacity). base: see begin_code(). residual: the largest size of a change, or NaN, is written
    here. Then, for joint rows and for contacts, the entry point of their law, its arrays and its tables.

    Numbers: joint rows, capacity.
    """
    w = LlvmWriter(precision)
    w.line("define void @run(ptr %arrays, ptr %numbers, i64 %first, i64 %last) {\nentry:")
    w.arrays(*SWEEP_ARRAYS)
    w.numbers(*SWEEP_NUMBERS)
    w.line(f"""  br label %row.head
row.head:
  %r = phi i64 [ 0, %entry ], [ %r.next, %row.end ]
  %largest = phi {w.real} [ {ZERO}, %entry ], [ %largest.next, %row.end ]
  %more = icmp slt i64 %r, %last
  br i1 %more, label %row, label %swept
row:""")
    start, end = w.load("%starts", "%r", "i64"), w.load("%starts", w.plus("%r", 1), "i64")
    u = _speeds(w, start, end)
    _skip(w, u)
    _update(w, u, start, end)
    w.line(f"""row.end:
  %largest.next = phi {w.real} [ %largest, %u.done ], [ %largest.new, %g.head ]
  %r.next = add i64 %r, 1
  br label %row.head
swept:""")
    w.store("%largest", "%residual", 0, w.real)
    w.line("  ret void\n}")
    return w.declarations() + w.text + "\n"


def _beginning(w: LlvmWriter) -> None:
    """Write z of the initial impulses, and u_0 row by row."""
    four, real, zero = w.four, w.real, ZERO
    w.line("""zero.head:
  %zk = phi i64 [ 0, %entry ], [ %zk.next, %zero ]
  %z.more = icmp slt i64 %zk, %fours
  br i1 %z.more, label %zero, label %begin.head
zero:""")
    w.store("zeroinitializer", "%z", "%zk", four)
    w.line("  %zk.next = add i64 %zk, 1\n  br label %zero.head\nbegin.head:")
    w.line("  %br = phi i64 [ 0, %zero.head ], [ %br.next, %begin.end ]")
    w.line("  %b.more = icmp slt i64 %br, %last\n  br i1 %b.more, label %begin, label %begun\nbegin:")
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
begun:""")


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
    w.line("  call void %law.contact(ptr %arrays.contact, ptr %tables.contact, i64 %c, i64 %c.one)")
    w.line("  br label %changed\nchanged:")
    change = w.load("%changes", "%r", four)
    amount = w.get(change, 3)
    w.line(f"  %largest.new = call {real} @llvm.maximum.{w.suffix}({real} {amount}, {real} %largest)")  # keeps NaN
    _add_impulse(w, "g", "changed", start, end, change, "row.end")


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
