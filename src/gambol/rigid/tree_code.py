"""Loops over the rows of trees in LLVM's assembly language: what impulses add to z, and sweeps over the rows.

    B of a row: on the way from its body to the root    y = G F,  F = X^T (F - W y);  L^-1 F at the root
    sweep:      u = u_0 + B^T z,   p by the law of the row,   z = z + B (p - p_before)

Rows are those of joints, whose impulse is a number, and then contacts with three. An entry is a number of z and the
three numbers of B for it. The law of a row is a program of one lane, which reads u and writes the change of p.
"""

from functools import cache

from gambol.lanes import Precision
from gambol.rigid.articulated import FACTOR_ROWS, FACTORS, MOTIONS, ROOT_FACTOR_ROWS, SLOT_COUNT, lower

POINT_ROWS = 29
"""Rows of a contact point."""

UNROLLED = 4
"""Entries of a row are a multiple of this number; those that are added are 0."""

TYPES: dict[Precision, tuple[str, str]] = {"float64": ("double", "f64"), "float32": ("float", "f32")}


class _Writer:
    """Writes instructions; each of its methods returns the name of the result."""

    def __init__(self, precision: Precision) -> None:
        self.real, self._suffix = TYPES[precision]
        self.four = f"<4 x {self.real}>"
        self._lines, self._count = list[str](), 0

    @property
    def text(self) -> str:
        """All instructions."""
        return "\n".join(self._lines)

    def line(self, text: str) -> None:
        """Write a line."""
        self._lines.append(text)

    def new(self, operation: str, name: str = "") -> str:
        """Write an operation; name: of its result."""
        self._count += 1
        result = name or f"%t{self._count}"
        self._lines.append(f"  {result} = {operation}")
        return result

    def plus(self, a: str, b: str | int) -> str:
        """a + b of integers."""
        return self.new(f"add i64 {a}, {b}")

    def times(self, a: str, b: str | int) -> str:
        """a b of integers."""
        return self.new(f"mul i64 {a}, {b}")

    def at(self, base: str, index: str | int, kind: str) -> str:
        """The address of an element."""
        return self.new(f"getelementptr {kind}, ptr {base}, i64 {index}")

    def load(self, base: str, index: str | int, kind: str) -> str:
        """An element."""
        return self.new(f"load {kind}, ptr {self.at(base, index, kind)}{self._alignment(kind)}")

    def store(self, value: str, base: str, index: str | int, kind: str) -> None:
        """Write an element."""
        self.line(f"  store {kind} {value}, ptr {self.at(base, index, kind)}{self._alignment(kind)}")

    def _alignment(self, kind: str) -> str:
        return f", align {8 if self.real == 'double' else 4}" if kind == self.four else ""

    def arrays(self, *names: str) -> None:
        """Load the addresses of arrays."""
        for k, name in enumerate(names):
            self.line(f"  %{name}.at = getelementptr ptr, ptr %arrays, i64 {k}\n  %{name} = load ptr, ptr %{name}.at")

    def numbers(self, *names: str) -> None:
        """Load integers."""
        for k, name in enumerate(names):
            self.line(f"  %{name}.at = getelementptr i64, ptr %numbers, i64 {k}\n  %{name} = load i64, ptr %{name}.at")

    def splat(self, x: str) -> str:
        """Four times a number."""
        one = self.new(f"insertelement {self.four} poison, {self.real} {x}, i32 0")
        return self.new(f"shufflevector {self.four} {one}, {self.four} poison, <4 x i32> zeroinitializer")

    def put(self, vector: str, x: str, place: int) -> str:
        """A vector with another component."""
        return self.new(f"insertelement {self.four} {vector}, {self.real} {x}, i32 {place}")

    def get(self, vector: str, place: int) -> str:
        """A component."""
        return self.new(f"extractelement {self.four} {vector}, i32 {place}")

    def fma(self, a: str, b: str, c: str, name: str = "") -> str:
        """a b + c of vectors; name: of the result."""
        k = self.four
        return self.new(f"call {k} @llvm.fma.v4{self._suffix}({k} {a}, {k} {b}, {k} {c})", name)

    def fma_one(self, a: str, b: str, c: str) -> str:
        """a b + c of numbers."""
        k = self.real
        return self.new(f"call {k} @llvm.fma.{self._suffix}({k} {a}, {k} {b}, {k} {c})")

    def minus(self, a: str) -> str:
        """The negative vector."""
        return self.new(f"fneg {self.four} {a}")

    def declarations(self) -> str:
        """What the text must declare."""
        k, one = self.four, self.real
        return (
            f"declare {k} @llvm.fma.v4{self._suffix}({k}, {k}, {k})\n"
            f"declare {one} @llvm.fma.{self._suffix}({one}, {one}, {one})\n"
        )


ROW_ARRAYS = (
    *("sides", "parents", "freedoms", "factors", "roots", "points"),
    *("starts", "places", "entries", "scratch", "responses", "slots"),
)
ROW_NUMBERS = ("lanes", "joints", "joint.rows", "root.z", "capacity")


@cache
def row_code(precision: Precision) -> str:
    """Return the loop that computes the entries of rows, and B^T B.

    arrays: nodes of both sides of each row (rows, 2), -1 for none; parent and number of free motions of each node;
    factors of joints and of roots, and contact points, in blocks of lanes; first entry of each row, and the end; for
    each entry its place in z, and B (entries, 4); z by 4 numbers, all 0; B^T B (9, capacity); free motion of the joint
    of each joint row. numbers: lanes, joint nodes, joint rows, place of the roots in z, capacity of rows.
    """
    w = _Writer(precision)
    four, real = w.four, w.real
    w.line("define void @run(ptr %arrays, ptr %numbers, i64 %first, i64 %last) {\nentry:")
    w.arrays(*ROW_ARRAYS)
    w.numbers(*ROW_NUMBERS)
    w.line("""  br label %row.head
row.head:
  %r = phi i64 [ %first, %entry ], [ %r.next, %row.end ]
  %begin = phi i64 [ 0, %entry ], [ %end, %row.end ]
  %more = icmp slt i64 %r, %last
  br i1 %more, label %row, label %finish
row:""")
    w.store("%begin", "%starts", "%r", "i64")
    w.line("  %is.joint = icmp slt i64 %r, %joint.rows\n  %r2 = mul i64 %r, 2")
    w.line("""  br label %side.head
side.head:
  %s = phi i64 [ 0, %row ], [ %s.next, %side.end ]
  %e = phi i64 [ %begin, %row ], [ %e.side, %side.end ]
  %s.more = icmp slt i64 %s, 2
  br i1 %s.more, label %side, label %row.pad
side:""")
    node = w.load("%sides", w.plus("%r2", "%s"), "i64")
    w.line(f"  %nobody = icmp slt i64 {node}, 0\n  br i1 %nobody, label %side.end, label %some")
    w.line("some:\n  br i1 %is.joint, label %joint.begin, label %contact.begin\njoint.begin:")
    start = _block_start(w, node, FACTOR_ROWS)
    slot = w.load("%slots", "%r", "i64")
    first = sum(FACTORS[name] for name in ("G", "W", "d"))
    own = []
    for i in range(SLOT_COUNT):
        entries = [w.load("%factors", _row_at(w, start, first + lower(i, j)), real) for j in range(i + 1)]
        value = f"{_zero(real)}"
        for j, entry in enumerate(entries):
            chosen = w.new(f"icmp eq i64 {slot}, {j}")
            value = w.new(f"select i1 {chosen}, {real} {entry}, {real} {value}")
        own.append(w.put("zeroinitializer", value, 2))
    w.line("  br label %walk\ncontact.begin:")
    contact = w.new("sub i64 %r, %joint.rows")
    start = _block_start(w, contact, POINT_ROWS)
    R = [[w.load("%points", _row_at(w, start, 3 * i + k), real) for k in range(3)] for i in range(3)]
    side_rows = w.times("%s", 10)
    arm_start = w.plus(start, w.times(w.times(side_rows, 1), "%lanes"))
    arm = [w.splat(w.load("%points", _row_at(w, arm_start, 9 + i), real)) for i in range(3)]
    is_second = w.new("icmp eq i64 %s, 1")
    force = []
    for row in R:
        vector = "zeroinitializer"
        for k, x in enumerate(row):
            vector = w.put(vector, x, k)
        force.append(w.new(f"select i1 {is_second}, {four} {w.minus(vector)}, {four} {vector}"))
    moment = _cross(w, arm, force)
    w.line("  br label %walk\nwalk:")
    names = [f"%F{i}" for i in range(MOTIONS)]
    w.line(f"  %node = phi i64 [ {node}, %joint.begin ], [ {node}, %contact.begin ], [ %parent, %up ]")
    w.line("  %we = phi i64 [ %e, %joint.begin ], [ %e, %contact.begin ], [ %we.next, %up ]")
    for i, (name, begin) in enumerate(zip(names, [*moment, *force], strict=True)):
        w.line(f"  {name} = phi {four} [ zeroinitializer, %joint.begin ], [ {begin}, %contact.begin ], [ %N{i}, %up ]")
    for k in range(SLOT_COUNT):
        zero = "zeroinitializer"
        w.line(f"  %Y{k} = phi {four} [ {own[k]}, %joint.begin ], [ {zero}, %contact.begin ], [ {zero}, %up ]")
    w.line("  %is.root = icmp sge i64 %node, %joints\n  br i1 %is.root, label %root, label %joint\njoint:")
    start = _block_start(w, "%node", FACTOR_ROWS)
    count = w.load("%freedoms", "%node", "i64")
    z_start = _block_start(w, "%node", SLOT_COUNT)
    y = []
    for k in range(SLOT_COUNT):
        total = f"%Y{k}"
        for i in range(MOTIONS):
            total = w.fma(w.splat(w.load("%factors", _row_at(w, start, MOTIONS * k + i), real)), names[i], total)
        y.append(total)
        # motions that the joint does not have are 0; the next entries overwrite them
        place = w.plus("%we", k)
        w.store(_row_at(w, z_start, k), "%places", place, "i64")
        w.store(total, "%entries", place, four)
    negative, passed = [w.minus(x) for x in y], list(names)
    for i in range(MOTIONS):
        for k in range(SLOT_COUNT):
            weight = w.splat(w.load("%factors", _row_at(w, start, 18 + MOTIONS * k + i), real))
            last = f"%N{i}" if i >= 3 and k == SLOT_COUNT - 1 else ""
            passed[i] = w.fma(weight, negative[k], passed[i], last)
    d = [w.splat(w.load("%factors", _row_at(w, start, 36 + i), real)) for i in range(3)]
    turned = _cross(w, d, passed[3:])
    for i in range(3):
        w.new(f"fadd {four} {passed[i]}, {turned[i]}", f"%N{i}")
    w.line(f"  %we.next = add i64 %we, {count}")
    w.line("  %parent.at = getelementptr i64, ptr %parents, i64 %node\n  %parent = load i64, ptr %parent.at")
    w.line(
        "  %fixed = icmp slt i64 %parent, 0\n  br i1 %fixed, label %side.end, label %up\nup:\n  br label %walk\nroot:"
    )
    root = w.new("sub i64 %node, %joints")
    start, z_start = _block_start(w, root, ROOT_FACTOR_ROWS), w.plus(_block_start(w, root, MOTIONS), "%root.z")
    for i in range(MOTIONS):
        total = "zeroinitializer"
        for j in range(i + 1):
            total = w.fma(w.splat(w.load("%roots", _row_at(w, start, lower(i, j)), real)), names[j], total)
        place = w.plus("%we", i)
        w.store(_row_at(w, z_start, i), "%places", place, "i64")
        w.store(total, "%entries", place, four)
    w.line(f"  %root.end = add i64 %we, {MOTIONS}\n  br label %side.end\nside.end:")
    w.line("  %e.side = phi i64 [ %e, %side ], [ %we.next, %joint ], [ %root.end, %root ]")
    w.line(f"""  %s.next = add i64 %s, 1
  br label %side.head
row.pad:
  %length = sub i64 %e, %begin
  %padded = add i64 %length, {UNROLLED - 1}
  %rounded = and i64 %padded, -{UNROLLED}
  %end = add i64 %begin, %rounded
  br label %pad.head
pad.head:
  %pe = phi i64 [ %e, %row.pad ], [ %pe.next, %pad ]
  %p.more = icmp slt i64 %pe, %end
  br i1 %p.more, label %pad, label %add.head
pad:""")
    w.store("0", "%places", "%pe", "i64")
    w.store("zeroinitializer", "%entries", "%pe", four)
    w.line("""  %pe.next = add i64 %pe, 1
  br label %pad.head
add.head:
  %ae = phi i64 [ %begin, %pad.head ], [ %ae.next, %add ]
  %a.more = icmp slt i64 %ae, %e
  br i1 %a.more, label %add, label %product.head
add:""")
    place = w.load("%places", "%ae", "i64")
    total = w.new(f"fadd {four} {w.load('%scratch', place, four)}, {w.load('%entries', '%ae', four)}")
    w.store(total, "%scratch", place, four)
    w.line("""  %ae.next = add i64 %ae, 1
  br label %add.head
product.head:
  %me = phi i64 [ %begin, %add.head ], [ %me.next, %product ]""")
    for i in range(3):
        w.line(f"  %D{i} = phi {four} [ zeroinitializer, %add.head ], [ %D{i}.next, %product ]")
    w.line("  %m.more = icmp slt i64 %me, %e\n  br i1 %m.more, label %product, label %clear.head\nproduct:")
    total, B = w.load("%scratch", w.load("%places", "%me", "i64"), four), w.load("%entries", "%me", four)
    for i in range(3):
        w.fma(w.splat(w.get(B, i)), total, f"%D{i}", f"%D{i}.next")
    w.line("""  %me.next = add i64 %me, 1
  br label %product.head
clear.head:
  %ce = phi i64 [ %begin, %product.head ], [ %ce.next, %clear ]
  %c.more = icmp slt i64 %ce, %e
  br i1 %c.more, label %clear, label %row.end
clear:""")
    w.store("zeroinitializer", "%scratch", w.load("%places", "%ce", "i64"), four)
    w.line("  %ce.next = add i64 %ce, 1\n  br label %clear.head\nrow.end:")
    for i in range(3):
        for k in range(3):
            at = w.plus(w.times("%capacity", 3 * i + k), "%r")
            w.store(w.get(f"%D{i}", k), "%responses", at, real)
    w.line("  %r.next = add i64 %r, 1\n  br label %row.head\nfinish:")
    w.store("%begin", "%starts", "%last", "i64")
    w.line("  ret void\n}")
    return w.declarations() + w.text + "\n"


def _zero(real: str) -> str:
    return f"0x{0:016X}" if real in ("double", "float") else "0"


def _block_start(w: _Writer, column: str, rows: int) -> str:
    """The index of the first row of a column in blocks of lanes."""
    block, lane = w.new(f"sdiv i64 {column}, %lanes"), w.new(f"srem i64 {column}, %lanes")
    return w.plus(w.times(w.times(block, rows), "%lanes"), lane)


def _row_at(w: _Writer, start: str, row: int) -> str:
    """The index of a row, from that of the first row."""
    return w.plus(start, w.times("%lanes", row)) if row else start


def _cross(w: _Writer, a: list[str], b: list[str]) -> list[str]:
    """a x b of vectors of vectors."""
    products = [w.new(f"fmul {w.four} {a[(i + 2) % 3]}, {b[(i + 1) % 3]}") for i in range(3)]
    return [w.fma(a[(i + 1) % 3], b[(i + 2) % 3], w.minus(products[i])) for i in range(3)]


SWEEP_ARRAYS = (
    *("starts", "places", "entries", "initial", "impulses", "z", "speeds", "changes", "bounds", "base"),
    *("previous", "direction", "control", "law.joint", "arrays.joint", "tables.joint", "law", "arrays", "tables"),
)
SWEEP_NUMBERS = ("joint.rows", "capacity", "z.size", "limit", "conjugate.from", "window", "sweeps")
CONTROL = ("tolerance", "residual", "stall.residual", "stall.ratio", "best.before", "best")
"""Numbers of the control of sweeps: see sweep_code()."""

BEFORE, BEST = CONTROL.index("best.before"), CONTROL.index("best")


@cache
def sweep_code(precision: Precision) -> str:
    """Return the loop that sweeps over rows until no speed changes by more than the tolerance.

    starts, places, entries: see row_code(). initial: u_0 of rows (3, capacity). impulses, speeds, changes: p, u,
    change of p and its size (rows, 4). z, which precedes the impulses in memory. bounds: a
    row without impulse whose third speed is between them is left out (2, capacity). base: u_0 (rows, 4), written
    here. previous, direction: of conjugate directions, see conjugate.py, as long as z and the impulses. laws: entry
    points, arrays and tables of the laws of joint rows and of contacts. numbers: joint rows, capacity, length of z,
    limit of sweeps, first sweep with conjugate directions, STALL_WINDOW, and the number of sweeps,
    which is written here. control: see CONTROL, tolerance and limits of the residual, which is written here [m/s].
    """
    w = _Writer(precision)
    four, real, zero = w.four, w.real, _zero(w.real)
    w.line("define void @run(ptr %arguments, ptr %numbers, i64 %first, i64 %last) {\nentry:")
    for k, name in enumerate(SWEEP_ARRAYS):
        w.line(f"  %{name}.at = getelementptr ptr, ptr %arguments, i64 {k}\n  %{name} = load ptr, ptr %{name}.at")
    w.numbers(*SWEEP_NUMBERS)
    for k, name in enumerate(CONTROL[:4]):
        w.line(f"  %{name}.at = getelementptr {real}, ptr %control, i64 {k}\n  %{name} = load {real}, ptr %{name}.at")
    w.line("  %half = sdiv i64 %z.size, 4\n  %size = add i64 %half, %last\n  br label %zero.head")
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
    w.line(
        "  %n = phi i64 [ 0, %begin.head ], [ %n.next, %restarted ], [ %n.next, %again ], [ %n.next, %extrapolated ]"
    )
    w.line(
        f"  %square.before = phi {real} [ {zero}, %begin.head ], [ {zero}, %restarted ], [ {zero}, %again ], [ %square, %extrapolated ]"
    )
    w.line(f"""  br label %row.head
row.head:
  %r = phi i64 [ 0, %sweep ], [ %r.next, %row.end ]
  %largest = phi {real} [ {zero}, %sweep ], [ %largest.next, %row.end ]
  %square = phi {real} [ {zero}, %sweep ], [ %square.next, %row.end ]
  %more = icmp slt i64 %r, %last
  br i1 %more, label %row, label %swept
row:""")
    start, end = w.load("%starts", "%r", "i64"), w.load("%starts", w.plus("%r", 1), "i64")
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
    u = w.new(f"fadd {four} {w.new(f'fadd {four} %u0, %u1')}, {w.new(f'fadd {four} %u2, %u3')}")
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
    w.line(
        f"  %square.new = call {real} @llvm.fma.{TYPES[precision][1]}({real} {amount}, {real} {amount}, {real} %square)"
    )
    _add_impulse(w, "g", "changed", start, end, change, "row.end")
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
    w.store(w.load("%z", "%rk", four), "%previous", "%rk", four)
    w.store("zeroinitializer", "%direction", "%rk", four)
    w.line("  %rk.next = add i64 %rk, 1\n  br label %restart.head\nrestarted:")
    w.store(_infinite(), "%control", BEFORE, real)
    w.store("%largest", "%control", BEST, real)
    w.line("  br label %sweep\nstall:")
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
    w.store(_infinite(), "%control", BEST, real)
    w.line(f"""  br i1 %stalled, label %finish, label %extrapolate
extrapolate:
  %positive = fcmp ogt {real} %square, {zero}
  %shrinks = fcmp ole {real} %square, %square.before
  %keeps = and i1 %positive, %shrinks
  %divisor = select i1 %keeps, {real} %square.before, {real} {_one()}
  %quotient = fdiv {real} %square, %divisor
  %beta = select i1 %keeps, {real} %quotient, {real} {zero}
  %is.new = fcmp oeq {real} %square.before, {zero}
  %shares = or i1 %keeps, %is.new
  %share = select i1 %shares, {real} {_one()}, {real} {zero}""")
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
    w.store("%largest", "%control", 1, real)
    w.store("%n.next", "%numbers", len(SWEEP_NUMBERS) - 1, "i64")
    w.line("  ret void\n}")
    return w.declarations() + w.text + "\n"


def _one() -> str:
    return "1.0"


def _infinite() -> str:
    return "0x7FF0000000000000"


def _size(w: _Writer, p: str) -> str:
    """The sum of the squares of three components."""
    x, y, z = (w.get(p, k) for k in range(3))
    return w.fma_one(z, z, w.fma_one(y, y, w.new(f"fmul {w.real} {x}, {x}")))


def _add_impulse(w: _Writer, name: str, block: str, start: str, end: str, p: str, after: str) -> None:
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
