"""Arrays on a graphics processor, and arrays of other libraries, which NumPy reads and makes by DLPack."""

import gc
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from driver_stand_in import stand_in_for_driver
from tracing import PRECISIONS

from gambol.errors import GambolError
from gambol.lanes.gpu import Device, DeviceError, device, dlpack
from gambol.lanes.gpu.driver import Driver


@pytest.fixture
def processor(monkeypatch):
    return Device(Driver(stand_in_for_driver(monkeypatch)), 0)


class Exported:
    """An array of NumPy that we export: NumPy reads it as it reads any other library's."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return dlpack.CPU, 0

    def __dlpack__(self, **_):
        a = self.array
        strides = tuple(stride // a.itemsize for stride in a.strides)
        return dlpack.capsule_of(dlpack.Memory(a.ctypes.data, a.shape, strides, a.dtype, (dlpack.CPU, 0), a))


@pytest.mark.parametrize("precision", PRECISIONS)
def test_numpy_reads_an_exported_array_without_a_copy_and_frees_it(precision):
    array = np.arange(12.0, dtype=precision).reshape(3, 4)
    read = np.from_dlpack(Exported(array))
    np.testing.assert_array_equal(read, array)
    assert read.dtype == array.dtype
    assert np.shares_memory(read, array)
    assert len(dlpack._kept) == 1
    del read
    gc.collect()
    assert not dlpack._kept


def test_an_exported_array_that_nobody_reads_is_freed():
    capsule = Exported(np.zeros((2, 3))).__dlpack__()
    assert len(dlpack._kept) == 1
    del capsule
    gc.collect()
    assert not dlpack._kept


def test_the_memory_of_an_array_of_numpy_is_read():
    array = np.arange(12.0).reshape(3, 4)
    memory = dlpack.memory_of(array.T[1:])
    assert (memory.address - array.ctypes.data, memory.shape, memory.strides) == (8, (3, 3), (1, 4))
    assert (memory.dtype, memory.device) == (np.dtype(float), (dlpack.CPU, 0))
    with pytest.raises(GambolError, match="must be float32 or float64"):
        dlpack.memory_of(np.arange(3))


def test_rows_are_read_and_set(processor):
    array = processor.copied(np.arange(12.0).reshape(3, 4))
    np.testing.assert_array_equal(array.rows(1, 2), [[4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]])
    copy = array.copy()
    array.set_rows(1, np.full((1, 4), -1.0))
    np.testing.assert_array_equal(array.to_numpy()[:, 0], [0.0, -1.0, 8.0])
    np.testing.assert_array_equal(copy.to_numpy(), np.arange(12.0).reshape(3, 4))


def test_an_array_of_another_library_in_its_memory_is_viewed(processor):
    """Our own array stands in for the other library's, which DLPack describes by the same numbers."""
    ours = processor.copied(np.arange(6.0, dtype=np.float32).reshape(2, 3))
    view = processor.view(ours)
    view.set_rows(0, np.zeros((1, 3)))
    np.testing.assert_array_equal(ours.to_numpy(), [[0.0, 0.0, 0.0], [3.0, 4.0, 5.0]])
    address = view.address
    del ours
    gc.collect()
    assert view.address == address
    np.testing.assert_array_equal(view.to_numpy()[1], [3.0, 4.0, 5.0])  # the view keeps the memory


def test_arrays_in_other_memory_and_with_gaps_are_refused(processor, monkeypatch):
    with pytest.raises(GambolError, match="is not in the memory of Stand-In 9, processor 0"):
        processor.view(np.zeros((2, 3)))
    array = processor.copied(np.zeros((2, 3)))
    memory = dlpack.memory_of(array)
    monkeypatch.setattr(device, "memory_of", lambda _: replace(memory, strides=(1, 2)))
    with pytest.raises(GambolError, match=r"without gaps, not \(2, 3\) with strides \(1, 2\)"):
        processor.view(array)


def test_each_thread_that_uses_a_processor_has_its_context(processor):
    array = processor.copied(np.arange(4.0).reshape(2, 2))
    with ThreadPoolExecutor(1) as pool:
        np.testing.assert_array_equal(pool.submit(array.to_numpy).result(), [[0.0, 1.0], [2.0, 3.0]])
    with pytest.raises(DeviceError, match="INVALID_CONTEXT"), ThreadPoolExecutor(1) as pool:
        pool.submit(processor.driver.call, "cuMemGetInfo").result()
