"""In-place carry of a state through branches: the same numbers as in Python, and chains that end at other reads."""

import numpy as np
import pytest
from tracing import bits

from gambol.lanes import Program, ProgramSpec, Subprogram, when
from gambol.lanes.bodies import trace_body
from gambol.lanes.cpu.lower.in_place import InPlaceCarry, in_place_carries

WORLDS = 37
KEYS = [3.0, 1.0, 2.0, 0.0, 2.0]


def bumped(state, x):
    """Return a state with its numbers permuted, one of them changed by x."""
    return [state[1] + x, state[2], state[0] * 0.5]


def changed(state, key, read):
    """Return a state after several branches that few worlds take; read: whether it is read halfway."""
    bump, seen = Subprogram(bumped), 0.0
    for n, threshold in enumerate(KEYS):
        state = when(key > threshold, bump, state, float(n) + key, otherwise=state)
        if read and n == 2:
            seen = state[1]
    return ([*state, seen],)


def random_state(precision):
    random = np.random.default_rng(3)
    return random.normal(size=(3, WORLDS)).astype(precision), random.integers(0, 5, (1, WORLDS)).astype(precision)


@pytest.mark.parametrize("read", [False, True])
@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_a_carried_state_is_that_of_python(precision, read):
    state, key = random_state(precision)
    expected = changed(list(state), key[0], read)[0]
    spec = ProgramSpec("carried", lambda state, key: changed(state, key, read), ([0.0] * 3, 0.0))
    for lanes in (1, 4, 8):
        results = Program(spec, precision, lanes)(state, key)[0]
        for result, wanted in zip(results, expected, strict=True):
            np.testing.assert_array_equal(bits(result), bits(np.broadcast_to(wanted, WORLDS).astype(precision)))


@pytest.mark.parametrize(("read", "rows"), [(False, [5]), (True, [3, 2])])
def test_another_read_of_the_state_ends_a_chain(read, rows):
    body = trace_body("carried", "float64", None, 4, lambda *x: changed([*x[:3]], x[3], read)[0])
    whens = [number for number, op in enumerate(body.ops) if op.name == "when"]
    carries = in_place_carries(body)
    assert sorted(carries) == whens
    starts = np.cumsum([0, *rows[:-1]])
    for start, length in zip(starts, rows, strict=True):
        chain = InPlaceCarry(whens[start], whens[start + length - 1])
        assert [carries[number] for number in whens[start : start + length]] == [chain] * length
