"""What a creature is: links, joints, shapes and springs, in one immutable tree."""

from gambol.figure.closure import CLOSURES, Closure, Constraint, Coupling
from gambol.figure.composite import composites
from gambol.figure.figure import WORLD, Base, Figure
from gambol.figure.forest import FOREST_ROOT, forest_names, gathered
from gambol.figure.generator import random_figure, random_state
from gambol.figure.joint import IDENTITY, JOINTS, Joint, Matrix3, Triple
from gambol.figure.link import Link, Part, PlacedLink, may_touch, stacked
from gambol.figure.mass import NO_MASS, MassProperties, check_mass, combine
from gambol.figure.mirror import mirrored_joint, mirrored_part
from gambol.figure.rotation import compose, rotation_about, transposed, turned
from gambol.figure.shapes import (
    SHAPES,
    Box,
    Capsule,
    ContactPoint,
    Cylinder,
    Ellipsoid,
    Frustum,
    HeightField,
    Hull,
    Pipe,
    Shape,
    Sphere,
)
from gambol.figure.springs import JointSpring, Springs, resolve_springs, spring_places, with_stops

__all__ = [
    "CLOSURES",
    "FOREST_ROOT",
    "IDENTITY",
    "JOINTS",
    "NO_MASS",
    "SHAPES",
    "WORLD",
    "Base",
    "Box",
    "Capsule",
    "Closure",
    "Constraint",
    "ContactPoint",
    "Coupling",
    "Cylinder",
    "Ellipsoid",
    "Figure",
    "Frustum",
    "HeightField",
    "Hull",
    "Joint",
    "JointSpring",
    "Link",
    "MassProperties",
    "Matrix3",
    "Part",
    "Pipe",
    "PlacedLink",
    "Shape",
    "Sphere",
    "Springs",
    "Triple",
    "check_mass",
    "combine",
    "compose",
    "composites",
    "forest_names",
    "gathered",
    "may_touch",
    "mirrored_joint",
    "mirrored_part",
    "random_figure",
    "random_state",
    "resolve_springs",
    "rotation_about",
    "spring_places",
    "stacked",
    "transposed",
    "turned",
    "with_stops",
]
