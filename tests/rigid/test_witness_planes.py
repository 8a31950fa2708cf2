"""Piles with separating planes as witnesses: the same bits as without, and no search for pairs that are apart."""

from dataclasses import replace

import numpy as np
import pytest

from gambol.figure.shapes import Box, Cylinder, Sphere
from gambol.lanes import Precision
from gambol.rigid import Body, Pile, PileState, PileStepper, initial_state


def heap() -> tuple[Pile, PileState]:
    rng = np.random.default_rng(8)
    shapes = [Box((0.2, 0.15, 0.1)), Cylinder(0.08, 0.2), Sphere(0.1), Box((0.1, 0.1, 0.3))] * 4
    places = 0.26 * np.stack(np.meshgrid(range(2), range(2), range(4), indexing="ij"), axis=-1).reshape(-1, 3)
    orientations = rng.normal(size=(16, 4))
    orientations /= np.linalg.norm(orientations, axis=1)[:, None]
    pile = Pile([Body(shape, 1.0) for shape in shapes])
    return pile, initial_state(pile, places + np.array([0.0, 0.0, 0.2]), orientations)


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_planes_do_not_change_a_bit(precision: Precision):
    pile, start = heap()
    ends = [
        PileStepper(replace(pile, witness_planes=w), precision=precision).advance(start, 300) for w in (True, False)
    ]
    assert ends[0].position.tobytes() == ends[1].position.tobytes()
    assert ends[0].orientation.tobytes() == ends[1].orientation.tobytes()
    assert ends[0].velocity.tobytes() == ends[1].velocity.tobytes()


def test_planes_separate_nearly_all_pairs_that_are_apart():
    pile, state = heap()
    stepper = PileStepper(pile)
    hits = pairs = 0
    for _ in range(300):
        state = stepper.advance(state)
        hit, count = stepper.separated_pairs
        hits, pairs = hits + hit, pairs + count
    assert pairs > 5_000
    assert 0.5 < hits / pairs < 1.0
    assert PileStepper(replace(pile, witness_planes=False)).separated_pairs == (0, 0)
