"""Visuals: meshes and shapes that are drawn instead of the parts of a link, without contact and mass."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gambol.errors import FigureError
from gambol.figure.color import check_color
from gambol.figure.joint import IDENTITY, Matrix3, Triple
from gambol.figure.rotation import check_rotation
from gambol.figure.shapes import Shape

Float32: TypeAlias = NDArray[np.float32]

NO_UV: Float32 = np.empty((0, 2), np.float32)


@dataclass(frozen=True, slots=True)
class Texture:
    """An image on a mesh. name: name of its file; data: bytes of a PNG or JPEG file."""

    name: str
    data: bytes = field(repr=False)

    @property
    def suffix(self) -> str:
        """The suffix of its format: ".png" or ".jpg"."""
        return ".png" if self.data.startswith(b"\x89PNG") else ".jpg"


@dataclass(frozen=True, slots=True)
class Finish:
    """Reflection and emission of light by a surface, as in glTF. [Khronos, glTF 2.0, metallic-roughness]

    roughness: from 0, a mirror, to 1, matt; None: that of the view. metallic: from 0 to 1, a metal. emission: colour
    such as "#ff0000" (sRGB) of the light that it emits; None for no light.
    """

    roughness: float | None = None
    metallic: float = 0.0
    emission: str | None = None

    def check(self, subject: str) -> None:
        """Raise FigureError for a fraction that is not in 0 to 1, and for an impossible colour."""
        check_color(self.emission, subject)
        for name, fraction in (("roughness", self.roughness or 0.0), ("metallic fraction", self.metallic)):
            if not 0.0 <= fraction <= 1.0:
                raise FigureError(f"{subject} has a {name} of {fraction:g}; give 0 to 1")


PLAIN_FINISH = Finish()


@dataclass(frozen=True, slots=True)
class Material:
    """The appearance of a surface.

    color: colour such as "#8a4a1c" (sRGB), by which the texture is multiplied; None: the colour of the view, or white
    below a texture. opacity: from 0, invisible, to 1; it multiplies that of the texture's pixels. texture: None for one
    colour. finish: how it reflects and emits light.
    """

    color: str | None = None
    opacity: float = 1.0
    texture: Texture | None = None
    finish: Finish = PLAIN_FINISH


PLAIN = Material()


@dataclass(frozen=True, eq=False, slots=True)
class Submesh:
    """Triangles of one material.

    points (N, 3) [m], normals (N, 3), of length 1. triangles (T, 3): indices of points, anticlockwise seen from
    outside. uv (N, 2): coordinates in the texture, (0, 0) is its lower left corner; empty without texture.
    """

    points: Float32
    normals: Float32
    triangles: NDArray[np.uint32]
    uv: Float32 = field(default_factory=lambda: NO_UV)
    material: Material = PLAIN


@dataclass(frozen=True, eq=False, slots=True)
class VisualMesh:
    """A mesh to draw. file, scale: path of its file, and factors of its lengths; empty for a mesh without a file."""

    submeshes: tuple[Submesh, ...]
    file: str = ""
    scale: Triple = (1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Visual:
    """A mesh or a shape that is drawn for a link.

    rotation, position: pose of its frame in the link frame [m]. material: a material whose colour and finish replace
    those of the mesh, if they differ from those of PLAIN, and whose opacity multiplies that of the mesh.
    """

    shape: Shape | VisualMesh
    position: Triple = (0.0, 0.0, 0.0)
    rotation: Matrix3 = IDENTITY
    material: Material = PLAIN

    def surfaces(self) -> Iterator[tuple[Shape | Submesh, Material]]:
        """Yield what is drawn with its material: the shape, or each mesh of one material."""
        if not isinstance(self.shape, VisualMesh):
            yield self.shape, self.material
            return
        for mesh in self.shape.submeshes:
            own, given = mesh.material, self.material
            finish = own.finish if given.finish == PLAIN_FINISH else given.finish
            yield mesh, Material(given.color or own.color, given.opacity * own.opacity, own.texture, finish)

    def check(self, subject: str) -> None:
        """Raise FigureError for an impossible pose or material. subject: subject of the message."""
        check_rotation(self.rotation, subject)
        if not all(map(math.isfinite, self.position)):
            raise FigureError(f"{subject} lies at {self.position}, which is not finite")
        submeshes = self.shape.submeshes if isinstance(self.shape, VisualMesh) else ()
        for material in (self.material, *(each.material for each in submeshes)):
            check_color(material.color, subject)
            material.finish.check(subject)
            if not 0.0 <= material.opacity <= 1.0:
                raise FigureError(f"{subject} has an opacity of {material.opacity:g}; give 0 to 1")
