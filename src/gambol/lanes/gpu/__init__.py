"""The target "gpu": programs become machine code of NVIDIA's graphics processors, with one thread for each world.

No program is started here: there is no driver among what this package knows. A program's text is the one of the target
"cpu" with one lane, so the processor computes the same bits from it.
"""

from gambol.lanes.gpu.assembler import FunctionResources
from gambol.lanes.gpu.kernel import Kernel, kernel_of

__all__ = ["FunctionResources", "Kernel", "kernel_of"]
