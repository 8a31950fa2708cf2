"""A graphics processor: its memory, and arrays in it."""

import functools
import threading
import weakref
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.lanes.gpu.dlpack import CUDA, Memory, capsule_of, memory_of
from gambol.lanes.gpu.driver import OUT_OF_MEMORY, DeviceError, Driver, driver

Array = NDArray[Any]

ROWS_AND_WORLDS = 2  # dimensions of an array
MAJOR, MINOR = "COMPUTE_CAPABILITY_MAJOR", "COMPUTE_CAPABILITY_MINOR"


@dataclass(eq=False)
class Device:
    """A graphics processor. driver: its driver. index: its number, from 0. name, architecture: such as "sm_90"."""

    driver: Driver
    index: int
    name: str = field(init=False)
    architecture: str = field(init=False)

    _context: Any = field(init=False)
    _threads: threading.local = field(init=False, default_factory=threading.local)

    def __post_init__(self) -> None:
        call, api = self.driver.call, self.driver.api
        if self.index >= (count := call("cuDeviceGetCount")):
            there_are = "one graphics processor" if count == 1 else f"{count} graphics processors"
            raise GambolError(f'there is no "cuda:{self.index}": this process sees {there_are}, numbered from 0')
        handle = call("cuDeviceGet", self.index)
        self.name = call("cuDeviceGetName", 128, handle).rstrip(b"\0").decode()
        numbers = [
            call("cuDeviceGetAttribute", getattr(api.CUdevice_attribute, f"CU_DEVICE_ATTRIBUTE_{what}"), handle)
            for what in (MAJOR, MINOR)
        ]
        self.architecture = f"sm_{numbers[0]}{numbers[1]}"
        self._context = call("cuDevicePrimaryCtxRetain", handle)

    def call(self, name: str, *args: Any) -> Any:
        """Return the value of a function of the driver, called for this processor.

        Raises GambolError without enough memory, and DeviceError for other errors.
        """
        if not hasattr(self._threads, "is_current"):  # the context of the driver is one of each thread
            self.driver.call("cuCtxSetCurrent", self._context)
            self._threads.is_current = True
        try:
            return self.driver.call(name, *args)
        except DeviceError as error:
            if error.code != OUT_OF_MEMORY:
                raise
            raise GambolError(
                f"the memory of {self.name} is full: {name} needs more than the {self.free_bytes() / 1e9:.3g} GB that "
                "are free; use fewer worlds at once"
            ) from error

    def check_memory(self, name: str, per_world: int, worlds: int) -> None:
        """Raise GambolError if there is too little memory for worlds; it says how many would fit.

        name: of what needs it. per_world: size of new arrays for a world [bytes].
        """
        if per_world * worlds > (free := self.free_bytes()):
            raise GambolError(
                f"{worlds:,} worlds of {name} need {per_world * worlds / 1e9:.3g} GB, and {self.name} has "
                f"{free / 1e9:.3g} GB free; at most {free // per_world:,} fit"
            )

    def free_bytes(self) -> int:
        """Return the size of its free memory [bytes]."""
        return int(self.call("cuMemGetInfo")[0])

    def empty(self, rows: int, worlds: int, dtype: np.dtype[Any]) -> "DeviceArray":
        """Return an array (rows, worlds) of any numbers in its memory. Raises GambolError without enough memory."""
        size = max(1, rows * worlds * np.dtype(dtype).itemsize)
        memory = self.call("cuMemAlloc", size)
        result = DeviceArray(self, (rows, worlds), np.dtype(dtype), int(memory), None)
        self._release_with(result, "cuMemFree", memory)
        return result

    def copied(self, array: Array) -> "DeviceArray":
        """Return a copy of an array (rows, worlds) in its memory."""
        result = self.empty(array.shape[0], array.shape[1], array.dtype)
        result.set_rows(0, array)
        return result

    def view(self, array: Any) -> "DeviceArray":
        """Return an array (rows, worlds) of another library in its memory, by DLPack and without a copy.

        Raises GambolError for an array of other numbers than float32 and float64, of another shape, with gaps between
        its numbers, or in other memory.
        """
        memory = self._memory_of(array)
        if len(memory.shape) != ROWS_AND_WORLDS or memory.strides != (memory.shape[1], 1):
            raise GambolError(
                f"an array in device memory must have the shape (rows, worlds) without gaps, not {memory.shape} with "
                f"strides {memory.strides}"
            )
        rows, worlds = memory.shape
        return DeviceArray(self, (rows, worlds), memory.dtype, memory.address, memory.owner)

    def view_of_worlds(self, array: Any) -> "DeviceArray | TransposedArray":
        """Return an array (worlds, rows) of another library in its memory as (rows, worlds), without a copy.

        Raises GambolError for an array of other numbers than float32 and float64, that has not two dimensions or has
        gaps between its numbers, or is in other memory.
        """
        memory = self._memory_of(array)
        if len(memory.shape) == ROWS_AND_WORLDS:
            worlds, rows = memory.shape
            for strides, kind in (((rows, 1), TransposedArray), ((1, worlds), DeviceArray)):
                if all(n == 1 or a == b for n, a, b in zip(memory.shape, memory.strides, strides, strict=True)):
                    return kind(self, (rows, worlds), memory.dtype, memory.address, memory.owner)
        raise GambolError(
            f"an array of numbers of worlds must have the shape (worlds, numbers) without gaps, not {memory.shape} "
            f"with strides {memory.strides}"
        )

    def _memory_of(self, array: Any) -> Memory:
        """Return the memory of an array of another library. Raises GambolError if it is not on this processor."""
        memory = memory_of(array)
        if memory.device != (CUDA, self.index):
            raise GambolError(f"the array is not in the memory of {self.name}, processor {self.index}")
        return memory

    def load(self, code: bytes, name: str, owner: object) -> Any:
        """Return the function of this name of machine code, which is unloaded with its owner."""
        module = self.call("cuModuleLoadData", code)
        self._release_with(owner, "cuModuleUnload", module)
        return self.call("cuModuleGetFunction", module, name.encode())

    def _release_with(self, owner: object, name: str, handle: Any) -> None:
        """Call this function of the driver for a handle, in whichever thread the last user of the owner ends."""

        def release() -> None:
            with suppress(DeviceError):  # a lost processor has nothing to release
                self.call(name, handle)

        released = weakref.finalize(owner, release)
        released.atexit = False  # the driver releases everything at the end of a process


@dataclass(eq=False)
class StoredNumbers:
    """Numbers (rows, worlds) in the memory of a graphics processor.

    device: the processor. shape, dtype: as of NumPy. address: of the first number. owner: an object that must stay
    alive, for memory of another library.
    """

    device: Device
    shape: tuple[int, int]
    dtype: np.dtype[Any]
    address: int
    owner: Any


class DeviceArray(StoredNumbers):
    """An array (rows, worlds) in the memory of a graphics processor; its memory is freed with the object."""

    @property
    def nbytes(self) -> int:
        """Its size [bytes]."""
        return self.shape[0] * self.shape[1] * self.dtype.itemsize

    @property
    def strides(self) -> tuple[int, int]:
        """The distances between rows, and between worlds; 0 if all share one column [bytes]."""
        size = self.dtype.itemsize
        return self.shape[1] * size, size if self.shape[1] > 1 else 0

    def copy(self) -> "DeviceArray":
        """Return a copy in the same memory."""
        result = self.device.empty(*self.shape, self.dtype)
        self.device.call("cuMemcpyDtoD", result.address, self.address, self.nbytes)
        return result

    def rows(self, first: int, count: int) -> Array:
        """Return a copy of some rows (count, worlds) in the memory of the host."""
        host = np.empty((count, self.shape[1]), self.dtype)
        self.device.call("cuMemcpyDtoH", host.ctypes.data, self._address(first), host.nbytes)
        return host

    def set_rows(self, first: int, values: Array) -> None:
        """Set the rows from `first` on to values (count, worlds) of the host."""
        host: Array = np.ascontiguousarray(values, self.dtype)
        self.device.call("cuMemcpyHtoD", self._address(first), host.ctypes.data, host.nbytes)

    def copy_row(self, row: int, other: "DeviceArray", source: int) -> None:
        """Set a row to one of another array (rows, worlds) on the same processor, of the same numbers."""
        nbytes = self.shape[1] * self.dtype.itemsize
        self.device.call("cuMemcpyDtoD", self._address(row), other._address(source), nbytes)

    def _address(self, row: int) -> int:
        """Return the address of a row."""
        return self.address + row * self.shape[1] * self.dtype.itemsize

    def to_numpy(self) -> Array:
        """Return a copy of its numbers in the memory of the host."""
        return self.rows(0, self.shape[0])

    def __dlpack_device__(self) -> tuple[int, int]:
        """Return the kind and the number of its processor, see DLPack."""
        return CUDA, self.device.index

    def __dlpack__(self, *, stream: Any = None, **_options: Any) -> Any:
        """Return the array for other libraries without a copy, such as torch.from_dlpack().

        stream: not used, since each call waits until the processor has finished.
        """
        memory = Memory(self.address, self.shape, (self.shape[1], 1), self.dtype, self.__dlpack_device__(), self)
        return capsule_of(memory)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The array for other libraries without a copy, such as cupy.asarray() and torch.as_tensor()."""
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self.address, False), "version": 3}


class TransposedArray(StoredNumbers):
    """An array (rows, worlds) on a graphics processor, of which the numbers of a world are side by side.

    It is an input of a GpuProgram, such as the actions of a policy.
    """

    @property
    def strides(self) -> tuple[int, int]:
        """The distances between rows, and between worlds [bytes]."""
        return self.dtype.itemsize, self.shape[0] * self.dtype.itemsize

    def to_numpy(self) -> Array:
        """Return a copy of its numbers in the memory of the host."""
        host = np.empty(self.shape[::-1], self.dtype)
        self.device.call("cuMemcpyDtoH", host.ctypes.data, self.address, host.nbytes)
        return host.T


@functools.cache
def find_device(index: int = 0) -> Device:
    """Return a graphics processor. Raises GambolError without a driver, and for a number that there is none of."""
    return Device(driver(), index)
