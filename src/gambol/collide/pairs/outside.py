"""What hollow shapes are from outside: the solid cylinder of a pipe, and the box about a field of heights."""

from gambol.collide.convex import Form, field_box
from gambol.spatial import Transform


def outside(form: Form, pose: Transform) -> tuple[Form, Transform]:
    """The convex form that a form is from outside, and its pose; convex forms and planes as they are."""
    if form.kind == "pipe":
        return Form("cylinder", form.sizes[1:]), pose
    if form.kind == "height_field":
        middle, half = field_box(form)
        return Form("box", tuple(2.0 * size for size in half)), Transform(pose.rotation, pose @ middle)
    return form, pose
