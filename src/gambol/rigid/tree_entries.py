"""What impulses of rows add to z, and their response, as a loop in LLVM's assembly language.

    y = G F,  F = X^T (F - W y)   from the row's body to the root, there L^-1 F        see articulated.py

Rows are those of joints, whose impulse is a number, and then contacts with three. An entry is a number of z and the
three numbers of B for it.
"""

from functools import cache

from gambol.lanes import Precision, leaves
from gambol.rigid.articulated import FACTOR_ROWS, FACTOR_STARTS, MOTIONS, ROOT_FACTOR_ROWS, SLOT_COUNT, lower
from gambol.rigid.llvm_writer import ZERO, LlvmWriter
from gambol.rigid.update import POINT, SIDE

POINT_ROWS, FRAME_ROWS, SIDE_ROWS = (len(leaves(example)) for example in (POINT, POINT.frame, SIDE))
"""Rows of a contact point: of its frame, then of both sides, which begin with their arms."""

UNROLLED = 4
"""Entries of a row are a multiple of this number; those that are added are 0."""

ROW_ARRAYS = (
    *("sides", "parents", "freedoms", "factors", "roots", "points"),
    *("starts", "places", "entries", "scratch", "responses", "slots"),
)
ROW_NUMBERS = ("lanes", "joints", "joint.rows", "root.z", "capacity")


@cache
def row_code(precision: Precision) -> str:
    """Return the loop that computes the entries of rows, and B^T B.

    Arrays: sides: nodes of both sides of each row (rows, 2), -1 for none. parents, freedoms: parent and number of free
    motions of each node. factors, roots, points: factors of joints and of roots, and contact points, in blocks of
    lanes. starts: first entry of each row, and the end (rows + 1). places, entries: place in z of each entry, and B
    (entries, 4). scratch: 4 numbers for each one of z, all 0 before and after. responses: B^T B (9, capacity). slots:
    free motion of each joint row, among those of its joint.

    Numbers: lanes, columns of joints, joint rows, place of the roots in z, capacity of rows.
    """
    w = LlvmWriter(precision)
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
    own = _joint_begin(w, node)
    w.line("  br label %walk\ncontact.begin:")
    forces = _contact_begin(w)
    names = _walk(w, node, own, forces)
    _joint(w, names)
    _root(w, names)
    _padding(w)
    _response(w)
    w.line("  %r.next = add i64 %r, 1\n  br label %row.head\nfinish:")
    w.store("%begin", "%starts", "%last", "i64")
    w.line("  ret void\n}")
    return w.declarations() + w.text + "\n"


def _joint_begin(w: LlvmWriter, node: str) -> list[str]:
    """Write y of a unit impulse of a joint row, as its third component; return its three parts."""
    real = w.real
    start = w.block_start(node, FACTOR_ROWS)
    slot = w.load("%slots", "%r", "i64")
    own = list[str]()
    for i in range(SLOT_COUNT):
        entries = [
            w.load("%factors", w.row_at(start, FACTOR_STARTS["L_inverse"] + lower(i, j)), real) for j in range(i + 1)
        ]
        value = f"{ZERO}"
        for j, entry in enumerate(entries):
            chosen = w.new(f"icmp eq i64 {slot}, {j}")
            value = w.new(f"select i1 {chosen}, {real} {entry}, {real} {value}")
        own.append(w.put("zeroinitializer", value, 2))
    return own


def _contact_begin(w: LlvmWriter) -> list[str]:
    """Write F of unit impulses of a contact on the body of a side; return its six components."""
    four, real = w.four, w.real
    contact = w.new("sub i64 %r, %joint.rows")
    start = w.block_start(contact, POINT_ROWS)
    R = [[w.load("%points", w.row_at(start, 3 * i + k), real) for k in range(3)] for i in range(3)]
    arm_start = w.plus(start, w.times(w.times("%s", SIDE_ROWS), "%lanes"))
    arm = [w.splat(w.load("%points", w.row_at(arm_start, FRAME_ROWS + i), real)) for i in range(3)]
    is_second = w.new("icmp eq i64 %s, 1")
    force = list[str]()
    for row in R:
        vector = "zeroinitializer"
        for k, x in enumerate(row):
            vector = w.put(vector, x, k)
        force.append(w.new(f"select i1 {is_second}, {four} {w.minus(vector)}, {four} {vector}"))
    return [*_cross(w, arm, force), *force]


def _walk(w: LlvmWriter, node: str, own: list[str], forces: list[str]) -> list[str]:
    """Write the head of the walk to the root, with F and y; return the names of F."""
    four = w.four
    w.line("  br label %walk\nwalk:")
    names = [f"%F{i}" for i in range(MOTIONS)]
    w.line(f"  %node = phi i64 [ {node}, %joint.begin ], [ {node}, %contact.begin ], [ %parent, %up ]")
    w.line("  %we = phi i64 [ %e, %joint.begin ], [ %e, %contact.begin ], [ %we.next, %up ]")
    for i, (name, begin) in enumerate(zip(names, forces, strict=True)):
        w.line(f"  {name} = phi {four} [ zeroinitializer, %joint.begin ], [ {begin}, %contact.begin ], [ %N{i}, %up ]")
    for k in range(SLOT_COUNT):
        zero = "zeroinitializer"
        w.line(f"  %Y{k} = phi {four} [ {own[k]}, %joint.begin ], [ {zero}, %contact.begin ], [ {zero}, %up ]")
    w.line("  %is.root = icmp sge i64 %node, %joints\n  br i1 %is.root, label %root, label %joint\njoint:")
    return names


def _joint(w: LlvmWriter, names: list[str]) -> None:
    """Write the entries of a joint, and F of its parent; names: of F."""
    four, real = w.four, w.real
    start = w.block_start("%node", FACTOR_ROWS)
    count = w.load("%freedoms", "%node", "i64")
    z_start = w.block_start("%node", SLOT_COUNT)
    y = list[str]()
    for k in range(SLOT_COUNT):
        total = f"%Y{k}"
        for i in range(MOTIONS):
            weight = w.splat(w.load("%factors", w.row_at(start, FACTOR_STARTS["G"] + MOTIONS * k + i), real))
            total = w.fma(weight, names[i], total)
        y.append(total)
        # motions that the joint does not have are 0; the next entries overwrite them
        place = w.plus("%we", k)
        w.store(w.row_at(z_start, k), "%places", place, "i64")
        w.store(total, "%entries", place, four)
    negative, passed = [w.minus(x) for x in y], list(names)
    for i in range(MOTIONS):
        for k in range(SLOT_COUNT):
            weight = w.splat(w.load("%factors", w.row_at(start, FACTOR_STARTS["W"] + MOTIONS * k + i), real))
            last = f"%N{i}" if i >= 3 and k == SLOT_COUNT - 1 else ""
            passed[i] = w.fma(weight, negative[k], passed[i], last)
    d = [w.splat(w.load("%factors", w.row_at(start, FACTOR_STARTS["d"] + i), real)) for i in range(3)]
    turned = _cross(w, d, passed[3:])
    for i in range(3):
        w.new(f"fadd {four} {passed[i]}, {turned[i]}", f"%N{i}")
    w.line(f"  %we.next = add i64 %we, {count}")
    w.line("  %parent.at = getelementptr i64, ptr %parents, i64 %node\n  %parent = load i64, ptr %parent.at")
    w.line(
        "  %fixed = icmp slt i64 %parent, 0\n  br i1 %fixed, label %side.end, label %up\nup:\n  br label %walk\nroot:"
    )


def _root(w: LlvmWriter, names: list[str]) -> None:
    """Write the entries of a root; names: of F."""
    four, real = w.four, w.real
    root = w.new("sub i64 %node, %joints")
    start, z_start = w.block_start(root, ROOT_FACTOR_ROWS), w.plus(w.block_start(root, MOTIONS), "%root.z")
    for i in range(MOTIONS):
        total = "zeroinitializer"
        for j in range(i + 1):
            total = w.fma(w.splat(w.load("%roots", w.row_at(start, lower(i, j)), real)), names[j], total)
        place = w.plus("%we", i)
        w.store(w.row_at(z_start, i), "%places", place, "i64")
        w.store(total, "%entries", place, four)
    w.line(f"  %root.end = add i64 %we, {MOTIONS}\n  br label %side.end\nside.end:")
    w.line("  %e.side = phi i64 [ %e, %side ], [ %we.next, %joint ], [ %root.end, %root ]")


def _padding(w: LlvmWriter) -> None:
    """Write the end of a side, and entries of 0 up to a multiple of UNROLLED; then add B to z."""
    four = w.four
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


def _response(w: LlvmWriter) -> None:
    """Write B^T B, and set z to 0."""
    four, real = w.four, w.real
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


def _cross(w: LlvmWriter, a: list[str], b: list[str]) -> list[str]:
    """a x b of vectors of vectors."""
    products = [w.new(f"fmul {w.four} {a[(i + 2) % 3]}, {b[(i + 1) % 3]}") for i in range(3)]
    return [w.fma(a[(i + 1) % 3], b[(i + 2) % 3], w.minus(products[i])) for i in range(3)]
