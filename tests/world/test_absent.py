"""Absent contacts and limits have no effect: a step is the same for any values of their numbers."""

import math

import numpy as np
import pytest

from gambol.evolve.evaluate.batch_world import world_of
from gambol.evolve.genotype import Genotype, grow, plan_named
from gambol.evolve.genotype.genotype import with_neutral_control
from gambol.evolve.tasks import task_named
from gambol.lanes.cpu.lower.instructions import Writer
from gambol.world import Engine, start

HEIGHTS = np.linspace(-0.01, 0.3, 40)
"""Heights of quadrupeds above their stance [m]: in the same lanes some press on the ground at once, some fall first."""


def landed() -> np.ndarray:
    """Return the rows of quadrupeds a fifth of a second after their release at several heights."""
    creature = grow(with_neutral_control(Genotype(plan_named("quadruped"))))
    world = world_of(creature, task_named("walk"))
    state = start(world, len(HEIGHTS), precision="float32")
    state.rows[: creature.figure.nq] = np.array(creature.q)[:, None]
    state.rows[6] += HEIGHTS
    Engine(world, "float32").advance(state, 24)
    return state.rows.copy()


def test_numbers_of_absent_contacts_and_limits_may_be_anything(monkeypatch: pytest.MonkeyPatch, tmp_path):
    plain, simple = landed(), Writer.write_operation
    operations = []

    def with_nan(writer: Writer, op, given):
        if op.name == "undefined":
            operations.append(op)
            return writer.types.constant(math.nan)
        return simple(writer, op, given)

    monkeypatch.setenv("GAMBOL_CACHE", str(tmp_path))
    monkeypatch.setattr(Writer, "write_operation", with_nan)
    np.testing.assert_array_equal(landed(), plain)
    assert operations
