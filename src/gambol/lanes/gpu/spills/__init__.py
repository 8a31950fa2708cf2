"""Values of a kernel that do not fit into the registers of a thread.

NVIDIA's assembler loads such a value at each of its uses, also in loops, from memory that is too large for the caches.
Here they leave the registers at chosen places instead, and as many as fit are in the memory of the multiprocessor,
which the threads of a block share.
"""

from gambol.lanes.gpu.spills.eviction import Limits
from gambol.lanes.gpu.spills.writing import WARP, SpilledText, spilled

__all__ = ["WARP", "Limits", "SpilledText", "spilled"]
