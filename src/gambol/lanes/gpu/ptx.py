"""LLVM assembly to PTX, the assembly language of NVIDIA's graphics processors, by LLVM's own back end."""

import functools
import re

from gambol.errors import GambolError
from gambol.lanes.cpu.compiler import LLVM, OPTIMISED, initialise_llvm
from gambol.lanes.gpu.spills import WARP, Limits, SpilledText, spilled

TRIPLE, PTX_VERSION = "nvptx64-nvidia-cuda", "+ptx80"  # PTX 8.0 is of CUDA 12.0, the first with sm_90

MAX_REGISTERS = 255
"""Registers of a thread, of 4 bytes."""

UNUSED_REGISTERS, OF_CALLS = 75, 0.55
"""Registers left to NVIDIA's assembler, which orders instructions anew and needs some for addresses; and the part of
the others that keep their values across a call. A quadruped's step in float32 then has 2 kB of its spills, not 24.
"""

REGISTERS_OF_MULTIPROCESSOR = 65_536
SHARED_KILOBYTES = {"70": 96, "72": 96, "75": 64, "80": 164, "87": 164, "90": 228, "100": 228, "103": 228, "110": 228}
OTHER_KILOBYTES, RESERVED = 100, 1024
"""Memory of a multiprocessor that the threads of its blocks share, by architecture and of all others [kB], and what
each block needs of it for itself [bytes]; by NVIDIA's guide to programming, table of compute capabilities."""

ARCHITECTURE = re.compile(r"sm_\d{2,3}a?")


@functools.cache
def _initialise() -> None:
    """Initialise all targets of LLVM, once. Raises GambolError if it was built without NVIDIA's."""
    initialise_llvm()
    LLVM.initialize_all_targets()
    LLVM.initialize_all_asmprinters()
    try:
        LLVM.Target.from_triple(TRIPLE)
    except RuntimeError as error:
        raise GambolError(f"this LLVM has no target {TRIPLE}; install llvmlite from its wheel") from error


def ptx_of(text: str, architecture: str) -> str:
    """Return the PTX of LLVM assembly. No pass changes a result: divisions and roots are rounded correctly (`.rn`).

    text: see kernel_text(); architecture: such as "sm_90". Raises GambolError for a text that is no architecture.
    """
    if not ARCHITECTURE.fullmatch(architecture):
        raise GambolError(f'there is no architecture "{architecture}"; it is such as sm_90 (H100, H200) or sm_120')
    _initialise()
    target = LLVM.Target.from_triple(TRIPLE)
    machine = target.create_target_machine(cpu=architecture, features=PTX_VERSION, opt=OPTIMISED)
    module = LLVM.parse_assembly(text)
    module.verify()
    # values that one branch needs are computed there, and need no register before; processors are faster without
    LLVM.set_option("gambol", "-disable-machine-sink=false")
    try:
        return machine.emit_assembly(module)
    finally:
        LLVM.set_option("gambol", "-disable-machine-sink=true")


def limits_of(registers: int) -> Limits:
    """Return the limits of values in registers. registers: those of a thread."""
    words = registers - UNUSED_REGISTERS
    return Limits(words, int(OF_CALLS * words))


def shared_words(architecture: str, registers: int) -> int:
    """Return how many values of 4 bytes each thread can have in shared memory, if registers fill a multiprocessor."""
    kilobytes = SHARED_KILOBYTES.get(architecture.removeprefix("sm_").rstrip("a"), OTHER_KILOBYTES)
    warps = REGISTERS_OF_MULTIPROCESSOR // (-(-registers // 8) * 8 * WARP)
    return (kilobytes * 1024 // warps - RESERVED) // (4 * WARP)


def kernel_text(text: str, architecture: str, registers: int = MAX_REGISTERS) -> SpilledText:
    """Return the PTX of LLVM assembly, and values in shared memory where registers do not suffice.

    registers: those of a thread. For errors see ptx_of().
    """
    return spilled(ptx_of(text, architecture), limits_of(registers), shared_words(architecture, registers))
