"""The keys of a figure file, shared by reading and writing."""

from dataclasses import fields

from gambol.figure import Joint, JointSpring
from gambol.figure.joint import OLD_KINDS
from gambol.formats.finish import FINISH_KEYS
from gambol.formats.matter_tables import MATTER_KEYS
from gambol.formats.model import Motor

FORMAT = "gambol figure 1"
"""The format name in the first line of a figure file: `format = "gambol figure 1"`."""

FILE_KEYS = (
    "format", "name", "gravity", "density", "viscosity", "ground", "prescribed", "notes", "links", "constraints",
    "apart", "paired", "tendons", "motors", "hold", "sensors", "start", *MATTER_KEYS,
)  # fmt: skip
LINK_KEYS = ("name", "parent", "joint", "mass", "parts", "springs", "visuals")
VISUAL_KEYS = ("position", "color", "opacity", *FINISH_KEYS)
MASS_KEYS = ("mass", "com", "inertia")
PART_KEYS = (
    "shape", "position", "density", "inertial", "colliding", "friction", "restitution", "group", "mask",
    "anisotropic_friction", "color",
)  # fmt: skip
SURFACE_KEYS = ("friction", "restitution")  # of a part: numbers
DIRECTION_KEYS = ("forward", "backward", "sideways")  # of an anisotropic friction: numbers
LAYER_KEYS = ("group", "mask")  # of a part: integers, whose bits are collision groups

ROTATIONS = ("rotation", "quaternion", "axis_angle", "turns_deg")
"""The keys of the four forms of a rotation; a table has at most one of them."""

JOINT_NUMBERS = ("pitch", "slides", "rotor", "gear", "radius", "parent_radius")  # keys of a joint with one number each
RENAMED_SPRING_FIELDS = {"stiction_speed": "creep"}  # the key in files, where it differs from the field
SPRING_KEYS = {f.name: RENAMED_SPRING_FIELDS.get(f.name, f.name) for f in fields(JointSpring) if f.name != "scale"}
"""The keys of a spring in files, by the names of the fields of JointSpring."""
SPRING_NUMBERS = tuple(SPRING_KEYS.values())
OLD_JOINT_KINDS = OLD_KINDS
"""The current kind of joint for each old name; files with old names are still read."""

MOTOR_NUMBERS = ("gain", "damping", "lower", "upper", "weakest", "strongest", "delay")

DEFAULT_JOINT, DEFAULT_SPRING = Joint("fixed"), JointSpring()
DEFAULT_MOTOR = Motor("", "")
