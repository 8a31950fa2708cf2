"""Programs that need more stack memory than a thread has run on a thread with enough of it."""

import os
import subprocess
import sys
import threading

import pytest

from gambol.lanes import Program, ProgramSpec
from gambol.lanes.cpu.machine import SAFE_BYTES, LargeFrameEntry, run_on_large_stack

WIDE = """
import numpy as np
from gambol.lanes import Program, ProgramSpec
from gambol.lanes.interleave import Stage, interleave
from gambol.lanes.program import to_blocks

# 80,000 inputs: their areas alone are 10 MB in 16 lanes
program = Program(ProgramSpec("wide", lambda x: ([x[0] * 2.0 + x[-1]],), ([0.0] * 80_000,)), lanes=16)
x = np.random.default_rng(1).uniform(-0.9, 0.9, (80_000, 40))
expected = x[0] * 2.0 + x[-1]  # the product is exact
for threads in (1, 2):
    assert np.array_equal(program(x, threads=threads)[0][0], expected)
out = np.empty((2, 1, 16))
interleave([Stage(program, [to_blocks(x[:, :32], 16)], [out])], 2, 1)
assert np.array_equal(out.ravel(), expected[:32])
print(program.entry.stack_bytes)
"""

LIVE = """
import resource
import numpy as np
from gambol.lanes import Program, ProgramSpec
from gambol.lanes.cpu import compiler

VALUES = 20_000
compiler.MAX_OPTIMISED_LINES = 0  # compiles faster
resource.setrlimit(resource.RLIMIT_STACK, (2**21, resource.getrlimit(resource.RLIMIT_STACK)[1]))

def function(x):  # all values are needed at the end, in reverse order, so that no register can hold them: 2.6 MB
    values = [x[0] * float(k + 2) for k in range(VALUES)]
    total = 0.0
    for value in reversed(values):
        total = total * x[0] + value
    return ([total],)

program = Program(ProgramSpec("live", function, ([0.0],)), lanes=16)
x = np.linspace(0.1, 0.9, 16)
closed = (2.0 - x) / (1.0 - x) ** 2 * x  # the sum over k of (k + 2) x^(k + 1); the rest is below 1e-900
assert np.allclose(program(x.reshape(1, -1))[0][0], closed, rtol=2 * VALUES * 2.3e-16, atol=0.0)  # of Horner's scheme
print(program.entry.stack_bytes)
"""

FORKED = """
import os
from gambol.lanes.cpu.machine import run_on_large_stack

run_on_large_stack(lambda: None, 2**24)
if (child := os.fork()) == 0:
    done = []
    run_on_large_stack(lambda: done.append(1), 2**24)
    os._exit(len(done))
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the sizes of stacks are those of Linux")
@pytest.mark.parametrize("program", [WIDE, LIVE], ids=["inputs", "values"])
def test_program_with_frames_larger_than_the_stack_of_a_thread_runs(program: str) -> None:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > SAFE_BYTES


def test_entry_that_needs_little_is_called_directly() -> None:
    program = Program(ProgramSpec("double", lambda x: ([x[0] * 2.0],), ([0.0],)))
    assert not isinstance(program.entry, LargeFrameEntry)


def test_size_of_stacks_is_as_before_after_a_call_and_errors_are_raised() -> None:
    before = threading.stack_size()
    names: list[str] = []
    run_on_large_stack(lambda: names.append(threading.current_thread().name), 2**24)
    assert names != [threading.current_thread().name]
    with pytest.raises(ZeroDivisionError):
        run_on_large_stack(lambda: names.append(str(1 // 0)), 2**24)
    assert threading.stack_size() == before


def test_a_thread_is_kept_until_a_program_needs_a_larger_stack() -> None:
    threads: list[int] = []
    for size in (2**24, 2**24, 2**23, 2**25):
        run_on_large_stack(lambda: threads.append(threading.get_ident()), size)
    assert threads[0] == threads[1] == threads[2]
    assert threads[3] not in (threads[0], threading.get_ident())


def test_the_kept_thread_ends_with_the_thread_that_it_belongs_to() -> None:
    kept: list[threading.Thread] = []
    caller = threading.Thread(target=lambda: run_on_large_stack(lambda: kept.append(threading.current_thread()), 2**24))
    caller.start()
    caller.join()
    kept[0].join(10.0)
    assert not kept[0].is_alive()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_process_starts_a_thread_of_its_own() -> None:
    done = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "1\n", done.stderr
