"""Meshes to draw, with materials and textures: COLLADA, glTF, OBJ, PLY and STL files."""

from gambol.formats.visuals.images import (
    check_image,
    image_pixels,
    png_texture,
    read_texture,
    transparency_of,
    with_transparency,
)
from gambol.formats.visuals.mesh_files import MESH_READERS, read_visual_mesh
from gambol.formats.visuals.normals import corner_normals, submesh_of
from gambol.formats.visuals.obj_files import ObjFiles

__all__ = [
    "MESH_READERS",
    "ObjFiles",
    "check_image",
    "corner_normals",
    "image_pixels",
    "png_texture",
    "read_texture",
    "read_visual_mesh",
    "submesh_of",
    "transparency_of",
    "with_transparency",
]
