"""Programs as kernels: machine code of a graphics processor, and what it needs."""

from dataclasses import dataclass

from gambol.lanes.gpu.assembler import FunctionResources, assembled
from gambol.lanes.gpu.ptx import ptx_of
from gambol.lanes.gpu.threads import kernel_text, one_lane_text
from gambol.lanes.ops import Precision
from gambol.lanes.program_spec import ProgramSpec, operation_count, trace_program

DEFAULT_ARCHITECTURE = "sm_90"  # H100 and H200


@dataclass(frozen=True)
class Kernel:
    """A program as a kernel `worlds(arrays, tables, count)`, of which thread k computes world k < count.

    arrays: addresses of a list of (address, bytes per row, bytes per world) of each array, inputs before outputs;
    tables: address of a list of (address, length); all in the memory of the device. one_lane: its LLVM assembly for one
    world, as a processor can run it. ptx: its PTX. code: its machine code, a cubin. registers: registers per thread.
    functions: what its functions need. inputs, outputs: number of rows of each array. operations: number of operations.
    """

    one_lane: str
    ptx: str
    code: bytes
    registers: int
    functions: tuple[FunctionResources, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    operations: int


def kernel_of(spec: ProgramSpec, precision: Precision, architecture: str = DEFAULT_ARCHITECTURE) -> Kernel:
    """Return a program as a kernel.

    spec: specification of the program; precision: "float64" or "float32"; architecture: of the processor, such as
    "sm_90". Raises GambolError for an unknown architecture, and without NVIDIA's assembler.
    """
    body, outputs = trace_program(spec, precision)
    one_lane = one_lane_text(body, precision, (spec.rows, outputs))
    ptx = ptx_of(kernel_text(one_lane), architecture)
    code, registers, functions = assembled(ptx, architecture)
    return Kernel(one_lane, ptx, code, registers, functions, spec.rows, tuple(outputs), operation_count(body))
