"""Programs that the machine for PTX executes."""

import struct

import numpy as np
from ptx_machine import PtxMachine
from tracing import bits

from gambol.lanes.gpu.threads import KERNEL_NAME, kernel_source

THREADS = 3


def run_ptx(text, spec, precision, arrays, tables=(), touched=None):
    """Return the outputs of a PTX text that a machine executes, in blocks of a few threads.

    touched: a list, to which the addresses are added that each thread loads or stores.
    """
    source, size = kernel_source(spec, precision), np.dtype(precision).itemsize
    ptx = PtxMachine(text.ptx)
    worlds = arrays[0].shape[1]
    placed = [np.ascontiguousarray(a) for a in arrays] + [np.zeros((n, worlds), precision) for n in source.outputs]
    addresses = [ptx.memory.put(a.tobytes()) for a in placed]
    given = [ptx.memory.put(np.asarray(t, precision).tobytes()) for t in tables]
    fields = [n for address in addresses for n in (address, worlds * size, size)]
    pairs = [n for address, t in zip(given, tables, strict=True) for n in (address, len(t))] or [0]
    lists = [ptx.memory.put(struct.pack(f"<{len(n)}q", *n)) for n in (fields, pairs)]
    ptx.launch(KERNEL_NAME, [*lists, worlds], -(-worlds // THREADS), THREADS, text.warp_bytes)
    if touched is not None:
        touched.extend(ptx.touched)
    begin = len(arrays)
    return [
        np.frombuffer(ptx.memory.bytes, precision, a.size, address).reshape(a.shape)
        for a, address in zip(placed[begin:], addresses[begin:], strict=True)
    ]


def check_bits(found, native):
    """Check that arrays have the same bits; those of a NaN may differ."""
    for ours, expected in zip(found, native, strict=True):
        np.testing.assert_array_equal(np.isnan(ours), np.isnan(expected))
        np.testing.assert_array_equal(bits(np.nan_to_num(ours, nan=7.0)), bits(np.nan_to_num(expected, nan=7.0)))
