"""The target "cpu": programs become machine code of this processor, and each SIMD lane computes one world."""

from gambol.lanes.cpu.target import CpuTarget

__all__ = ["CpuTarget"]
