"""Figures: articulated bodies as one immutable tree of links, joints, shapes and springs."""

from gambol.figure.anisotropic_friction import AnisotropicFriction
from gambol.figure.closure import CLOSURES, Closure, Constraint, Coupling
from gambol.figure.composite import composite_bodies
from gambol.figure.figure import WORLD, Base, Figure
from gambol.figure.forest import FOREST_ROOT, forest_names, make_forest
from gambol.figure.generator import random_figure, random_state
from gambol.figure.joint import IDENTITY, JOINTS, Joint, Matrix3, Triple
from gambol.figure.link import Link, Part, PlacedLink, may_touch, stacked
from gambol.figure.mass import NO_MASS, MassProperties, check_mass, combine
from gambol.figure.mirror import mirrored_joint, mirrored_part
from gambol.figure.rotation import compose, rotated, rotation_about, transposed
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
from gambol.figure.springs import JointSpring, Springs, resolve_springs, spring_slices, with_stops
from gambol.figure.visual import Finish, Material, Submesh, Texture, Visual, VisualMesh

__all__ = [
    "CLOSURES",
    "FOREST_ROOT",
    "IDENTITY",
    "JOINTS",
    "NO_MASS",
    "SHAPES",
    "WORLD",
    "AnisotropicFriction",
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
    "Finish",
    "Frustum",
    "HeightField",
    "Hull",
    "Joint",
    "JointSpring",
    "Link",
    "MassProperties",
    "Material",
    "Matrix3",
    "Part",
    "Pipe",
    "PlacedLink",
    "Shape",
    "Sphere",
    "Springs",
    "Submesh",
    "Texture",
    "Triple",
    "Visual",
    "VisualMesh",
    "check_mass",
    "combine",
    "compose",
    "composite_bodies",
    "forest_names",
    "make_forest",
    "may_touch",
    "mirrored_joint",
    "mirrored_part",
    "random_figure",
    "random_state",
    "resolve_springs",
    "rotated",
    "rotation_about",
    "spring_slices",
    "stacked",
    "transposed",
    "with_stops",
]
