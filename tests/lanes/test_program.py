"""Programs of arrays: whole and partial blocks, shared inputs, tables, writing in place, and errors."""

import re

import numpy as np
import pytest

from gambol.errors import GambolError
from gambol.lanes import Program, ProgramSpec, gather, sin, sqrt
from gambol.lanes.interleave import Stage, interleave
from gambol.lanes.program import to_blocks


def spring(q, k):
    x, v = q
    return [x + 0.01 * v, v - 0.01 * k[0] * sin(x)], [sqrt(x * x + v * v)]


SPRING = ProgramSpec("spring", spring, ([0.0, 0.0], [0.0]))


def state(worlds, dtype=np.float64):
    return np.random.default_rng(0).normal(size=(2, worlds)).astype(dtype)


def expected(q, k):
    (x, v), (r,) = spring(q, k)
    return np.array([x, v]), np.array([r])


@pytest.mark.parametrize("lanes", [1, 4, 8])
@pytest.mark.parametrize("worlds", [1, 3, 7, 8, 9, 16, 41])
def test_any_number_of_worlds(worlds, lanes):
    q, k = state(worlds), np.linspace(1.0, 2.0, worlds).reshape(1, -1)
    for result, wanted in zip(Program(SPRING, lanes=lanes)(q, k), expected(q, k), strict=True):
        assert result.shape == wanted.shape
        np.testing.assert_allclose(result, wanted, rtol=1e-14)


@pytest.mark.parametrize("worlds", [1, 11, 32])
def test_what_all_worlds_share_has_one_column(worlds):
    q = state(worlds)
    program = Program(SPRING)
    shared = program(q, np.array([[1.7]]))
    each = program(q, np.full((1, worlds), 1.7))
    for a, b in zip(shared, each, strict=True):
        np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(program(q, [1.7])[0], each[0])


@pytest.mark.parametrize("threads", [1, 2])
def test_writing_in_place(threads):
    q, k = state(37), np.ones((1, 37))
    program = Program(SPRING)
    wanted = program(q, k)
    written, length = program(q, k, out=(q, None), threads=threads)
    assert written is q
    np.testing.assert_array_equal(q, wanted[0])
    np.testing.assert_array_equal(length, wanted[1])


def test_rows_of_a_larger_array_are_read_and_written_where_they_lie():
    whole = np.zeros((6, 64))
    whole[::3, 10:43] = state(33)
    before = whole.copy()
    wanted = Program(SPRING)(state(33), np.ones((1, 33)))[0]
    Program(SPRING)(whole[::3, 10:43], np.ones((1, 33)), out=(whole[::3, 10:43], None))
    np.testing.assert_array_equal(whole[::3, 10:43], wanted)
    before[::3, 10:43] = wanted
    np.testing.assert_array_equal(whole, before)


def test_arrays_of_other_layout_and_type_are_converted():
    q = state(9)
    wanted = Program(SPRING)(q, np.ones((1, 9)))[0]
    np.testing.assert_array_equal(Program(SPRING)(np.asfortranarray(q), np.ones((1, 9), int))[0], wanted)
    single = Program(SPRING, "float32")(q, np.ones((1, 9)))[0]
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, wanted, rtol=1e-5)


def test_no_worlds_at_all():
    assert Program(SPRING)(np.zeros((2, 0)), np.zeros((1, 0)))[0].shape == (2, 0)


TABLES = ProgramSpec("heights", lambda i, a, b: ([gather(a, i[0]) + 10.0 * gather(b, i[1])],), ([0.0, 0.0],), tables=2)


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_tables_are_given_when_it_runs(precision):
    program = Program(TABLES, precision)
    i = np.array([[0.0, 1.0, 2.0, 99.0, np.nan], [0.0, -5.0, 1.0, 1.0, 0.5]])
    np.testing.assert_array_equal(program(i, tables=([1, 2, 3], [4.0, 5.0]))[0], [[41.0, 42.0, 53.0, 53.0, 41.0]])
    np.testing.assert_array_equal(program(i, tables=([7.0], [0.0]))[0], [[7.0] * 5])


@pytest.mark.parametrize(
    ("arrays", "how", "message"),
    [
        ((np.zeros((3, 4)), np.zeros((1, 4))), {}, "must have the shape (2, worlds), not (3, 4)"),
        ((np.zeros((2, 4)), np.zeros((1, 3))), {}, "[3, 4] worlds cannot be combined"),
        ((np.zeros((2, 4)),), {}, "takes 2 arrays and 0 tables, not 1 and 0"),
        ((np.zeros((2, 4)), np.zeros((1, 4))), {"tables": ([1.0],)}, "not 2 and 1"),
        ((np.zeros((2, 4, 1)), np.zeros((1, 4))), {}, "must have the shape (2, worlds), not (2, 4, 1)"),
        ((np.zeros((2, 4)), np.zeros((1, 4))), {"out": (None,)}, "returns 2 arrays, not 1"),
        ((np.zeros((2, 4)), np.zeros((1, 4))), {"out": (np.zeros((2, 3)), None)}, "not float64 of shape (2, 3)"),
        ((np.zeros((2, 4)), np.zeros((1, 4))), {"out": (np.zeros((2, 4), "f4"), None)}, "not float32 of shape (2, 4)"),
        ((np.zeros((2, 4)), np.zeros((1, 4))), {"out": (np.zeros((4, 2)).T, None)}, "with strides (8, 16)"),
        ((np.zeros((2, 4)), np.zeros((1, 4))), {"out": (np.broadcast_to(np.zeros(4), (2, 4)), None)}, "read-only"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(arrays, how, message):
    with pytest.raises(GambolError, match=re.escape(message)):
        Program(SPRING)(*arrays, **how)


@pytest.mark.parametrize("table", [[], [[1.0]]])
def test_tables_that_are_none_are_refused(table):
    with pytest.raises(GambolError, match="at least one entry"):
        Program(TABLES)(np.zeros((2, 1)), tables=([1.0], table))


def test_unknown_precision_and_lanes_are_refused():
    with pytest.raises(GambolError, match="float64 or float32"):
        Program(SPRING, "float16")
    for lanes in (3, 32, -1):
        with pytest.raises(GambolError, match="cannot be compiled"):
            Program(SPRING, lanes=lanes)


def test_operations_are_counted():
    assert Program(ProgramSpec("sum", lambda x: ([x[0] * x[1] + x[0]],), ([0.0, 0.0],))).operations == 1


@pytest.mark.parametrize("lanes", [1, 4])
def test_a_bound_program_reads_what_it_has_written(lanes):
    program = Program(
        ProgramSpec("next", lambda x, table: ([gather(table, x[0]) + x[1]],), ([0.0, 0.0],), tables=1), lanes=lanes
    )
    indices = np.maximum(np.arange(12) - lanes, 0.0)
    written = np.zeros((1, 12))
    run_bound = program.bind(np.array([indices, np.ones(12)]), out=[written], tables=[written.reshape(-1)])
    for round_ in range(1, 3):
        run_bound()
        assert np.array_equal(written[0, ::lanes], round_ + np.arange(12 // lanes))


@pytest.mark.parametrize(("lanes", "worlds"), [(1, 1), (1, 3), (4, 8)])
def test_a_bound_program_reads_inputs_that_were_changed_in_place(lanes, worlds):
    program = Program(ProgramSpec("twice", lambda x: ([2.0 * x[0]],), ([0.0],)), lanes=lanes)
    x, y = np.ones((1, worlds)), np.empty((1, worlds))
    run_bound = program.bind(x, out=[y])
    x[:] = 5.0 + np.arange(worlds)
    run_bound()
    assert np.array_equal(y, 2.0 * x)


def test_a_bound_program_takes_whole_blocks_only():
    with pytest.raises(GambolError, match="9 worlds are not a multiple of the block size 4"):
        Program(SPRING, lanes=4).bind(state(9), np.ones((1, 9)), out=[np.empty((2, 9)), np.empty((1, 9))])


def energy_of(q, k):
    """Twice the energy of a spring with unit mass."""
    x, v = q
    return ([v * v + k[0] * x * x],)


ENERGY = ProgramSpec("energy", energy_of, ([0.0, 0.0], [0.0]))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(("lanes", "worlds"), [(1, 24), (4, 24), (8, 21)])
def test_interleaved_programs_do_the_same_as_single_calls(lanes, worlds, threads):
    """The position of a spring whose stiffness changes every round, and its recorded energy."""
    rounds = 5
    spring, energy = Program(SPRING, lanes=lanes), Program(ENERGY, lanes=lanes)
    strengths = np.random.default_rng(1).uniform(1.0, 2.0, (rounds, 1, worlds))
    wanted, energies = state(worlds), []
    for k in strengths:
        wanted, last = spring(wanted, k)
        energies.append(energy(wanted, [[1.5]])[0])
    q, by_round = to_blocks(state(worlds), lanes), np.stack([to_blocks(k, lanes) for k in strengths], axis=1)
    length, seen = np.empty((len(q), 1, lanes)), np.empty((len(q), rounds, 1, lanes))
    observation = Stage(energy, (q, to_blocks(np.array([[1.5]]), lanes)), (seen,))
    interleave([Stage(spring, (q, by_round), (q, length)), observation], len(q), rounds, threads)
    for result, expected in ((q, wanted), (length, last), *((seen[:, k], energies[k]) for k in range(rounds))):
        np.testing.assert_array_equal(result.transpose(1, 0, 2).reshape(len(expected), -1)[:, :worlds], expected)


def test_interleaved_programs_read_tables():
    def looked_up(q, table):
        return ([gather(table, q[0])],)

    program, table = Program(ProgramSpec("looked up", looked_up, ([0.0],), tables=1), lanes=4), np.arange(5.0) ** 2
    result = np.empty((1, 2, 1, 4))
    indices = np.array([[[[0.0, 1.0, 2.0, 3.0]], [[4.0, 3.0, 2.0, 1.0]]]])
    interleave([Stage(program, (indices,), (result,), (table,))], 1, 2)
    np.testing.assert_array_equal(result, indices**2)


def test_stages_that_do_not_fit_are_refused():
    spring = Program(SPRING, lanes=4)
    q, k, length = to_blocks(state(8), 4), to_blocks(np.ones((1, 8)), 4), np.empty((2, 1, 4))
    for inputs, out in (
        ((q, k[:, :0]), (q, length)),
        ((state(8), k), (q, length)),
        ((q, k), (q[:1], length)),
        ((q, np.ones((2, 4, 1, 4))), (q, length)),
        ((q.astype(np.float32), k), (q, length)),
        ((q, k), (q, np.empty((2, 1, 8))[..., ::2])),
    ):
        with pytest.raises(GambolError, match="an array of spring must be float64 of shape"):
            interleave([Stage(spring, inputs, out)], 2, 3)


def test_blocked_arrays_give_the_same_numbers():
    program = Program(ProgramSpec("sums", lambda x, y: ((x[0] + y, x[1] * y),), ((0.0, 0.0), 0.0)), lanes=4)
    x, y = np.arange(24.0).reshape(2, 12), np.arange(12.0)[None]
    blocked, result = to_blocks(x, 4), np.zeros((3, 2, 4))
    program.bind(blocked, y, out=[result])()
    assert np.array_equal(result, to_blocks(program(x, y)[0], 4))
    with pytest.raises(GambolError, match=r"a blocked array of sums must be .* of shape \(blocks, rows, 4\)"):
        program.bind(np.zeros((6, 2, 2)), y, out=[result])
