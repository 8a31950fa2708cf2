"""Exports of commands hold the figure where the format can: masses, joints and limits in USD."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pxr import Usd, UsdGeom, UsdPhysics

from gambol.cli.film_files import ExportWarning, model_of_world, write_exports
from gambol.creatures.make_world import make_world
from gambol.plan.pose.film import pose_film
from gambol.world.film import FilmGround


def test_usd_files_of_commands_have_masses_and_joints(tmp_path: Path):
    world = make_world("roach")
    model, shown = model_of_world(world), list[str]()
    film = replace(pose_film(world.figure, [0.0], [model.q]), signals={})
    paths = [tmp_path / "a.usda", tmp_path / "a.glb"]
    with pytest.warns(ExportWarning, match="the exponential rise of springs"):
        assert write_exports(film, paths, shown.append, model) == paths
    stage = Usd.Stage.Open(str(paths[0]))
    masses = [
        UsdPhysics.MassAPI(prim).GetMassAttr().Get() for prim in stage.Traverse() if prim.HasAPI(UsdPhysics.MassAPI)
    ]
    assert sum(masses) == pytest.approx(world.figure.mass, rel=1e-6)
    joints = [prim for prim in stage.Traverse() if prim.IsA(UsdPhysics.Joint)]
    assert len(joints) == len(world.figure.links) - 1
    assert UsdPhysics.Scene(stage.GetPrimAtPath("/PhysicsScene")).GetGravityMagnitudeAttr().Get() == pytest.approx(9.81)


def test_exports_of_commands_have_uneven_ground(tmp_path: Path):
    world = make_world("roach")
    hills = FilmGround(np.array([[0.0, 0.1], [0.0, 0.1]]), -1.0, -1.0, 2.0)
    film = replace(pose_film(world.figure, [0.0], [model_of_world(world).q]), signals={}, ground=hills)
    assert write_exports(film, [tmp_path / "a.usda"], list[str]().append) == [tmp_path / "a.usda"]
    stage = Usd.Stage.Open(str(tmp_path / "a.usda"))
    points = UsdGeom.Mesh(stage.GetPrimAtPath("/Ground")).GetPointsAttr().Get()
    np.testing.assert_allclose(np.array(points).max(axis=0), [1.0, 1.0, 0.1], atol=1e-7)
