"""Transforms against 4 x 4 matrices, and their solids."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation
from scripts import dry_run, read

from gambol.errors import GambolError
from gambol.figure import Box, Cylinder, Sphere, rotation_about
from gambol.script.graphic_objects import ORIGIN, GraphicObject, Transform

numbers = st.floats(-2.0, 2.0)
triples = st.tuples(numbers, numbers, numbers)
changes = st.tuples(st.sampled_from(["move", "scale", "turn"]), triples, triples, st.booleans())


def homogeneous(linear, shift=(0.0, 0.0, 0.0)):
    M = np.eye(4)
    M[:3, :3], M[:3, 3] = linear, shift
    return M


def as_matrix(kind, amount, centre):
    to_centre = homogeneous(np.eye(3), centre)
    if kind == "move":
        return homogeneous(np.eye(3), amount)
    linear = np.diag(amount) if kind == "scale" else Rotation.from_rotvec((amount[0], 0.0, 0.0)).as_matrix()
    return to_centre @ homogeneous(linear) @ np.linalg.inv(to_centre)


@given(st.lists(changes, max_size=6))
def test_transforms_are_products_of_matrices(given_changes):
    result, M = Transform(), np.eye(4)
    for kind, amount, centre, premultiply in given_changes:
        if kind == "move":
            result = result.moved(amount, premultiply)
        elif kind == "scale":
            result = result.scaled(amount, centre, premultiply)
        else:
            result = result.turned(rotation_about("x", amount[0]), centre, premultiply)
        T = as_matrix(kind, amount, centre)
        M = M @ T if premultiply else T @ M
    np.testing.assert_allclose(result.linear, M[:3, :3], atol=1e-9)
    np.testing.assert_allclose(result.shift, M[:3, 3], atol=1e-9)


def test_turns_of_a_body_are_about_fixed_axes_in_their_order(tmp_path):
    text = "get box unit_cube\nrotate box x 30\nrotate box y 40\nrotateaxis box 1 2 3 50\nmove box 1 2 3"
    result = dry_run(tmp_path, text).graphic_objects["box"].transform
    third = Rotation.from_rotvec(np.radians(50) * np.array([1, 2, 3]) / np.sqrt(14))
    R = third * Rotation.from_euler("xy", [30, 40], degrees=True)
    np.testing.assert_allclose(result.linear, R.as_matrix(), atol=1e-14)
    assert result.shift == (1.0, 2.0, 3.0)


def test_the_centre_of_turns_can_be_moved_and_forgotten(tmp_path):
    text = "get box unit_cube\nxformcenter 1 0 0\nrotate box z 180\nlocalxforms\nrotate box z 90"
    result = dry_run(tmp_path, text).graphic_objects["box"].transform
    assert result.shift == pytest.approx((0.0, 2.0, 0.0), abs=1e-15)


def test_a_transform_is_kept_and_taken_back(tmp_path):
    text = "get box unit_cube\nmove box 1 0 0\npushobj box\nscale box 2 2 2\npopobj box\ncenter box\nmove box 0 3 0"
    assert dry_run(tmp_path, text).graphic_objects["box"].transform == Transform(shift=(0.0, 3.0, 0.0))


def graphic_object(instance, *changes):
    result = Transform()
    for amount in changes:
        result = result.scaled(amount, ORIGIN)
    return GraphicObject("it", instance, transform=result)


def test_solids_are_a_metre_wide_before_they_are_scaled():
    assert graphic_object("unit_cubeb", (0.01, 0.01, 0.01), (1, 2, 3)).part(1.0, True, True).shape == Box(
        (0.01, 0.02, 0.03)
    )
    assert graphic_object("unit_sphere", (2, 2, 2)).part(1.0, True, True).shape == Sphere(1.0)
    assert graphic_object("unit_cylinder", (2, 2, 5)).part(1.0, True, True).shape == Cylinder(1.0, 5)


def test_a_mirrored_solid_is_a_solid():
    part = graphic_object("unit_cube", (-1, 2, 3)).part(1.0, True, True)
    assert part.shape == Box((1, 2, 3))
    assert np.linalg.det(part.rotation) == pytest.approx(1.0)


def test_a_turned_box_has_its_edges(tmp_path):
    placed = "get box unit_cube\nscale box 1 2 3\nrotate box x 30\nmove box 0 0 1\n"
    part = dry_run(tmp_path, f"addcorpus c\n{placed}addbody box box 0 0 1 rotary 5").corpus.bodies["box"].parts[0]
    assert part.shape.size == pytest.approx((1.0, 2.0, 3.0))
    np.testing.assert_allclose(part.rotation, Rotation.from_euler("x", 30, degrees=True).as_matrix(), atol=1e-15)
    assert (part.position, part.density) == ((0.0, 0.0, 1.0), 5.0)


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (graphic_object("unit_cube", (1, 0, 1)), "is flat"),
        (graphic_object("unit_sphere", (1, 1, 2)), "scale it alike in all three directions"),
        (graphic_object("unit_cylinder", (1, 2, 2)), "scale it alike in x and y"),
        (graphic_object("hills.csv"), "which is not a solid; solids are unit_cube"),
    ],
)
def test_what_makes_no_solid(result, message):
    with pytest.raises(GambolError, match=message):
        result.part(1.0, True, True)


def test_a_skewed_box_is_refused(tmp_path):
    text = "addcorpus c\nget box unit_cube\nrotate box x 30\nscale box 1 2 1\naddbody box box 0 0 1 rotary 5"
    with pytest.raises(
        GambolError, match=r"it.corpus:5: addbody: .* is skewed, because it was scaled after a rotation"
    ):
        read(tmp_path, text)
