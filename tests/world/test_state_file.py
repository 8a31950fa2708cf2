"""States in files, and the reset of some worlds."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from worlds import ball, block, touch

from gambol.contact import SurfaceProperties
from gambol.errors import GambolError, WorldError
from gambol.figure import Figure
from gambol.lanes import leaf_indices
from gambol.world import State, Timing, World, load_state, reset, run, save_state, start


def world_of(figure: Figure | None = None, contact: str = "stepping") -> World:
    timing = Timing(1e-3, 1e-3, "semi-implicit euler")
    return World(figure or ball(), surface=SurfaceProperties(touch()), contact=contact, timing=timing)


@pytest.fixture(scope="module")
def world() -> World:
    return world_of()


@pytest.fixture(scope="module")
def landed(world: World) -> State:
    """Four balls that have just landed, so that contacts are remembered."""
    state = start(world, 4, on_ground=(0.0, 0.0), drop=0.005, v=(0.3, 0.2, 0.0, 0.4, 0.0, 0.0))
    state.v[1:, 3] += 0.2
    run(world, state, 0.1)
    return state


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_a_restored_state_has_the_same_future(world: World, landed: State, tmp_path: Path, precision: str):
    state = State(world, landed.rows.astype(precision))
    path = save_state(state, tmp_path / "landed.npz")
    other = world_of()  # made anew, as in another process
    restored = load_state(path, other)
    assert restored.rows.dtype == precision
    np.testing.assert_array_equal(restored.rows, state.rows)
    np.testing.assert_array_equal(restored.time, state.time)
    run(world, state, 0.05)
    run(other, restored, 0.05)
    np.testing.assert_array_equal(restored.rows, state.rows)


def stored_by_earlier_version(path: Path, state: State) -> Path:
    """Write a state in the form of files before the ledger had an entry for numerical damping."""
    save_state(state, path)
    with np.load(path) as file:
        rows, about = file["rows"], json.loads(file["about"].tobytes())
    del about["ledger"]
    lost = leaf_indices(state.step_state).ledger.numerical_damping
    history = leaf_indices(state.step_state).integrator_state[-2:-1]  # rates of v, of the entries, and the step
    about["layout"]["numbers"] -= 1 + len(history)
    rows = np.delete(rows, [lost, *history], axis=0)
    np.savez(path, rows=rows, about=np.frombuffer(json.dumps(about).encode(), np.uint8))
    return path


@pytest.mark.parametrize(
    ("contact", "integrator"), [("stepping", "rk4"), ("penalty", "semi-implicit euler"), ("penalty", "verlet")]
)
def test_a_state_of_an_earlier_version_has_the_same_future(tmp_path: Path, contact: str, integrator: str):
    world = replace(world_of(contact=contact), timing=Timing(1e-3, 1e-4, integrator))
    state = start(world, 2, on_ground=(0.0, 0.0), v=(0.3, 0.2, 0.0, 0.4, 0.0, 0.0))
    run(world, state, 0.05)
    restored = load_state(stored_by_earlier_version(tmp_path / "former.npz", state), world)
    np.testing.assert_array_equal(restored.rows, state.rows)
    run(world, state, 0.01)
    run(world, restored, 0.01)
    np.testing.assert_array_equal(restored.rows, state.rows)


def test_reset_worlds_begin_again_and_others_continue(world: World, landed: State):
    first = start(world, 4, drop=0.01, jitter=0.0)
    first.q[:, 4] = (1.0, 2.0, 3.0, 4.0)
    state, mask = landed.copied(), np.array([True, False, False, True])
    reset(state, mask, first)
    np.testing.assert_array_equal(state.rows[:, mask], first.rows[:, mask])
    np.testing.assert_array_equal(state.rows[:, ~mask], landed.rows[:, ~mask])
    one = start(world, drop=0.02)
    reset(state, ~mask, one)
    np.testing.assert_array_equal(state.rows[:, 1], one.rows[:, 0])
    np.testing.assert_array_equal(state.rows[:, 2], one.rows[:, 0])
    np.testing.assert_array_equal(state.rows[:, mask], first.rows[:, mask])


def test_nothing_is_reset_by_an_empty_mask(landed: State):
    state = landed.copied()
    reset(state, np.zeros(4, bool), landed)
    np.testing.assert_array_equal(state.rows, landed.rows)


@pytest.mark.parametrize(("other", "message"), [(world_of(block()), "links"), (world_of(contact="penalty"), "numbers")])
def test_a_state_of_another_world_is_refused(landed: State, tmp_path: Path, other: World, message: str):
    path = save_state(landed, tmp_path / "landed.npz")
    with pytest.raises(WorldError, match=f"its {message} differ"):
        load_state(path, other)
    with pytest.raises(WorldError, match="same figure"):
        reset(landed.copied(), np.ones(4, bool), start(other))


def test_files_that_are_no_states_are_refused(world: World, tmp_path: Path):
    np.savez(tmp_path / "other.npz", rows=np.zeros((3, 1)))
    (tmp_path / "text.npz").write_text("rows")
    for name in ("other.npz", "text.npz", "missing.npz"):
        with pytest.raises(GambolError, match=name):
            load_state(tmp_path / name, world)


@pytest.mark.parametrize(
    ("mask", "worlds", "message"),
    [([1, 0, 0, 1], 4, "mask"), ([True], 4, "mask"), ([True, False, False, True], 3, "3 worlds")],
)
def test_masks_and_states_that_do_not_fit_are_refused(world: World, landed: State, mask, worlds: int, message: str):
    with pytest.raises(WorldError, match=message):
        reset(landed.copied(), mask, start(world, worlds))


def test_a_reset_does_not_change_the_precision(world: World, landed: State):
    with pytest.raises(WorldError, match="precision"):
        reset(landed.copied(), np.ones(4, bool), start(replace(world), 1, precision="float32"))
