"""Interleaved execution: groups of blocks of worlds run through several programs in turn, in many rounds."""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from gambol.errors import GambolError
from gambol.lanes.kept_threads import run_in_threads
from gambol.lanes.program import Array, Program, table_addresses
from gambol.lanes.target import Entry

GROUP_BYTES = 2**19
"""Memory of blocks that run through all rounds together [bytes]: it stays in the second-level cache between rounds. In
groups of many blocks, lanes of one block can wait for those of another, see Subprogram."""


@dataclass(frozen=True)
class Stage:
    """One stage of an interleaved execution: a program with the arrays that it reads and writes.

    inputs: arrays (blocks, rows, lanes) from to_blocks(), or (blocks, rounds, rows, lanes) if they differ between
    rounds; an array of a single block is used for all blocks. out: arrays of the same layouts, with all blocks. tables:
    one-dimensional arrays.
    """

    program: Program
    inputs: Sequence[Array]
    out: Sequence[Array]
    tables: Sequence[Array] = ()

    def check(self, blocks: int, rounds: int) -> None:
        """Raise GambolError for arrays of another shape, precision or memory layout."""
        program = self.program
        for k, (a, rows) in enumerate(zip([*self.inputs, *self.out], [*program.rows, *program.outputs], strict=True)):
            counts, shapes = (1, blocks) if k < len(self.inputs) else (blocks,), ((rows,), (rounds, rows))
            fits = a.ndim > 2 and a.shape[0] in counts and a.shape[1:] in [(*shape, program.lanes) for shape in shapes]
            if not fits or a.dtype != program.dtype or a.strides[-1] != a.itemsize:
                raise GambolError(
                    f"an array of {program.spec.name} must be {program.precision} of shape "
                    f"{(blocks, rows, program.lanes)} or {(blocks, rounds, rows, program.lanes)}, "
                    f"not {a.dtype} of shape {a.shape} with strides {a.strides}"
                )


def interleave(stages: Sequence[Stage], blocks: int, rounds: int, threads: int = 1) -> None:
    """Run several programs one after the other, in every round. Each group of blocks runs all rounds before the next.

    stages: the programs with their arrays; blocks: the number of blocks of worlds; rounds: the number of rounds;
    threads: the number of threads that share the blocks. Raises GambolError for arrays that do not fit.
    """
    for stage in stages:
        stage.check(blocks, rounds)
    tables = [[stage.program.checked_table(t) for t in stage.tables] for stage in stages]
    table_lists = [table_addresses(arrays) for arrays in tables]
    arrays = {a.ctypes.data: a for stage in stages for a in (*stage.inputs, *stage.out)}
    block_bytes = sum(a.strides[-2] * a.shape[-2] for a in arrays.values())
    groups = max(-(-blocks // max(1, GROUP_BYTES // block_bytes)), min(threads, blocks))
    bounds = np.linspace(0, blocks, groups + 1).astype(int).tolist()

    def run(group: tuple[int, int]) -> None:
        first, last = group
        addresses = [_GroupAddresses([*stage.inputs, *stage.out], first) for stage in stages]

        def all_rounds(entries: Sequence[Entry]) -> None:
            for t in range(rounds):
                for entry, arrays, table_list in zip(entries, addresses, table_lists, strict=True):
                    entry(arrays.in_round(t), table_list, 0, last - first)

        entries = [stage.program.entry for stage in stages]
        stages[0].program.target.run_with_stack(entries, all_rounds)

    run_in_threads([partial(run, group) for group in pairwise(bounds)], threads)


class _GroupAddresses:
    """The addresses of the arrays of a stage for an entry point, in each round.

    arrays: see Stage. first: the first block of the group.
    """

    def __init__(self, arrays: Sequence[Array], first: int) -> None:
        self.arrays = arrays
        fields: list[int] = []
        for a in arrays:
            own = a.shape[0] > 1  # a single block is used for all
            fields += (a.ctypes.data + (first * a.strides[0] if own else 0), a.strides[-2], a.strides[0] if own else 0)
        self.fields = (ctypes.c_int64 * len(fields))(*fields)
        self.starts = fields[::3]

    def in_round(self, t: int) -> Any:
        """Return address, bytes per row and bytes per block of each array in round t."""
        for k, a in enumerate(self.arrays):
            if a.ndim == 4:
                self.fields[3 * k] = self.starts[k] + t * a.strides[1]
        return self.fields
