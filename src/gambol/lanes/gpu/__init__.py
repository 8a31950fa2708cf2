"""The target "gpu": programs become machine code of NVIDIA's graphics processors, with one thread for each world.

A program's text is the one of the target "cpu" with one lane, so the processor computes the same bits from it. Kernels
need no graphics processor; GpuProgram runs them on one. It has never run on a real one: tests execute its kernels by a
machine for their PTX, and stand in for the driver.
"""

from gambol.lanes.gpu.assembler import FunctionResources
from gambol.lanes.gpu.device import Device, DeviceArray, TransposedArray, find_device
from gambol.lanes.gpu.dlpack import is_on_device
from gambol.lanes.gpu.driver import DeviceError
from gambol.lanes.gpu.gpu_program import GpuProgram
from gambol.lanes.gpu.kernel import Kernel, kernel_of

__all__ = [
    "Device",
    "DeviceArray",
    "DeviceError",
    "FunctionResources",
    "GpuProgram",
    "Kernel",
    "TransposedArray",
    "find_device",
    "is_on_device",
    "kernel_of",
]
