"""Kernels of graphics processors: their text has the bits of the processor, and NVIDIA's assembler takes it."""

import ctypes

import numpy as np
import pytest
from ptx_runs import THREADS, check_bits, run_ptx
from random_programs import INPUTS, function_of, numbers
from target_formulas import SPECIAL, arrays, functions_of
from tracing import PRECISIONS

from benchmarks.contact.motion import GambolWorlds
from benchmarks.contact.scenes import STEPS, scene_of
from benchmarks.models import figure_of
from benchmarks.programs import forward_program
from benchmarks.walking import engine_of, initial_state
from gambol.errors import GambolError
from gambol.evolve import Settings
from gambol.evolve.evaluate import search_setup
from gambol.evolve.evaluate.batch import initial_state as rollout_state
from gambol.evolve.evaluate.rollout import batches_of
from gambol.lanes import Program, ProgramSpec, gather, loop
from gambol.lanes.cpu import compiler, machine
from gambol.lanes.gpu import kernel_of
from gambol.lanes.gpu.assembler import assembled
from gambol.lanes.gpu.ptx import kernel_text
from gambol.lanes.gpu.threads import kernel_source
from gambol.lanes.program import table_addresses
from gambol.world import Engine


def by_ptx(spec, precision, arrays, tables=(), touched=None):
    """Return the outputs of a kernel that a machine executes from its PTX, see run_ptx()."""
    text = kernel_text(kernel_source(spec, precision).text, "sm_90")
    return run_ptx(text, spec, precision, arrays, tables, touched)


def by_processor(spec, precision, arrays, tables=()):
    """Return the outputs of the text of a kernel that this processor executes, world after world."""
    source = kernel_source(spec, precision)
    code = compiler.object_code(source.one_lane, compiler.this_processor())
    entry, _engine = machine.load(code)
    worlds, size = arrays[0].shape[1], np.dtype(precision).itemsize
    outputs = [np.zeros((n, worlds), precision) for n in source.outputs]
    fields = [n for a in (*arrays, *outputs) for n in (a.ctypes.data, a.strides[0], size)]
    checked = [np.asarray(t, precision) for t in tables]
    entry((ctypes.c_int64 * len(fields))(*fields), table_addresses(checked), 0, worlds)
    return outputs


def check(spec, precision, arrays, tables=(), ways=(by_ptx, by_processor)):
    """Check that both ways have the bits of the program in all lanes of the processor."""
    native = Program(spec, precision)(*arrays, tables=tables)
    for way in ways:
        check_bits(way(spec, precision, arrays, tables), native)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_every_function_of_special_numbers(precision):
    spec = ProgramSpec("functions", functions_of, (0.0, 0.0))
    check(spec, precision, [a.reshape(1, -1).astype(precision) for a in np.meshgrid(SPECIAL, SPECIAL)])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("precision", PRECISIONS)
def test_random_programs(seed, precision):
    check(ProgramSpec("random", lambda x: (function_of(seed)(x),), ([0.0] * INPUTS,)), precision,
          [np.ascontiguousarray(numbers(seed, precision)[:, :7])])  # fmt: skip


@pytest.mark.parametrize("precision", PRECISIONS)
def test_neighbouring_threads_touch_neighbouring_numbers(precision):
    """So a warp loads a row of its 32 worlds as one piece of memory; other addresses are the same for all threads."""
    spec, size = forward_program(figure_of("quadruped"), precision).spec, np.dtype(precision).itemsize
    given = [np.random.default_rng(3).uniform(0.5, 1.0, (count, 1)).repeat(THREADS + 1, axis=1) for count in spec.rows]
    touched, rows = [], sum(spec.rows)
    outputs = by_ptx(spec, precision, [a.astype(precision) for a in given], touched=touched)
    first, *others = (np.array(each) for each in touched[: THREADS + 1])
    for thread, other in enumerate(others, start=1):
        moved = other - first
        assert set(moved.tolist()) == {0, thread * size}
        assert (moved == thread * size).sum() == rows + sum(len(a) for a in outputs)
    assert len(touched[THREADS + 1]) == 0  # a thread without a world


@pytest.mark.parametrize("precision", PRECISIONS)
def test_loops_end_at_different_times(precision):
    def last(n):
        return (loop(lambda s: s[0] < n, lambda s: (s[0] + 1.0, s[2], s[1] + s[2]), (0.0, 0.0, 1.0))[1],)

    check(ProgramSpec("loop", last, (0.0,)), precision, [np.arange(12.0, dtype=precision)[None]])


@pytest.mark.parametrize("precision", PRECISIONS)
def test_arrays_and_their_loops(precision):
    x, y = np.linspace([[-3.0], [2.0]], [[5.0], [-1.0]], 7, axis=-1).astype(precision)
    check(ProgramSpec("arrays", arrays, (0.0, 0.0)), precision, [np.ascontiguousarray(x), np.ascontiguousarray(y)])


@pytest.mark.parametrize("precision", PRECISIONS)
def test_tables_of_any_length(precision):
    spec = ProgramSpec("tables", lambda i, t, u: (gather(t, i), gather(u, i * 2.0)), (0.0,), 2)
    index = np.array([[-3.0, 0.0, 1.0, np.nan, 19_999.0, 1e30]], precision)
    check(spec, precision, [index], [np.arange(20_000.0) * 0.5, np.array([5.0, 6.0, 7.0])])


@pytest.mark.parametrize("precision", PRECISIONS)
def test_landing_quadrupeds_have_the_bits_of_the_processor(precision):
    """Steps with contacts; every row of the state."""
    worlds = GambolWorlds("quadruped", 1.0 / 74, precision, 2)
    state, engine = worlds.start.copied(), worlds.engine
    engine.advance(state, 30, worlds.numbers)
    sliding = state.step_state.ledger.sliding.copy()
    numbers = np.repeat(worlds.numbers, 2, axis=1).astype(precision)
    check(engine.advance_spec, precision, [state.rows.copy(), numbers, np.full((1, 2), 32.0, precision)])
    engine.advance(state, 32, worlds.numbers)
    assert (state.step_state.ledger.sliding > sliding).all()  # feet are on the ground


def test_a_life_of_evolution_begins_with_the_bits_of_the_processor():
    """The program of a batch of creatures with different limbs and genes."""
    settings = Settings(task="walk", body="biped", population=2, seconds=1.2, trials=1)
    proposals = search_setup(settings).search.ask()
    ((batch, _),) = batches_of(settings).split([proposal.genotype for proposal in proposals])
    engine = batch.engine
    inputs = batch.batch_world.batch_inputs(engine, [proposal.genotype for proposal in proposals])
    state = rollout_state(engine.world, inputs.q)
    engine.advance(state, 12, inputs.numbers)
    sliding = state.step_state.ledger.sliding.copy()
    check(engine.advance_spec, "float32", [state.rows.copy(), inputs.numbers, np.full((1, 2), 14.0, "float32")])
    engine.advance(state, 14, inputs.numbers)
    assert (state.step_state.ledger.sliding > sliding).all()  # feet are on the ground


@pytest.mark.parametrize(("name", "precision"), [("ant", "float64"), ("humanoid", "float32")])
def test_the_text_for_one_world_has_the_bits_of_landing_figures(name, precision):
    worlds = GambolWorlds(name, STEPS[name][0], precision, 3)
    until = round(0.5 / worlds.step)
    numbers = np.repeat(worlds.numbers, 3, axis=1).astype(precision)
    given = [worlds.start.rows, numbers, np.full((1, 3), float(until), precision)]
    check(worlds.engine.advance_spec, precision, given, ways=[by_processor])


def test_the_text_for_one_world_has_the_bits_of_a_walking_roach():
    """With springs on the ground, in steps of a length of its own: 60 control steps."""
    engine = engine_of("float64", None)
    state = initial_state(engine, 3)
    numbers = np.repeat(engine.numbers(), 3, axis=1)
    check(engine.advance_spec, "float64", [state.rows, numbers, np.full((1, 3), 60.0)], ways=[by_processor])


def test_the_assembler_of_nvidia_takes_a_kernel_and_tells_what_it_needs():
    spec = Engine(scene_of("quadruped").world(1.0 / 74), "float32").advance_spec
    kernel = kernel_of(spec, "float32")
    assert kernel.code[:4] == b"\x7fELF"
    assert 0 < kernel.registers <= 255
    assert {"run", "load_rows"} <= {function.name for function in kernel.functions}
    assert not [line for line in kernel.ptx.splitlines() if ".approx" in line or ".ftz" in line]


def test_what_is_no_architecture_is_refused_and_errors_of_the_assembler_are_told():
    spec = ProgramSpec("double", lambda x: (x + x,), (0.0,))
    with pytest.raises(GambolError, match='there is no architecture "H200"; it is such as sm_90'):
        kernel_of(spec, "float32", "H200")
    with pytest.raises(GambolError, match=r"ptxas ended with code \d+ for sm_90: .*kernel\.ptx"):
        assembled("nonsense", "sm_90")


def test_without_an_assembler_the_extra_is_named(monkeypatch):
    monkeypatch.setattr("gambol.lanes.gpu.assembler.PACKAGES", ("no-such-package",))
    monkeypatch.setenv("PATH", "")
    with pytest.raises(GambolError, match=r"pip install 'gambol\[cuda\]'"):
        kernel_of(ProgramSpec("double", lambda x: (x + x,), (0.0,)), "float32")
