"""A program as WebAssembly gives the bits of the processor, with the machine's fma and with that in software."""

from fractions import Fraction

import numpy as np
import pytest
from node_programs import run_in_node
from random_programs import INPUTS, function_of, numbers
from target_formulas import SPECIAL, arrays, functions_of
from tracing import PRECISIONS, bits

from gambol.errors import GambolError
from gambol.lanes import Program, ProgramSpec, fma, fori, gather, loop
from gambol.lanes.ops import Op
from gambol.lanes.wasm import bodies, wasm_module
from gambol.lanes.wasm.encoding import unsigned
from gambol.lanes.wasm.instructions import Operations
from gambol.lanes.wasm.lane_shape import SHAPES
from gambol.lanes.wasm.memory import Memory
from gambol.lanes.wasm.module import MAX_MEMORY_BYTES


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("software", [False, True])
def test_every_function_of_special_numbers(precision, software):
    spec = ProgramSpec("functions", functions_of, (0.0, 0.0))
    x, y = (a.reshape(1, -1).astype(precision) for a in np.meshgrid(SPECIAL, SPECIAL))
    answer = run_in_node(wasm_module(spec, precision), [x, y], software=software)
    for ours, native in zip(answer.outputs, Program(spec, precision)(x, y), strict=True):
        np.testing.assert_array_equal(np.isnan(ours), np.isnan(native))  # the bits of a NaN may differ
        np.testing.assert_array_equal(bits(np.nan_to_num(ours, nan=7.0)), bits(np.nan_to_num(native, nan=7.0)))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("precision", PRECISIONS)
def test_random_programs_whole_in_pieces_and_called(seed, precision, monkeypatch):
    spec = ProgramSpec("random", lambda x: (function_of(seed)(x),), ([0.0] * INPUTS,))
    given = numbers(seed, precision)
    native = bits(Program(spec, precision)(given)[0])
    whole = wasm_module(spec, precision)
    np.testing.assert_array_equal(bits(run_in_node(whole, [given]).outputs[0]), native)
    monkeypatch.setattr(bodies, "MAX_OPERATIONS", 7)
    np.testing.assert_array_equal(bits(run_in_node(wasm_module(spec, precision), [given]).outputs[0]), native)
    monkeypatch.setattr(bodies, "MAX_INLINED", 0)
    called = wasm_module(spec, precision)
    np.testing.assert_array_equal(bits(run_in_node(called, [given], software=True).outputs[0]), native)
    assert len(called.code) != len(whole.code)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_a_loop_may_exchange_its_numbers(precision):
    """Fibonacci numbers: one of the numbers of the state is the other one before."""

    def last(n):
        return (loop(lambda s: s[0] < n, lambda s: (s[0] + 1.0, s[2], s[1] + s[2]), (0.0, 0.0, 1.0))[1],)

    spec = ProgramSpec("exchange", last, (0.0,))
    answer = run_in_node(wasm_module(spec, precision), [np.arange(12.0)[None]])
    np.testing.assert_array_equal(answer.outputs[0][0], [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89])


@pytest.mark.parametrize("precision", PRECISIONS)
def test_tables_of_any_length_are_given_before_a_run(precision):
    """Also one that does not fit the memory that the module begins with."""
    spec = ProgramSpec("tables", lambda i, t, u: (gather(t, i), gather(u, i * 2.0)), (0.0,), 2)
    long, short = np.arange(20_000.0) * 0.5, np.array([5.0, 6.0, 7.0])
    index = np.array([[-3.0, 0.0, 1.0, np.nan, 19_999.0, 1e30]])
    answer = run_in_node(wasm_module(spec, precision), [index], tables=[long, short])
    np.testing.assert_array_equal(answer.outputs[0][0], [0.0, 0.0, 0.5, 0.0, 9999.5, 9999.5])
    np.testing.assert_array_equal(answer.outputs[1][0], [5.0, 5.0, 7.0, 5.0, 7.0, 7.0])


def hard_triples(precision, count):
    """Numbers a, b, c whose a b + c is hard to round: cancellation, ties, and all exponents."""
    rng, info = np.random.default_rng(3), np.finfo(precision)
    a, b = np.ldexp(rng.uniform(-1, 1, (2, count)), rng.integers(info.minexp, info.maxexp - 60, (2, count)) // 2)
    near = -a * b * (1.0 + info.eps * rng.integers(-3, 4, count))
    far = a * b * np.ldexp(1.0, rng.integers(-info.nmant - 4, info.nmant + 4, count))
    small = np.ldexp(rng.uniform(-1, 1, count), rng.integers(info.minexp - info.nmant, info.maxexp, count))
    c = np.choose(rng.integers(0, 3, count), [near, far, small])
    halfway = slice(0, count // 4)  # a b is half a unit of c in the last place, and a little less or more
    mantissas, tilt = (
        rng.integers(0, 2**info.nmant, count // 4),
        2.0 ** -(info.nmant // 2 + rng.integers(1, 9, count // 4)),
    )
    exponents = rng.integers(info.minexp // 4, info.maxexp // 4, (2, count // 4))
    a[halfway], b[halfway] = (
        np.ldexp(1.0 + tilt, exponents[0]),
        np.ldexp(1.0 + tilt * rng.integers(-1, 2, count // 4), exponents[1]),
    )
    units = rng.choice([-1.0, 1.0], count // 4) * (2.0**info.nmant + mantissas)
    c[halfway] = np.ldexp(units, exponents.sum(axis=0) + 1)
    with np.errstate(under="ignore"):
        return [x[None].astype(precision) for x in (a, b, c)]


@pytest.mark.parametrize("precision", PRECISIONS)
def test_the_fma_in_software_rounds_once(precision):
    spec = ProgramSpec("fma", lambda a, b, c: (fma(a, b, c),), (0.0, 0.0, 0.0))
    triples = hard_triples(precision, 3000)
    answer = run_in_node(wasm_module(spec, precision), triples, software=True)
    assert not answer.fused
    result = answer.outputs[0]
    np.testing.assert_array_equal(bits(result), bits(Program(spec, precision)(*triples)[0]))
    a, b, c = (x[0].tolist() for x in triples)
    exact = [Fraction(p) * Fraction(q) + Fraction(r) for p, q, r in zip(a, b, c, strict=True)]
    spacing = np.spacing(np.abs(result[0])).tolist()
    errors = [abs(Fraction(x) - e) / Fraction(s) for x, e, s in zip(result[0].tolist(), exact, spacing, strict=True)]
    assert max(errors) <= Fraction(1, 2)
    twice = np.abs(triples[0] * triples[1] + triples[2] - result) > 0.0
    assert twice.sum() > 200  # the sample is hard: to round twice is often wrong


def test_the_module_without_relaxed_instructions_has_the_same_size():
    spec = ProgramSpec("fma", lambda a, b: (a * b + b, a - b * b), (0.0, 0.0))
    module = wasm_module(spec)
    software = module.with_software_fma()
    assert len(software) == len(module.code)
    for relaxed in (b"\xfd\x87\x02", b"\xfd\x88\x02"):
        assert relaxed in module.code
        assert relaxed not in software


def test_a_program_of_too_much_memory_is_refused():
    spec = ProgramSpec("vast", lambda x: (gather(range(600_000), x),), (0.0,))
    with pytest.raises(GambolError, match='"vast" needs 5 MiB of memory as WebAssembly; at most 4 are possible'):
        wasm_module(spec)


@pytest.mark.parametrize("relaxed", [b"\xfd\x85\x02", b"\xfd\x86\x02", b"\xfd\x87\x02", b"\xfd\x88\x02"])
def test_no_address_is_encoded_with_the_bytes_of_a_relaxed_instruction(relaxed):
    """These bytes would be replaced. Alone they are an odd number; at the end of a longer one they are above 4 MiB."""
    number = sum((byte & 127) << 7 * k for k, byte in enumerate(relaxed))
    assert unsigned(number) == relaxed
    assert number % 2 == 1
    assert number << 7 > MAX_MEMORY_BYTES


def test_an_operation_that_cannot_be_written_is_named():
    operations = Operations(SHAPES["float64"], Memory(SHAPES["float64"]), ())
    with pytest.raises(GambolError, match='the operation "integral" cannot be written as WebAssembly'):
        operations.write(Op("integral", (0,)), [b""])


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("uniform", [False, True])
@pytest.mark.parametrize(("most", "inlined"), [(2000, 5000), (7, 0)])
def test_arrays_and_their_loops(precision, most, inlined, uniform, monkeypatch):
    monkeypatch.setattr(bodies, "MAX_OPERATIONS", most)
    monkeypatch.setattr(bodies, "MAX_INLINED", inlined)
    spec = ProgramSpec("arrays", arrays, (0.0, 0.0))
    x, y = np.linspace(-3.0, 5.0, 21)[None].astype(precision), np.linspace(2.0, -1.0, 21)[None].astype(precision)
    ours, native = outputs_of(wasm_module(spec, precision, uniform=uniform), [x, y], uniform), Program(spec, precision)
    np.testing.assert_array_equal(bits(ours), bits(native(x, y)[0]))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize(("most", "inlined"), [(2000, 5000), (7, 0)])
def test_random_programs_of_a_single_world(seed, precision, most, inlined, monkeypatch):
    monkeypatch.setattr(bodies, "MAX_OPERATIONS", most)
    monkeypatch.setattr(bodies, "MAX_INLINED", inlined)
    spec = ProgramSpec("random", lambda x: (function_of(seed)(x),), ([0.0] * INPUTS,))
    given = numbers(seed, precision)[:, :3]
    ours = outputs_of(wasm_module(spec, precision, uniform=True), [given], uniform=True)
    np.testing.assert_array_equal(bits(ours), bits(Program(spec, precision)(given)[0]))


def outputs_of(module, inputs, uniform):
    """The first output of a module. A uniform module computes one world after the other, each in all lanes."""
    if not uniform:
        return run_in_node(module, inputs).outputs[0]
    filled = [np.repeat(a, module.lanes, axis=1) for a in inputs]
    return run_in_node(module, filled).outputs[0][:, :: module.lanes]


@pytest.mark.parametrize("depth", [bodies.MAX_NESTED_LOOPS, bodies.MAX_NESTED_LOOPS + 1])
def test_loops_inside_each_other(depth):
    """Each loop adds 1 twice, so there are 2**depth; a function has a limited number of counters."""

    def nested(level, x):
        return fori(0, 2, lambda _, y: nested(level - 1, y), x) if level else x + 1.0

    spec = ProgramSpec("nested", lambda x: (nested(depth, x),), (0.0,))
    if depth > bodies.MAX_NESTED_LOOPS:
        with pytest.raises(GambolError, match="more than 8 loops are inside each other"):
            wasm_module(spec)
    else:
        assert run_in_node(wasm_module(spec), [np.zeros((1, 1))]).outputs[0][0, 0] == 2.0**depth
