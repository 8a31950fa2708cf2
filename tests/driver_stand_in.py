"""A stand-in for NVIDIA's driver: the functions of cuda.bindings.driver that we call, by their documentation.

Its "machine code" is PTX, which a machine of the tests executes. Host and device have separate memories, as there.
"""

import ctypes
import threading
from types import SimpleNamespace

import numpy as np
from ptx_machine import Memory, PtxMachine

from gambol.lanes import Program
from gambol.lanes.gpu import Device, dlpack
from gambol.lanes.gpu.driver import Driver

NAMES = {
    201: b"CUDA_ERROR_INVALID_CONTEXT",
    1: b"CUDA_ERROR_INVALID_VALUE",
    2: b"CUDA_ERROR_OUT_OF_MEMORY",
    100: b"CUDA_ERROR_NO_DEVICE",
    700: b"CUDA_ERROR_ILLEGAL_ADDRESS",
}


class StandIn:
    """Functions of the driver. version: its version; size: memory [bytes]; devices: their number."""

    CUdevice_attribute = SimpleNamespace(
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR=9, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR=0
    )

    CUfunction_attribute = SimpleNamespace(
        CU_FUNC_ATTRIBUTE_NUM_REGS=255,
        CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES=4096,
        CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES=8,
        CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT=9,
    )

    def __init__(self, version=12_040, size=2_000_000, devices=1):
        self.version, self.devices, self.memory = version, devices, Memory(size)
        self.sizes, self.lost, self.started, self.modules = {}, False, [], []
        self.shared = {}  # most shared memory of a block of a kernel
        self.carved = set()  # kernels whose blocks share all memory of a multiprocessor
        self.threads = threading.local()  # each thread has a current context

    def __getattribute__(self, name):
        """Functions of memory and modules need a current context."""
        if name.startswith(("cuMem", "cuModule", "cuLaunch", "cuCtxSyn")) and not hasattr(self.threads, "context"):
            return lambda *_: (201, None)
        return super().__getattribute__(name)

    def cuGetErrorName(self, error):
        return 0, NAMES[error]

    def cuDriverGetVersion(self):
        return 0, self.version

    def cuInit(self, flags):
        assert flags == 0
        return (0 if self.devices else 100,)

    def cuDeviceGetCount(self):
        return 0, self.devices

    def cuDeviceGet(self, index):
        return (0, index) if index < self.devices else (101, None)

    def cuDeviceGetName(self, length, handle):
        return 0, b"Stand-In 9\0".ljust(length, b"\0")

    def cuDeviceGetAttribute(self, attribute, handle):
        return 0, attribute

    def cuDevicePrimaryCtxRetain(self, handle):
        return 0, "context"

    def cuCtxSetCurrent(self, context):
        self.threads.context = context
        return (0,)

    def cuMemGetInfo(self):
        return 0, self.memory.size - sum(self.sizes.values()), self.memory.size

    def cuMemAlloc(self, count):
        if count > self.cuMemGetInfo()[1]:
            return 2, None
        address = self.memory.reserve(count)
        self.sizes[address] = count
        return 0, address

    def cuMemFree(self, address):
        del self.sizes[address]
        return (0,)

    def cuMemcpyHtoD(self, address, host, count):
        assert any(start <= address and address + count <= start + size for start, size in self.sizes.items())
        self.memory.bytes[address : address + count] = ctypes.string_at(host, count)
        return (0,)

    def cuMemcpyDtoD(self, target, source, count):
        self.memory.bytes[target : target + count] = bytes(self.memory.bytes[source : source + count])
        return (0,)

    def cuMemcpyDtoH(self, host, address, count):
        ctypes.memmove(host, bytes(self.memory.bytes[address : address + count]), count)
        return (0,)

    def cuModuleLoadData(self, code):
        module = PtxMachine(code.decode(), self.memory)
        self.modules.append(module)
        return 0, module

    def cuModuleUnload(self, module):
        self.modules.remove(module)
        return (0,)

    def cuModuleGetFunction(self, module, name):
        return 0, (module, name.decode())

    def cuFuncGetAttribute(self, attribute, kernel):
        return 0, attribute

    def cuFuncSetAttribute(self, kernel, attribute, value):
        if (attribute, value) == (9, 100):
            self.carved.add(kernel)
            return (0,)
        assert attribute == 8
        if value > 227 * 1024:
            return (1,)
        self.shared[kernel] = value
        return (0,)

    def cuOccupancyMaxActiveBlocksPerMultiprocessor(self, kernel, threads, shared):
        return 0, min(65_536 // (256 * threads), (228 if kernel in self.carved else 100) * 1024 // (shared + 1024))

    def cuLaunchKernel(self, kernel, *numbers):
        *sizes, shared, stream, parameters, extra = numbers
        assert (sizes[1:3], sizes[4:], stream, extra) == ([1, 1], [1, 1], 0, 0)
        if shared > self.shared.get(kernel, 48 * 1024):
            return (1,)
        module, name = kernel
        count = len(module.functions[name].parameters)
        places = (ctypes.c_void_p * count).from_address(parameters)
        module.launch(name, [ctypes.c_int64.from_address(place).value for place in places], sizes[0], sizes[3], shared)
        self.started.append((sizes[0], sizes[3]))
        return (0,)

    def cuCtxSynchronize(self):
        return (700 if self.lost else 0,)


def stand_in_for_driver(monkeypatch, **options):
    """Return a stand-in whose "machine code" is PTX, which our assembler then leaves as it is."""
    monkeypatch.setattr("gambol.lanes.gpu.gpu_program.assembled", lambda ptx, _: (ptx.encode(), 0, ()))
    uncached = SimpleNamespace(key_of=lambda *_: "", find=lambda key: None, store=lambda *_: None)
    monkeypatch.setattr("gambol.lanes.gpu.gpu_program.cache", uncached)  # programs of the processor have the true one
    return StandIn(**options)


def use_stand_in(monkeypatch, size, program=None):
    """Return a stand-in for the driver, whose processor is the only one that gambol finds.

    size: its memory [bytes]. program: a class in place of GpuProgram, such as HostProgram; None: GpuProgram itself.
    """
    driver = stand_in_for_driver(monkeypatch, size=size)
    processor = Device(Driver(driver), 0)
    monkeypatch.setattr("gambol.lanes.gpu.find_device", lambda index: {0: processor}[index])
    if program is not None:
        monkeypatch.setattr("gambol.lanes.gpu.GpuProgram", program)
    return driver


class HostProgram:
    """A stand-in for a GpuProgram, many times as fast: the program of the processor, on copies.

    lanes: see Program.
    """

    lanes = 1
    name_started = staticmethod(lambda name: None)

    def __init__(self, spec, precision="float64", on=None):
        self.program, self.device = Program(spec, precision, self.lanes), on
        self.outputs = self.program.outputs

    def __call__(self, *arrays, out=None, tables=()):
        self.name_started(self.program.spec.name)
        given = [a if isinstance(a, np.ndarray) else a.to_numpy() for a in arrays]
        results = self.program(*given, tables=tables)
        targets = out or [self.device.empty(*rows.shape, rows.dtype) for rows in results]
        for target, rows in zip(targets, results, strict=True):
            target.set_rows(0, rows)
        return tuple(targets)


class ForeignArray:
    """An array of another library on a processor, such as torch's, which DLPack describes.

    array: its numbers; order: "C", or "F" for one that is transposed in memory. streams: those that consumers named.
    """

    def __init__(self, processor, array, order="C"):
        self.shape, self.memory = array.shape, processor.copied(np.ravel(array, order)[None])
        self.strides = tuple(n // array.itemsize for n in np.asarray(array, order=order).strides)
        self.streams = []

    def __dlpack_device__(self):
        return self.memory.__dlpack_device__()

    def __dlpack__(self, *, stream=None):
        self.streams.append(stream)
        m = self.memory
        return dlpack.capsule_of(
            dlpack.Memory(m.address, self.shape, self.strides, m.dtype, self.__dlpack_device__(), m)
        )
