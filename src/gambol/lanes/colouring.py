"""Greedy colouring of the edges of a graph in machine code: no two edges of a node get the same colour.

    for each edge (a, b):  colour = the lowest that no other edge of a or b has yet

Node 0 does not count: any of its edges may have the same colour. The colours of a node are bits of words of 64.
"""

import numpy as np
from numpy.typing import NDArray

from gambol.lanes.machine_code import run_loop

Indices = NDArray[np.int64]

WORD_BITS = 64


def edge_colours(first: Indices, second: Indices, nodes: int) -> Indices:
    """Return the colour of each edge (edges), from 0; first, second: its nodes, each less than `nodes`."""
    colour = np.empty(len(first), np.int64)
    if not len(first):
        return colour
    degree = np.bincount(first, minlength=nodes) + np.bincount(second, minlength=nodes)
    degree[0] = 0
    words = int((degree[first] + degree[second]).max()) // WORD_BITS + 1
    used = np.zeros(nodes * words, np.int64)
    edges = np.ascontiguousarray(first, np.int64), np.ascontiguousarray(second, np.int64)
    run_loop(LOOP, (*edges, used, colour), (words,), 0, len(first))
    return colour


# arrays: first, second, used, colour; numbers: words of a node
LOOP = """define void @run(ptr %arrays, ptr %numbers, i64 %start, i64 %end) {
entry:
  %words = load i64, ptr %numbers
  %first = load ptr, ptr %arrays
  %second.at = getelementptr ptr, ptr %arrays, i64 1
  %second = load ptr, ptr %second.at
  %used.at = getelementptr ptr, ptr %arrays, i64 2
  %used = load ptr, ptr %used.at
  %colour.at = getelementptr ptr, ptr %arrays, i64 3
  %colour = load ptr, ptr %colour.at
  br label %edges
edges:
  %k = phi i64 [ %start, %entry ], [ %k.next, %found ]
  %more = icmp slt i64 %k, %end
  br i1 %more, label %edge, label %done
edge:
  %a.at = getelementptr i64, ptr %first, i64 %k
  %a = load i64, ptr %a.at
  %b.at = getelementptr i64, ptr %second, i64 %k
  %b = load i64, ptr %b.at
  %a.row = mul i64 %a, %words
  %b.row = mul i64 %b, %words
  br label %search
search:
  %w = phi i64 [ 0, %edge ], [ %w.next, %full ]
  %a.index = add i64 %a.row, %w
  %b.index = add i64 %b.row, %w
  %a.word.at = getelementptr i64, ptr %used, i64 %a.index
  %b.word.at = getelementptr i64, ptr %used, i64 %b.index
  %a.word = load i64, ptr %a.word.at
  %b.word = load i64, ptr %b.word.at
  %either = or i64 %a.word, %b.word
  %free = xor i64 %either, -1
  %none = icmp eq i64 %free, 0
  br i1 %none, label %full, label %found
full:
  %w.next = add i64 %w, 1
  br label %search
found:
  %minus = sub i64 0, %free
  %lowest = and i64 %free, %minus
  %bit = call i64 @llvm.cttz.i64(i64 %free, i1 true)
  %base = mul i64 %w, 64
  %c = add i64 %base, %bit
  %c.at = getelementptr i64, ptr %colour, i64 %k
  store i64 %c, ptr %c.at
  %a.world = icmp eq i64 %a, 0
  %b.world = icmp eq i64 %b, 0
  %a.bit = select i1 %a.world, i64 0, i64 %lowest
  %b.bit = select i1 %b.world, i64 0, i64 %lowest
  %a.new = or i64 %a.word, %a.bit
  store i64 %a.new, ptr %a.word.at
  %b.again = load i64, ptr %b.word.at
  %b.new = or i64 %b.again, %b.bit
  store i64 %b.new, ptr %b.word.at
  %k.next = add i64 %k, 1
  br label %edges
done:
  ret void
}
declare i64 @llvm.cttz.i64(i64, i1)
"""
