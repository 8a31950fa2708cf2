"""Materials of the geoms of a compiled MJCF model: colour, opacity, and the image of a texture."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.figure import Material, Texture
from gambol.figure.color import color_text
from gambol.formats.mjcf.compiler import CompiledMjcf
from gambol.formats.visuals import png_texture
from gambol.formats.visuals.images import MAX_PIXELS

TEXTURE_2D = 0  # mjtTexture; the others are cubes
DEFAULT_RGBA = (0.5, 0.5, 0.5, 1.0)  # MuJoCo's default colour of a geom; a geom with it has the colour of its material
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
    textures: dict[int, Texture] = field(default_factory=dict[int, Texture])

    def texture(self, geom: int) -> Texture | None:
        """Return the image on a geom with texture coordinates.

        Return None without an image, for a cube map, and for an image that is too large.
        """
        number = self._image(geom)
        if number >= 0 and number not in self.textures and self._is_drawable(number):
            name = self.mjcf.name("texture", number) or f"texture{number}"
            self.textures[number] = png_texture(f"{name}.png", self._pixels(number))
        return self.textures.get(number)

    def material(self, geom: int, texture: Texture | None) -> Material:
        """Return colour and opacity of a geom.

        texture: the texture that is drawn, or None; a texture that is not drawn is replaced by its mean colour.
        """
        rgba, number = rgba_of(self.mjcf.model, geom), self._image(geom)
        if rgba is None:
            return Material()
        if number >= 0 and texture is None:
            rgba = (np.array(rgba) * [*self._mean(number), 1.0]).tolist()
        return Material(color_text(*rgba[:3]), rgba[3])

    def _image(self, geom: int) -> int:
        """Return the number of a geom's colour texture, -1 for none."""
        model, material = self.mjcf.model, int(self.mjcf.model.geom_matid[geom])
        if material < 0:
            return -1
        if model.mat_layers[material]:
            self.notes.add("Left out: textures of materials for properties other than colour, such as roughness.")
        return int(model.mat_image[material])

    def _is_drawable(self, number: int) -> bool:
        """Return True for a texture that can be drawn on a mesh."""
        model = self.mjcf.model
        count = int(model.tex_width[number]) * int(model.tex_height[number])
        return model.tex_type[number] == TEXTURE_2D and hasattr(model, f"texture{number}") and count <= MAX_PIXELS

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
            self.notes.add(
                "Drawn in their mean colour: textures on shapes without texture coordinates, cube maps, and "
                f"images of more than {MAX_PIXELS} pixels."
            )
        return (colors.mean(axis=0) / 255.0).tolist()
