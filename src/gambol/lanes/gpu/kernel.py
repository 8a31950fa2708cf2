"""Programs as kernels: machine code of a graphics processor, and what it needs."""

from dataclasses import dataclass

from gambol.lanes.gpu.assembler import FunctionResources, assembled
from gambol.lanes.gpu.ptx import MAX_REGISTERS, kernel_text
from gambol.lanes.gpu.threads import KernelSource, kernel_source
from gambol.lanes.ops import Precision
from gambol.lanes.program_spec import ProgramSpec

DEFAULT_ARCHITECTURE = "sm_90"  # H100 and H200


@dataclass(frozen=True)
class Kernel:
    """A program as a kernel `worlds(arrays, tables, count)`, of which thread k computes world k < count.

    arrays: addresses of a list of (address, bytes per row, bytes per world) of each array, inputs before outputs;
    tables: address of a list of (address, length); all in the memory of the device. source: the traced program. ptx:
    its text. warp_bytes: shared memory of a warp [bytes]. code: its machine code, a cubin. registers: registers per
    thread. functions: what its functions need.
    """

    source: KernelSource
    ptx: str
    warp_bytes: int
    code: bytes
    registers: int
    functions: tuple[FunctionResources, ...]


def kernel_of(
    spec: ProgramSpec,
    precision: Precision,
    architecture: str = DEFAULT_ARCHITECTURE,
    registers: int = MAX_REGISTERS,
) -> Kernel:
    """Return a program as a kernel.

    spec: specification of the program; precision: "float64" or "float32"; architecture: of the processor, such as
    "sm_90". registers: most registers of a thread; with fewer, more threads share a multiprocessor. Raises GambolError
    for an unknown architecture, and without NVIDIA's assembler.
    """
    source = kernel_source(spec, precision)
    text = kernel_text(source.text, architecture, registers)
    limit = registers if registers < MAX_REGISTERS else None
    return Kernel(source, text.ptx, text.warp_bytes, *assembled(text.ptx, architecture, limit))
