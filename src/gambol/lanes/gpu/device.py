"""A graphics processor: its memory, and arrays in it."""

import functools
import weakref
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.lanes.gpu.driver import Driver, driver

Array = NDArray[Any]

MAJOR, MINOR = "COMPUTE_CAPABILITY_MAJOR", "COMPUTE_CAPABILITY_MINOR"


@dataclass(eq=False)
class Device:
    """A graphics processor. driver: its driver. index: its number, from 0. name, architecture: such as "sm_90"."""

    driver: Driver
    index: int
    name: str = field(init=False)
    architecture: str = field(init=False)

    def __post_init__(self) -> None:
        call, api = self.driver.call, self.driver.api
        handle = call("cuDeviceGet", self.index)
        self.name = call("cuDeviceGetName", 128, handle).rstrip(b"\0").decode()
        numbers = [
            call("cuDeviceGetAttribute", getattr(api.CUdevice_attribute, f"CU_DEVICE_ATTRIBUTE_{what}"), handle)
            for what in (MAJOR, MINOR)
        ]
        self.architecture = f"sm_{numbers[0]}{numbers[1]}"
        call("cuCtxSetCurrent", call("cuDevicePrimaryCtxRetain", handle))

    def free_bytes(self) -> int:
        """Return the size of its free memory [bytes]."""
        return int(self.driver.call("cuMemGetInfo")[0])

    def empty(self, rows: int, worlds: int, dtype: np.dtype[Any]) -> "DeviceArray":
        """Return an array (rows, worlds) of any numbers in its memory. Raises DeviceError without enough memory."""
        return DeviceArray(self, (rows, worlds), np.dtype(dtype))

    def copied(self, array: Array) -> "DeviceArray":
        """Return a copy of an array (rows, worlds) in its memory."""
        host: Array = np.ascontiguousarray(array)
        result = self.empty(host.shape[0], host.shape[1], host.dtype)
        self.driver.call("cuMemcpyHtoD", result.address, host.ctypes.data, host.nbytes)
        return result

    def load(self, code: bytes, name: str) -> Any:
        """Return the function of this name of machine code."""
        return self.driver.call("cuModuleGetFunction", self.driver.call("cuModuleLoadData", code), name.encode())


class DeviceArray:
    """An array (rows, worlds) in the memory of a graphics processor; the memory is freed with the object.

    device: the processor. shape, dtype: as of NumPy. address: of its first number.
    """

    def __init__(self, device: Device, shape: tuple[int, int], dtype: np.dtype[Any]) -> None:
        self.device, self.shape, self.dtype = device, shape, dtype
        self.nbytes = shape[0] * shape[1] * dtype.itemsize
        memory = device.driver.call("cuMemAlloc", max(1, self.nbytes))
        self.address = int(memory)
        self._freed = weakref.finalize(self, device.driver.api.cuMemFree, memory)
        self._freed.atexit = False  # the driver frees all memory at the end of a process

    def to_numpy(self) -> Array:
        """Return a copy of its numbers."""
        host = np.empty(self.shape, self.dtype)
        self.device.driver.call("cuMemcpyDtoH", host.ctypes.data, self.address, self.nbytes)
        return host

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The array for other libraries without a copy, such as cupy.asarray() and torch.as_tensor()."""
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self.address, False), "version": 3}


@functools.cache
def device(index: int = 0) -> Device:
    """Return a graphics processor. Raises GambolError without a driver, and for a number that there is none of."""
    return Device(driver(), index)
