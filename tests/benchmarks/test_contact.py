"""Scenes with contact are the same in both engines: equal motion in the air, and landings in the same places."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.contact.landing import MAX_ERROR_RATIO, landing
from benchmarks.contact.many_cores import WORLDS_OF_A_CORE, OneCore
from benchmarks.contact.motion import TIMES, GambolWorlds, MujocoWorlds, reference_steps
from benchmarks.contact.published import equivalent_cores
from benchmarks.contact.scenes import HOLD, ITERATIONS, SCENES, STEPS, scene_of
from benchmarks.contact.settings import fitted, row_of, settings_of
from benchmarks.contact.variants import VARIANTS
from benchmarks.rows import ROWS, Row

WORLDS = 4


@pytest.mark.parametrize("name", SCENES)
def test_both_engines_weigh_the_same(name: str):
    figure, model = scene_of(name).world(2e-3).figure, scene_of(name).peer()
    assert figure.mass == pytest.approx(float(np.sum(model.body_mass)), rel=1e-9)
    assert (figure.nq, figure.nv) == (model.nq, model.nv)


@pytest.mark.parametrize("name", SCENES)
def test_steps_fit_into_the_times_of_comparison(name: str):
    for step in (*STEPS[name], *reference_steps(name)):
        for time in (*TIMES, scene_of(name).hold):
            assert round(time / step) * step == pytest.approx(time, rel=1e-12)


def test_a_quadruped_stands_where_its_twin_stands():
    """MuJoCo's ground is soft: the twin sinks in by some millimetres, and creeps."""
    ours, theirs = (
        kind("quadruped", 2e-3, *rest).positions()[1]
        for kind, rest in ((GambolWorlds, ("float64", 4)), (MujocoWorlds, (4,)))
    )
    np.testing.assert_allclose(ours[:, 2], theirs[:, 2], atol=5e-3)
    np.testing.assert_allclose(ours, theirs, atol=5e-2)


@pytest.mark.parametrize("name", sorted(set(SCENES) - {"quadruped", "humanoid"}))
def test_both_fly_alike(name: str, monkeypatch: pytest.MonkeyPatch):
    """Released at rest above the ground, with random torques, for 50 ms: alike up to the errors of steps of 0.1 ms.

    The torques are so small that no joint reaches a limit, which is soft in MuJoCo.
    """
    scene = replace(scene_of(name), torque=0.05)
    monkeypatch.setattr("benchmarks.contact.motion.scene_of", lambda _: scene)
    ours, theirs = GambolWorlds(name, 1e-4, "float64", WORLDS), MujocoWorlds(name, 1e-4, WORLDS)
    free = scene.root.stop == 7
    ours.start.q[:, 6 if free else 1] += 2.0
    theirs.start[:, 3 if free else 2] += 2.0
    ours.start.v[:] = theirs.start[:, -ours.world.figure.nv :] = 0.0
    begun = np.array(ours.start.q)
    ours.advance(ours.start, HOLD)
    there = theirs.run()[:, round(HOLD / 1e-4) - 1, 1 : 1 + ours.world.figure.nq]
    joints = scene.root.stop
    np.testing.assert_allclose(ours.start.q[:, scene.root], there[:, scene.peer_root], atol=2e-4)
    np.testing.assert_allclose(ours.start.q[:, joints:], there[:, joints:], atol=1e-3)
    assert np.abs(ours.start.q - begun)[:, joints:].max() > 5e-3


def test_rows_of_landings_have_steps():
    models = {row.model for row in ROWS if row.benchmark.startswith("landing")}
    assert models == set(STEPS) == set(SCENES)


def test_steps_of_rows_follow_from_an_accuracy():
    world, scene = fitted("hopper"), scene_of("hopper").world(HOLD)
    assert world.timing.step == pytest.approx(STEPS["hopper"][0])
    assert world.timing.tolerance == scene.timing.tolerance
    assert world.method.iterations == ITERATIONS == scene.method.iterations


@pytest.mark.parametrize("row", SCENES)
def test_settings_are_those_of_a_scene(row: str):
    """Scenes of one figure with the same settings differ by their steps: the humanoid at 0.3 and 0.1 percent."""
    found = row_of(VARIANTS[row].scene if row in VARIANTS else row, scene_of(row).world(HOLD))
    assert settings_of(scene_of(found).world(HOLD)) == settings_of(scene_of(row).world(HOLD))
    assert found == row or STEPS[found][0] > STEPS[row][0]


def test_settings_without_a_scene_are_refused():
    """No scene has a humanoid with divided steps without extrapolation, or an ant with a tolerance of 1e-3."""
    world = scene_of("humanoid").world(HOLD)
    divided = replace(world, contact=replace(world.method, second_order_landings=True, landing_steps=3))
    with pytest.raises(SystemExit, match=r"humanoid: no scene has .*'landing_steps': 3"):
        row_of("humanoid", divided)
    world = scene_of("ant, divided steps").world(HOLD)
    with pytest.raises(SystemExit, match=r"ant: no scene has .*'tolerance': 0\.001"):
        row_of("ant", replace(world, timing=replace(world.timing, tolerance=1e-3)))


def test_a_card_is_as_fast_as_so_many_cores():
    """3.97 million steps a second on a card are those of 7.94 cores with 2 us a step; float64 is compared with it."""
    found = equivalent_cores("humanoid", "float32", 2000.0)
    assert found["cores per RTX Pro 6000, MuJoCo Warp, float32"] == pytest.approx(7.94)
    assert [name for name in equivalent_cores("humanoid", "float64", 2000.0) if "float32" in name] == []
    assert equivalent_cores("Go2", "float32", 2000.0) == {}


def test_divided_steps_are_compared_with_the_cards_of_their_figure(monkeypatch: pytest.MonkeyPatch):
    for errors in ("our_error", "their_error"):
        monkeypatch.setattr(f"benchmarks.contact.landing.{errors}", lambda *_: np.full(3, 0.01))
    monkeypatch.setattr("benchmarks.contact.landing.REPEATS", 2)
    result = landing(Row("landing", "ant, divided steps", "float64", 8))
    assert result.more["cores per H200, MJX, float64"] == pytest.approx(0.825e6 * result.ns_per_step * 1e-9)


def test_cores_and_memory_bound_a_predicted_speed():
    """Closed forms: steps of 1 us on 8 cores; 1000 bytes for each 10 steps at 1 GB/s; no call is shorter than 1 s."""
    assert OneCore(1e-6, 0.0, 10, 1000).steps_per_s(8, 1e15) == pytest.approx(8e6)
    assert OneCore(1e-6, 0.0, 10, 1000).steps_per_s(1000, 1e9) == pytest.approx(1e7)
    assert OneCore(1e-12, 1.0, 10, 0).steps_per_s(1, 1.0) == pytest.approx(WORLDS_OF_A_CORE * 10, rel=1e-6)


def test_a_landing_is_checked_before_it_is_timed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("benchmarks.contact.landing.our_error", lambda *_: np.ones(3))
    monkeypatch.setattr("benchmarks.contact.landing.their_error", lambda *_: np.full(3, 0.5 / MAX_ERROR_RATIO))
    with pytest.raises(AssertionError, match="MuJoCo's"):
        landing(Row("landing", "quadruped", "float64", 8))
