"""Islands of a pile: bodies that are connected by contacts, found by union-find in machine code.

for each contact (a, b) of two bodies:  root(a), root(b) -> the smaller of both      root(k): k = parent[k] until equal
for each body, ascending:               parent = parent[parent]                      parents are smaller than bodies
"""

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import run_loop

Indices = NDArray[np.int64]


def islands(first: Indices, second: Indices, bodies: int) -> Indices:
    """Return the smallest body of each body's island (bodies).

    first, second: the bodies of each contact, 0 for the world, which connects nothing; bodies: their number, the world
    included.
    """
    parent = np.arange(bodies)
    edges = np.ascontiguousarray(first, np.int64), np.ascontiguousarray(second, np.int64)
    run_loop(LOOP, (*edges, parent), (bodies,), 0, len(first))
    return parent


# arrays: first, second, parent; numbers: bodies. The roots a and b of a contact are found in one loop: whichever is not
# yet a root moves on, and its parent becomes its grandparent.
LOOP = """define void @run(ptr %arrays, ptr %numbers, i64 %begin, i64 %contacts) {
entry:
  %firsts = load ptr, ptr %arrays
  %seconds.at = getelementptr ptr, ptr %arrays, i64 1
  %seconds = load ptr, ptr %seconds.at
  %parents.at = getelementptr ptr, ptr %arrays, i64 2
  %parents = load ptr, ptr %parents.at
  %bodies = load i64, ptr %numbers
  br label %contacts.next
contacts.next:
  %c = phi i64 [ %begin, %entry ], [ %c.next, %joined ]
  %more = icmp slt i64 %c, %contacts
  br i1 %more, label %contact, label %flatten
contact:
  %c.next = add i64 %c, 1
  %first.at = getelementptr i64, ptr %firsts, i64 %c
  %first = load i64, ptr %first.at
  %second.at = getelementptr i64, ptr %seconds, i64 %c
  %second = load i64, ptr %second.at
  %first.world = icmp eq i64 %first, 0
  %second.world = icmp eq i64 %second, 0
  %world = or i1 %first.world, %second.world
  br i1 %world, label %joined, label %climb
climb:
  %a = phi i64 [ %first, %contact ], [ %a.next, %move ]
  %b = phi i64 [ %second, %contact ], [ %b.next, %move ]
  %a.at = getelementptr i64, ptr %parents, i64 %a
  %a.parent = load i64, ptr %a.at
  %b.at = getelementptr i64, ptr %parents, i64 %b
  %b.parent = load i64, ptr %b.at
  %a.root = icmp eq i64 %a, %a.parent
  %b.root = icmp eq i64 %b, %b.parent
  %roots = and i1 %a.root, %b.root
  br i1 %roots, label %join, label %move
move:
  %a.parent.at = getelementptr i64, ptr %parents, i64 %a.parent
  %a.next = load i64, ptr %a.parent.at
  store i64 %a.next, ptr %a.at
  %b.parent.at = getelementptr i64, ptr %parents, i64 %b.parent
  %b.next = load i64, ptr %b.parent.at
  store i64 %b.next, ptr %b.at
  br label %climb
join:
  %less = icmp slt i64 %a, %b
  %low = select i1 %less, i64 %a, i64 %b
  %high = select i1 %less, i64 %b, i64 %a
  %high.at = getelementptr i64, ptr %parents, i64 %high
  store i64 %low, ptr %high.at
  br label %joined
joined:
  br label %contacts.next
flatten:
  br label %bodies.next
bodies.next:
  %k = phi i64 [ 0, %flatten ], [ %k.next, %body ]
  %left = icmp slt i64 %k, %bodies
  br i1 %left, label %body, label %end
body:
  %k.next = add i64 %k, 1
  %k.at = getelementptr i64, ptr %parents, i64 %k
  %k.parent = load i64, ptr %k.at
  %k.parent.at = getelementptr i64, ptr %parents, i64 %k.parent
  %k.root = load i64, ptr %k.parent.at
  store i64 %k.root, ptr %k.at
  br label %bodies.next
end:
  ret void
}
"""
