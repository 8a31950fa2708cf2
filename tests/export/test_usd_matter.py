"""Cloth, ropes, muscles and particles in USD: read back by OpenUSD, they are where the film has them."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from pxr import Usd, UsdGeom, UsdValidation

from gambol.export import export_film, write_usd
from gambol.export.chains import chains_of
from gambol.world import Film

FRAMES = 7


@pytest.fixture
def film(gale: Film) -> Film:
    return gale


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


def test_only_formats_without_matter_note_that_they_leave_it_out(film: Film, tmp_path: Path):
    assert export_film(film, tmp_path / "gale.usdc") == []
    notes = export_film(replace(film, parents=(-1,)), tmp_path / "gale.bvh")
    assert any("cloth, ropes, particles and muscles" in note for note in notes)
    assert any("matter" in note for note in export_film(film, tmp_path / "gale.csv"))


def test_chains_hold_each_line_once():
    lines = np.array([[3, 4], [0, 1], [1, 2], [2, 0], [5, 4], [1, 3]], np.int32)
    chains = chains_of(lines)
    pairs = sorted(tuple(sorted(pair)) for chain in chains for pair in pairwise(chain))
    assert pairs == sorted(tuple(sorted(line)) for line in lines.tolist())
    assert [chain.tolist() for chain in chains_of(np.array([[0, 1], [1, 2], [2, 3]], np.int32))] == [[0, 1, 2, 3]]


def test_a_line_that_tears_shrinks_to_a_point_and_the_others_stay(film: Film, tmp_path: Path):
    line = film.matter[1]
    visible = np.ones((FRAMES, len(line.lines)), bool)
    visible[2:, 1] = False
    torn = replace(film, matter=(replace(line, visible=visible),))
    stage = Usd.Stage.Open(str(write_usd(torn, tmp_path / "torn.usda")))
    curves = UsdGeom.BasisCurves(stage.GetPrimAtPath("/Creature/rope_lines"))
    counts = np.array(curves.GetCurveVertexCountsAttr().Get())
    for f in range(FRAMES):
        points = np.array(curves.GetPointsAttr().Get(f))
        chains = np.split(points, np.cumsum(counts)[:-1])
        length = sum(np.linalg.norm(np.diff(chain, axis=0), axis=1).sum() for chain in chains)
        pieces = np.linalg.norm(np.diff(line.points[f][line.lines], axis=1)[:, 0], axis=1)
        assert length == pytest.approx(pieces[visible[f]].sum(), rel=1e-5)
