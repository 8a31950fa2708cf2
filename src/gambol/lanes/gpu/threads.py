"""The LLVM assembly of a kernel: each thread computes one world, by the program of the target "cpu" with one lane."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gambol.lanes.cpu.lower import assembly
from gambol.lanes.cpu.lower.entry import PREFETCH
from gambol.lanes.ops import Precision
from gambol.lanes.program_spec import ProgramSpec, operation_count, trace_program
from gambol.lanes.trace import Body

KERNEL_NAME = "worlds"

PREFETCH_CALL = re.compile(r"\n  call void @llvm\.prefetch\.p0\([^\n]*")
ATTRIBUTES = re.compile(r"^(attributes #\d+) = .*$", re.MULTILINE)

HEAD = """target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
"""

# arrays and tables are those of the entry point `run` of the program, with blocks of one world.
KERNEL = f"""
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
define ptx_kernel void @{KERNEL_NAME}(ptr %arrays, ptr %tables, i64 %count) {{
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %block, %threads
  %index = add i32 %first, %thread
  %world = zext i32 %index to i64
  %exists = icmp slt i64 %world, %count
  br i1 %exists, label %work, label %end
work:
  %next = add i64 %world, 1
  call void @run(ptr %arrays, ptr %tables, i64 %world, i64 %next)
  br label %end
end:
  ret void
}}
"""


@dataclass(frozen=True)
class KernelSource:
    """A traced program. one_lane: its LLVM assembly for one world, as a processor can run it.

    outputs: number of rows of each output. operations: number of operations.
    """

    one_lane: str
    outputs: tuple[int, ...]
    operations: int

    @property
    def text(self) -> str:
        """The LLVM assembly of a kernel that computes world k in thread k."""
        return HEAD + self.one_lane.replace("define void @run(", "define internal void @run(") + KERNEL


def kernel_source(spec: ProgramSpec, precision: Precision) -> KernelSource:
    """Return a program, traced and lowered for one world at a time."""
    body, outputs = trace_program(spec, precision)
    text = _one_lane_text(body, precision, (spec.rows, outputs))
    return KernelSource(text, tuple(outputs), operation_count(body))


def _one_lane_text(body: Body, precision: Precision, rows: tuple[Sequence[int], Sequence[int]]) -> str:
    """Return the LLVM assembly of a program for one world at a time, without what only processors have.

    body, rows: see Target.text(). Prefetches and the attributes of stack and vectors are left out. `rint` replaces
    `roundeven`, which NVIDIA's back end lacks; both round to even, and give the same bits.
    """
    text = PREFETCH_CALL.sub("", assembly(body, precision, 1, rows).replace(PREFETCH, ""))
    return ATTRIBUTES.sub(r"\1 = { noinline nounwind }", text).replace("@llvm.roundeven.", "@llvm.rint.")
