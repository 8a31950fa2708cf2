"""Closed loops, couplings and pairs of links written as USD and read back: the same accelerations, the same pairs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from link_accelerations import accelerations, relative_difference
from pxr import Usd, UsdPhysics

from gambol.dynamics import kinematics
from gambol.export import export_film, write_usd
from gambol.figure import Closure, Coupling, Figure, random_figure, random_state, rotation_about
from gambol.figure.closure import CLOSURES
from gambol.figure.rotation import matrix, triple
from gambol.formats import Model, read_usd
from gambol.plan.pose.film import pose_film

ROUNDING = 2e-5  # float32 in the file, exact to 6e-8, times the condition of a loop that is nearly singular (below 100)
TILT = np.array(rotation_about((0.6, 0.0, 0.8), 0.9))


def closed(figure: Figure, q: list[float], kind: str, other: str | None) -> Figure:
    """Return a figure with a closure of its last link that holds in the posture q."""
    poses = kinematics(figure, q, [0.0] * figure.nv).poses
    frames = {link.name: poses[link.index] for link in figure.links}
    X = frames[figure.links[-1].name]
    R, p = np.array(X.rotation.rows, float), np.array([*X.position], float)
    R0, p0 = np.eye(3), np.zeros(3)
    if other is not None:
        R0, p0 = np.array(frames[other].rotation.rows, float), np.array([*frames[other].position], float)
    own = np.array([0.1, -0.2, 0.15])
    away = np.array([0.3, 0.1, 0.2]) if kind == "distance" else np.zeros(3)
    place, turn = R @ own + p, R @ TILT
    closure = Closure(
        kind, figure.links[-1].name, other, triple(own), matrix(TILT),
        triple(R0.T @ (place + away - p0)), matrix(R0.T @ turn), float(np.linalg.norm(away)),
    )  # fmt: skip
    return replace(figure, constraints=(closure,))


def file_of(model: Model, path: Path, scale: float = 1.0) -> Path:
    film = pose_film(model.figure, [0.0], np.array([model.q]))
    return write_usd(film, path, figure=model, scale=scale)


@pytest.mark.parametrize("other", [None, "first"])
@pytest.mark.parametrize("kind", CLOSURES)
def test_closures_come_back(tmp_path: Path, kind: str, other: str | None):
    """Beside the figure without its closure, which moves otherwise: a closure that is lost would be seen."""
    open_figure = random_figure(7, links=5, kinds=("revolute", "spherical"), root="spherical" if other else "free")
    q, _ = random_state(open_figure, 7)
    figure = closed(open_figure, q, kind, open_figure.links[0].name if other else None)
    model = Model(figure, q=tuple(q))
    back = read_usd(file_of(model, tmp_path / "loop.usdc", 100.0))
    (closure,) = back.figure.constraints
    assert closure.kind == kind
    assert relative_difference(model, back) < ROUNDING
    assert relative_difference(model, Model(open_figure, q=tuple(q))) > 1e-2


@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_linear_couplings_come_back(tmp_path: Path, scale: float):
    """Of a turn and a slide, in both senses: their coefficients have the units rad/m and m/rad."""
    bodies = random_figure(3, links=3, kinds=("revolute",), root="revolute").given_links
    joint = replace(bodies[2].joint, kind="prismatic")
    figure = Figure("coupled", (*bodies[:2], replace(bodies[2], joint=joint)))
    turn, slide = bodies[1].name, bodies[2].name
    for follower, leader in ((turn, slide), (slide, turn)):
        coupling = Coupling(follower, leader, (0.0, 0.3))
        model = Model(replace(figure, constraints=(coupling,)))
        back = read_usd(file_of(model, tmp_path / f"{follower}.usda", scale))
        (found,) = back.figure.constraints
        assert (found.joint, found.other) == (follower, leader)
        np.testing.assert_allclose(found.coefficients, coupling.coefficients, rtol=1e-6, atol=1e-9)
        assert relative_difference(model, back) < ROUNDING


def test_pairs_that_do_not_touch_come_back(tmp_path: Path):
    """A joint's links do not touch in USD unless it says so; links without a joint are a filtered pair."""
    figure = random_figure(5, links=4, kinds=("revolute",), root="free")
    a, b, *_, d = (link.name for link in figure.links)
    child = next(link for link in figure.links if link.parent_index == 1).name
    model = Model(replace(figure, apart=((a, d), (b, d)), paired=((a, child),)))
    file = file_of(model, tmp_path / "pairs.usda")
    back = read_usd(file).figure
    joined = {frozenset((link.name, figure.links[link.parent_index - 1].name)) for link in figure.links[1:]}
    expected = {frozenset(pair) for pair in model.figure.apart} | joined - {frozenset((a, child))}
    assert {frozenset(pair) for pair in back.apart} == expected
    assert [frozenset(pair) for pair in back.paired] == [frozenset((a, child))]
    stage = Usd.Stage.Open(str(file))
    filtered = UsdPhysics.FilteredPairsAPI(stage.GetPrimAtPath(f"/Creature/{a}")).GetFilteredPairsRel()
    assert [path.name for path in filtered.GetTargets()] in ([d], [])


def test_what_is_left_out_is_noted(tmp_path: Path):
    figure = random_figure(3, links=4, kinds=("revolute",), root="free")
    names = [link.name for link in figure.links]
    model = Model(replace(figure, constraints=(Coupling(names[1], names[2], (0.0, 1.0, 2.0)),)))
    film = pose_film(figure, [0.0], np.array([model.q]))
    assert any(
        "couplings of joints that are not linear" in note
        for note in export_film(film, tmp_path / "a.usda", figure=model)
    )
    assert accelerations(read_usd(tmp_path / "a.usda")).keys() == accelerations(model).keys()
