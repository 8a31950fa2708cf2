"""Materials of the geoms of a compiled MJCF model: colour, opacity, finish, and the image of a texture."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.figure import Finish, Material, Shape, Texture, VisualMesh
from gambol.figure.color import color_text
from gambol.figure.visual import PLAIN_FINISH
from gambol.formats.mjcf.compiler import CompiledMjcf
from gambol.formats.visuals import png_texture
from gambol.formats.visuals.images import MAX_PIXELS
from gambol.formats.visuals.textured_shapes import cube_uv, finely_divided, mapped_triangles, textured_mesh

Array = NDArray[np.float64]

TEXTURE_2D = 0  # mjtTexture; the others are cubes
DEFAULT_RGBA = (0.5, 0.5, 0.5, 1.0)  # MuJoCo's default colour of a geom; a geom with it has the colour of its material
DEFAULT_HIGHLIGHT = (0.5, 0.5)  # specular and shininess of a material for which a file gives none
MAX_TEXTURE_BYTES = 300_000_000  # of the pixels of all textures of a file


def rgba_of(model: Any, geom: int) -> list[float] | None:
    """Return colour and opacity of a geom or, if these are defaults, of its material.

    Return None if both are MuJoCo's defaults.
    """
    rgba, material = model.geom_rgba[geom], int(model.geom_matid[geom])
    if np.allclose(rgba, DEFAULT_RGBA):
        if material < 0:
            return None
        rgba = model.mat_rgba[material]
    return np.clip(np.nan_to_num(rgba), 0.0, 1.0).tolist()


def color_of(model: Any, geom: int) -> str | None:
    """Return the colour of a geom or its material; None for MuJoCo's default. Textures and transparency are lost."""
    rgba = rgba_of(model, geom)
    return None if rgba is None else color_text(*rgba[:3])


@dataclass
class Materials:
    """Makes the materials of geoms.

    textures: textures made so far, by their number in the file. notes: receives sentences on omitted textures.
    """

    mjcf: CompiledMjcf
    notes: set[str]
    textures: dict[int, Texture | None] = field(default_factory=dict[int, Texture | None])

    def texture(self, geom: int) -> Texture | None:
        """Return the image on a geom; None without one, for one colour, and for an image that is too large."""
        number = self._image(geom)
        if number < 0 or rgba_of(self.mjcf.model, geom) is None:
            return None
        if number not in self.textures:
            name = self.mjcf.name("texture", number) or f"texture{number}"
            drawn = self._is_drawn(number)
            self.textures[number] = png_texture(f"{name}.png", self._pixels(number)) if drawn else None
        return self.textures[number]

    def material(self, geom: int, texture: Texture | None) -> Material:
        """Return colour, opacity and finish of a geom.

        texture: the texture that is drawn, or None; a texture that is not drawn is replaced by its mean colour.
        """
        rgba, number = rgba_of(self.mjcf.model, geom), self._image(geom)
        if rgba is None:
            return Material()
        if number >= 0 and texture is None:
            rgba = (np.array(rgba) * [*self._mean(number), 1.0]).tolist()
        return Material(color_text(*rgba[:3]), rgba[3], finish=self._finish(geom, rgba))

    def is_plane(self, geom: int) -> bool:
        """Return True if the image on a geom is flat, False if it is that of a cube."""
        return int(self.mjcf.model.tex_type[self._image(geom)]) == TEXTURE_2D

    def repeat(self, geom: int) -> tuple[float, float]:
        """Return how often the image on a geom is repeated along u and v; "texuniform" repeats it by metres."""
        model, material = self.mjcf.model, int(self.mjcf.model.geom_matid[geom])
        size = self._half_sizes(geom)[:2] if model.mat_texuniform[material] else (1.0, 1.0)
        u, v = (float(x) if x > 0.0 else 1.0 for x in model.mat_texrepeat[material])
        return u * float(size[0]), v * float(size[1])

    def mapped_shape(self, geom: int, shape: Shape, texture: Texture) -> VisualMesh:
        """Return a shape with the texture coordinates that MuJoCo's renderer gives it, from the upper edge on."""
        mapped, from_above = mapped_triangles(shape), np.array([0.0, 1.0])
        if self.is_plane(geom):
            uv = from_above + (mapped.uv - from_above) * self.repeat(geom)
        else:
            uv = self._on_cube(geom, mapped.unit)
        return textured_mesh(mapped.points, uv, Material(texture=texture))

    def mapped_mesh(self, geom: int, triangles: Array, texture: Texture) -> VisualMesh:
        """Return triangles (T, 3, 3) [m] with the texture coordinates that MuJoCo's renderer gives a mesh with none.

        A flat image is seen from above, and covers the bounding box of the mesh about its origin.
        """
        if self.is_plane(geom):
            half = self.mjcf.model.geom_size[geom][:2]
            uv = 0.5 + 0.5 * triangles[..., :2] / half * self.repeat(geom)
        else:
            triangles = finely_divided(triangles)
            uv = self._on_cube(geom, triangles)
        return textured_mesh(triangles, uv, Material(texture=texture))

    def _on_cube(self, geom: int, directions: Array) -> Array:
        model, number = self.mjcf.model, self._image(geom)
        if model.mat_texuniform[int(model.geom_matid[geom])]:
            directions = directions * self._half_sizes(geom)
        width, height = int(model.tex_width[number]), int(model.tex_height[number])
        return cube_uv(directions, max(height // width, 1), width)

    def _half_sizes(self, geom: int) -> Array:
        """Return the half sizes of a geom as MuJoCo's renderer has them; of a capsule, that of its cylinder along z."""
        x, y, z = (float(size) for size in self.mjcf.model.geom_size[geom])  # the others of a round shape are 0
        return np.array([x, y, z] if z else [x, x, y or x])

    def _finish(self, geom: int, rgba: list[float]) -> Finish:
        """Return roughness, metal and emission of a geom's material.

        Without a roughness of its own, it has that of the same highlight in Phong's model, whose exponent is 128 times
        the shininess: roughness^4 = 2 / (exponent + 2) [Walter 2007]. Without specular light it is matt.
        """
        model, material = self.mjcf.model, int(self.mjcf.model.geom_matid[geom])
        if material < 0:
            return PLAIN_FINISH
        rough, metallic, emission, shininess, specular = (
            float(getattr(model, f"mat_{name}")[material])
            for name in ("roughness", "metallic", "emission", "shininess", "specular")
        )
        roughness = min(rough, 1.0) if rough >= 0.0 else None
        if roughness is None and (specular, shininess) != DEFAULT_HIGHLIGHT:
            roughness = round((2.0 / (128.0 * max(shininess, 0.0) + 2.0)) ** 0.25, 3) if specular > 0.0 else 1.0
        glow = np.clip(emission * np.array(rgba[:3]), 0.0, 1.0).tolist()
        return Finish(roughness, min(max(metallic, 0.0), 1.0), color_text(*glow) if any(glow) else None)

    def _image(self, geom: int) -> int:
        """Return the number of a geom's colour texture, -1 for none."""
        model, material = self.mjcf.model, int(self.mjcf.model.geom_matid[geom])
        if material < 0:
            return -1
        if model.mat_layers[material]:
            self.notes.add("Left out: textures of materials for properties other than colour, such as roughness.")
        return int(model.mat_image[material])

    def _is_drawn(self, number: int) -> bool:
        """Return True for a texture that is not too large, and of several colours."""
        model = self.mjcf.model
        if int(model.tex_width[number]) * int(model.tex_height[number]) > MAX_PIXELS:
            return False
        pixels = self._pixels(number) if hasattr(model, f"texture{number}") else np.zeros((1, 1, 3), np.uint8)
        return bool((pixels != pixels[0, 0]).any())

    def _pixels(self, number: int) -> NDArray[np.uint8]:
        """Return the pixels of a texture (rows, columns, 3 or 4), from the top."""
        model = self.mjcf.model
        shape = int(model.tex_height[number]), int(model.tex_width[number]), int(model.tex_nchannel[number])
        pixels: NDArray[np.uint8] = getattr(model, f"texture{number}").reshape(shape)
        return pixels if shape[2] > 2 else np.repeat(pixels[..., :1], 3, axis=2)

    def _mean(self, number: int) -> list[float]:
        """Return the mean colour of a texture, 0 to 1; white for a texture that is too large."""
        if not hasattr(self.mjcf.model, f"texture{number}"):
            self.notes.add(f"Left out: textures of more than {MAX_TEXTURE_BYTES} bytes in all.")
            return [1.0, 1.0, 1.0]
        colors = self._pixels(number)[..., :3].reshape(-1, 3)
        if (colors != colors[0]).any():
            self.notes.add(f"Drawn in their mean colour: images of more than {MAX_PIXELS} pixels.")
        return (colors.mean(axis=0) / 255.0).tolist()
