"""Pictures of figures in one posture."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.image import imread
from panels import panel, panel_figure

from gambol.errors import GambolError
from gambol.figure import Figure, Joint, Link, MassProperties, Visual, random_figure, random_state
from gambol.view import posture_film, with_floor, write_still
from gambol.view.camera import FollowCamera
from gambol.view.camera.placed import AZIMUTH
from gambol.view.scene.framing import frame_film, lowest_height
from gambol.view.scene.look import CONTOUR, SKY
from gambol.view.stage import FLOOR_HALF_WIDTH
from gambol.world.film import FilmGround

HINGE = Joint("revolute", (0.0, 1.0, 0.0))
ROD = MassProperties(1.0, (0.0, 0.0, -1.0))


def test_a_posed_figure_is_drawn_at_its_coordinates():
    arm = Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, 0.0, -1.0))
    figure = Figure("arms", (Link("upper", None, HINGE, (), ROD), Link("lower", "upper", arm, (), ROD)))
    film = posture_film(figure, (np.pi / 2, -np.pi / 2))
    np.testing.assert_allclose(film.position[0, 0], [[0.0, 0.0, 0.0], [-1.0, 0.0, 0.0]], atol=1e-15)
    np.testing.assert_allclose(film.quaternion[0, 0, 0], [np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0], atol=1e-15)
    np.testing.assert_allclose(film.quaternion[0, 0, 1], [1.0, 0.0, 0.0, 0.0], atol=1e-15)


def test_the_floor_lies_below_everything():
    figure = random_figure(2, 7)
    film = posture_film(figure, random_state(figure, 1)[0])
    floor = with_floor(film).ground.heights
    assert floor is not None
    assert lowest_height(film) - floor.max() == pytest.approx(0.15 * frame_film(film).size)


def test_the_floor_reaches_its_half_width_around_the_figure():
    film = posture_film(random_figure(3, 8))
    floored, framing = with_floor(film).ground, frame_film(film)
    for start, path in zip((floored.x0, floored.y0), framing.path.reshape(-1, 3).T[:2], strict=True):
        assert start <= path.min() - FLOOR_HALF_WIDTH * framing.size + 1e-12
        assert start + floored.spacing >= path.max() + FLOOR_HALF_WIDTH * framing.size - 1e-12


def test_the_lowest_point_is_that_of_the_lowest_shape():
    film = posture_film(Figure("rod", (Link("rod", None, HINGE, (), ROD),)), (0.0,))
    dot = next(shape for shape in film.shapes if shape.kind == "sphere")
    assert lowest_height(film) == pytest.approx(-1.0 - dot.size[0])


def test_a_still_has_the_size_and_the_camera_that_are_given(renderer, tmp_path):
    film = with_floor(posture_film(random_figure(3, 8)))
    images = [
        imread(write_still(film, tmp_path / f"{k}.png", size=(480, 320), camera=camera))
        for k, camera in enumerate((None, FollowCamera(), FollowCamera(azimuth=140.0)))
    ]
    assert images[0].shape == (320, 480, 4)
    np.testing.assert_array_equal(images[0], images[1])
    assert np.abs(images[0] - images[2]).max() > 0.3
    with pytest.raises(GambolError, match="0 x 100 pixels"):
        write_still(film, tmp_path / "none.png", size=(0, 100))


def test_a_still_shows_the_figure_in_the_middle(renderer, tmp_path):
    figure = random_figure(3, 8)
    image = imread(write_still(with_floor(posture_film(figure)), tmp_path / "still.png"))[..., :3]
    assert image.shape == (960, 1280, 3)
    sky = np.array([int(SKY[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    middle = image[240:720, 320:960]
    brown = (middle[..., 0] > middle[..., 2] + 0.25).mean()  # sky, floor and shadow are nearly grey
    assert 0.005 < brown < 0.5
    assert np.abs(image[2, 2] - sky).max() < 0.3


def test_a_floor_below_looks_like_the_ground(renderer, tmp_path):
    film = posture_film(random_figure(3, 8))
    level, ground = with_floor(film), replace(film, ground=FilmGround())
    shades = [imread(write_still(each, tmp_path / "a.png"))[600, 40, :3] for each in (level, ground)]
    np.testing.assert_allclose(*shades, atol=0.05)


@pytest.mark.usefixtures("renderer")
def test_the_title_of_a_still_is_no_mathematics(tmp_path):
    film = replace(posture_film(random_figure(1, 2)), name="$\\frac$ \x1b[2J")
    assert write_still(with_floor(film), tmp_path / "still.png").stat().st_size > 1000


@pytest.mark.usefixtures("renderer")
def test_hills_are_coloured_by_height_and_have_contour_lines(tmp_path):
    """A long slope without shading: its lower part is greener, its upper part warmer, with lines between."""
    film = posture_film(random_figure(1, 2))
    size, below = frame_film(film).size, np.full((41, 41), lowest_height(film))
    rise = 0.02 * size * np.arange(-20, 21)[:, None]
    slope, flat = (
        replace(film, ground=FilmGround(heights - 0.5 * size, -4.0 * size, -4.0 * size, 0.2 * size))
        for heights in (below + rise, below)
    )
    seen = [imread(write_still(one, tmp_path / f"{k}.png"))[..., :3] for k, one in enumerate((slope, flat))]
    warmth = [image[::8, ::8, 0] - image[::8, ::8, 2] for image in seen]
    assert np.percentile(warmth[0], 95) - np.percentile(warmth[0], 5) > 0.08
    contour = np.array([int(CONTOUR[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    of_line = [(np.abs(image - contour).max(axis=-1) < 0.05).sum() for image in seen]
    assert of_line[0] > 1000 + of_line[1]


def test_a_transparent_surface_is_blended_over_those_behind_it(tmp_path):
    """c = c1 + (1 - a) (c2 - c0): of both, of the front one alone, of the one behind alone, and of neither."""
    ahead, opacity = 0.2 * np.array([np.cos(np.radians(AZIMUTH)), np.sin(np.radians(AZIMUTH)), 0.0]), 0.4

    def middle(front: float, behind: float, turned: bool = False) -> np.ndarray:
        red = Visual(panel(front, "#ff0000", False), tuple(ahead))
        green = Visual(panel(behind, "#00ff00", False), tuple(-ahead))
        figure = panel_figure(*((green, red) if turned else (red, green)))
        picture = imread(write_still(posture_film(figure), tmp_path / "glass.png", size=(320, 240)))
        return 255.0 * picture[120, 160, :3]

    c0, c1, c2 = middle(0.0, 0.0), middle(opacity, 0.0), middle(0.0, opacity)
    for turned in (False, True):
        seen = middle(opacity, opacity, turned)
        np.testing.assert_allclose(seen, c1 + (1.0 - opacity) * (c2 - c0), atol=2.0)  # four roundings to 8 bits
