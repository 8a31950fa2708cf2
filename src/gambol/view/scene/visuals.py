"""Visuals of a film for pages: meshes, which are reduced if they are large, and textures."""

import io
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from gambol.figure import Submesh, Texture
from gambol.formats.finish import finish_row
from gambol.formats.visuals import image_pixels, transparency_of
from gambol.view.scene.differences import encode_differences
from gambol.view.scene.reduced import reduced
from gambol.world.film import FilmShape

RESOLUTION = 2.0**-11  # of the figure's size: edge of the cubes in which points of a mesh are one, 0.3 mm for a dog
MAX_TRIANGLES = 200_000  # of all meshes of a page, some 8 bytes each; for more the cubes grow
NORMAL_STEP, UV_STEP = 1.0 / 127.0, 2.0**-12  # resolution of stored normals and texture coordinates
MAX_EDGE = 1024  # pixels of a texture in a page; larger ones are reduced
JPEG_QUALITY = 85


def page_visuals(shapes: Sequence[FilmShape], size: float, arrays: dict[str, bytes]) -> dict[str, Any]:
    """Return the data of visual meshes and textures of shapes for a page; add their numbers to arrays.

    size: size of the figure [m]. A shape has the number of its mesh among "visuals", and the number of its texture
    among "textures": see visual_numbers().
    """
    meshes = _distinct(shapes)
    cell = size * RESOLUTION
    small = [reduced(mesh, cell) for mesh in meshes]
    while sum(len(mesh.triangles) for mesh in small) > MAX_TRIANGLES:
        cell *= 1.5
        small = [reduced(mesh, cell) for mesh in meshes]
    unit = size * RESOLUTION / 8.0
    for k, mesh in enumerate(small):
        arrays[f"visual{k}points"] = encode_differences(mesh.points.astype(float) / unit)
        arrays[f"visual{k}normals"] = encode_differences(mesh.normals.astype(float) / NORMAL_STEP)
        arrays[f"visual{k}triangles"] = encode_differences(mesh.triangles.reshape(-1, 1).astype(float))
        if len(mesh.uv):
            arrays[f"visual{k}uv"] = encode_differences(mesh.uv.astype(float) / UV_STEP)
    textures = _textures(shapes)
    for k, texture in enumerate(textures):
        arrays[f"texture{k}"] = _small_image(texture)
    return {
        "visuals": [{"uv": bool(len(mesh.uv))} for mesh in small],
        "textures": len(textures),
        "visualUnits": {"points": unit / size, "normals": NORMAL_STEP, "uv": UV_STEP},
    }


def visual_numbers(shapes: Sequence[FilmShape]) -> list[dict[str, Any]]:
    """Return the numbers of visual mesh and texture, the opacity and the finish of each shape that has them.

    "alpha" is "mask" or "blend" for a texture with transparent pixels.
    """
    meshes, textures = {id(mesh): k for k, mesh in enumerate(_distinct(shapes))}, _textures(shapes)
    rows: list[dict[str, Any]] = []
    for shape in shapes:
        row: dict[str, Any] = {} if shape.mesh is None else {"visual": meshes[id(shape.mesh)]}
        if shape.texture is not None:
            row["texture"], transparency = textures.index(shape.texture), transparency_of(shape.texture)
            row |= {} if transparency == "opaque" else {"alpha": transparency}
        rows.append(row | ({} if shape.opacity == 1.0 else {"opacity": shape.opacity}) | finish_row(shape.finish))
    return rows


def _distinct(shapes: Sequence[FilmShape]) -> list[Submesh]:
    return list({id(shape.mesh): shape.mesh for shape in shapes if shape.mesh is not None}.values())


def _textures(shapes: Sequence[FilmShape]) -> list[Texture]:
    return list(dict.fromkeys(shape.texture for shape in shapes if shape.texture is not None))


def _small_image(texture: Texture) -> bytes:
    """Return the bytes of an image of at most MAX_EDGE pixels.

    An image that is small enough is returned as it is in the file.
    """
    pixels = image_pixels(texture, MAX_EDGE)
    library: Any = import_module("PIL.Image")
    opaque = bool((pixels[..., 3] == 255).all())
    image, file = library.fromarray(pixels[..., :3] if opaque else pixels), io.BytesIO()
    if opaque:
        image.save(file, "JPEG", quality=JPEG_QUALITY)
    else:
        image.save(file, "PNG")
    return (
        min(file.getvalue(), texture.data, key=len) if image_pixels(texture).shape == pixels.shape else file.getvalue()
    )
