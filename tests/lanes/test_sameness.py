"""A world's numbers depend neither on its lane, nor its neighbours, nor the threads, nor the width of the registers."""

import platform

import numpy as np
import pytest
from tracing import AVX2, PRECISIONS, bits

from gambol.lanes import (
    Program,
    ProgramSpec,
    atan2,
    cos,
    exp,
    gather,
    log,
    maximum,
    minimum,
    repeat,
    sin,
    sqrt,
    when,
    where,
)
from gambol.lanes.cpu import CpuTarget
from gambol.lanes.cpu.compiler import Processor, this_processor

STEPS = 400.0
STEP = 0.004
BUMPS = (0.0, 0.02, 0.05, 0.01, 0.03, 0.0)
PLAIN = Processor("x86-64-v2", "+sse4.2,-avx,-fma")


def double_pendulum(state):
    """A frictional step of two unit rods that swing chaotically and hit bumpy ground 1.6 m below their pivot."""
    a, b, u, v = state
    s, c = sin(a - b), cos(a - b)
    x, y = sin(a) + sin(b), -cos(a) - cos(b)
    depth = -1.6 + gather(BUMPS, (x + 3.0) * 1.0) - y
    speed = cos(b) * v + cos(a) * u
    push = when(depth > 0.0, lambda d: 4000.0 * d * (1.0 + 0.1 * log(1.0 + d)) + exp(minimum(30.0 * d, 3.0)), depth)
    drag = -0.4 * push * speed / sqrt(speed * speed + 1e-4)
    g = 9.81
    p = -s * v * v - 2.0 * g * sin(a) + push * sin(a) + drag * cos(a)
    q = s * u * u - g * sin(b) + push * sin(b) + drag * cos(b)
    size = 1.0 + s * s
    du, dv = (p - c * q) / size, (2.0 * q - c * p) / size
    u, v = u + STEP * du, v + STEP * dv
    u = where(abs(u) > 40.0, maximum(minimum(u, 40.0), -40.0), u)
    return a + STEP * u, b + STEP * v, u, v


def swung(state):
    a, b, u, v = repeat(STEPS, double_pendulum, tuple(state))
    return ([a, b, u, v, atan2(sin(a), cos(a))],)


SWUNG = ProgramSpec("pendulum", swung, ([0.0] * 4,))
WORLDS = 37


def start(precision):
    rng = np.random.default_rng(5)
    return np.concatenate([rng.uniform(-3.0, 3.0, (2, WORLDS)), rng.normal(size=(2, WORLDS))]).astype(precision)


@pytest.fixture(scope="module", params=PRECISIONS)
def reference(request):
    """A precision and the results of its worlds, each computed alone in one lane."""
    program = Program(SWUNG, request.param, lanes=1)
    q = start(request.param)
    alone = np.concatenate([program(q[:, [w]])[0] for w in range(WORLDS)], axis=1)
    assert np.isfinite(alone).all()
    return request.param, bits(alone)


def test_the_sample_is_chaotic_and_touches(reference):
    precision, alone = reference
    q = start(precision)
    q[0] *= 1.0 + 4.0 * np.finfo(precision).eps
    moved = Program(SWUNG, precision)(q)[0]
    growth = np.abs(moved - alone.view(precision))[:4] / np.finfo(precision).eps
    assert np.median(growth.max(axis=0)) > 100.0
    assert growth.max() > 10_000.0


@pytest.mark.parametrize("lanes", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("threads", [1, 2])
def test_lanes_and_threads(reference, lanes, threads):
    precision, alone = reference
    np.testing.assert_array_equal(bits(Program(SWUNG, precision, lanes)(start(precision), threads=threads)[0]), alone)


def test_any_place_among_any_neighbours(reference):
    precision, alone = reference
    program, q = Program(SWUNG, precision), start(precision)
    order = np.random.default_rng(6).permutation(WORLDS)
    np.testing.assert_array_equal(bits(program(q[:, order])[0]), alone[:, order])
    for first in (1, 5, 30):
        np.testing.assert_array_equal(bits(program(q[:, first:])[0]), alone[:, first:])


@pytest.mark.parametrize("lanes", [1, 4, 16])
@pytest.mark.parametrize("processor", [AVX2, PLAIN], ids=["AVX2", "without fma"])
def test_other_processors(reference, processor, lanes):
    if platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip("not an x86-64 machine")
    if "+avx2" in processor.features and "+avx2" not in this_processor().features:
        pytest.skip("this processor has no AVX2")
    precision, alone = reference
    result = Program(SWUNG, precision, lanes, CpuTarget(processor))(start(precision))[0]
    np.testing.assert_array_equal(bits(result), alone)


def test_programs_that_are_not_optimised(reference):
    precision, alone = reference
    quick = Program(SWUNG, precision, target=CpuTarget(optimised=False))
    np.testing.assert_array_equal(bits(quick(start(precision))[0]), alone)
    assert CpuTarget(optimised=False).key != CpuTarget().key


def test_a_program_takes_what_fits_the_registers():
    assert Program(SWUNG, "float64", target=CpuTarget(AVX2)).lanes == 4
    assert Program(SWUNG, "float32", target=CpuTarget(PLAIN)).lanes == 4
