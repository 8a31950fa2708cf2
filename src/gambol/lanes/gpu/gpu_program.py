"""Programs that run on a graphics processor: a thread for each world."""

import ctypes
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.lanes import cache
from gambol.lanes.gpu.assembler import assembled
from gambol.lanes.gpu.device import Device, DeviceArray, TransposedArray, find_device
from gambol.lanes.gpu.ptx import MAX_REGISTERS, WARP, kernel_text, limits_of, shared_words
from gambol.lanes.gpu.threads import KERNEL_NAME, kernel_source
from gambol.lanes.ops import Precision
from gambol.lanes.program import DTYPES
from gambol.lanes.program_spec import ProgramSpec

Array = NDArray[Any]

Placed: TypeAlias = DeviceArray | TransposedArray
"""An array (rows, worlds) on the processor."""

BLOCK_THREADS = 64
"""Threads of a block: two warps, of which a multiprocessor holds four blocks at 255 registers a thread."""


ALL_PERCENT = 100
"""The part of a multiprocessor's memory that its blocks share, the rest of which is a cache; as many blocks then fit as
registers allow."""


class GpuProgram:
    """A function of arrays of worlds, compiled for a graphics processor. It has the bits of Program.

    spec: specification of the function. precision: "float64" or "float32". on: the processor; None: the first one. The
    attribute block_threads is the number of threads of a block. Raises GambolError without NVIDIA's assembler, driver
    or processor.
    """

    def __init__(self, spec: ProgramSpec, precision: Precision = "float64", on: Device | None = None) -> None:
        self.spec = spec
        self.precision: Precision = precision
        self.dtype: np.dtype[Any] = np.dtype(DTYPES[precision])
        self.device, self.block_threads = on or find_device(), BLOCK_THREADS
        code, metadata = self._code()
        self.outputs: tuple[int, ...] = tuple(metadata["outputs"])
        self.operations: int = metadata["operations"]
        self.warp_bytes: int = metadata["warp_bytes"]
        self._kernel = self.device.load(code, KERNEL_NAME, self)

    def _code(self) -> tuple[bytes, dict[str, Any]]:
        """Return machine code and metadata, from the cache or newly made."""
        source, architecture = kernel_source(self.spec, self.precision), self.device.architecture
        limits = limits_of(MAX_REGISTERS), shared_words(architecture, MAX_REGISTERS)
        key = cache.key_of(source.text, "gpu", architecture, limits)
        if cached := cache.find(key):
            return cached[1], cached[0]
        text = kernel_text(source.text, architecture)
        code, _, _ = assembled(text.ptx, architecture)
        metadata = {
            "name": self.spec.name, "outputs": source.outputs, "operations": source.operations,
            "warp_bytes": text.warp_bytes,
        }  # fmt: skip
        cache.store(key, metadata, code)
        return code, metadata

    def __call__(
        self, *arrays: Array | Placed, out: Sequence[DeviceArray | None] | None = None, tables: Sequence[Any] = ()
    ) -> tuple[DeviceArray, ...]:
        """Run on arrays of shape (rows, worlds), or (rows, 1) for inputs that all worlds share.

        arrays: of the processor, or of NumPy, which are copied to it. out: arrays to write, which may be the inputs
        themselves; None for a new array. tables: one-dimensional arrays. Waits for the kernel, and returns the output
        arrays, on the processor. Raises GambolError for a wrong shape, precision or number of arrays, for too little
        memory, and if the processor fails.
        """
        inputs = self._checked(arrays, tables)
        worlds = max((a.shape[1] for a in inputs), default=1)
        if any(a.shape[1] not in (1, worlds) for a in inputs):
            raise GambolError(f"arrays of {sorted({a.shape[1] for a in inputs})} worlds cannot be combined")
        self._check_memory(inputs, worlds, out)
        placed = [a if isinstance(a, Placed) else self.device.copied(a) for a in inputs]
        outputs = self._outputs(out, worlds)
        given = [self.device.copied(np.ascontiguousarray(t, self.dtype)[None]) for t in tables]
        self._launch([*placed, *outputs], given, worlds)
        return tuple(outputs)

    def _checked(self, arrays: Sequence[Array | Placed], tables: Sequence[Any]) -> list[Array | Placed]:
        """Return the input arrays as (rows, worlds) in the precision of the program."""
        rows = self.spec.rows
        if len(arrays) != len(rows) or len(tables) != self.spec.tables:
            takes = f"{len(rows)} arrays and {self.spec.tables} tables"
            raise GambolError(f"{self.spec.name} takes {takes}, not {len(arrays)} and {len(tables)}")
        inputs: list[Array | Placed] = []
        for array, count in zip(arrays, rows, strict=True):
            a = array if isinstance(array, Placed) else np.ascontiguousarray(array, self.dtype)
            a = a.reshape(-1, 1) if isinstance(a, np.ndarray) and a.ndim == 1 else a
            if len(a.shape) != 2 or a.shape[0] != count or a.dtype != self.dtype:
                raise GambolError(
                    f"an input array of {self.spec.name} must be {self.precision} of shape ({count}, worlds), not "
                    f"{a.dtype} of shape {a.shape}"
                )
            inputs.append(a)
        return inputs

    def _outputs(self, out: Sequence[DeviceArray | None] | None, worlds: int) -> list[DeviceArray]:
        """Return the arrays to write: those of `out` after a check, and a new one for each None."""
        arrays = [None] * len(self.outputs) if out is None else list(out)
        if len(arrays) != len(self.outputs):
            raise GambolError(f"{self.spec.name} returns {len(self.outputs)} arrays, not {len(arrays)}")
        outputs = [
            self.device.empty(count, worlds, self.dtype) if array is None else array
            for count, array in zip(self.outputs, arrays, strict=True)
        ]
        for count, array in zip(self.outputs, outputs, strict=True):
            if array.shape != (count, worlds) or array.dtype != self.dtype:
                raise GambolError(
                    f"an output array of {self.spec.name} must be {self.precision} of shape {(count, worlds)}, not "
                    f"{array.dtype} of shape {array.shape}"
                )
        return outputs

    def _launch(self, arrays: Sequence[Placed], tables: Sequence[DeviceArray], worlds: int) -> None:
        """Run the kernel, and wait until it has ended."""
        fields = [n for a in arrays for n in (a.address, *a.strides)]
        pairs = [n for table in tables for n in (table.address, table.shape[1])] or [0, 0]
        lists = [self.device.copied(np.array([n], np.int64)) for n in (fields, pairs)]
        values = (ctypes.c_int64 * 3)(lists[0].address, lists[1].address, worlds)
        places = (ctypes.c_void_p * 3)(*(ctypes.addressof(values) + 8 * k for k in range(3)))
        blocks = -(-worlds // self.block_threads)
        grid = (blocks, 1, 1, self.block_threads, 1, 1)
        shared = self._shared_bytes()
        self.device.call("cuLaunchKernel", self._kernel, *grid, shared, 0, ctypes.addressof(places), 0)
        self.device.call("cuCtxSynchronize")

    def _shared_bytes(self) -> int:
        """Return the size of the memory that the threads of a block share [bytes]; let the kernel have it."""
        shared = -(-self.block_threads // WARP) * self.warp_bytes
        attributes = self.device.driver.api.CUfunction_attribute
        wanted = {"MAX_DYNAMIC_SHARED_SIZE_BYTES": shared, "PREFERRED_SHARED_MEMORY_CARVEOUT": ALL_PERCENT}
        for name, value in wanted.items() if shared else ():
            attribute = getattr(attributes, f"CU_FUNC_ATTRIBUTE_{name}")
            self.device.call("cuFuncSetAttribute", self._kernel, attribute, value)
        return shared

    def registers(self) -> int:
        """Return the number of registers of a thread."""
        return self._attribute("NUM_REGS")

    def stack_bytes(self) -> int:
        """Return the size of the memory of a thread for what does not fit into its registers [bytes]."""
        return self._attribute("LOCAL_SIZE_BYTES")

    def _attribute(self, name: str) -> int:
        """Return an attribute of the kernel, see CUfunction_attribute."""
        attributes = self.device.driver.api.CUfunction_attribute
        return int(
            self.device.call("cuFuncGetAttribute", getattr(attributes, f"CU_FUNC_ATTRIBUTE_{name}"), self._kernel)
        )

    def resident_blocks(self) -> int:
        """Return the number of blocks that share a multiprocessor."""
        count, shared = self.block_threads, self._shared_bytes()
        return int(self.device.call("cuOccupancyMaxActiveBlocksPerMultiprocessor", self._kernel, count, shared))

    def _check_memory(
        self, inputs: Sequence[Array | Placed], worlds: int, out: Sequence[DeviceArray | None] | None
    ) -> None:
        """Raise GambolError if the new arrays do not fit; it says how many worlds would."""
        copied = [a.shape[0] for a in inputs if not isinstance(a, Placed) and a.shape[1] == worlds]
        absent = [array is None for array in out or [None] * len(self.outputs)]
        made = [count for count, is_new in zip(self.outputs, absent, strict=False) if is_new]
        self.device.check_memory(self.spec.name, (sum(copied) + sum(made)) * self.dtype.itemsize, worlds)
