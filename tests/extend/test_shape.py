"""A shape from outside the package, as docs/extend/shape.md adds it: a capsule with ends of different radii.

Independent routes: a capsule where both radii are equal, its two balls over the ground, and the hull of many points.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pages import restored, run_page

import gambol
from gambol.collide import HeightGrid, Plane, add_shape
from gambol.collide.broad import ball, near
from gambol.collide.broad.balls import BALLS
from gambol.collide.broad.oriented import BOXES
from gambol.collide.broad.support_extent import EXTENTS, support_extent
from gambol.collide.convex import SIZES, geom_of
from gambol.collide.convex.ball_hull import BALL_HULLS
from gambol.collide.convex.support import CORES
from gambol.collide.pairs import PAIRS, gaps, ground_gaps, slots
from gambol.collide.pairs.ground import ON_PLANE
from gambol.errors import FigureError, GambolError
from gambol.figure import SHAPES, Box, Capsule, Figure, Hull, Joint, Link, Part, Pipe, Sphere
from gambol.figure.mirror import mirrored_part
from gambol.figure.parameters import parameters, with_values
from gambol.figure.shapes import corner_hull
from gambol.formats import Model, read_figure, read_mjcf, read_urdf, write_figure, write_mjcf, write_urdf
from gambol.spatial import Quaternion, Transform, Vector
from gambol.view.scene.framing import half_extent
from gambol.view.scene.meshes import shape_mesh
from gambol.world.film import FilmShape

TABLES: tuple[dict[Any, Any], ...] = (
    SHAPES, SIZES, BALL_HULLS, CORES, EXTENTS, BOXES, BALLS, ON_PLANE, PAIRS
)  # fmt: skip
KIND = "tapered_capsule"
SIZES_OF_IT = (0.05, 0.02, 0.3)


@pytest.fixture(autouse=True)
def page() -> Iterator[dict[str, Any]]:
    with restored(*TABLES):
        yield run_page("extend/shape.md")


@pytest.fixture
def shape(page: dict[str, Any]) -> Any:
    return page["TaperedCapsule"](*SIZES_OF_IT)


def random_pose(random: np.random.Generator, spread: float = 0.2) -> Transform:
    q = random.normal(size=4)
    rotation = Quaternion(*(q / np.linalg.norm(q)).tolist()).rotation()
    return Transform(rotation, Vector(*random.normal(scale=spread, size=3).tolist()))


def surface(sizes: tuple[float, ...], count: int) -> Hull:
    """The hull of many points of both balls: inside the shape by less than 1 - cos(pi / 40)."""
    angles = np.linspace(0.0, np.pi, count)
    around = np.linspace(0.0, 2.0 * np.pi, 2 * count, endpoint=False)
    ring = [(np.sin(a) * np.cos(b), np.sin(a) * np.sin(b), np.cos(a)) for a in angles[1:-1] for b in around]
    directions = np.array([(0.0, 0.0, 1.0), (0.0, 0.0, -1.0), *ring])
    lower, upper, length = sizes
    points = np.concatenate([lower * directions - (0, 0, length / 2), upper * directions + (0, 0, length / 2)])
    return Hull(tuple(map(tuple, points.tolist())))


def test_its_mass_is_that_of_a_capsule_and_of_a_hull_of_many_points(page: dict[str, Any], shape: Any):
    even, capsule = page["TaperedCapsule"](0.05, 0.05, 0.3).mass_properties(900.0), Capsule(0.05, 0.3)
    expected = capsule.mass_properties(900.0)
    np.testing.assert_allclose(even.mass, expected.mass, rtol=1e-12)
    np.testing.assert_allclose(even.inertia, expected.inertia, rtol=1e-12)
    np.testing.assert_allclose(even.com, expected.com, atol=1e-15)
    mine, hull = shape.mass_properties(900.0), surface(SIZES_OF_IT, 24).mass_properties(900.0)
    np.testing.assert_allclose(mine.mass, hull.mass, rtol=1e-2)
    np.testing.assert_allclose(mine.com, hull.com, atol=2e-4)
    np.testing.assert_allclose(np.diag(mine.inertia), np.diag(hull.inertia), rtol=2e-2)
    np.testing.assert_allclose(shape.volume * 900.0, mine.mass, rtol=1e-14)


@pytest.mark.parametrize("seed", range(4))
def test_contacts_with_other_shapes_are_those_of_a_capsule_and_a_hull(seed: int, page: dict[str, Any], shape: Any):
    random = np.random.default_rng(seed)
    even, capsule = page["TaperedCapsule"](0.05, 0.05, 0.3), Capsule(0.05, 0.3)
    fine = surface(SIZES_OF_IT, 12)
    for other in (Sphere(0.04), Box((0.1, 0.2, 0.1)), shape):
        A, B = random_pose(random), random_pose(random)
        (gap,) = gaps(even, A, other, B)
        assert gap.size == pytest.approx(min(g.size for g in gaps(capsule, A, other, B)), abs=1e-7)
        (gap,) = gaps(shape, A, other, B)
        (least,) = gaps(fine, A, Sphere(0.04), B) if isinstance(other, Sphere) else (None,)
        assert least is None or gap.size == pytest.approx(least.size, abs=2e-3)
        (back,) = gaps(other, B, shape, A)
        assert back.size == pytest.approx(gap.size, abs=1e-7)
        assert bool(near(shape, A, other, B, margin=gap.size + 1e-6))


@pytest.mark.parametrize("ground", [Plane(), HeightGrid(np.zeros((9, 9)), 0.5, -2.0, -2.0)])
def test_both_balls_touch_the_ground(ground: Any, shape: Any):
    pose = random_pose(np.random.default_rng(5))
    found = ground_gaps(shape, pose, ground, ground.numbers(), ground.table())
    assert len(found) == slots(KIND, "plane") == 2
    heights = [(pose @ centre).z - radius for centre, radius in shape.balls(shape.sizes)]
    np.testing.assert_allclose([gap.size for gap in found], heights, atol=1e-12)


def test_it_touches_a_pipe_from_inside_and_its_bounds_hold_it(shape: Any):
    pose = random_pose(np.random.default_rng(8), 0.01)
    upright = Quaternion(1.0, 0.0, 0.0, 0.0).rotation()
    placed, bore = (Transform(upright, Vector(x, 0.0, 0.0)) for x in (0.01, 0.0))
    inside = gaps(shape, placed, Pipe(0.1, 0.2, 1.0), bore)
    assert min(gap.size for gap in inside) == pytest.approx(0.1 - 0.01 - 0.05, abs=1e-9)
    points = np.array([tuple(pose @ Vector(*v)) for v in surface(SIZES_OF_IT, 12).vertices])
    bound = ball(shape, pose)
    assert np.linalg.norm(points - np.array([*bound.centre]), axis=1).max() <= bound.radius + 1e-12
    for d in np.random.default_rng(1).normal(size=(5, 3)):
        reach = float(support_extent(shape, pose, Vector(*d.tolist())))
        assert reach - 1e-3 * np.linalg.norm(d) <= (points @ d).max() <= reach + 1e-12
    np.testing.assert_allclose(half_extent(KIND, SIZES_OF_IT), (0.05, 0.05, 0.2))


@pytest.mark.parametrize("contact", ["stepping", "penalty"])
def test_a_world_of_it_moves_as_one_of_capsules(contact: str, page: dict[str, Any]):
    """A log falls on one end, and over."""
    ends: list[Any] = []
    for log in (page["TaperedCapsule"](0.05, 0.05, 0.3), Capsule(0.05, 0.3)):
        figure = Figure("log", (Link("log", None, Joint("free"), (Part(log),)),))
        world = gambol.make_world(figure, contact=contact)
        state = gambol.start(world, position=(0.0, 0.0, 0.4), v=(0.0, 2.0, 0.5, 0.0, 0.0, 0.0))
        film = gambol.run(world, state, seconds=0.5, rate=60.0)
        ends.append((film.position[-1, 0, 0], film.quaternion[-1, 0, 0]))
    np.testing.assert_allclose(ends[0][0], ends[1][0], atol=1e-6)
    np.testing.assert_allclose(ends[0][1], ends[1][1], atol=1e-6)
    assert 0.049 < ends[0][0][2] < 0.3


def test_files_contain_it_and_pictures_draw_it(shape: Any, tmp_path: Path):
    part = Part(shape, position=(0.0, 0.1, 0.0))
    figure = Figure("shin", (Link("shin", None, Joint("free"), (part,)),))
    write_figure(Model(figure), tmp_path / "shin.toml")
    assert read_figure(tmp_path / "shin.toml").figure == figure
    corners = corner_hull(shape.contact_points())
    for write, read, name in ((write_mjcf, read_mjcf, "shin.xml"), (write_urdf, read_urdf, "shin.urdf")):
        assert any(KIND in note for note in write(Model(figure), tmp_path / name))
        (mesh,) = read(tmp_path / name).figure.links[-1].parts[:1]
        np.testing.assert_allclose(mesh.shape.volume, corners.volume, rtol=1e-3)
    mesh = shape_mesh(FilmShape(0, KIND, SIZES_OF_IT, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)))
    radii = np.linalg.norm(mesh.corners[:, :2], axis=1)
    assert radii.max() == pytest.approx(0.05, rel=1e-9)
    assert mesh.corners[:, 2].max() == pytest.approx(0.17)
    assert mirrored_part(part).position == (0.0, -0.1, 0.0)


def test_its_sizes_are_parameters(shape: Any):
    figure = Figure("shin", (Link("shin", None, Joint("free"), (Part(shape),)),))
    assert parameters(figure)["shin.part 0.lower"] == 0.05
    changed = with_values(figure, {"shin.part 0.lower": 0.06})
    assert changed.root.parts[0].shape.sizes == (0.06, 0.02, 0.3)


def test_what_a_class_lacks_is_named():
    class Half:
        kind = "half"

    with pytest.raises(FigureError, match='"Half" lacks sizes, volume, balls'):
        add_shape(Half)
    with pytest.raises(FigureError, match=r'"capsule" must be a frozen dataclass|"capsule" already|lacks'):
        add_shape(Capsule)
    with pytest.raises(GambolError, match='cannot draw a shape of kind "lens"'):
        shape_mesh(FilmShape(0, "lens", (1.0,), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)))

    class Lens:
        kind, sizes = "lens", (1.0,)

    with pytest.raises(FigureError, match=r'no geom of kind "lens"; .* collide.add_shape'):
        geom_of(Lens())
