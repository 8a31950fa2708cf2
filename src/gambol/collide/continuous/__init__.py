"""Continuous collision detection: times of impact, swept volumes and moving polyhedra."""

from gambol.collide.continuous.advancement import (
    AdvancementResult,
    ConstantVelocity,
    bounding_radius,
    conservative_advancement,
)
from gambol.collide.continuous.grid import grid_hit
from gambol.collide.continuous.hit import NO_HIT, Hit, first_hit
from gambol.collide.continuous.inside import in_convex, in_polygon, in_polyhedron, winding_number
from gambol.collide.continuous.polyhedra import MovingVertex, edge_edge, edge_face, pierces, vertex_face
from gambol.collide.continuous.roots import quadratic_roots, unit_roots
from gambol.collide.continuous.round import BallMotion, capsule_hit, plane_hit, sphere_hit
from gambol.collide.continuous.solid import convex_hit, time_of_impact, triangle_hit
from gambol.collide.continuous.swept import swept_ball, swept_box, swept_capsule, swept_extent, swept_support

__all__ = [
    "NO_HIT",
    "AdvancementResult",
    "BallMotion",
    "ConstantVelocity",
    "Hit",
    "MovingVertex",
    "bounding_radius",
    "capsule_hit",
    "conservative_advancement",
    "convex_hit",
    "edge_edge",
    "edge_face",
    "first_hit",
    "grid_hit",
    "in_convex",
    "in_polygon",
    "in_polyhedron",
    "pierces",
    "plane_hit",
    "quadratic_roots",
    "sphere_hit",
    "swept_ball",
    "swept_box",
    "swept_capsule",
    "swept_extent",
    "swept_support",
    "time_of_impact",
    "triangle_hit",
    "unit_roots",
    "vertex_face",
    "winding_number",
]
