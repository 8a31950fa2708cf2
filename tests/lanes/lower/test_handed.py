"""A state that branches hand on: the same numbers as in Python, and no copies where nobody looks."""

import numpy as np
import pytest
from tracing import bits

from gambol.lanes import Program, Recipe, Subprogram, when
from gambol.lanes.fusion import traced
from gambol.lanes.lower.handed import Handing, handings

WORLDS = 37
KEYS = [3.0, 1.0, 2.0, 0.0, 2.0]


def bumped(state, x):
    """A state whose numbers change places, one of them by x."""
    return [state[1] + x, state[2], state[0] * 0.5]


def changed(state, key, looks):
    """A state after several branches that few worlds take; looks: whether it is seen halfway."""
    bump, seen = Subprogram(bumped), 0.0
    for n, own in enumerate(KEYS):
        state = when(key > own, bump, state, float(n) + key, otherwise=state)
        if looks and n == 2:
            seen = state[1]
    return ([*state, seen],)


def given(precision):
    random = np.random.default_rng(3)
    return random.normal(size=(3, WORLDS)).astype(precision), random.integers(0, 5, (1, WORLDS)).astype(precision)


@pytest.mark.parametrize("looks", [False, True])
@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_what_is_handed_on_is_what_python_finds(precision, looks):
    state, key = given(precision)
    expected = changed(list(state), key[0], looks)[0]
    recipe = Recipe("handed", lambda state, key: changed(state, key, looks), ([0.0] * 3, 0.0))
    for lanes in (1, 4, 8):
        made = Program(recipe, precision, lanes)(state, key)[0]
        for own, wanted in zip(made, expected, strict=True):
            np.testing.assert_array_equal(bits(own), bits(np.broadcast_to(wanted, WORLDS).astype(precision)))


@pytest.mark.parametrize(("looks", "rows"), [(False, [5]), (True, [3, 2])])
def test_a_look_at_the_state_ends_a_row(looks, rows):
    body = traced("handed", "float64", None, 4, lambda *x: changed([*x[:3]], x[3], looks)[0])
    whens = [number for number, op in enumerate(body.ops) if op.name == "when"]
    found = handings(body)
    assert sorted(found) == whens
    starts = np.cumsum([0, *rows[:-1]])
    for start, length in zip(starts, rows, strict=True):
        place = Handing(whens[start], whens[start + length - 1])
        assert [found[number] for number in whens[start : start + length]] == [place] * length
