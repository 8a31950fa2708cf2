"""Visuals of a URDF's links: their visual elements, where these differ from the collision shapes."""

from dataclasses import replace

from gambol.errors import GambolError
from gambol.figure import Material, Part, Visual, VisualMesh
from gambol.figure.visual import PLAIN
from gambol.formats.urdf.shapes import PRIMITIVES, Sources, material_of, origin_of, primitive_of
from gambol.formats.visuals.textured_shapes import mapped_triangles, textured_mesh
from gambol.formats.xml_file import Element


def visuals_of(link: Element, parts: tuple[Part, ...], sources: Sources) -> tuple[Visual, ...]:
    """Return the visuals of a link element; empty if they equal its parts.

    parts: parts of the link. As in RViz, a mesh has the materials in its file; if there are none, it has the material
    of the visual. A texture is wrapped around the z axis of a shape; on a box, it is on each side.
    """
    if not sources.visuals:
        return ()
    found = [_visual(each, sources) for each in link.find_all("visual")]
    visuals = tuple(visual for visual in found if visual is not None)
    opaque = all(visual.material.opacity == 1.0 for visual in visuals)
    shown = [(visual.shape, visual.position, visual.rotation) for visual in visuals]
    return () if opaque and shown == [(part.shape, part.position, part.rotation) for part in parts] else visuals


def _visual(element: Element, sources: Sources) -> Visual | None:
    geometry = element.find("geometry")
    if geometry is None or len(geometry.children) != 1:
        raise GambolError(f"{element.where}: <visual> needs a <geometry> that holds one shape")
    shape, pose, material = geometry.children[0], origin_of(element), material_of(element, sources)
    if shape.tag in PRIMITIVES:
        primitive = primitive_of(shape)
        if material.texture is None:
            return Visual(primitive, *pose, material)
        mapped = mapped_triangles(primitive)
        return Visual(textured_mesh(mapped.points, mapped.uv, material), *pose)
    if shape.tag != "mesh":
        return None  # left out by leave_out
    mesh = _mesh(shape, sources, material if material.texture else PLAIN)
    if mesh is None:
        return None
    if material.texture is not None:
        if any(each.material.texture is None for each in mesh.submeshes):
            sources.notes.add("Left out: textures of materials on meshes that have no texture coordinates.")
        return Visual(replace(mesh, file=""), *pose)
    if all(each.material == PLAIN for each in mesh.submeshes):
        return Visual(mesh, *pose, material)
    rows = (replace(each, material=material) if each.material == PLAIN else each for each in mesh.submeshes)
    return Visual(replace(mesh, submeshes=tuple(rows)), *pose)


def _mesh(element: Element, sources: Sources, default: Material) -> VisualMesh | None:
    """Return the mesh of an element. default: material of surfaces to which its file gives none."""
    scale = element.triple("scale", (1.0, 1.0, 1.0))
    try:
        return sources.meshes.visual(element.name("filename"), scale, sources.notes, default)
    except GambolError as error:
        raise error if element.where in str(error) else GambolError(f"{element.where}: {error}") from error
