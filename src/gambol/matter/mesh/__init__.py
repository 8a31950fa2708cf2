"""Spring meshes as data: points with mass, springs, hinges, bends and triangles; and builders of cloth and ropes."""

from gambol.matter.mesh.cloth import ClothMaterial, cloth
from gambol.matter.mesh.joined import joined
from gambol.matter.mesh.parts import Bends, Gas, Hinges, Springs, Twist
from gambol.matter.mesh.rope import rope, with_twist
from gambol.matter.mesh.solid import soft_body
from gambol.matter.mesh.spring_mesh import SpringMesh
from gambol.matter.mesh.surface import SurfaceMaterial, read_surface_mesh, surface_mesh

__all__ = [
    "Bends",
    "ClothMaterial",
    "Gas",
    "Hinges",
    "SpringMesh",
    "Springs",
    "SurfaceMaterial",
    "Twist",
    "cloth",
    "joined",
    "read_surface_mesh",
    "rope",
    "soft_body",
    "surface_mesh",
    "with_twist",
]
