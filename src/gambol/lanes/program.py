"""Programs: compiled functions of arrays, in which every vector lane computes one world."""

import ctypes
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.lanes import cache
from gambol.lanes.kept_threads import run_in_threads
from gambol.lanes.ops import Precision
from gambol.lanes.program_spec import ProgramSpec, operation_count, trace_program, without_garbage_collection
from gambol.lanes.target import Entry, ObjectError, Target

Array = NDArray[Any]
LOG = logging.getLogger("gambol.lanes")
DTYPES: dict[Precision, type[np.floating[Any]]] = {"float64": np.float64, "float32": np.float32}
MAX_LANES = 16
BLOCKED = 3  # dimensions of an array (blocks, rows, lanes)


@dataclass(frozen=True, eq=False, slots=True)
class BoundProgram:
    """A program with its arrays, see Program.bind(). Calling it computes all blocks.

    entry: the entry point; addresses, tables: its arguments; blocks: the number of blocks; memory: objects whose memory
    it uses, which must stay alive.
    """

    entry: Entry
    addresses: Any
    tables: Any
    blocks: int
    memory: Any

    def __call__(self) -> None:
        """Compute all blocks."""
        self.entry(self.addresses, self.tables, 0, self.blocks)


class Program:
    """A compiled function of arrays of worlds.

    spec: specification of the function. precision: "float64" or "float32". lanes: worlds per instruction, a power of
    two up to 16; None: as many as fit into a vector register. target: the machine that runs it; None: the processor of
    this machine. Raises GambolError for an unknown precision or number of lanes.
    """

    def __init__(
        self,
        spec: ProgramSpec,
        precision: Precision = "float64",
        lanes: int | None = None,
        target: Target | None = None,
    ) -> None:
        if precision not in DTYPES:
            raise GambolError(f"precision {precision!r} is unknown; it is float64 or float32")
        self.spec = spec
        self.target = target or _this_cpu()
        self.dtype = np.dtype(DTYPES[precision])
        self.precision: Precision = precision
        self.lanes = lanes or self.target.vector_bytes // self.dtype.itemsize
        if self.lanes not in (1, 2, 4, 8, MAX_LANES):
            raise GambolError(f"{lanes} lanes cannot be compiled; take 1, 2, 4, 8 or {MAX_LANES}")
        self.rows = spec.rows
        start = time.perf_counter()
        metadata, self.entry, self._engine = self._load_or_compile()
        self.outputs: tuple[int, ...] = tuple(metadata["outputs"])
        self.operations: int = metadata["operations"]
        self.compile_seconds = time.perf_counter() - start

    def _load_or_compile(self) -> tuple[dict[str, Any], Entry, Any]:
        """Return metadata, entry point and the engine that holds the code, from the cache or newly compiled."""
        target = (cache.source_digest(), *self.target.key, self.precision, self.lanes)
        spec = self.spec
        key = (
            None if spec.key is None else cache.key_of(spec.name, spec.key, self.rows, spec.tables, spec.short, *target)
        )
        if key and (cached := self._load_cached(key)):
            return cached
        LOG.info('compiling "%s"', spec.name)
        body, outputs = trace_program(spec, self.precision)
        with without_garbage_collection():
            text = self.target.text(body, self.precision, self.lanes, (self.rows, outputs))
        key = key or cache.key_of(text, *target)
        if cached := self._load_cached(key):
            return cached
        metadata = {"name": spec.name, "outputs": outputs, "operations": operation_count(body)}
        code = self.target.object_code(text, spec.name, spec.reason)
        cache.store(key, metadata, code)
        return metadata, *self.target.load(code)

    def _load_cached(self, key: str) -> tuple[dict[str, Any], Entry, Any] | None:
        """Load a program from the cache; return None if it is absent or cannot be loaded."""
        cached = cache.find(key)
        if cached is None:
            return None
        try:
            return cached[0], *self.target.load(cached[1])
        except ObjectError:
            return None

    def __call__(
        self,
        *arrays: Array,
        out: Sequence[Array | None] | None = None,
        tables: Sequence[Array] = (),
        threads: int = 1,
    ) -> tuple[Array, ...]:
        """Run on arrays of shape (rows, worlds), or (rows, 1) for inputs that all worlds share.

        out: arrays to write, which may be the inputs themselves; None for a new array. tables: one-dimensional arrays.
        threads: the number of threads that share the worlds. Returns the output arrays, of shape (rows, worlds). Raises
        GambolError for a wrong shape or number of arrays, and for an array in out that cannot be written.
        """
        inputs, worlds = self._checked_inputs(arrays, len(tables))
        outputs = self._output_arrays(out, worlds)
        self._run(inputs, outputs, worlds, [self.checked_table(t) for t in tables], threads)
        return tuple(outputs)

    def bind(self, *arrays: Array, out: Sequence[Array], tables: Sequence[Array] = ()) -> "BoundProgram":
        """Return the program with these arrays; calling it runs the program without the overhead of a call.

        arrays, out, tables: as for a call; an array may also be blocked, (blocks, rows, lanes), with each block in one
        piece of memory, which is faster for very many worlds. The number of worlds must be a multiple of the lanes. A
        table may share its memory with an array of out: blocks run in order, and each reads what earlier blocks wrote.
        An array (rows, lanes) is one block that all blocks share; as an array of out, each block overwrites it.
        Inputs may be changed in place between runs, except inputs that are copied here: those of another precision,
        without contiguous rows, or (rows, 1) for more than one lane. Raises GambolError as a call does, and for a
        number of worlds that is not a multiple of the lanes.
        """
        inputs, worlds = self._checked_inputs([self._first_rows(a) for a in arrays], len(tables), self.lanes)
        if worlds % self.lanes:
            raise GambolError(f"{worlds} worlds are not a multiple of the block size {self.lanes}")
        outputs = self._output_arrays([self._first_rows(a) for a in out], worlds, self.lanes)
        filled = [self._filled(a) for a in inputs]
        shared = self.lanes if worlds > self.lanes else 1  # width of arrays of one block
        widths = [int(a.shape[1] > shared) for a in (*inputs, *outputs)]
        blocked = [a.shape[1] if np.ndim(a) == BLOCKED else 1 for a in (*arrays, *out)]
        steps = [width * rows for width, rows in zip(widths, blocked, strict=True)]
        addresses = _addresses([*filled, *outputs], steps, self.lanes * self.dtype.itemsize)
        checked = [self.checked_table(t) for t in tables]
        memory = (self._engine, filled, outputs, checked)
        return BoundProgram(self.entry, addresses, table_addresses(checked), worlds // self.lanes, memory)

    def _first_rows(self, array: Array) -> Array:
        """Return an array (rows, worlds) with address, shape and row stride of a blocked one; others unchanged."""
        if np.ndim(array) != BLOCKED:
            return array
        blocks, rows, lanes = array.shape
        if lanes != self.lanes or array.dtype != self.dtype or not array.flags.c_contiguous:
            raise GambolError(
                f"a blocked array of {self.spec.name} must be contiguous {self.precision} of shape (blocks, rows, "
                f"{self.lanes}), not {array.dtype} of shape {array.shape}"
            )
        strides = lanes * array.itemsize, array.itemsize
        return np.lib.stride_tricks.as_strided(array.reshape(-1), (rows, blocks * lanes), strides)

    def _checked_inputs(self, arrays: Sequence[Array], tables: int, shared: int = 1) -> tuple[list[Array], int]:
        """Return the input arrays, checked, and the number of worlds; shared: worlds of arrays shared by all blocks."""
        if len(arrays) != len(self.rows) or tables != self.spec.tables:
            takes = f"{len(self.rows)} arrays and {self.spec.tables} tables"
            raise GambolError(f"{self.spec.name} takes {takes}, not {len(arrays)} and {tables}")
        inputs = [self._checked_input(a, rows) for a, rows in zip(arrays, self.rows, strict=True)]
        worlds = max((a.shape[1] for a in inputs), default=1)
        if any(a.shape[1] not in (1, shared, worlds) for a in inputs):
            raise GambolError(f"arrays of {sorted({a.shape[1] for a in inputs})} worlds cannot be combined")
        return inputs, worlds

    def _output_arrays(self, out: Sequence[Array | None] | None, worlds: int, shared: int = 0) -> list[Array]:
        """Return the arrays to write: arrays of `out` after a check, and a new array for each None.

        shared: worlds of arrays that all blocks overwrite.
        """
        arrays = [None] * len(self.outputs) if out is None else list(out)
        if len(arrays) != len(self.outputs):
            raise GambolError(f"{self.spec.name} returns {len(self.outputs)} arrays, not {len(arrays)}")
        outputs: list[Array] = []
        for rows, array in zip(self.outputs, arrays, strict=True):
            a = np.empty((rows, worlds), self.dtype) if array is None else array
            if (
                a.shape not in ((rows, worlds), (rows, shared))
                or a.dtype != self.dtype
                or (worlds > 1 and a.size and a.strides[1] != a.itemsize)
            ):
                raise GambolError(
                    f"an output array of {self.spec.name} must be {self.precision} of shape {(rows, worlds)} with "
                    f"contiguous rows, not {a.dtype} of shape {a.shape} with strides {a.strides}"
                )
            if not a.flags.writeable:
                raise GambolError(f"an output array of {self.spec.name} is read-only")
            outputs.append(a)
        return outputs

    def checked_table(self, table: Array) -> Array:
        """Return a table as a contiguous array of the program's precision. Raises GambolError for a wrong shape."""
        a = np.ascontiguousarray(table, self.dtype)
        if np.ndim(table) != 1 or not a.size:
            raise GambolError(f"a table must have one dimension and at least one entry, not shape {np.shape(table)}")
        return a

    def _checked_input(self, array: Array, rows: int) -> Array:
        a = np.asarray(array)
        a = a.reshape(-1, 1) if a.ndim == 1 else a
        if a.ndim != 2 or a.shape[0] != rows:
            raise GambolError(f"an input array of {self.spec.name} must have the shape ({rows}, worlds), not {a.shape}")
        if a.dtype != self.dtype or (a.shape[1] > 1 and a.strides[1] != self.dtype.itemsize):
            a = np.ascontiguousarray(a, self.dtype)
        return a

    def _filled(self, array: Array) -> Array:
        """Return an input with a column for each lane: itself, or copies of the one column that all worlds share."""
        return np.repeat(array, self.lanes, axis=1) if array.shape[1] == 1 < self.lanes else array

    def _run(self, inputs: list[Array], outputs: list[Array], worlds: int, tables: list[Array], threads: int) -> None:
        full_blocks = worlds // self.lanes
        table_list = table_addresses(tables)
        filled = [self._filled(a) for a in inputs]
        steps = [int(a.shape[1] > 1) for a in inputs] + [1] * len(outputs)
        if full_blocks:
            addresses = _addresses([*filled, *outputs], steps, self.lanes * self.dtype.itemsize)
            self._run_blocks(addresses, table_list, full_blocks, threads)
        remaining = worlds - full_blocks * self.lanes
        if remaining:
            self._run_partial_block(inputs, outputs, worlds - remaining, table_list)

    def _run_blocks(self, addresses: Any, tables: Any, blocks: int, threads: int) -> None:
        """Run full blocks, divided evenly among the threads."""
        count = min(threads, blocks)
        if count <= 1:  # without the overhead of sharing
            self.entry(addresses, tables, 0, blocks)
            return
        bounds = np.linspace(0, blocks, count + 1).astype(int).tolist()
        run_in_threads([partial(self.entry, addresses, tables, *share) for share in pairwise(bounds)], count)

    def _run_partial_block(self, inputs: list[Array], outputs: list[Array], start: int, tables: Any) -> None:
        """Run the worlds from `start` on as one block; the last world is repeated in the empty lanes."""
        padded = [to_blocks(a if a.shape[1] == 1 else a[:, start:], self.lanes)[0] for a in inputs]
        results = [np.empty((a.shape[0], self.lanes), self.dtype) for a in outputs]
        step = self.lanes * self.dtype.itemsize
        self.entry(_addresses([*padded, *results], [1] * (len(padded) + len(results)), step), tables, 0, 1)
        for array, result in zip(outputs, results, strict=True):
            array[:, start:] = result[:, : array.shape[1] - start]


def _this_cpu() -> Target:
    """Return the processor of this machine. LLVM is loaded here, hence only when the first program is made."""
    from gambol.lanes.cpu import CpuTarget

    return CpuTarget()


def to_blocks(a: Array, lanes: int) -> Array:
    """Return an array (rows, worlds) as blocks (blocks, rows, lanes), padded with copies of the last world."""
    padded = np.concatenate([a, np.repeat(a[:, -1:], -a.shape[1] % lanes, axis=1)], axis=1)
    return np.ascontiguousarray(padded.reshape(len(a), padded.shape[1] // lanes, lanes).transpose(1, 0, 2))


def table_addresses(tables: Sequence[Array]) -> Any:
    """Return the addresses and lengths of tables, for an entry point."""
    return (ctypes.c_int64 * (2 * max(1, len(tables))))(*[n for t in tables for n in (t.ctypes.data, t.size)])


def _addresses(arrays: list[Array], steps: list[int], block_bytes: int) -> Any:
    """Return address, bytes per row and bytes per block of each array, for an entry point.

    steps: rows of a block by which each array advances per block of worlds: 0 if all worlds share it; 1, or all rows of
    a blocked array.
    """
    fields = [n for a, s in zip(arrays, steps, strict=True) for n in (a.ctypes.data, a.strides[0], s * block_bytes)]
    return (ctypes.c_int64 * len(fields))(*fields)
