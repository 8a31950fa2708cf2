"""Interleaved execution: each block of worlds runs through several programs, in many rounds, in one native call."""

import ctypes
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from gambol.errors import GambolError
from gambol.lanes.program import Array, Program, table_addresses


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
    """Run several programs one after the other, in every round. All rounds of a block are one native call.

    stages: the programs with their arrays; blocks: the number of blocks of worlds; rounds: the number of rounds;
    threads: the number of threads that share the blocks. Raises GambolError for arrays that do not fit.
    """
    for stage in stages:
        stage.check(blocks, rounds)
    tables = [[stage.program.checked_table(t) for t in stage.tables] for stage in stages]
    table_lists = [table_addresses(arrays) for arrays in tables]
    entries = [stage.program.entry for stage in stages]

    def run(block: int) -> None:
        arrays = [_block_addresses([*stage.inputs, *stage.out], block) for stage in stages]
        stages[0].program.target.interleave(list(zip(entries, arrays, table_lists, strict=True)), rounds)

    with ThreadPoolExecutor(max(1, threads)) as pool:
        list((pool.map if threads > 1 else map)(run, range(blocks)))


def _block_addresses(arrays: Sequence[Array], block: int) -> Any:
    """Return for each array the address of a block, and the strides per row and per round [bytes]."""
    fields: list[int] = []
    for a in arrays:
        start = a.ctypes.data + (block * a.strides[0] if a.shape[0] > 1 else 0)
        fields += (start, a.strides[-2], a.strides[1] if a.ndim == 4 else 0)
    return (ctypes.c_int64 * len(fields))(*fields)
