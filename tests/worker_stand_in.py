"""A preload for workers of Dask: a stand-in for NVIDIA's driver, with two graphics processors in the machine."""

import os
import sys
from types import ModuleType

import pytest
from driver_stand_in import HostProgram, StandIn, stand_in_for_driver

PROCESSORS = ("0", "1")


class VisibleProcessors(StandIn):
    """The processors of CUDA_VISIBLE_DEVICES at the time of cuInit, as NVIDIA's driver has it."""

    def cuInit(self, flags):
        self.visible = [name for name in os.environ.get("CUDA_VISIBLE_DEVICES", "0,1").split(",") if name in PROCESSORS]
        self.devices = len(self.visible)
        return super().cuInit(flags)

    def cuDeviceGetName(self, length, handle):
        return 0, f"Stand-In {self.visible[handle]}\0".encode().ljust(length, b"\0")


class CountedProgram(HostProgram):
    """It counts its calls, and stands for a processor that is lost if a file says so."""

    calls, lanes = 0, None  # as in Engine, so that workers load its programs from the cache

    def __call__(self, *arrays, **options):
        CountedProgram.calls += 1
        if os.path.exists(os.environ.get("LOST_PROCESSOR", "")):
            self.device.driver.api.cuCtxSynchronize.__self__.lost = True
            self.device.call("cuCtxSynchronize")
        return super().__call__(*arrays, **options)


def dask_setup(_worker):
    patch = pytest.MonkeyPatch()
    api = VisibleProcessors(size=50_000_000)
    stand_in_for_driver(patch)
    module = ModuleType("cuda.bindings.driver")
    module.__getattr__ = lambda name: getattr(api, name)  # a function depends on the thread that asks for it
    sys.modules["cuda.bindings.driver"] = module
    patch.setattr("gambol.lanes.gpu.GpuProgram", CountedProgram)


def used_processor():
    """Return the name of the processor of this worker, and the number of calls of its programs."""
    from gambol.lanes.gpu import find_device

    return find_device().name, CountedProgram.calls
