"""A figure with loops moves the same to the last bit in code for registers of any width, in any lane."""

import platform
from functools import cache
from typing import Any

import numpy as np
import pytest
from tracing import AVX2, PRECISIONS, bits

from gambol.dynamics import kinematics
from gambol.dynamics.loops import LoopOptions, closed_dynamics, projected
from gambol.dynamics.tangent import integrate_configuration, tangent_rates
from gambol.figure import Figure, random_state
from gambol.lanes import Program, ProgramSpec, repeat
from gambol.lanes.cpu import CpuTarget
from gambol.lanes.cpu.compiler import Processor, this_processor
from validation.linkages import peaucellier, windows

PROCESSORS = {
    "avx512f": Processor(
        "skylake-avx512", "+avx512f,+avx512dq,+avx512vl,+avx512bw,+avx512cd,+avx2,+fma,-prefer-256-bit"
    ),
    "avx2": AVX2,
    "sse4.2": Processor("x86-64-v2", "+sse4.2,-avx,-fma"),
}
STEPS, STEP, WORLDS = 25.0, 4e-3, 19

FIGURES = {"windows": windows(2), "peaucellier": peaucellier()}
"""Loops with rows that depend on others, and one of many bars."""


def swung(figure: Figure, method: str) -> ProgramSpec:
    """Return a program of some steps with projection of the loops after each."""
    how = LoopOptions(method)

    def step(state: tuple[list[Any], list[Any]]) -> tuple[list[Any], list[Any]]:
        q, v = state
        rates = closed_dynamics(kinematics(figure, q, v), [0.0] * figure.nv, how).a
        v = [x + STEP * a for x, a in zip(v, rates, strict=True)]
        moved = integrate_configuration(figure, q, tangent_rates(figure, q, [0.0] * figure.nv, [STEP * x for x in v]))
        return projected(figure, moved, v, how)

    return ProgramSpec("swung", lambda q, v: repeat(STEPS, step, (q, v)), ([0.0] * figure.nq, [0.0] * figure.nv))


def start(figure: Figure, precision: str) -> tuple[np.ndarray, np.ndarray]:
    """Return states near those in which the loops are closed."""
    random = np.random.default_rng(3)
    q, v = random_state(figure, 1)
    spread = 0.1 * random.normal(size=(figure.nq + figure.nv, WORLDS))
    return tuple(
        x.astype(precision) for x in (0.0 * q[:, None] + spread[: figure.nq], v[:, None] + spread[figure.nq :])
    )


@cache
def widest(name: str, method: str, precision: Any) -> np.ndarray:
    """Return the final coordinates and velocities, computed by code for this processor."""
    return np.concatenate(Program(swung(FIGURES[name], method), precision)(*start(FIGURES[name], precision)))


@pytest.mark.parametrize("feature", PROCESSORS)
@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize(("name", "method"), [("windows", "propagation"), ("windows", "crba"), ("peaucellier", "aba")])
def test_loops_move_the_same_in_registers_of_every_width(name: str, method: str, precision: Any, feature: str):
    if platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip("not an x86-64 machine")
    if f"+{feature}" not in this_processor().features:
        pytest.skip(f"this processor has no {feature}")
    program = Program(swung(FIGURES[name], method), precision, target=CpuTarget(PROCESSORS[feature]))
    found, own = np.concatenate(program(*start(FIGURES[name], precision))), widest(name, method, precision)
    assert np.isfinite(own).all()
    assert np.ptp(own, axis=1).max() > 0.1
    np.testing.assert_array_equal(bits(found), bits(own))
