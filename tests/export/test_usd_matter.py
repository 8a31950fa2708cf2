"""Cloth, ropes, muscles and particles in USD: read back by OpenUSD, they are where the film has them."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from pxr import Usd, UsdGeom, UsdValidation

from gambol.export import export_film, write_usd
from gambol.export.usd_matter import chains_of
from gambol.matter.forces import Air, Surroundings
from gambol.matter.mesh import ClothMaterial, cloth, rope
from gambol.matter.motion import MeshStepper, StepRule
from gambol.matter.scene import meshes_film
from gambol.world import Film
from gambol.world.film import FilmMuscle, FilmParticles

H = 1.0 / 240.0
FRAMES = 7


@pytest.fixture(scope="module")
def film() -> Film:
    """A cloth that tears in the wind, a rope that swings, particles that are born and die, and a muscle."""
    weak = ClothMaterial(density=0.2, warp=50.0, weft=50.0, shear=10.0, tears_at=1.05)
    sheet = cloth(5, 5, 0.1, weak, axes=((0.0, 0.0, -1.0), (1.0, 0.0, 0.0)), pins=[(0, 0), (0, 4)])
    line = rope(np.linspace([0.0, 0.0, 1.0], [1.0, 0.0, 1.0], 6), density=0.1, stretch=100.0, pins=[0])
    wind = Surroundings(air=Air(velocity=(0.0, 15.0, 0.0)))
    steppers = {"sheet": MeshStepper(sheet, wind, StepRule("implicit euler", H)), "rope": MeshStepper(line)}
    states = {name: [stepper.start()] for name, stepper in steppers.items()}
    for name, stepper in steppers.items():
        for _ in range(FRAMES - 1):
            states[name].append(stepper.advance(states[name][-1], 10))
    times = np.array([state.time for state in states["sheet"]])
    rope_states = [replace(state, time=t) for state, t in zip(states["rope"], times, strict=True)]
    made = meshes_film("gale", {"sheet": (sheet, states["sheet"]), "rope": (line, rope_states)})
    rng = np.random.default_rng(1)
    counts = [0, 3, 5, 4, 0, 1, 2]
    total = sum(counts)
    sparks = FilmParticles(
        "sparks", np.concatenate([[0], np.cumsum(counts)]), rng.normal(size=(total, 3)).astype(np.float32),
        rng.normal(size=(total, 3)).astype(np.float32), rng.integers(0, 256, (total, 4)).astype(np.uint8),
        rng.uniform(0.01, 0.02, total).astype(np.float32), np.arange(total, dtype=np.int64),
    )  # fmt: skip
    points = np.cumsum(rng.normal(size=(FRAMES, 4, 3)), axis=1).astype(np.float32)
    levels = np.linspace(0.0, 1.0, FRAMES, dtype=np.float32)
    return replace(made, matter=(*made.matter, sparks, FilmMuscle("biceps", points, levels, levels, 0.03)))


@pytest.mark.parametrize(("ending", "scale"), [(".usda", 1.0), (".usdc", 100.0)])
def test_all_matter_is_where_the_film_has_it(film: Film, tmp_path: Path, ending: str, scale: float):
    stage = Usd.Stage.Open(str(write_usd(film, tmp_path / f"gale{ending}", scale=scale)))
    sheet, line, sparks, muscle = film.matter
    mesh = UsdGeom.Mesh(stage.GetPrimAtPath("/Creature/sheet"))
    curves = UsdGeom.BasisCurves(stage.GetPrimAtPath("/Creature/rope_lines"))
    cloud = UsdGeom.Points(stage.GetPrimAtPath("/Creature/sparks"))
    belly = UsdGeom.BasisCurves(stage.GetPrimAtPath("/Creature/biceps"))
    assert not sheet.visible[-1].all()  # it tears
    for f in range(FRAMES):
        np.testing.assert_allclose(mesh.GetPointsAttr().Get(f), scale * sheet.points[f], rtol=1e-6, atol=1e-7 * scale)
        corners = np.array(mesh.GetFaceVertexIndicesAttr().Get(f)).reshape(-1, 3)
        np.testing.assert_array_equal(corners, sheet.triangles[sheet.visible[f]])
        assert list(mesh.GetFaceVertexCountsAttr().Get(f)) == [3] * len(corners)
        np.testing.assert_allclose(curves.GetPointsAttr().Get(f), scale * line.points[f], rtol=1e-6, atol=1e-7 * scale)
        row = sparks.frame(f)
        places = np.reshape(cloud.GetPointsAttr().Get(f), (-1, 3))
        np.testing.assert_allclose(places, scale * sparks.points[row], rtol=1e-6)
        np.testing.assert_allclose(cloud.GetWidthsAttr().Get(f), 2.0 * scale * sparks.radii[row], rtol=1e-6)
        assert list(cloud.GetIdsAttr().Get(f)) == sparks.numbers[row].tolist()
        np.testing.assert_allclose(belly.GetPointsAttr().Get(f), scale * muscle.points[f], rtol=1e-6)
        box = np.stack([sheet.points[f].min(axis=0), sheet.points[f].max(axis=0)])
        np.testing.assert_allclose(mesh.GetExtentAttr().Get(f), scale * box, rtol=1e-5)
    assert list(curves.GetCurveVertexCountsAttr().Get()) == [6]
    assert curves.GetWidthsAttr().Get()[0] == pytest.approx(scale * line.thickness)


def test_the_validators_find_nothing(film: Film, tmp_path: Path):
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    stage = Usd.Stage.Open(str(write_usd(film, tmp_path / "gale.usdc")))
    found = UsdValidation.ValidationContext(validators).Validate(stage)
    assert [f"{error.GetName()}: {error.GetMessage()}" for error in found] == []


def test_what_stands_still_has_no_samples(film: Film, tmp_path: Path):
    still = replace(film, matter=tuple(each.of_frames(np.zeros(FRAMES, np.intp)) for each in film.matter))
    stage = Usd.Stage.Open(str(write_usd(still, tmp_path / "still.usda")))
    for prim in stage.Traverse():
        assert all(not attribute.GetTimeSamples() for attribute in prim.GetAttributes())


def test_only_formats_that_hold_no_matter_tell_that_they_leave_it_out(film: Film, tmp_path: Path):
    assert export_film(film, tmp_path / "gale.usdc") == []
    for ending in ("glb", "bvh"):
        notes = export_film(replace(film, parents=(-1,)), tmp_path / f"gale.{ending}")
        assert any("cloth, ropes, particles and muscles" in note for note in notes)
    assert any("matter" in note for note in export_film(film, tmp_path / "gale.csv"))


def test_chains_hold_each_line_once():
    lines = np.array([[3, 4], [0, 1], [1, 2], [2, 0], [5, 4], [1, 3]], np.int32)
    chains = chains_of(lines)
    pairs = sorted(tuple(sorted(pair)) for chain in chains for pair in pairwise(chain))
    assert pairs == sorted(tuple(sorted(line)) for line in lines.tolist())
    assert [chain.tolist() for chain in chains_of(np.array([[0, 1], [1, 2], [2, 3]], np.int32))] == [[0, 1, 2, 3]]
