"""A program: a compiled function of arrays, in which every lane computes a world of its own."""

import ctypes
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.lanes import cache, compiler, machine
from gambol.lanes.functions import TableInput
from gambol.lanes.fusion import traced
from gambol.lanes.lower import assembly
from gambol.lanes.lower.uses import operations
from gambol.lanes.ops import Precision
from gambol.lanes.trace import Body
from gambol.lanes.tree import leaves, rebuilt

Array = NDArray[Any]
DTYPES: dict[Precision, type[np.floating[Any]]] = {"float64": np.float64, "float32": np.float32}
MOST_LANES = 16


@dataclass(frozen=True)
class Recipe:
    """What a program is made from.

    function: takes one nest of scalars for each input form (and one TableInput for each table), returns a tuple of
    nests, one for each output array. forms: nests that show the structure of each input; their numbers do not matter.
    key: whatever determines the function besides gambol's own source; a program of the same key is taken from the
    cache without being traced. None: it is traced, and the cache is asked for its assembly. reason: what would make it
    large, for messages about a program that takes long to compile.
    """

    name: str
    function: Callable[..., tuple[Any, ...]]
    forms: tuple[Any, ...]
    tables: int = 0
    key: Any = None
    reason: str = ""


class Program:
    """A compiled function of arrays of worlds.

    precision: "float64" or "float32". lanes: worlds per instruction, a power of two up to 16; None takes what fits the
    processor's registers. processor: what to compile for; None is this one.
    Raises GambolError for an unknown precision or number of lanes.
    """

    def __init__(
        self,
        recipe: Recipe,
        precision: Precision = "float64",
        lanes: int | None = None,
        processor: compiler.Processor | None = None,
    ) -> None:
        if precision not in DTYPES:
            raise GambolError(f"precision {precision!r} is unknown; it is float64 or float32")
        self.recipe = recipe
        self.processor = processor or compiler.this_processor()
        self.dtype = np.dtype(DTYPES[precision])
        self.precision: Precision = precision
        self.lanes = lanes or self.processor.vector_bytes // self.dtype.itemsize
        if self.lanes not in (1, 2, 4, 8, MOST_LANES):
            raise GambolError(f"{lanes} lanes cannot be compiled; take 1, 2, 4, 8 or {MOST_LANES}")
        self.rows = tuple(len(leaves(form)) for form in recipe.forms)
        start = time.perf_counter()
        about, self.entry, self._engine = self._made()
        self.outputs: tuple[int, ...] = tuple(about["outputs"])
        self.operations: int = about["operations"]
        self.seconds_to_make = time.perf_counter() - start

    def _made(self) -> tuple[dict[str, Any], machine.Entry, Any]:
        """The program's description, its entry point and what keeps that alive: from the cache, or else compiled."""
        made_for = (cache.source_digest(), self.processor, compiler.LLVM.llvm_version_info, self.precision, self.lanes)
        recipe = self.recipe
        key = None if recipe.key is None else cache.key_of(recipe.name, recipe.key, self.rows, recipe.tables, *made_for)
        if key and (found := _loaded(key)):
            return found
        compiler.LOG.info('compiling "%s"', recipe.name)
        body, outputs = self._traced()
        text = assembly(body, self.precision, self.lanes, (self.rows, outputs))
        key = key or cache.key_of(text, *made_for)
        if found := _loaded(key):
            return found
        about = {"name": recipe.name, "outputs": outputs, "operations": operations(body)}
        try:
            code = compiler.object_code(text, self.processor, recipe.name, recipe.reason)
        except compiler.CompileError as error:
            raise GambolError(str(error)) from error
        cache.keep(key, about, code)
        return about, *machine.loaded(code)

    def _traced(self) -> tuple[Body, list[int]]:
        outputs: list[int] = []

        def flat(*given: Any) -> list[Any]:
            stream = iter(given)
            nests = [rebuilt(form, stream) for form in self.recipe.forms]
            results = self.recipe.function(*nests, *(TableInput(k) for k in range(self.recipe.tables)))
            outputs.extend(len(leaves(r)) for r in results)
            return [x for r in results for x in leaves(r)]

        body = traced(self.recipe.name, self.precision, None, sum(self.rows), flat)
        return body, outputs

    def __call__(
        self,
        *arrays: Array,
        out: Sequence[Array | None] | None = None,
        tables: Sequence[Array] = (),
        threads: int = 1,
    ) -> tuple[Array, ...]:
        """Run on arrays of shape (rows, worlds), or (rows, 1) for what all worlds share.

        out: arrays to write, which may be the inputs themselves; made where None. tables: one-dimensional arrays.
        Returns the output arrays, of shape (rows, worlds). Raises GambolError for shapes and numbers of arrays that do
        not fit, and for an output array that cannot be written in place.
        """
        given, worlds = self._taken(arrays, len(tables))
        made = self._places(out, worlds)
        self._run(given, made, worlds, [self.checked_table(t) for t in tables], threads)
        return tuple(made)

    def repeated(self, *arrays: Array, out: Sequence[Array], tables: Sequence[Array] = ()) -> Callable[[], None]:
        """A function that runs on these very arrays at every call, without what a call costs besides.

        Whole blocks of lanes only. A table may lie in an array of out: blocks run one after the other, and each reads
        what those before it wrote. An input that had to be converted is that of now.
        Raises GambolError as a call does, and for worlds that do not fill whole blocks.
        """
        given, worlds = self._taken(arrays, len(tables))
        if worlds % self.lanes:
            raise GambolError(f"{worlds} worlds do not fill blocks of {self.lanes}")
        made = self._places(out, worlds)
        shared = [np.repeat(a, self.lanes, axis=1) if a.shape[1] == 1 else a for a in given]
        steps = [int(a.shape[1] > 1) for a in given] + [1] * len(made)
        addresses = _addresses([*shared, *made], steps, self.lanes * self.dtype.itemsize)
        kept = [self.checked_table(t) for t in tables]
        listed = table_addresses(kept)

        def again() -> None:
            self.entry(addresses, listed, 0, worlds // self.lanes)

        again.__dict__["kept"] = (shared, made, kept)  # what the addresses point to lives as long as the function
        return again

    def _taken(self, arrays: Sequence[Array], tables: int) -> tuple[list[Array], int]:
        """The arrays to read, once they are known to fit, and how many worlds they have."""
        if len(arrays) != len(self.rows) or tables != self.recipe.tables:
            takes = f"{len(self.rows)} arrays and {self.recipe.tables} tables"
            raise GambolError(f"{self.recipe.name} takes {takes}, not {len(arrays)} and {tables}")
        given = [self._checked(a, rows) for a, rows in zip(arrays, self.rows, strict=True)]
        worlds = max((a.shape[1] for a in given), default=1)
        if any(a.shape[1] not in (1, worlds) for a in given):
            raise GambolError(f"arrays of {sorted({a.shape[1] for a in given})} worlds do not go together")
        return given, worlds

    def _places(self, out: Sequence[Array | None] | None, worlds: int) -> list[Array]:
        """The arrays to write: those given, once they are known to fit, and new ones."""
        places = [None] * len(self.outputs) if out is None else list(out)
        if len(places) != len(self.outputs):
            raise GambolError(f"{self.recipe.name} gives {len(self.outputs)} arrays, not {len(places)}")
        made: list[Array] = []
        for rows, place in zip(self.outputs, places, strict=True):
            a = np.empty((rows, worlds), self.dtype) if place is None else place
            if (
                a.shape != (rows, worlds)
                or a.dtype != self.dtype
                or (worlds > 1 and a.size and a.strides[1] != a.itemsize)
            ):
                raise GambolError(
                    f"{self.recipe.name} writes {self.precision} of shape {(rows, worlds)} with worlds side by side, "
                    f"not {a.dtype} of shape {a.shape} with strides {a.strides}"
                )
            if not a.flags.writeable:
                raise GambolError(f"an array that {self.recipe.name} is to write is read-only")
            made.append(a)
        return made

    def checked_table(self, table: Array) -> Array:
        """A table as it is read. Raises GambolError for one of another shape."""
        a = np.ascontiguousarray(table, self.dtype)
        if np.ndim(table) != 1 or not a.size:
            raise GambolError(f"a table has one dimension and at least one entry, not the shape {np.shape(table)}")
        return a

    def _checked(self, array: Array, rows: int) -> Array:
        a = np.asarray(array)
        a = a.reshape(-1, 1) if a.ndim == 1 else a
        if a.ndim != 2 or a.shape[0] != rows:
            raise GambolError(f"{self.recipe.name} takes {rows} rows of worlds here, not the shape {a.shape}")
        if a.dtype != self.dtype or (a.shape[1] > 1 and a.strides[1] != self.dtype.itemsize):
            a = np.ascontiguousarray(a, self.dtype)
        return a

    def _run(self, given: list[Array], made: list[Array], worlds: int, tables: list[Array], threads: int) -> None:
        whole = worlds // self.lanes
        table_list = table_addresses(tables)
        shared = [np.repeat(a, self.lanes, axis=1) if a.shape[1] == 1 else a for a in given]
        steps = [int(a.shape[1] > 1) for a in given] + [1] * len(made)
        if whole:
            addresses = _addresses([*shared, *made], steps, self.lanes * self.dtype.itemsize)
            self._blocks(addresses, table_list, whole, threads)
        rest = worlds - whole * self.lanes
        if rest:
            self._last_block(given, made, worlds - rest, table_list)

    def _blocks(self, addresses: Any, tables: Any, blocks: int, threads: int) -> None:
        """Run whole blocks, dealt out in equal runs to the threads."""
        if threads <= 1 or blocks == 1:
            self.entry(addresses, tables, 0, blocks)
            return
        edges = np.linspace(0, blocks, min(threads, blocks) + 1).astype(int)
        with ThreadPoolExecutor(len(edges) - 1) as pool:
            runs = [pool.submit(self.entry, addresses, tables, int(a), int(b)) for a, b in pairwise(edges)]
            for run in runs:
                run.result()

    def _last_block(self, given: list[Array], made: list[Array], start: int, tables: Any) -> None:
        """Run a block that is not full: the last world stands in the empty lanes too."""
        full = [in_blocks(a if a.shape[1] == 1 else a[:, start:], self.lanes)[0] for a in given]
        results = [np.empty((m.shape[0], self.lanes), self.dtype) for m in made]
        step = self.lanes * self.dtype.itemsize
        self.entry(_addresses([*full, *results], [1] * (len(full) + len(results)), step), tables, 0, 1)
        for m, r in zip(made, results, strict=True):
            m[:, start:] = r[:, : m.shape[1] - start]


def _loaded(key: str) -> tuple[dict[str, Any], machine.Entry, Any] | None:
    """A program from the cache, loaded; None where there is none, or nothing that can be loaded."""
    found = cache.find(key)
    if found is None:
        return None
    try:
        return found[0], *machine.loaded(found[1])
    except machine.ObjectError:
        return None


def in_blocks(a: Array, lanes: int) -> Array:
    """An array (rows, worlds) block by block (blocks, rows, lanes); in the last its last world fills empty lanes."""
    whole = np.concatenate([a, np.repeat(a[:, -1:], -a.shape[1] % lanes, axis=1)], axis=1)
    return np.ascontiguousarray(whole.reshape(len(a), whole.shape[1] // lanes, lanes).transpose(1, 0, 2))


def table_addresses(tables: Sequence[Array]) -> Any:
    """Addresses and lengths of tables, as an entry point takes them."""
    return (ctypes.c_int64 * (2 * max(1, len(tables))))(*[n for t in tables for n in (t.ctypes.data, t.size)])


def _addresses(arrays: list[Array], steps: list[int], block: int) -> Any:
    numbers = [n for a, s in zip(arrays, steps, strict=True) for n in (a.ctypes.data, a.strides[0], s * block)]
    return (ctypes.c_int64 * len(numbers))(*numbers)
