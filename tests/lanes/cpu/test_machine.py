"""Loading machine code, also in a process with little address space beside large arrays."""

import platform
import subprocess
import sys

import pytest

CROWDED = """
import ctypes, mmap, sys
from gambol.lanes.cpu import compiler, machine

TABLE = ", ".join(f"double {k}.0" for k in range(50_000))  # 400 kB
TEXT = f'''@table = private constant [50000 x double] [{TABLE}]
declare double @llvm.fma.f64(double, double, double)
define void @run(ptr %arrays, ptr %tables, i64 %first, i64 %last) {{
  %at = getelementptr double, ptr @table, i64 %first
  %x = load double, ptr %at
  %y = call double @llvm.fma.f64(double %x, double 2.0, double 1.0)
  store double %y, ptr %arrays
  ret void
}}
'''

def taken(size):
    no_reserve = 0x4000  # MAP_NORESERVE, which older versions of Python do not name
    return mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | no_reserve, mmap.PROT_READ)

processor = compiler.Processor("x86-64-v2", "+sse4.2,-avx,-fma") if sys.argv[1:] else compiler.this_processor()
code = compiler.generate(TEXT, processor, compiler.OPTIMISED)
fill = [taken(2**18) for _ in range(10_000)]  # whatever gaps there are that could hold the table
gaps = [taken(2**16) for _ in range(200)]
large = taken(5 * 2**30)
for gap in gaps[::2]:
    gap.close()
entry, engine = machine.load(code)

x = ctypes.c_double()
entry(ctypes.addressof(x), None, 123, 0)
assert x.value == 247.0
"""


@pytest.mark.skipif(sys.platform != "linux", reason="where memory is taken differs between systems")
def test_code_loads_where_free_memory_lies_in_pieces_far_apart():
    done = subprocess.run([sys.executable, "-c", CROWDED], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="where memory is taken differs between systems")
@pytest.mark.skipif(platform.machine() != "x86_64", reason="other processors have fma")
def test_code_that_calls_the_fma_of_the_c_library_loads_there_too():
    done = subprocess.run([sys.executable, "-c", CROWDED, "no fma"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
