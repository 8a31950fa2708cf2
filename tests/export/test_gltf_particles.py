"""Particles in glTF as balls: in every frame those of the film, in each take, and none that flies to another."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pygltflib
import pytest
from export.test_gltf_matter import numbers
from gltf_files import turned

from gambol.export import particle_balls, write_gltf
from gambol.export.particle_balls import balls_of
from gambol.world import Film
from gambol.world.film import FilmParticles


def sparks_of(film: Film) -> FilmParticles:
    return next(each for each in film.matter if isinstance(each, FilmParticles))


def steady(film: Film) -> Film:
    """Return the film with particles that live for some frames each, are born and die, and one that vanishes twice."""
    frames = [[0, 1], [0, 1, 2], [1, 2], [0, 2], [2, 3], [3], [0, 3]]
    assert len(frames) == len(film.time)
    numbers, total = np.concatenate(frames), sum(map(len, frames))
    rng = np.random.default_rng(3)
    colors = np.array([(250, 10, 10, 255), (10, 250, 10, 255), (250, 10, 10, 255), (10, 10, 250, 130)], np.uint8)
    sparks = FilmParticles(
        "sparks", np.cumsum([0, *map(len, frames)]), rng.normal(size=(total, 3)).astype(np.float32),
        rng.normal(size=(total, 3)).astype(np.float32), colors[numbers],
        rng.uniform(0.01, 0.02, total).astype(np.float32), numbers.astype(np.int64),
    )  # fmt: skip
    others = tuple(each for each in film.matter if not isinstance(each, FilmParticles))
    return replace(film, matter=(*others, sparks))


def shown(path: Path) -> list[list[tuple[np.ndarray, np.ndarray]]]:
    """Return places (F, 3) and radii (F,) of all balls in each animation, as stored: radii hold, places are lines."""
    gltf = pygltflib.GLTF2().load(str(path))
    parent = next(node for node in gltf.nodes if node.name == "particles")
    takes = []
    for animation in gltf.animations:
        balls = []
        for node in parent.children:
            samplers = {
                c.target.path: animation.samplers[c.sampler] for c in animation.channels if c.target.node == node
            }
            assert samplers["scale"].interpolation == "STEP"
            radii = numbers(gltf, samplers["scale"].output)
            assert (radii == radii[:, :1]).all()
            if "translation" in samplers:
                assert samplers["translation"].interpolation == "LINEAR"
                balls.append((numbers(gltf, samplers["translation"].output), radii[:, 0]))
            else:
                assert not radii.any()
        takes.append(balls)
    return takes


@pytest.mark.parametrize("scale", [1.0, 10.0])
def test_every_frame_has_the_particles_of_the_film(gale: Film, tmp_path: Path, scale: float):
    film = steady(gale)
    back = replace(gale, name="other")
    path = write_gltf([film, back], tmp_path / "gale.glb", scale=scale)
    for take, balls in zip((film, back), shown(path), strict=True):
        sparks = sparks_of(take)
        for f in range(sparks.frames):
            seen = sorted((*place[f].tolist(), float(r[f])) for place, r in balls if r[f] > 0.0)
            rows = sparks.frame(f)
            expected = sorted(
                (*p, r) for p, r in zip(sparks.points[rows].tolist(), sparks.radii[rows].tolist(), strict=True)
            )
            np.testing.assert_allclose(
                np.array(seen).reshape(-1, 4), scale * np.array(expected).reshape(-1, 4), rtol=1e-6
            )


def test_a_ball_that_is_seen_moves_as_its_particle_does_until_the_next_frame(gale: Film):
    film, rate = steady(gale), 240.0
    sparks, balls = sparks_of(film), balls_of(film.matter, rate)
    for f in range(sparks.frames - 1):
        rows = range(*sparks.frame(f).indices(len(sparks.points)))
        after = dict(zip(sparks.numbers[sparks.frame(f + 1)].tolist(), sparks.points[sparks.frame(f + 1)], strict=True))
        for row in rows:
            ball = next(b for b in balls if b.radii[f] > 0.0 and (b.positions[f] == sparks.points[row]).all())
            moved_on = sparks.points[row] + sparks.velocities[row] / np.float32(rate)
            expected = after.get(int(sparks.numbers[row]), moved_on)
            np.testing.assert_allclose(ball.positions[f + 1], expected, rtol=3e-7)  # two roundings of float32


def test_balls_of_one_colour_are_used_again(gale: Film):
    """The third particle is as the first, but lives beside it; the fourth is translucent."""
    balls = balls_of(steady(gale).matter, 240.0)
    assert sorted(ball.color for ball in balls) == [
        (0, 0, 255, 128),
        (0, 255, 0, 255),
        (255, 0, 0, 255),
        (255, 0, 0, 255),
    ]


def test_a_particle_that_changes_colour_is_another_ball_at_the_same_place(gale: Film):
    """It is red in two frames, then blue; both balls are one path, and one of them is seen in each frame."""
    places = np.cumsum(np.random.default_rng(5).normal(size=(5, 3)), axis=0).astype(np.float32)
    colors = np.array([(255, 0, 0, 255)] * 2 + [(0, 0, 255, 255)] * 3, np.uint8)
    still, radii = np.zeros((5, 3), np.float32), np.full(5, 0.1, np.float32)
    ember = FilmParticles("ember", np.arange(6), places, still, colors, radii, np.zeros(5, np.int64))
    red, blue = balls_of([ember], 240.0)
    assert (red.color, blue.color) == ((255, 0, 0, 255), (0, 0, 255, 255))
    assert (red.radii > 0.0).tolist() == [True, True, False, False, False]
    assert (blue.radii > 0.0).tolist() == [False, False, True, True, True]
    np.testing.assert_array_equal(red.positions[:3], places[:3])
    np.testing.assert_array_equal(blue.positions[2:], places[2:])


def test_the_axes_are_turned_as_those_of_the_creature(gale: Film, tmp_path: Path):
    gltf = pygltflib.GLTF2().load(str(write_gltf(gale, tmp_path / "gale.glb")))
    x, y, z, w = next(node.rotation for node in gltf.nodes if node.name == "particles")
    point, v = np.array([0.1, 0.2, 0.3]), np.array([x, y, z])
    np.testing.assert_allclose(
        point + 2.0 * np.cross(v, np.cross(v, point) + w * point), turned(point[None])[0], atol=1e-7
    )


def test_too_many_balls_are_left_out(gale: Film, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(particle_balls, "MAX_BALLS", 3)
    assert len(balls_of(steady(gale).matter, 240.0)) == 3
