"""The keys of a figure file: what reading and writing agree on."""

from dataclasses import fields

from gambol.figure import Joint, JointSpring
from gambol.formats.specimen import Motor

FORMAT = "gambol figure 1"
"""What the first line of a figure file says: `format = "gambol figure 1"`."""

FILE_KEYS = (
    "format", "name", "gravity", "density", "viscosity", "ground", "prescribed", "notes", "links", "constraints",
    "apart", "paired", "motors", "start",
)  # fmt: skip
LINK_KEYS = ("name", "parent", "joint", "mass", "parts", "springs")
MASS_KEYS = ("mass", "com", "inertia")
PART_KEYS = ("shape", "position", "density", "inertial", "colliding", "friction", "restitution", "group", "mask")
SURFACE_KEYS = ("friction", "restitution")
LAYER_KEYS = ("group", "mask")

ROTATIONS = ("rotation", "quaternion", "axis_angle", "turns_deg")
"""The four ways to write a rotation; one at a time."""

JOINT_NUMBERS = ("pitch", "slides", "rotor", "gear", "radius", "parent_radius")
SPRING_NUMBERS = tuple(f.name for f in fields(JointSpring) if f.name != "scale")
MOTOR_NUMBERS = ("gain", "damping", "lower", "upper", "weakest", "strongest")

DEFAULT_JOINT, DEFAULT_SPRING = Joint("fixed"), JointSpring()
DEFAULT_MOTOR = Motor("", "")
