"""LLVM assembly to PTX, the assembly language of NVIDIA's graphics processors, by LLVM's own back end."""

import functools
import re

from gambol.errors import GambolError
from gambol.lanes.cpu.compiler import LLVM, OPTIMISED

TRIPLE, PTX_VERSION = "nvptx64-nvidia-cuda", "+ptx80"  # PTX 8.0 is of CUDA 12.0, the first with sm_90

ARCHITECTURE = re.compile(r"sm_\d{2,3}a?")


@functools.cache
def _initialise() -> None:
    """Initialise all targets of LLVM, once. Raises GambolError if it was built without NVIDIA's."""
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
    return machine.emit_assembly(module)
