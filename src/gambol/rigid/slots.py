"""The slots of a sweep in machine code: where each contact finds the velocities of its bodies.

for each contact, by colour:   column = the next free one of its colour
for each column, both sides:   read from the last slot of the body;  this slot is then its last
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.lanes import run_loop

Indices = NDArray[np.int64]

MOTION_ROWS = 6
"""Rows of one side in the store: the components of a spatial velocity."""


@dataclass(frozen=True, eq=False)
class Slots:
    """Slots of the store, as indices in one dimension.

    starts, sources: index from which both sides of each column read the body's velocity (2, columns), in the first
    sweep, and in others. last: index of the final velocity of each body (bodies).
    """

    starts: Indices
    sources: Indices
    last: Indices


def slots_of(owners: Indices, bodies: int, capacity: int, lanes: int) -> Slots:
    """Return the slots of a sweep; owners: the two bodies of each column (2, columns).

    The store begins with the velocities after contacts, (capacity / lanes, 12, lanes), six rows for each side. Then
    follow those of the bodies without impulses, (bodies / lanes, 6, lanes).
    """
    columns, body = owners.shape[1], np.arange(bodies)
    initial = 2 * MOTION_ROWS * capacity + MOTION_ROWS * lanes * (body // lanes) + body % lanes
    starts, sources = np.empty((2, columns), np.int64), np.empty((2, columns), np.int64)
    readers = np.full(bodies, -1)
    run_loop(LOOP, (owners, starts, sources, initial, readers), (lanes, bodies), 0, columns)
    return Slots(starts, sources, initial)


# arrays: owners, starts, sources, last (at first that of no contact), and the first side that reads each body, or -1;
# numbers: lanes, bodies. The world, body 0, keeps its first slot, since its velocity stays 0.
LOOP = """define void @run(ptr %arrays, ptr %numbers, i64 %begin, i64 %columns) {
entry:
  %owners = load ptr, ptr %arrays
  %starts.at = getelementptr ptr, ptr %arrays, i64 1
  %starts = load ptr, ptr %starts.at
  %sources.at = getelementptr ptr, ptr %arrays, i64 2
  %sources = load ptr, ptr %sources.at
  %last.at = getelementptr ptr, ptr %arrays, i64 3
  %last = load ptr, ptr %last.at
  %readers.at = getelementptr ptr, ptr %arrays, i64 4
  %readers = load ptr, ptr %readers.at
  %lanes = load i64, ptr %numbers
  %bodies.at = getelementptr i64, ptr %numbers, i64 1
  %bodies = load i64, ptr %bodies.at
  %side.step = mul i64 %lanes, 6
  %block.step = mul i64 %lanes, 12
  br label %sides
sides:
  %c = phi i64 [ %begin, %entry ], [ %c.next, %written ]
  %side = phi i64 [ 0, %entry ], [ %side.next, %written ]
  %more = icmp slt i64 %c, %columns
  br i1 %more, label %slot, label %bodies.begin
slot:
  %row = mul i64 %side, %columns
  %k = add i64 %row, %c
  %owner.at = getelementptr i64, ptr %owners, i64 %k
  %body = load i64, ptr %owner.at
  %body.last.at = getelementptr i64, ptr %last, i64 %body
  %from = load i64, ptr %body.last.at
  %start.at = getelementptr i64, ptr %starts, i64 %k
  store i64 %from, ptr %start.at
  %source.at = getelementptr i64, ptr %sources, i64 %k
  store i64 %from, ptr %source.at
  %world = icmp eq i64 %body, 0
  br i1 %world, label %written, label %moving
moving:
  %reader.at = getelementptr i64, ptr %readers, i64 %body
  %reader = load i64, ptr %reader.at
  %none = icmp slt i64 %reader, 0
  %reader.new = select i1 %none, i64 %k, i64 %reader
  store i64 %reader.new, ptr %reader.at
  %block = udiv i64 %c, %lanes
  %lane = urem i64 %c, %lanes
  %block.start = mul i64 %block, %block.step
  %side.start = mul i64 %side, %side.step
  %in.block = add i64 %side.start, %lane
  %here = add i64 %block.start, %in.block
  store i64 %here, ptr %body.last.at
  br label %written
written:
  %side.next = xor i64 %side, 1
  %c.next = add i64 %c, %side
  br label %sides
bodies.begin:
  br label %chains
chains:
  %b = phi i64 [ 1, %bodies.begin ], [ %b.next, %closed ]
  %b.more = icmp slt i64 %b, %bodies
  br i1 %b.more, label %chain, label %end
chain:
  %first.at = getelementptr i64, ptr %readers, i64 %b
  %first = load i64, ptr %first.at
  %touched = icmp sge i64 %first, 0
  br i1 %touched, label %close, label %closed
close:
  %final.at = getelementptr i64, ptr %last, i64 %b
  %final = load i64, ptr %final.at
  %first.source.at = getelementptr i64, ptr %sources, i64 %first
  store i64 %final, ptr %first.source.at
  br label %closed
closed:
  %b.next = add i64 %b, 1
  br label %chains
end:
  ret void
}
"""
