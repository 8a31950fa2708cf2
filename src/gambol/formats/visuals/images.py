"""Images of textures: PNG and JPEG files, checked when they are read."""

import io
import warnings
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, TypeAlias
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.figure import Material, Texture
from gambol.figure.visual import PLAIN
from gambol.formats.safe_files import file_bytes, path_exists

Transparency: TypeAlias = Literal["opaque", "mask", "blend"]

MAX_BYTES = 64_000_000  # of an image file
MAX_PIXELS = 67_108_864  # of an image: 8192 x 8192, the largest that most graphics cards hold


@dataclass(frozen=True)
class TextureFolder:
    """The textures that a mesh file names.

    path: path of the mesh file. notes: receives a sentence on each omitted texture; None: such a texture is an error.
    default: the material of surfaces to which the file gives none.
    """

    path: Path
    notes: set[str] | None = None
    default: Material = PLAIN

    def texture(self, name: str) -> Texture | None:
        """Return a texture by its name in the mesh file.

        If there is no such file, the last part of the name is searched in the folder of the mesh.
        """
        plain = unquote(name.strip()).removeprefix("file://").replace("\\", "/")
        candidates = (self.path.parent / plain, self.path.parent / plain.rpartition("/")[2])
        path = next((each for each in candidates if plain and path_exists(each)), None)
        if path is None:
            return self.omit(f'the texture "{plain[-80:]}" of "{self.path.name}" does not exist')
        try:
            return read_texture(path)
        except GambolError as error:
            return self.omit(str(error))

    def omit(self, problem: str) -> None:
        """Add a note on an omitted texture. Raises GambolError if notes are None."""
        if self.notes is None:
            raise GambolError(f"{problem}; put it into the folder of the mesh, or remove it from the material")
        self.notes.add(f"Left out: {problem}.")


def read_texture(path: Path) -> Texture:
    """Return an image file (PNG, JPEG). Raises GambolError for other files, and for more than MAX_PIXELS pixels."""
    texture = Texture(path.name, file_bytes(path, "texture", MAX_BYTES))
    check_image(texture)
    return texture


def check_image(texture: Texture) -> None:
    """Raise GambolError for a texture that is not a readable PNG or JPEG file, or is too large."""
    _opened(texture)


def image_pixels(texture: Texture, max_edge: int | None = None) -> NDArray[np.uint8]:
    """Return the pixels of a texture (rows, columns, 4), red, green, blue and opacity, from the top.

    max_edge: maximum length of the longer edge [pixels]; larger images are scaled down.
    """
    image = _opened(texture)
    if max_edge is not None:
        image.thumbnail((max_edge, max_edge))
    return np.asarray(image.convert("RGBA"), np.uint8)


@lru_cache(maxsize=256)
def transparency_of(texture: Texture) -> Transparency:
    """Return "opaque", "mask" if each pixel of a texture is either opaque or invisible, or else "blend"."""
    if texture.suffix != ".png":
        return "opaque"
    opacity = image_pixels(texture)[..., 3]
    if (opacity == 255).all():
        return "opaque"
    return "mask" if np.isin(opacity, (0, 255)).all() else "blend"


def with_transparency(texture: Texture, transparency: Transparency, cutoff: float = 0.5) -> Texture:
    """Return a texture whose pixels are as transparent as a material says.

    transparency: "opaque" if the material ignores the opacity of pixels, "mask" if pixels with an opacity below
    cutoff are invisible and all others are opaque, "blend" for the opacity of the pixels.
    """
    if transparency == "blend" or transparency_of(texture) == "opaque":
        return texture
    pixels = image_pixels(texture)
    if transparency == "opaque":
        return png_texture(texture.name, pixels[..., :3])
    visible = pixels[..., 3:] >= 255.0 * cutoff
    return png_texture(texture.name, np.where([False, False, False, True], 255 * visible, pixels).astype(np.uint8))


def png_texture(name: str, pixels: NDArray[np.uint8]) -> Texture:
    """Return pixels (rows, columns, 3 or 4), from the top, as a texture in PNG."""
    file, library = io.BytesIO(), _library()
    library.fromarray(np.ascontiguousarray(pixels)).save(file, "PNG")
    return Texture(name, file.getvalue())


def _library() -> Any:
    return import_module("PIL.Image")


def _opened(texture: Texture) -> Any:
    library = _library()
    too_large = f'the texture "{texture.name}" has more than {MAX_PIXELS} pixels; give a smaller one'
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", library.DecompressionBombWarning)
            image = library.open(io.BytesIO(texture.data), formats=("PNG", "JPEG"))
        width, height = image.size
        if width * height <= MAX_PIXELS:
            image.load()
    except library.DecompressionBombError as error:
        raise GambolError(too_large) from error
    except (OSError, ValueError, SyntaxError) as error:
        raise GambolError(f'the texture "{texture.name}" is not a readable image; give a PNG or JPEG') from error
    if width * height > MAX_PIXELS:
        raise GambolError(too_large)
    return image
