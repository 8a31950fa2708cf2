"""The distance of the camera."""

import numpy as np
import pytest

from gambol.view.scene.distance import FILL, distance_to_see
from gambol.view.scene.framing import frame_film
from gambol.world.film import Film, FilmShape

AHEAD = np.array([1.0, 0.0, 0.0])


def box(size: tuple[float, float, float]) -> Film:
    shape = FilmShape(0, "box", size, (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    return Film("box", np.zeros(1), np.zeros((1, 1, 1, 3)), np.eye(4)[:1].reshape(1, 1, 1, 4), ("box",), (shape,))


@pytest.mark.parametrize("aspect", [0.5, 1.0, 3.0])
def test_a_box_fills_the_picture_up_to_its_margin(aspect: float):
    film = box((0.2, 1.0, 0.5))
    distance = distance_to_see(film, frame_film(film), AHEAD, 90.0, aspect)  # of 90 deg half the height is the distance
    nearest = distance - 0.1
    assert max(0.5 / aspect, 0.25) == pytest.approx(FILL * nearest)


def test_a_limb_that_swings_out_of_the_first_picture_counts():
    shapes = tuple(FilmShape(k, "box", (0.1, 0.1, 1.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)) for k in (0, 1))
    position, quaternion = np.zeros((2, 1, 2, 3)), np.zeros((2, 1, 2, 4))
    position[1, 0, 1, 2], quaternion[..., 0] = 3.0, 1.0
    film = Film("swung", np.array([0.0, 1.0]), position, quaternion, ("root", "limb"), shapes)
    framing = frame_film(film)
    room = 4.0  # m, from half a box below the root to half a box above the limb
    distance = distance_to_see(film, framing, AHEAD, 90.0, 1.0) * framing.size
    assert distance == pytest.approx(0.05 + room / 2 / FILL)
