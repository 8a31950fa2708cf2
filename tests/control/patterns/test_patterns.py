"""Properties of every kind of pattern: genes round-trip, signals stay in [-1, 1], and all scalars agree."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_patterns import DT, SHAPE, program_of, random_pattern, random_senses, rows

from gambol.control.patterns import PATTERNS, Pattern, PatternShape, pattern_kind
from gambol.errors import WorldError
from gambol.lanes import leaves, unflatten

KINDS = sorted(PATTERNS)


@pytest.mark.parametrize("kind", KINDS)
def test_genes_make_a_pattern_and_come_back(kind):
    one = random_pattern(kind, seed=1)
    genes = one.genes()
    assert len({gene.name for gene in genes}) == len(genes)
    again = pattern_kind(kind).of_genes(SHAPE, one.values())
    assert again == one
    assert again.numbers() == one.numbers()
    assert again != random_pattern(kind, seed=2)
    assert again.structure() == random_pattern(kind, seed=2).structure()
    assert isinstance(one, Pattern)
    assert set(one.required_senses) <= {"angles", "speeds", "contacts", "loads", "up", "velocity", "height"}


@pytest.mark.parametrize("kind", KINDS)
def test_what_does_not_fit_is_refused(kind):
    values = list(random_pattern(kind, seed=1).values())
    with pytest.raises(WorldError, match="genes need as many values"):
        pattern_kind(kind).of_genes(SHAPE, values[:-1])
    gene = pattern_kind(kind).genes_of(SHAPE)[0]
    with pytest.raises(WorldError, match=f'"{gene.name}" is .* out of its bounds'):
        pattern_kind(kind).of_genes(SHAPE, [gene.upper + 1.0, *values[1:]])


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), size=st.floats(0.0, 1e6))
def test_signals_of_any_genes_and_feelings_stay_within_one(kind, seed, size):
    rng, one = np.random.default_rng(seed), random_pattern(kind, seed)
    memory = one.memory()
    for step in range(1, 20):
        senses = random_senses(rng, step * DT, size=size)
        signals, memory = one.signals(one.numbers(), memory, senses, step * DT, DT)
        assert len(signals) == SHAPE.actuators
        assert all(-1.0 <= s <= 1.0 for s in signals)
        assert np.all(np.isfinite(leaves(memory)))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_starts_from_the_middle_without_a_jump(kind):
    """A signal crosses its range in 20 ms at the fastest lags, so a control step of 10 us moves it less than 0.002."""
    for seed in range(20):
        one = random_pattern(kind, seed)
        signals, _ = one.signals(
            one.numbers(), one.memory(), random_senses(np.random.default_rng(seed), 1e-5), 1e-5, 1e-5
        )
        assert max(abs(s) for s in signals) < 0.02


def run_on_floats(kind: str, seed: int, frames: int) -> list[Any]:
    """Return the signals of a pattern over some control steps, and its memory at the end."""
    rng, one = np.random.default_rng(seed), random_pattern(kind, seed)
    memory, signals = one.memory(), []
    for step in range(1, frames + 1):
        signals, memory = one.signals(one.numbers(), memory, random_senses(rng, step * DT), step * DT, DT)
    return [*signals, *leaves(memory)]


def run_program(kind: str, seeds: list[int], frames: int, **how: Any) -> np.ndarray:
    """The same by one program, with a world for each seed."""
    patterns = [random_pattern(kind, seed) for seed in seeds]
    program = program_of(patterns[0], **how)
    generators = [np.random.default_rng(seed) for seed in seeds]
    numbers, memory = (rows([get(p) for p in patterns], program.dtype) for get in (_numbers, _memory))
    signals = np.zeros((0, 0))
    for step in range(1, frames + 1):
        senses = rows([random_senses(rng, step * DT) for rng in generators], program.dtype)
        signals, memory = program(numbers, memory, senses, rows([[step * DT, DT]] * len(seeds), program.dtype))
    return np.concatenate([signals, memory])


def _numbers(pattern: Pattern) -> Any:
    return pattern.numbers()


def _memory(pattern: Pattern) -> Any:
    return pattern.memory()


@pytest.mark.parametrize("kind", KINDS)
def test_floats_and_programs_agree(kind):
    """Only rounding: some thousand operations per step, each lag or wave a contraction, so errors do not grow much."""
    seeds = [3, 4, 5, 6, 7]
    by_floats = np.array([run_on_floats(kind, seed, frames=30) for seed in seeds]).T
    np.testing.assert_allclose(run_program(kind, seeds, frames=30), by_floats, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("kind", KINDS)
def test_arrays_are_worlds_of_floats(kind):
    patterns = [random_pattern(kind, seed) for seed in range(4)]
    form = patterns[0].numbers()
    numbers = unflatten(form, iter(rows([p.numbers() for p in patterns])))
    memory = unflatten(patterns[0].memory(), iter(rows([p.memory() for p in patterns])))
    senses = random_senses(np.random.default_rng(0), np.full(4, DT))
    signals, after = patterns[0].signals(numbers, memory, senses, np.full(4, DT), DT)
    for w, one in enumerate(patterns):
        own = unflatten(senses, iter(float(x[w]) for x in leaves(senses)))
        found, left = one.signals(one.numbers(), one.memory(), own, DT, DT)
        np.testing.assert_allclose([x[w] for x in signals], found, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose([x[w] for x in leaves(after)], leaves(left), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_world_has_the_same_bits_in_any_lane(kind, precision):
    seeds = [11, 12, 13]
    alone = np.concatenate([run_program(kind, [s], frames=5, precision=precision, lanes=1) for s in seeds], axis=1)
    together = run_program(kind, seeds[::-1], frames=5, precision=precision, lanes=8)[:, ::-1]
    assert np.array_equal(alone, together)


@pytest.mark.parametrize("kind", ["oscillators", "responses", "sensor-actuator", "dataflow", "recurrent"])
def test_unknown_feet_are_refused(kind):
    one = random_pattern(kind, seed=0)
    readings = random_senses(np.random.default_rng(0), 0.1, PatternShape(actuators=3, feet=4))
    with pytest.raises(WorldError, match=r'2 feet got 4 numbers as "contacts"; its drive must have'):
        one.signals(one.numbers(), one.memory(), readings, 0.1, DT)


def test_kinds_are_found_by_name():
    assert pattern_kind("spectral").kind == "spectral"
    with pytest.raises(WorldError, match='no pattern "spectrum"; did you mean "spectral"'):
        pattern_kind("spectrum")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"actuators": 0}, "at least 1 actuator"),
        ({"actuators": 2, "feet": 1, "foot_of": (0,)}, "2 actuators need as many feet"),
        ({"actuators": 1, "feet": 1, "foot_of": (1,)}, "cannot move foot 1 of 1"),
        ({"actuators": 1, "senses": ("angle",)}, 'cannot sense "angle"; did you mean "angles"'),
        ({"actuators": 1, "size": 100_000_000}, "size 100000000 is too large; give at most 256"),
        ({"actuators": 1, "slowest": 5.0}, "from 5.0 to 4.0 Hz"),
    ],
)
def test_impossible_shapes_are_refused(given, message):
    with pytest.raises(WorldError, match=message):
        PatternShape(**given)
