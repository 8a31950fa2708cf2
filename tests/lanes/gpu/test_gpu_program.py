"""Programs on a graphics processor: the calls of the driver, arrays on the device, and errors."""

import pickle
import sys
from types import ModuleType

import numpy as np
import pytest
from driver_stand_in import StandIn, stand_in_for_driver
from target_formulas import SPECIAL, functions_of
from tracing import PRECISIONS, bits

from gambol.errors import GambolError
from gambol.lanes import Program, ProgramSpec, gather
from gambol.lanes.gpu import Device, DeviceError, GpuProgram
from gambol.lanes.gpu.driver import Driver, driver

SPEC = ProgramSpec("sums", lambda x, y: ([x[0] + y, x[1] * y], x[0] - x[1]), ([0.0, 0.0], 0.0))


@pytest.fixture
def stand_in(monkeypatch):
    return stand_in_for_driver(monkeypatch)


@pytest.fixture
def processor(stand_in):
    return Device(Driver(stand_in), 0)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_the_bits_are_those_of_the_processor_and_memory_is_freed(precision, stand_in, processor):
    spec = ProgramSpec("functions", functions_of, (0.0, 0.0))
    given = [a.reshape(1, -1).astype(precision) for a in np.meshgrid(SPECIAL, SPECIAL)]
    results = GpuProgram(spec, precision, processor)(*given)
    for ours, expected in zip(results, Program(spec, precision)(*given), strict=True):
        np.testing.assert_array_equal(
            bits(np.nan_to_num(ours.to_numpy(), nan=7.0)), bits(np.nan_to_num(expected, nan=7.0))
        )
    assert stand_in.started == [(4, 64)]  # 196 worlds
    del results, ours
    assert not stand_in.sizes
    assert not stand_in.modules  # the program was not kept


def test_an_input_of_all_worlds_and_arrays_that_stay_on_the_processor(stand_in, processor):
    program = GpuProgram(SPEC, "float64", processor)
    x, y = np.arange(10.0).reshape(2, 5), np.array([[3.0]])
    state = processor.copied(x)
    sums, difference = program(state, y)
    np.testing.assert_array_equal(sums.to_numpy(), [x[0] + 3.0, x[1] * 3.0])
    np.testing.assert_array_equal(difference.to_numpy(), [x[0] - x[1]])
    again, _ = program(state, y, out=[state, None])  # in place
    assert again is state
    program(state, y, out=[state, difference])
    np.testing.assert_array_equal(state.to_numpy(), [x[0] + 6.0, x[1] * 9.0])
    interface = state.__cuda_array_interface__
    assert interface == {"shape": (2, 5), "typestr": "<f8", "data": (state.address, False), "version": 3}


def test_tables_are_copied(processor):
    spec = ProgramSpec("table", lambda i, t: (gather(t, i),), (0.0,), 1)
    (result,) = GpuProgram(spec, "float32", processor)(np.array([[0.0, 2.0, 9.0]]), tables=[[5.0, 6.0, 7.0]])
    np.testing.assert_array_equal(result.to_numpy(), [[5.0, 7.0, 7.0]])


def test_wrong_arrays_are_refused(processor):
    program = GpuProgram(SPEC, "float64", processor)
    x, y = np.zeros((2, 5)), np.zeros((1, 5))
    with pytest.raises(GambolError, match="sums takes 2 arrays and 0 tables, not 1 and 0"):
        program(x)
    with pytest.raises(GambolError, match=r"must be float64 of shape \(2, worlds\), not float64 of shape \(3, 5\)"):
        program(np.zeros((3, 5)), y)
    with pytest.raises(GambolError, match=r"must be float64 of shape \(2, worlds\), not float32 of shape \(2, 5\)"):
        program(processor.copied(x.astype(np.float32)), y)
    with pytest.raises(GambolError, match=r"arrays of \[4, 5\] worlds cannot be combined"):
        program(x, np.zeros((1, 4)))
    with pytest.raises(GambolError, match="sums returns 2 arrays, not 1"):
        program(x, y, out=[None])
    with pytest.raises(GambolError, match=r"an output array of sums must be float64 of shape \(2, 5\)"):
        program(x, y, out=[processor.copied(np.zeros((2, 4))), None])


def test_too_little_memory_says_how_many_worlds_fit(stand_in, processor):
    """Two new numbers and three results, of 8 bytes each, and 2 MB."""
    program = GpuProgram(SPEC, "float64", processor)
    message = "100,000 worlds of sums need 0.004 GB, and Stand-In 9 has 0.002 GB free; at most 50,000 fit"
    with pytest.raises(GambolError, match=message):
        program(np.zeros((2, 100_000)), np.zeros((1, 1)))
    assert not stand_in.sizes


def test_a_processor_that_is_lost_is_told(stand_in, processor):
    program = GpuProgram(SPEC, "float64", processor)
    stand_in.lost = True
    with pytest.raises(DeviceError, match="failed in cuCtxSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS") as told:
        program(np.zeros((2, 5)), np.zeros((1, 5)))
    assert told.value.code == 700


def test_a_kernel_tells_what_it_needs(processor):
    program = GpuProgram(SPEC, "float64", processor)
    assert (program.registers(), program.stack_bytes(), program.resident_blocks()) == (255, 4096, 4)


def test_a_full_memory_is_told_and_processors_that_are_not_there(stand_in, processor):
    with pytest.raises(GambolError, match=r"memory of Stand-In 9 is full: cuMemAlloc needs more than the 0\.002 GB"):
        processor.empty(1, 3_000_000, np.dtype(float))
    with pytest.raises(GambolError, match='no "cuda:2": this process sees one graphics processor, numbered from 0'):
        Device(Driver(stand_in), 2)
    stand_in.devices = 2
    with pytest.raises(GambolError, match='no "cuda:2": this process sees 2 graphics processors'):
        Device(Driver(stand_in), 2)


def test_errors_go_from_process_to_process():
    error = pickle.loads(pickle.dumps(DeviceError("it failed", 700)))
    assert (str(error), error.code) == ("it failed", 700)


@pytest.fixture
def found(monkeypatch):
    """A function that makes driver() find these functions, or fail with an error."""
    driver.cache_clear()

    def find(api):
        module = ModuleType("cuda.bindings.driver")
        module.__dict__.update({name: getattr(api, name) for name in dir(api) if name.startswith("cu")})
        monkeypatch.setitem(sys.modules, "cuda.bindings.driver", module)
        return driver

    yield find
    driver.cache_clear()


def test_a_machine_without_driver_or_with_an_old_one_is_told(found, monkeypatch):
    class Absent(StandIn):
        def cuDriverGetVersion(self):
            raise RuntimeError('"cuda" is an NVIDIA driver library and can only be found via system search')

    with pytest.raises(GambolError, match=r"no driver .* on this machine \(its library libcuda was not found\)"):
        found(Absent())()
    with pytest.raises(GambolError, match=r"no driver .* CUDA_ERROR_NO_DEVICE"):
        found(StandIn(devices=0))()
    with pytest.raises(GambolError, match=r"the driver knows CUDA 11\.8; the target gpu needs one of CUDA 12\.0"):
        found(StandIn(version=11_080))()
    assert found(StandIn())().call("cuDeviceGet", 0) == 0
    driver.cache_clear()
    monkeypatch.setitem(sys.modules, "cuda.bindings.driver", None)
    with pytest.raises(GambolError, match=r"pip install 'gambol\[cuda\]'"):
        driver()
