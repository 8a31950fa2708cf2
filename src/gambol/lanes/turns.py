"""Several programs that take turns: each block of worlds goes through all of them in one native call."""

import ctypes
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from gambol.errors import GambolError
from gambol.lanes import machine
from gambol.lanes.program import Array, Program, table_addresses


@dataclass(frozen=True)
class Turn:
    """What a program does whenever its turn comes: it reads given arrays and writes those of out.

    Arrays lie block by block (blocks, rows, lanes), as in_blocks() makes them; of those that have rounds, (blocks,
    rounds, rows, lanes), each round has a part. One block that is read may stand for all.
    """

    program: Program
    given: Sequence[Array]
    out: Sequence[Array]
    tables: Sequence[Array] = ()

    def check(self, blocks: int, rounds: int) -> None:
        """Raise GambolError for arrays that do not fit."""
        program = self.program
        for k, (a, rows) in enumerate(zip([*self.given, *self.out], [*program.rows, *program.outputs], strict=True)):
            counts, shapes = (1, blocks) if k < len(self.given) else (blocks,), ((rows,), (rounds, rows))
            fits = a.ndim > 2 and a.shape[0] in counts and a.shape[1:] in [(*own, program.lanes) for own in shapes]
            if not fits or a.dtype != program.dtype or a.strides[-1] != a.itemsize:
                raise GambolError(
                    f"in {rounds} rounds {program.recipe.name} takes {program.precision} of {blocks} blocks of {rows} "
                    f"rows of {program.lanes} lanes here, not {a.dtype} of shape {a.shape} with strides {a.strides}"
                )


def in_turn(turns: Sequence[Turn], blocks: int, rounds: int, threads: int = 1) -> None:
    """Let programs take turns, round after round: each block of worlds goes through all of them in one native call.

    threads: that share the blocks. Raises GambolError for arrays that do not fit.
    """
    for turn in turns:
        turn.check(blocks, rounds)
    tables = [[turn.program.checked_table(t) for t in turn.tables] for turn in turns]
    lists = [table_addresses(each) for each in tables]
    entries = [machine.address(turn.program.entry) for turn in turns]

    def run(block: int) -> None:
        places = [_places_in_rounds([*turn.given, *turn.out], block) for turn in turns]
        told = [n for e, p, t in zip(entries, places, lists, strict=True) for n in (e, *map(ctypes.addressof, (p, t)))]
        machine.taking_turns()((ctypes.c_int64 * len(told))(*told), len(turns), rounds)

    with ThreadPoolExecutor(max(1, threads)) as pool:
        list((pool.map if threads > 1 else map)(run, range(blocks)))


def _places_in_rounds(arrays: Sequence[Array], block: int) -> Any:
    """For a block of worlds the address of each array, and how far it is to its next row and its next round."""
    numbers: list[int] = []
    for a in arrays:
        start = a.ctypes.data + (block * a.strides[0] if a.shape[0] > 1 else 0)
        numbers += (start, a.strides[-2], a.strides[1] if a.ndim == 4 else 0)
    return (ctypes.c_int64 * len(numbers))(*numbers)
