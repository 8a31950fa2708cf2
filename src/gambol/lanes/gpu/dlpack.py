"""Arrays of other libraries without a copy, by DLPack: the structures of dlpack.h, version 0, in capsules of Python.

    capsule "dltensor" -> DLManagedTensor {DLTensor, context, deleter}     its consumer renames it "used_dltensor"

The deleter frees what a consumer held; a capsule that nobody consumed calls it itself. [https://dmlc.github.io/dlpack]
"""

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambol.errors import GambolError

CPU, CUDA = 1, 2
"""Kinds of devices."""

DEFAULT_STREAM = 1
"""The stream of a graphics processor on which our kernels run, by its number in DLPack: the legacy default stream."""

NAME, USED_NAME = b"dltensor", b"used_dltensor"
FLOAT = 2  # code of a type
BITS_PER_BYTE = 8


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_index", ctypes.c_int32),
        ("dimensions", ctypes.c_int32),
        ("type_code", ctypes.c_uint8),
        ("type_bits", ctypes.c_uint8),
        ("type_lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


_DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_DESTRUCTOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _ManagedTensor(ctypes.Structure):
    _fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _DELETER))


_PYTHON: Any = ctypes.pythonapi
_PYTHON.PyCapsule_New.restype = ctypes.py_object
_PYTHON.PyCapsule_New.argtypes = (ctypes.c_void_p, ctypes.c_char_p, _DESTRUCTOR)
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", _PYTHON))
_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", _PYTHON))

_kept: dict[int, Any] = {}
"""What exported tensors need, by their addresses, until their consumers free them."""


@_DELETER
def _delete(address: int) -> None:
    _kept.pop(address, None)


@_DESTRUCTOR
def _destroy(capsule: int) -> None:
    """Free the tensor of a capsule that nobody consumed."""
    if _is_valid(capsule, NAME):
        _delete(_pointer(capsule, NAME))


@dataclass(frozen=True)
class Memory:
    """An array in memory. address: of its first number. shape, strides: numbers of elements. device: kind and index.

    owner: an object that must stay alive.
    """

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype[Any]
    device: tuple[int, int]
    owner: Any


def capsule_of(memory: Memory) -> Any:
    """Return an array of numbers as a capsule, of which the owner stays alive until the consumer frees it."""
    count = len(memory.shape)
    shape, strides = ((ctypes.c_int64 * count)(*numbers) for numbers in (memory.shape, memory.strides))
    bits = memory.dtype.itemsize * BITS_PER_BYTE
    tensor = _Tensor(memory.address, *memory.device, count, FLOAT, bits, 1, shape, strides, 0)
    managed = _ManagedTensor(tensor, None, _delete)
    address = ctypes.addressof(managed)
    _kept[address] = managed, shape, strides, memory.owner
    return _PYTHON.PyCapsule_New(address, NAME, _destroy)


def is_on_device(array: Any) -> bool:
    """Return True for an array of any library in the memory of a graphics processor of NVIDIA."""
    return hasattr(array, "__dlpack_device__") and array.__dlpack_device__()[0] == CUDA


def memory_of(array: Any) -> Memory:
    """Return the memory of an array that has the method `__dlpack__`.

    On a graphics processor our kernels then wait for what its library has still to compute. Raises GambolError for
    numbers other than float32 and float64.
    """
    capsule = array.__dlpack__(stream=DEFAULT_STREAM) if is_on_device(array) else array.__dlpack__()
    managed = _ManagedTensor.from_address(_pointer(id(capsule), NAME))
    tensor = managed.tensor
    if (tensor.type_code, tensor.type_lanes) != (FLOAT, 1) or tensor.type_bits not in (32, 64):
        raise GambolError("an array from another library must be float32 or float64")
    shape = tuple(tensor.shape[k] for k in range(tensor.dimensions))
    strides = tuple(tensor.strides[k] for k in range(tensor.dimensions)) if tensor.strides else _compact(shape)
    dtype: np.dtype[Any] = np.dtype(f"f{tensor.type_bits // BITS_PER_BYTE}")
    device = (tensor.device_type, tensor.device_index)
    return Memory((tensor.data or 0) + tensor.byte_offset, shape, strides, dtype, device, (array, capsule))


def _compact(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides of an array without gaps, its last index fastest."""
    return tuple(int(np.prod(shape[k + 1 :])) for k in range(len(shape)))
