"""Values outside the registers: programs have the same bits with any number of registers, and no more are in use."""

import re

import numpy as np
import pytest
from ptx_machine import PtxMachine
from ptx_runs import check_bits, run_ptx
from random_programs import INPUTS, function_of, numbers
from target_formulas import arrays
from tracing import PRECISIONS

from gambol.lanes import Program, ProgramSpec, loop, subprogram, when
from gambol.lanes.gpu.ptx import limits_of, ptx_of, shared_words
from gambol.lanes.gpu.spills import Limits, spilled
from gambol.lanes.gpu.spills.code import FUNCTION, Code, words_of
from gambol.lanes.gpu.threads import kernel_source

FEW = Limits(24, 12)


def mixed(x):
    """Return sums that need many values at once, in loops, branches and calls that end differently in each world."""
    terms = [x[0] * float(k) + x[1] * x[1] for k in range(20)]
    twice = subprogram(lambda a, b: (a * b - a, [a + k * b for k in terms[:6]]))

    def body(state):
        n, total = state
        first, more = twice(total, terms[3])
        for term in terms:
            first = first * 0.5 + term * n
        return n + 1.0, first * 0.25 + sum(more, 0.0) * 0.125 + terms[7] - when(n < x[1], lambda: terms[9] * terms[11])

    n, total = loop(lambda state: state[0] < x[2], body, (0.0, terms[0]))
    return [n, total, *(t * total for t in terms)]


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("shared", [0, 6, 1000])
def test_loops_branches_and_calls_have_the_same_bits_with_few_registers(precision, shared):
    spec = ProgramSpec("mixed", lambda x: (mixed(x),), ([0.0] * 3,))
    given = np.array([[0.3, -1.2, 0.9, 2.0], [2.0, 0.5, -1.0, 3.0], [0.0, 1.0, 4.0, 6.0]], precision)
    text = spilled(ptx_of(kernel_source(spec, precision).text, "sm_90"), FEW, shared)
    assert ("ld.shared" in text.ptx) == bool(shared)
    numbers_of_thread = re.search(rf"ld.local.b{8 * given.itemsize} .*values_of_thread", text.ptx)
    assert bool(numbers_of_thread) == (shared < 1000)
    assert text.warp_bytes <= 128 * shared
    check_bits(run_ptx(text, spec, precision, [given]), Program(spec, precision)(given))


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("seed", range(3))
def test_random_programs_have_the_same_bits_with_few_registers(seed, precision):
    spec = ProgramSpec("random", lambda x: (function_of(seed)(x),), ([0.0] * INPUTS,))
    given = np.ascontiguousarray(numbers(seed, precision)[:, :5])
    text = spilled(ptx_of(kernel_source(spec, precision).text, "sm_90"), FEW, 8)
    check_bits(run_ptx(text, spec, precision, [given]), Program(spec, precision)(given))


@pytest.mark.parametrize("precision", PRECISIONS)
def test_arrays_have_the_same_bits_with_few_registers(precision):
    spec = ProgramSpec("arrays", arrays, (0.0, 0.0))
    x, y = (np.ascontiguousarray(row[None], precision) for row in np.linspace([-3.0, 2.0], [5.0, -1.0], 4, axis=-1))
    text = spilled(ptx_of(kernel_source(spec, precision).text, "sm_90"), FEW, 8)
    check_bits(run_ptx(text, spec, precision, [x, y]), Program(spec, precision)(x, y))


def words_in_use(code):
    """Return the most words of registers in use at once, by repeated passes over single instructions."""
    steps = [(step, block) for block in code.blocks for step in block.steps]
    firsts = {}
    for place, (_, block) in enumerate(steps):
        firsts.setdefault(id(block), place)
    after = []
    for place, (_, block) in enumerate(steps):
        if place + 1 < len(steps) and steps[place + 1][1] is block:
            after.append([place + 1])
        else:
            after.append([firsts[id(code.blocks[k])] for k in block.followers if id(code.blocks[k]) in firsts])
    before, changed = [set() for _ in steps], True
    while changed:
        changed = False
        for place in reversed(range(len(steps))):
            step = steps[place][0]
            needed = set().union(*(before[k] for k in after[place])) - set(step.sets) | set(step.reads)
            changed |= needed != before[place]
            before[place] = needed
    return max(sum(map(words_of, needed)) for needed in before)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_no_more_registers_are_in_use_than_allowed(precision):
    """By a second analysis, without distances. The address of the arguments (2 words) stays, to load them again."""
    spec = ProgramSpec("mixed", lambda x: (mixed(x),), ([0.0] * 3,))
    ptx = ptx_of(kernel_source(spec, precision).text, "sm_90")
    before, after = ([words_in_use(Code.of(m["body"])) for m in FUNCTION.finditer(text)]
                     for text in (ptx, spilled(ptx, FEW, 8).ptx))  # fmt: skip
    assert max(before) > FEW.words
    assert max(after) <= FEW.words + 2


def test_what_fits_stays_as_it_is():
    ptx = ptx_of(kernel_source(ProgramSpec("double", lambda x: (x + x,), (0.0,)), "float32").text, "sm_90")
    assert spilled(ptx, limits_of(255), 222).ptx == ptx
    assert spilled(ptx, limits_of(255), 222).warp_bytes == 0


def test_a_place_of_another_thread_would_be_seen():
    """The machine of the tests refuses it, as the values of a thread must not depend on others."""
    spec = ProgramSpec("mixed", lambda x: (mixed(x),), ([0.0] * 3,))
    text = spilled(ptx_of(kernel_source(spec, "float32").text, "sm_90"), FEW, 8)
    wrong = text.ptx.replace("and.b32 \t%thread, %thread, 31;", "and.b32 \t%thread, %thread, 0;")
    assert wrong != text.ptx
    with pytest.raises(AssertionError, match="a place of another thread"):
        run_ptx(type(text)(wrong, text.warp_bytes), spec, "float32", [np.ones((3, 2), "float32")])
    assert PtxMachine(text.ptx).addresses["values_of_block"] == 0


def test_shared_memory_of_a_thread_fits_into_that_of_a_multiprocessor():
    """With 255 registers 8 warps share a multiprocessor, each in a block of its own at worst; by NVIDIA's table."""
    cases = (("sm_90a", 228, 255, 8), ("sm_89", 100, 255, 8), ("sm_90", 228, 128, 16), ("sm_75", 64, 255, 8))
    for architecture, kilobytes, registers, warps in cases:
        used = warps * (1024 + 128 * shared_words(architecture, registers))
        assert kilobytes * 1024 - warps * 128 < used <= kilobytes * 1024
