"""Long programs split into pieces: the same bits as in one piece, shared code, little memory."""

import numpy as np
import pytest

from gambol.lanes import Program, ProgramSpec, empty, fori, gather, loop, repeat, sin, split_point, when, where
from gambol.lanes.bodies import trace_body
from gambol.lanes.cpu import machine
from gambol.lanes.cpu.lower.split import split
from gambol.lanes.cpu.object_file import is_self_contained

MASSES = [0.3, 1.7, 0.02, 4.0, 0.9]


def chain_of_springs(x, v):
    """Accelerations of masses on springs; each step has constants of its own, a sine and a choice."""
    pull = [0.0] * (len(x) + 1)
    for k, mass in enumerate(MASSES):
        split_point()
        stretch = x[k] - (x[k - 1] if k else 0.0)
        held = where(stretch > 2.0 - mass, 2.0 - mass, stretch)
        pull[k] = sin(held) * (10.0 + mass) + v[k] * -0.1
    split_point()
    return [(pull[k + 1] - pull[k]) * (1.0 / mass) for k, mass in enumerate(MASSES)]


def flat(x0, x1, x2, x3, x4, *v):
    return chain_of_springs([x0, x1, x2, x3, x4], v)


def arrays(seed=0, worlds=21):
    random = np.random.default_rng(seed)
    return random.normal(scale=3.0, size=(5, worlds)), random.normal(size=(5, worlds))


def compiled(function, precision="float64", lanes=None):
    return Program(ProgramSpec("springs", function, ([0.0] * 5, [0.0] * 5)), precision, lanes)


def stepped(x, v):
    """Positions and velocities after three steps, in a loop."""

    def step(state):
        x, v = state
        v = [b + 0.01 * a for b, a in zip(v, chain_of_springs(x, v), strict=True)]
        return [a + 0.01 * b for a, b in zip(x, v, strict=True)], v

    return repeat(3, step, (x, v))


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("lanes", [1, None])
def test_pieces_give_the_bits_of_the_whole(precision, lanes, monkeypatch):
    whole = compiled(stepped, precision, lanes)(*arrays())
    monkeypatch.setattr("gambol.lanes.cpu.lower.split.MIN_SPLIT_OPERATIONS", 0)
    for a, b in zip(compiled(stepped, precision, lanes)(*arrays()), whole, strict=True):
        np.testing.assert_array_equal(a, b)


def test_links_that_differ_in_numbers_only_share_their_code():
    body = trace_body("springs", "float64", None, 10, flat)
    parts = split(body)
    assert len(parts.pieces) == len(MASSES) + 1
    patterns = {id(piece.pattern): piece.pattern for piece in parts.pieces}.values()
    assert len(patterns) == 3  # the first mass hangs on the wall, the others on each other; then comes the sum
    assert sum(len(pattern.body.ops) for pattern in patterns) < 0.7 * len(body.ops)


def test_what_all_pieces_of_a_pattern_have_in_common_stays_a_constant():
    parts = split(trace_body("springs", "float64", None, 10, flat))
    columns = next(piece.pattern.columns for piece in parts.pieces[1:])
    assert (1.7, 0.02, 4.0, 0.9) not in columns  # no formula takes the mass itself
    assert sorted(columns) == sorted([tuple(2.0 - m for m in MASSES[1:]), tuple(10.0 + m for m in MASSES[1:])])


def test_memory_is_used_again():
    def long_sum(*x):
        total = x[0]
        for _ in range(50):
            split_point()
            total = sin(total) + x[1]
        return [total]

    parts = split(trace_body("sum", "float64", None, 2, long_sum))
    assert len(parts.pieces) == 50
    assert parts.size <= 5


def test_outputs_may_be_inputs_and_constants(monkeypatch):
    def some(x, v):
        split_point()
        y = [a * 2.0 for a in x]
        split_point()
        return ([y[0] + v[0], 3.0, v[4], y[1]],)

    monkeypatch.setattr("gambol.lanes.cpu.lower.split.MIN_SPLIT_OPERATIONS", 0)
    x, v = arrays()
    (result,) = compiled(some)(x, v)
    np.testing.assert_array_equal(result, [2.0 * x[0] + v[0], np.full(21, 3.0), v[4], 2.0 * x[1]])


def test_loops_branches_and_tables_run_in_pieces(monkeypatch):
    def some(x, v):
        rows = []
        for k in range(5):
            split_point()
            halved = loop(lambda y: y > 1.0, lambda y: y * 0.5, x[k])
            rows.append(halved + gather((1.0, 2.0, 4.0), v[k] + sin(1e9 * x[k])))
        return (rows,)

    whole = compiled(some)(*arrays())[0]
    monkeypatch.setattr("gambol.lanes.cpu.lower.split.MIN_SPLIT_OPERATIONS", 0)
    np.testing.assert_array_equal(compiled(some)(*arrays())[0], whole)


def test_the_test_of_a_loop_leaves_what_its_piece_gives_alone(monkeypatch):
    """A past bug: operations of the test were confused with those of the piece that have the same numbers."""

    def some(x, v):
        split_point()
        a, b = x[0] * 3.0 + v[0], x[1] - v[1]
        split_point()
        sums = [a * b, a + b, a - b]
        halved = loop(lambda y: y * y + (b + a * x[2]) * y * 0.125 > 1.0, lambda y: y * 0.5, sums[0])
        split_point()
        return ([*sums, halved, sums[0] + sums[1] * sums[2]],)

    whole = compiled(some)(*arrays())[0]
    monkeypatch.setattr("gambol.lanes.cpu.lower.split.MIN_SPLIT_OPERATIONS", 0)
    np.testing.assert_array_equal(compiled(some)(*arrays())[0], whole)


def test_a_branch_that_only_returns_its_inputs_has_no_pieces(monkeypatch):
    def some(x, v):
        def branch():
            split_point()
            return x[1], 2.0

        return ([y for k in range(5) for y in when(x[k] > v[k], branch)],)

    monkeypatch.setattr("gambol.lanes.cpu.lower.split.MIN_SPLIT_OPERATIONS", -1)
    x, v = arrays()
    expected = [row for k in range(5) for row in (np.where(x[k] > v[k], x[1], 0.0), np.where(x[k] > v[k], 2.0, 0.0))]
    np.testing.assert_array_equal(compiled(some)(x, v)[0], expected)


def test_a_split_point_outside_of_a_trace_does_nothing():
    x, v = arrays()
    result = [chain_of_springs(x[:, k].tolist(), v[:, k].tolist()) for k in range(x.shape[1])]
    np.testing.assert_allclose(
        np.array(result).T, compiled(lambda x, v: (chain_of_springs(x, v),))(x, v)[0], rtol=1e-12
    )


def test_a_program_in_pieces_needs_no_function_of_the_c_library(monkeypatch, tmp_path):
    """LLVM's memory manager, which others need, aborts the process if sections are far apart."""
    monkeypatch.setenv("GAMBOL_CACHE", str(tmp_path))
    monkeypatch.setattr("gambol.lanes.cpu.lower.split.MIN_SPLIT_OPERATIONS", 0)
    monkeypatch.setattr("gambol.lanes.cpu.lower.loads.MAX_EAGER_ARGUMENTS", 0)
    results = []
    monkeypatch.setattr(
        machine, "is_self_contained", lambda code: results.append(is_self_contained(code)) or results[-1]
    )
    compiled(stepped)(*arrays())
    assert results == [True]


def with_arrays(x, v):
    """Pieces before, between and after loops over an array; chains of branches whose states pieces read, too."""
    values = empty(5)
    for k in range(5):
        split_point()
        values[k] = sin(x[k]) * v[k]
    split_point()
    pull = chain_of_springs(x, v)
    split_point()
    total = fori(0, 5, lambda i, s: s + values[i] * v[0], pull[1])
    fori(1, 5, lambda i, _: values.write(i, [values[i] + values[i - 1] * total]))
    stages = [(x[0], v[1])]
    for k in range(3):
        stages.append(when(x[k] > v[k], lambda a, b: (a * total, b + a), *stages[-1], otherwise=stages[-1]))
    split_point()
    sums = [a + b * pull[0] for a, b in stages]
    split_point()
    y = when(v[2] > 0.0, lambda: values[3] * sums[2], otherwise=sums[1])
    split_point()
    return [y * 2.0, *sums, total * y, x[3], 1.5, *values.slice(0, 5)]


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("lanes", [1, None])
@pytest.mark.parametrize("eager", [0, 256])
def test_programs_with_arrays_have_pieces_too(precision, lanes, eager, monkeypatch):
    def repeated(x, v):
        ends = repeat(2.0, lambda s: with_arrays(s, v)[:5], x)
        return (with_arrays(ends, v),)

    whole = compiled(repeated, precision, lanes)(*arrays())[0]
    for limit in ("MIN_SPLIT_OPERATIONS", "MIN_SPLIT_OPERATIONS_WITH_ARRAYS"):
        monkeypatch.setattr(f"gambol.lanes.cpu.lower.split.{limit}", 0)
    monkeypatch.setattr("gambol.lanes.cpu.lower.loads.MAX_EAGER_ARGUMENTS", eager)
    np.testing.assert_array_equal(compiled(repeated, precision, lanes)(*arrays())[0], whole)


def test_a_driver_has_only_the_operations_between_split_points_that_use_arrays():
    body = trace_body("springs", "float64", None, 10, lambda *x: with_arrays([*x[:5]], [*x[5:]]))
    parts = split(body)
    assert len(parts.pieces) == len(MASSES)  # three masses, their accelerations, and sums; no more is used
    assert {"array", "fori", "store"} <= {op.name for op in parts.driver.ops}
    assert {"array", "fori", "store"}.isdisjoint(op.name for piece in parts.pieces for op in piece.pattern.body.ops)
